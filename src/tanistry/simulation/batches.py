"""Matches side by side on the device that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
) -> Batch:
    """Play n matches side by side, for learners.

    `threads` share the rows on the CPU; what happens is the same with any number of them, and on
    any device. `keep_last` keeps what was known at the end of matches, see `Batch.last`. Whoever
    makes observations of their own does without ours: `observing=False` is quicker.
    """
    n, shares = check_arguments(game, n, device, threads, fewest=1)
    if device == "cuda":
        from tanistry.simulation.gpu_batch import GpuBatch  # which loads Numba's CUDA part

        return GpuBatch(game, n, seed, 1, keep_last, observing)
    return Batch(game, n, seed, shares or 1, keep_last, observing)
