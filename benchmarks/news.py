"""What it costs a worker to tell another that something happened, and how soon that one knows.

    python benchmarks/news.py                                    # sockets of one host
    python benchmarks/news.py --redis redis://127.0.0.1:6379/0   # and Redis

The workers are in one process, so that both ends have the same clock; each is told one thing after
the other, as matches do. Without any news a worker looks at the database every 0.3 seconds, which
is what a choice would take to get across at worst.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from typing import Any

from tanistry.server.bus import Bus
from tanistry.server.settings import Settings

TIMES = 2000


async def measure(config: Settings, workers: int) -> tuple[float, float, float]:
    """Microseconds of the sender's processor; median and 99th percentile until all others know."""
    heard: asyncio.Queue[float] = asyncio.Queue()

    def hear(news: dict[str, Any]) -> None:
        if "turn" in news:
            heard.put_nowait(time.perf_counter())

    buses = [Bus(config, f"worker-{number}", hear) for number in range(workers)]
    for bus in buses:
        bus.open()
    await asyncio.sleep(0.5)
    spent, late = 0.0, []
    for turn in range(TIMES):
        began, busy = time.perf_counter(), time.thread_time()
        buses[0].publish(table="0123456789abcd", turn=turn)
        spent += time.thread_time() - busy
        known = [await asyncio.wait_for(heard.get(), 5) for _ in buses[1:]]
        late.append(1e6 * (max(known) - began))
    for bus in buses:
        await bus.close()
    late.sort()
    return 1e6 * spent / TIMES, late[TIMES // 2], late[TIMES * 99 // 100]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--redis", default="")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plain = Settings(database=f"{folder}/news.db", workers=2)
        ways = {"sockets": plain}
        if args.redis:
            ways["redis"] = Settings(database=plain.database, workers=2, redis=args.redis)
        for name, config in ways.items():
            for workers in (2, 4, 8):
                cost, middle, late = asyncio.run(measure(config, workers))
                print(
                    f"{name:<8} {workers} workers: {cost:>5.0f} µs to tell, "
                    f"known after {middle:>5.0f} µs (p99 {late:.0f} µs)"
                )


if __name__ == "__main__":
    main()
