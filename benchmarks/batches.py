"""Batched stepping on a GPU: steps per second with observations and random actions.

    python benchmarks/batches.py                     # every game, from 16,384 rows on
    python benchmarks/batches.py --games lords --seats 5 --rows 65536

A step is a choice in one row: drawn at random, played, and all that the next seat to act knows and
may choose written to the arrays. Where a match ends, the next one is dealt. Launching from Python
is part of the time; the best of several rounds counts.
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from typing import Any

import tanistry
from steps import markdown

ROWS = [1 << 14, 1 << 16, 1 << 18, 1 << 20]
WARM_UP = 60
"""Steps before it is timed, so that matches are at all stages."""


def seconds_a_step(rows: Any, seconds: float) -> float:
    """Of all rows, for at least so long."""
    wait = import_module("numba.cuda").synchronize
    steps = 8
    while True:
        wait()
        began = time.perf_counter()
        for _ in range(steps):
            rows.step(rows.random_actions())
        wait()
        taken = time.perf_counter() - began
        if taken >= seconds:
            return taken / steps
        steps *= 2


def rate(game: tanistry.Game, n: int, seconds: float, rounds: int) -> float:
    """Steps a second with n rows."""
    rows = tanistry.batch(game, n, seed=1, device="cuda")
    for _ in range(WARM_UP):
        rows.step(rows.random_actions())
    return n / min(seconds_a_step(rows, seconds) for _ in range(rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="*", default=list(tanistry.games()))
    parser.add_argument("--seats", type=int, help="as many as a game has by default")
    parser.add_argument("--rows", type=int, nargs="*", default=ROWS, help="matches side by side")
    parser.add_argument("--seconds", type=float, default=0.2, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    seats = {"seats": given.seats} if given.seats else {}
    table = []
    for name in given.games:
        game = tanistry.game(name, **seats)
        rates = [rate(game, n, given.seconds, given.rounds) / 1e6 for n in given.rows]
        table.append([name, *(f"{found:.0f}" for found in rates)])
    print("Million steps a second, by rows:\n")
    print(markdown(["game", *(f"{n:,}" for n in given.rows)], table))


if __name__ == "__main__":
    main()
