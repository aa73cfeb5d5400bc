"""Random matches on an NVIDIA GPU: the unchanged rules, one match per thread at a time.

The record of a match lies in the thread's local memory; what is counted is summed up on the device.
Match number i is the same match as on the CPU: the same deal, the same choices.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.errors import OptionError
from tanistry.match.game import kernels_of
from tanistry.simulation import playouts
from tanistry.table.bits import EMPTY, nth, popcount
from tanistry.table.kernel import kernel, specialise
from tanistry.table.record import LOG_WIDTH
from tanistry.table.stream import fast_below

if TYPE_CHECKING:
    from tanistry.games.contract import Definition
    from tanistry.match import Game

BLOCK = 128
"""Threads that are scheduled together."""
THREADS = 1 << 19
"""Threads of one launch: enough to keep the largest GPU busy."""
MOST_LENGTH = 1 << 14
"""Longer matches are counted together."""


def import_cuda() -> Any:
    """Numba's CUDA part, which has no annotations."""
    return import_module("numba.cuda")


@kernel
def random_action(moves: Any, rng: Any) -> int:
    """`playouts.random_action` without instructions that only CPUs have."""
    total = 0
    for w in range(moves.shape[0]):
        total += popcount(moves[w])
    n = fast_below(rng, total)
    for w in range(moves.shape[0]):
        if moves[w] != EMPTY:
            here = popcount(moves[w])
            if n < here:
                return 64 * w + nth(moves[w], n)
            n -= here
    return -1


def silent(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The record without room for events: what is copied for every match should be small."""
    fields: Any = dtype.fields
    kinds = []
    for name in dtype.names or ():
        field = fields[name][0]
        shape = (1, LOG_WIDTH) if name == "log" else field.shape
        kinds.append((name, field.base, shape))
    return np.dtype((np.record, np.dtype(kinds, align=True)))


def launchable(definition: Definition, words: int) -> Any:
    """The CUDA kernel of a game whose sets of actions have so many words."""
    numba: Any = import_module("numba")
    cuda, uint64 = import_cuda(), numba.uint64
    kernels = kernels_of(definition)
    given = {name: getattr(kernels, name) for name in ("deal", "legal", "play", "standing")}
    made = specialise(playouts, {**given, "random_action": random_action}, definition.info.name)
    deal, playout, winner = kernels.deal, made["playout"], made["winner"]
    start_stream = kernels.start_stream
    record = numba.from_dtype(silent(definition.dtype))
    seats = max(definition.info.seats)
    apart = playouts.APART

    def matches(blank: Any, first: int, n: int, salt: Any, totals: Any, lengths: Any) -> None:
        s = cuda.local.array(1, record)
        moves = cuda.local.array(words, uint64)
        rng = cuda.local.array(1, uint64)
        wins = cuda.local.array(seats, uint64)
        for seat in range(seats):
            wins[seat] = uint64(0)
        steps = uint64(0)
        same = 0  # matches in a row of the same length, counted together
        length = 0
        for number in range(cuda.grid(1), n, cuda.gridsize(1)):
            s[0] = blank[0]
            start_stream(s[0], first + number)
            rng[0] = uint64(salt) + uint64(first + number) * apart
            deal(s[0])
            taken = playout(s[0], moves, rng)
            steps += uint64(taken)
            if taken != length and same > 0:
                cuda.atomic.add(lengths, min(length, lengths.shape[0] - 1), uint64(same))
                same = 0
            length = taken
            same += 1
            won = winner(s[0])
            if won >= 0:
                wins[won] += uint64(1)
        if same > 0:
            cuda.atomic.add(lengths, min(length, lengths.shape[0] - 1), uint64(same))
        cuda.atomic.add(totals, 0, steps)
        for seat in range(seats):
            cuda.atomic.add(totals, 1 + seat, wins[seat])

    return cuda.jit(matches)


_made: dict[tuple[str, int, int], Any] = {}


class GpuRun:
    """One simulation on the GPU: matches go in by ranges, counts come out at the end."""

    def __init__(self, game: Game, key: bytes, salt: Any) -> None:
        require_gpu()
        cuda = import_cuda()
        definition = game.definition
        words = len(game.new_moves())
        made = definition.info.name, id(definition.rules), words
        if made not in _made:
            _made[made] = launchable(definition, words)
        self.kernel = _made[made]
        self.salt = np.uint64(salt)
        blank = np.zeros(1, silent(definition.dtype))
        full = game.new_record(key)
        for field in blank.dtype.names or ():
            if field != "log":
                blank[field][0] = full[field]
        self.blank = cuda.to_device(blank)
        self.totals = cuda.to_device(np.zeros(1 + max(game.info.seats), np.uint64))
        self.lengths = cuda.to_device(np.zeros(MOST_LENGTH, np.uint64))

    def play(self, first: int, n: int) -> None:
        """Play matches first … first + n − 1 and wait for them."""
        threads = min(THREADS, -(-n // BLOCK) * BLOCK)
        grid = max(1, threads // BLOCK)
        self.kernel[grid, BLOCK](self.blank, first, n, self.salt, self.totals, self.lengths)
        import_cuda().synchronize()

    def counts(self) -> SimpleNamespace:
        """Steps, wins per seat and matches per length so far."""
        totals = self.totals.copy_to_host().astype(np.int64)
        lengths = self.lengths.copy_to_host().astype(np.int64)
        return SimpleNamespace(steps=int(totals[0]), wins=totals[1:], lengths=lengths)


def require_gpu() -> None:
    """Say plainly what is missing."""
    try:
        ready = bool(import_cuda().is_available())
    except Exception:  # a broken driver raises whatever it likes
        ready = False
    if not ready:
        raise OptionError("option/no_gpu")
