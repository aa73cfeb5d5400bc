"""Sessions: a device is known by a random cookie, of which the database keeps only the hash.

Sign-up, sign-in and a new password give a new cookie and end the old one, so that a cookie planted
or seen before is worth nothing; each can be ended by itself, and its sockets end with it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.clocks import HOUR, now_ms
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, sanctions, sessions
from tanistry.server.store import Store

COOKIE = "tanistry"
SECURE_COOKIE = "__Host-tanistry"
"""Over HTTPS: a name that no other host and no page without TLS can set."""
DEVICE = "-device"
"""What is added to it for the cookie by which a device is known after it has signed out."""
COOKIE_DAYS = 400
TOKEN = re.compile(r"[\w-]{43}")
SHOWN = 16
"""Signs of a session's hash by which people name it; the cookie does not follow from it."""

BROWSERS = {
    "Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome",
    "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
SYSTEMS = {
    "iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows",
    "Mac OS X": "macOS", "CrOS": "ChromeOS", "Linux": "Linux",
}  # fmt: skip


@dataclass(frozen=True)
class Known:
    """Who asks, and by which session."""

    row: Any
    session: str


class Sessions:
    """All sessions; `token` is what a cookie holds, `id` its hash."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def begin(
        self, player: str, agent: str = "", ended: Collection[str] = (), password: str | None = None
    ) -> str:
        """A new session, in place of those that end; its token, which is nowhere else.

        Whoever came by a password, given as its hash, is refused if there is another by now:
        looking at a password takes long enough for it to be changed meanwhile.
        """
        token = secrets.token_urlsafe(32)
        now = now_ms()
        values = {"id": hashed(token), "player": player, "device": device_name(agent)}
        values |= {"created": now, "seen": now}  # type: ignore[dict-item]

        async def body(connection: AsyncConnection) -> None:
            if password is not None:
                now_set = sa.select(players.c.password).where(players.c.id == player)
                if await connection.scalar(now_set.with_for_update()) != password:
                    raise Refused("auth/wrong")
            await connection.execute(sa.delete(sessions).where(sessions.c.id.in_(ended)))
            await connection.execute(sa.insert(sessions).values(**values))

        await self.store.transaction(body)
        return token

    async def known(self, token: str | None) -> Known | None:
        """The player a token belongs to."""
        if token is None or not TOKEN.fullmatch(token):
            return None
        id = hashed(token)
        query = sa.select(players, sessions.c.seen).join_from(sessions, players)
        row = await self.store.first(query.where(sessions.c.id == id))
        if row is None:
            return None
        await self.check_banned(row)
        if row.seen < (now := now_ms()) - HOUR:  # noted once an hour
            seen = sa.update(sessions).where(sessions.c.id == id).values(seen=now)
            await self.store.execute(seen)
        return Known(row, id)

    async def check_banned(self, row: Any) -> None:
        """Refuse somebody who is banned, saying why and until when. Their cookie stays theirs:
        without it they would be somebody new."""
        if (row.banned or 0) > now_ms() and (refusal := await self.ban_of(row.id)):
            raise refusal

    async def ban_of(self, player: str) -> Refused | None:
        """What somebody is told who is banned, None if they are not."""
        row = await self.store.first(sa.select(players.c.banned).where(players.c.id == player))
        if row is None or (end := row.banned or 0) <= now_ms():
            return None
        of_player = (sanctions.c.player == player) & (sanctions.c.kind == "ban")
        query = sa.select(sanctions.c.reason).where(of_player).order_by(sanctions.c.at.desc())
        last = await self.store.first(query.limit(1))
        until = datetime.fromtimestamp(end / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
        return Refused("auth/banned", until=until, reason=last.reason if last else "")

    async def of(self, player: str) -> list[Any]:
        """The sessions of a player, the latest seen first."""
        query = sa.select(sessions).where(sessions.c.player == player)
        return list(await self.store.read(query.order_by(sessions.c.seen.desc())))

    async def ids_of(self, player: str) -> list[str]:
        """The ids of the same."""
        return [session.id for session in await self.of(player)]

    async def end(self, *ids: str) -> None:
        await self.store.execute(sa.delete(sessions).where(sessions.c.id.in_(ids)))

    async def ended(self, ids: Collection[str]) -> set[str]:
        """Those that are no more, or whose owner is banned."""
        query = sa.select(sessions.c.id).join_from(sessions, players)
        free = sa.func.coalesce(players.c.banned, 0) <= now_ms()
        rows = await self.store.read(query.where(sessions.c.id.in_(ids), free))
        return set(ids) - {row.id for row in rows}


class Devices:
    """Devices from which somebody has signed in to an account, known by a signed cookie that stays
    when they sign out: it opens nothing, but lets them try a password though others have used up
    the tries there are (decision 22)."""

    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"device" + secret).digest()

    def cookie(self, player: str) -> str:
        """For a device that has just signed in."""
        name = secrets.token_urlsafe(16)
        return f"{name}.{self._signature(player, name)}"

    def known(self, cookie: str | None, player: str) -> str | None:
        """The name of a device that has signed in as this player before."""
        name, _, signature = (cookie or "")[:100].partition(".")
        good = hmac.compare_digest(signature.encode(), self._signature(player, name).encode())
        return name if good else None

    def _signature(self, player: str, name: str) -> str:
        return hmac.digest(self._key, f"{player} {name}".encode(), "sha256").hex()


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def cookie_name(secure: bool) -> str:
    return SECURE_COOKIE if secure else COOKIE


def device_cookie_name(secure: bool) -> str:
    return cookie_name(secure) + DEVICE


def token_in(cookies: Mapping[str, str], secure: bool) -> str | None:
    """The token a client sent. What an older server has given over HTTPS has the plain name."""
    return cookies.get(cookie_name(secure)) or (_older(cookies.get(COOKIE)) if secure else None)


def _older(cookie: str | None) -> str | None:
    return cookie if cookie and "." in cookie else None


def device_name(agent: str) -> str:
    """What a person calls the device: a browser and a system, or the program that asks."""
    browser = next((name for sign, name in BROWSERS.items() if sign in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    program = re.match(r"[\w .-]{1,40}", agent)
    return " · ".join(filter(None, (browser, system))) or (program[0] if program else "")
