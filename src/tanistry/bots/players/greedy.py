"""The bot that looks one choice ahead.

It plays by the game's own light policy (`policy.py` in the game's folder). For a game without one
it tries every legal token a few times, each on a fresh deal of the unknown played out at random,
and takes the one that did best.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.bots.desk import new_desk, searcher, set_root
from tanistry.bots.imagining import legal_set
from tanistry.bots.players.ismcts import Settings
from tanistry.match.seeds import fast_seed
from tanistry.simulation.policy import new_notes, policy_kernels, policy_of

if TYPE_CHECKING:
    from tanistry.match import Match

TRIALS = 16
"""How often a token is tried when the game has no policy."""


class GreedyBot:
    """Takes what looks best at once."""

    version = 1

    def __init__(self, *, seed: bytes) -> None:
        self._key = hashlib.sha256(b"greedy" + seed).digest()

    def choose(self, match: Match) -> str:
        self._key = hashlib.sha256(self._key).digest()
        rng = fast_seed(self._key)
        if policy_of(match.game.info) is None:
            return _try_all(match, self._key, rng)
        advise = policy_kernels(match.game.info).advise
        action = advise(match._s, legal_set(match), new_notes(), rng)
        return match.game.tokens[int(action)]


def _try_all(match: Match, key: bytes, rng: Any) -> str:
    game = match.game
    actions = np.array(match.legal_actions())
    totals = np.zeros(len(actions))
    desk = new_desk(game, 1)
    set_root(desk, match, hashlib.sha256(b"blind" + key).digest())
    seat, settings = int(match._s.to_act), Settings().array(game)
    searcher(game).rank_actions(desk, seat, TRIALS, settings, actions, totals, rng)
    return game.tokens[int(actions[int(totals.argmax())])]


BOT = GreedyBot
