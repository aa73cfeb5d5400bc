"""The same kernels natively and as WebAssembly in Node.js, in one run, and what a game weighs.

    python -m benchmarks.wasm [GAME…]      # needs `make web`

Random play in steps per second, search in iterations per second, networks in positions judged per
second (what the seat sees, logits and value): the kernels alone, one core each, by the time that
the processor spent, as others may be using it. Both take turns, and the best round of each counts.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from tools.web import WEB, node

import tanistry
from tanistry.bots.desk import new_desk, searcher, set_root
from tanistry.bots.imagining import legal_set
from tanistry.bots.players.ismcts import Settings
from tanistry.browser import build
from tanistry.match import Game, Match
from tanistry.match.seeds import fast_seed
from tanistry.simulation.network import Evaluator, network_of, networks
from tanistry.simulation.observation import observe

KEY, SEED = bytes(32), 5
MATCHES, ITERATIONS, JUDGED, ROUNDS = 4_000, 3_000, 500, 3
WHAT = {"steps": "steps/s", "iterations": "iterations/s", "judged": "judged/s"}


def natively(name: str) -> dict[str, float]:
    game = tanistry.game(name)
    known = game.deal(SEED).blind(0, KEY)
    found = {"steps": lambda: tanistry.simulate(game, n=MATCHES, seed=KEY, threads=1).steps}
    desk, settings, rng = new_desk(game, 8 * ITERATIONS), Settings().array(game), fast_seed(KEY)
    set_root(desk, known, KEY)
    found["iterations"] = lambda: _searched(searcher(game).search, desk, settings, rng)
    if name in networks():
        found["judged"] = lambda: _judged(known)
    return {what: _per_second(work) for what, work in found.items()}


def _per_second(work: Callable[[], int]) -> float:
    began = process_time()
    return work() / (process_time() - began)


def _searched(search: Any, desk: Any, settings: Any, rng: Any) -> int:
    search(desk, 0, 0, ITERATIONS, settings, rng)
    return ITERATIONS


def _judged(known: Match) -> int:
    evaluator = _evaluator(known.game)
    for _ in range(JUDGED):
        evaluator.choose(observe(known, 0, insights=True), legal_set(known))
        evaluator.value()
    return JUDGED


@cache
def _evaluator(game: Game) -> Evaluator:
    return Evaluator(network_of(game.name), game)


def in_node(name: str, folder: Path, engine: Path) -> dict[str, float]:
    game = tanistry.game(name)
    request = {
        "folder": str(folder), "engine": str(engine), "game": name, "rounds": ROUNDS,
        "blank": game.new_record(KEY).tobytes().hex(), "salt": str(int(fast_seed(KEY)[0])),
        "matches": MATCHES, "iterations": ITERATIONS, "judged": JUDGED, "seed": SEED,
    }  # fmt: skip
    script = str(Path(__file__).with_suffix(".mjs"))
    said = subprocess.run(
        [node(), script], input=json.dumps(request), capture_output=True, text=True, check=True
    )
    found: dict[str, float] = json.loads(said.stdout)
    return found


def best(*rounds: dict[str, float]) -> dict[str, float]:
    return {what: max(one[what] for one in rounds) for what in rounds[0]}


def main(names: list[str]) -> None:
    heads = [f" {what}, native | Node.js | " for what in WHAT.values()]
    print(f"| game | kB, compressed |{'|'.join(heads)}|")
    print("|---|--:|" + "--:|--:|--:|" * len(WHAT))
    with tempfile.TemporaryDirectory() as made:
        folder, engine = Path(made), Path(made, "engine.mjs")
        source = [str(WEB / "node_modules/.bin/esbuild"), str(WEB / "engine/src/index.ts")]
        bundle = ["--bundle", "--format=esm", "--log-level=error", f"--outfile={engine}"]
        subprocess.run([*source, *bundle], check=True)
        for name in names or tanistry.games():
            build(name, folder)
            files = [folder / f"{name}.{ending}" for ending in ("wasm", "json")]
            weight = sum(len(gzip.compress(file.read_bytes())) for file in files)
            natively(name)  # compiles
            rounds = [(natively(name), in_node(name, folder, engine)) for _ in range(ROUNDS)]
            ours = best(*(native for native, _ in rounds))
            theirs = best(*(there for _, there in rounds))
            row = [name, f"{weight / 1000:.1f}"]
            for what in ours:
                ratio = theirs[what] / ours[what]
                row += [f"{ours[what]:,.0f}", f"{theirs[what]:,.0f}", f"{100 * ratio:.0f} %"]
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
