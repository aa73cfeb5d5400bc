"""What the settings and levels of the search rest on: contests between two that differ in one.

    python benchmarks/settings.py --minutes 5 --workers 16
    python benchmarks/settings.py --only kilt --markdown settings.md

Each contest has a file in the folder `--out`, so that the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from tanistry.arena import Contest, run_all
from tanistry.arena.report import percent, span

SEED = 5

TABLES: dict[str, tuple[str, dict[str, Any], int]] = {
    "claim": ("claim", {}, 2_000),
    "kilt": ("kilt", {}, 2_000),
    "kilt4": ("kilt", {"seats": 4}, 1_000),
    "schotten": ("schotten", {}, 1_500),
    "basic": ("schotten", {"tactics": False}, 2_000),
    "lords": ("lords", {}, 500),
    "short": ("lords", {"seats": 3, "target": 1}, 500),
}
"""Each with its options and a number of iterations, N."""

SETTINGS = (
    ("iterations=N", "iterations=n"),
    ("iterations=N,by_score=0.4", "iterations=N"),
    ("iterations=N,widening=1.0", "iterations=N,widening=0.5"),
    ("iterations=N,exploration=0.7", "iterations=N"),
    ("iterations=N,guided=60", "iterations=N"),
)
"""N is the table's number of iterations, n a tenth of it."""

LEVELS = (
    ("iterations=100", "iterations=40,blunder=12"),
    ("iterations=40,blunder=12", "iterations=15,blunder=35"),
    ("iterations=15,blunder=35", "iterations=8,blunder=65"),
)


def contests(tables: list[str], games: int) -> dict[str, Contest]:
    """By name."""
    found = {}
    for table in tables:
        game, options, iterations = TABLES[table]
        for pair in SETTINGS + LEVELS:
            entrants = [
                "ismcts," + text.replace("N", str(iterations)).replace("=n", f"={iterations // 10}")
                for text in pair
            ]
            name = f"{table} {' '.join(pair)}".replace(" ", "_").replace(",", "-")
            found[name] = Contest.of(game, entrants, games=games, seed=SEED, **options)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", choices=list(TABLES), metavar="TABLE")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path("settings"))
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    every = {
        given.out / f"{name}.json": contest
        for name, contest in contests(given.only or list(TABLES), given.games).items()
    }
    results = run_all(
        every,
        workers=given.workers,
        until=60 * given.minutes,
        progress=lambda done, planned, _: print(f"{done} of {planned} deals", flush=True),
    )
    rows = ["| table | bot | against | matches | won | 95 % |", "|---|---|---|---:|---:|---:|"]
    for path, found in results.items():
        duel = found.table().duels[0]
        a, b = (text.removeprefix("ismcts,") for text in (duel.a, duel.b))
        mark = "" if duel.decided else " *open*"
        rows.append(
            f"| {path.name.partition('_')[0]} | {a} | {b} | {duel.matches} | {percent(duel.rate)} "
            f"| {span(duel)}{mark} |"
        )
    text = "\n".join(rows) + "\n"
    print(text)
    if given.markdown:
        given.markdown.write_text(text)


if __name__ == "__main__":
    main()
