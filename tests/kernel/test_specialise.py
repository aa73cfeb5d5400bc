"""Algorithms made for each game: the same things given, the same kernels."""

from __future__ import annotations

import numpy as np

import tanistry
from tanistry.kernel import kernel, specialise, unwatched
from tanistry.simulation import audit, playouts
from tanistry.simulation.running import _playouts


def test_the_same_given_is_made_once() -> None:
    game = tanistry.game("claim")
    names = ("deal", "legal", "play", "standing")
    given = {name: unwatched(getattr(game.kernels, name)) for name in names}
    once, again = (specialise(playouts, dict(given), "claim_unwatched") for _ in range(2))
    assert once is again
    assert _playouts(game, "random") is once["playouts"]
    assert _playouts(tanistry.game("claim", first=1), "random") is once["playouts"]


def test_other_arrays_and_other_names_make_others() -> None:
    game = tanistry.game("claim")

    @kernel
    def choose(s: object, moves: object, notes: object, rng: object) -> int:
        return 0

    given = {name: getattr(game.kernels, name) for name in ("deal", "legal", "play", "standing")}
    plain = specialise(playouts, given, "test_one")
    assert specialise(playouts, {**given, "choose": choose}, "test_one") is not plain
    assert specialise(playouts, given, "test_two") is not plain
    tables = [{"ORDERED": np.array(numbers)} for numbers in ([1, 2], [1, 2], [1, 3])]
    one, same, other = (specialise(audit, table, "test_arrays") for table in tables)
    assert one is same
    assert one is not other
