"""Whether the numbers of an analysis hold.

    python benchmarks/analysis.py curve claim --matches 500    # the fit, and are chances kept?
    python benchmarks/analysis.py luck claim people:5 people:1 --matches 60
    python benchmarks/analysis.py time                         # how long an analysis takes

`curve`: matches of the game's network against itself, each choice drawn as the network likes it.
The two numbers that would fit them best are those that `analysis/calibration.toml` keeps; the table
is of the numbers that are kept: of the positions given so much to a seat, how many it won. For a
check take other deals than for the fit (`--first`). Positions of one match hang together, so the
intervals are over matches.

`luck`: matches of two bots, every deal from both sides, analysed; the accuracy of both, and what
of the result was skill and what luck. Luck must average to zero, whoever plays.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tanistry
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
LEANS = np.arange(-0.2, 0.401, 0.02)
"""What is tried for the numbers that fit best."""
BINS = 10
Position = tuple[int, int, list[float], list[float]]
"""Which match, who is to act, what each seat believes, what each seat got."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("curve", "luck", "time"))
    parser.add_argument("game", nargs="?")
    parser.add_argument("bots", nargs="*")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    asked = parser.parse_args()
    if asked.what == "time":
        times()
        return
    game = tanistry.game(asked.game, seats=asked.seats)
    if asked.what == "curve":
        curve(game, asked.matches, asked.first)
    else:
        luck(game, asked.bots, asked.matches, asked.first, asked.minutes)


# -- are chances kept? ----------------------------------------------------------------------------


def curve(game: tanistry.Game, matches: int, first: int) -> None:
    positions = positions_of(game, matches, first)
    seats, kept = game.seats, calibration(game.name, game.seats)
    own, lean, share = fitted(positions, seats)
    print(f"[{game.name}.{seats}] # {matches} matches, {len(positions)} positions")
    print(f"own = {own:.2f}\nlean = {lean:.2f}\ntogether = {share:.2f}\n\nkept: {kept}\n")
    alone = [(p[0], stretched(p[2][p[1]], seats, kept), p[3][p[1]]) for p in positions]
    _table("by what the seat to act knows", alone)
    joint = [
        (p[0], chance, result)
        for p in positions
        for chance, result in zip(together(p[2], kept.together), p[3], strict=True)
    ]
    _table("the curve", joint)


def positions_of(game: tanistry.Game, matches: int, first: int) -> list[Position]:
    mind = Mind(game)
    reader = Reader(mind.evaluator)
    found: list[Position] = []
    for number in range(first, first + matches):
        match, rng = game.deal(seed=number), fast_seed(number)
        steps = []
        while (seat := match.to_act) is not None:
            steps.append((seat, believed(mind, match)))
            drawn = reader.choose(observe(match, seat), legal_set(match), 1.0, FLOOR, rng)
            match.play(game.tokens[drawn[0]])
        result = mind.result(match)
        found += [(number, seat, chances, result) for seat, chances in steps]
    return found


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


def luck(
    game: tanistry.Game, bots: Sequence[str], matches: int, first: int, minutes: float
) -> None:
    rows: list[tuple[int, int, list[float]]] = []
    end = time.monotonic() + 60 * minutes
    for number in range(first, first + -(-matches // len(bots))):
        if time.monotonic() > end:
            break
        for turn in range(len(bots)):
            match = game.deal(seed=number)
            sitting = [(seat + turn) % len(bots) for seat in range(game.seats)]
            playing = [tanistry.bot(bots[who], seed=number) for who in sitting]
            while (seat := match.to_act) is not None:
                match.play(playing[seat].choose(match))
            for who, player in zip(sitting, analyse(match).players, strict=True):
                told = [player.result, player.own, player.others, player.luck, player.deal]
                rows.append((number, who, [*told, player.accuracy or 1.0]))
    print(f"{game.name}, {game.seats} seats, {len(rows) // game.seats} matches\n")
    heads = ("result", "own choices", "the others'", "luck", "of it the deal", "accuracy")
    print(f"| bot | {' | '.join(heads)} |\n|---|{'--:|' * len(heads)}")
    for who, name in enumerate(bots):
        mine = [row for row in rows if row[1] == who]
        deals = np.array([row[0] for row in mine])
        columns = np.array([row[2] for row in mine]).T
        shown = [clustered(deals, column) for column in columns]
        print(f"| {name} | {' | '.join(f'{m:.1%} ± {Z * e:.1%}' for m, e in shown)} |")


# -- how long -------------------------------------------------------------------------------------


def times() -> None:
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
