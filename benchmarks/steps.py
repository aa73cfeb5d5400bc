"""Steps per second of random play, ours beside our peers', on one core in one run.

    make bench                          # everything, as a table
    make bench ARGS="--json steps.json --seconds 1 --games claim"

A step is one choice of a player; dealing costs time and makes no steps, for us and for the peers
alike. (OpenSpiel deals card by card through chance nodes: with these as steps its rates about
double; they stand below the table.) All contestants take turns, several rounds of them, and the
best round of each counts: a shared machine slows a round down but never speeds one up. Times are
processor seconds of this process.

Beside that: how long a game's kernels take to compile (an empty cache) and to load (a full one),
each in a process of its own, and what `import tanistry` costs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import tanistry

YARDSTICK = "OpenSpiel spades"
"""Every rate is also given as a multiple of this one."""
OPEN_SPIEL = ("hearts", "spades", "euchre")
RLCARD = ("uno",)
WARM_UP = 64
"""Matches played before anything is timed; the first compiles the kernels."""


class Count(NamedTuple):
    """What was done: choices of players, and choices of chance."""

    steps: int
    dealt: int = 0


@dataclass
class Contestant:
    """Something that plays matches: `play(n)` plays n of them and counts."""

    name: str
    ours: bool
    play: Callable[[int], Count]
    batch: int = 1
    steps_per_match: float = 0.0
    dealt_per_match: float = 0.0
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return max(self.rates)

    @property
    def rate_with_chance(self) -> float:
        return self.rate * (1 + self.dealt_per_match / self.steps_per_match)

    def warm_up(self, seconds: float) -> None:
        """Compile, then find the number of matches that fills a round."""
        matches = WARM_UP if self.ours else 1
        self.play(matches)
        while True:
            count, spent = self._timed(matches)
            if spent > seconds / 8:
                break
            matches *= 4
        self.batch = max(1, round(matches * seconds / spent))
        self.steps_per_match = count.steps / matches
        self.dealt_per_match = count.dealt / matches

    def round(self) -> None:
        count, spent = self._timed(self.batch)
        self.rates.append(count.steps / spent)

    def _timed(self, matches: int) -> tuple[Count, float]:
        start = process_time()
        count = self.play(matches)
        return count, max(process_time() - start, 1e-9)


# -- contestants ----------------------------------------------------------------------------------


FEW = 5
"""Options with more values than this are numbers that change little (a target, a limit)."""


def variants(name: str) -> Iterator[dict[str, Any]]:
    """A game as it comes, with all seats taken, and with each option moved off its default."""
    info = tanistry.info(name)
    yield {}
    if len(info.seats) > 1:
        yield {"seats": info.seats[-1]}
    for option in info.options:
        if len(option.values) <= FEW:
            yield from ({option.name: value} for value in option.values if value != option.default)


def our_game(name: str, given: dict[str, Any]) -> Contestant:
    game = tanistry.game(name, **given)
    label = " ".join([name, *(f"{key}={value}" for key, value in given.items())])

    def play(matches: int) -> Count:
        return Count(tanistry.simulate(game, n=matches, seed=1, threads=1).steps)

    return Contestant(label, True, play)


def open_spiel(name: str) -> Contestant:
    import pyspiel

    game = pyspiel.load_game(name)
    pick = random.Random(1).random

    def play(matches: int) -> Count:
        steps = dealt = 0
        for _ in range(matches):
            state = game.new_initial_state()
            while state.is_chance_node():
                outcomes = state.legal_actions()  # all equally likely in a deal
                state.apply_action(outcomes[int(pick() * len(outcomes))])
                dealt += 1
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(pick() * len(actions))])
                steps += 1
        return Count(steps, dealt)

    return Contestant(f"OpenSpiel {name}", False, play)


def rlcard(name: str) -> Contestant:
    import rlcard as library

    env = library.make(name, config={"seed": 1})
    choose = random.Random(1).choice

    def play(matches: int) -> Count:
        steps = 0
        for _ in range(matches):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(choose(list(state["legal_actions"])))
                steps += 1
        return Count(steps)

    return Contestant(f"RLCard {name}", False, play)


def peers(console: Console) -> list[Contestant]:
    found = []
    for module, make, names in (("pyspiel", open_spiel, OPEN_SPIEL), ("rlcard", rlcard, RLCARD)):
        if find_spec(module) is None:
            console.print(f"{module} is not installed: left out (pip install 'tanistry[bench]')")
        else:
            found += [make(name) for name in names]
    return found


# -- compiling and loading ------------------------------------------------------------------------


def probe(name: str) -> None:
    """In a process of its own: the seconds until a game can be played, and simulated."""
    import numba  # noqa: F401  (its own start is not ours to count)

    start = process_time()
    game = tanistry.game(name)
    match = game.deal(seed=1)
    match.play(match.legal()[0])
    match.view(0)
    play = process_time() - start
    tanistry.simulate(game, n=1, seed=1, threads=1)
    print(json.dumps({"play": play, "simulate": process_time() - start}))


def compile_times(name: str) -> dict[str, dict[str, float]]:
    """The probe with an empty cache (cold), then with a full one (warm, the best of three)."""
    with tempfile.TemporaryDirectory() as cache:
        cold, *warm = [_run_probe(name, cache) for _ in range(4)]
    return {"cold": cold, "warm": {key: min(run[key] for run in warm) for key in cold}}


def _run_probe(name: str, cache: str) -> dict[str, float]:
    found: dict[str, float] = json.loads(_python([__file__, "--probe", name], TANISTRY_CACHE=cache))
    return found


def import_time() -> float:
    """What `import tanistry` adds to the start of Python, the best of five."""
    code = "import time; t = time.perf_counter(); import tanistry; print(time.perf_counter() - t)"
    return min(float(_python(["-c", code])) for _ in range(5))


def _python(arguments: list[str], **environment: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


# -- the report -----------------------------------------------------------------------------------


def measure(contestants: list[Contestant], seconds: float, rounds: int, console: Console) -> None:
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("", total=len(contestants) * (rounds + 1))
        for contestant in contestants:
            progress.update(task, description=f"warm-up: {contestant.name}")
            contestant.warm_up(seconds)
            progress.advance(task)
        for number in range(rounds):
            for contestant in contestants:
                progress.update(task, description=f"round {number + 1}: {contestant.name}")
                contestant.round()
                progress.advance(task)


def rates_table(contestants: list[Contestant]) -> Table:
    table = Table(title=f"Random play on one core, {date.today()}, {processor()}")
    table.add_column("game", no_wrap=True)
    multiple = f"× {YARDSTICK.split()[1]}"
    for heading in ("steps/s", "matches/s", "steps each", multiple):
        table.add_column(heading, justify="right")
    yard = next((c.rate for c in contestants if c.name == YARDSTICK), None)
    last_of_ours = [c for c in contestants if c.ours][-1]
    for c in contestants:
        table.add_row(
            c.name,
            f"{c.rate:,.0f}",
            f"{c.rate / c.steps_per_match:,.0f}",
            f"{c.steps_per_match:.1f}",
            f"{c.rate / yard:.3g}" if yard else "",
            end_section=c is last_of_ours,
        )
    with_chance = (f"{c.name} {c.rate_with_chance:,.0f}" for c in contestants if c.dealt_per_match)
    table.caption = "with chance nodes as steps: " + ", ".join(with_chance)
    return table


def compile_table(times: dict[str, dict[str, dict[str, float]]]) -> Table:
    table = Table(title="Seconds until the first move, and until simulating too")
    for heading in ("game", "compile", "and simulate", "load", "and simulate"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for name, runs in times.items():
        table.add_row(
            name, *(f"{runs[run][what]:.2f}" for run in ("cold", "warm") for what in runs[run])
        )
    return table


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", nargs="*", metavar="NAME", help="ours to measure (default: all)")
    parser.add_argument("--seconds", type=float, default=0.2, help="per contestant and round")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--no-compile", action="store_true", help="leave out the compile times")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--probe", metavar="NAME", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.probe:
        return probe(arguments.probe)

    console = Console()
    names = arguments.games or list(tanistry.games())
    ours = [our_game(name, given) for name in names for given in variants(name)]
    contestants = [*ours, *peers(console)]
    measure(contestants, arguments.seconds, arguments.rounds, console)
    console.print(rates_table(contestants))
    report: dict[str, Any] = {
        "date": str(date.today()),
        "processor": processor(),
        "python": platform.python_version(),
        "rates": {
            c.name: {
                "rate": c.rate,
                "rounds": c.rates,
                "steps_per_match": c.steps_per_match,
                "dealt_per_match": c.dealt_per_match,
            }
            for c in contestants
        },
        "import": import_time(),
    }
    if not arguments.no_compile:
        report["compile"] = {name: compile_times(name) for name in names}
        console.print(compile_table(report["compile"]))
    console.print(f"import tanistry: {report['import'] * 1000:.0f} ms")
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
