"""Talk at a table: emotes for everybody, sent as codes that each reads in their own language, and
chat among those who sit there.

It is stored with the table before anybody hears of it, and is no part of the match: no record holds
it. A line is plain text; what could hide, forge or turn a line around is refused, not mended.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import blocks
from tanistry.server import messages as m
from tanistry.server.clocks import now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Data
from tanistry.server.live import Live, Watcher
from tanistry.server.people import FILLERS, PILE
from tanistry.server.refusals import Refused, wrong_value
from tanistry.server.rows import picked
from tanistry.server.schema import talk
from tanistry.server.store import Store

KINDS = ("talk", "emote", "chat", "talkers")
"""The messages that are about talk."""
LONGEST = 200
"""Signs of a line."""
MOST, WITHIN = 6, 10_000
"""Lines that one person may say within so many milliseconds, at all tables together."""
KEPT = 400
"""Lines that are kept of a table; the oldest go first."""
SHOWN = 100
"""Lines that one who comes is told."""
TRIES = 8
"""Of two who speak at once one is first."""
JOINERS = "\u200c\u200d"
"""Signs that cannot be seen, and that some scripts and faces are written with."""
FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{3,6}\U000e007f")
"""The flags of Scotland and its neighbours: a black one, and letters that cannot be seen."""
LINE = ("n", "at", "player", "name", "seat", "kind", "text")
"""What is told of a line."""


def clean_line(text: str) -> str:
    """A line as it is stored; refused if it holds more than can be seen."""
    line = re.sub(" +", " ", unicodedata.normalize("NFC", text)).strip(" ")
    plain = FLAG.sub("x", line)
    hidden = any(unicodedata.category(c)[0] == "C" and c not in JOINERS for c in plain)
    odd = any(unicodedata.category(c) in ("Zl", "Zp") or c in FILLERS for c in plain)
    said = any(unicodedata.category(c)[0] in "LNPS" for c in plain)
    if hidden or odd or not said or PILE.search(plain) or len(line) > LONGEST:
        raise Refused("talk/text", most=LONGEST)
    return line


def clean_title(text: str) -> str:
    """What a club or a tournament is called: a line with a letter or a digit."""
    line = clean_line(text)
    if not any(sign.isalnum() for sign in line):
        raise wrong_value("name", "no_letter")
    return line


class Talk:
    """What is said at the tables of one worker."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._store: Store = hall.store
        hall.sync.listeners["talk"] = self._heard

    async def do(self, who: Watcher, message: Any) -> Data:
        live = await self._hall.get(message.table)
        if who not in live.watchers:
            raise Refused("talk/away")
        if message.type == "talk":
            return await self.read(live, who, message.since)
        if message.type == "talkers":
            if live.info.host != who.player:
                raise Refused("table/not-host")
            line = await self._say(live, who, "level", message.who)
        elif message.type == "chat":
            line = await self._say(live, who, "chat", clean_line(message.text))
        else:
            line = await self._say(live, who, "emote", message.emote)
        return await self._message(live, who, [line])

    async def level(self, table: str) -> m.Talkers:
        """Who may chat at a table: what its host says, as far as the server's host allows."""
        most = self._hall.config.talk
        if most != "chat":
            return "nobody" if most == "emotes" else "silent"
        last = sa.select(talk.c.text).where(talk.c.table_id == table, talk.c.kind == "level")
        row = await self._store.first(last.order_by(talk.c.n.desc()).limit(1))
        found: m.Talkers = row.text if row else "seated"
        return found

    async def read(self, live: Live, who: Watcher, since: int | None = None) -> Data:
        """The last lines that somebody may read, or those after a line."""
        others = await blocks.apart(self._store, who.player)
        after = -1 if since is None else since
        found = await self._lines(live.info.id, after)
        seated = live.info.seat_of(who.player) is not None
        ripe = now_ms() - _lag(live)
        readable = [
            line_data(row)
            for row in found
            if (seated or (row.open and row.at <= ripe)) and row.player not in others
        ]
        return await self._message(live, who, readable)

    async def _message(self, live: Live, who: Watcher, lines: list[Data]) -> Data:
        level = await self.level(live.info.id)
        seated = live.info.seat_of(who.player) is not None
        return _told(live.info.id, level, seated, lines)

    async def _lines(self, table: str, after: int) -> list[Any]:
        query = sa.select(talk).where(talk.c.table_id == table, talk.c.n > after)
        rows = await self._store.read(query.order_by(talk.c.n.desc()).limit(SHOWN))
        return list(reversed(rows))

    # -- saying ---------------------------------------------------------------------------------

    async def _say(self, live: Live, who: Watcher, kind: str, text: str) -> Data:
        """Store a line, then tell it; the line."""
        table = live.info.id
        seat = live.info.seat_of(who.player)
        level = await self.level(table)
        if level == "silent" or (kind == "level" and self._hall.config.talk != "chat"):
            raise Refused("talk/off")
        if kind == "chat" and _may(level, seat is not None) != "chat":
            raise Refused("talk/off" if level == "nobody" else "talk/seated")
        await self._check_speaker(who.player)
        values = {"table_id": table, "player": who.player, "name": who.name[:24], "seat": seat}
        values |= {"kind": kind, "text": text, "at": now_ms()}
        values["open"] = kind != "chat" or level == "everybody"
        n = await self._insert(values)
        await self._tell(live, n)
        self._hall.sync.bus.publish(talk=table, n=n)
        return {name: {**values, "n": n}[name] for name in LINE}

    async def _check_speaker(self, player: str) -> None:
        row = await self._store.player(player)
        if row is not None and (row.muted or 0) > now_ms():
            raise Refused("talk/muted")
        if not self._hall.config.limits:
            return
        recent = (talk.c.player == player) & (talk.c.at > now_ms() - WITHIN)
        if await self._store.count(talk, recent) >= MOST:
            raise Refused("rate/talk")

    async def _insert(self, values: Data) -> int:
        """Store a line after all others of its table; its number."""
        of_table = talk.c.table_id == values["table_id"]

        async def body(connection: AsyncConnection) -> int:
            last = await connection.scalar(sa.select(sa.func.max(talk.c.n)).where(of_table))
            n = 0 if last is None else last + 1
            await connection.execute(sa.insert(talk).values(n=n, **values))
            old = of_table & (talk.c.n <= n - KEPT) & (talk.c.kind != "level")
            await connection.execute(sa.delete(talk).where(old))
            return n

        for _ in range(TRIES):
            try:
                return await self._store.transaction(body)
            except IntegrityError:  # another worker has just stored that number
                continue
        raise Refused("rate/talk")

    # -- telling --------------------------------------------------------------------------------

    async def _tell(self, live: Live, n: int) -> None:
        """Tell those who follow a table here what was said since they were last told, up to a line
        that is new."""
        table = live.info.id
        live.told = n - 1 if live.told is None else live.told
        rows = await self._lines(table, live.told)
        speakers = {row.player for row in rows}
        apart = {player: await blocks.apart(self._store, player or "") for player in speakers}
        level = await self.level(table)
        for row in rows:
            if row.n <= live.told:  # told meanwhile
                continue
            live.told = row.n
            seated = {who: seat is not None for who, seat in live.watchers.items()}
            for who, sits in seated.items():
                if who.player in apart[row.player] or not (sits or row.open):
                    continue
                frame = orjson.dumps(_told(table, level, sits, [line_data(row)]))
                if not sits and (lag := _lag(live)):
                    self._later(lag, live, who, frame)
                else:
                    who.send(frame)

    def _later(self, lag: int, live: Live, who: Watcher, frame: bytes) -> None:
        """Who sees the match later hears of it later too."""

        def send() -> None:
            if who in live.watchers:
                who.send(frame)

        asyncio.get_running_loop().call_later(lag / 1000, send)

    def _heard(self, news: Data) -> None:
        """Something was said at another worker."""
        table = str(news["talk"])
        if live := self._hall.registry.live.get(table):
            self._hall.background.spawn(self._tell(live, int(news["n"])))


def _may(level: str, seated: bool) -> str:
    """What somebody may say."""
    if level == "silent":
        return "nothing"
    return "chat" if level == "everybody" or (level == "seated" and seated) else "emotes"


def _told(table: str, level: str, seated: bool, lines: list[Data]) -> Data:
    told = {"type": "talk", "table": table, "who": level, "may": _may(level, seated)}
    return {**told, "lines": lines}


def line_data(row: Any) -> Data:
    return picked(row, LINE)


def _lag(live: Live) -> int:
    """Milliseconds by which spectators are behind."""
    return live.info.delay * 1000 if live.info.status == "playing" else 0
