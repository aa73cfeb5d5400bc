"""Batched stepping on an NVIDIA GPU: the same rows, one thread for each.

The arrays lie on the device and never leave it: `torch.as_tensor(batch.observations)`,
`cupy.asarray(…)` and `jax.numpy.asarray(…)` look at the same memory. Actions may come from there.

A step is three kernels, recorded as one launch: every thread plays the choice of its row; matches
that are over are gathered, so that full warps deal the next ones; and the threads of a warp write
together what their rows are shown.
"""

from __future__ import annotations

from importlib import import_module
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.kernel.cuda import (
    allow_shared_memory,
    captured,
    core_stream,
    import_cuda,
    kept_jit,
    make_copy,
    make_move,
    make_store,
    prepared,
)
from tanistry.match.game import kernels_of
from tanistry.simulation.batch import Batch, refuse_actions, stepping_kernels
from tanistry.simulation.gpu import ALL_LANES, SHARED_BYTES, odd, random_action, require_gpu
from tanistry.simulation.observation import kernels_for, observer, variant
from tanistry.table.record import LOG_WIDTH

if TYPE_CHECKING:
    from tanistry.match import Game

WARP = 32
"""Threads that do the same thing at a time; they are a block."""
SPAN = 512
"""Rows among which a warp looks for matches that are over."""
STAGED = 16
"""Observations that a warp puts together at a time: with all of its 32, too few warps find room."""
PIECE = 16
"""Bytes that a thread copies at once."""
AFTER = {"begin": ("show",), "step": ("renew", "show"), "choose": ()}
"""What is launched after a kernel, so that the rows are up to date."""


def silent(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The record without room for events."""
    fields: Any = dtype.fields
    kinds = []
    for name in dtype.names or ():
        field = fields[name][0]
        shape = (1, LOG_WIDTH) if name == "log" else field.shape
        kinds.append((name, field.base, shape))
    return np.dtype((np.record, np.dtype(kinds, align=True)))


def shared_bytes(size: int, words: int) -> int:
    """What a warp needs of shared memory: observations of so many bytes, then sets of actions."""
    return STAGED * size + 8 * odd(words) * WARP


def make_eight_flags(actions: int, room: int) -> Any:
    """A device function: eight flags of the mask as bytes, from sets `room` words apart."""
    uint64 = import_module("numba").uint64
    each, own_bit = uint64(0x0101010101010101), uint64(0x8040201008040201)
    all_but_one = uint64(0x7F7F7F7F7F7F7F7F)

    def eight_flags(sets: Any, row: int, action: int) -> Any:
        if action + 8 <= actions:
            at, shift = row * room + (action >> 6), uint64(action & 63)
            bits = sets[at] >> shift
            if shift > uint64(56):
                bits |= sets[at + 1] << (uint64(64) - shift)
            # A copy of all eight in each byte, of which it keeps its own: whatever is left is 1.
            kept = (bits & uint64(255)) * each & own_bit
            return ((kept + all_but_one) >> uint64(7)) & each
        flags = uint64(0)
        for k in range(8):  # the row ends among them, and the next one begins
            flag = (sets[row * room + (action >> 6)] >> uint64(action & 63)) & uint64(1)
            flags |= flag << uint64(8 * k)
            action += 1
            if action == actions:
                action = 0
                row += 1
        return flags

    return import_cuda().jit(eight_flags, device=True)


def make_show(game: Game, insights: bool) -> Any:
    """A kernel by which the threads of a warp write what all of their rows are shown.

    Rows lie one after the other. A thread that wrote its own would touch another line of memory
    than its neighbours with every byte; so each puts its row together in shared memory, and then
    neighbours write what lies side by side.
    """
    numba: Any = import_module("numba")
    cuda, uint64, uint8 = import_cuda(), numba.uint64, numba.uint8
    legal = kernels_of(game.definition).legal
    write_row = kernels_for(game, insights)["write_row"]
    size = observer(game, insights).layout.size
    actions, words = len(game.tokens), len(game.new_moves())
    room, first_set = odd(words), STAGED * size // 8
    store, move, eight_flags = make_store(), make_move(), make_eight_flags(actions, room)

    def show_all(rows: Any) -> None:
        i, lane = cuda.grid(1), cuda.threadIdx.x
        first = i - lane
        count = min(WARP, rows.to_act.shape[0] - first)
        sets = cuda.shared.array(0, uint64)[first_set:]
        if lane < count:
            rows.to_act[i] = rows.records[i].to_act
            legal(rows.records[i], sets[lane * room : lane * room + words])
        cuda.syncwarp()
        for k in range(lane, count * words, WARP):
            rows.moves[first * words + k] = sets[k // words * room + k % words]
        for k in range(8 * lane, count * actions, 8 * WARP):
            store(rows.mask, first * actions + k, eight_flags(sets, k // actions, k % actions))
        if rows.observations.shape[0] == 0:
            return
        staged = cuda.shared.array(0, uint8)
        for part in range(0, count, STAGED):
            if part <= lane < min(part + STAGED, count):
                s = rows.records[i]
                write_row(s, int(s.to_act), staged, (lane - part) * size, size)
            cuda.syncwarp()
            for k in range(PIECE * lane, min(count - part, STAGED) * size, PIECE * WARP):
                move(rows.observations, (first + part) * size + k, staged, k)
            cuda.syncwarp()

    return show_all


def make_renew(game: Game, renew: Any, copy_record: Any) -> Any:
    """A kernel that deals the next match where one is over.

    A thread that dealt in its own row would keep all of its warp waiting at nearly every step.
    """
    numba: Any = import_module("numba")
    cuda, int64 = import_cuda(), numba.int64
    record = numba.from_dtype(silent(game.definition.dtype))

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

    def step_all(rows: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < rows.to_act.shape[0]:
            step(rows.records[i], i, int(actions[i]), rows)

    def choose_all(rows: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < rows.to_act.shape[0]:
            sets = rows.moves[i * words : (i + 1) * words]
            actions[i] = random_action(sets, rows.rng[i : i + 1])

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
        words = len(self.game.new_moves())
        shared = shared_bytes(self.layout.size, words) if name == "show" else 0
        if shared > SHARED_BYTES:
            allow_shared_memory(made, shared)
        rows = SPAN if name == "renew" else WARP
        return prepared(made, given, -(-self.n // rows), WARP, shared)
