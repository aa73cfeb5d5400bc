"""Does what the champion imagines come true? Matches of `trained`, where the champion disagrees.

    python benchmarks/foresight.py kilt --matches 400 --minutes 10

Where the champion would choose otherwise than the network, both choices are played on by the
network, in the match as it really is: what the champion's was worth more, and what it had expected,
in points of a hundred with 95 % intervals over matches, for each fifth of the choices.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from typing import Any

import numpy as np

import tanistry
from resuming import add_arguments, answers
from tanistry.match import Match
from tanistry.simulation.intervals import Z

Doubt = tuple[int, float, float]
"""How many choices there were before, and the gain that was expected, and that came."""


def share(match: Match, seat: int, token: str, player: Any) -> float:
    """What a seat gets of a match in which it makes a choice and the network all others."""
    match = match.copy()
    match.play(token)
    while match.to_act is not None:
        match.play(player.choose(match))
    assert match.result is not None
    first = match.result.ranking[0]
    return (seat in first) / len(first)


def doubts(game: str, deal: int) -> list[Doubt]:
    """Where the champion disagrees in a match between networks."""
    match = tanistry.game(game).deal(seed=deal)
    player, champion = tanistry.bot("trained"), tanistry.bot("champion")
    found = []
    while (seat := match.to_act) is not None:
        usual = player.choose(match)
        if len(match.legal()) > 1:
            insight = champion.analyse(match)  # type: ignore[attr-defined]
            wins = {judged.token: judged.win for judged in insight.tokens}
            if insight.best != usual:
                other, own = (share(match, seat, token, player) for token in (insight.best, usual))
                expected = wins[insight.best] - wins[usual]
                found.append((len(match.history), expected, other - own))
        match.play(usual)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    add_arguments(parser)
    asked = parser.parse_args()
    jobs = [(asked.game, asked.first + number) for number in range(asked.matches)]
    matches = list(answers(doubts, jobs, asked))
    every = [doubt for match in matches for doubt in match]
    print(f"{asked.game}: {len(matches)} matches, the champion disagrees {len(every)} times\n")
    print("| choices before | times | expected | came | 95 % |\n|---|--:|--:|--:|--:|")
    edges = np.quantile([before for before, _, _ in every], np.linspace(0, 1, 6)).astype(int)
    edges[-1] += 1
    for low, high in [*pairwise(edges), (0, edges[-1])]:
        line(matches, int(low), int(high))


def line(matches: list[list[Doubt]], low: int, high: int) -> None:
    """Doubts of one match hang together: the interval is over matches."""
    some = [[doubt for doubt in match if low <= doubt[0] < high] for match in matches]
    times = sum(map(len, some))
    expected, came = (
        np.array([sum(doubt[k] for doubt in match) for match in some]) for k in (1, 2)
    )
    counts = np.array([len(match) for match in some])
    mean = came.sum() / max(1, times)
    spread = np.sqrt(((came - mean * counts) ** 2).sum()) / max(1, times)
    cells = [f"{100 * expected.sum() / max(1, times):.1f}", f"{100 * mean:.1f}"]
    interval = f"{100 * (mean - Z * spread):.1f} – {100 * (mean + Z * spread):.1f}"
    print(f"| {low} – {high - 1} | {times} | {' | '.join(cells)} | {interval} |")


if __name__ == "__main__":
    main()
