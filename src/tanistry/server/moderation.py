"""How the peace is kept: reports by people, and what moderators and hosts do about them.

Every act is written down together with who did it, in the transaction that does it. What is decided
here is in the database; workers look there, and hear from each other that they should.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.acts import Actor, noted
from tanistry.server.clocks import DAY, HOUR, now_ms
from tanistry.server.info import Data, Info
from tanistry.server.lookalikes import readings, skeleton
from tanistry.server.people import People, guest_name
from tanistry.server.refusals import Refused
from tanistry.server.rows import new_id, newer, picked
from tanistry.server.schema import (
    audit,
    invitations,
    players,
    refused_names,
    reports,
    sanctions,
    seats,
    talk,
)
from tanistry.server.sessions import TOKEN, hashed
from tanistry.server.talk import line_data
from tanistry.server.tries import Allowance

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
        return [picked(row, names) for row in await self._store.read(query.limit(SHOWN))]

    async def close(self, by: Actor, report: str) -> None:
        """Nothing more is to be done about a report."""
        where = (reports.c.id == report) & reports.c.closed.is_(None)
        change = sa.update(reports).where(where).values(closed=now_ms(), closed_by=by.id)
        await self._change(change, noted(by, "close", report=report))

    async def _change(self, change: Any, *more: Any) -> None:
        """Change something that must be there, and do what goes with it."""

        async def body(connection: AsyncConnection) -> None:
            if (await connection.execute(change)).rowcount == 0:
                raise Refused("peace/unknown")
            for statement in more:
                await connection.execute(statement)

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
        await self._store.execute(
            sa.insert(sanctions).values([{**one, **common} for one in rows]),
            sa.update(players).where(players.c.id == player).values({column: common["until"]}),
            noted(by, kind, player, **details),
        )

    async def ban_address(self, by: Actor, address: str, hours: int, reason: str) -> None:
        """Keep an address out for a while, whoever comes from there."""
        now = now_ms()
        values: Data = {"id": new_id(), "kind": "address", "player": None, "address": address}
        values |= {"reason": plain(reason)[:200], "by": by.id, "at": now}
        values["until"] = now + hours * HOUR
        act = noted(by, "ban", hours=hours, reason=reason, addresses=1)
        await self._store.execute(sa.insert(sanctions).values(**values), act)

    async def lift(self, by: Actor, kind: str, player: str) -> None:
        """End a mute, or a ban with its addresses."""
        kinds = ["mute"] if kind == "mute" else ["ban", "address"]
        if kind != "address":
            by.check(await self.person(player))
        column = "muted" if kind == "mute" else "banned"
        where = (sanctions.c.player == player) & sanctions.c.kind.in_(kinds)
        free = sa.update(players).where(players.c.id == player).values({column: None})
        await self._change(_ended(where), free, noted(by, f"un{kind}", player))

    async def lift_address(self, by: Actor, address: str) -> None:
        await self._change(_ended(sanctions.c.address == address), noted(by, "unban"))

    async def sanctions(self) -> list[Data]:
        """Those that hold, the latest first."""
        query = sa.select(sanctions, players.c.name).outerjoin(
            players, players.c.id == sanctions.c.player
        )
        query = query.where(sanctions.c.until > now_ms(), sanctions.c.kind != "address")
        names = ("id", "kind", "player", "name", "reason", "at", "until")
        rows = await self._store.read(query.order_by(sanctions.c.at.desc()).limit(SHOWN))
        return [picked(row, names) for row in rows]

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
        change = sa.update(players).where(players.c.id == row.id).values(role=value)
        await self._store.execute(change, noted(by, "role", row.id, role=role))

    async def rename(self, by: Actor, player: str) -> tuple[str, list[str]]:
        """Take somebody's name away, at all tables too; they get one as guests do. That name, and
        the tables that changed by it."""
        by.check(await self.person(player))
        name = guest_name()
        sits = seats.c.player == player

        async def body(connection: AsyncConnection) -> list[str]:
            change = sa.update(players).where(players.c.id == player)
            await connection.execute(change.values(name=name))
            await connection.execute(sa.update(seats).where(sits).values(name=name))
            found = await connection.execute(sa.select(seats.c.table_id).where(sits))
            changed = list(found.scalars())
            await connection.execute(newer(changed))
            await connection.execute(noted(by, "rename", player))
            return changed

        return name, await self._store.transaction(body)

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
        values = {"name": short, "by": by.id, "at": now_ms()}
        insert = sa.insert(refused_names).values(**values)
        with suppress(IntegrityError):  # it is refused already
            await self._store.execute(insert, noted(by, "refuse", name=short))

    async def allow_name(self, by: Actor, name: str) -> None:
        same = [kept for kept in await self.names() if skeleton(kept) == skeleton(_letters(name))]
        allowed = sa.delete(refused_names).where(refused_names.c.name.in_(same))
        await self._change(allowed, noted(by, "allow", name=_letters(name)))

    # -- invitations ----------------------------------------------------------------------------

    async def invite(self, by: Actor, about: str, people: int, days: int) -> str:
        """A new invitation; its token, which is nowhere else."""
        token = secrets.token_urlsafe(32)
        now = now_ms()
        values = {"id": hashed(token), "by": by.id, "note": plain(about)[:80], "left": people}
        values |= {"at": now, "until": now + days * DAY}
        act = noted(by, "invite", people=people, days=days, note=values["note"])
        await self._store.execute(sa.insert(invitations).values(**values), act)
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
        if len(id) != 16:
            raise Refused("peace/unknown")
        same = invitations.c.id.startswith(id, autoescape=True)
        await self._change(sa.delete(invitations).where(same), noted(by, "uninvite"))

    async def accept(self, token: str) -> None:
        """Somebody comes by an invitation; refused when it is used up."""
        good = (invitations.c.left > 0) & (invitations.c.until > now_ms())
        where = (invitations.c.id == hashed(token)) & good
        change = sa.update(invitations).where(where).values(left=invitations.c.left - 1)
        if not TOKEN.fullmatch(token) or not await self._store.execute(change):
            raise Refused("auth/invitation-used")

    # -- who did what ---------------------------------------------------------------------------

    async def acts(self) -> list[Data]:
        """What was done, the latest first."""
        doer = players.alias("doer")
        query = sa.select(audit, players.c.name, doer.c.name.label("by_name"))
        query = query.outerjoin(players, players.c.id == audit.c.player)
        query = query.outerjoin(doer, doer.c.id == audit.c.by)
        names = ("at", "by", "by_name", "act", "player", "name", "details")
        rows = await self._store.read(query.order_by(audit.c.at.desc(), audit.c.id).limit(SHOWN))
        return [picked(row, names) for row in rows]


def _ended(where: Any) -> sa.Update:
    """The end of sanctions that still hold."""
    now = now_ms()
    return sa.update(sanctions).where(where, sanctions.c.until > now).values(until=now)


def _letters(name: str) -> str:
    """A name to be refused, as moderators read it."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", name).casefold())[:24]


def plain(text: str) -> str:
    """A text without signs that cannot be seen."""
    return "".join(sign for sign in text if sign.isprintable() or sign == "\n").strip()
