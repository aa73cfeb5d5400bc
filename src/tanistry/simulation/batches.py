"""Matches side by side on the device that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tanistry.errors import OptionError
from tanistry.match.game import check_game
from tanistry.simulation.batch import Batch
from tanistry.simulation.running import check_arguments

if TYPE_CHECKING:
    from tanistry.match import Game


def batch(
    game: Game,
    n: int,
    seed: int | bytes | None = None,
    device: str = "cpu",
    threads: int = 1,
    keep_last: bool = False,
    observing: bool = True,
    also: Sequence[Game] = (),
    insights: bool = False,
) -> Batch:
    """Play n matches side by side, for learners.

    `threads` share the rows on the CPU; what happens is the same with any number of them, and on
    any device. `keep_last` keeps what was known at the end of matches, see `Batch.last`. Whoever
    makes observations of their own does without ours: `observing=False` is quicker. `also` are
    the same game with other options, but the same seats, cards and tokens: the rows play them by
    turns, row i the one with number i modulo how many there are, `game` being number 0.
    `insights` adds to observations what only networks are shown, if the game has any: what follows
    from all the rest and takes work to see.
    """
    n, shares = check_arguments(game, n, device, threads, fewest=1)
    for other in also:
        check_alike(game, other)
    if device == "cuda":
        from tanistry.simulation.gpu_batch import GpuBatch  # which loads Numba's CUDA part

        return GpuBatch(game, n, seed, 1, keep_last, observing, also, insights)
    return Batch(game, n, seed, shares or 1, keep_last, observing, also, insights)


def check_alike(game: Game, other: Game) -> None:
    """OptionError unless the rows of a batch can be matches of the one and of the other."""
    check_game(other)
    if (other.definition, *_shape(other)) != (game.definition, *_shape(game)):
        allowed = f"{game.name}, seats={game.seats}, {len(game.codes)} cards"
        raise OptionError("option/value", name="also", value=other, allowed=allowed)


def _shape(game: Game) -> tuple[object, ...]:
    return game.seats, game.codes, game.tokens
