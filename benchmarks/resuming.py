"""Long measurements on several cores: each answer is a line of a file, with which the next run
goes on. Imported by the benchmarks beside it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tanistry.processes import spread
from tanistry.simulation.running import cores


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--minutes", type=float, help="begin nothing more after so many")
    parser.add_argument("--out", type=Path, help="keep answers there (JSON lines), and go on")


def answers(
    work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]], asked: argparse.Namespace
) -> list[Any]:
    """What came of each job that was done, now or before, in the order of the jobs."""
    told = (
        (json.loads(line) for line in asked.out.open()) if asked.out and asked.out.exists() else ()
    )
    done = {json.dumps(line["job"]): line["found"] for line in told}
    left = [job for job in jobs if json.dumps(job) not in done]
    if left:
        _keep(done, left[0], work(*left[0]), asked.out)  # compiles for all
    seconds = None if asked.minutes is None else 60 * asked.minutes
    with closing(spread(work, left[1:], asked.workers, seconds)) as found:
        for job, answer in found:
            _keep(done, job, answer, asked.out)
    return [done[key] for key in map(json.dumps, jobs) if key in done]


def _keep(done: dict[str, Any], job: tuple[Any, ...], answer: Any, out: Path | None) -> None:
    done[json.dumps(job)] = answer
    if out:
        with out.open("a") as file:
            print(json.dumps({"job": job, "found": answer}), file=file)
