"""Telling people that it is their turn, in matches that take days: by push, or else by mail.

Only whoever has asked for it is told, once a turn, and not while they have the table open. That is
done beside the match and never keeps a choice waiting; a word that is lost is not said again.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from typing import Any

import orjson
import sqlalchemy as sa

import tanistry
from tanistry.server import push
from tanistry.server.background import guarded
from tanistry.server.clocks import DAY, HOUR, now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Data, Info
from tanistry.server.live import Live
from tanistry.server.mail import Post
from tanistry.server.people import People
from tanistry.server.refusals import Refused, server_words
from tanistry.server.schema import notices, players, pushes, sessions, tables
from tanistry.server.sessions import hashed
from tanistry.server.tables import Table
from tanistry.words import words

MOST = 10
"""Devices of one person that are told; the latest."""
FIRST, AGAIN = 60.0, 3600.0
"""Seconds after a start until turns are looked for of which nobody was told, and between looks."""
HEARD = 1.0
"""Seconds for other workers to say who is at a table that was just read."""


class Notices:
    """Tells people that a match waits for them."""

    def __init__(self, hall: Hall, people: People, post: Post | None) -> None:
        self._config = hall.config
        self._site = hall.config.site.rstrip("/")
        self._hall = hall
        self._people = people
        self._store = hall.store
        self._post = post
        self._pusher: push.Pusher | None = None
        self._key = b""

    async def open(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"stop" + secret).digest()
        if push.works(self._config):
            key = await self._store.kept("vapid", push.new_key())
            self._pusher = push.Pusher(self._config, key)
            self._people.push_key = self._pusher.public_key
        if self._post or self._pusher:
            self._hall.turned = self.look
            self._hall.background.every(AGAIN, self._look_around, FIRST)

    # -- who wants to be told -------------------------------------------------------------------

    async def set_mail(self, row: Any, lang: str | None) -> None:
        """Letters in a language, or none any more."""
        if lang is not None and (self._post is None or row.mail is None):
            raise Refused("mail/none" if self._post is None else "mail/address")
        await self._set_mail(row.id, lang)

    async def _set_mail(self, player: str, lang: str | None) -> None:
        change = sa.update(players).where(players.c.id == player).values(turn_mail=lang)
        await self._store.execute(change)

    async def add_device(self, player: str, session: str, device: Data) -> None:
        """Push to a device from now on, as long as it is signed in."""
        if self._pusher is None:
            raise Refused("push/none")
        if push.place_of(device["endpoint"], self._config.push_hosts) is None:
            raise Refused("push/address")
        values = {"player": player, "session": session, "at": now_ms(), **device}
        values["id"] = hashed(device["endpoint"])
        await self._store.upsert(pushes, "id", values)

    async def remove_device(self, endpoint: str) -> None:
        """Whoever knows the address of a device may have it left alone."""
        await self._store.execute(sa.delete(pushes).where(pushes.c.id == hashed(endpoint)))

    def stop_token(self, player: str) -> str:
        """By which letters to somebody are ended, without signing in and at any time."""
        return f"{player}.{hmac.digest(self._key, player.encode(), 'sha256').hex()}"

    async def stop(self, token: str) -> None:
        player = token.partition(".")[0]
        if not hmac.compare_digest(token.encode(), self.stop_token(player).encode()):
            raise Refused("auth/letter")
        await self._set_mail(player, None)

    # -- telling --------------------------------------------------------------------------------

    def look(self, live: Live) -> None:
        """The turn at a table may be somebody else's now."""
        seat = live.table.to_act
        if seat is None or not live.info.by_days or live.table.bot_plays(seat):
            return
        if seat not in live.present():
            self._hall.background.spawn(self._tell(live.info, live.table, seat))

    async def _tell(self, info: Info, table: Table, seat: int) -> None:
        turn, due = table.turn, table.flag_at()
        row = await self._store.player(info.seats[seat].player or "")
        if row is None or (row.banned or 0) > now_ms():
            return
        devices = await self._devices(row.id) if self._pusher else []
        mail = row.mail if self._post and row.turn_mail else None
        if not (devices or mail) or not await self._claim(info.id, seat, turn):
            return
        if not await self._push(info, devices) and mail:
            await self._write(info, row, due)

    async def _devices(self, player: str) -> list[Any]:
        query = sa.select(pushes).join_from(pushes, sessions, pushes.c.session == sessions.c.id)
        mine = query.where(pushes.c.player == player, sessions.c.player == player)
        return list(await self._store.read(mine.order_by(pushes.c.at.desc()).limit(MOST)))

    async def _claim(self, table: str, seat: int, turn: int) -> bool:
        """Whether nobody has been told of this turn; from now on somebody has."""
        return await self._store.raise_to(notices, {"table_id": table, "seat": seat}, "turn", turn)

    async def _push(self, info: Info, devices: list[Any]) -> bool:
        """Whether a push service has taken it for one of them."""
        taken = False
        for device in devices:
            assert self._pusher is not None
            said = server_words(device.lang)
            payload = {
                "title": said.text("push.turn", {"game": _title(info, device.lang)}),
                "body": said.text("push.opponents", {"names": _others(info, device.player)}),
                "path": f"/t/{info.id}",
                "stop": said.text("push.stop", {}),
            }
            sent = await self._pusher.send(device, orjson.dumps(payload), info.id)
            if sent is None:
                await self.remove_device(device.endpoint)
            taken |= bool(sent)
        return taken

    async def _write(self, info: Info, row: Any, due: int | None) -> None:
        assert self._post is not None
        said, token = server_words(row.turn_mail), self.stop_token(row.id)
        hours = max(0, (due or 0) - now_ms()) // HOUR
        told = {
            "login": row.login or "",
            "game": _title(info, row.turn_mail),
            "days": hours // (DAY // HOUR),
            "hours": hours % (DAY // HOUR),
            "site": self._site,
            "link": f"{self._site}/t/{info.id}",
            "stop": f"{self._site}/stop#{token}",
        }
        subject, text = (said.text(f"letters.turn.{part}", told) for part in ("subject", "text"))
        headers = {
            "List-Unsubscribe": f"<{self._site}/api/v1/notices/stop/{token}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        await self._post.send(row.mail, subject, text, headers)

    async def _look_around(self) -> None:
        """Turns of which nobody was told: the server was down, or they had the table open."""
        by_days = sa.cast(tables.c.clock, sa.Text).like('%"days"%')
        query = sa.select(tables.c.id).where(tables.c.status == "playing", by_days)
        for row in await self._store.read(query):
            with guarded(f"whose turn it is at table {row.id}"):
                await self._look_at(row.id)

    async def _look_at(self, table: str) -> None:
        known = table in self._hall.registry.live
        live = await self._hall.get(table)
        if not known and not self._config.alone:
            await asyncio.sleep(HEARD)
        self.look(live)

    def close(self) -> None:
        if self._pusher:
            self._pusher.close()


def _title(info: Info, lang: str) -> str:
    return words(lang, tanistry.info(info.game)).text("title")


def _others(info: Info, player: str) -> str:
    return ", ".join(held.name for held in info.seats if held.player != player)
