"""What somebody has played: matches that are over, looked through page by page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tanistry.server.info import Data
from tanistry.server.rating import shown_rating
from tanistry.server.rows import picked
from tanistry.server.schema import moves, rating_changes, seats, tables
from tanistry.server.store import Store

PAGE = 200
"""Matches read at once where some of them may not be wanted."""
MOST_LOOKED_AT = 2000
"""Matches one question may look through; what is left is found from the next page on."""


@dataclass(frozen=True)
class Wanted:
    """Which matches; None: whichever."""

    game: str | None = None
    rated: bool | None = None
    outcome: str | None = None
    opponent: str | None = None
    """A part of a name, or somebody's id."""

    @property
    def is_all(self) -> bool:
        return not (self.outcome or self.opponent)

    def fits(self, match: Data) -> bool:
        """What the database cannot tell by itself: results are data, names in any script."""
        return self.outcome in (None, match["outcome"]) and self._met(match["opponents"])

    def _met(self, others: list[Data]) -> bool:
        if not self.opponent:
            return True
        part = self.opponent.casefold()
        return any(
            part in other["name"].casefold() or self.opponent == other["player"] for other in others
        )


async def page(
    store: Store, player: str, wanted: Wanted, before: str | None, limit: int
) -> tuple[list[Data], str | None]:
    """Matches before a place in the history, and the place after them; None: there are no more."""
    found: list[Data] = []
    size = limit + 1 if wanted.is_all else PAGE
    for _ in range(0, MOST_LOOKED_AT, size):
        batch = await _batch(store, player, wanted, before, size)
        for match in batch:
            if len(found) == limit:
                return found, before
            before = place(match)
            if wanted.fits(match):
                found.append(match)
        if len(batch) < size:
            return found, None
    return found, before


async def everything(store: Store, player: str, most: int | None = None) -> AsyncIterator[Data]:
    """The whole history, or so many of the latest matches."""
    before, count = None, 0
    while most is None or count < most:
        batch = await _batch(store, player, Wanted(), before, PAGE)
        for match in batch[: None if most is None else most - count]:
            yield match
        if len(batch) < PAGE:
            return
        before, count = place(batch[-1]), count + len(batch)


def place(match: Data) -> str:
    """Where a match stands in the history: many may end in one millisecond."""
    return f"{match['ended']}.{match['table']}"


READABLE = sa.cast(tables.c.result, sa.Text).like('{%"ranking"%}')
"""A table that was damaged hides itself, and none of the others."""


async def _batch(
    store: Store, player: str, wanted: Wanted, before: str | None, size: int
) -> list[Data]:
    change = rating_changes.c
    own = (change.table_id == tables.c.id) & (change.seat == seats.c.seat)
    query = (
        sa.select(tables, seats.c.seat, change.before, change.mu)
        .join_from(seats, tables, tables.c.id == seats.c.table_id)
        .outerjoin(rating_changes, own & (change.player == player))
        .where(seats.c.player == player, seats.c.kind == "person", tables.c.status == "over")
        .where(READABLE)
        .order_by(tables.c.ended.desc(), tables.c.id.desc())
        .limit(size)
    )
    if wanted.game is not None:
        query = query.where(tables.c.game == wanted.game)
    if wanted.rated is not None:
        counts = _counts()
        query = query.where(counts if wanted.rated else ~counts)
    if before is not None:
        ended, _, id = before.partition(".")
        query = query.where(sa.tuple_(tables.c.ended, tables.c.id) < (int(ended), id))
    rows = await store.read(query)
    ids = [row.id for row in rows]
    held, left = await _seats(store, ids), await gave_up(store, ids)
    return [_match(row, held[row.id], left[row.id]) for row in rows]


def _counts() -> Any:
    """As `endings.is_rated` says it of a table in memory: not among bots alone."""
    other = seats.alias()
    met = (other.c.table_id == tables.c.id) & (other.c.seat != seats.c.seat)
    return tables.c.rated.is_(True) & sa.exists().where(met, other.c.kind == "person")


async def _seats(store: Store, ids: list[str]) -> dict[str, list[Any]]:
    query = sa.select(seats).where(seats.c.table_id.in_(ids)).order_by(seats.c.seat)
    found: dict[str, list[Any]] = defaultdict(list)
    for row in await store.read(query) if ids else ():
        found[row.table_id].append(row)
    return found


async def gave_up(store: Store, ids: list[str]) -> dict[str, set[int]]:
    """Who resigned or ran out of time; with more than two seats others played on. They come last
    whatever the cards say, as with ratings."""
    return await seats_that(store, moves, moves.c.kind.in_(("resign", "flag")), ids)


async def seats_that(store: Store, rows: sa.Table, are: Any, ids: list[str]) -> dict[str, set[int]]:
    """Seats at some tables of which there are such rows."""
    query = sa.select(rows.c.table_id, rows.c.seat).where(rows.c.table_id.in_(ids), are)
    found: dict[str, set[int]] = defaultdict(set)
    for row in await store.read(query) if ids else ():
        found[row.table_id].add(row.seat)
    return found


OPPONENT = ("seat", "kind", "player", "name", "bot", "level")


def _match(row: Any, held: list[Any], left: set[int]) -> Data:
    others = [other for other in held if other.seat != row.seat]
    gone = left | {other.seat for other in held if other.stand_in}
    place, outcome = standing(row.result["ranking"], row.seat, gone)
    rating = None
    if row.mu is not None:
        rating = {"before": shown_rating(row.before), "after": shown_rating(row.mu)}
    return {
        "table": row.id,
        **picked(row, ("game", "options", "ended", "seat")),
        "seats": len(held),
        "opponents": [picked(other, OPPONENT) for other in others],
        "outcome": outcome,
        "place": place,
        "scores": row.result["scores"],
        "ended_by": row.result["ended_by"],
        "rated": bool(row.rated) and any(other.kind == "person" for other in others),
        "rating": rating,
        "kept": not row.salt,
    }


def standing(ranking: list[list[int]], seat: int, gone: set[int]) -> tuple[int, str]:
    """The place of a seat, and what that is called. Who left comes last, whatever a bot made of it,
    as with ratings."""
    stayed = [[one for one in group if one not in gone] for group in ranking]
    groups = [group for group in (*stayed, sorted(gone)) if group]
    at = next(index for index, group in enumerate(groups) if seat in group)
    if at:
        return 1 + sum(map(len, groups[:at])), "lost"
    return 1, "won" if len(groups[0]) == 1 else "drawn"
