"""Many people playing at once, and what must be true of their matches afterwards."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import sqlalchemy as sa

import tanistry
from tanistry.client import AsyncClient, AsyncTable, RefusedByServer
from tanistry.server.schema import seats, tables
from tanistry.server.store import Store
from tanistry.server.tournaments.reading import Tournament
from tanistry.tournaments.boards import WIN
from tests.patience import PATIENCE

PASSING = ("server/busy", "move/stale", "table/conflict")
"""Refusals after which one looks again."""


def how_many(usual: int) -> int:
    """The size of a crowd; TANISTRY_TEST_CROWD multiplies it."""
    return round(usual * float(os.environ.get("TANISTRY_TEST_CROWD", "1")))


class Seeker:
    """Somebody who looks for somebody to play with, however often the line breaks."""

    def __init__(self, url: str) -> None:
        self.client = AsyncClient(url)
        self.client.heard = self._hear
        self.table: str | None = None
        self._looks = False

    def _hear(self, frame: str) -> None:
        message = json.loads(frame)
        if message["type"] == "seeking":
            self._looks = message["on"]
            self.table = message["table"] or self.table  # which may begin though the line breaks

    async def meet(self, game: str = "claim") -> str:
        """Until a match has begun; its table."""
        came_by = 0
        while True:
            if self.table is not None and await self._begins(self.table):
                return self.table
            if came_by != self.client.connections or not self._looks:
                came_by = self.client.connections
                await self.client.ask("seek", game=game)  # a line that broke asks anew
            await asyncio.sleep(0.02)

    async def _begins(self, id: str) -> bool:
        try:
            table = await self.client.watch(id)
            own = next(seat for seat in table.data["seats"] if seat["you"])
            if table.data["status"] == "waiting" and not own["ready"]:
                await table.ready()
        except RefusedByServer as refused:
            if refused.code not in (*PASSING, "table/started", "table/over", "table/not-seated"):
                raise
        except OSError:  # the server is away
            return False
        return bool(self.client.tables[id].data["status"] in ("playing", "over"))


async def meetings(store: Store, seekers: list[Seeker], found: list[str]) -> None:
    """Each has one match and no other, with somebody who has the same."""
    ids = [seeker.client.you["id"] for seeker in seekers]
    mine = seats.c.player.in_(ids) & tables.c.status.in_(("playing", "over"))
    query = sa.select(seats.c.player, seats.c.table_id).join_from(seats, tables).where(mine)
    sat = [(row.player, row.table_id) for row in await store.read(query)]
    assert sorted(sat) == sorted(zip(ids, found, strict=True))
    assert set(Counter(found).values()) == {2}


@dataclass
class Crowd:
    """Matches between two clients each, possibly on different servers."""

    urls: list[str]
    seed: int = 1
    pause: float = 0.0
    clients: list[AsyncClient] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    acknowledged: dict[str, dict[int, tuple[int, str]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    finished: int = 0

    async def sit_down(self, matches: int, game: str = "claim") -> None:
        for number in range(matches):
            one = AsyncClient(self.urls[number % len(self.urls)])
            two = AsyncClient(self.urls[(number + 1) % len(self.urls)])
            await asyncio.gather(one.connect(), two.connect())
            table = await one.create(game, rated=False)
            await (await two.watch(table.id)).sit()
            await table.ready()
            await two.tables[table.id].ready()
            self.clients += [one, two]
            self.tables.append(table.id)

    async def play(self) -> None:
        """Play all matches to the end."""
        await asyncio.gather(
            *(self._play(client, next(iter(client.tables.values()))) for client in self.clients)
        )

    async def _play(self, client: AsyncClient, table: AsyncTable) -> None:
        chance = random.Random(f"{self.seed} {client.you['id']}")
        while await table.your_turn():
            await asyncio.sleep(self.pause * chance.random())
            turn, legal = table.turn, table.legal
            if not legal:
                continue
            token = chance.choice(legal)
            try:
                await table.play(token)
            except RefusedByServer as refused:
                if refused.code not in PASSING:
                    raise
                await asyncio.sleep(0.2)
                continue
            seat = table.seat
            assert seat is not None
            assert turn not in self.acknowledged[table.id]
            self.acknowledged[table.id][turn] = (seat, token)
        self.finished += 1

    async def settle(self) -> None:
        """Wait until everybody has heard that their match is over: its result is stored then."""
        for client in self.clients:
            for table in client.tables.values():
                await asyncio.wait_for(table.ended(), PATIENCE)

    async def leave(self) -> None:
        await asyncio.gather(*(client.close() for client in self.clients))

    async def check_ends(self, store: Store) -> int:
        """Whatever was killed, and when: a match is over just when its last choice is stored.

        How many are over.
        """
        over = 0
        for id in self.tables:
            found = await store.load(id)
            assert found is not None
            info, rows = found
            match = info.deal()
            for row in rows:
                match.play(row.token or "")
            assert (info.status == "over") == (match.result is not None), id
            over += info.status == "over"
        return over

    async def check(self, store: Store) -> int:
        """Every acknowledged move is stored, once, in its place; every match is over."""
        moves = 0
        for id in self.tables:
            found = await store.load(id)
            assert found is not None
            info, rows = found
            assert info.status == "over", (id, info.status)
            assert [row.ply for row in rows] == list(range(len(rows)))
            for turn, (seat, token) in self.acknowledged[id].items():
                assert (rows[turn].seat, rows[turn].token) == (seat, token), (id, turn)
            match = tanistry.game(info.game, seats=len(info.seats), **info.options).deal(
                info.deal_seed
            )
            for row in rows:
                assert match.to_act == row.seat
                match.play(row.token or "")
            assert match.result is not None
            assert info.result is not None
            assert match.result.scores == info.result["scores"]
            moves += len(rows)
        return moves


def check_tournament(cup: Tournament, count: int) -> None:
    """What must be true of a tournament for two that everybody has played to the end: everything
    is counted anew here, from the matches alone."""
    points: Counter[int] = Counter()
    for number, at_boards in enumerate(cup.at_boards(), 1):
        sat = [p for (game,) in at_boards for p in game.result.players]
        assert sorted(sat) == list(range(1, count + 1)), f"round {number}"
        for (game,) in at_boards:
            assert game.status == "over"
            assert game.result.ranks is not None
            one, other = game.result.ranks
            first, second = game.result.players
            points[first] += (one < other) * 2 + (one == other)
            points[second] += (other < one) * 2 + (one == other)
    met = Counter(frozenset(game.result.players) for game in cup.games)
    assert set(met.values()) == {1}, "nobody meets twice"
    lines = cup.standings()
    assert {line.player: line.points * 2 // WIN for line in lines} == {
        number: points[number] for number in range(1, count + 1)
    }
    assert [line.points for line in lines] == sorted((ln.points for ln in lines), reverse=True)
