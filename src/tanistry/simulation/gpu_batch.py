"""Batched stepping on an NVIDIA GPU: the same rows, one thread for each.

The arrays lie on the device and never leave it: `torch.as_tensor(batch.observations)`,
`cupy.asarray(…)` and `jax.numpy.asarray(…)` look at the same memory. Actions may come from there.

A step is three kernels, recorded as one launch: every thread plays the choice of a row; matches
that are over are gathered, so that full warps deal the next ones; and the threads of a warp write
together what their rows are shown (`gpu_rows`).
"""

from __future__ import annotations

from importlib import import_module
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tanistry.kernel import names_used
from tanistry.kernel.cuda import (
    allow_shared_memory,
    captured,
    core_stream,
    import_cuda,
    kept_jit,
    make_copy,
    make_move,
    make_split,
    prepared,
)
from tanistry.match.game import kernels_of
from tanistry.simulation.batch import Batch, refuse_actions, stepping_kernels
from tanistry.simulation.gpu import ALL_LANES, SHARED_BYTES, random_action, require_gpu
from tanistry.simulation.gpu_rows import PIECE, WARP, Staging, make_show, pieces
from tanistry.simulation.observation import variant
from tanistry.table.record import LOG_WIDTH

if TYPE_CHECKING:
    from tanistry.match import Game

BLOCK = 128
"""Threads of a block that have nothing to do with each other."""
SPAN = 512
"""Rows among which a warp looks for matches that are over."""
SMALL = 768
"""Bytes of a record up to which a warp fetches its records to shared memory for a step."""
NEAR = 704
"""Bytes that are fetched at most of a larger one."""
SORTED, FEWEST_BLOCKS = 128, 512
"""Large records that are shared out by kind; fewer, if there were fewer blocks than these."""
KINDS = 64
"""Of choices: neighbours among the actions of a game are alike."""
AFTER = {"begin": ("show",), "step": ("renew", "show"), "choose": ()}
"""What is launched after a kernel, so that the rows are up to date."""


class Layout(NamedTuple):
    """How a record lies on the GPU."""

    dtype: np.dtype[Any]
    near: int
    """Bytes in front that are fetched to shared memory for a step: all of a small record."""

    @property
    def is_small(self) -> bool:
        return self.near == self.dtype.itemsize


def layout_of(game: Game) -> Layout:
    """The record of a game without room for events; of a large one, what steps touch in front.

    Where cards lie and who knows it comes first, then what is small, as far as there is room.
    """
    fields: Any = game.definition.dtype.fields
    kinds = {name: fields[name][0] for name in fields}
    kinds["log"] = np.dtype((kinds["log"].base, (1, LOG_WIDTH)))
    whole = np.dtype((np.record, np.dtype([*kinds.items()], align=True)))
    if whole.itemsize <= SMALL:
        return Layout(whole, whole.itemsize)
    touched = names_used(kernels_of(game.definition).play, onlookers=True)

    def order(name: str) -> tuple[bool, bool, int]:
        return name not in touched, name not in ("place", "known"), kinds[name].itemsize

    ordered, front, room = sorted(kinds, key=order), [], NEAR
    for name in ordered:
        if name in touched and kinds[name].itemsize <= room:
            front.append(name)
            room -= kinds[name].itemsize
    near = np.dtype([(name, kinds[name]) for name in front], align=True)
    far = np.dtype([(name, kinds[name]) for name in ordered if name not in front], align=True)
    return joined(near, far)


def joined(near: Any, far: Any) -> Layout:
    """One record after the other, each in whole pieces."""
    begin = pieces(near.itemsize)
    fields = {name: (kind, at) for name, (kind, at) in near.fields.items()}
    fields |= {name: (kind, begin + at) for name, (kind, at) in far.fields.items()}
    formats, offsets = zip(*fields.values())
    shape: Any = {"names": [*fields], "formats": formats, "offsets": offsets}
    shape["itemsize"] = begin + pieces(far.itemsize)
    return Layout(np.dtype((np.record, np.dtype(shape, align=True))), begin)


def make_step_together(game: Game, step: Any) -> Any:
    """A kernel by which a warp fetches its records together, plays, and brings them back.

    What neighbouring threads read and write in their own records lies far apart; a GPU moves whole
    lines for it, and reads those it is to write a part of.
    """
    numba: Any = import_module("numba")
    cuda, move = import_cuda(), make_move()
    dtype, size = layout_of(game)
    record = numba.from_dtype(dtype)

    def step_all(rows: Any, actions: Any) -> None:
        i, lane = cuda.grid(1), cuda.threadIdx.x
        first = i - lane
        count = min(WARP, rows.to_act.shape[0] - first)
        own = cuda.shared.array(0, record)
        for k in range(PIECE * lane, count * size, PIECE * WARP):
            move(own, k, rows.records, first * size + k)
        cuda.syncwarp()
        if lane < count:
            step(own[lane], i, int(actions[i]), rows)
        cuda.syncwarp()
        for k in range(PIECE * lane, count * size, PIECE * WARP):
            move(rows.records, first * size + k, own, k)

    return step_all


def make_step_sorted(game: Game, step: Any) -> Any:
    """A kernel by which the threads of a block share its rows out by what is chosen there.

    Those of a warp wait while some of them are elsewhere in the rules. What the rules touch most is
    fetched together and brought back so; the rest of a record stays where it is.
    """
    numba: Any = import_module("numba")
    cuda, int32, actions_in_all = import_cuda(), numba.int32, len(game.tokens)
    move, (dtype, near) = make_move(), layout_of(game)
    split = make_split(numba.from_dtype(dtype), near)
    size, apart, parts = dtype.itemsize, near + PIECE, near // PIECE

    def step_all(rows: Any, actions: Any) -> None:
        i, lane = cuda.grid(1), cuda.threadIdx.x
        n = rows.to_act.shape[0]
        first, threads = i - lane, cuda.blockDim.x
        count = min(threads, n - first)
        staged = cuda.shared.array(0, numba.uint8)
        for k in range(lane, count * parts, threads):
            row, piece = k // parts, k % parts * PIECE
            move(staged, row * apart + piece, rows.records, (first + row) * size + piece)
        of_kind, order = cuda.shared.array(KINDS, int32), cuda.shared.array(SORTED, int32)
        for kind in range(lane, KINDS, cuda.blockDim.x):
            of_kind[kind] = 0
        cuda.syncthreads()
        kind = KINDS - 1
        if i < n:
            kind = min(max(int(actions[i]), 0), actions_in_all - 1) * KINDS // actions_in_all
        at = cuda.atomic.add(of_kind, kind, 1)
        cuda.syncthreads()
        for sooner in range(kind):
            at += of_kind[sooner]
        order[at] = lane
        cuda.syncthreads()
        row = order[lane]
        i = first + row
        if i < n:
            step(split(staged, row * apart, rows.records, i), i, int(actions[i]), rows)
        cuda.syncthreads()
        for k in range(lane, count * parts, threads):
            row, piece = k // parts, k % parts * PIECE
            move(rows.records, (first + row) * size + piece, staged, row * apart + piece)

    return step_all


def make_renew(game: Game, renew: Any, copy_record: Any) -> Any:
    """A kernel that deals the next match where one is over.

    A thread that dealt in its own row would keep all of its warp waiting at nearly every step.
    """
    numba: Any = import_module("numba")
    cuda, int64 = import_cuda(), numba.int64
    record = numba.from_dtype(layout_of(game).dtype)

    def renew_all(rows: Any) -> None:
        lane = cuda.threadIdx.x
        ended = cuda.shared.array(SPAN, int64)
        found = 0
        for k in range(0, SPAN, WARP):
            i = cuda.blockIdx.x * SPAN + k + lane
            over = i < rows.to_act.shape[0] and rows.done[i]
            together = cuda.ballot_sync(ALL_LANES, over)
            if over:
                ended[found + cuda.popc(together & ((1 << lane) - 1))] = i
            found += cuda.popc(together)
        cuda.syncwarp()
        own = cuda.local.array(1, record)
        for k in range(lane, found, WARP):
            i = ended[k]
            copy_record(own, 0, rows.records, i)
            renew(own, 0, i, rows)
            copy_record(rows.records, i, own, 0)

    return renew_all


def launchable(game: Game, insights: bool) -> dict[str, Any]:
    """The CUDA kernels of a game."""
    cuda, words = import_cuda(), len(game.new_moves())
    copy_words = make_copy()

    def copy_one(records: Any, at: int, source: Any, number: int) -> None:
        copy_words(records[at : at + 1], source[number : number + 1])

    copy_record = cuda.jit(copy_one, device=True)
    made = stepping_kernels(game, insights=insights, copy_record=copy_record)
    begin, step = made["begin"], made["step"]

    def begin_all(rows: Any, salt: Any) -> None:
        i = cuda.grid(1)
        if i < rows.to_act.shape[0]:
            begin(i, salt, rows)

    def choose_all(rows: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < rows.to_act.shape[0]:
            sets = rows.moves[i * words : (i + 1) * words]
            actions[i] = random_action(sets, rows.rng[i : i + 1])

    make_step = make_step_together if layout_of(game).is_small else make_step_sorted
    step_all = make_step(game, step)
    renew_all = make_renew(game, made["renew"], copy_record)
    show_all = make_show(game, insights)
    kernels = (begin_all, step_all, renew_all, show_all, choose_all)
    sources = game.definition.rules.play, step
    kind = variant(game, insights)
    return {kernel.__name__: kept_jit(kernel, kind, sources) for kernel in kernels}


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
        """Zeros, and room behind them: what is copied by pieces may end within one."""
        require_gpu()
        length = prod(np.atleast_1d(shape).tolist())
        return import_cuda().to_device(np.zeros(length + PIECE, kind))[:length].reshape(shape)

    def _dtype(self) -> np.dtype[Any]:
        return layout_of(self.game).dtype

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
        if actions is self._actions:
            return actions
        if not hasattr(actions, "__cuda_array_interface__"):
            self._actions.copy_to_device(super()._read_actions(actions))
            return self._actions
        given = import_cuda().as_cuda_array(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise refuse_actions(given, self.n)
        return given

    def _run(self, name: str, argument: Any) -> None:
        """Launch a kernel and what comes after it; as one, unless another library may record it."""
        stream = core_stream(self.stream)
        if argument is not self._actions or self.stream:
            for launch in self._launches(name, argument):
                launch(stream)
        else:
            if name not in self._code:
                self._code[name] = captured(self._launches(name, argument))
            self._code[name](stream)

    def _launches(self, name: str, argument: Any) -> list[Any]:
        for after in AFTER[name]:
            if after not in self._code:
                self._code[after] = self._launch(after)
        return [self._launch(name, argument), *(self._code[after] for after in AFTER[name])]

    def _launch(self, name: str, *arguments: Any) -> Any:
        typeof = import_module("numba").typeof
        given = self._rows, *arguments
        made = self._kernels[f"{name}_all"].compile(tuple(typeof(argument) for argument in given))
        rows, threads, shared = self._block(name)
        if shared > SHARED_BYTES:
            allow_shared_memory(made, shared)
        return prepared(made, given, -(-self.n // rows), threads, shared)

    def _block(self, name: str) -> tuple[int, int, int]:
        """Rows of a block of a kernel, its threads, and bytes of its shared memory."""
        if name == "show":
            return WARP, WARP, Staging(self.game, self.insights).end
        if name == "renew":
            return SPAN, WARP, 0
        if name != "step":
            return BLOCK, BLOCK, 0
        layout = layout_of(self.game)
        if layout.is_small:
            return WARP, WARP, WARP * layout.near
        fair = max(self.n // FEWEST_BLOCKS, WARP)  # no multiprocessor goes without
        threads = min(SORTED, 1 << (fair.bit_length() - 1))
        return threads, threads, threads * (layout.near + PIECE)
