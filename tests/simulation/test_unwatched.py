"""Play without onlookers is the same play: what is left out decides nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.kernel import interpreted, names_used, unwatched
from tanistry.match.game import kernels_of
from tanistry.match.seeds import seed_bytes
from tanistry.simulation.gpu import lean, lean_record
from tanistry.simulation.playouts import random_action
from tanistry.testing import option_sets

MATCHES = 3


def some_option_sets(name: str) -> list[dict[str, Any]]:
    """All of them, or for a game that has many, a dozen from first to last."""
    sets = list(option_sets(tanistry.game(name).info))
    return sets[:: max(1, len(sets) // 12)]


def play_out(game: Any, kernels: Any, s: Any) -> list[int]:
    """The actions of a random match; what is chosen depends on nothing but what is legal."""
    moves, rng = game.new_moves(), np.array([7], np.uint64)
    kernels.deal(s)
    actions = []
    while s.to_act >= 0:
        kernels.legal(s, moves)
        actions.append(int(random_action(moves, rng)))
        kernels.play(s, actions[-1])
    return [*actions, *(int(kernels.standing(s, seat)) for seat in range(game.seats))]


class Interpreted:
    """A game's kernels as plain Python, with or without what is for onlookers."""

    def __init__(self, kernels: Any, onlookers: bool) -> None:
        for name in ("deal", "legal", "play", "standing", "start_stream"):
            function = getattr(kernels, name)
            setattr(self, name, interpreted(function) if onlookers else unwatched(function, False))


@pytest.mark.parametrize("name", tanistry.games())
def test_the_same_actions_and_the_same_end(name: str) -> None:
    """Alone on a record that has only what the device keeps: nothing else is ever touched."""
    for options in some_option_sets(name):
        game = tanistry.game(name, **options)
        kernels = kernels_of(game.definition)
        watched, alone = Interpreted(kernels, True), Interpreted(kernels, False)
        for nonce in range(MATCHES):
            results = []
            key = seed_bytes(11)
            for rules, s in ((watched, game.new_record(key)), (alone, lean_record(game, key)[0])):
                rules.start_stream(s, nonce)
                with np.errstate(over="ignore"):  # arithmetic wraps on purpose
                    results.append(play_out(game, rules, s))
            assert results[0] == results[1], (options, nonce)


@pytest.mark.parametrize("name", tanistry.games())
def test_fields_that_nobody_reads_are_left_out(name: str) -> None:
    definition = tanistry.game(name).definition
    kept = set(lean(definition).names or ())
    assert {"place", "to_act", "decision"} <= kept
    assert "log" not in kept
    assert "scratch" not in kept


def test_names_used_goes_through_all_kernels_but_those_for_onlookers() -> None:
    rules = kernels_of(tanistry.game("claim").definition)
    used = names_used(rules.play)
    assert "finish_trick" in used  # called by play
    assert "slots" in used  # a field that only a kernel called by another touches
    assert "told" not in used  # a field that only events need
