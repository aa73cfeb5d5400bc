"""Every game and option set goes through the same battery; Heir shows how one is added."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import pytest

import heir as example
import tanistry
from tanistry.games import registry
from tanistry.testing import check_game, count_choices, option_sets

CASES = [
    pytest.param(name, options, id=f"{name}-" + "-".join(str(value) for value in options.values()))
    for name, info in tanistry.games().items()
    for options in option_sets(info, limit=3)
]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_whole_battery(name: str, options: dict[str, Any]) -> None:
    """One match looked at from all sides, thousands at full speed; the seeds differ by case."""
    seed = zlib.crc32(repr(options).encode()) % 1000
    check_game(tanistry.game(name, **options), matches=1, seed=seed, audited=2_000)


@pytest.mark.parametrize("name", tanistry.games())
def test_the_default_game_more_often(name: str) -> None:
    check_game(tanistry.game(name), matches=6, seed=2000, audited=20_000)


@pytest.mark.parametrize("name", tanistry.games())
def test_whoever_is_first(name: str) -> None:
    seats = tanistry.info(name).seats[-1]
    check_game(tanistry.game(name, seats=seats, first=seats - 1), matches=2, seed=50, audited=200)


# -- adding a game edits no existing file ---------------------------------------------------------


@pytest.fixture
def heir() -> Iterator[str]:
    tanistry.register(example.INFO)
    yield "heir"
    del registry._registered["heir"]


def test_a_registered_game_is_there_with_everything(heir: str) -> None:
    assert heir in tanistry.games()
    assert tanistry.info(heir).title == {"en": "Heir", "fr": "L'héritier"}
    for options in option_sets(tanistry.info(heir)):
        check_game(tanistry.game(heir, **options), matches=10)
    simulated = tanistry.simulate(tanistry.game(heir), n=1000, seed=1)
    assert (simulated.matches, simulated.steps) == (1000, 8000)
    match = tanistry.game(heir).deal(1)
    assert tanistry.bot("random", seed=1).choose(match) in match.legal()
    assert count_choices(match, 2) == 4 * len(match.legal())  # any card answers any lead
