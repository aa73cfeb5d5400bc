"""People: guests and accounts, passwords and names."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.bots.personas import personas
from tanistry.server import belongings
from tanistry.server.clocks import DAY, now_ms
from tanistry.server.info import Data
from tanistry.server.lookalikes import fold, skeleton
from tanistry.server.refusals import Refused
from tanistry.server.rows import new_id, newer
from tanistry.server.schema import (
    letters,
    players,
    pushes,
    ratings,
    seats,
    sessions,
    tables,
    tries,
)
from tanistry.server.sessions import COOKIE_DAYS, Devices, Sessions
from tanistry.server.store import Store
from tanistry.server.tries import Tries
from tanistry.session.names import NAMES

MOST_FORGOTTEN = 10_000
"""Guests that are forgotten in one transaction."""
SHORTEST = 8
"""Signs a password has at least, blanks around it not counted."""
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that are drawn as nothing."""
BOT_LIKE = re.compile(r"(bot|robot|ismcts|greedy|random)\b")
PILE = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3}")
"""Marks piled on a letter until they cover the lines around it."""
NOBODY = (
    "$argon2id$v=19$m=65536,t=3,p=4$Bg53AMuZaY+jipHNyt37/g"
    "$jkqEl+hE9MVAN12CqcGzWRwBDqPL4m1b+4ihymItITk"
)
"""What the password of an unknown login is compared with, so that it costs the same work."""


class People:
    """Who is who: guests and accounts, their names and passwords."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.push_key: str | None = None  # by which browsers know our words, if we send any
        self.sessions = Sessions(store)
        self.tries = Tries(store)
        self.set_secret(b"")
        self._hasher = PasswordHasher()  # Argon2id with the library's present defaults

    def set_secret(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"cookie" + secret).digest()
        self.devices = Devices(secret)

    # -- cookies of older servers ---------------------------------------------------------------

    def _signature(self, text: str) -> str:
        digest = hmac.digest(self._key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    async def signed(self, cookie: str | None) -> Any:
        """The player whom a cookie names that an older server signed, to be given a new one."""
        text, _, signature = (cookie or "")[:200].rpartition(".")
        good = hmac.compare_digest(signature.encode(), self._signature(text).encode())
        player, _, session = text.rpartition(".")
        if not (good and session.isdigit()):
            return None
        row = await self.store.player(player)
        return row if row is not None and row.session == int(session) else None

    # -- players --------------------------------------------------------------------------------

    async def new_guest(self) -> Any:
        id = "p_" + new_id(14)
        values = {"id": id, "name": guest_name(), "session": 0, "created": now_ms()}
        await self.store.execute(sa.insert(players).values(**values))
        return await self.store.player(id)

    async def rename(self, player: str, name: str) -> None:
        await self.store.execute(
            sa.update(players).where(players.c.id == player).values(name=clean_name(name))
        )

    async def make_account(self, row: Any, login: str, password: str) -> None:
        if row.login:
            raise Refused("auth/guest")
        check_password(password, login, row.name)
        hashed = await self._hash(password)
        where = (players.c.id == row.id) & players.c.login.is_(None)
        values = {"login": login, "password": hashed, "session": row.session + 1}
        try:
            made = await self.store.execute(sa.update(players).where(where).values(**values))
        except IntegrityError:
            raise Refused("auth/taken") from None
        if not made:  # the same guest has done so meanwhile
            raise Refused("auth/guest")

    async def sign_in(self, login: str, password: str, device: str | None = None) -> Any:
        """The account; wrong names cost the same work as wrong passwords.

        A device from which somebody has signed in to it has tries of its own, so that whoever uses
        up those of the account from elsewhere keeps its owner out of nothing.
        """
        row = await self.store.player_by_login(login)
        known = self.devices.known(device, row.id) if row is not None else None
        tried = f"device {known}" if known else f"login {login}"
        await self.tries.take(tried)
        hashed = row.password if row is not None else NOBODY
        good = await asyncio.to_thread(self._verify, hashed, password)
        if row is None or not good:
            raise Refused("auth/wrong")
        await self.tries.forget(tried)
        await self.sessions.check_banned(row)
        return row

    async def check_owner(self, row: Any, password: str) -> None:
        """Whoever asks for this account's sake knows its password; a cookie is not enough."""
        if not row.login:
            raise Refused("auth/wrong")
        tried = f"owner {row.id}"  # who is signed in: not to be kept out by those who are not
        await self.tries.take(tried)
        if not await asyncio.to_thread(self._verify, row.password, password):
            raise Refused("auth/wrong")
        await self.tries.forget(tried)

    async def change_password(self, row: Any, password: str, new: str) -> None:
        """A new password; whoever else is signed in is so no longer."""
        await self.check_owner(row, password)
        check_password(new, row.login, row.name)
        await self.set_password(row, new)

    async def set_password(self, row: Any, new: str) -> None:
        """What could have been used to get in otherwise is good no more."""
        values = {"password": await self._hash(new), "session": row.session + 1}
        change = sa.update(players).where(players.c.id == row.id).values(**values)
        others = sa.delete(letters).where(letters.c.player == row.id)
        await self.store.execute(change, others)
        await self.tries.forget(f"login {row.login}")

    async def adopt(self, guest: str, account: str) -> list[str]:
        """Move a guest's seats to an account, except where both sit; the tables it changed. Where
        nothing was played, nothing is kept, and nobody learns who the guest has become."""
        mine = sa.select(seats.c.table_id).where(seats.c.player == account)
        where = (seats.c.player == guest) & seats.c.table_id.not_in(mine)

        async def body(connection: AsyncConnection) -> list[str]:
            sits = tables.c.id.in_(sa.select(seats.c.table_id).where(where))
            asked = sa.select(tables.c.id).where(sits | (tables.c.host == guest))
            found = list((await connection.execute(asked)).scalars())
            await connection.execute(newer(found))
            closed = sa.select(tables.c.id).where(tables.c.status == "closed")
            unused = (seats.c.player == guest) & seats.c.table_id.in_(closed)
            await connection.execute(sa.update(seats).where(unused).values(**belongings.FREE))
            await connection.execute(sa.update(seats).where(where).values(player=account))
            hosted = sa.update(tables).where(tables.c.host == guest)
            await connection.execute(hosted.values(host=account))
            await belongings.adopt(connection, guest, account)
            return found

        return await self.store.transaction(body)

    async def forget_guests(self, days: int) -> int:
        """Forget guests who have not been here for so long and left nothing behind; how many."""
        now = now_ms()
        sits = (seats.c.player, seats.c.bound, tables.c.host, ratings.c.player)
        seen = (sessions.c.player == players.c.id) & (sessions.c.seen > now - days * DAY)
        gone = sa.select(players.c.id).where(
            players.c.login.is_(None),
            players.c.created < now - days * DAY,
            ~sa.exists().where(seen),
            *(~sa.exists().where(column == players.c.id) for column in (*sits, *belongings.TRACES)),
        )

        async def body(connection: AsyncConnection) -> int:
            ids = list((await connection.execute(gone.limit(MOST_FORGOTTEN))).scalars())
            over = sessions.c.player.in_(ids) | (sessions.c.seen < now - COOKIE_DAYS * DAY)
            await connection.execute(sa.delete(sessions).where(over))
            signed_in = sa.exists().where(sessions.c.id == pushes.c.session)
            await connection.execute(sa.delete(pushes).where(~signed_in))
            await connection.execute(sa.delete(tries).where(tries.c.at < now - DAY))
            await connection.execute(sa.delete(letters).where(letters.c.until < now))
            await connection.execute(sa.delete(players).where(players.c.id.in_(ids)))
            return len(ids)

        return await self.store.transaction(body)

    async def _hash(self, password: str) -> str:
        return await asyncio.to_thread(self._hasher.hash, password)

    def _verify(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerifyMismatchError, InvalidHashError):
            return False

    async def own_data(self, player: str) -> Data:
        """What somebody is told of themselves, as it is stored by now."""
        return await self.data(await self.store.player(player), own=True)

    async def data(self, row: Any, own: bool = False) -> Data:
        found = {"id": row.id, "name": row.name, "guest": row.login is None}
        if own:
            config = self.store.config
            found |= {"login": row.login, "mail": row.mail, "letters": bool(config.mail)}
            found |= {"turn_mail": row.turn_mail is not None, "push_key": self.push_key}
            found |= {"people": config.people, "private": row.private}
            found |= {"tournaments": config.has_tournaments, "clubs": config.has_clubs}
            found |= {"role": row.role} if row.role else {}
        hidden = row.private and not own
        return {**found, "ratings": {} if hidden else await self.store.ratings_of(row.id)}


def guest_name() -> str:
    return f"{secrets.choice(NAMES)} {secrets.randbelow(90) + 10}"


def clean_name(name: str) -> str:
    """A name without signs that cannot be seen or that turn the line around."""
    name = unicodedata.normalize("NFKC", name)
    shown = "".join(c for c in name if _is_seen(c) or c == " ")
    shown = " ".join(shown.split())
    if not 1 <= len(shown) <= 24 or not any(c.isalnum() for c in shown) or PILE.search(shown):
        raise Refused("auth/name")
    if BOT_LIKE.match(fold(shown)) or skeleton(shown) in _bots():
        raise Refused("auth/bot-name")
    return shown


@cache
def _bots() -> frozenset[str]:
    return frozenset(map(skeleton, personas()))


def _is_seen(sign: str) -> bool:
    return unicodedata.category(sign)[0] not in "CZ" and sign not in FILLERS


def check_password(password: str, *names: str) -> None:
    """Refuse what is tried first."""
    plain = password.casefold().strip()
    if len(plain) < SHORTEST or len(set(plain)) < 3 or plain in common_passwords():
        raise Refused("auth/password")
    if any(plain == name.casefold() or plain == 2 * name.casefold() for name in names):
        raise Refused("auth/password")


@cache
def common_passwords() -> frozenset[str]:
    text = files("tanistry.server").joinpath("words/common-passwords.txt").read_text("utf-8")
    return frozenset(text.split())
