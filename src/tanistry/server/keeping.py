"""Matches played elsewhere against bots: replayed and checked, then kept in somebody's history.

The device dealt them, so nothing is proved by them but that they hold; they are never rated.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Any

from tanistry.bots.personas import personas
from tanistry.errors import TanistryError
from tanistry.match import Match
from tanistry.match.records import read_headers
from tanistry.match.replaying import replay
from tanistry.server.clocks import now_ms
from tanistry.server.info import Info, Seat
from tanistry.server.refusals import Refused, refused
from tanistry.server.tables import Row, Table
from tanistry.server.thinking import persona, read_bot


def read(text: str, player: str, name: str) -> tuple[Info, list[Row]]:
    """A record as a table that is over; a refusal says what is wrong with it."""
    try:
        match = replay(text)
        headers, _ = read_headers(text)
    except TanistryError as error:
        raise refused(error) from None
    own = _own_seat(match, headers)
    now = now_ms()
    rows = [Row(ply, seat, "play", token, now) for ply, (seat, token) in enumerate(match.history)]
    if match.result is None:
        rows.append(Row(len(rows), own, "resign", None, now))
    info = Info(
        id=_id(player, headers["Seed"], rows),
        game=match.game.name,
        version=match.game.info.version,
        options=dict(match.game.options),
        status="over",
        rated=False,
        host=player,
        seed=bytes.fromhex(headers["Seed"]),
        salt=b"",  # nothing was promised before the deal
        created=now,
        started=now,
        ended=now,
        seats=[_bot(seat, headers) for seat in range(match.game.seats)],
    )
    info.seats[own] = Seat(own, "person", player, name, True)
    info.result = Table(info, rows).ended
    return info, rows


def _own_seat(match: Match, headers: dict[str, str]) -> int:
    """Where the one person sat who played the whole match, or resigned it."""
    own = [seat for seat in range(match.game.seats) if f"Bot{seat}" not in headers]
    if len(own) != 1 or "Position" in headers:
        raise Refused("record/whole")
    if match.result is None and headers.get("EndedBy") != f"resign {own[0]}":
        raise Refused("record/whole")
    return own[0]


def _bot(seat: int, headers: dict[str, str]) -> Seat:
    """A bot as the record calls it, as far as there is such a one here."""
    bot, level = None, None
    with suppress(Refused, ValueError):
        bot, level = read_bot(headers.get(f"Bot{seat}") or "nobody")
    said = headers.get(f"Seat{seat}", "")
    called = said if said in personas() else persona("", None, seat)  # anybody's
    return Seat(seat, "bot", None, called, True, bot, level)


def _id(player: str, seed: str, rows: list[Row]) -> str:
    """The same for the same match, so that sending it twice keeps it once."""
    told: list[Any] = [player, seed, *((row.seat, row.kind, row.token) for row in rows)]
    return "h" + hashlib.sha256(repr(told).encode()).hexdigest()[:15]
