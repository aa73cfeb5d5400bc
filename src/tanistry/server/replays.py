"""After the end: records, and every position with all hands open."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import orjson

import tanistry
from tanistry.errors import RecordError, TanistryError
from tanistry.match import Match
from tanistry.match.records import read_headers
from tanistry.match.replaying import replay
from tanistry.server.info import Data
from tanistry.server.refusals import Refused, refused
from tanistry.server.tables import Table
from tanistry.session.replay import seen_with
from tanistry.words import words

Ask = Callable[..., Awaitable[Any]]
MOST_KEPT = 32
"""Replays that are kept; the longest have half a megabyte."""


def _finished(table: Table) -> Match:
    """The match, if it may be shown: this is the only way to the open cards."""
    if table.info.status != "over" or table.match is None or not table.over:
        raise Refused("table/running")
    return table.match


def record(table: Table) -> str:
    """The record of a finished match; its commitment was public before the deal, if it has one."""
    match = _finished(table)
    info = table.info
    ended = datetime.fromtimestamp((info.ended or 0) / 1000, UTC)
    headers = {
        "Date": ended.date().isoformat(),
        "Table": info.id,
        **{f"Seat{held.seat}": held.name for held in info.seats},
    }
    if info.salt:
        headers["Salt"] = info.salt.hex()
    else:
        headers["Commitment"] = ""  # dealt on somebody's device: nothing was promised
    if info.deal_seed != info.seed:
        headers["ServerSeed"] = info.seed.hex()
        headers["Nonces"] = ",".join(held.nonce or "" for held in info.seats)
    result = info.result or {}
    if result.get("ended_by") != "play":
        by = result.get("by")
        headers["EndedBy"] = f"{result.get('ended_by')}" + ("" if by is None else f" {by}")
    return match.record(**headers)


def steps(table: Table, lang: str | None) -> list[Data]:
    """The positions from the deal to the end, with what happened between them."""
    _finished(table)
    match = table.info.deal()
    texts = words(lang, tanistry.info(table.info.game)) if lang else None
    names = table.names()
    first: Data = {"turn": 0, "seat": None, "token": None, "events": []}
    found: list[Data] = [{**first, **_shown(match, lang)}]
    for turn, index in enumerate(table.standing, 1):
        row = table.rows[index]
        assert row.token is not None
        view = match.view(row.seat) if texts else None
        events = [seen_with(event, "all") for event in match.play(row.token)]
        step: Data = {"turn": turn, "seat": row.seat, "token": row.token, "events": events}
        if texts:
            step["label"] = texts.token(row.token, view, names)
            for event in events:
                event["text"] = texts.event(event, names, row.seat)
        found.append({**step, **_shown(match, lang)})
    return found


class Shelf:
    """The replays that were asked for last: a match that is over does not change, and laying one
    out takes up to a third of a second."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], bytes] = OrderedDict()

    async def steps(self, table: Table, lang: str | None, ask: Ask) -> bytes:
        """As JSON; `ask` has the work done where it keeps nobody waiting."""
        key = (table.info.id, lang or "", *table.names())
        if key not in self._kept:
            self._kept[key] = orjson.dumps(await ask(steps, table, lang))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _shown(match: Match, lang: str | None) -> Data:
    """Everything on the table; in a language with how the match stands."""
    shown: Data = {"position": match.position()}
    if lang:
        shown["tally"] = match.tally(None)
    return shown


def verify(text: str) -> Data:
    """Play a record again: seed and commitment fit, choices are legal, the result holds."""
    try:
        match = replay(text)
        headers, _ = read_headers(text)
        if "Commitment" not in headers:  # whatever holds, nothing was promised
            raise RecordError("record/lacks", name="Commitment")
    except TanistryError as error:
        raise refused(error) from None
    result: Any = match.result
    return {
        "holds": True,
        "game": match.game.name,
        "commitment": headers.get("Commitment"),
        "result": "-".join(map(str, result.scores)) if result else "*",
        "choices": len(match.history),
        "players": {
            key[4:]: name
            for key, name in headers.items()
            if key.startswith("Seat") and key != "Seats"
        },
    }
