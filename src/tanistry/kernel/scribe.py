"""Writes the part of an observation that is sets of cards, as straight code.

All of a row but the order of cards and a game's facts follows from the words of two arrays, `place`
and `known`, and where each part goes is known when the kernels of a game are made. So the compiler
is given the whole row and no loops: 64 flags at a time are put together in a register
and stored at one go, one after the other, then the numbers in between. That takes about half the
time of loops over tables.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from tanistry.kernel.interpreter import INTERPRET

Places = tuple[int, ...]
"""A place by the seat of the observer: its own hand is another one for each."""


class Stroke(NamedTuple):
    """What comes next in the row: a flag or number for each code, or `blank` bytes of 0."""

    blank: int = 0
    places: Places = ()
    one: bool = False  # at most one card lies there


class Outline(NamedTuple):
    """What is where in a row, up to the facts."""

    seats: int
    words: int
    codes: tuple[int, ...]  # of each card
    counted: int  # so many codes, from the first, have twins; the others are of the last cards
    head: int  # flags at the very beginning that are given
    closed: tuple[Places, ...]  # then come how many cards of each of these the seat does not know
    strokes: tuple[Stroke, ...]  # then these; then what each other seat knows of closed places, too

    @property
    def columns(self) -> int:
        """How many codes there are."""
        return max(self.codes) + 1


@cache
def make_scribe(outline: Outline) -> Any:
    """The function `write_sets` of a layout; on its way to a compiler it becomes straight code."""

    def write_sets(
        place: Any, known: Any, seat: int, head: Any, code_of: Any, out: Any, at: int
    ) -> None:
        for i in range(outline.head):
            out[at + i] = int(head) >> i & 1
        at += outline.head
        closed = np.zeros(outline.words, np.uint64)
        for places in outline.closed:
            out[at] = len(_members(place[places[seat]] & ~known[seat]))
            closed |= place[places[seat]]
            at += 1
        for blank, places, _ in outline.strokes:
            out[at : at + blank] = 0
            at += blank
            if places:
                at = count_codes(place[places[seat]] & known[seat], code_of, out, at)
        for further in range(1, outline.seats):
            both = known[seat] & known[(seat + further) % outline.seats]
            at = count_codes(closed & both, code_of, out, at)

    def count_codes(cards: Any, code_of: Any, out: Any, at: int) -> int:
        out[at : at + outline.columns] = 0
        for card in _members(cards):
            out[at + code_of[card]] += 1
        return at + outline.columns

    if not INTERPRET:
        _compile(write_sets, outline)
    return write_sets


def _members(cards: Any) -> Any:
    """The indices of all set bits."""
    return np.flatnonzero(np.unpackbits(cards.astype("<u8").view(np.uint8), bitorder="little"))


def _compile(write_sets: Any, outline: Outline) -> None:
    """Let compilers have straight code in place of a function."""
    from numba.extending import overload

    store = _straight_code(outline, _Scribe)

    @overload(write_sets, jit_options={"forceinline": True})
    def _write_sets(
        place: Any, known: Any, seat: Any, head: Any, code_of: Any, out: Any, at: Any
    ) -> Any:
        def stored(
            place: Any, known: Any, seat: Any, head: Any, code_of: Any, out: Any, at: Any
        ) -> None:
            store(place, known, seat, head, code_of, out, at)

        # Compiled code is found by name, also what comes from the cache: no two may share one.
        stored.__qualname__ = f"stored_{sha256(repr(outline).encode()).hexdigest()[:16]}"
        return stored


def make_flag_scribe(outline: Outline) -> Any:
    """For compiled code alone: writes only flags, a bit each, to words that begin at a byte."""
    return _straight_code(outline, _FlagScribe)


def make_number_scribe(outline: Outline) -> Any:
    """For compiled code alone: writes only numbers, each where it is in the row."""
    return _straight_code(outline, _NumberScribe)


def _straight_code(outline: Outline, kind: type[_Scribe]) -> Any:
    """What Numba puts in place of a call with the arguments of `write_sets`."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def store(
        _context: Any, place: Any, known: Any, _seat: Any, _head: Any, codes: Any, out: Any,
        _at: Any,
    ) -> Any:  # fmt: skip
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place, known, code_of, out = (
                context.make_array(signature.args[i])(context, builder, args[i]).data
                for i in (0, 1, 4, 5)
            )
            kind(outline, builder, args[2], place, known, code_of, out, args[6]).write(args[3])
            return context.get_dummy_value()

        seat, word = types.int64, types.uint64
        return types.void(place, known, seat, word, codes, out, types.int64), generate

    return store


class _Scribe:
    """Emits the code. What is an `int` here is known now; `Any` stands for a register."""

    def __init__(
        self, outline: Outline, builder: Any, seat: Any, place: Any, known: Any, code_of: Any,
        out: Any, at: Any,
    ) -> None:  # fmt: skip
        from llvmlite import ir

        self.ir, self.builder, self.outline = ir, builder, outline
        self.byte, self.word = ir.IntType(8), ir.IntType(64)
        self.place, self.known, self.code_of = place, known, code_of
        self.out = builder.gep(builder.bitcast(out, self.byte.as_pointer()), [at])
        self.is_seat = [
            builder.icmp_signed("==", seat, self._number(k)) for k in range(outline.seats)
        ]
        self.own = [self._known(0, w) for w in range(outline.words)]
        self.begin, self.length = 0, 0  # of the flags that are held back
        self.held, self.before = self._number(0), self._number(0)  # they, and the 64 before them
        self.numbers: list[tuple[int, list[Any]]] = []  # where cards are to be counted, and which

    def write(self, head: Any) -> None:
        outline, builder = self.outline, self.builder
        self._add(head, outline.head)
        hidden = self._leave(len(outline.closed))
        closed = [self._cards(places) for places in outline.closed]
        for stroke in outline.strokes:
            self._leave(stroke.blank)
            if stroke.places:
                self._add_known(self._cards(stroke.places), stroke.one)
        for further in range(1, outline.seats):
            shared = [self._number(0)] * outline.words
            for cards in closed:
                shared = [builder.or_(a, b) for a, b in zip(shared, cards, strict=True)]
            theirs = [self._known(further, w) for w in range(outline.words)]
            self._add_known([builder.and_(a, b) for a, b in zip(shared, theirs, strict=True)])
        self._end()
        self._write_numbers(hidden, closed)

    def _write_numbers(self, hidden: int, closed: list[list[Any]]) -> None:
        """Cards of each code where they are counted; then how many are hidden in closed places."""
        builder = self.builder
        for at, cards in self.numbers:
            self._count(at, cards)
        for i, cards in enumerate(closed):
            not_known = [
                builder.and_(a, builder.not_(b)) for a, b in zip(cards, self.own, strict=True)
            ]
            self._store(hidden + i, builder.trunc(self._popcount(not_known), self.byte))

    # -- what it reads ----------------------------------------------------------------------------

    def _number(self, value: int) -> Any:
        return self.ir.Constant(self.word, value)

    def _load(self, array: Any, rows: tuple[int, ...], w: int) -> Any:
        """A word of a row of an array: of the row that belongs to the seat."""
        indices = [self._number(row * self.outline.words + w) for row in rows]
        index = indices[0]
        for k in range(1, len(rows)):
            if rows[k] != rows[0]:
                index = self.builder.select(self.is_seat[k], indices[k], index)
        return self.builder.load(self.builder.gep(array, [index]))

    def _known(self, further: int, w: int) -> Any:
        """What a seat knows, so many seats further on."""
        seats = self.outline.seats
        return self._load(self.known, tuple((k + further) % seats for k in range(seats)), w)

    def _cards(self, places: Places) -> list[Any]:
        return [self._load(self.place, places, w) for w in range(self.outline.words)]

    # -- flags, one after the other ---------------------------------------------------------------

    def _add_known(self, cards: list[Any], one: bool = False) -> None:
        """A column for each code, of those cards that the seat knows."""
        cards = [self.builder.and_(a, b) for a, b in zip(cards, self.own, strict=True)]
        counted, columns, number = (
            self.outline.counted,
            self.outline.columns,
            len(self.outline.codes),
        )
        if one and columns <= 64:
            self._add(self._flag_of(cards), columns)
            return
        if counted > 0:
            self.numbers.append((self._leave(counted), cards))
        single = number - (columns - counted)  # the first card without a twin
        for w, word in enumerate(cards):
            first, end = max(single, 64 * w), min(number, 64 * w + 64)
            if first < end:
                flags = self.builder.lshr(word, self._number(first - 64 * w))
                self._add(flags, end - first)

    def _flag_of(self, cards: list[Any]) -> Any:
        """The flag of the code of the one card in a set. Without a card, it is 0 at any code."""
        builder, found = self.builder, self._number(0)
        for w, word in enumerate(cards):
            lowest = builder.cttz(word, self.ir.Constant(self.ir.IntType(1), 0))
            card = builder.add(builder.and_(lowest, self._number(63)), self._number(64 * w))
            code = builder.load(builder.gep(self.code_of, [card]))
            there = builder.zext(builder.icmp_unsigned("!=", word, self._number(0)), self.word)
            found = builder.or_(found, builder.shl(there, code))
        return found

    def _leave(self, length: int) -> int:
        """Leave so many bytes 0; where they begin."""
        at = self.begin + self.length
        for done in range(0, length, 64):
            self._add(self._number(0), min(64, length - done))
        return at

    def _add(self, flags: Any, length: int) -> None:
        """So many flags, up to 64; no further bits are set."""
        builder = self.builder
        self.held = builder.or_(self.held, builder.shl(flags, self._number(self.length)))
        self.length += length
        if self.length >= 64:
            self._spread(self.begin, self.held)
            self.begin, self.length = self.begin + 64, self.length - 64
            self.before, self.held = self.held, self._number(0)
            if self.length > 0:
                self.held = builder.lshr(flags, self._number(length - self.length))

    def _end(self) -> None:
        """Store what is held back; some flags before it are stored once more, to make it 64."""
        builder = self.builder
        if self.begin == 0:
            for i in range(self.length):
                flag = builder.lshr(self.held, self._number(i))
                self._store(i, builder.trunc(builder.and_(flag, self._number(1)), self.byte))
        elif self.length > 0:
            older = builder.lshr(self.before, self._number(self.length))
            newer = builder.shl(self.held, self._number(64 - self.length))
            self._spread(self.begin + self.length - 64, builder.or_(older, newer))

    def _spread(self, at: int, bits: Any) -> None:
        """64 bits as bytes: two instructions where the processor has 512-bit vectors."""
        bit = self.ir.IntType(1)
        flags = self.builder.bitcast(bits, self.ir.VectorType(bit, 64))
        self._store(at, self.builder.zext(flags, self.ir.VectorType(self.byte, 64)))

    def _store(self, at: int, value: Any) -> None:
        target = self.builder.gep(self.out, [self._number(at)])
        self.builder.store(value, self.builder.bitcast(target, value.type.as_pointer()), align=1)

    # -- numbers in between -----------------------------------------------------------------------

    def _popcount(self, words: list[Any]) -> Any:
        total = self._number(0)
        for word in words:
            total = self.builder.add(total, self.builder.ctpop(word))
        return total

    def _count(self, at: int, cards: list[Any]) -> None:
        """How many cards of each code with twins there are; eight at a time."""
        counted = self.outline.counted
        if counted < 8:
            for code in range(counted):
                of_code = [
                    self.builder.and_(word, self._number(self._mask(code, w)))
                    for w, word in enumerate(cards)
                ]
                self._store(at + code, self.builder.trunc(self._popcount(of_code), self.byte))
        else:
            for first in [*range(0, counted - 8, 8), counted - 8]:
                self._store(at + first, self._count_eight(first, cards))

    def _count_eight(self, first: int, cards: list[Any]) -> Any:
        ir, builder = self.ir, self.builder
        eight = ir.VectorType(self.word, 8)
        popcounts = builder.module.declare_intrinsic(
            "llvm.ctpop.v8i64", fnty=ir.FunctionType(eight, [eight])
        )
        total = ir.Constant(eight, [0] * 8)
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
        for w, word in enumerate(cards):
            masks = ir.Constant(eight, [self._mask(first + i, w) for i in range(8)])
            one = builder.insert_element(
                ir.Constant(eight, ir.Undefined), word, ir.Constant(ir.IntType(32), 0)
            )
            found = builder.and_(builder.shuffle_vector(one, one, everywhere), masks)
            total = builder.add(total, builder.call(popcounts, [found]))
        return builder.trunc(total, ir.VectorType(self.byte, 8))

    def _mask(self, code: int, w: int) -> int:
        """The cards of a code in a word."""
        cards = enumerate(self.outline.codes[64 * w : 64 * w + 64])
        return sum(1 << i for i, of in cards if of == code)


class _FlagScribe(_Scribe):
    """Emits what writes flags alone, 64 to a word."""

    def _spread(self, at: int, bits: Any) -> None:
        target = self.builder.gep(self.out, [self._number(at // 8)])
        self.builder.store(bits, self.builder.bitcast(target, self.word.as_pointer()), align=8)

    def _end(self) -> None:
        self._spread(self.begin, self.held)

    def _write_numbers(self, hidden: int, closed: list[list[Any]]) -> None:
        pass


class _NumberScribe(_Scribe):
    """Emits what writes numbers alone."""

    def _spread(self, at: int, bits: Any) -> None:
        pass

    def _end(self) -> None:
        pass
