"""A game's own light policy, if it has one, and the kernels of the search made for a game.

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

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.bots import search
from tanistry.kernel import specialise
from tanistry.simulation.playouts import random_action
from tanistry.table.stream import start_stream

if TYPE_CHECKING:
    from tanistry.games.contract import GameInfo
    from tanistry.match import Game


@cache
def policy_of(info: GameInfo) -> ModuleType | None:
    """The game's `policy` module, None if it has none."""
    name = f"{info.package}.policy"
    return import_module(name) if find_spec(name) else None


def guided(info: GameInfo) -> int:
    """How many percent of the choices in simulated play the game's policy makes."""
    return int(getattr(policy_of(info), "GUIDED", 0))


def widening(info: GameInfo) -> float:
    """How many choices a search considers per square root of the visits; 0: all of them."""
    return float(getattr(policy_of(info), "WIDENING", 0))


def budgets(info: GameInfo) -> Mapping[int, int]:
    """The iterations of those levels that play this game with a budget of its own."""
    found: Mapping[int, int] = getattr(policy_of(info), "BUDGETS", {})
    return found


@cache
def _searcher(info: GameInfo, rules: int, given: tuple[tuple[str, Any], ...]) -> SimpleNamespace:
    return SimpleNamespace(**specialise(search, dict(given), info.name))


def searcher(game: Game) -> SimpleNamespace:
    """The kernels of `bots.search`, made for a game."""
    kernels = vars(game.kernels)
    names = ("legal", "play", "score", "standing", "resample")
    given = [(name, kernels[name]) for name in names]
    given += [("random_action", random_action), ("start_stream", start_stream)]
    policy = policy_of(game.info)
    for name in ("prepare", "appeal", "improvise"):
        if hasattr(policy, name):
            given.append((name, getattr(policy, name)))
    return _searcher(game.info, id(game.definition.rules), tuple(given))


class Desk:
    """The memory a search works in, for one game: allocated once, used again and again.

    Not to be shared by bots that think at the same time.
    """

    def __init__(self, game: Game, nodes: int) -> None:
        dtype = game.definition.dtype
        fields: Any = dtype.fields
        self.used_words = -(-int(fields["log"][1]) // 8)
        self.record = np.zeros(1, dtype)
        self.words = self.record.view(np.uint64)[: self.used_words]
        self.root = np.zeros(self.used_words, np.uint64)
        self.nodes = np.zeros(nodes, search.NODE)
        self.used = np.ones(1, np.int64)
        self.path = np.zeros(search.LONGEST_PATH, np.int32)
        self.moves = game.new_moves()
        self.untried = game.new_moves()
        self.notes = np.zeros(search.NOTES, np.int32)
        self.values = np.zeros(game.seats + 2)
        self.wins = np.zeros(len(game.tokens))
        self.points = np.zeros(len(game.tokens))

    def set_root(self, s: Any) -> None:
        """Begin anew from a (blinded) record."""
        self.record[0] = s
        self.record[0].telling = 0
        self.root[:] = self.words
        self.nodes[0] = 0
        self.used[0] = 1
        self.wins[:] = 0
        self.points[:] = 0
