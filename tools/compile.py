"""Compile every game's kernels before anything else needs them, in processes of their own.

Test workers that start with an empty cache would each compile everything for themselves; and what a
kernel calls is written anew in every process that compiles one (docs/decisions/0051).
"""

from __future__ import annotations

import gc
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import tanistry
from tanistry.bots import warming
from tanistry.browser import module
from tanistry.kernel.wasm import linker_is_here
from tanistry.match import Game
from tanistry.match.rehearsal import rehearse
from tanistry.simulation.observation import has_insights, observe, variant
from tanistry.simulation.policies import policies_of
from tanistry.table.bits import members
from tanistry.testing import check_game, option_sets

TOGETHER = 2
"""Games compiled at once: one alone may take a gigabyte of memory."""

TABLES: dict[str, dict[str, Any]] = {
    "kilt": {"seats": 3, "edition": "8clans"},
    "lords": {"seats": 3},
    "schotten": {},
}
"""The tables of larger games at which the tests step batches; at others they only play."""


def compile_module(name: str) -> None:
    """For browsers."""
    if linker_is_here():
        module(tanistry.game(name))


def compile_game(name: str) -> None:
    game = tanistry.game(name)
    if name in TABLES:
        compile_what_is_tried(game, tanistry.game(name, **TABLES[name]))
    else:
        game.compile()
    check_game(game, matches=1, audited=1)
    # The tests of studies, some in processes of their own, are mostly about Claim.
    policies = ["random", "greedy", "trained"] if name == "claim" else ["random"]
    tanistry.study(game, n=1, policies=policies, workers=1)
    observe_every_shape(game)
    play_without_match(game)


def compile_what_is_tried(game: Game, table: Game) -> None:
    """What `compile` would, but for batches that no test steps."""
    rehearse(game)
    warming.warm_up(game)
    for policy in policies_of(game):
        tanistry.simulate(game, n=1, seed=0, threads=1, policy=policy)
    for observing in (False, True):
        rows = tanistry.batch(table, 1, seed=0, observing=observing)
        rows.step(rows.random_actions())
    if game.name == "kilt":  # stands for all games with more than two seats
        tanistry.simulate(table, n=1, seed=0, threads=1, policy="trained")
        tanistry.bot("champion", evaluations=1).choose(table.deal(seed=0))


def observe_every_shape(game: Game) -> None:
    """The kernels of observations know how many seats and which cards there are."""
    tables = [tanistry.game(game.name, **options) for options in option_sets(game.info)]
    for table in {variant(table): table for table in tables}.values():
        for insights in {False, has_insights(table)}:
            observe(table.deal(seed=0), 0, insights)


def play_without_match(game: Game) -> None:
    """The rules as OpenSpiel's states and some tests call them: with a record by itself."""
    s, moves = game.deal(seed=0)._s, game.new_moves()
    game.kernels.legal(s, moves)
    game.kernels.play(s, members(moves)[0])
    game.kernels.standing(s, 0)


def main() -> None:
    # What a compiler makes stays: looking for what can go took a fifteenth of the time.
    with ProcessPoolExecutor(TOGETHER, initializer=gc.disable) as pool:
        games = reversed(tanistry.games())  # the large ones first
        jobs = [pool.submit(job, name) for name in games for job in (compile_game, compile_module)]
        for job in jobs:
            job.result()


if __name__ == "__main__":
    main()
