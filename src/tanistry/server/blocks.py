"""Who wants nothing to do with whom: two who are kept apart neither talk to nor sit with nor watch
each other, whichever of them said so."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import orjson
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from tanistry.server.clocks import now_ms
from tanistry.server.info import Info, Seat
from tanistry.server.live import Live
from tanistry.server.refusals import Refused
from tanistry.server.rows import in_parts, sits
from tanistry.server.schema import blocks, players, tables
from tanistry.server.store import Store

if TYPE_CHECKING:
    from tanistry.server.hall import Hall

MOST = 500
"""People one person may block."""


async def apart(store: Store, player: str) -> set[str]:
    """With whom somebody is kept apart."""
    return (await all_apart(store, [player]))[player]


async def all_apart(store: Store, people: Collection[str]) -> dict[str, set[str]]:
    """The same for many at once."""
    found: dict[str, set[str]] = {player: set() for player in people}
    for part in in_parts(found):
        either = blocks.c.player.in_(part) | blocks.c.blocked.in_(part)
        query = sa.select(blocks.c.player, blocks.c.blocked).where(either)
        for one, other in await store.read(query):
            for player, kept_from in ((one, other), (other, one)):
                if player in found:
                    found[player].add(kept_from)
    return found


def check(info: Info, player: str, others: Collection[str]) -> None:
    """Refuse somebody who would meet a person there with whom they are kept apart."""
    if info.seat_of(player) is None and any(held.player in others for held in info.seats):
        raise Refused("table/apart")


async def check_look(store: Store, info: Info, player: str | None) -> None:
    """The same for somebody who only wants to look."""
    if player is not None and info.seat_of(player) is None:
        check(info, player, await apart(store, player))


async def blocked_by(store: Store, player: str) -> list[Any]:
    """Those whom somebody has blocked, the latest first."""
    query = sa.select(players.c.id, players.c.name).join_from(
        blocks, players, players.c.id == blocks.c.blocked
    )
    return list(
        await store.read(query.where(blocks.c.player == player).order_by(blocks.c.at.desc()))
    )


async def block(hall: Hall, player: str, other: str) -> None:
    """From now on these two do not meet; a match that they play together goes on."""
    if player == other or await hall.store.player(other) is None:
        raise Refused("player/unknown")
    if len(await blocked_by(hall.store, player)) >= MOST:
        raise Refused("player/blocked")
    with suppress(IntegrityError):  # blocked already
        await hall.store.execute(
            sa.insert(blocks).values(player=player, blocked=other, at=now_ms())
        )
    for id in await _both_wait(hall.store, player, other):
        await _part(await hall.get(id), hall, player, other)
    part_watchers(hall, player, other)
    hall.sync.bus.publish(apart=[player, other])


async def unblock(hall: Hall, player: str, other: str) -> None:
    """They may meet again, and find each other listed."""
    where = (blocks.c.player == player) & (blocks.c.blocked == other)
    await hall.store.execute(sa.delete(blocks).where(where))
    hall.lobby.changed()
    hall.sync.bus.publish(lobby=True)


async def _both_wait(store: Store, *two: str) -> list[str]:
    """Tables at which both sit and nothing has begun; those of a tournament are not theirs to leave
    (who does not come to one loses)."""
    waits = (tables.c.status == "waiting") & tables.c.tournament.is_(None)
    query = sa.select(tables.c.id).where(waits, *map(sits, two))
    return [row.id for row in await store.read(query)]


async def _part(live: Live, hall: Hall, player: str, other: str) -> None:
    """One of the two stands up: whoever was blocked, unless it is their table. Those whom the
    server brought together both look for somebody else."""

    def edit(info: Info) -> None:
        if info.paired and info.status == "waiting":
            info.close(now_ms())
            return
        leaves = player if info.host == other else other
        for held in info.seats:
            if held.player == leaves and info.status == "waiting":
                info.seats[held.seat] = Seat(held.seat)

    async with live.lock:
        await hall.change(live, edit)
        hall.tell(live)


def part_watchers(hall: Hall, *two: str) -> None:
    """Whoever of the two watches a table of the other's does so no longer, nor finds it listed."""
    hall.lobby.changed()
    for live in list(hall.registry.live.values()):
        sitting = {held.player for held in live.info.seats}
        for who, seat in list(live.watchers.items()):
            if seat is None and who.player in two and sitting & (set(two) - {who.player}):
                hall.depart(live, who)
                refusal = {"type": "refused", "table": live.info.id}
                who.send(orjson.dumps(refusal | Refused("table/apart").data()))
