"""Tables that wait for their match: it begins when everybody has said so and is here, not before.

Whoever is ready but gone is waited for; where a clock would run, they are ready no longer after a
while. That is looked at when somebody says so or comes, and every few seconds, whatever happened
meanwhile: a restart, another worker that was killed, a database that was away.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from tanistry.server.background import guarded
from tanistry.server.clocks import now_ms
from tanistry.server.info import Info
from tanistry.server.live import Live
from tanistry.server.refusals import Refused

if TYPE_CHECKING:
    from tanistry.server.hall import Hall

log = logging.getLogger("tanistry.waiting")

READY = 10.0
"""Seconds for which somebody who is gone is still ready for a match with a running clock."""
LOOK = 2.5
"""Seconds between looks."""


async def begin_if_all_agree(hall: Hall, live: Live) -> bool:
    """Begin the match if nothing is in its way; call with the table's lock held."""

    def edit(info: Info) -> None:
        if not _all_agree(live, info):
            raise Refused("table/not-ready")  # another worker has changed it meanwhile
        info.begin(now_ms())

    if not _all_agree(live, live.info):
        return False
    try:
        await hall.change(live, edit)
    except Refused as refusal:  # what was said is stored, and looked at again soon
        log.warning("table %s does not begin yet: %s", live.info.id, refusal.code)
        return False
    hall.begin(live)
    return True


def _all_agree(live: Live, info: Info) -> bool:
    """Where nobody sits but bots, it is the host who starts."""
    return bool(info.persons) and live.may_begin(info)


async def forget_absent(hall: Hall, live: Live) -> None:
    """Who stays away is ready no longer where a clock would run."""

    def edit(info: Info) -> None:
        if info.status != "waiting":
            raise Refused("table/started")
        for seat in _absent(live):
            info.seats[seat].ready = False

    if _absent(live):
        async with live.lock:
            await hall.change(live, edit)
            hall.tell(live)


def _absent(live: Live) -> list[int]:
    """Seats of those who are ready, and have been away for too long."""
    if live.info.status != "waiting" or live.info.clock.kind != "fischer":
        return []
    ready = [held.seat for held in live.info.persons if held.ready]
    return [seat for seat in ready if live.away(seat) >= READY]


async def look(hall: Hall, live: Live) -> None:
    """Somebody may have come, or gone."""
    with guarded(f"waiting table {live.info.id}"):
        await forget_absent(hall, live)
        if _all_agree(live, live.info):
            async with live.lock:
                await begin_if_all_agree(hall, live)


async def look_around(hall: Hall) -> None:
    for live in [live for live in hall.registry.live.values() if live.info.status == "waiting"]:
        await look(hall, live)
