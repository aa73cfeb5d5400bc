"""Batched stepping for learners: `tanistry.batch(game, n)` plays n matches side by side.

    batch = tanistry.batch(tanistry.game("claim"), 4096, seed=1)
    while learning:
        batch.step(choose(batch.observations, batch.mask))   # one action number for each row
        learn(batch.actors, batch.rewards, batch.done)

All arrays are made once and written in place by every step: copy what you want to keep. They are
NumPy arrays on the CPU and CUDA arrays on a GPU; PyTorch, JAX and CuPy take both without copying
(DLPack, the CUDA array interface).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.arguments import whole
from tanistry.errors import IllegalMove, OptionError
from tanistry.kernel import specialise
from tanistry.kernel.intrinsics import LINE
from tanistry.match import Match
from tanistry.match.game import kernels_of
from tanistry.match.seeds import fast_seed, seed_bytes
from tanistry.simulation import stepping
from tanistry.simulation.observation import (
    Layout,
    has_insights,
    kernels_for,
    observer,
    variant,
)

if TYPE_CHECKING:
    from tanistry.match import Game


class Batch:
    """Matches of one game side by side, one in each row, each at a choice of one of its seats.

    When a match ends, the next one is dealt in its row at once: `observations`, `mask` and `to_act`
    are already of the new match, `done`, `rewards`, `scores` and `lengths` of the one that ended.
    """

    device = "cpu"

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | bytes | None = None,
        threads: int = 1,
        keep_last: bool = False,
        observing: bool = True,
        also: Sequence[Game] = (),
        insights: bool = False,
    ) -> None:
        self.game = game
        self.games = (game, *also)
        self.n = n
        self.insights = insights and has_insights(game)
        self.layout: Layout = observer(game, self.insights).layout
        self._key = seed_bytes(seed)
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0  # the process it belongs to
        ends = pairwise(n * k // min(threads, n) for k in range(min(threads, n) + 1))
        self._shares = [(first, end, game.new_moves()) for first, end in ends]
        self._observing = observing or keep_last
        self._rows = self._allocate(n if observing else 0, n if keep_last else 0)
        self._choices = stepping.Choices(self._rows.moves, self._rows.rng)
        self._actions = self._array(n, np.int64)
        self._kernels = self._make_kernels()
        self._code: dict[str, Any] = {}
        self.reset()

    # -- the arrays -------------------------------------------------------------------------------

    @property
    def observations(self) -> Any:
        """(n, layout.size) bytes: what the seat to act knows, see `simulation.observation`."""
        return self._rows.observations.reshape(-1, self.layout.size)

    @property
    def mask(self) -> Any:
        """(n, actions) flags: what it may choose."""
        return self._rows.mask.reshape(self.n, -1)

    @property
    def mask_words(self) -> Any:
        """(n, words) the same as bits, action a being bit a % 64 of word a // 64; only to be read.

        What is refused is decided by these.
        """
        words = self._rows.moves.reshape(self.n, -1)
        if isinstance(words, np.ndarray):
            words.flags.writeable = False
        return words

    @property
    def to_act(self) -> Any:
        """(n,) the seat whose choice it is."""
        return self._rows.to_act

    @property
    def actors(self) -> Any:
        """(n,) the seat that made the choice before; −1 at the very beginning."""
        return self._rows.actors

    @property
    def rewards(self) -> Any:
        """(n, seats) what a match that has just ended was worth to each seat, otherwise 0."""
        return self._rows.rewards

    @property
    def earned(self) -> Any:
        """(n,) the same of the seat that ended it alone."""
        return self._rows.earned

    @property
    def scores(self) -> Any:
        """(n, seats) the points of the match that ended last in each row."""
        return self._rows.scores

    @property
    def done(self) -> Any:
        """(n,) whether the choice ended a match; the next one is dealt already."""
        return self._rows.done

    @property
    def refused(self) -> Any:
        """(n,) whether the choice was not legal: nothing changed in that row."""
        return self._rows.refused

    @property
    def lengths(self) -> Any:
        """(n,) choices in the match so far; in all of it, if it has just ended."""
        return self._rows.lengths

    @property
    def numbers(self) -> Any:
        """(n,) the number of the match in each row; row i has matches i, i + n, i + 2n …"""
        return self._rows.numbers

    @property
    def last(self) -> Any:
        """(n, layout.size) of matches that have just ended: what the actor knew at the end.

        Empty unless the batch was made with `keep_last=True`.
        """
        return self._rows.last.reshape(-1, self.layout.size)

    # -- playing ----------------------------------------------------------------------------------

    def reset(self, seed: int | bytes | None = None) -> None:
        """Deal all rows anew, from the same seed if no other is given."""
        if seed is not None:
            self._key = seed_bytes(seed)
        for number, game in enumerate(self.games):
            self._set_blank(number, game.new_record(self._key))
        self._run("begin", fast_seed(self._key)[0])

    def step(self, actions: Any) -> None:
        """Make a choice in every row: action numbers, as `game.tokens` counts them."""
        self._run("step", self._read_actions(actions))

    def random_actions(self) -> Any:
        """A random legal action for every row; the array is used again by the next call."""
        self._run("choose", self._actions)
        return self._actions

    # -- looking into a row -----------------------------------------------------------------------

    def match(self, row: int) -> Match:
        """A copy of the match in a row, to look at or to play on."""
        row = whole("row", row, 0, self.n - 1)
        game = self.games[row % len(self.games)]
        record = np.array([game.new_record(self._key)])[0]
        self._copy_record(row, record)
        return Match(game, record, self._key, set_up=True)

    def refusals(self, actions: Any) -> dict[int, IllegalMove]:
        """Why the choices of the last step that were not legal are not, by row."""
        given, found = one_for_each(_on_host(actions), self.n), {}
        for row in np.flatnonzero(_on_host(self.refused)).tolist():
            action, tokens = int(given[row]), self.game.tokens
            token = tokens[action] if 0 <= action < len(tokens) else str(action)
            try:
                self.match(row).play(token)
            except IllegalMove as refusal:
                found[row] = refusal
        return found

    # -- what a device does its own way -----------------------------------------------------------

    def _array(self, shape: int | tuple[int, int], kind: Any) -> Any:
        """Zeros from the beginning of a cache line on: JAX would copy anything else."""
        size = prod(np.atleast_1d(shape).tolist()) * np.dtype(kind).itemsize
        try:
            room = np.zeros(size + LINE, np.uint8)
        except (MemoryError, ValueError):  # more than there is, or than can be counted
            raise OptionError("option/memory", name="n", value=self.n) from None
        start = -room.ctypes.data % LINE
        return room[start : start + size].view(kind).reshape(shape)

    def _allocate(self, observed: int, kept: int) -> stepping.Rows:
        game, n, size = self.game, self.n, self.layout.size
        return stepping.Rows(
            records=self._array(n, self._dtype()),
            moves=self._array(n * len(game.new_moves()), np.uint64),
            mask=self._array(n * len(game.tokens), np.bool_),
            observations=self._array(observed * size, np.uint8),
            last=self._array(kept * size, np.uint8),
            to_act=self._array(n, np.int32),
            actors=self._array(n, np.int32),
            rewards=self._array((n, game.seats), np.float32),
            earned=self._array(n, np.float32),
            scores=self._array((n, game.seats), np.int32),
            done=self._array(n, np.bool_),
            refused=self._array(n, np.bool_),
            numbers=self._array(n, np.int64),
            lengths=self._array(n, np.int32),
            rng=self._array(n, np.uint64),
            blank=self._array(len(self.games), self._dtype()),
        )

    def _dtype(self) -> np.dtype[Any]:
        return self.game.definition.dtype

    def _make_kernels(self) -> dict[str, Any]:
        return stepping_kernels(self.game, self._observing, self.insights)

    def _set_blank(self, number: int, record: Any) -> None:
        self._rows.blank[number] = record

    def _copy_record(self, row: int, record: Any) -> None:
        source = self._rows.records[row]
        for field in record.dtype.names:
            record[field] = source[field]

    def _read_actions(self, actions: Any) -> Any:
        if actions is self._actions:
            return actions
        return np.ascontiguousarray(one_for_each(actions, self.n), np.int64)

    def _run(self, name: str, argument: Any) -> None:
        """Run a kernel over all rows, shared out to the threads."""
        rows = self._choices if name == "choose" else self._rows
        if name not in self._code:
            kernel = self._kernels[f"{name}_all"]
            self._code[name] = compiled_for(kernel, *self._shares[0], rows, argument)
        run = self._code[name]
        if self._threads == 1:
            run(*self._shares[0], rows, argument)
        else:
            shares: list[tuple[Any, ...]] = [(*share, rows, argument) for share in self._shares]
            if self._pool is None or self._pool_of != os.getpid():  # a fork has no threads
                self._pool, self._pool_of = ThreadPoolExecutor(self._threads), os.getpid()
            for done in [self._pool.submit(run, *share) for share in shares]:
                done.result()


def compiled_for(kernel: Any, *arguments: Any) -> Any:
    """The code of a kernel for arguments of these kinds; the caller sees to it that they are.

    Numba looks at the kinds of all arguments of every call. With all the arrays of a batch that
    takes three times as long as handing them over.
    """
    if not hasattr(kernel, "compile"):
        return kernel
    typeof: Any = import_module("numba").typeof
    return kernel.compile(tuple(typeof(argument) for argument in arguments))


def one_for_each(actions: Any, n: int) -> Any:
    """Action numbers of all rows as an array; OptionError if they are anything else."""
    try:
        given = np.asarray(actions)
    except ValueError:  # lists of different lengths
        given = np.asarray(actions, np.object_)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise refuse_actions(given, n)
    return given


def refuse_actions(given: Any, n: int) -> OptionError:
    """The error about actions that are not one number for each row."""
    found, allowed = f"{given.dtype} {given.shape}", f"int64 ({n},)"
    return OptionError("option/value", name="actions", value=found, allowed=allowed)


def _on_host(array: Any) -> Any:
    """An array of whatever device as one that NumPy takes."""
    if hasattr(array, "copy_to_host"):
        return array.copy_to_host()
    return array.cpu() if hasattr(array, "cpu") else array


def stepping_kernels(
    game: Game, observing: bool = True, insights: bool = False, **others: Any
) -> dict[str, Any]:
    """The kernels of `stepping`, made for a game; those that observe, with its seats and cards.

    `others` take the place of what a device has a better way to do.
    """
    kernels = kernels_of(game.definition)
    names = ("deal", "legal", "play", "score", "standing")
    given = {name: getattr(kernels, name) for name in names}
    write_row = kernels_for(game, insights)["write_row"] if observing else stepping.write_nothing
    size = observer(game, insights).layout.size if observing else 0
    given |= {"write_row": write_row, "ACTIONS": len(game.tokens), "SIZE": size} | others
    name = variant(game, insights) if observing else f"{game.name}_{len(game.tokens)}"
    return specialise(stepping, given, name)
