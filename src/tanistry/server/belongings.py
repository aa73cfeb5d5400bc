"""What the server keeps of a person: handed over, handed out, or taken away.

A match belongs to all who played it: it stays when one of them goes, without their name.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import clubs
from tanistry.server.info import Data
from tanistry.server.rows import newer, picked
from tanistry.server.schema import (
    blocks,
    club_members,
    entrants,
    letters,
    players,
    pushes,
    puzzle_tries,
    rating_changes,
    ratings,
    reports,
    sanctions,
    seats,
    seeks,
    sessions,
    tables,
    talk,
    tournaments,
)
from tanistry.server.store import Store

NOBODY = "—"
"""What is shown instead of a name that is gone."""
TRACES = (
    talk.c.player,
    blocks.c.player,
    blocks.c.blocked,
    reports.c.player,
    reports.c.by,
    sanctions.c.player,
    entrants.c.player,
    tournaments.c.host,
    club_members.c.player,
)
"""Who is in one of these is not forgotten."""
FREE: Data = {"kind": "open", "player": None, "name": "", "ready": False, "nonce": None}
"""A seat that nobody has."""
OWNED = (sessions, pushes, letters, ratings, rating_changes, puzzle_tries, blocks, seeks)
"""What belongs to one person, and goes with them."""


async def adopt(connection: AsyncConnection, guest: str, account: str) -> None:
    """A guest has become an account: what they said and whom they blocked goes along, and so does
    what is held against them."""
    for mine, other in ((blocks.c.player, blocks.c.blocked), (blocks.c.blocked, blocks.c.player)):
        there = sa.select(other).where(mine == account)
        same = (mine == guest) & (other.in_(there) | (other == account))
        await connection.execute(sa.delete(blocks).where(same))
    played = sa.select(entrants.c.tournament_id).where(entrants.c.player == account)
    twice = (entrants.c.player == guest) & entrants.c.tournament_id.in_(played)
    await connection.execute(sa.update(entrants).where(twice).values(player=None, here=False))
    await _join_clubs(connection, guest, account)
    for column in (*TRACES, pushes.c.player):
        moved = sa.update(column.table).where(column == guest)
        await connection.execute(moved.values({column.name: account}))
    held = (await connection.execute(sa.select(players).where(players.c.id == guest))).first()
    for name in ("muted", "banned"):
        if until := getattr(held, name, None):
            same_person = players.c.id == account
            longer = sa.func.coalesce(players.c[name], 0) < until
            change = sa.update(players).where(same_person, longer).values({name: until})
            await connection.execute(change)


async def _join_clubs(connection: AsyncConnection, guest: str, account: str) -> None:
    """Where both are in a club, what the guest may do there the account may."""
    leads = sa.select(club_members.c.club_id).where(
        club_members.c.player == guest, club_members.c.leader
    )
    same = (club_members.c.player == account) & club_members.c.club_id.in_(leads)
    await connection.execute(sa.update(club_members).where(same).values(leader=True))
    twice = (club_members.c.player == guest) & club_members.c.club_id.in_(clubs.of(account))
    await connection.execute(sa.delete(club_members).where(twice))


# -- everything, for whom it is about -------------------------------------------------------------


OWN = ("id", "name", "login", "mail", "turn_mail", "created", "role")
KEPT = {
    "devices": (sessions.c.player, ("device", "created", "seen")),
    "pushes": (pushes.c.player, ("endpoint", "lang", "at")),
    "puzzles": (puzzle_tries.c.player, ("game", "puzzle", "solved", "at")),
    "chat": (talk.c.player, ("table_id", "n", "at", "kind", "text")),
    "blocked": (blocks.c.player, ("blocked", "at")),
    "reports": (reports.c.by, ("player", "table_id", "why", "note", "at")),
    "sanctions": (sanctions.c.player, ("kind", "reason", "at", "until")),
    "tournaments": (entrants.c.player, ("tournament_id", "at")),
    "clubs": (club_members.c.player, ("club_id", "leader", "at")),
}
"""What else is kept of a person: by which column, and what they are told of it."""


async def everything(store: Store, row: Any) -> Data:
    """All that is kept of somebody, as plain data."""
    account = picked(row, OWN) | {"ratings": await store.ratings_of(row.id)}
    found: Data = {"account": account, "matches": await _matches(store, row.id)}
    for kind, (owner, names) in KEPT.items():
        query = sa.select(*(owner.table.c[name] for name in names)).where(owner == row.id)
        found[kind] = [picked(one, names) for one in await store.read(query)]
    return found


async def _matches(store: Store, player: str) -> list[Data]:
    """Where somebody sat; of a match that is over, its record can be asked for."""
    names = ("id", "game", "options", "status", "rated", "created", "started", "ended", "result")
    columns = [tables.c[name] for name in names]
    query = sa.select(*columns, seats.c.seat).join_from(seats, tables)
    mine = query.where(seats.c.player == player).order_by(tables.c.created)
    found = [dict(zip((*names, "seat"), row, strict=True)) for row in await store.read(mine)]
    for match in found:
        over = match["status"] == "over"
        match["record"] = f"/api/v1/tables/{match['id']}/record" if over else None
    return found


# -- nothing any more -----------------------------------------------------------------------------


async def erase(store: Store, player: str) -> list[str]:
    """Take everything away that says who somebody was; the tables that changed by it.

    Matches that are over stay, anonymous; at those that go on a bot plays; a seat at a table that
    waits is free again, and a table of their own that waits is closed.
    """

    async def body(connection: AsyncConnection) -> list[str]:
        sits = sa.select(seats.c.table_id).where(
            (seats.c.player == player) | (seats.c.bound == player)
        )
        found = sa.select(tables.c.id).where(tables.c.id.in_(sits) | (tables.c.host == player))
        changed = list((await connection.execute(found)).scalars())
        await _leave_tables(connection, player, changed)
        await _unsay(connection, player)
        await _leave_tournaments(connection, player)
        await _leave_clubs(connection, player)
        for table in OWNED:
            await connection.execute(sa.delete(table).where(table.c.player == player))
        await connection.execute(sa.delete(blocks).where(blocks.c.blocked == player))
        personal = (sanctions.c.player == player) & (sanctions.c.address.is_(None))
        await connection.execute(sa.delete(sanctions).where(personal))
        await connection.execute(
            sa.update(sanctions).where(sanctions.c.player == player).values(player=None)
        )
        own = players.c.id == player
        still_plays = (
            await connection.execute(sa.select(seats.c.seat).where(seats.c.player == player))
        ).first()
        if still_plays is None:
            await connection.execute(sa.delete(players).where(own))
        else:
            gone = {"name": NOBODY, "login": None, "password": None, "mail": None, "role": None}
            gone["turn_mail"] = None
            await connection.execute(sa.update(players).where(own).values(**gone))
        return changed

    return await store.transaction(body)


async def _leave_tables(connection: AsyncConnection, player: str, ids: list[str]) -> None:
    def at(*statuses: str) -> Any:
        those = sa.select(tables.c.id).where(tables.c.status.in_(statuses))
        return seats.c.table_id.in_(those)

    mine = seats.c.player == player
    anonymous: Data = {"player": None, "name": NOBODY}
    changes = (
        (mine & at("waiting"), FREE),
        (mine & at("playing"), {"name": NOBODY, "stand_in": True}),
        (mine & at("over", "closed"), anonymous),
        ((seats.c.bound == player) & at("over", "closed"), {"bound": None}),
    )
    for where, values in changes:
        await connection.execute(sa.update(seats).where(where).values(**values))
    await connection.execute(newer(ids))
    hosts = tables.c.host == player
    closed = sa.update(tables).where(hosts, tables.c.status == "waiting")
    await connection.execute(closed.values(status="closed"))
    ended = sa.update(tables).where(hosts, tables.c.status.in_(("over", "closed")))
    await connection.execute(ended.values(host=""))


async def _leave_tournaments(connection: AsyncConnection, player: str) -> None:
    """What they played there stays, without their name; they are not paired any more."""
    mine = entrants.c.player == player
    to_come = sa.select(tournaments.c.id).where(tournaments.c.status == "open")
    before = mine & entrants.c.tournament_id.in_(to_come)
    await connection.execute(sa.delete(entrants).where(before))
    gone = {"player": None, "name": NOBODY, "here": False}
    await connection.execute(sa.update(entrants).where(mine).values(**gone))
    hosts = tournaments.c.host == player
    await connection.execute(sa.update(tournaments).where(hosts).values(host=""))


async def _leave_clubs(connection: AsyncConnection, player: str) -> None:
    ids = list((await connection.execute(clubs.of(player))).scalars())
    await connection.execute(sa.delete(club_members).where(club_members.c.player == player))
    for id in ids:
        await clubs.settle(connection, id)


async def _unsay(connection: AsyncConnection, player: str) -> None:
    """What they said is gone, in others' reports too; that a host closed a chat still holds."""
    level = (talk.c.player == player) & (talk.c.kind == "level")
    await connection.execute(sa.update(talk).where(level).values(player=None, name=""))
    await connection.execute(sa.delete(talk).where(talk.c.player == player))
    await connection.execute(sa.delete(reports).where(reports.c.player == player))
    unsigned = sa.update(reports).where(reports.c.by == player).values(by=None, note="")
    await connection.execute(unsigned)
    for row in (await connection.execute(sa.select(reports.c.id, reports.c.evidence))).all():
        kept = [line for line in row.evidence if line["player"] != player]
        if len(kept) < len(row.evidence):
            change = sa.update(reports).where(reports.c.id == row.id)
            await connection.execute(change.values(evidence=kept))
