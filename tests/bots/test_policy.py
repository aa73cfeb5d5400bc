"""A game's own policy: always one of the actions it is offered, and nothing else in the record."""

from __future__ import annotations

import random

import pytest

import tanistry
from tanistry.match.seeds import fast_seed
from tanistry.simulation.policy import new_notes, policy_kernels, policy_of
from tanistry.table.bits import members

GAMES = [name for name in sorted(tanistry.games()) if policy_of(tanistry.info(name))]


@pytest.mark.parametrize("name", GAMES)
def test_advice_is_one_of_the_choices(name: str) -> None:
    """Offered all legal actions, or any part of them, as the search does with the untried ones."""
    chooser, rng, notes = random.Random(1), fast_seed(1), new_notes()
    for seats in tanistry.info(name).seats:
        game = tanistry.game(name, seats=seats)
        advise = policy_kernels(game.info).advise
        match = game.deal(seed=seats)
        while match.to_act is not None:
            legal = match.legal_actions()
            for part in (legal, chooser.sample(legal, chooser.randint(1, len(legal)))):
                moves = game.new_moves()
                for action in part:
                    moves[action >> 6] |= moves.dtype.type(1 << (action & 63))
                before = match._s.tobytes()
                assert advise(match._s, moves, notes, rng) in part
                assert match._s.tobytes() == before
                assert members(moves) == sorted(part)
            match.play(game.tokens[chooser.choice(legal)])


@pytest.mark.parametrize("name", GAMES)
def test_a_shortcut_is_legal_too(name: str) -> None:
    policy = policy_of(tanistry.info(name))
    improvise = getattr(policy, "improvise", None)
    if improvise is None:
        pytest.skip("has none")
    game, rng = tanistry.game(name), fast_seed(2)
    match = game.deal(seed=3)
    while match.to_act is not None:
        moves = game.new_moves()
        game.kernels.legal(match._s, moves)
        action = int(improvise(match._s, moves, rng))
        assert action in members(moves)
        match.play(game.tokens[action])


@pytest.mark.parametrize("name", GAMES)
def test_settings_are_sensible(name: str) -> None:
    policy = policy_of(tanistry.info(name))
    assert 0 <= policy.GUIDED <= 100  # type: ignore[union-attr]
    assert policy.WIDENING >= 0  # type: ignore[union-attr]
