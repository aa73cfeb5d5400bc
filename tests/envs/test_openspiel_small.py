"""Small Claim: the same rules with few cards, and OpenSpiel's tools that walk the whole tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import external_sampling_mccfr, gambit  # noqa: E402

import tanistry  # noqa: E402
import tanistry.envs.openspiel  # noqa: E402
from tanistry.games.claim import small  # noqa: E402
from tanistry.match.game import Game  # noqa: E402

SMALLEST = "tanistry_claim_small(deck=G0+G0+G0+G0+G0+K3+U4+X1)"


@pytest.fixture(scope="module")
def solvable() -> Any:
    """The smallest one as a tree in C++, in which OpenSpiel's tools are fast."""
    return pyspiel.load_efg_game(gambit.export_gambit(pyspiel.load_game(SMALLEST)))


def exploitability(game: Any, policy: Any) -> float:
    return float(pyspiel.exploitability(game, policy))


def test_playing_at_random_can_be_exploited_and_a_solution_cannot(solvable: Any) -> None:
    at_random = exploitability(solvable, pyspiel.UniformRandomPolicy(solvable))
    assert at_random == pytest.approx(5 / 28)
    solver = pyspiel.CFRPlusSolver(solvable)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability(solvable, solver.average_policy()) < at_random / 50


def test_sampled_regrets_lower_it_too(solvable: Any) -> None:
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(solvable)
    for _ in range(300):
        solver.iteration()
    found: dict[str, list[tuple[int, float]]] = {}
    policy = solver.average_policy()

    def walk(state: Any) -> None:
        if not state.is_terminal():
            if not state.is_chance_node():
                key = state.information_state_string()
                found.setdefault(key, list(policy.action_probabilities(state).items()))
            for action in state.legal_actions():
                walk(state.child(action))

    walk(solvable.new_initial_state())
    assert exploitability(solvable, pyspiel.TabularPolicy(found)) < 5 / 28 * 0.8


@pytest.mark.parametrize(("tricks", "deck"), [(2, small.SIZE["deck"]), (13, "all")])
def test_it_is_claim(tricks: int, deck: str) -> None:
    """With all cards and thirteen tricks it is Claim itself; with fewer, every rule holds."""
    claim = tanistry.game("claim")
    cards = "+".join(claim.codes) if deck == "all" else deck
    game = Game(small.definition(tricks, cards), 2, {})
    rng = np.random.RandomState(1)
    for seed in range(20):
        match, whole = game.deal(seed), claim.deal(seed)
        choices = 0
        while match.to_act is not None:
            if deck == "all":
                assert match.view(0)["places"] == whole.view(0)["places"]
                assert match.view(1)["facts"] == whole.view(1)["facts"]
            token = str(rng.choice(match.legal()))
            match.play(token)
            if deck == "all":
                whole.play(token)
            choices += 1
        assert choices == 4 * tricks
        assert match.result is not None
        left_out = 52 - 4 * tricks
        scored = [c for n in (0, 1) for c in match.position()["places"].get(f"score.{n}", [])]
        assert 2 * tricks <= len(scored) <= 52 - left_out
        if deck == "all":
            assert match.result == whole.result
