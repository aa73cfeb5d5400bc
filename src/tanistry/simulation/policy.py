"""A game's own light policy, if it has one, made ready for play.

A game may have a file `policy.py` with

    appeal(s, action, seat, notes)   a kernel: how much the seat to act likes one of its actions;
                            it uses nothing that the seat does not know
    prepare(s, seat, notes, rng)   called before the actions of a choice are compared, if it is
                            there: notes (a few integers) what their appeals share
    improvise(s, moves, rng)   one of the actions `moves` (words), rougher and quicker than the
                            most appealing one, for simulated play; may be left out
    GUIDED                  how many percent of the choices in simulated play they make (0: none)
    WIDENING                how many choices the search considers at a point of the tree, in the
                            order of the policy, per square root of the visits there (0: all)
    BUDGETS                 {level: iterations} where `ismcts` plays it with other budgets

`greedy` plays by it; `ismcts` takes part of its simulated choices from it, where that was measured
to be better. Without the file both go without.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tanistry.kernel import kernel, specialise, template
from tanistry.table.bits import EMPTY, ONE, lowest
from tanistry.table.stream import fast_below

if TYPE_CHECKING:
    from tanistry.games.contract import GameInfo

NOTES = 64
"""Room for what a policy notes while it compares the actions of one choice."""


@kernel
def prepare(s: Any, seat: int, notes: Any, rng: Any) -> None:
    """Note what the appeals of one choice share; without a policy, nothing."""


@kernel
def appeal(s: Any, action: int, seat: int, notes: Any) -> int:
    """How a game's policy likes an action; without a policy all are alike."""
    return 0


@kernel
def improvise(s: Any, moves: Any, rng: Any) -> int:
    """A rougher and quicker way to choose; a game's policy may have one. −1: it has none."""
    return -1


@template
def advise(s: Any, moves: Any, notes: Any, rng: Any) -> int:
    """The most appealing of the actions `moves` to the seat to act; of equals, any."""
    seat = int(s.to_act)
    prepare(s, seat, notes, rng)
    best = -1
    best_appeal = 0
    equals = 0
    for w in range(moves.shape[0]):
        rest = moves[w]
        while rest != EMPTY:
            action = 64 * w + lowest(rest)
            rest &= rest - ONE
            liking = appeal(s, action, seat, notes)
            if best < 0 or liking > best_appeal:
                best, best_appeal, equals = action, liking, 1
            elif liking == best_appeal:
                equals += 1
                if fast_below(rng, equals) == 0:
                    best = action
    return best


@cache
def policy_of(info: GameInfo) -> ModuleType | None:
    """The game's `policy` module, None if it has none."""
    name = f"{info.package}.policy"
    return import_module(name) if find_spec(name) else None


def policy_kernels(info: GameInfo) -> SimpleNamespace:
    """`advise` and `improvise` of a game; without a policy of its own, those that know nothing."""
    policy, default = policy_of(info), sys.modules[__name__]
    own = {name: getattr(policy, name, getattr(default, name)) for name in _KERNELS}
    return SimpleNamespace(**specialise(default, own, info.name), improvise=own["improvise"])


_KERNELS = ("prepare", "appeal", "improvise")


def new_notes(margin: int = 0) -> NDArray[np.int32]:
    """Notes for a policy, with room before and after them that nothing else is written to."""
    return np.zeros(NOTES + 2 * margin, np.int32)[margin : margin + NOTES]
