"""Profiles: how somebody's ratings came about, what they play and how it ends. And who is best."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import sqlalchemy as sa

from tanistry.server import history, puzzling
from tanistry.server.info import Data
from tanistry.server.rating import PROVISIONAL, shown_rating
from tanistry.server.refusals import Refused
from tanistry.server.rows import in_parts, picked
from tanistry.server.schema import players, rating_changes, ratings
from tanistry.server.store import Store

COUNTED = 2000
"""The latest matches that results are counted from."""
POINTS = 500
"""The latest changes of a rating that are shown, per game."""
OPPONENTS = 50
"""Persons met most often that are named."""
LEAST_RATED = 10
"""Rated matches without which nobody is among the best of a game."""


async def profile(store: Store, row: Any, viewer: str | None) -> Data:
    """A profile as somebody may see it; a refusal if it is not for them."""
    own = row.id == viewer
    if not own and (row.private or row.login is None):
        raise Refused("player/private")
    games: dict[str, Counter[str]] = defaultdict(Counter)
    people: dict[str, Counter[str]] = defaultdict(Counter)
    counted = 0
    async for match in history.everything(store, row.id, COUNTED):
        counted += 1
        games[match["game"]][match["outcome"]] += 1
        for other in match["opponents"]:
            if other["kind"] == "person" and other["player"]:
                people[other["player"]][match["outcome"]] += 1
    return {
        "id": row.id,
        "name": row.name,
        "guest": row.login is None,
        "you": own,
        "private": row.private,
        "since": row.created,
        "ratings": await _ratings(store, row.id),
        "puzzles": await puzzling.ratings_of(store, row.id),
        "games": [{"game": name, **_tally(found)} for name, found in _most(games)],
        "opponents": await _opponents(store, people, own),
        "counted": counted,
    }


def _tally(found: Counter[str]) -> Data:
    return {"matches": found.total(), **{name: found[name] for name in ("won", "drawn", "lost")}}


def _most(found: dict[str, Counter[str]]) -> list[tuple[str, Counter[str]]]:
    return sorted(found.items(), key=lambda item: (-item[1].total(), item[0]))


async def _opponents(store: Store, met: dict[str, Counter[str]], own: bool) -> list[Data]:
    """Who was met, most often first; others are told only of those who show themselves."""
    names: dict[str, str] = {}
    for part in in_parts(met):
        query = sa.select(players.c.id, players.c.name).where(players.c.id.in_(part))
        if not own:
            query = query.where(players.c.private.is_(False), players.c.login.is_not(None))
        names |= {found.id: found.name for found in await store.read(query)}
    known = [(id, found) for id, found in _most(met) if id in names]
    return [{"player": id, "name": names[id], **_tally(found)} for id, found in known[:OPPONENTS]]


async def _ratings(store: Store, player: str) -> Data:
    found = await store.ratings_of(player)
    return {
        game: {**rating, "points": await _points(store, player, game)}
        for game, rating in found.items()
    }


async def _points(store: Store, player: str, game: str) -> list[Data]:
    """How a rating came about, oldest first; the first point is what it was before."""
    change = rating_changes.c
    query = sa.select(change.at, change.before, change.mu)
    mine = query.where(change.player == player, change.game == game)
    rows = list(await store.read(mine.order_by(change.at.desc()).limit(POINTS)))[::-1]
    after = [{"at": row.at, "value": shown_rating(row.mu)} for row in rows]
    return [{"at": row.at, "value": shown_rating(row.before)} for row in rows[:1]] + after


async def best(store: Store, game: str, limit: int) -> list[Data]:
    """Who plays a game best, as far as that is known: few matches prove nothing."""
    query = (
        sa.select(players.c.id, players.c.name, ratings.c.mu, ratings.c.matches)
        .join_from(ratings, players, players.c.id == ratings.c.player)
        .where(ratings.c.game == game, ratings.c.matches >= LEAST_RATED)
        .where(ratings.c.sigma <= PROVISIONAL)
        .where(players.c.login.is_not(None), players.c.private.is_(False))
        .order_by((ratings.c.mu - 3 * ratings.c.sigma).desc(), players.c.id)
        .limit(limit)
    )
    return [
        picked(row, ("id", "name", "matches"))
        | {"value": shown_rating(row.mu), "provisional": False}
        for row in await store.read(query)
    ]
