"""How the peace is kept: reports by people, and what moderators and hosts do about them.

Every act is written down together with who did it, in the transaction that does it. What is decided
here is in the database; workers look there, and hear from each other that they should.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.acts import Actor, note
from tanistry.server.clocks import DAY, HOUR, now_ms
from tanistry.server.lookalikes import readings, skeleton
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.schema import (
    audit,
    invitations,
    players,
    refused_names,
    reports,
    sanctions,
    seats,
    tables,
    talk,
)
from tanistry.server.sessions import TOKEN, hashed
from tanistry.server.store import new_id
from tanistry.server.tables import Data, Info
from tanistry.server.talk import line_data
from tanistry.server.tries import Allowance
from tanistry.session.names import NAMES

EVIDENCE = 30
"""Lines that come with a report."""
REPORTS = Allowance(5, 10 * 60_000, "rate/reports")
"""By one person."""
SHOWN = 200
"""Reports, sanctions or acts in one list."""
MOST_LEFT = 1000
"""People whom one invitation may let in."""


class Moderation:
    """Reports and what comes of them."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._store = people.store

    async def report(self, by: Any, player: str, info: Info, why: str, note: str) -> None:
        """Keep a report, with what was said last at the table where it was."""
        if player == by.id or await self._store.player(player) is None:
            raise Refused("player/unknown")
        await self._people.tries.take(f"reports of {by.id}", REPORTS)
        of_table = sa.select(talk).where(talk.c.table_id == info.id, talk.c.kind != "level")
        if info.seat_of(by.id) is None:
            of_table = of_table.where(talk.c.open)
        said = await self._store.read(of_table.order_by(talk.c.n.desc()).limit(EVIDENCE))
        evidence = [line_data(row) for row in reversed(said)]
        values = {"id": new_id(), "by": by.id, "player": player, "table_id": info.id}
        values |= {"why": why, "note": plain(note), "evidence": evidence, "at": now_ms()}
        await self._store.execute(sa.insert(reports).values(**values))

    async def reports(self) -> list[Data]:
        """Reports that wait, the oldest first."""
        by, about = players.alias("by_"), players.alias("about")
        query = sa.select(reports, about.c.name, by.c.name.label("by_name"))
        query = query.join(about, about.c.id == reports.c.player)
        query = query.outerjoin(by, by.c.id == reports.c.by)
        query = query.where(reports.c.closed.is_(None)).order_by(reports.c.at)
        names = ("id", "at", "player", "name", "by", "by_name", "table_id", "why", "note",
                 "evidence", "closed")  # fmt: skip
        rows = await self._store.read(query.limit(SHOWN))
        return [{name: getattr(row, name) for name in names} for row in rows]

    async def close(self, by: Actor, report: str) -> None:
        """Nothing more is to be done about a report."""
        where = (reports.c.id == report) & reports.c.closed.is_(None)
        change = sa.update(reports).where(where).values(closed=now_ms(), closed_by=by.id)

        async def body(connection: AsyncConnection) -> None:
            if (await connection.execute(change)).rowcount != 1:
                raise Refused("peace/unknown")
            await note(connection, by, "close", report=report)

        await self._store.transaction(body)

    # -- mutes and bans -------------------------------------------------------------------------

    async def sanction(
        self,
        by: Actor,
        kind: str,
        player: str,
        hours: int,
        reason: str,
        addresses: Collection[str] = (),
    ) -> None:
        """Mute or ban somebody for a while, and their addresses with them."""
        row = await self.person(player)
        by.check(row)
        now = now_ms()
        common: Data = {"reason": plain(reason)[:200], "by": by.id, "at": now}
        common["until"] = now + hours * HOUR
        rows: list[Data] = [{"id": new_id(), "kind": kind, "player": player, "address": None}]
        rows += [
            {"id": new_id(), "kind": "address", "player": player, "address": address}
            for address in addresses
        ]
        column = "muted" if kind == "mute" else "banned"
        details = {"hours": hours, "reason": common["reason"], "addresses": len(addresses)}

        async def body(connection: AsyncConnection) -> None:
            await connection.execute(sa.insert(sanctions), [{**one, **common} for one in rows])
            change = sa.update(players).where(players.c.id == player)
            await connection.execute(change.values({column: common["until"]}))
            await note(connection, by, kind, player, **details)

        await self._store.transaction(body)

    async def ban_address(self, by: Actor, address: str, hours: int, reason: str) -> None:
        """Keep an address out for a while, whoever comes from there."""
        now = now_ms()
        values: Data = {"id": new_id(), "kind": "address", "player": None, "address": address}
        values |= {"reason": plain(reason)[:200], "by": by.id, "at": now}
        values["until"] = now + hours * HOUR

        async def body(connection: AsyncConnection) -> None:
            await connection.execute(sa.insert(sanctions).values(**values))
            await note(connection, by, "ban", hours=hours, reason=reason, addresses=1)

        await self._store.transaction(body)

    async def lift(self, by: Actor, kind: str, player: str) -> None:
        """End a mute, or a ban with its addresses."""
        kinds = ["mute"] if kind == "mute" else ["ban", "address"]
        if kind != "address":
            by.check(await self.person(player))
        column = "muted" if kind == "mute" else "banned"
        where = (sanctions.c.player == player) & sanctions.c.kind.in_(kinds)

        async def body(connection: AsyncConnection) -> None:
            ended = sa.update(sanctions).where(where, sanctions.c.until > now_ms())
            if (await connection.execute(ended.values(until=now_ms()))).rowcount == 0:
                raise Refused("peace/unknown")
            change = sa.update(players).where(players.c.id == player)
            await connection.execute(change.values({column: None}))
            await note(connection, by, f"un{kind}", player)

        await self._store.transaction(body)

    async def lift_address(self, by: Actor, address: str) -> None:
        where = (sanctions.c.address == address) & (sanctions.c.until > now_ms())

        async def body(connection: AsyncConnection) -> None:
            ended = sa.update(sanctions).where(where).values(until=now_ms())
            if (await connection.execute(ended)).rowcount == 0:
                raise Refused("peace/unknown")
            await note(connection, by, "unban")

        await self._store.transaction(body)

    async def sanctions(self) -> list[Data]:
        """Those that hold, the latest first."""
        query = sa.select(sanctions, players.c.name).outerjoin(
            players, players.c.id == sanctions.c.player
        )
        query = query.where(sanctions.c.until > now_ms(), sanctions.c.kind != "address")
        names = ("id", "kind", "player", "name", "reason", "at", "until")
        rows = await self._store.read(query.order_by(sanctions.c.at.desc()).limit(SHOWN))
        return [{name: getattr(row, name) for name in names} for row in rows]

    async def addresses(self) -> dict[str, int]:
        """Addresses that are kept out, and until when."""
        query = sa.select(sanctions.c.address, sanctions.c.until)
        where = (sanctions.c.kind == "address") & (sanctions.c.until > now_ms())
        return {row.address: row.until for row in await self._store.read(query.where(where))}

    # -- names and roles ------------------------------------------------------------------------

    async def person(self, who: str) -> Any:
        """Somebody by id or login."""
        row = await self._store.player(who) or await self._store.player_by_login(who)
        if row is None:
            raise Refused("player/unknown")
        return row

    async def set_role(self, by: Actor, row: Any, role: str) -> None:
        if row.login is None:
            raise Refused("auth/no-account")
        value = None if role == "person" else role

        async def body(connection: AsyncConnection) -> None:
            change = sa.update(players).where(players.c.id == row.id)
            await connection.execute(change.values(role=value))
            await note(connection, by, "role", row.id, role=role)

        await self._store.transaction(body)

    async def rename(self, by: Actor, player: str) -> tuple[str, list[str]]:
        """Take somebody's name away, at all tables too; they get one as guests do. That name, and
        the tables that changed by it."""
        by.check(await self.person(player))
        name = f"{secrets.choice(NAMES)} {secrets.randbelow(90) + 10}"
        sits = seats.c.player == player
        changed: list[str] = []

        async def body(connection: AsyncConnection) -> None:
            change = sa.update(players).where(players.c.id == player)
            await connection.execute(change.values(name=name))
            await connection.execute(sa.update(seats).where(sits).values(name=name))
            found = await connection.execute(sa.select(seats.c.table_id).where(sits))
            changed[:] = found.scalars()
            newer = {"revision": tables.c.revision + 1}  # workers have older ones in memory
            at = sa.update(tables).where(tables.c.id.in_(changed))
            await connection.execute(at.values(**newer))
            await note(connection, by, "rename", player)

        await self._store.transaction(body)
        return name, changed

    async def check_name(self, name: str) -> None:
        """Refuse a name that holds one of those that moderators do not want to see."""
        wrong = [skeleton(refused) for refused in await self.names()]
        if any(refused in given for given in readings(name) for refused in wrong):
            raise Refused("auth/refused-name")

    async def names(self) -> list[str]:
        query = sa.select(refused_names.c.name).order_by(refused_names.c.name)
        return [row.name for row in await self._store.read(query)]

    async def refuse_name(self, by: Actor, name: str) -> None:
        if len(skeleton(name)) < 2:
            raise Refused("peace/name")
        short = _letters(name)

        async def body(connection: AsyncConnection) -> None:
            values = {"name": short, "by": by.id, "at": now_ms()}
            await connection.execute(sa.insert(refused_names).values(**values))
            await note(connection, by, "refuse", name=short)

        try:
            await self._store.transaction(body)
        except IntegrityError:
            return  # it is refused already

    async def allow_name(self, by: Actor, name: str) -> None:
        same = [kept for kept in await self.names() if skeleton(kept) == skeleton(_letters(name))]
        where = refused_names.c.name.in_(same)

        async def body(connection: AsyncConnection) -> None:
            if (await connection.execute(sa.delete(refused_names).where(where))).rowcount == 0:
                raise Refused("peace/unknown")
            await note(connection, by, "allow", name=_letters(name))

        await self._store.transaction(body)

    # -- invitations ----------------------------------------------------------------------------

    async def invite(self, by: Actor, about: str, people: int, days: int) -> str:
        """A new invitation; its token, which is nowhere else."""
        token = secrets.token_urlsafe(32)
        now = now_ms()
        values = {"id": hashed(token), "by": by.id, "note": plain(about)[:80], "left": people}
        values |= {"at": now, "until": now + days * DAY}

        async def body(connection: AsyncConnection) -> None:
            await connection.execute(sa.insert(invitations).values(**values))
            await note(connection, by, "invite", people=people, days=days, note=values["note"])

        await self._store.transaction(body)
        return token

    async def invitations(self) -> list[Data]:
        """Those that still let somebody in."""
        good = (invitations.c.left > 0) & (invitations.c.until > now_ms())
        query = sa.select(invitations).where(good).order_by(invitations.c.at.desc())
        return [
            {"id": row.id[:16], "note": row.note, "left": row.left, "until": row.until}
            for row in await self._store.read(query.limit(SHOWN))
        ]

    async def uninvite(self, by: Actor, id: str) -> None:
        """An invitation is good no more."""
        where = invitations.c.id.startswith(id, autoescape=True)

        async def body(connection: AsyncConnection) -> None:
            if (
                len(id) != 16
                or not (await connection.execute(sa.delete(invitations).where(where))).rowcount
            ):
                raise Refused("peace/unknown")
            await note(connection, by, "uninvite")

        await self._store.transaction(body)

    async def accept(self, token: str) -> None:
        """Somebody comes by an invitation; refused when it is used up."""
        good = (invitations.c.left > 0) & (invitations.c.until > now_ms())
        where = (invitations.c.id == hashed(token)) & good
        change = sa.update(invitations).where(where).values(left=invitations.c.left - 1)

        async def body(connection: AsyncConnection) -> None:
            known = TOKEN.fullmatch(token)
            if not known or (await connection.execute(change)).rowcount != 1:
                raise Refused("auth/invitation-used")

        await self._store.transaction(body)

    # -- who did what ---------------------------------------------------------------------------

    async def acts(self) -> list[Data]:
        """What was done, the latest first."""
        doer = players.alias("doer")
        query = sa.select(audit, players.c.name, doer.c.name.label("by_name"))
        query = query.outerjoin(players, players.c.id == audit.c.player)
        query = query.outerjoin(doer, doer.c.id == audit.c.by)
        names = ("at", "by", "by_name", "act", "player", "name", "details")
        rows = await self._store.read(query.order_by(audit.c.at.desc(), audit.c.id).limit(SHOWN))
        return [{name: getattr(row, name) for name in names} for row in rows]


def _letters(name: str) -> str:
    """A name to be refused, as moderators read it."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", name).casefold())[:24]


def plain(text: str) -> str:
    """A text without signs that cannot be seen."""
    return "".join(sign for sign in text if sign.isprintable() or sign == "\n").strip()
