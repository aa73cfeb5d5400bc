"""How speed grew from version to version: the same measurement on several revisions, in one run.

    python benchmarks/versions.py                       # the milestones below and the working tree
    python benchmarks/versions.py eb0eb69 --games claim --json versions.json

Each revision is taken out of git into a folder of its own, its kernels are compiled there, and it
waits in a process for its turn. All take turns, OpenSpiel's spades among them, several rounds, and
the best round of each counts. The time is processor time of the process that plays. "Played" are
random matches, "observed" batched steps with what the seat to act knows, 256 matches side by side.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import process_time
from typing import Any

import tanistry

MILESTONES = {
    "47185d1": "all four games",
    "0934b2e": "choices and deals without branches",
    "eb0eb69": "observations by straight code",
    "6989af8": "games as declared data",
}
"""Revisions, and what was new in each."""
HERE = "working tree"
MATCHES, ROWS = 256, 256


# -- in the process of a revision -----------------------------------------------------------------


def play(name: str, matches: int) -> int:
    steps: int = tanistry.simulate(tanistry.game(name), n=matches, seed=1, threads=1).steps
    return steps


_batches: dict[str, Any] = {}


def observe(name: str, matches: int) -> int:
    """As many steps of all rows as are asked for."""
    if name not in _batches:
        _batches[name] = tanistry.batch(tanistry.game(name), ROWS, seed=1)
    rows = _batches[name]
    for _ in range(matches):
        rows.step(rows.random_actions())
    return matches * ROWS


def answer() -> None:
    """Read what to do, line by line; answer with the steps made and the seconds they took."""
    kinds = {"played": play, "observed": observe}
    for line in sys.stdin:
        kind, name, matches = line.split()
        began = process_time()
        try:
            steps = kinds[kind](name, int(matches))
        except (AttributeError, KeyError, ValueError):  # not yet known to this revision
            steps = 0
        print(json.dumps([steps, process_time() - began]), flush=True)


# -- asking them ----------------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]


class Version:
    """A revision that plays when asked."""

    def __init__(self, revision: str, folder: Path, stack: ExitStack) -> None:
        self.revision = revision
        source = ROOT if revision == HERE else folder / revision
        if revision != HERE:
            source.mkdir()
            command = ["git", "-C", str(ROOT), "archive", revision, "src"]
            packed = subprocess.run(command, check=True, capture_output=True).stdout
            subprocess.run(["tar", "-x", "-C", str(source)], input=packed, check=True)
        environment = {**os.environ, "PYTHONPATH": str(source / "src")}
        if revision != HERE:
            environment["TANISTRY_CACHE"] = str(folder / f"{revision}.cache")
        self.process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, __file__, "--answer"],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        stack.callback(self.process.terminate)

    def ask(self, kind: str, name: str, matches: int) -> tuple[int, float]:
        assert self.process.stdin
        assert self.process.stdout
        print(kind, name, matches, file=self.process.stdin, flush=True)
        steps, seconds = json.loads(self.process.stdout.readline())
        return steps, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("revisions", nargs="*", default=[*MILESTONES, HERE])
    parser.add_argument("--games", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer:
        return answer()
    names = given.games or list(tanistry.games())
    # Here, since an old revision does without.
    from steps import OPEN_SPIEL, YARDSTICK, heading, markdown, open_spiel

    yard = open_spiel(OPEN_SPIEL[1], "one core")
    yard.warm_up(given.seconds)
    rates: dict[tuple[str, str, str], float] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        versions = [Version(revision, folder, stack) for revision in given.revisions]
        turns = [
            (version, kind, name, how_many(version, kind, name, given.seconds))
            for version in versions
            for kind in ("played", "observed")
            for name in names
        ]
        for _ in range(given.rounds):
            yard.round()
            for version, kind, name, matches in turns:
                if matches:
                    steps, seconds = version.ask(kind, name, matches)
                    key = version.revision, kind, name
                    rates[key] = max(rates.get(key, 0.0), steps / seconds)
    print(heading())
    for kind in ("played", "observed"):
        heads = [f"{kind}, million steps/s (× {YARDSTICK})", *names]
        rows = [
            [
                title(revision),
                *(shown(rates.get((revision, kind, n)), yard.rate) for n in names),
            ]
            for revision in given.revisions
        ]
        print(markdown(heads, rows))
    print(f"{YARDSTICK}: {yard.rate:,.0f} steps/s")
    if given.json:
        kept = {" ".join(key): rate for key, rate in rates.items()}
        given.json.write_text(json.dumps({YARDSTICK: yard.rate, **kept}, indent=1) + "\n")


def how_many(version: Version, kind: str, name: str, seconds: float) -> int:
    """Compile; then as many matches as fill a turn, 0 if the revision cannot play them."""
    steps, _ = version.ask(kind, name, 1)
    if not steps:
        return 0
    matches = MATCHES
    while (spent := version.ask(kind, name, matches)[1]) < seconds / 4:
        matches *= 2
    return max(1, round(matches * seconds / spent))


def title(revision: str) -> str:
    return f"{revision}: {MILESTONES[revision]}" if revision in MILESTONES else revision


def shown(rate: float | None, yard: float) -> str:
    return f"{rate / 1e6:.2f} ({rate / yard:.1f})" if rate else ""


if __name__ == "__main__":
    main()
