"""The search made for a game: its kernels, and the memory they work in."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.bots import search
from tanistry.bots.search import Desk
from tanistry.kernel import specialise
from tanistry.simulation.policy import new_notes, policy_kernels

if TYPE_CHECKING:
    from tanistry.match import Game, Match


def searcher(game: Game) -> SimpleNamespace:
    """The kernels of `bots.search`, made for a game."""
    names = ("legal", "play", "score", "standing", "resample")
    given = {name: getattr(game.kernels, name) for name in names}
    return SimpleNamespace(**specialise(search, given | vars(policy_kernels(game.info)), game.name))


def new_desk(game: Game, nodes: int) -> Desk:
    """A desk for a game, with room for so many nodes."""
    dtype = game.definition.dtype
    fields: Any = dtype.fields
    used_words = -(-int(fields["log"][1]) // 8)  # nobody is told of events
    record = np.zeros(1, dtype)
    return Desk(
        record=record,
        words=record.view(np.uint64)[:used_words],
        root=np.zeros(used_words, np.uint64),
        nodes=np.zeros(nodes, search.NODE),
        used=np.ones(1, np.int64),
        path=np.zeros(search.LONGEST_PATH, np.int32),
        moves=game.new_moves(),
        untried=game.new_moves(),
        notes=new_notes(),
        values=np.zeros(game.seats + 2),
        wins=np.zeros(len(game.tokens)),
        points=np.zeros(len(game.tokens)),
    )


def set_root(desk: Desk, match: Match, key: bytes) -> None:
    """Begin anew from a (blinded) match, with a stream that only the bot's key settles."""
    desk.record[0] = match._s
    desk.record[0].telling = 0
    match.game.rekey(desk.record[0], key)
    desk.root[:] = desk.words
    desk.nodes[0] = 0
    desk.used[0] = 1
    desk.wins[:] = 0
    desk.points[:] = 0
