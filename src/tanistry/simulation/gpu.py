"""Random matches on an NVIDIA GPU: the unchanged rules, one match per thread at a time.

The record of a match lies in memory of the thread's own, most of a small one in shared memory; what
is counted is summed up on the device. Match number i is the same match as on the CPU: the same
deal, the same choices.

Nobody looks on here, so what the rules do for onlookers alone is left out (`kernel.unwatched`), and
the fields of the record that only serve for that with it.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tanistry.errors import OptionError
from tanistry.kernel import kernel, names_used, specialise, unwatched
from tanistry.kernel.cuda import (
    allow_shared_memory,
    import_cuda,
    kept_jit,
    make_fill,
    make_split,
)
from tanistry.match.game import kernels_of
from tanistry.simulation import playouts
from tanistry.table import ranking
from tanistry.table.bits import nth, popcount
from tanistry.table.stream import fast_below

if TYPE_CHECKING:
    from tanistry.games.contract import Definition
    from tanistry.match import Game

BLOCK = 64
"""Threads that are scheduled together."""


class Shape(NamedTuple):
    """How the threads of a game are arranged."""

    block: int = BLOCK
    """Threads of a block."""
    registers: int | None = None
    """As many as each thread may have, so that whole blocks find room."""
    moves_shared: bool = False
    """Whether sets of actions lie in shared memory, so that the caches are left to the records."""
    stragglers: int = 0
    """So few threads that are not yet at their turn, the others of a block do not wait for."""

    @property
    def in_step(self) -> bool:
        """Whether all threads of a block keep in step, not only those of a warp."""
        return self.block > BLOCK

    def shared_bytes(self, words: int) -> int:
        """Shared memory of a block for sets of actions of so many words."""
        return set_in_banks(words).itemsize * self.block if self.moves_shared else 0


SHAPES = {
    1024: Shape(768, 80, True),
    960: Shape(1024, 64, True, 128),
    768: Shape(512, 128, True, 128),
    512: Shape(64, 128),
    0: Shape(),
}
"""By the bytes of a record and a set of actions from which on it is the best, on an H200.

A game with a large record has large rules, whose instructions no cache holds: if many threads keep
in step, they are fetched once for all of them.
"""
ALL_LANES = 0xFFFFFFFF
"""The 32 threads of a warp, which are fast as long as they do the same thing."""
SHARED_BYTES = 48 << 10
"""The fast memory that the threads of a block share; all of their records may fit into it,
but for the stream."""
MOST_LENGTH = 1 << 14
"""Longer matches are counted together."""


# -- what differs from a CPU ----------------------------------------------------------------------


@kernel
def random_action(moves: Any, rng: Any) -> int:
    """`playouts.random_action` as GPUs like it: few instructions, none that only CPUs have."""
    total = 0
    for w in range(moves.shape[0]):
        total += popcount(moves[w])
    left = fast_below(rng, total)
    found = 0
    rest = moves[0]
    for w in range(1, moves.shape[0]):
        here = popcount(rest)
        if left < here:
            break
        left -= here
        found = w
        rest = moves[w]
    return 64 * found + nth(rest, left)


def make_count_of(block: bool) -> Any:
    """A device function: for how many threads of the warp, or of the block, something is so."""
    cuda, int32 = import_cuda(), import_module("numba").int32

    def in_block(condition: Any) -> Any:
        return cuda.syncthreads_count(int32(condition))

    def in_warp(condition: Any) -> Any:
        return cuda.popc(cuda.ballot_sync(ALL_LANES, condition))

    return cuda.jit(in_block if block else in_warp, device=True)


# -- records --------------------------------------------------------------------------------------


STREAM = ("nonce", "key", "block", "blocks", "used")
"""Fields that are needed to shuffle, and so hardly ever. The first has 64 bits: whole words precede
it."""


def lean(definition: Definition) -> np.dtype[Any]:
    """The record without the fields that play without onlookers never touches, the stream last."""
    rules = kernels_of(definition)
    played = (rules.start_stream, rules.deal, rules.legal, rules.play, rules.standing)
    used = names_used(*played, ranking.leaders)
    fields: Any = definition.dtype.fields
    kinds = {name: fields[name][0] for name in definition.dtype.names or () if name in used}
    ordered = [n for n, place in enumerate(definition.places) if place.order_counts]
    if "slots" in kinds and ordered:
        kinds["slots"] = np.dtype((np.int8, (max(ordered) + 1, kinds["slots"].shape[1])))
    stream = {name: kinds.pop(name) for name in STREAM if name in kinds}
    if np.dtype([*kinds.items()], align=True).itemsize // 8 % 2 == 0:
        # Side by side in shared memory, records with an odd number of words lie in other banks.
        kinds["odd"] = np.dtype(np.uint64)
    return np.dtype((np.record, np.dtype([*kinds.items(), *stream.items()], align=True)))


def bytes_near(record: np.dtype[Any], block: int) -> int:
    """How much of a record lies in shared memory: what precedes the stream, if it fits."""
    fields: Any = record.fields
    found: int = fields[STREAM[0]][1]
    return found if found * block <= SHARED_BYTES else 0


def lean_record(game: Game, key: bytes) -> Any:
    """A match not yet dealt, as the device holds it: an array of one record."""
    found = np.zeros(1, lean(game.definition))
    full = game.new_record(key)
    for field in set(found.dtype.names or ()) & set(full.dtype.names):
        found[field][0] = full[field][: len(found[field][0])] if field == "slots" else full[field]
    return found


def shape_of(record: np.dtype[Any], words: int) -> Shape:
    """How the threads are arranged for a record, and sets of actions of so many words."""
    size = record.itemsize + 8 * words
    return next(shape for least, shape in SHAPES.items() if size >= least)


def odd(words: int) -> int:
    """Room for so many words that lies in other banks of shared memory than that of the next."""
    return words | 1


def set_in_banks(words: int) -> np.dtype[Any]:
    """A set of actions and `odd` room for it; the compiler knows the length of a field."""
    formats, size = [(np.uint64, (words,))], 8 * odd(words)
    shape: Any = {"names": ["moves"], "formats": formats, "itemsize": size}
    return np.dtype((np.record, np.dtype(shape)))


# -- the kernel -----------------------------------------------------------------------------------


def launchable(definition: Definition, words: int, shape: Shape) -> Any:
    """The CUDA kernel of a game whose sets of actions have so many words."""
    numba: Any = import_module("numba")
    cuda, uint64 = import_cuda(), numba.uint64
    kernels = kernels_of(definition)
    names = ("deal", "legal", "play", "standing")
    given = {name: unwatched(getattr(kernels, name)) for name in names}
    winner = specialise(playouts, given, definition.info.name)["winner"]
    deal, legal, play = given["deal"], given["legal"], given["play"]
    start_stream, moves_shared = kernels.start_stream, shape.moves_shared
    dtype = lean(definition)
    record, near = numba.from_dtype(dtype), bytes_near(dtype, shape.block)
    split, fill = make_split(record, near), make_fill(near)
    words_near, staged_words = near // 8, max(1, near // 8 * shape.block)
    sets = numba.from_dtype(set_in_banks(words))
    count_of = make_count_of(shape.in_step)
    seats = max(definition.info.seats)
    apart = playouts.APART
    stragglers = shape.stragglers

    def matches(
        blank: Any, first: int, n: int, salt: Any, begun: Any, totals: Any, lengths: Any
    ) -> None:
        staged = cuda.shared.array(staged_words, uint64)
        own = cuda.threadIdx.x * words_near
        rest = cuda.local.array(1, record)
        s = split(staged, 8 * own, rest, 0)
        if moves_shared:
            moves = cuda.shared.array(0, sets)[cuda.threadIdx.x].moves
        else:
            moves = cuda.local.array(words, uint64)
        rng = cuda.local.array(1, uint64)
        wins = cuda.local.array(seats, uint64)
        for seat in range(seats):
            wins[seat] = uint64(0)
        steps = uint64(0)
        same = 0  # matches in a row of the same length, counted together
        length = 0
        taken = 0
        action = 0
        turn = 0
        going = False
        lane = cuda.threadIdx.x & 31
        while True:
            # Threads keep in step, for each waits while others are elsewhere in the rules. Those of
            # a warp deal together; and whoever is at the decision the match began with, usually a
            # turn, waits until the others have done what comes between.
            if cuda.ballot_sync(ALL_LANES, going) == 0:
                number = 0
                if lane == 0:
                    number = cuda.atomic.add(begun, 0, 32)
                number = cuda.shfl_sync(ALL_LANES, number, 0)
                if number >= n:
                    break
                number += lane
                if number < n:
                    fill(staged, own, rest, blank)
                    start_stream(s, first + number)
                    rng[0] = uint64(salt) + uint64(first + number) * apart
                    deal(s)
                    turn = s.decision
                    taken = 0
                    going = True
            cuda.syncwarp(ALL_LANES)
            between = going and s.decision != turn
            waiting = count_of(between) > stragglers and not between
            acting = going and not waiting
            if acting:
                legal(s, moves)
                action = random_action(moves, rng)
            cuda.syncwarp(ALL_LANES)
            if acting:
                play(s, action)
                taken += 1
            if acting and s.to_act < 0:
                going = False
                steps += uint64(taken)
                if taken != length and same > 0:
                    cuda.atomic.add(lengths, min(length, lengths.shape[0] - 1), uint64(same))
                    same = 0
                length = taken
                same += 1
                won = winner(s)
                if won >= 0:
                    wins[won] += uint64(1)
        if same > 0:
            cuda.atomic.add(lengths, min(length, lengths.shape[0] - 1), uint64(same))
        cuda.atomic.add(totals, 0, steps)
        for seat in range(seats):
            cuda.atomic.add(totals, 1 + seat, wins[seat])

    name = "_".join(map(str, (definition.info.name, words, *shape)))
    return kept_jit(matches, name, (kernels.play, random_action), shape.registers)


_made: dict[tuple[str, int, int], Any] = {}


class GpuRun:
    """One simulation on the GPU: matches go in by ranges, counts come out at the end."""

    def __init__(self, game: Game, key: bytes, salt: Any) -> None:
        require_gpu()
        cuda = import_cuda()
        definition = game.definition
        words = len(game.new_moves())
        blank = lean_record(game, key)
        shape = fitting(shape_of(blank.dtype, words), words)
        made = definition.info.name, id(definition.rules), words
        if made not in _made:
            _made[made] = launchable(definition, words, shape)
        self.kernel = _made[made]
        self.salt = np.uint64(salt)
        self.blank = cuda.to_device(blank)
        self.totals = cuda.to_device(np.zeros(1 + max(game.info.seats), np.uint64))
        self.lengths = cuda.to_device(np.zeros(MOST_LENGTH, np.uint64))
        self.block, self.shared = shape.block, shape.shared_bytes(words)
        # As many as run at once: else some would wait for others to end, and the last run alone.
        self.most_blocks = resident(self.kernel, self._given(0, 0), self.block, self.shared)

    def _given(self, first: int, n: int) -> tuple[Any, ...]:
        begun = import_cuda().to_device(np.zeros(1, np.int64))
        return self.blank, first, n, self.salt, begun, self.totals, self.lengths

    def play(self, first: int, n: int) -> None:
        """Play matches first … first + n − 1 and wait for them."""
        grid = max(1, min(self.most_blocks, -(-n // self.block)))
        self.kernel[grid, self.block, 0, self.shared](*self._given(first, n))
        import_cuda().synchronize()

    def counts(self) -> SimpleNamespace:
        """Steps, wins per seat and matches per length so far."""
        totals = self.totals.copy_to_host().astype(np.int64)
        lengths = self.lengths.copy_to_host().astype(np.int64)
        return SimpleNamespace(steps=int(totals[0]), wins=totals[1:], lengths=lengths)


def fitting(shape: Shape, words: int) -> Shape:
    """A shape without what this GPU has not: large shared memory."""
    most = import_cuda().get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    return shape if shape.shared_bytes(words) <= most else shape._replace(moves_shared=False)


def resident(kernel: Any, given: tuple[Any, ...], block: int, shared: int) -> int:
    """Compile a kernel and let it have its shared memory; how many of its blocks run at once."""
    typeof = import_module("numba").typeof
    made = kernel.compile(tuple(typeof(argument) for argument in given))
    if shared > SHARED_BYTES:
        allow_shared_memory(made, shared)
    blocks: int = made.max_cooperative_grid_blocks(block, shared)
    return blocks


def has_gpu() -> bool:
    """Whether there is a GPU that can be used."""
    try:
        return bool(import_cuda().is_available())
    except Exception:  # a broken driver raises whatever it likes
        return False


def require_gpu() -> None:
    """Say plainly what is missing."""
    if not has_gpu():
        raise OptionError("option/no_gpu")
