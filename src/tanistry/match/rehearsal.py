"""A match played for nobody, so that what matches call is compiled before somebody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tanistry.match.game import Game

COMPILED_FOR = ("tanistry.simulation.warming", "tanistry.bots.warming")
"""What plays matches and has kernels of its own for each game: `Game.compile` asks `warm_up(game)`
of each. By name, because a match knows nothing of what is built on it."""


def rehearse(game: Game) -> None:
    """Have all kernels that a match calls compiled, or read from the cache."""
    match = game.deal(seed=0)
    match.blind(match.to_act, seed=0)
    match.position()
    while match.to_act is not None:
        match.view(match.to_act)
        match.tally(match.to_act)
        match.play(match.legal()[0])
    assert match.result
