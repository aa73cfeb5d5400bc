"""Many people playing at once, and what must be true of their matches afterwards."""

from __future__ import annotations

import asyncio
import os
import random
from collections import defaultdict
from dataclasses import dataclass, field

import tanistry
from tanistry.client import AsyncClient, AsyncTable, RefusedByServer
from tanistry.server.store import Store
from tests.patience import PATIENCE

PASSING = ("server/busy", "move/stale", "table/conflict")
"""Refusals after which one looks again."""


def how_many(usual: int) -> int:
    """The size of a crowd; TANISTRY_TEST_CROWD multiplies it."""
    return round(usual * float(os.environ.get("TANISTRY_TEST_CROWD", "1")))


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
            match = info.make_game().deal(info.deal_seed)
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
