"""People: signed cookies, passwords, names and ratings."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import logging
import secrets
import unicodedata
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.clocks import DAY
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, ratings, seats, tables
from tanistry.server.store import Store, new_id, now_ms
from tanistry.server.tables import Data

log = logging.getLogger("tanistry.people")

COOKIE = "tanistry"
COOKIE_DAYS = 400
NAMES = (
    "Ailsa", "Angus", "Blair", "Bonnie", "Callum", "Catriona", "Duncan", "Eilidh", "Ewan", "Fergus",
    "Fiona", "Gavin", "Greer", "Hamish", "Iona", "Isla", "Jean", "Keir", "Lachlan", "Lorna",
    "Mairi", "Malcolm", "Moira", "Morag", "Murdo", "Nessa", "Rory", "Ross", "Senga", "Shona",
)  # fmt: skip


NOBODY = (
    "$argon2id$v=19$m=65536,t=3,p=4$Bg53AMuZaY+jipHNyt37/g"
    "$jkqEl+hE9MVAN12CqcGzWRwBDqPL4m1b+4ihymItITk"
)
"""What the password of an unknown login is compared with, so that it costs the same work."""


class People:
    """Who is who. A player is known by a cookie that only the server can write."""

    def __init__(self, store: Store, secret: bytes = b"") -> None:
        self.store = store
        self.set_secret(secret)
        self._hasher = PasswordHasher()  # Argon2id with the library's present defaults

    def set_secret(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"cookie" + secret).digest()

    # -- cookies --------------------------------------------------------------------------------

    def _signature(self, text: str) -> str:
        digest = hmac.digest(self._key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def cookie(self, player: str, session: int) -> str:
        text = f"{player}.{session}"
        return f"{text}.{self._signature(text)}"

    def read_cookie(self, value: str | None) -> tuple[str, int] | None:
        """The player and session a cookie was written for; None if it was not by us."""
        text, _, signature = (value or "")[:200].rpartition(".")
        good = hmac.compare_digest(signature.encode(), self._signature(text).encode())
        player, _, session = text.rpartition(".")
        return (player, int(session)) if good and session.isdigit() else None

    async def known(self, cookie: str | None) -> Any:
        """The player a cookie belongs to, or None."""
        found = self.read_cookie(cookie)
        if found is None:
            return None
        row = await self.store.player(found[0])
        return row if row is not None and row.session == found[1] else None

    # -- players --------------------------------------------------------------------------------

    async def new_guest(self) -> Any:
        name = f"{secrets.choice(NAMES)} {secrets.randbelow(90) + 10}"
        id = "p_" + new_id(14)
        values = {"id": id, "name": name, "session": 0, "created": now_ms()}
        await self.store.execute(sa.insert(players).values(**values))
        return await self.store.player(id)

    async def rename(self, player: str, name: str) -> None:
        await self.store.execute(
            sa.update(players).where(players.c.id == player).values(name=clean_name(name))
        )

    async def make_account(self, row: Any, login: str, password: str) -> None:
        if row.login:
            raise Refused("auth/guest")
        hashed = await self._hash(password)
        where = (players.c.id == row.id) & players.c.login.is_(None)
        try:
            await self.store.execute(
                sa.update(players).where(where).values(login=login, password=hashed)
            )
        except IntegrityError:
            raise Refused("auth/taken") from None

    async def sign_in(self, login: str, password: str) -> Any:
        """The account; wrong names cost the same work as wrong passwords."""
        row = await self.store.player_by_login(login)
        hashed = row.password if row is not None else NOBODY
        good = await asyncio.to_thread(self._verify, hashed, password)
        if row is None or not good:
            raise Refused("auth/wrong")
        return row

    async def change_password(self, row: Any, password: str, new: str) -> None:
        if not row.login or not await asyncio.to_thread(self._verify, row.password, password):
            raise Refused("auth/wrong")
        values = {"password": await self._hash(new), "session": row.session + 1}
        await self.store.execute(sa.update(players).where(players.c.id == row.id).values(**values))

    async def adopt(self, guest: str, account: str) -> list[str]:
        """Move a guest's seats to an account, except where both sit; the tables it changed."""
        mine = sa.select(seats.c.table_id).where(seats.c.player == account)
        where = (seats.c.player == guest) & seats.c.table_id.not_in(mine)
        found: list[str] = []

        async def body(connection: AsyncConnection) -> None:
            sits = tables.c.id.in_(sa.select(seats.c.table_id).where(where))
            asked = sa.select(tables.c.id).where(sits | (tables.c.host == guest))
            found[:] = (await connection.execute(asked)).scalars()
            newer = {"revision": tables.c.revision + 1}  # other workers have older ones in memory
            touched = sa.update(tables).where(tables.c.id.in_(found))
            await connection.execute(touched.values(**newer))
            await connection.execute(sa.update(seats).where(where).values(player=account))
            hosted = sa.update(tables).where(tables.c.host == guest)
            await connection.execute(hosted.values(host=account))

        await self.store.transaction(body)
        return found

    async def forget_guests(self, days: int) -> int:
        """Forget guests who came so long ago and left nothing behind; how many."""
        old = players.c.login.is_(None) & (players.c.created < now_ms() - days * DAY)
        traces = (seats.c.player, tables.c.host, ratings.c.player)
        unseen = [~sa.exists().where(column == players.c.id) for column in traces]
        count = 0

        async def body(connection: AsyncConnection) -> None:
            nonlocal count
            count = (await connection.execute(sa.delete(players).where(old, *unseen))).rowcount

        await self.store.transaction(body)
        return count

    async def forget_guests_daily(self, days: int) -> None:
        while days:
            try:
                if count := await self.forget_guests(days):
                    log.info("forgot %s guests who had not been here for %s days", count, days)
            except Refused as refusal:
                log.warning("old guests are not forgotten today: %s", refusal.code)
            await asyncio.sleep(DAY / 1000)

    async def _hash(self, password: str) -> str:
        return await asyncio.to_thread(self._hasher.hash, password)

    def _verify(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerifyMismatchError, InvalidHashError):
            return False

    async def data(self, row: Any, own: bool = False) -> Data:
        found = {"id": row.id, "name": row.name, "guest": row.login is None}
        if own:
            found["login"] = row.login
        return {**found, "ratings": await self.store.ratings_of(row.id)}


def clean_name(name: str) -> str:
    """A name without signs that cannot be seen or that turn the line around."""
    name = unicodedata.normalize("NFKC", name)
    shown = "".join(c for c in name if unicodedata.category(c)[0] not in "CZ" or c == " ")
    shown = " ".join(shown.split())
    if not 1 <= len(shown) <= 24:
        raise Refused("auth/name")
    return shown
