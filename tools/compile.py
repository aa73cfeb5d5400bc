"""Compile every game's kernels before anything else needs them, in processes of their own.

Test workers that start with an empty cache would each compile everything for themselves; and what a
kernel calls is written anew in every process that compiles one (docs/decisions/0051).
"""

from __future__ import annotations

import gc
from concurrent.futures import ProcessPoolExecutor

import tanistry
from tanistry.bots import warming
from tanistry.browser import module
from tanistry.kernel.wasm import linker_is_here
from tanistry.match import Game
from tanistry.match.rehearsal import rehearse
from tanistry.simulation.policies import policies_of
from tanistry.testing import check_game

TOGETHER = 2
"""Games compiled at once: one alone may take a gigabyte of memory."""

STEPPED = {"lords": {"seats": 3}, "schotten": {}}
"""The tables of large games at which the tests step batches; at others they only play."""


def compile_module(name: str) -> None:
    """For browsers."""
    if linker_is_here():
        module(tanistry.game(name))


def compile_game(name: str) -> None:
    game = tanistry.game(name)
    if name in STEPPED:
        compile_what_is_tried(game, tanistry.game(name, **STEPPED[name]))
    else:
        game.compile()
    check_game(game, matches=1, audited=1)
    # The tests of studies, some in processes of their own, are mostly about Claim.
    policies = ["random", "greedy", "trained"] if name == "claim" else ["random"]
    tanistry.study(game, n=1, policies=policies, workers=1)


def compile_what_is_tried(game: Game, stepped: Game) -> None:
    """What `compile` would, but for batches that no test steps."""
    rehearse(game)
    warming.warm_up(game)
    for policy in policies_of(game):
        tanistry.simulate(game, n=1, seed=0, threads=1, policy=policy)
    for observing in (False, True):
        rows = tanistry.batch(stepped, 1, seed=0, observing=observing)
        rows.step(rows.random_actions())


def main() -> None:
    # What a compiler makes stays: looking for what can go took a fifteenth of the time.
    with ProcessPoolExecutor(TOGETHER, initializer=gc.disable) as pool:
        games = reversed(tanistry.games())  # the large ones first
        jobs = [pool.submit(job, name) for name in games for job in (compile_game, compile_module)]
        for job in jobs:
            job.result()


if __name__ == "__main__":
    main()
