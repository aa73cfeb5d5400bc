"""The search made for a game: its kernels, and the memory they work in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.bots import search
from tanistry.kernel import specialise
from tanistry.simulation.policy import new_notes, policy_kernels

if TYPE_CHECKING:
    from tanistry.match import Game


def searcher(game: Game) -> SimpleNamespace:
    """The kernels of `bots.search`, made for a game."""
    names = ("legal", "play", "score", "standing", "resample")
    given = {name: getattr(game.kernels, name) for name in names}
    return SimpleNamespace(**specialise(search, given | vars(policy_kernels(game.info)), game.name))


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
        self.notes = new_notes()
        self.values = np.zeros(game.seats + 2)
        self.wins = np.zeros(len(game.tokens))
        self.points = np.zeros(len(game.tokens))

    def set_root(self, s: Any, key: bytes, game: Game) -> None:
        """Begin anew from a (blinded) record, with a stream that only the bot's key settles."""
        self.record[0] = s
        self.record[0].telling = 0
        game.rekey(self.record[0], key)
        self.root[:] = self.words
        self.nodes[0] = 0
        self.used[0] = 1
        self.wins[:] = 0
        self.points[:] = 0
