"""How the threads of a warp write together what their rows of a batch are shown.

Rows lie one after the other. A thread that wrote its own would touch another line of memory than
its neighbours with every byte; so each puts its row together in shared memory, flags as bits, and
then neighbours write what lies side by side, sixteen bytes each. A byte that is written alone costs
a GPU as much as a whole line: it has to be read before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.kernel import inlined, kernel, specialise
from tanistry.kernel.cuda import import_cuda, make_store_flags, make_store_over
from tanistry.kernel.scribe import make_flag_scribe, make_number_scribe
from tanistry.match.game import kernels_of
from tanistry.simulation import observation
from tanistry.simulation.gpu import odd
from tanistry.simulation.observation import Plan, kernels_for, variant
from tanistry.table.bits import ONE

if TYPE_CHECKING:
    from tanistry.match import Game

WARP = 32
"""Threads that do the same thing at a time."""
PIECE = 16
"""Bytes that a thread writes at once."""
NEVER = 1 << 40
"""Further on than any row."""
U64 = np.uint64


class Staging:
    """Where in shared memory the rows of a warp are put together.

    First there are sets of actions. When these are written, there come in their place the flags of
    observations as sets of bits; then bytes: at the beginning of each row (`head`), where hidden
    cards are counted, and from `bytes_from` on to its end. Where cards have twins and are counted
    everywhere, and where rows are tiny, all of a row are bytes. Rows of bytes lie as far apart as
    those they are written to, but for a multiple of a piece, with zeros in between.
    """

    def __init__(self, game: Game, insights: bool) -> None:
        self.plan = plan = Plan(game, insights)
        self.outline = outline = plan.outline()
        self.size, self.flags = plan.size, plan.first_fact
        self.room_of_moves = odd(len(game.new_moves()) + 1)
        self.room_of_flags = odd(self.flags // 64 + 2)
        head = outline.head + len(outline.closed)
        self.all_bytes = outline.counted > 0 or self.flags < head + 2 * PIECE
        self.head = 0 if self.all_bytes else head
        self.bytes_from = 0 if self.all_bytes else self.flags
        self.zeros = pieces(8 * self.room_of_flags * WARP)
        self.first_head = self.zeros + PIECE
        self.heads_apart = self._apart(self.head) if self.head else 0
        self.first = pieces(self.first_head + self.heads_apart * (WARP + 1))
        self.first += PIECE + self.bytes_from % PIECE
        self.apart = self.size if self.all_bytes else self._apart(self.size - self.bytes_from)
        end = self.first + self.apart * WARP + PIECE
        self.end = pieces(max(end, 8 * self.room_of_moves * WARP + 8))

    def _apart(self, length: int) -> int:
        """How far apart rows of so many bytes lie."""
        least = length + PIECE - 1
        return least + (self.size - least) % PIECE


def pieces(length: int) -> int:
    """So many bytes, or a little more, in whole pieces."""
    return -(-length // PIECE) * PIECE


@kernel
@inlined
def put_flag(words: Any, at: Any, value: Any) -> None:
    """Of what is told of order, the flags, which are bits."""
    if value == 1:
        words[at >> U64(6)] |= ONE << (at & U64(63))


@kernel
@inlined
def put_number(out: Any, at: Any, value: Any) -> None:
    """Of what is told of order, the numbers: few, which are written one by one."""
    if value > 1:
        out[at] = value


def make_write_flags(size: int, flags: int, room: int, staging: Staging | None = None) -> Any:
    """A device function by which a warp writes rows of `size` bytes, of which `flags` are flags.

    They come as sets of bits `room` words apart; all other bytes, if there are any, are staged.
    Numbers are short and indices unsigned, for fewer instructions.
    """
    numba: Any = import_module("numba")
    cuda, uint64, uint32, int32 = import_cuda(), numba.uint64, numba.uint32, numba.int32
    store, store_over = make_store_flags(), make_store_over()
    bits_apart = 64 * room
    bytes_from, head, nothing, first, first_head, apart, heads_apart = NEVER, 0, 0, 0, 0, 0, 0
    if staging:
        bytes_from, head, nothing = staging.bytes_from, staging.head, staging.zeros
        first, first_head = staging.first, staging.first_head
        apart, heads_apart = staging.apart, staging.heads_apart
    more_rows, more = divmod(PIECE * WARP, size)
    tiny = size < PIECE

    def write_flags(words: Any, staged: Any, out: Any, begin: int, count: int) -> None:
        row, at = int32(PIECE * cuda.threadIdx.x // size), int32(PIECE * cuda.threadIdx.x % size)
        for k in range(PIECE * cuda.threadIdx.x, count * size, PIECE * WARP):
            bit_at = int32(row * bits_apart + at)
            near = uint32(bit_at >> 5)
            two = uint64(words[near]) | (uint64(words[uint32(near + 1)]) << uint64(32))
            bits = uint32(two >> uint64(bit_at & 31)) if at < flags else uint32(0)
            if at > size - PIECE:  # the row ends among these bytes, and the next one begins
                following = words[uint32((row + 1) * 2 * room)]
                bits = uint32(bits | (following << uint32(size - at)))
                if tiny:  # and those after it
                    end, other_row = 2 * size - at, row + 2
                    while end < PIECE and other_row < WARP:
                        following = words[uint32(other_row * 2 * room)]
                        bits = uint32(bits | (following << uint32(end)))
                        end, other_row = end + size, other_row + 1
            if at > bytes_from - PIECE or at < head:
                one = first + row * apart + at - bytes_from if at > bytes_from - PIECE else nothing
                other = nothing
                if at < head:
                    other = first_head + row * heads_apart + at
                elif head > 0 and at > size - PIECE:
                    other = first_head + (row + 1) * heads_apart + at - size
                store_over(out, begin + k, bits, staged, one, other)
            else:
                store(out, begin + k, bits)
            row, at = int32(row + more_rows), int32(at + more)
            if at >= size:
                row, at = int32(row + 1), int32(at - size)

    return cuda.jit(write_flags, device=True)


def make_show(game: Game, insights: bool) -> Any:
    """A kernel by which the threads of a warp, a block, write what all of their rows are shown."""
    numba: Any = import_module("numba")
    cuda, uint64 = import_cuda(), numba.uint64
    legal = kernels_of(game.definition).legal
    actions, words = len(game.tokens), len(game.new_moves())
    staging = Staging(game, insights)
    room = staging.room_of_moves
    write_mask = make_write_flags(actions, actions, room)
    more_rows, more = divmod(WARP, words)
    put_together, write_rows = make_put_together(game, insights, staging)

    def show_all(rows: Any) -> None:
        i, lane = cuda.grid(1), cuda.threadIdx.x
        first = i - lane
        count = min(WARP, rows.to_act.shape[0] - first)
        sets, staged = cuda.shared.array(0, uint64), cuda.shared.array(0, numba.uint8)
        halves = cuda.shared.array(0, numba.uint32)
        if lane < count:
            rows.to_act[i] = rows.records[i].to_act
            legal(rows.records[i], sets[lane * room : lane * room + words])
            for w in range(words, room):
                sets[lane * room + w] = uint64(0)
        cuda.syncwarp()
        row, w = lane // words, lane % words
        for k in range(lane, count * words, WARP):
            rows.moves[first * words + k] = sets[row * room + w]
            row, w = row + more_rows, w + more
            if w >= words:
                row, w = row + 1, w - words
        write_mask(halves, staged, rows.mask, first * actions, count)
        if rows.observations.shape[0] > 0:
            cuda.syncwarp()
            put_together(rows.records, i, lane < count, sets, staged)
            cuda.syncwarp()
            write_rows(rows, i, count, halves, staged)

    return show_all


def make_put_together(game: Game, insights: bool, staging: Staging) -> tuple[Any, Any]:
    """Device functions: what each thread does for its row, and how the rows are written then."""
    numba: Any = import_module("numba")
    cuda, uint64 = import_cuda(), numba.uint64
    constants, kernels = staging.plan.constants(), kernels_for(game, insights)
    code_of, head_of, write_facts = constants["CODE_OF"], kernels["head_of"], kernels["write_facts"]
    name = variant(game, insights)
    tell_bytes = kernels["tell_orders"]
    tell_flags, tell_numbers = (
        specialise(observation, {**constants, "put": put}, f"{name}_{put.__name__}")["tell_orders"]
        for put in (put_flag, put_number)
    )
    write_bits = make_flag_scribe(staging.outline)
    write_counts = make_number_scribe(staging.outline)
    write_flags = make_write_flags(staging.size, staging.flags, staging.room_of_flags, staging)
    size, all_bytes, bytes_from = staging.size, staging.all_bytes, staging.bytes_from
    zeros, end, room, written = (
        staging.zeros // 8, staging.end // 8, staging.room_of_flags, staging.flags // 64 + 1,
    )  # fmt: skip
    first_byte, apart = staging.first, staging.apart
    first_head, heads_apart = staging.first_head, staging.heads_apart

    def put_together(records: Any, i: int, here: bool, sets: Any, staged: Any) -> None:
        lane = cuda.threadIdx.x
        for k in range(zeros + lane, end, WARP):
            sets[k] = uint64(0)
        cuda.syncwarp()
        if here:
            s = records[i]
            seat = int(s.to_act)
            bits = lane * room
            write_bits(s.place, s.known, seat, head_of(s, seat), code_of, sets, 8 * bits)
            for w in range(written, room):
                sets[bits + w] = uint64(0)
            row = first_byte + lane * apart - bytes_from
            write_facts(s, seat, staged, row, size)
            if all_bytes:
                write_counts(s.place, s.known, seat, uint64(0), code_of, staged, row)
                tell_bytes(s, seat, staged, row)
            else:
                head = first_head + lane * heads_apart
                write_counts(s.place, s.known, seat, uint64(0), code_of, staged, head)
                tell_flags(s, seat, sets, 64 * bits)

    def write_rows(rows: Any, i: int, count: int, halves: Any, staged: Any) -> None:
        lane = cuda.threadIdx.x
        write_flags(halves, staged, rows.observations, (i - lane) * size, count)
        if not all_bytes:
            cuda.syncwarp()
            if lane < count:
                s = rows.records[i]
                tell_numbers(s, int(s.to_act), rows.observations, i * size)

    return cuda.jit(put_together, device=True), cuda.jit(write_rows, device=True)
