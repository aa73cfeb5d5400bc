"""Compile every game's kernels before anything else needs them, each game in a process of its own.

Test workers that start with an empty cache would each compile everything for themselves; and what a
kernel calls is written anew in every process that compiles one (docs/decisions/0051).
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

import tanistry
from tanistry.browser import module
from tanistry.kernel.wasm import linker_is_here
from tanistry.testing import check_game

TOGETHER = 2
"""Games compiled at once: one alone may take a gigabyte of memory."""


def compile_game(name: str) -> None:
    game = tanistry.game(name)
    game.compile()
    check_game(game, matches=1, audited=1)
    if linker_is_here():
        module(game)
    # The tests of studies, some in processes of their own, are mostly about Claim.
    policies = ["random", "greedy", "trained"] if name == "claim" else ["random"]
    tanistry.study(game, n=1, policies=policies, workers=1)


def main() -> None:
    with ProcessPoolExecutor(TOGETHER) as pool:
        list(pool.map(compile_game, reversed(tanistry.games())))  # the large ones first


if __name__ == "__main__":
    main()
