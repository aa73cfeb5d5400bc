"""Compile every game's kernels before anything else needs them, one game after the other.

Test workers that start with an empty cache would each compile everything for themselves.
"""

from __future__ import annotations

import tanistry
from tanistry.bots import bots
from tanistry.browser import module
from tanistry.cli.prepare import warm_up
from tanistry.kernel.wasm import linker_is_here


def main() -> None:
    for name in tanistry.games():
        game = tanistry.game(name)
        warm_up(game, bots())
        tanistry.simulate(game, n=1, seed=0, threads=1)
        rows = tanistry.batch(game, 1, seed=0)
        rows.step(rows.random_actions())
        if linker_is_here():
            module(game)
    # The tests of studies, some of them in processes of their own, are about this game.
    tanistry.study(tanistry.game("claim"), n=1, policies=["random", "greedy"])


if __name__ == "__main__":
    main()
