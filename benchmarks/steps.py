"""Steps per second of random play, ours beside our peers', in one run: one core, all cores, a GPU.

    make bench                          # everything, as Markdown
    make bench ARGS="--json steps.json --seconds 1 --games claim"

A step is one choice of a player; dealing costs time and makes no steps, for us and for the peers
alike. (OpenSpiel deals card by card through chance nodes: with these as steps its rates about
double; they stand below the table.) All contestants take turns, several rounds of them, and the
best round of each counts: a shared machine slows a round down but never speeds one up.

On one core the time is processor time of this process. On all cores it is time on the wall, and
so is that of the one core it is compared with. Beside them stands plain arithmetic, which shares
nothing: what it gains from the cores is what the machine had to give in that run.

Beside that: how long a game's kernels take to compile (an empty cache) and to load (a full one),
each in a process of its own, and what `import tanistry` costs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress

import tanistry
from tanistry.simulation.gpu import has_gpu
from tanistry.simulation.running import cores

YARDSTICK = "OpenSpiel spades"
"""Every rate on one core is also given as a multiple of this one."""
OPEN_SPIEL = ("hearts", "spades", "euchre")
RLCARD = ("uno",)
PGX = ("leduc_holdem", "sparrow_mahjong", "connect_four", "backgammon")
"""Its two card games that need no download, and two it is known for."""
ARITHMETIC = "plain arithmetic"
WARM_UP = 64
"""Matches played before anything is timed; the first compiles the kernels."""
ONE, ALL, GPU = "one core", "all cores", "GPU"


class Count(NamedTuple):
    """What was done: choices of players, and choices of chance."""

    steps: int
    dealt: int = 0
    seconds: float | None = None
    """The time it took, where that is not the time of the call: on a GPU, that of the launches."""


@dataclass
class Contestant:
    """Something that plays matches in some place: `play(n)` plays n of them and counts."""

    name: str
    where: str
    ours: bool
    play: Callable[[int], Count]
    batch: int = 1
    steps_per_match: float = 0.0
    dealt_per_match: float = 0.0
    rates: list[float] = field(default_factory=list)
    """Steps per second, by processor time on one core, else on the wall."""
    wall_rates: list[float] = field(default_factory=list)

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
            count, spent, _ = self._timed(matches)
            if spent > seconds / 8:
                break
            matches *= 4
        self.batch = max(1, round(matches * seconds / spent))
        self.steps_per_match = count.steps / matches
        self.dealt_per_match = count.dealt / matches

    def round(self) -> None:
        count, spent, wall = self._timed(self.batch)
        self.rates.append(count.steps / spent)
        self.wall_rates.append(count.steps / wall)

    def _timed(self, matches: int) -> tuple[Count, float, float]:
        wall, processor = perf_counter(), process_time()
        count = self.play(matches)
        spent = max(process_time() - processor, 1e-9)
        passed = max(count.seconds or perf_counter() - wall, 1e-9)
        return count, spent if self.where == ONE else passed, passed


# -- ours -----------------------------------------------------------------------------------------


FEW = 5
"""Options with more values than this are numbers that change little (a target, a limit)."""


def variants(name: str, every: bool) -> Iterator[dict[str, Any]]:
    """A game as it comes, with all seats taken, and with each option moved off its default.

    Or `every` number of seats with all values of all options (but for those that are numbers).
    """
    info = tanistry.info(name)
    if every:
        few = [option for option in info.options if len(option.values) <= FEW]
        names = ("seats", *(option.name for option in few))
        for values in product(info.seats, *(option.values for option in few)):
            yield dict(zip(names, values))
        return
    yield {}
    if len(info.seats) > 1:
        yield {"seats": info.seats[-1]}
    for option in info.options:
        if len(option.values) <= FEW:
            yield from ({option.name: value} for value in option.values if value != option.default)


def our_game(name: str, given: dict[str, Any], where: str) -> Contestant:
    game = tanistry.game(name, **given)
    label = " ".join([name, *(f"{key}={value}" for key, value in given.items())])
    device = "cuda" if where == GPU else "cpu"
    threads = 1 if where == ONE else None

    def play(matches: int) -> Count:
        result = tanistry.simulate(game, matches, 1, device, threads)
        return Count(result.steps, seconds=result.seconds if where == GPU else None)

    return Contestant(label, where, True, play)


def our_study(name: str) -> Contestant:
    """The same matches with everything counted that a study counts, events and all."""
    from tanistry.studies.plan import make_plan
    from tanistry.studies.playing import Counter

    plan = make_plan(tanistry.game(name), 1, ["random"], {}, 1)
    counter = Counter(plan.settings[0], plan.key)

    def play(matches: int) -> Count:
        counts: Any = counter.counts_of(counter.play(0, matches))
        return Count(int(counts["steps"][0]))

    return Contestant(f"{name}, counted for a study", ONE, True, play)


def arithmetic(where: str) -> Contestant:
    """A loop that touches no memory, as often as there are cores: "matches" of a million steps."""
    import numba

    made: Any = numba.njit(nogil=True)(_spin)
    made(1)
    threads = 1 if where == ONE else cores()

    def play(matches: int) -> Count:
        steps = matches * 1_000_000 // threads
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(made, [steps] * threads))
        return Count(steps * threads)

    return Contestant(ARITHMETIC, where, False, play)


def _spin(n: int) -> Any:
    x = np.uint64(1)
    for _ in range(n):
        x = x * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return x


# -- our peers ------------------------------------------------------------------------------------


def open_spiel(name: str, where: str) -> Contestant:
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

    return Contestant(f"OpenSpiel {name}", where, False, play)


def rlcard(name: str, where: str) -> Contestant:
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

    return Contestant(f"RLCard {name}", where, False, play)


PGX_STEPS = 64
PGX_BATCH = {ALL: 1 << 10, GPU: 1 << 18}
"""Matches side by side, each dealt anew when it is over."""


def pgx(name: str, where: str) -> Contestant:
    """Pgx on all cores or on the GPU: JAX takes what there is. A "match" is a run of the batch."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # others need the GPU too
    jax = import_module("jax")
    auto_reset = import_module("pgx.experimental.wrappers").auto_reset
    device = jax.devices("gpu" if where == GPU else "cpu")[0]
    batch = PGX_BATCH[where]
    env = import_module("pgx").make(name)
    step = auto_reset(env.step, env.init)

    def choose_and_step(state: Any, key: Any) -> Any:
        one, two = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(state, jax.random.categorical(one, logits), two)

    def run(state: Any, key: Any) -> Any:
        def once(state: Any, key: Any) -> Any:
            return jax.vmap(choose_and_step)(state, jax.random.split(key, batch)), None

        return jax.lax.scan(once, state, jax.random.split(key, PGX_STEPS))[0]

    with jax.default_device(device):
        key = jax.random.PRNGKey(1)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    compiled = jax.jit(run)

    def play(matches: int) -> Count:
        nonlocal state, key
        for _ in range(matches):
            key, here = jax.random.split(key)
            state = compiled(state, jax.device_put(here, device))
        jax.block_until_ready(state)
        return Count(matches * batch * PGX_STEPS)

    return Contestant(f"Pgx {name}", where, False, play)


PEERS: dict[str, tuple[Callable[[str, str], Contestant], tuple[str, ...], tuple[str, ...]]] = {
    "pyspiel": (open_spiel, OPEN_SPIEL, (ONE,)),
    "rlcard": (rlcard, RLCARD, (ONE,)),
    "pgx": (pgx, PGX, (ALL, GPU)),
}
"""By module: how to make one, its games, and the places it plays in."""


def peers(places: Sequence[str], say: Callable[[str], None]) -> list[Contestant]:
    found = []
    for module, (make, names, where) in PEERS.items():
        here = [place for place in places if place in where]
        if here and find_spec(module) is None:
            say(f"{module} is not installed: left out (pip install 'tanistry[bench]')")
            continue
        for place in here:
            for name in names:
                try:
                    found.append(make(name, place))
                except Exception as wrong:  # a peer that does not start is left out, and named
                    reason = str(wrong).partition("\n")[0]
                    say(f"{module} {name} on {place}: left out ({type(wrong).__name__}: {reason})")
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


def measure(contestants: list[Contestant], seconds: float, rounds: int) -> None:
    """One after the other, then again: what disturbs the machine disturbs all alike."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(contestants) * (rounds + 1))
        for contestant in contestants:
            progress.update(task, description=f"warm-up: {contestant.name}, {contestant.where}")
            contestant.warm_up(seconds)
            progress.advance(task)
        for number in range(rounds):
            for contestant in contestants:
                progress.update(task, description=f"round {number + 1}: {contestant.name}")
                contestant.round()
                progress.advance(task)


def markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---", *["--:"] * (len(headings) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def heading() -> str:
    """The date, the machine, the versions and the command."""
    packages = ("numba", "open_spiel", "rlcard", "jax", "pgx", "numba-cuda")
    versions = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            versions.append(f"{package} {version(package)}")
        except ModuleNotFoundError:
            continue
    command = shlex.join(["python", *sys.argv])
    machine = f"{processor()}, {cores()} cores"
    if has_gpu():
        name = import_module("numba.cuda").get_current_device().name
        machine += f"; {name.decode() if isinstance(name, bytes) else name}"
    return f"{date.today()}, {machine}; {', '.join(versions)}; `{command}`\n"


def one_core_table(contestants: Sequence[Contestant]) -> str:
    yard = next((c.rate for c in contestants if c.name == YARDSTICK), None)
    rows = [
        [
            c.name,
            f"{c.rate:,.0f}",
            f"{c.rate / c.steps_per_match:,.0f}",
            f"{c.steps_per_match:.1f}",
            *([f"{c.rate / yard:.3g}"] if yard else []),
        ]
        for c in contestants
        if c.name != ARITHMETIC
    ]
    heads = ["one core", "steps/s", "matches/s", "steps a match"]
    table = markdown([*heads, f"× {YARDSTICK}"] if yard else heads, rows)
    chance = [f"{c.name} {c.rate_with_chance:,.0f}" for c in contestants if c.dealt_per_match]
    return table + (f"\nWith chance nodes as steps: {', '.join(chance)}.\n" if chance else "")


def all_cores_table(contestants: Sequence[Contestant], alone: Sequence[Contestant]) -> str:
    single = {c.name: max(c.wall_rates) for c in alone}
    rows = [
        [
            c.name,
            f"{c.rate:,.0f}",
            f"{c.rate / single[c.name]:.2f}" if c.name in single else "",
        ]
        for c in contestants
    ]
    return markdown([f"all {cores()} cores", "steps/s", "× one core, on the wall"], rows)


def gpu_table(contestants: Sequence[Contestant]) -> str:
    rows = []
    for c in contestants:
        matches = f"{c.rate / c.steps_per_match / 1e6:,.1f}" if c.ours else ""
        rows.append([c.name, f"{c.rate / 1e9:,.2f}", matches])
    return markdown(["GPU", "billion steps/s", "million matches/s"], rows)


def compile_table(times: dict[str, dict[str, dict[str, float]]]) -> str:
    heads = ["seconds until the first move", "compiled", "and simulate", "loaded", "and simulate"]
    rows = [
        [name, *(f"{runs[run][what]:.2f}" for run in ("cold", "warm") for what in runs[run])]
        for name, runs in times.items()
    ]
    return markdown(heads, rows)


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def enter(names: Sequence[str], places: Sequence[str], every: bool) -> list[Contestant]:
    """Everybody, in the order of the report; peers are left out of a run of `every` option set."""

    def say(line: str) -> None:
        print(line, file=sys.stderr)

    if GPU in places and not has_gpu():
        say("no CUDA GPU here: left out")
        places = [place for place in places if place != GPU]
    given = [(name, options) for name in names for options in variants(name, every)]
    found = [our_game(name, options, place) for place in places for name, options in given]
    if ONE in places:
        found += [our_study(name) for name in names]
    found += [arithmetic(place) for place in places if place != GPU]
    return found if every else found + peers(places, say)


def tables(contestants: Sequence[Contestant]) -> Iterator[str]:
    here = {where: [c for c in contestants if c.where == where] for where in (ONE, ALL, GPU)}
    if here[ONE]:
        yield one_core_table(here[ONE])
    if here[ALL]:
        yield all_cores_table(here[ALL], here[ONE])
    if here[GPU]:
        yield gpu_table(here[GPU])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--games",
        nargs="*",
        metavar="NAME",
        choices=tanistry.games(),
        help="ours to measure (default: all)",
    )
    parser.add_argument(
        "--where", nargs="*", metavar="PLACE", choices=("one", "all", "gpu"),
        default=("one", "all", "gpu"), help="one, all, gpu (default: what there is)",
    )  # fmt: skip
    parser.add_argument("--every", action="store_true", help="all option sets, without peers")
    parser.add_argument("--seconds", type=float, default=0.2, help="per contestant and round")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--no-compile", action="store_true", help="leave out the compile times")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--probe", metavar="NAME", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.probe:
        return probe(arguments.probe)

    names = arguments.games or list(tanistry.games())
    places = [{"one": ONE, "all": ALL, "gpu": GPU}[place] for place in arguments.where]
    contestants = enter(names, places, arguments.every)
    measure(contestants, arguments.seconds, arguments.rounds)
    print(heading())
    for table in tables(contestants):
        print(table)
    report: dict[str, Any] = {
        "heading": heading(),
        "rates": [
            {
                "name": c.name,
                "where": c.where,
                "rate": c.rate,
                "rounds": c.rates,
                "wall": c.wall_rates,
                "steps_per_match": c.steps_per_match,
                "dealt_per_match": c.dealt_per_match,
            }
            for c in contestants
        ],
        "import": import_time(),
    }
    if not arguments.no_compile:
        report["compile"] = {name: compile_times(name) for name in names}
        print(compile_table(report["compile"]))
    print(f"import tanistry: {report['import'] * 1000:.0f} ms")
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
