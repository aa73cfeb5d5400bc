"""How well the example `examples/ppo_claim.py` learns, seed by seed: the table in docs/learning.md.

    python benchmarks/learning.py [--seeds 5] [--minutes 3] [--at-once 1] [--out learnt]

Each seed learns in a process of its own, on one thread. A seed whose curve lies in the folder
already is not learnt again.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "ppo_claim.py"
AIM = 0.9


def learn(seed: int, minutes: float, out: Path) -> list[dict[str, float]]:
    """The curve of a seed."""
    found = out / f"seed-{seed}-{minutes:g}-minutes" / "curve.csv"
    if not found.exists():
        options = ["--seed", str(seed), "--minutes", str(minutes), "--out", str(found.parent)]
        subprocess.run([sys.executable, str(EXAMPLE), *options], check=True)
    with found.open(newline="") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def row(seed: int, curve: list[dict[str, float]]) -> str:
    """A seed's line of the table."""
    last = curve[-1]
    reached = next((p["processor_seconds"] for p in curve if p["share"] >= AIM), None)
    when = "–" if reached is None else f"{reached:.0f} s"
    share, low, high = (100 * last[name] for name in ("share", "low", "high"))
    matches = f"{last['matches']:,.0f}"
    return f"| {seed} | {matches} | {when} | {share:.1f} % | {low:.1f} – {high:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=3, help="of processor time for each seed")
    parser.add_argument("--at-once", type=int, default=1, help="seeds that learn side by side")
    parser.add_argument("--out", type=Path, default=Path("learnt"), help="a folder for the curves")
    given = parser.parse_args()
    seeds = range(1, given.seeds + 1)
    with ThreadPoolExecutor(given.at_once) as pool:
        curves = list(pool.map(lambda seed: learn(seed, given.minutes, given.out), seeds))
    print("\n| seed | matches played | first judged at 90 % after | at the end | interval |")
    print("|--:|--:|--:|--:|--:|")
    for seed, curve in zip(seeds, curves, strict=True):
        print(row(seed, curve))


if __name__ == "__main__":
    main()
