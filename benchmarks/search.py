"""Iterations per second of our search at the first decision, and how fast its levels answer.

    python benchmarks/search.py                       # all games, as a table
    python benchmarks/search.py claim --json out.json

Beside it, where it is installed, OpenSpiel's `ISMCTSBot` at the same decision (its Python one, with
the help it gets in benchmarks/openspiel_ismcts.py).

One core, one thread. Several rounds, and the best of each counts: a shared machine slows a round
down but never speeds one up. Times are processor seconds of this process.
"""

from __future__ import annotations

import argparse
import json
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import tanistry
from tanistry.bots import levels
from tanistry.bots.players.ismcts import styles

ROUNDS = 5
SECONDS = 0.5
"""About so long is one round."""
SIMULATIONS = 200
"""Of OpenSpiel's search, in one round."""


def ismcts(**settings: Any) -> Any:
    return tanistry.bot("ismcts", seed=1, **settings)


def rate(game: tanistry.Game) -> float:
    """Iterations per second at the first decision."""
    match = game.deal(seed=1)
    ismcts(iterations=50).choose(match)
    began = time.process_time()
    ismcts(iterations=500).choose(match)
    iterations = max(500, int(500 * SECONDS / max(time.process_time() - began, 1e-3)))
    best = 0.0
    for _ in range(ROUNDS):
        bot = ismcts(iterations=iterations)
        began = time.process_time()
        bot.choose(match)
        best = max(best, iterations / (time.process_time() - began))
    return best


def openspiel_rate(game: tanistry.Game) -> float | None:
    """Simulations per second of OpenSpiel's search at the same decision; None if it is not here."""
    if find_spec("pyspiel") is None:
        return None
    from openspiel_ismcts import OpenSpielBot

    match, best = game.deal(seed=1), 0.0
    bot = OpenSpielBot(game, 1, SIMULATIONS, None)
    bot.choose(match)
    for _ in range(ROUNDS):
        began = time.process_time()
        bot.choose(match)
        best = max(best, SIMULATIONS / (time.process_time() - began))
    return best


def answers(game: tanistry.Game) -> dict[int, float]:
    """Milliseconds of each level for one answer at the first decision."""
    match = game.deal(seed=1)
    found = {}
    for level in levels("ismcts"):
        times = []
        for _ in range(ROUNDS):
            # Without the blunders of a beginner, which take no time.
            bot = ismcts(iterations=styles(game.info)[level].iterations)
            began = time.process_time()
            bot.choose(match)
            times.append(1000 * (time.process_time() - began))
        found[level] = min(times)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="*", default=sorted(tanistry.games()))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    table = Table("game", "seats", "it/s", "OpenSpiel")
    for level in levels("ismcts"):
        table.add_column(f"{level}: ms", justify="right")
    rows = []
    for name in given.game:
        seats = tanistry.info(name).seats
        for number in sorted({seats[0], seats[-1]}):
            game = tanistry.game(name, seats=number)
            speed, theirs, times = rate(game), openspiel_rate(game), answers(game)
            rows.append(
                {"game": name, "seats": number, "rate": speed, "openspiel": theirs, "levels": times}
            )
            beside = f"{theirs:,.0f} ({speed / theirs:.0f} ×)" if theirs else ""
            cells = (f"{times[level]:.1f}" for level in levels("ismcts"))
            table.add_row(name, str(number), f"{speed:,.0f}", beside, *cells)
    Console().print(table)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
