"""Rows as straight code: the same as in plain words, and nothing written beside them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tanistry.kernel import INTERPRET
from tanistry.kernel.scribe import Outline, Stroke, make_scribe

pytestmark = pytest.mark.skipif(INTERPRET, reason="nothing is compiled")

BESIDE = 70


def outline(seats: int, codes: list[int], counted: int, strokes: list[Stroke]) -> Outline:
    words = (len(codes) + 63) // 64
    closed = (tuple(range(seats)), (seats,) * seats)
    return Outline(seats, words, tuple(codes), counted, 2 * seats + 3, closed, tuple(strokes))


def own(seats: int, further: int = 0) -> tuple[int, ...]:
    return tuple((seat + further) % seats for seat in range(seats))


TWINS = [card // 3 for card in range(30)]
OUTLINES = {
    "one word": outline(2, list(range(52)), 0, [Stroke(places=own(2)), Stroke(places=own(2, 1))]),
    "two words": outline(
        3, list(range(98)), 0, [Stroke(200), Stroke(places=own(3, 2)), Stroke(5), Stroke(1)]
    ),
    "short": outline(2, list(range(7)), 0, [Stroke(places=(2, 2))]),
    "few twins": outline(2, [0, 0, 0, 1, 1, 2, *range(3, 50)], 2, [Stroke(places=own(2))]),
    "many twins": outline(4, TWINS, 10, [Stroke(places=own(4, 1)), Stroke(64), Stroke(63)]),
    "twins in two words": outline(
        2, [*TWINS, *TWINS, *TWINS, *range(10, 30)], 10, [Stroke(places=own(2)), Stroke(3)]
    ),
    "one card": outline(
        3, [*TWINS, 10, 11], 10, [Stroke(places=(4, 4, 4), one=True), Stroke(places=own(3))]
    ),
    "one card of many": outline(
        2, [card % 40 for card in range(80)], 40, [Stroke(places=(3, 3), one=True)] * 3
    ),
}


@pytest.mark.parametrize("name", OUTLINES)
def test_straight_code_does_the_same(name: str) -> None:
    import numba

    given = OUTLINES[name]
    plain = make_scribe(given)

    @numba.njit
    def fast(place: Any, known: Any, seat: Any, head: Any, code_of: Any, out: Any, at: Any) -> None:
        plain(place, known, seat, head, code_of, out, at)

    rng = np.random.default_rng(1)
    code_of = np.array([*given.codes, *[0] * 64])
    for number in range(40):
        place, known = random_cards(rng, given), random_words(rng, given.seats + 1, given)
        head = rng.integers(0, 1 << given.head, dtype=np.uint64)
        seat = number % given.seats
        first, second = (np.full(4000, 255, np.uint8) for _ in range(2))
        plain(place, known, seat, head, code_of, first, BESIDE)
        fast(place, known, seat, head, code_of, second, BESIDE)
        assert np.array_equal(first, second)
        assert (second[:BESIDE] == 255).all()


def test_each_layout_has_a_name_of_its_own() -> None:
    """Else a process that loads two games from the cache may run one with the code of the other."""
    import numba

    found = []
    for name in ("one word", "two words"):
        plain = make_scribe(OUTLINES[name])
        fast = numba.njit(lambda p, k, s, h, c, o, a, write=plain: write(p, k, s, h, c, o, a))
        words = np.zeros((6, OUTLINES[name].words), np.uint64)
        fast(words, words, 0, np.uint64(0), np.zeros(200, int), np.zeros(999, np.uint8), 0)
        found.append(set(re.findall(r"stored_[0-9a-f]{16}", *fast.inspect_llvm().values())))
    assert len(found[0]) == len(found[1]) == 1
    assert found[0] != found[1]


def random_words(rng: Any, rows: int, given: Outline) -> Any:
    bits = rng.random((rows, 64 * given.words)) < 0.5
    bits[:, len(given.codes) :] = False
    return np.packbits(bits, bitorder="little").view("<u8").reshape(rows, given.words)


def random_cards(rng: Any, given: Outline) -> Any:
    """Cards in places; at most one in the places for one card."""
    place = random_words(rng, 6, given)
    for stroke in given.strokes:
        if stroke.one:
            place[stroke.places[0]] = 0
            if rng.random() < 0.8:
                card = int(rng.integers(len(given.codes)))
                place[stroke.places[0], card >> 6] = np.uint64(1 << (card & 63))
    return place
