"""Whether puzzles keep their solutions: each is asked anew, ten times as long and in other deals.

    python benchmarks/puzzles.py                       # all that come with the games
    python benchmarks/puzzles.py claim --sample 50     # fifty of them, drawn with --seed
    python benchmarks/puzzles.py lords.json            # those of a file

A puzzle keeps its solution if the same choice is still the best of all that are tried, alone where
the end can be calculated; intervals are of 95 %. Those that do not are listed, with what the best
choice now leaves more. `--minutes` is for each game.
"""

from __future__ import annotations

import argparse
import random
from functools import cache
from pathlib import Path

import tanistry
from resuming import add_arguments, answers
from tanistry.analysis.mind import Mind
from tanistry.analysis.puzzling import Collection, load_puzzles, puzzles
from tanistry.analysis.seeking import CALCULATED, CHECKS, checked
from tanistry.simulation.intervals import wilson

LONGER = 10
DEALS = LONGER * max(deals for deals, _ in CHECKS)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="games, or files of puzzles")
    parser.add_argument("--sample", type=int, help="only so many of each")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--salt", default="asked anew", help="another gives other deals")
    parser.add_argument("--seed", type=int, default=0, help="for the sample")
    add_arguments(parser)
    asked = parser.parse_args()
    print("| | asked | keep their solution | 95 % |\n|---|--:|--:|--:|")
    for name in asked.games or [game for game in tanistry.games() if puzzles(game)]:
        recheck(name, asked)


def recheck(name: str, asked: argparse.Namespace) -> None:
    kept = collection(name)
    chosen = list(kept.puzzles)
    if asked.sample and asked.sample < len(chosen):
        chosen = random.Random(asked.seed).sample(chosen, asked.sample)
    jobs = [(name, puzzle.name, asked.deals, asked.salt) for puzzle in chosen]
    found = answers(behind, jobs, asked)
    lost = [f"{puzzle}: {by:.1%}" for puzzle, by in found if by > 0]
    share = 1 - len(lost) / max(1, len(found))
    low, high = wilson(share, len(found))
    print(f"| {name} | {len(found)} | {share:.1%} | {low:.1%} – {high:.1%} |", *lost, flush=True)


@cache
def collection(name: str) -> Collection:
    kept = load_puzzles(Path(name)) if Path(name).is_file() else puzzles(name)
    if kept is None:
        raise SystemExit(f"{name}: no game that puzzles come with, and no file")
    return kept


@cache
def mind_of(name: str) -> Mind:
    return Mind(collection(name).game, LONGER * CALCULATED)


def behind(name: str, number: str, deals: int, salt: str) -> tuple[str, float]:
    """Of a puzzle by how much another choice is better than the solution; 0: none is."""
    kept = collection(name)
    puzzle = next(puzzle for puzzle in kept.puzzles if puzzle.name == number)
    mind, match = mind_of(name), kept.match(puzzle)
    opinion = checked(mind, match, puzzle.solution, deals, salt.encode())
    others = max(worth.win for worth in opinion.worths if worth.token != puzzle.solution)
    by = others - opinion.worth(puzzle.solution).win
    return number, 1.0 if opinion.known and by >= 0 else by


if __name__ == "__main__":
    main()
