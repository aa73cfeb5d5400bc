"""How far apart the senses are at which a network plays: what the levels of `people` rest on.

    python benchmarks/levels.py curve claim                 # a curve of Elo by sense
    python benchmarks/levels.py check claim --matches 2000  # neighbouring levels as they are

Matches are played side by side (`tanistry.batch`), two seats, default options, seats alternating,
each deal once. A match shared counts half. Elo is 400 log10(w / (1 − w)), its interval that of w.
"""

from __future__ import annotations

import argparse
import math
from itertools import pairwise

import numpy as np

import tanistry
from tanistry.bots.network import Evaluator, network_of
from tanistry.bots.personas import Style, styles
from tanistry.bots.reading import Reader
from tanistry.match.seeds import fast_seed
from tanistry.simulation.intervals import wilson
from tanistry.simulation.playouts import APART

GRID = [Style(sense, 0.0) for sense in (100.0, 0.35, 0.25, 0.18, 0.12, 0.07, 0.04)]
ROWS = 250


def share(game: tanistry.Game, one: Style, other: Style, matches: int, seed: int) -> float:
    """The share of matches that one sense wins against another."""
    reader = Reader(Evaluator(network_of(game.name), game))
    won = [_round(game, reader, one, other, seed + k) for k in range(-(-matches // ROWS))]
    return float(np.mean(won))


def _round(game: tanistry.Game, reader: Reader, one: Style, other: Style, seed: int) -> float:
    rows = tanistry.batch(game, ROWS, seed=seed)
    own = np.arange(ROWS) % game.seats
    rng = fast_seed(seed) + np.arange(ROWS, dtype=np.uint64) * APART
    actions, values = np.zeros(ROWS, np.int64), np.zeros(ROWS)
    running, won = np.ones(ROWS, np.bool_), np.zeros(ROWS)
    while running.any():
        own_turn = rows.to_act == own
        sense = np.where(own_turn, one.sense, other.sense)
        floor = np.where(own_turn, one.floor, other.floor)
        reader.read(rows, running, sense, floor, rng, actions, values)
        rows.step(np.where(running, actions, -1))
        over = running & rows.done
        reward = rows.rewards[np.arange(ROWS), own]
        won[over] = (reward[over] * (game.seats - 1) + 1) / game.seats
        running = running & ~over
    return float(won.mean())


def _short(style: Style) -> str:
    return f"{style.sense:4g} ≥ {style.floor:.1%}"


def elo(won: float) -> float:
    won = min(max(won, 0.001), 0.999)
    return 400 * math.log10(won / (1 - won))


def told(won: float, matches: int) -> str:
    low, high = wilson(won, matches)
    return f"{100 * won:5.1f} %  Elo {elo(won):+4.0f} ({elo(low):+4.0f} … {elo(high):+4.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=("curve", "check"))
    parser.add_argument("games", nargs="*", default=tanistry.games())
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    for name in asked.games:
        game, below = tanistry.game(name), 0.0
        chosen = GRID if asked.do == "curve" else styles(name)[::-1]
        for more, less in pairwise(chosen):
            won = share(game, more, less, asked.matches, asked.seed)
            below += elo(won)
            pair = f"{_short(more)} : {_short(less)}"
            print(f"{name:9} {pair}  {told(won, asked.matches)}  {below:5.0f}", flush=True)


if __name__ == "__main__":
    main()
