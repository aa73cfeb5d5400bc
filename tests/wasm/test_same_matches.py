"""The same matches in WebAssembly as natively: lengths, winners and records, byte for byte."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.bots.desk import new_desk, searcher, set_root
from tanistry.bots.players.ismcts import Settings
from tanistry.match import Game
from tanistry.match.game import kernels_of
from tanistry.match.seeds import fast_seed
from tanistry.simulation.playouts import APART, random_action
from tanistry.table.stream import start_stream
from tests.wasm.conftest import GAMES, Ask

MATCHES = 500
KEY = bytes(range(32))
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "claim": [{}, {"first": 1}],
    "heir": [{}, {"low": True}],
    "kilt": [{"seats": 2}, {"seats": 4, "edition": "8clans"}],
    "lords": [
        {"seats": 3},
        {"seats": 5, "bruce": True, "activation": "lowest", "target": 20},
        {"seats": 2, "edition": "2010", "activation": "clan"},
    ],
    "schotten": [{}, {"tactics": False}, {"claim": "before", "first": 1}],
}
CASES = [(name, options) for name in GAMES for options in SETTINGS.get(name, [{}])]


def digest(memory: Any) -> str:
    return sha256(memory.tobytes()).hexdigest()[:16]


def natively(game: Game, salt: Any) -> list[list[Any]]:
    """Length, winner (−1: shared) and record of each match: step by step, with kernels that other
    tests need as well."""
    rules = kernels_of(game.definition)
    cell = np.zeros(1, game.definition.dtype)
    moves = np.zeros(-(-len(game.tokens) // 64), np.uint64)
    blank, rng = game.new_record(KEY).base, np.zeros(1, np.uint64)
    found = []
    for number in range(MATCHES):
        cell[0] = blank[0]
        s = cell[0]
        start_stream(s, number)
        rng[0] = (int(salt) + number * int(APART)) % (1 << 64)
        rules.deal(s)
        steps = 0
        while s.to_act >= 0:
            rules.legal(s, moves)
            rules.play(s, random_action(moves, rng))
            steps += 1
        standings = [rules.standing(s, seat) for seat in range(s.seats)]
        first = [seat for seat, each in enumerate(standings) if each == max(standings)]
        found.append([steps, first[0] if len(first) == 1 else -1, digest(cell)])
    return found


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_random_matches_are_the_same(name: str, options: dict[str, Any], ask: Ask) -> None:
    game = tanistry.game(name, **options)
    salt = fast_seed(KEY)[0]
    blank = game.new_record(KEY).tobytes().hex()
    theirs = ask("kernels", game, ask="playouts", blank=blank, salt=str(int(salt)), matches=MATCHES)
    for number, (ours, browsers) in enumerate(zip(natively(game, salt), theirs, strict=True)):
        assert ours == browsers, f"match {number}"


@pytest.mark.parametrize("name", GAMES)
def test_a_search_grows_the_same_tree(name: str, ask: Ask) -> None:
    """Node for node: sums of results are floats, so even their last bits agree."""
    game = tanistry.game(name)
    match = game.deal(seed=3)
    while len(match.legal()) < 3:
        match.play(match.legal()[0])
    seat, iterations = match.to_act, 600
    known = match.blind(seat, KEY)
    room = 8 * iterations + 1
    desk, settings, rng = new_desk(game, room), Settings().array(game), fast_seed(KEY)
    set_root(desk, known, KEY)
    theirs = ask(
        "kernels", game, ask="search", root=desk.record.tobytes().hex(), seat=seat, nodes=room,
        iterations=iterations, settings=settings.tolist(), rng=str(int(rng[0])),
    )  # fmt: skip
    searcher(game).search(desk, seat, 0, iterations, settings, rng)
    used = int(desk.used[0])
    assert used > iterations / 2
    assert theirs == [used, digest(desk.nodes[:used])]
