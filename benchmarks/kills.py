"""Kill −9 by the thousand: is what was acknowledged still there, once, in its place?

    python benchmarks/kills.py                      # 1,000, half on SQLite, half on PostgreSQL
    python benchmarks/kills.py --kills 40           # a minute or two
    python benchmarks/kills.py --only sqlite

Two workers share a database; people play matches across both, as fast as they hear of each other.
Now one worker is killed, now the other, now both, and started again. Clients come back by
themselves and send again what was not answered. After every crowd, and every so many kills in the
middle of one, the database is compared with what clients were told:

- every acknowledged choice is stored, at its turn, by its seat, as it was made;
- the rows of a match have no gap, and every one of them is legal where it stands;
- a match is over just when its last choice is stored, with the result that the rules give.

Each comparison is a fact; the count of facts and of kills is printed, and anything that does not
hold ends the run with an error. Workers are forked from a process that has imported everything, so
that a thousand of them start in minutes. PostgreSQL comes from Debian's package, on a free port.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.server.crowd import Crowd  # noqa: E402
from tests.server.processes import free_port, is_listening  # noqa: E402
from tests.server.services import Postgres  # noqa: E402

from tanistry.server.settings import Settings  # noqa: E402
from tanistry.server.store import Store  # noqa: E402

MATCHES = 10
CHECK_EVERY = 20
"""Kills between two looks at the database in the middle of matches."""

fork = multiprocessing.get_context("forkserver")
fork.set_forkserver_preload(["tanistry.server.app", "tanistry.server.doors", "uvicorn"])


def serve(config: Settings) -> None:
    """One worker, in a process of its own."""
    import uvicorn

    from tanistry.server.app import create_app

    uvicorn.run(
        create_app(config),
        host=config.host,
        port=config.port,
        http="tanistry.server.doors:Http",
        ws="tanistry.server.doors:WebSocket",
        log_level="critical",
    )


class Worker:
    """A worker that is killed and started again at the same address."""

    def __init__(self, config: Settings) -> None:
        self.config = replace(config, port=free_port())
        self.url = f"http://127.0.0.1:{self.config.port}"
        self.start()

    def start(self) -> None:
        self.process = fork.Process(target=serve, args=(self.config,), daemon=True)
        self.process.start()

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    async def ready(self) -> None:
        while not is_listening(self.config.port):
            if not self.process.is_alive():
                raise RuntimeError("a worker does not start")
            await asyncio.sleep(0.02)


@dataclass
class Count:
    kills: int = 0
    matches: int = 0
    acknowledged: int = 0
    facts: int = 0


async def look(store: Store, crowd: Crowd, end: bool) -> int:
    """Compare the database with what clients were told; how many facts that was."""
    told = {id: dict(choices) for id, choices in crowd.acknowledged.items()}
    facts = 0
    for id in crowd.tables:
        found = await store.load(id)
        assert found is not None, id
        info, rows = found
        match = info.make_game().deal(info.deal_seed)
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
        await asyncio.sleep(chance.uniform(0.1, 0.5))
        chosen = workers if chance.random() < 0.1 else [chance.choice(workers)]
        for worker in chosen:
            worker.kill()
            count.kills += 1
        if count.kills % CHECK_EVERY == 0:
            count.facts += await look(store, crowd, end=False)
        for worker in chosen:
            worker.start()
        for worker in chosen:
            await worker.ready()
    await playing


async def run(config: Settings, target: int, seed: int) -> Count:
    count, chance = Count(), random.Random(seed)
    store = Store(config)
    await store.open()  # the schema, before workers that start at the same time
    workers = [Worker(config) for _ in range(2)]
    try:
        while count.kills < target:
            for worker in workers:
                await worker.ready()
            crowd = Crowd([worker.url for worker in workers], seed=count.matches, pause=0.3)
            await crowd.sit_down(MATCHES)
            try:
                await torment(workers, crowd, store, count, target, chance)
                await crowd.settle()
            finally:
                await crowd.leave()
            count.facts += await look(store, crowd, end=True)
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
                database=place, workers=2, limits=False, bot_pause=0, warm=False, metrics=""
            )
            found = asyncio.run(run(settings, -(-given.kills // len(kinds)), given.seed))
        took = time.monotonic() - began
        print(f"{kind}: {found}, {took:.0f} s")
        for name, value in vars(found).items():
            setattr(total, name, getattr(total, name) + value)
    print(f"nothing lost, nothing twice: {total}")


if __name__ == "__main__":
    main()
