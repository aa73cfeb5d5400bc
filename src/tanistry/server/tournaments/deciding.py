"""What is decided about a tournament: making it, coming and going, its start and its end.

Whatever it is raises its revision from the number that was read before, in one transaction: of
several workers that decide the same, one does.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.server import catalogue, clubs
from tanistry.server.acts import CONSOLE, Actor, noted
from tanistry.server.bodies import NewTournament
from tanistry.server.clocks import now_ms
from tanistry.server.info import Data, Seat
from tanistry.server.refusals import Refused, wrong_value
from tanistry.server.rows import new_id
from tanistry.server.schema import entrants, ratings, tables
from tanistry.server.schema import tournaments as cups
from tanistry.server.store import Store
from tanistry.server.talk import clean_title
from tanistry.server.thinking import check_bot, persona
from tanistry.server.tournaments.reading import Entrant, Tournament, load
from tanistry.server.verbs import new_info

AT_ONCE = 5
"""Tournaments of one person that are not over."""
TRIES, PAUSE = 100, 0.05
"""How often something is decided anew when others decide at the same moment, and the most seconds
between two tries."""

P = ParamSpec("P")
R = TypeVar("R")


class Taken(Exception):
    """Somebody else has decided something meanwhile: nothing of this has happened."""


async def claim(connection: AsyncConnection, cup: Tournament, **values: Any) -> None:
    """Be the one who decides: by what was read, or not at all."""
    same = (cups.c.id == cup.id) & (cups.c.revision == cup.row.revision)
    change = sa.update(cups).where(same).values(revision=cup.row.revision + 1, **values)
    if (await connection.execute(change)).rowcount != 1:
        raise Taken


async def decide(store: Store, cup: Tournament, *statements: Any, **values: Any) -> None:
    """Change a tournament, and what else goes with it."""

    async def body(connection: AsyncConnection) -> None:
        await claim(connection, cup, **values)
        for statement in statements:
            await connection.execute(statement)

    await store.transaction(body)


def anew(work: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Many come at the same moment, when a tournament is announced or its time has come: whoever
    was too late by a moment looks again, and is not told of it."""

    @wraps(work)
    async def done(*given: P.args, **named: P.kwargs) -> R:
        for _ in range(TRIES):
            try:
                return await work(*given, **named)
            except Taken:
                await asyncio.sleep(random.uniform(0, PAUSE))
        raise Refused("table/conflict")

    return done


async def create(store: Store, body: NewTournament, host: str, most_open: int = AT_ONCE) -> str:
    """A new tournament, which people may join; its id. Without a host it is the console's."""
    info = catalogue.game_info(body.game)
    allowed = [n for n in info.seats if (3 <= n <= 5) == (body.system == "tables")]
    if not allowed:
        needed = "3–5" if body.system == "tables" else "2"
        raise Refused("tournament/seats", needed=needed, seats=", ".join(map(str, info.seats)))
    wanted = body.seats or (4 if 4 in allowed else allowed[0])
    if wanted not in allowed or (body.system != "tables" and wanted != 2):
        raise wrong_value("seats", "literal_error", expected=", ".join(map(str, allowed)))
    mine = (cups.c.host == host) & cups.c.status.in_(("open", "playing"))
    if host and await store.count(cups, mine) >= most_open:
        raise Refused("tournament/many", most=most_open)
    filled = [Seat(seat) for seat in range(wanted)]
    made = new_info(info.name, body.options, filled, "")  # refuses options that cannot be
    values = {
        "id": new_id(),
        "name": clean_title(body.name),
        "game": info.name,
        "options": made.options,
        "system": body.system,
        "seats": wanted,
        "rounds": body.rounds,
        "clock": body.clock.clock().data(),
        "grace": body.grace,
        "rated": body.rated,
        "most": body.most,
        "host": host,
        "club": body.club,
        "status": "open",
        "created": now_ms(),
        "revision": 0,
    }
    written = _written_down(None if host else CONSOLE, "tournament", str(values["name"]))
    await store.execute(sa.insert(cups).values(**values), *written)
    return str(values["id"])


def _written_down(
    by: Actor | None, act: str, name: str, player: str | None = None
) -> list[sa.Insert]:
    """What somebody does by their role is; who runs the tournament needs none."""
    return [noted(by, act, player, tournament=name)] if by else []


def check_open(cup: Tournament) -> None:
    if cup.row.status != "open":
        raise Refused("tournament/started")


def _full(cup: Tournament, more: int = 1) -> None:
    if len(cup.entrants) + more > cup.row.most:
        raise Refused("tournament/full", most=cup.row.most)


@anew
async def join(store: Store, id: str, row: Any, others: Collection[str] = ()) -> None:
    """Somebody wants to play, or is back. `others`: those they keep apart from."""
    cup = await load(store, id)
    mine = cup.of(row.id)
    if mine is not None and mine.here:
        return
    await _check_welcome(store, cup, row.id)
    if mine is not None:
        return await _come_back(store, cup, mine)
    check_open(cup)
    _full(cup)
    if cup.row.rated and row.login is None:
        raise Refused("auth/no-account")
    if any(one.player in others for one in cup.entrants):
        raise Refused("table/apart")
    values = {"tournament_id": id, "entry": new_id(), "player": row.id, "name": row.name}
    insert = sa.insert(entrants).values(**values, here=True, at=now_ms())
    try:
        await decide(store, cup, insert)
    except IntegrityError:
        return  # they are in it already


async def _check_welcome(store: Store, cup: Tournament, player: str) -> None:
    """Refuse who is not in the club, and who was put out."""
    club = cup.row.club_name and cup.row.club  # one that is no more keeps nobody out
    if club and await clubs.part_of(store, club, player) is None:
        raise Refused("club/not-in")
    same = (entrants.c.tournament_id == cup.id) & (entrants.c.player == player)
    if await store.read(sa.select(entrants.c.entry).where(same, entrants.c.removed)):
        raise Refused("tournament/removed")


async def _come_back(store: Store, cup: Tournament, mine: Entrant) -> None:
    if cup.row.status != "playing" or cup.row.system == "knockout":
        raise Refused("tournament/out")
    await decide(store, cup, sa.update(entrants).where(_is(cup, mine)).values(here=True))


def _is(cup: Tournament, one: Entrant) -> Any:
    return (entrants.c.tournament_id == cup.id) & (entrants.c.entry == one.entry)


@anew
async def leave(store: Store, id: str, player: str) -> None:
    """Somebody does not want to play, or no longer: from the next round on they are not paired. A
    match that has begun is theirs to end; one that has not is forfeited."""
    cup = await load(store, id)
    mine = cup.of(player)
    if mine is None:
        raise Refused("tournament/not-in")
    if cup.row.status == "open":
        await decide(store, cup, sa.delete(entrants).where(_is(cup, mine)))
    elif cup.row.status == "playing":
        await decide(store, cup, sa.update(entrants).where(_is(cup, mine)).values(here=False))


@anew
async def remove(store: Store, id: str, entry: str, by: Actor | None = None) -> None:
    """Put somebody out, for good: they are not paired, and a match of theirs is given up. A bot
    that has not played is taken away. `by`: who does so by their role, which is written down."""
    cup = await load(store, id)
    if cup.row.status not in ("open", "playing"):
        raise Refused("tournament/over")
    one = next((one for one in cup.entrants if one.entry == entry), None)
    if one is None or one.removed:
        raise Refused("tournament/nobody")
    if one.player is None and cup.row.status == "open":
        change: Any = sa.delete(entrants)
    else:
        change = sa.update(entrants).values(here=False, removed=True)
    written = _written_down(by, "put-out", cup.row.name, one.player)
    await decide(store, cup, change.where(_is(cup, one)), *written)


@anew
async def add_bots(store: Store, id: str, bot: str | None, level: int | None, count: int) -> None:
    """Bots as players, each under a name of its own."""
    cup = await load(store, id)
    check_open(cup)
    _full(cup, count)
    name, level = check_bot(bot, level)
    taken = {one.name for one in cup.entrants}
    rows: list[Data] = []
    for number in range(count):
        called = _fresh_name(persona(name, level, len(cup.entrants) + number), taken)
        taken.add(called)
        values = {"tournament_id": id, "entry": new_id(), "player": None, "name": called}
        rows.append(values | {"bot": name, "level": level, "here": True, "at": now_ms() + number})
    await decide(store, cup, sa.insert(entrants).values(rows))


def _fresh_name(name: str, taken: Collection[str]) -> str:
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found


@anew
async def start(store: Store, id: str, by: Actor | None = None) -> None:
    """From now on nobody joins; seeds are by rating, then by who came first. The first round is
    paired by a worker, which sees that it has to be."""
    cup = await load(store, id)
    check_open(cup)
    if len(cup.entrants) < (least := cup.plan.least()):
        raise Refused("tournament/few", least=least)
    ids = [one.player for one in cup.entrants if one.player]
    query = sa.select(ratings.c.player, ratings.c.mu)
    rated = query.where(ratings.c.game == cup.row.game, ratings.c.player.in_(ids))
    strength = {row.player: row.mu for row in await store.read(rated)}
    seeded = sorted(cup.entrants, key=lambda one: -strength.get(one.player or "", 25.0))
    numbered = [
        sa.update(entrants).where(_is(cup, one)).values(number=n) for n, one in enumerate(seeded, 1)
    ]
    written = _written_down(by, "tournament-start", cup.row.name)
    await decide(store, cup, *numbered, *written, status="playing", started=now_ms())


@anew
async def cancel(store: Store, id: str, by: Actor | None = None) -> list[str]:
    """It is not played to its end; the tables that are closed by it."""
    cup = await load(store, id)
    if cup.row.status not in ("open", "playing"):
        raise Refused("tournament/over")
    waiting = [game.table for game in cup.games if game.status == "waiting" and game.table]
    still = tables.c.id.in_(waiting) & (tables.c.status == "waiting")
    values = {"status": "closed", "ended": now_ms(), "revision": tables.c.revision + 1}
    closed = sa.update(tables).where(still).values(**values)
    written = _written_down(by, "tournament-cancel", cup.row.name)
    await decide(store, cup, closed, *written, status="cancelled", ended=now_ms())
    return waiting
