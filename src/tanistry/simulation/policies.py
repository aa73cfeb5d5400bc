"""The policies by which whole matches are played inside a kernel, every seat alike.

random     any legal action, each as likely as the others
greedy     what appeals most to the game's own light policy, if it has one (`policy`)
trained    what the game's network likes best, if it has one (`network`)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tanistry.errors import OptionError
from tanistry.kernel import kernel, specialise, template
from tanistry.simulation.network import Evaluator, hidden, judge, network_of, networks
from tanistry.simulation.observation import observation, observer, variant, write_row
from tanistry.simulation.policy import new_notes, policy_kernels, policy_of
from tanistry.table.bits import EMPTY, ONE, lowest

if TYPE_CHECKING:
    from tanistry.match import Game

RANDOM, GREEDY, TRAINED = POLICIES = ("random", "greedy", "trained")


class Mind(NamedTuple):
    """What a network thinks with: itself, and room for what the seat to act knows."""

    weights: Any
    observed: Any


@kernel
def only_one(moves: Any) -> int:
    """The action of a set that holds no other; −1 if it does."""
    found = -1
    for w in range(moves.shape[0]):
        if moves[w] != EMPTY:
            if found >= 0 or moves[w] & (moves[w] - ONE) != EMPTY:
                return -1
            found = 64 * w + lowest(moves[w])
    return found


@template
def consult(s: Any, moves: Any, mind: Any, rng: Any) -> int:
    """What the network likes best of the actions `moves`; about a single one it is not asked."""
    action = only_one(moves)
    if action < 0:
        write_row(s, int(s.to_act), mind.observed, 0, mind.observed.shape[0])
        hidden(mind.weights, mind.observed)
        action = judge(mind.weights, moves)
    return action


def policies_of(game: Game) -> tuple[str, ...]:
    """Those that can play a game."""
    able = {GREEDY: policy_of(game.info) is not None, TRAINED: game.name in networks()}
    return tuple(policy for policy in POLICIES if able.get(policy, True))


def check_policy(game: Game, policy: object, device: str) -> None:
    """OptionError if the choices of a simulation cannot be made like this."""
    able = policies_of(game)
    if policy not in able:
        if policy == TRAINED:
            network_of(game.name)  # says that there is none
        allowed = ", ".join(able)
        if policy == GREEDY:
            raise OptionError("option/no_policy", game=game.name, value=policy, allowed=allowed)
        raise OptionError("option/value", name="policy", value=policy, allowed=allowed)
    if device == "cuda" and policy != RANDOM:
        raise OptionError("option/policy_on_gpu", value=policy, allowed=RANDOM)


def choosing(game: Game, policy: str) -> tuple[dict[str, Any], str]:
    """What to give templates that `choose` by a policy, and the name of their copies."""
    if policy == GREEDY:
        return {"choose": policy_kernels(game.info).advise}, f"{game.name}_greedy"
    if policy == TRAINED:
        given = {"write_row": observer(game, insights=True).kernels["write_row"]}
        name = f"{variant(game)}_trained"
        return {"choose": specialise(sys.modules[__name__], given, name)["consult"]}, name
    return {}, game.name


def new_thoughts(game: Game, policy: str, margin: int) -> Any:
    """What a policy notes while it chooses, for one thread; no other writes within the margin."""
    if policy != TRAINED:
        return new_notes(margin)
    evaluator = Evaluator(network_of(game.name), game)
    return Mind(evaluator.weights, np.zeros(observation(game, insights=True).size, np.uint8))
