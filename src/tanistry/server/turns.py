"""Whose turn it is at somebody's tables: those that wait for them first."""

from __future__ import annotations

import logging

import sqlalchemy as sa

from tanistry.server.clocks import now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Data
from tanistry.server.live import Live
from tanistry.server.refusals import Refused
from tanistry.server.rows import sits
from tanistry.server.schema import seats, tables

log = logging.getLogger("tanistry.turns")

MOST = 100
"""Tables that are listed, the newest."""


async def turns(hall: Hall, player: str) -> Data:
    """The matches with others that somebody plays, the most urgent first, and how many wait."""
    now = now_ms()
    found = [_turn(live, player, now) for live in await _playing(hall, player)]
    found.sort(key=lambda turn: (not turn["mine"], turn["left"] is None, turn["left"] or 0))
    return {"now": now, "waiting": sum(turn["mine"] for turn in found), "turns": found}


async def _playing(hall: Hall, player: str) -> list[Live]:
    other = (seats.c.table_id == tables.c.id) & (seats.c.player != player)
    company = sa.exists().where(other, seats.c.kind == "person")
    query = sa.select(tables.c.id).where(tables.c.status == "playing", sits(player), company)
    found = []
    for row in await hall.store.read(query.order_by(tables.c.created.desc()).limit(MOST)):
        try:
            live = await hall.get(row.id)
        except Refused as refusal:  # one that cannot be read hides none of the others
            log.warning("table %s: %s", row.id, refusal.code)
            continue
        seat = live.info.seat_of(player)
        if live.table.to_act is not None and seat is not None and seat not in live.table.resigned:
            found.append(live)
    return found


def _turn(live: Live, player: str, now: int) -> Data:
    table = live.table
    acts = table.to_act
    assert acts is not None
    clocks = table.clocks(now)
    return {
        "table": table.data(player, live.present(), live.watching()),
        "mine": acts == live.info.seat_of(player) and not table.bot_plays(acts),
        "left": clocks["left"][acts] if clocks else None,
    }
