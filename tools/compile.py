"""Compile every game's kernels before anything else needs them, one process a game.

Test workers that start with an empty cache would each compile everything for themselves.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import tanistry
from tanistry.bots import bots
from tanistry.cli.prepare import warm_up


def compile_game(name: str) -> None:
    game = tanistry.game(name)
    warm_up(game, bots())
    tanistry.simulate(game, n=1, seed=0, threads=1)


def main() -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        list(pool.map(compile_game, tanistry.games()))


if __name__ == "__main__":
    main()
