"""Clubs: people who play among themselves, and whose leaders start tournaments for them.

Whoever has a club's link may join. Somebody always leads: if the last leader goes, whoever has been
in it longest does; and with its last member a club is gone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.acts import CONSOLE, Actor, noted
from tanistry.server.clocks import now_ms
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.rows import is_id, new_id, picked
from tanistry.server.schema import club_members, clubs, entrants, players, tournaments
from tanistry.server.store import Store

MOST_MEMBERS = 200
"""People in one club."""
MOST_CLUBS = 20
"""Clubs one person may be in."""
SHOWN = 200
"""Clubs in a list."""


@dataclass(frozen=True)
class Club:
    """A club and everybody in it: those who lead it first, then by who came first."""

    row: Any
    members: list[Any]

    def part_of(self, player: str | None) -> str | None:
        """What somebody is in it."""
        return _part(next((one for one in self.members if one.player == player), None))


def _part(member: Any) -> str | None:
    return member and ("leader" if member.leader else "member")


# -- reading --------------------------------------------------------------------------------------


async def load(store: Store, id: str) -> Club:
    row = await store.first(sa.select(clubs).where(clubs.c.id == id)) if is_id(id) else None
    if row is None:
        raise Refused("club/unknown")
    query = sa.select(club_members, players.c.name).join_from(club_members, players)
    order = club_members.c.leader.desc(), club_members.c.at, club_members.c.player
    found = await store.read(query.where(club_members.c.club_id == id).order_by(*order))
    return Club(row, list(found))


async def part_of(store: Store, id: str, player: str) -> str | None:
    """What somebody is in a club: a leader, a member, or nothing."""
    return _part(await store.first(sa.select(club_members).where(_member(id, player))))


async def leaders(store: Store, id: str) -> set[str]:
    """Who leads a club; nobody, if it is no more."""
    those = (club_members.c.club_id == id) & club_members.c.leader
    return {row.player for row in await store.read(sa.select(club_members.c.player).where(those))}


def of(player: str) -> Any:
    """The clubs of a person, as a part of other questions."""
    return sa.select(club_members.c.club_id).where(club_members.c.player == player)


async def listed(store: Store, player: str, everything: bool = False) -> list[Data]:
    """The clubs of a person, or all there are, by name."""
    mine = (club_members.c.club_id == clubs.c.id) & (club_members.c.player == player)
    all_of_it = club_members.alias()
    count = sa.select(sa.func.count()).where(all_of_it.c.club_id == clubs.c.id)
    query = sa.select(clubs, count.scalar_subquery().label("count"), club_members.c.leader)
    query = query.outerjoin_from(clubs, club_members, mine)
    if not everything:
        query = query.where(club_members.c.leader.is_not(None))
    rows = await store.read(query.order_by(clubs.c.name, clubs.c.id).limit(SHOWN))
    part = {None: None, True: "leader", False: "member"}
    return [picked(row, ("id", "name", "count")) | {"you": part[row.leader]} for row in rows]


def describe(club: Club, me: Any, leads: bool) -> Data:
    """A club as somebody may know it: who is in it is for those who are, its link for leaders."""
    part = club.part_of(me.id if me else None)
    shown = club.members if part or leads else []
    return {
        "id": club.row.id,
        "name": club.row.name,
        "created": club.row.created,
        "count": len(club.members),
        "you": part,
        "leads": leads,
        "key": club.row.key if leads else None,
        "members": [picked(one, ("player", "name", "leader", "at")) for one in shown],
    }


# -- deciding -------------------------------------------------------------------------------------


Change = Callable[[AsyncConnection, Any], Awaitable[None]]
"""What is done about a club whose row is held."""


async def found(store: Store, name: str, player: str | None) -> str:
    """A new club, led by who founds it; at the console by nobody yet. Its id."""
    id = new_id()
    values = {"id": id, "name": name, "key": new_id(), "created": now_ms()}

    async def body(connection: AsyncConnection) -> None:
        await connection.execute(sa.insert(clubs).values(**values))
        if player is not None:
            await _add(connection, id, player)
        else:
            await connection.execute(noted(CONSOLE, "club", club=name))

    await store.transaction(body)
    return id


async def _change(
    store: Store, id: str, do: Change, by: Actor | None = None, act: str = "", **about: Any
) -> None:
    """Change a club, one change after the other; `by`: who does so without leading it, which is
    written down."""

    async def body(connection: AsyncConnection) -> None:
        held = sa.select(clubs).where(clubs.c.id == id).with_for_update()
        row = (await connection.execute(held)).first()
        if row is None:
            raise Refused("club/unknown")
        await do(connection, row)
        if by is not None:
            await connection.execute(noted(by, act, club=row.name, **about))

    await store.transaction(body)


async def _add(connection: AsyncConnection, id: str, player: str) -> None:
    of_person = sa.select(sa.func.count()).where(club_members.c.player == player)
    if await connection.scalar(of_person) >= MOST_CLUBS:  # type: ignore[operator]
        raise Refused("club/many", most=MOST_CLUBS)
    values = {"club_id": id, "player": player, "leader": False, "at": now_ms()}
    await connection.execute(sa.insert(club_members).values(**values))
    await settle(connection, id)


async def join(store: Store, id: str, key: str, player: str) -> None:
    """Somebody comes by the link; who is in it already stays what they are."""

    async def do(connection: AsyncConnection, row: Any) -> None:
        inside = sa.select(club_members.c.player).where(club_members.c.club_id == id)
        found = set((await connection.execute(inside)).scalars())
        if player in found:
            return
        if key != row.key:
            raise Refused("club/link")
        if len(found) >= MOST_MEMBERS:
            raise Refused("club/full", most=MOST_MEMBERS)
        await _add(connection, id, player)

    await _change(store, id, do)


def _member(id: str, player: str) -> Any:
    return (club_members.c.club_id == id) & (club_members.c.player == player)


async def leave(store: Store, id: str, player: str) -> None:
    """Somebody is in it no longer, nor in what it plays."""

    async def do(connection: AsyncConnection, _row: Any) -> None:
        await _leave_tournaments(connection, id, player)
        await _touch(connection, id, sa.delete(club_members).where(_member(id, player)))

    await _change(store, id, do)


async def remove(store: Store, id: str, player: str, by: Actor | None) -> None:
    """Put somebody out, of what it plays too; the link they know is good no more."""

    async def do(connection: AsyncConnection, _row: Any) -> None:
        await _leave_tournaments(connection, id, player, removed=True)
        await _touch(connection, id, sa.delete(club_members).where(_member(id, player)))
        await connection.execute(sa.update(clubs).where(clubs.c.id == id).values(key=new_id()))

    await _change(store, id, do, by, "club-remove", player=player)


async def _leave_tournaments(
    connection: AsyncConnection, id: str, player: str, **more: bool
) -> None:
    """What a club plays is for its members: who goes is not paired any more, as if they had left
    each tournament; with `removed`, as if they had been put out of it."""
    inside = sa.select(entrants.c.tournament_id).where(entrants.c.player == player)
    own = (tournaments.c.club == id) & tournaments.c.id.in_(inside)
    mine = entrants.c.player == player
    changes: dict[str, Any] = {
        "open": sa.delete(entrants),
        "playing": sa.update(entrants).values(here=False, **more),
    }
    for status, change in changes.items():
        those = own & (tournaments.c.status == status)
        ids = list((await connection.execute(sa.select(tournaments.c.id).where(those))).scalars())
        newer = {"revision": tournaments.c.revision + 1}  # who decides now has to look again
        at = sa.update(tournaments).where(tournaments.c.id.in_(ids))
        await connection.execute(at.values(**newer))
        await connection.execute(change.where(mine, entrants.c.tournament_id.in_(ids)))


async def set_leader(store: Store, id: str, player: str, leader: bool, by: Actor | None) -> None:
    """Let a member lead, or no longer."""

    async def do(connection: AsyncConnection, _row: Any) -> None:
        change = sa.update(club_members).where(_member(id, player))
        others = sa.select(club_members.c.player).where(
            club_members.c.club_id == id, club_members.c.leader, club_members.c.player != player
        )
        if not leader and (await connection.execute(others)).first() is None:
            raise Refused("club/last-leader")
        await _touch(connection, id, change.values(leader=leader))

    await _change(store, id, do, by, "club-lead", player=player, leader=leader)


async def _touch(connection: AsyncConnection, id: str, member: Any) -> None:
    """Change what somebody is in a club, or that they are."""
    if (await connection.execute(member)).rowcount != 1:
        raise Refused("club/nobody")
    await settle(connection, id)


async def edit(store: Store, id: str, name: str | None, new_key: bool, by: Actor | None) -> None:
    """Another name, another link, or both."""
    values: Data = {"key": new_id()} if new_key else {}
    values |= {"name": name} if name is not None else {}

    async def do(connection: AsyncConnection, _row: Any) -> None:
        if values:
            await connection.execute(sa.update(clubs).where(clubs.c.id == id).values(**values))

    await _change(store, id, do, by, "club-name", name=values.get("name"))


async def dissolve(store: Store, id: str, by: Actor | None) -> None:
    """The club is gone; what is played in its name goes on, what is only announced does not."""

    async def do(connection: AsyncConnection, _row: Any) -> None:
        await connection.execute(sa.delete(club_members).where(club_members.c.club_id == id))
        await settle(connection, id)

    await _change(store, id, do, by, "club-end")


async def settle(connection: AsyncConnection, id: str) -> None:
    """After somebody has come or gone: somebody leads it, or it is no more."""
    here = club_members.c.club_id == id
    order = club_members.c.leader.desc(), club_members.c.at, club_members.c.player
    first = (
        await connection.execute(sa.select(club_members).where(here).order_by(*order).limit(1))
    ).first()
    if first is None:
        announced = (tournaments.c.club == id) & (tournaments.c.status == "open")
        over = {"status": "cancelled", "ended": now_ms(), "revision": tournaments.c.revision + 1}
        await connection.execute(sa.update(tournaments).where(announced).values(**over))
        await connection.execute(sa.delete(clubs).where(clubs.c.id == id))
    elif not first.leader:
        lead = sa.update(club_members).where(_member(id, first.player)).values(leader=True)
        await connection.execute(lead)
