"""A game's kernels for many matches, ready before somebody waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tanistry.simulation.batch import Batch
from tanistry.simulation.observation import has_insights, observe
from tanistry.simulation.policies import policies_of
from tanistry.simulation.running import simulate

if TYPE_CHECKING:
    from tanistry.match import Game


def warm_up(game: Game) -> None:
    """Have all kernels of simulations, batches and observations compiled, or read from the cache.

    Those for GPUs are compiled where one is, when it is used.
    """
    for insights in {False, has_insights(game)}:
        observe(game.deal(seed=0), 0, insights)
    for policy in policies_of(game):
        simulate(game, 0, seed=0, threads=1, policy=policy)
    for observing, insights in {(True, False), (False, False), (True, has_insights(game))}:
        rows = Batch(game, 1, seed=0, observing=observing, insights=insights)
        rows.step(rows.random_actions())
