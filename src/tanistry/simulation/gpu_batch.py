"""Batched stepping on an NVIDIA GPU: the same rows, one thread for each.

The arrays lie on the device and never leave it: `torch.as_tensor(batch.observations)`,
`cupy.asarray(…)` and `jax.numpy.asarray(…)` look at the same memory. Actions may come from there.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.kernel.cuda import import_cuda, kept_jit
from tanistry.simulation.batch import Batch, refuse_actions, stepping_kernels
from tanistry.simulation.gpu import BLOCK, random_action, require_gpu
from tanistry.simulation.observation import variant
from tanistry.table.record import LOG_WIDTH

if TYPE_CHECKING:
    from tanistry.match import Game


def silent(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The record without room for events."""
    fields: Any = dtype.fields
    kinds = []
    for name in dtype.names or ():
        field = fields[name][0]
        shape = (1, LOG_WIDTH) if name == "log" else field.shape
        kinds.append((name, field.base, shape))
    return np.dtype((np.record, np.dtype(kinds, align=True)))


def launchable(game: Game, insights: bool) -> dict[str, Any]:
    """The CUDA kernels of a game."""
    numba: Any = import_module("numba")
    cuda, uint64 = import_cuda(), numba.uint64
    words = len(game.new_moves())
    made = stepping_kernels(game, insights=insights)
    begin, step = made["begin"], made["step"]

    def begin_all(rows: Any, salt: Any) -> None:
        i = cuda.grid(1)
        if i < rows.to_act.shape[0]:
            begin(i, salt, rows, cuda.local.array(words, uint64))

    def step_all(rows: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < rows.to_act.shape[0]:
            step(i, int(actions[i]), cuda.local.array(words, uint64), rows)

    def choose_all(rows: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < rows.to_act.shape[0]:
            sets = rows.moves[i * words : (i + 1) * words]
            actions[i] = random_action(sets, rows.rng[i : i + 1])

    kernels = {"begin_all": begin_all, "step_all": step_all, "choose_all": choose_all}
    sources = game.definition.rules.play, step
    kind = variant(game, insights)
    return {name: kept_jit(kernel, kind, sources) for name, kernel in kernels.items()}


_made: dict[tuple[str, int, int], dict[str, Any]] = {}


class GpuBatch(Batch):
    """A batch on the GPU; its arrays are CUDA arrays."""

    device = "cuda"
    stream: Any = 0
    """Numba's word for the stream that steps are launched on."""

    def on_stream(self, handle: int) -> None:
        """Launch on another library's stream, say `torch.cuda.current_stream().cuda_stream`.

        What is launched there may be captured in a graph, with what the library does in between.
        """
        import_cuda().synchronize()  # what was launched before does not wait for that stream
        self.stream = import_cuda().external_stream(handle)

    def _array(self, shape: int | tuple[int, int], kind: Any) -> Any:
        require_gpu()
        return import_cuda().to_device(np.zeros(shape, kind))

    def _dtype(self) -> np.dtype[Any]:
        return silent(self.game.definition.dtype)

    def _make_kernels(self) -> dict[str, Any]:
        key = (
            variant(self.game, self.insights),
            id(self.game.definition.rules),
            len(self.game.new_moves()),
        )
        if key not in _made:
            _made[key] = launchable(self.game, self.insights)
        return _made[key]

    def _set_blank(self, number: int, record: Any) -> None:
        blank = np.zeros(1, self._dtype())
        for field in blank.dtype.names or ():
            if field != "log":
                blank[field][0] = record[field]
        self._rows.blank[number : number + 1].copy_to_device(blank)

    def _copy_record(self, row: int, record: Any) -> None:
        source = self._rows.records[row : row + 1].copy_to_host()[0]
        for field in record.dtype.names:
            if field != "log":
                record[field] = source[field]

    def _read_actions(self, actions: Any) -> Any:
        if not hasattr(actions, "__cuda_array_interface__"):
            self._actions.copy_to_device(super()._read_actions(actions))
            return self._actions
        given = import_cuda().as_cuda_array(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise refuse_actions(given, self.n)
        return given

    def _run(self, name: str, argument: Any) -> None:
        self._kernels[f"{name}_all"][-(-self.n // BLOCK), BLOCK, self.stream](self._rows, argument)
