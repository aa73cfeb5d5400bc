"""The bot `greedy` in the rows of a batch, all at once, wherever they lie."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.kernel import specialise, template
from tanistry.kernel.cuda import import_cuda, kept_jit
from tanistry.match.seeds import fast_seed
from tanistry.simulation.gpu import BLOCK
from tanistry.simulation.observation import variant
from tanistry.simulation.playouts import APART
from tanistry.simulation.policy import NOTES, advise, new_notes, policy_kernels

if TYPE_CHECKING:
    from tanistry.match import Game
    from tanistry.simulation.batch import Batch


@template
def advise_rows(
    first: int, end: int, records: Any, sets: Any, wanted: Any, notes: Any, rng: Any, actions: Any
) -> None:
    words = sets.shape[0] // records.shape[0]
    for i in range(first, end):
        if wanted[i]:
            moves = sets[i * words : (i + 1) * words]
            actions[i] = advise(records[i], moves, notes, rng[i : i + 1])


class Greedy:
    """The game's own policy for the rows of a batch, wherever they lie."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self.batch: Any = batch
        numbers = np.arange(batch.n, dtype=np.uint64)
        self.rng = fast_seed(seed) + numbers * APART
        self.notes = new_notes()
        advise = policy_kernels(batch.game.info).advise
        self.on_gpu = batch.device == "cuda"
        if self.on_gpu:
            self.rng = import_cuda().to_device(self.rng)
            self.kernel = _launchable(batch.game, advise)
        else:
            module = import_module(__name__)
            self.kernel = specialise(module, {"advise": advise}, batch.game.name)["advise_rows"]

    def choose(self, wanted: Any, first: int, end: int, actions: Any) -> None:
        """Write the choices of those rows in a range where one is wanted."""
        rows = self.batch._rows
        if self.on_gpu:
            grid = -(-(end - first) // BLOCK)
            as_array = import_cuda().as_cuda_array
            given = rows.records, rows.moves, as_array(wanted), self.rng, as_array(actions)
            self.kernel[grid, BLOCK, self.batch.stream](first, end, *given)
        else:
            self.kernel(
                first, end, rows.records, rows.moves, wanted.numpy(), self.notes, self.rng,
                actions.numpy(),
            )  # fmt: skip


def _launchable(game: Game, advise: Any) -> Any:
    cuda, int32 = import_cuda(), import_module("numba").int32
    room, words = NOTES, len(game.new_moves())

    def advise_all(
        first: int, end: int, records: Any, sets: Any, wanted: Any, rng: Any, actions: Any
    ) -> None:
        i = first + cuda.grid(1)
        if i < end and wanted[i]:
            notes = cuda.local.array(room, int32)
            for k in range(room):
                notes[k] = 0
            moves = sets[i * words : (i + 1) * words]
            actions[i] = advise(records[i], moves, notes, rng[i : i + 1])

    return kept_jit(advise_all, variant(game), (game.definition.rules.play, advise))
