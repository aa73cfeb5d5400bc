"""Whether the numbers of an analysis hold.

    python benchmarks/analysis.py curve claim --matches 500    # the fit, and are chances kept?
    python benchmarks/analysis.py luck claim people:5 people:1 --matches 60
    python benchmarks/analysis.py time                         # how long an analysis takes

`curve`: matches of the game's network against itself, each choice drawn as the network likes it.
The numbers that would fit them best are those that `analysis/calibration.toml` keeps; the table is
of the numbers that are kept: of the positions given so much to a seat, how many it won. For a
check take other deals than for the fit (`--first`). Positions of one match hang together, so the
intervals are over matches. Where the end is calculated nothing is to be fitted: of those it is only
said how many matches ended so.

`luck`: matches of some bots, every deal from all sides, analysed; the accuracy of each, and what
of the result was skill and what luck. Luck must average to zero, whoever plays. A bot that is named
alone plays against itself.

Both use all cores (`--workers`), may be stopped (`--minutes`) and gone on with (`--out FILE`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tanistry
from resuming import add_arguments, answers
from tanistry.analysis import analyse
from tanistry.analysis.curve import believed, together
from tanistry.analysis.mind import Mind, calibration, odds, stretched
from tanistry.bots.imagining import legal_set
from tanistry.bots.reading import Reader
from tanistry.match.seeds import fast_seed
from tanistry.simulation.intervals import Z
from tanistry.simulation.observation import observe

FLOOR = 0.001
"""What the network would choose less often than this is never chosen."""
GRID = np.arange(0.3, 2.001, 0.05)
LEANS = np.arange(-0.4, 0.601, 0.02)
"""What is tried for the numbers that fit best."""
BINS = 10
Position = tuple[int, int, list[float], list[float], bool]
"""Which match, who is to act, what each seat believes or will have if the end can be calculated,
what each seat got, and whether it could be calculated."""
TOLD = ("result", "own", "others", "luck", "deal", "accuracy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("curve", "luck", "time"))
    parser.add_argument("game", nargs="?")
    parser.add_argument("bots", nargs="*")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    add_arguments(parser)
    asked = parser.parse_args()
    {"curve": curve, "luck": luck, "time": times}[asked.what](asked)


# -- are chances kept? ----------------------------------------------------------------------------


def curve(asked: argparse.Namespace) -> None:
    game = tanistry.game(asked.game, seats=asked.seats)
    seats, kept = game.seats, calibration(game.name, game.seats)
    deals = range(asked.first, asked.first + asked.matches)
    found = answers(positions_of, [(game.name, seats, number) for number in deals], asked)
    every: list[Position] = [position for match in found for position in match]
    positions = [position for position in every if not position[4]]
    own, lean, share = fitted(positions, seats)
    print(f"[{game.name}.{seats}] # {len(found)} matches, {len(positions)} positions")
    if ends := [position[2] == position[3] for position in every if position[4]]:
        print(f"# {len(ends)} calculated: {np.mean(ends):.1%} ended so")
    print(f"own = {own:.2f}\nlean = {lean:.2f}\ntogether = {share:.2f}\n\nkept: {kept}\n")
    alone = [(p[0], stretched(p[2][p[1]], seats, kept), p[3][p[1]]) for p in positions]
    _table("by what the seat to act knows", alone)
    joint = [
        (p[0], chance, result)
        for p in positions
        for chance, result in zip(together(p[2], kept.together), p[3], strict=True)
    ]
    _table("the curve", joint)


@cache
def mind_of(game: str, seats: int) -> Mind:
    return Mind(tanistry.game(game, seats=seats))


def positions_of(game: str, seats: int, number: int) -> list[Position]:
    """Those of one match."""
    mind = mind_of(game, seats)
    reader = Reader(mind.evaluator)
    match, rng = mind.game.deal(seed=number), fast_seed(number)
    steps = []
    while (seat := match.to_act) is not None:
        known = mind.settled(match)
        steps.append((seat, known or believed(mind, match), known is not None))
        drawn = reader.choose(
            observe(match, seat, insights=True), legal_set(match), 1.0, FLOOR, rng
        )
        match.play(mind.game.tokens[drawn[0]])
    result = mind.result(match)
    return [(number, seat, chances, result, known) for seat, chances, known in steps]


def fitted(positions: Sequence[Position], seats: int) -> tuple[float, float, float]:
    """The numbers by which what happened would have been the most likely."""
    believed = np.array([p[2] for p in positions])
    logits, results = np.log(believed / (1 - believed)), np.array([p[3] for p in positions])
    rows, acting = np.arange(len(positions)), [p[1] for p in positions]
    own_logits, won, even = logits[rows, acting], results[rows, acting], odds(1 / seats)

    def alone(own: float, lean: float) -> float:
        power = even + own * (own_logits - even) - lean
        return float((np.log1p(np.exp(-power)) + (1 - won) * power).mean())

    def joint(share: float) -> float:
        weights = np.exp(share * logits)
        given = weights / weights.sum(axis=1, keepdims=True)
        return float(-(results * np.log(given)).sum(axis=1).mean())

    own, lean = min(product(GRID, LEANS), key=lambda fit: alone(*fit))
    return float(own), float(lean), float(min(GRID, key=joint))


def _table(title: str, rows: Sequence[tuple[int, float, float]]) -> None:
    print(f"{title}\n\n| given | positions | mean given | won | 95 % |\n|---|--:|--:|--:|--:|")
    data = np.array(rows)
    for k in range(BINS + 1):
        low, high = (k - 0.5) / BINS, (k + 0.5) / BINS
        chosen = data[(data[:, 1] >= low) & (data[:, 1] < high)]
        if len(chosen):
            won, error = clustered(chosen[:, 0], chosen[:, 2])
            span = f"{max(0, won - Z * error):.1%} – {min(1, won + Z * error):.1%}"
            given = f"{max(low, 0):.0%} – {min(high, 1):.0%} | {len(chosen)}"
            print(f"| {given} | {chosen[:, 1].mean():.1%} | {won:.1%} | {span} |")
    print()


def clustered(matches: NDArray[Any], values: NDArray[Any]) -> tuple[float, float]:
    """A mean and its standard error, where values of one match hang together."""
    mean = values.mean()
    sums = [(values[matches == m] - mean).sum() for m in np.unique(matches)]
    return float(mean), float(np.sqrt(np.square(sums).sum()) / len(values))


# -- luck and skill -------------------------------------------------------------------------------


def luck(asked: argparse.Namespace) -> None:
    game = tanistry.game(asked.game, seats=asked.seats)
    deals = range(asked.first, asked.first + -(-asked.matches // len(asked.bots)))
    jobs = [
        (game.name, game.seats, asked.bots, number, turn)
        for number in deals
        for turn in range(len(asked.bots))
    ]
    rows = [row for rows in answers(accounts_of, jobs, asked) for row in rows]
    print(f"{game.name}, {game.seats} seats, {len(rows) // game.seats} matches\n")
    print(f"| bot | {' | '.join(TOLD)} |\n|---|{'--:|' * len(TOLD)}")
    for who, name in enumerate(asked.bots):
        mine = [row for row in rows if row[1] == who]
        numbers, columns = np.array([row[0] for row in mine]), np.array([row[2] for row in mine]).T
        shown = [clustered(numbers, column) for column in columns]
        print(f"| {name} | {' | '.join(f'{m:.1%} ± {Z * e:.1%}' for m, e in shown)} |")


def accounts_of(
    game: str, seats: int, bots: list[str], number: int, turn: int
) -> list[tuple[int, int, list[float]]]:
    """Of each seat of one match: the deal, which bot it was, and what is told of it."""
    match = tanistry.game(game, seats=seats).deal(seed=number)
    sitting = [(seat + turn) % len(bots) for seat in range(seats)]
    playing = [tanistry.bot(bots[who], seed=number) for who in sitting]
    while (seat := match.to_act) is not None:
        match.play(playing[seat].choose(match))
    return [
        (number, who, [1.0 if (v := getattr(player, name)) is None else v for name in TOLD])
        for who, player in zip(sitting, analyse(match).players, strict=True)
    ]


# -- how long -------------------------------------------------------------------------------------


def times(asked: argparse.Namespace) -> None:
    for name, seats in (("claim", 2), ("kilt", 2), ("lords", 2), ("lords", 3), ("schotten", 2)):
        game = tanistry.game(name, seats=seats)
        match, bot = game.deal(seed=1), tanistry.bot("people:3", seed=1)
        while match.to_act is not None:
            match.play(bot.choose(match))
        analyse(match, deals=1)
        began = time.process_time()
        found = analyse(match)
        spent = time.process_time() - began
        print(f"| {name} | {seats} | {len(found.choices)} | {spent:.1f} s |")


if __name__ == "__main__":
    main()
