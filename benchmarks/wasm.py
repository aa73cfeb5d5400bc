"""The same kernels natively and as WebAssembly in Node.js, in one run, and what a game weighs.

    python -m benchmarks.wasm [GAME…]      # needs `make web`

Random play in steps per second, search in iterations per second, one core each, by the time that
the processor spent: others may be using it. Both take turns, and the best round of each counts.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from tools.web import WEB, node

import tanistry
from tanistry.browser import build
from tanistry.match.seeds import fast_seed

KEY, SEED = bytes(32), 5
MATCHES, ITERATIONS, ROUNDS = 4_000, 3_000, 3


def natively(name: str) -> dict[str, float]:
    game = tanistry.game(name)
    began = process_time()
    steps = tanistry.simulate(game, n=MATCHES, seed=KEY, threads=1).steps
    played = process_time()
    bot: Any = tanistry.bot("ismcts", seed=KEY, iterations=ITERATIONS)
    bot.analyse(game.deal(SEED))
    searched = process_time()
    return {"steps": steps / (played - began), "iterations": ITERATIONS / (searched - played)}


def in_node(name: str, folder: Path, engine: Path) -> dict[str, float]:
    game = tanistry.game(name)
    request = {
        "folder": str(folder), "engine": str(engine), "game": name, "rounds": ROUNDS,
        "blank": game.new_record(KEY).tobytes().hex(), "salt": str(int(fast_seed(KEY)[0])),
        "matches": MATCHES, "iterations": ITERATIONS, "seed": SEED,
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
    print("| game | kB, compressed | steps/s native | Node | | iterations/s native | Node | |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as made:
        folder, engine = Path(made), Path(made, "engine.mjs")
        source = [str(WEB / "node_modules/.bin/esbuild"), str(WEB / "engine/src/index.ts")]
        bundle = ["--bundle", "--format=esm", "--log-level=error", f"--outfile={engine}"]
        subprocess.run([*source, *bundle], check=True)
        for name in names or tanistry.games():
            weight = sum(len(gzip.compress(file.read_bytes())) for file in build(name, folder))
            natively(name)  # compiles
            rounds = [(natively(name), in_node(name, folder, engine)) for _ in range(ROUNDS)]
            ours = best(*(native for native, _ in rounds))
            theirs = best(*(there for _, there in rounds))
            row = [name, f"{weight / 1000:.1f}"]
            for what in ("steps", "iterations"):
                ratio = theirs[what] / ours[what]
                row += [f"{ours[what]:,.0f}", f"{theirs[what]:,.0f}", f"{100 * ratio:.0f} %"]
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
