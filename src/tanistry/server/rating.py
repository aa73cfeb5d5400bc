"""Ratings: what a match is worth to those who played it.

It counts for whoever sat there when it began, and only after some play. How much depends on the
opponents: the same again within a day, or somebody who came today, is worth less each time, so that
nobody rises by beating a second self.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server.clocks import DAY
from tanistry.server.info import Data, Info
from tanistry.server.schema import players, rating_changes, ratings, seats, tables
from tanistry.server.tables import Table

LEAST_CHOICES = 2
"""Choices everybody must have made, unless the match was played to its end."""
NEWCOMER = 0.5
"""What a match with somebody who came within the last day is worth."""
REPEATS = 3
"""Matches with the same person within a day that count, each half as much as the one before."""

PROVISIONAL = 4.0
"""A rating whose deviation is above this is still a guess."""


def shown_rating(mu: float) -> int:
    """OpenSkill's mean on a scale people are used to: everybody begins at 1500."""
    return round(1500 + 40 * (mu - 25))


def left_early(table: Table) -> set[int]:
    """Seats that come last: who resigned, and who was gone with a bot in their place."""
    return table.resigned | {held.seat for held in table.info.seats if held.stand_in}


def has_enough_play(table: Table, result: Data) -> bool:
    """Whether a match is worth being counted."""
    made = Counter(table.rows[index].seat for index in table.standing)
    bound = [held.seat for held in table.info.seats if held.bound]
    return result["ended_by"] == "play" or all(made[seat] >= LEAST_CHOICES for seat in bound)


async def rate(connection: AsyncConnection, table: Table, result: Data, at: int) -> None:
    """New ratings for the persons of a match that is just over."""
    info = table.info
    persons = [held for held in info.seats if held.bound]
    ids = [held.bound for held in persons if held.bound]
    if len(ids) < 2 or len({*ids}) < len(ids) or not has_enough_play(table, result):
        return
    # Whoever's other match ends at this moment waits here: both are counted, one after the other.
    mine = sa.select(players.c.id, players.c.created).where(players.c.id.in_(ids))
    locked = mine.order_by(players.c.id).with_for_update(key_share=True)
    came = {row.id: row.created for row in await connection.execute(locked)}
    if len(came) < len(ids):
        return
    query = sa.select(ratings).where(ratings.c.game == info.game, ratings.c.player.in_(ids))
    known = {row.player: row for row in await connection.execute(query)}
    ranks = _ranks(info, result, left_early(table))
    after = _rated([known.get(id) for id in ids], [ranks[held.seat] for held in persons])
    for held, id, new in zip(persons, ids, after):
        weight = await _weight(connection, id, came, info.game, at)
        where = (seats.c.table_id == info.id) & (seats.c.seat == held.seat)
        await connection.execute(sa.update(seats).where(where).values(weight=weight))
        if weight:
            change = await _store(connection, id, info.game, known.get(id), new, weight)
            values = {"table_id": info.id, "seat": held.seat, "player": id, "game": info.game}
            await connection.execute(sa.insert(rating_changes).values(**values, **change, at=at))


def _ranks(info: Info, result: Data, left: set[int]) -> dict[int, float]:
    place = {seat: rank for rank, group in enumerate(result["ranking"]) for seat in group}
    return {seat: float(len(info.seats) if seat in left else place[seat]) for seat in place}


def _rated(known: list[Any], ranks: list[float]) -> list[Any]:
    """What OpenSkill makes of it, were it to count in full."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    values = [{"mu": row.mu, "sigma": row.sigma} if row else {} for row in known]
    before = [[model.rating(**given)] for given in values]
    return [new for (new,) in model.rate(before, ranks=ranks)]


async def _weight(
    connection: AsyncConnection, me: str, came: dict[str, int], game: str, now: int
) -> float:
    """How much a match counts for a player, by the opponent for whom it counts least."""
    own, other = seats.alias(), seats.alias()
    query = (
        sa.select(other.c.bound, players.c.created, tables.c.ended)
        .join_from(own, tables, tables.c.id == own.c.table_id)
        .join(other, (other.c.table_id == own.c.table_id) & (other.c.bound != own.c.bound))
        .join(players, players.c.id == other.c.bound)
        .where(own.c.bound == me, own.c.weight > 0)
        .where(tables.c.game == game, tables.c.ended > now - DAY)
    )
    # All who came on the day they were met are one opponent: they may well be one person.
    met = Counter(_opponent(*row) for row in await connection.execute(query))
    return min(
        _worth(met[_opponent(id, created, now)], is_new=now - created < DAY)
        for id, created in came.items()
        if id != me
    )


def _opponent(id: str, created: int, met: int) -> str:
    return "" if met - created < DAY else id


def _worth(before: int, is_new: bool) -> float:
    first = NEWCOMER if is_new else 1.0
    return first * 0.5**before if before < REPEATS else 0.0


async def _store(
    connection: AsyncConnection, id: str, game: str, row: Any, new: Any, weight: float
) -> Data:
    """Move a rating as far towards the new one as the match weighs; its mean before and after."""
    from openskill.models import PlackettLuce

    before = row or PlackettLuce().rating()
    values = {
        "mu": before.mu + weight * (new.mu - before.mu),
        "sigma": before.sigma + weight * (new.sigma - before.sigma),
        "matches": (row.matches if row else 0) + 1,
    }
    if row:
        where = (ratings.c.player == id) & (ratings.c.game == game)
        await connection.execute(sa.update(ratings).where(where).values(**values))
    else:
        await connection.execute(sa.insert(ratings).values(player=id, game=game, **values))
    return {"before": before.mu, "mu": values["mu"]}
