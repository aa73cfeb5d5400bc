"""Endings solved: what every choice brings, where nothing is hidden and nothing is left to chance.

A game says when that is so (`open_end`): every seat can tell where every card is, if only because
no other place is left for it. Then two players can calculate: one wants a result, the other wants
it missed, and a position is left as soon as a choice settles it. What has settled much elsewhere is
tried first, and positions met again are remembered. Beyond a number of positions nothing is said.
"""

from __future__ import annotations

import sys
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tanistry.kernel import specialise, template
from tanistry.table.bits import EMPTY, ONE, bit, lowest
from tanistry.table.contract import legal, play
from tanistry.table.ranking import rank

if TYPE_CHECKING:
    from tanistry.match import Game, Match

POSITIONS = 100_000
"""So many are looked at for one question."""
DEEPEST = 64
"""Choices ahead after which nothing is said."""
REMEMBERED = 1 << 14
"""Positions that are remembered, a power of two."""
LOST, SHARED, WON = range(3)
"""Results, in halves of what a seat has of a match."""
NO, YES, UNKNOWN = range(3)
MIXER, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
LAST_BITS = np.uint64(3)

_STEP = np.dtype([("print", np.uint64), ("actor", np.int32), ("action", np.int32)], align=True)
STEP = np.dtype((np.record, _STEP))
"""A position on the way: its fingerprint, who chooses there, and what is being tried."""


class Notebook(NamedTuple):
    """The memory that a calculation works in."""

    record: Any  # the position at hand, an array of one
    words: Any  # the part of its memory that matters
    moves: Any
    steps: Any  # the positions on the way to it
    trail: Any  # their words
    rest: Any  # their choices that are still to be tried
    liked: Any  # how often a choice settled a position, first those of the seat that asks
    table: Any  # fingerprints of positions with their answers in the last bits


@template
def fingerprint(words: Any, wanted: int) -> Any:
    """A number for a record and what is asked of it; its last two bits are 0."""
    found = np.uint64(wanted)
    for w in range(words.shape[0]):
        found = (found ^ words[w]) * MIXER
        found ^= found >> SHIFT
    return found & ~LAST_BITS


@template
def slot(table: Any, found: Any) -> int:
    return int(found >> np.uint64(2)) & (table.shape[0] - 1)


@template
def answer_here(book: Any, found: Any, seat: int, wanted: int) -> int:
    """Whether a seat gets a result in the position at hand, if that is plain to see."""
    s, table = book.record[0], book.table
    if s.to_act < 0:
        better, level = rank(s, seat)
        result = LOST if better > 0 else (SHARED if level > 0 else WON)
        return YES if result >= wanted else NO
    kept = table[slot(table, found)]
    if kept & ~LAST_BITS != found or kept == EMPTY:
        return UNKNOWN
    return int(kept & LAST_BITS) - 1


@template
def step_into(book: Any, depth: int, found: Any) -> None:
    """Note the position at hand, with everything that can be chosen in it."""
    words, size = book.words.shape[0], book.moves.shape[0]
    legal(book.record[0], book.moves)
    for w in range(size):
        book.rest[depth * size + w] = book.moves[w]
    for w in range(words):
        book.trail[depth * words + w] = book.words[w]
    book.steps[depth].print = found
    book.steps[depth].actor = book.record[0].to_act


@template
def next_choice(book: Any, depth: int, first: int) -> int:
    """Take the choice that has settled most so far out of those to be tried; −1: none is left."""
    size, best, most = book.moves.shape[0], -1, -1
    for w in range(size):
        left = book.rest[depth * size + w]
        while left != EMPTY:
            action = 64 * w + lowest(left)
            left &= left - ONE
            if book.liked[first + action] > most:
                best, most = action, int(book.liked[first + action])
    if best >= 0:
        book.rest[depth * size + (best >> 6)] &= ~bit(best & 63)
    return best


@template
def reaches(book: Any, seat: int, wanted: int, limit: int) -> int:
    """Look whether a seat gets a result from the position at hand, whatever the other does.

    How many positions that took, negative if it does not; 0: more than the limit.
    """
    words, steps, table, liked = book.words, book.steps, book.table, book.liked
    used = words.shape[0]
    depth, looked = 0, 0
    while True:
        looked += 1
        if looked > limit or depth >= steps.shape[0]:
            return 0
        found = fingerprint(words, wanted)
        answer = answer_here(book, found, seat, wanted)
        if answer == UNKNOWN:
            step_into(book, depth, found)
            depth += 1
        action = -1
        while action < 0:
            if depth == 0:
                return looked if answer == YES else -looked
            step = steps[depth - 1]
            mine = step.actor == seat
            first = 0 if mine else liked.shape[0] // 2
            settled = answer == (YES if mine else NO)
            if settled:
                liked[first + step.action] += 1
            else:
                action = next_choice(book, depth - 1, first)
            if action < 0:
                if not settled:  # nothing helped
                    answer = NO if mine else YES
                table[slot(table, step.print)] = step.print | np.uint64(answer + 1)
                depth -= 1
        steps[depth - 1].action = action
        for w in range(used):
            words[w] = book.trail[(depth - 1) * used + w]
        play(book.record[0], action)


def solver_kernels(game: Game) -> SimpleNamespace:
    """The kernels of this module made for a game."""
    given = {name: getattr(game.kernels, name) for name in ("legal", "play", "standing")}
    return SimpleNamespace(**specialise(sys.modules[__name__], given, game.name))


def new_notebook(game: Game) -> Notebook:
    fields: Any = game.definition.dtype.fields
    used = -(-int(fields["log"][1]) // 8)  # nobody is told of events
    record, moves = np.zeros(1, game.definition.dtype), game.new_moves()
    return Notebook(
        record=record,
        words=record.view(np.uint64)[:used],
        moves=moves,
        steps=np.zeros(DEEPEST, STEP),
        trail=np.zeros(DEEPEST * used, np.uint64),
        rest=np.zeros(DEEPEST * len(moves), np.uint64),
        liked=np.zeros(2 * len(game.tokens), np.int32),
        table=np.zeros(REMEMBERED, np.uint64),
    )


def has_open_ends(game: Game) -> bool:
    """Whether a game comes to where all can be calculated."""
    return hasattr(game.definition.rules, "open_end") and game.seats == 2


class Solver:
    """Solves endings of a game. Not for two threads at once."""

    def __init__(self, game: Game, positions: int = POSITIONS) -> None:
        self.game, self.positions = game, positions

    @cached_property
    def _book(self) -> Notebook:
        return new_notebook(self.game)

    def is_open(self, match: Match) -> bool:
        """Whether nothing is hidden in a position, and nothing left to chance."""
        return has_open_ends(self.game) and bool(self.game.kernels.open_end(match._s))

    def results(self, match: Match) -> dict[int, float] | None:
        """What the seat to act has of the match after each legal action, if both play as well as
        can be; None where something is hidden, and where there is too much to look at."""
        if not self.is_open(match):
            return None
        known, left = match.blind(match.to_act, bytes(32)), self.positions
        self._book.table[:] = 0
        self._book.liked[:] = 0
        found = {}
        for action in match.legal_actions():
            found[action] = 0.0
            for wanted in (WON, SHARED):
                looked = self._look(known, action, wanted, left)
                if looked == 0:
                    return None
                left -= abs(looked)
                if looked > 0:
                    found[action] = wanted / 2
                    break
        return found

    def _look(self, match: Match, action: int, wanted: int, limit: int) -> int:
        """Whether the seat to act gets a result by an action, see `reaches`."""
        book = self._book
        book.record[0] = match._s
        self.game.kernels.play_in(book.record, action)
        book.record[0].told = 0  # what was told is no part of a position
        looked: int = solver_kernels(self.game).reaches(book, match.to_act, wanted, limit)
        return looked

    def warm_up(self, match: Match) -> None:
        """Have everything compiled that a game needs."""
        if has_open_ends(self.game):
            self._look(match, match.legal_actions()[0], WON, 0)
