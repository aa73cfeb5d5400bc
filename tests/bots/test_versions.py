"""A bot that chooses otherwise has another version: results of two versions are never mixed."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

import tanistry
from tanistry.bots import bots, version

SETTINGS: dict[str, dict[str, Any]] = {
    "champion": {"evaluations": 300},
    "ismcts": {"iterations": 60, "blunder": 0},
}
LENGTH = 16
CHOSEN = {
    ("champion", 13): {
        "claim": "6a4e76137118",
        "kilt": "5eebad67bf95",
        "lords": "b2ef60bd6918",
        "schotten": "9d33d2fc909a",
    },
    ("greedy", 1): {
        "claim": "1dbd300f0872",
        "kilt": "e14e8f2b0b34",
        "lords": "1b327a64188c",
        "schotten": "912cff1e7530",
    },
    ("ismcts", 1): {
        "claim": "63401b68c4db",
        "kilt": "06e98b31ed20",
        "lords": "7f344612b283",
        "schotten": "4902753e7b74",
    },
    ("people", 16): {
        "claim": "70c266dd3733",
        "kilt": "1fe37ba80fb9",
        "lords": "06a53e500c3b",
        "schotten": "71c52fdc4f12",
    },
    ("random", 1): {
        "claim": "42eb0ed41446",
        "kilt": "99a1533d6c38",
        "lords": "6344453fa1e8",
        "schotten": "ed9419ed6216",
    },
    ("trained", 11): {
        "claim": "6a4e76137118",
        "kilt": "d99c3689c503",
        "lords": "d8f6c0734d88",
        "schotten": "14f8e6baf0f7",
    },
}
"""By bot and version: what it chooses at the beginning of a match of each game, in short."""


def chosen(name: str, game: str) -> str:
    match = tanistry.game(game).deal(seed=5)
    bot = tanistry.bot(name, seed=5, **SETTINGS.get(name, {}))
    for _ in range(LENGTH):
        match.play(bot.choose(match))
    return sha256(" ".join(token for _, token in match.history).encode()).hexdigest()[:12]


@pytest.mark.parametrize("game", tanistry.games())
@pytest.mark.parametrize("name", bots())
def test_other_choices_are_another_version(name: str, game: str) -> None:
    known = CHOSEN[name, version(name)]
    assert chosen(name, game) == known[game], f"raise `version` in bots/players/{name}.py"
