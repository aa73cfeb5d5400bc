"""Kill −9 by the thousand: is what was acknowledged still there, once, in its place?

    python benchmarks/kills.py                      # 1,000, half on SQLite, half on PostgreSQL
    python benchmarks/kills.py --kills 40           # a minute or two
    python benchmarks/kills.py --only sqlite

Two workers share a database; people play matches across both, as fast as they hear of each other.
Now one worker is killed, now the other, now both, and started again. Clients come back by
themselves and send again what was not answered. Between two crowds of matches as many people look
for somebody to play with and join a club, by either worker, while these are killed: everybody must
get one match and no other, and be in the club once. Six bots play that club's tournament all the
while: everybody must meet everybody once, and the standings be what the matches say. After every
kill, and once more when all matches of a crowd are over, the database is compared with what clients
were told:

- every acknowledged choice is stored, at its turn, by its seat, as it was made;
- the rows of a match have no gap, and every one of them is legal where it stands;
- a match is over just when its last choice is stored, with the result that the rules give.

Each comparison is a fact; the count of facts and of kills is printed, and anything that does not
hold ends the run with an error. Workers are forked from a process that has imported and compiled
everything, so that a thousand of them start in minutes. PostgreSQL comes from Debian's package, on
a free port.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import uvicorn

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.patience import PATIENCE  # noqa: E402
from tests.server.crowd import (  # noqa: E402
    PASSING,
    Crowd,
    Seeker,
    check_tournament,
    meetings,
)
from tests.server.processes import free_port, is_listening  # noqa: E402
from tests.server.services import Postgres  # noqa: E402

import tanistry  # noqa: E402
from tanistry.client import AsyncClient, RefusedByServer  # noqa: E402
from tanistry.server import clubs  # noqa: E402
from tanistry.server.app import create_app  # noqa: E402
from tanistry.server.info import Info  # noqa: E402
from tanistry.server.schema import tables  # noqa: E402
from tanistry.server.settings import Settings  # noqa: E402
from tanistry.server.store import Store  # noqa: E402
from tanistry.server.tables import Row  # noqa: E402
from tanistry.server.tournaments import reading  # noqa: E402

GAME = "claim"
MATCHES = 10
MEETING_KILLS = 4
BOTS = 6


def serve(config: Settings) -> None:
    """One worker, in a process of its own."""
    uvicorn.run(
        create_app(config),
        host=config.host,
        port=config.port,
        http="tanistry.server.doors:Http",
        ws="tanistry.server.doors:WebSocket",
        log_level="critical",
    )


def nurse(orders: Connection, config: Settings) -> None:
    """Start and kill workers as told: they are copies of a process that has already played."""
    create_app(config)
    match = tanistry.game(GAME).deal(1)
    while match.result is None:
        match.play(match.legal()[0])
    gc.freeze()
    while (order := orders.recv()) is not None:
        if isinstance(order, Settings):
            if (pid := os.fork()) == 0:
                serve(order)
                os._exit(1)
            orders.send(pid)
        else:
            os.kill(order, signal.SIGKILL)
            orders.send(os.waitpid(order, 0))


class Nursery:
    """The process whose copies the workers are; it is begun before there are any threads."""

    def __init__(self, config: Settings) -> None:
        self._orders, theirs = multiprocessing.Pipe()
        forking = multiprocessing.get_context("fork")
        self._process = forking.Process(target=nurse, args=(theirs, config))
        self._process.start()

    def order(self, what: Settings | int) -> Any:
        self._orders.send(what)
        return self._orders.recv()

    def close(self) -> None:
        self._orders.send(None)
        self._process.join()


class Worker:
    """A worker that is killed and started again at the same address."""

    def __init__(self, nursery: Nursery, config: Settings) -> None:
        self._nursery = nursery
        self._config = replace(config, port=free_port())
        self.url = f"http://127.0.0.1:{self._config.port}"
        self.start()

    def start(self) -> None:
        self._pid: int | None = self._nursery.order(self._config)

    def kill(self) -> None:
        if self._pid is not None:
            self._nursery.order(self._pid)
        self._pid = None

    async def ready(self) -> None:
        for _ in range(6000):
            if is_listening(self._config.port):
                return
            await asyncio.sleep(0.01)
        raise RuntimeError("a worker does not start")


@dataclass
class Count:
    kills: int = 0
    matches: int = 0
    acknowledged: int = 0
    met: int = 0
    tournaments: int = 0
    facts: int = 0


Told = dict[str, dict[int, tuple[int, str]]]
"""The choices at each table that clients were told are stored: by turn, whose and which."""


async def load(store: Store, id: str) -> tuple[Info, list[Row]]:
    """A table and its rows. These are two reads, and the other worker is alive: of a match that
    ends between them all is read again, which happens once."""
    while True:
        found, now = await store.load(id), await store.infos(tables.c.id == id)
        assert found is not None, id
        if found[0].status == now[0].status:
            return found


async def look(store: Store, ids: list[str], told: Told, end: bool) -> int:
    """Compare the database with what clients were told; how many facts that was."""
    told = {id: dict(choices) for id, choices in told.items()}
    facts = 0
    for id in ids:
        info, rows = await load(store, id)
        match = info.deal()
        for turn, row in enumerate(rows):
            assert (row.ply, row.seat) == (turn, match.to_act), (id, turn)
            match.play(row.token or "")
            facts += 2
        for turn, choice in told.get(id, {}).items():
            assert (rows[turn].seat, rows[turn].token) == choice, (id, turn)
            facts += 1
        result = match.result
        over = result is not None
        assert (info.status == "over") == over, id
        assert over or not end, id
        assert result is None or (info.result or {})["scores"] == result.scores, id
        facts += 2
    return facts


async def torment(
    workers: list[Worker], crowd: Crowd, store: Store, count: Count, target: int, chance: Any
) -> None:
    """Kill until the matches are over, or there were enough kills."""
    playing = asyncio.create_task(crowd.play())
    while not playing.done() and count.kills < target:
        await asyncio.sleep(chance.uniform(0.2, 0.9))
        chosen = workers if chance.random() < 0.1 else [chance.choice(workers)]
        for worker in chosen:
            worker.kill()
            count.kills += 1
        count.facts += await look(store, crowd.tables, crowd.acknowledged, end=False)
        for worker in chosen:
            worker.start()
        for worker in chosen:
            await worker.ready()
    await playing


async def insist(client: AsyncClient, *request: Any) -> Any:
    """Ask until there is an answer."""
    while True:
        try:
            return await client.request(*request)
        except RefusedByServer as refused:
            if refused.code not in PASSING:
                raise
        except OSError:  # the server is away
            await asyncio.sleep(0.05)


class Club:
    """Somebody's club, and the tournament that its bots play."""

    def __init__(self, url: str) -> None:
        self._leader = AsyncClient(url)
        self._members: set[str] = set()

    async def begin(self) -> None:
        """While nothing is killed; the tournament is played from now on."""
        ask = self._leader.request
        me = (await ask("GET", "/me"))["id"]
        await ask("POST", "/account", {"login": me.lower(), "password": "rain on the glen"})
        club = await ask("POST", "/clubs", {"name": "Glen"})
        self._id, self._key, self._members = club["id"], club["key"], {me}
        new = {"name": "Night", "game": GAME, "system": "robin", "club": self._id}
        self._cup = (await ask("POST", "/tournaments", new))["id"]
        await ask("POST", f"/tournaments/{self._cup}/bots", {"bot": "random", "count": BOTS})
        await ask("POST", f"/tournaments/{self._cup}/start")

    async def join(self, client: AsyncClient) -> None:
        await insist(client, "POST", f"/clubs/{self._id}/members", {"key": self._key})
        self._members.add(client.you["id"])

    async def end(self, store: Store) -> int:
        """Wait for the tournament, and compare; how many facts that was."""
        async with asyncio.timeout(PATIENCE):
            while (cup := await reading.load(store, self._cup)).row.status != "over":
                await asyncio.sleep(0.2)
        members = [one.player for one in (await clubs.load(store, self._id)).members]
        assert sorted(members) == sorted(self._members)
        check_tournament(cup, BOTS)
        assert len(cup.games) == BOTS * (BOTS - 1) // 2
        played = [game.table or "" for game in cup.games]
        facts = await look(store, played, {}, end=True)
        return facts + len(members) + 2 * len(played) + BOTS


async def meet(workers: list[Worker], store: Store, club: Club, count: Count, chance: Any) -> None:
    """People look for somebody, and workers are killed until all have begun a match."""
    seekers = [Seeker(workers[number % 2].url) for number in range(2 * MATCHES)]
    await asyncio.gather(*(seeker.client.connect() for seeker in seekers))
    looking = asyncio.gather(*(seeker.meet(GAME) for seeker in seekers))
    joining = asyncio.gather(*(club.join(seeker.client) for seeker in seekers))
    for _ in range(MEETING_KILLS):
        await asyncio.sleep(chance.uniform(0.02, 0.5))
        worker = chance.choice(workers)
        worker.kill()
        count.kills += 1
        worker.start()
        await worker.ready()
    await joining
    await meetings(store, seekers, await looking)
    count.met += len(seekers)
    await asyncio.gather(*(seeker.client.close() for seeker in seekers))


async def run(config: Settings, nursery: Nursery, target: int, seed: int) -> Count:
    count, chance = Count(), random.Random(seed)
    store = Store(config)
    await store.open()  # the schema, before workers that start at the same time
    workers = [Worker(nursery, config) for _ in range(2)]
    try:
        while count.kills < target:
            for worker in workers:
                await worker.ready()
            club = Club(workers[0].url)
            await club.begin()
            await meet(workers, store, club, count, chance)
            crowd = Crowd([worker.url for worker in workers], seed=count.matches, pause=0.1)
            await crowd.sit_down(MATCHES, GAME)
            try:
                await torment(workers, crowd, store, count, target, chance)
                await crowd.settle()
            finally:
                await crowd.leave()
            count.facts += await look(store, crowd.tables, crowd.acknowledged, end=True)
            count.facts += await club.end(store)
            count.tournaments += 1
            count.matches += len(crowd.tables)
            count.acknowledged += sum(map(len, crowd.acknowledged.values()))
            print(f"  {count}", flush=True)
    finally:
        for worker in workers:
            worker.kill()
        await store.close()
    return count


@contextmanager
def database(kind: str) -> Iterator[str]:
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "kills.db")
        return
    postgres = Postgres().start()
    try:
        yield postgres.url
    finally:
        postgres.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill workers, and look what is lost.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kinds = [given.only] if given.only else ["sqlite", "postgresql"]
    total = Count()
    for kind in kinds:
        began = time.monotonic()
        with database(kind) as place:
            settings = Settings(
                database=place,
                workers=2,
                limits=False,
                bot_pause=0,
                warm=False,
                metrics="",
                clubs="members",
                tournaments="members",
            )
            nursery = Nursery(settings)
            try:
                found = asyncio.run(
                    run(settings, nursery, -(-given.kills // len(kinds)), given.seed)
                )
            finally:
                nursery.close()
        took = time.monotonic() - began
        print(f"{kind}: {found}, {took:.0f} s")
        for name, value in vars(found).items():
            setattr(total, name, getattr(total, name) + value)
    print(f"nothing lost, nothing twice: {total}")


if __name__ == "__main__":
    main()
