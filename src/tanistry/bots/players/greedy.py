"""The bot that looks one choice ahead.

It plays by the game's own light policy (`policy.py` in the game's folder). For a game without one
it tries every legal token a few times, each on a fresh deal of the unknown played out at random,
and takes the one that did best.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.bots import check_settings
from tanistry.bots.players.ismcts import Settings
from tanistry.bots.policy import Desk, policy_of, searcher
from tanistry.bots.search import NOTES
from tanistry.errors import IllegalMove
from tanistry.match.game import fast_seed, seed_bytes

if TYPE_CHECKING:
    from tanistry.match import Match

LEVELS: tuple[int, ...] = ()
DEFAULT = None
VERSION = 1

TRIALS = 16
"""How often a token is tried when the game has no policy."""


def make(_level: int | None, seed: int | bytes | None, **settings: Any) -> GreedyBot:
    check_settings("greedy", settings, ())
    return GreedyBot(seed)


class GreedyBot:
    """Takes what looks best at once."""

    name = "greedy"

    def __init__(self, seed: int | bytes | None = None) -> None:
        self._key = hashlib.sha256(b"greedy" + seed_bytes(seed)).digest()

    def choose(self, match: Match) -> str:
        if match.to_act is None:
            raise IllegalMove("move/over", token="", rule="common.illegal")
        self._key = hashlib.sha256(self._key).digest()
        known = match.blind(match.to_act, self._key)
        rng = fast_seed(self._key)
        if policy_of(match.game.info) is None:
            return _try_all(known, rng)
        moves, notes = match.game.new_moves(), np.zeros(NOTES, np.int32)
        known.game.kernels.legal(known._s, moves)
        action = searcher(match.game).advise(known._s, moves, notes, rng)
        return match.game.tokens[int(action)]


def _try_all(known: Match, rng: Any) -> str:
    game = known.game
    actions = np.array(known.legal_actions())
    totals = np.zeros(len(actions))
    desk = Desk(game, 1)
    desk.set_root(known._s)
    searcher(game).rank_actions(
        desk.record, desk.words, desk.root, int(known._s.to_act), TRIALS,
        Settings().array(game), actions, totals, desk.moves, desk.notes, desk.values, rng,
    )  # fmt: skip
    return game.tokens[int(actions[int(totals.argmax())])]
