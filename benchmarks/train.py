"""How fast a game is learnt, and what takes the time: lessons of `tanistry train`, timed.

    python benchmarks/train.py [claim …] [--device cuda] [--rows 65536] [--lessons 5]

A lesson is: choices in all rows, all seats and options side by side, then learning from them. The
first two are not counted, for then kernels are compiled. Stepping alone is random play in the rows
of the first table, with observations and masks.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import tanistry

WARM_UP = 2
STEPS = 50


def timed(work: Callable[[], object], device: str) -> float:
    """Seconds until all of it is really done."""
    import torch

    def wait() -> None:
        if device == "cuda":
            torch.cuda.synchronize()

    wait()
    began = time.perf_counter()
    work()
    wait()
    return time.perf_counter() - began


def measure(game: str, rows: int, lessons: int, device: str) -> str:
    """A game's line of the table."""
    from tanistry.learning.running import start

    with tempfile.TemporaryDirectory() as folder:
        training = start(game, Path(folder), given={"rows": rows}, device=device)

    played = learnt = 0.0
    for lesson in range(WARM_UP + lessons):
        seconds = timed(training.play, device), timed(training.learn, device)
        if lesson >= WARM_UP:
            played, learnt = played + seconds[0], learnt + seconds[1]
    choices = lessons * sum(rollout.choices for rollout in training.rollouts)
    batch = training.rollouts[0].batch

    def step() -> None:
        for _ in range(STEPS):
            batch.step(batch.random_actions())

    stepping = STEPS * batch.n / timed(step, device)
    cells = (choices / (played + learnt), choices / played, choices / learnt, stepping)
    return f"| {game} | " + " | ".join(f"{rate / 1e6:.2f}" for rate in cells) + f" | {batch.n:,} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(tanistry.games()))
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--rows", type=int, default=512)
    parser.add_argument("--lessons", type=int, default=5)
    given = parser.parse_args()
    print("| million a second | learnt | played | of these learnt from | steps alone | in rows |")
    print("|---|--:|--:|--:|--:|--:|")
    for game in given.games:
        print(measure(game, given.rows, given.lessons, given.device), flush=True)


if __name__ == "__main__":
    main()
