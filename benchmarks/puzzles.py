"""Whether puzzles keep their solutions: each is asked anew, ten times as long and in other deals.

    python benchmarks/puzzles.py                       # all that come with the games
    python benchmarks/puzzles.py claim --sample 50     # fifty of them, drawn with --seed
    python benchmarks/puzzles.py lords.json            # those of a file

A puzzle keeps its solution if the same choice is still the best of all that are tried; intervals
are of 95 %. Those that do not are listed, with what the best choice now leaves more.
"""

from __future__ import annotations

import argparse
import random
from contextlib import closing
from functools import cache
from pathlib import Path

import tanistry
from tanistry.analysis.mind import Mind
from tanistry.analysis.puzzling import Collection, Puzzle, load_puzzles, puzzles
from tanistry.analysis.seeking import CHECKS, Settled, checked
from tanistry.match.game import settled
from tanistry.processes import spread
from tanistry.simulation.intervals import wilson
from tanistry.simulation.running import cores

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
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--minutes", type=float, help="stop after so many, for each")
    asked = parser.parse_args()
    print("| | asked | keep their solution | 95 % |\n|---|--:|--:|--:|")
    for name in asked.games or [game for game in tanistry.games() if puzzles(game)]:
        recheck(name, asked)


def recheck(name: str, asked: argparse.Namespace) -> None:
    kept = collection(name)
    chosen = list(kept.puzzles)
    if asked.sample and asked.sample < len(chosen):
        chosen = random.Random(asked.seed).sample(chosen, asked.sample)
    game = kept.game
    which: Settled = (game.name, game.seats, tuple(game.options.items()))
    jobs = ((which, puzzle, asked.deals, asked.salt.encode()) for puzzle in chosen)
    until = None if asked.minutes is None else 60 * asked.minutes
    count, lost = 0, []
    with closing(spread(ahead, jobs, asked.workers, until)) as answers:
        for (_, puzzle, *_), behind in answers:
            count += 1
            if behind > 0:
                lost.append(f"{puzzle.name}: {behind:.1%}")
    share = 1 - len(lost) / max(1, count)
    low, high = wilson(share, count)
    print(f"| {name} | {count} | {share:.1%} | {low:.1%} – {high:.1%} |", *lost, flush=True)


def collection(name: str) -> Collection:
    kept = load_puzzles(Path(name)) if Path(name).is_file() else puzzles(name)
    if kept is None:
        raise SystemExit(f"{name}: no game that puzzles come with, and no file")
    return kept


@cache
def mind_of(which: Settled) -> Mind:
    return Mind(settled(*which))


def ahead(which: Settled, puzzle: Puzzle, deals: int, salt: bytes) -> float:
    """By how much another choice is better than the solution; 0: none is."""
    mind = mind_of(which)
    match = Collection(mind.game, ()).match(puzzle)
    opinion = checked(mind, match, puzzle.solution, deals, salt)
    return opinion.worths[0].win - opinion.worth(puzzle.solution).win


if __name__ == "__main__":
    main()
