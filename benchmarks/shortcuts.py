"""What the three shortcuts of an observed step are worth: each left out, beside all of them.

    python benchmarks/shortcuts.py
    python benchmarks/shortcuts.py --games claim lords:5 --rounds 30

`scribe` writes a row as straight code (without it: loops over tables), `flags` stores 64 bits as
bytes at one go (a loop), `ahead` asks for memory before it is written to (nothing). All variants
take turns in one process, several rounds of them, and the best round of each counts; the time is
processor time of this process. That they write the same bytes is checked first.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import Any

import numpy as np

import tanistry
from tanistry.kernel import inlined, kernel, specialise
from tanistry.kernel.scribe import Outline
from tanistry.simulation import batch, observation, stepping
from tanistry.table.bits import EMPTY, ONE, lowest, popcount

U64 = np.uint64
ROWS, STEPS = 512, 60
VARIANTS = ("", "ahead", "flags", "scribe")


@kernel
def no_request(_array: Any, _at: int) -> None:
    pass


@kernel
@inlined
def flag_by_flag(out: Any, at: int, word: Any, n: int) -> None:
    for i in range(n):
        out[U64(at + i)] = (word >> U64(i)) & ONE


def loops(outline: Outline) -> Any:
    """`write_sets` as loops over tables."""
    head, words, seats, columns = outline.head, outline.words, outline.seats, outline.columns
    hidden = len(outline.closed)
    closed = np.array(outline.closed or [[0] * seats], np.int64)
    at, rows = head + hidden, []
    for blank, places, _ in outline.strokes:
        at += blank
        if places:
            rows.append([at, *places])
            at += columns
    sets, shared = np.array(rows, np.int64), at
    end, set_rows = shared + (seats - 1) * columns, len(rows)

    @kernel
    @inlined
    def tell(bits: Any, w: int, code_of: Any, out: Any, at: int) -> None:
        while bits != EMPTY:
            out[U64(at + code_of[U64(64 * w + lowest(bits))])] += 1
            bits &= bits - ONE

    @kernel
    @inlined
    def write_sets(
        place: Any, known: Any, seat: int, flags: Any, code_of: Any, out: Any, at: int
    ) -> None:
        for i in range(head):
            out[U64(at + i)] = (flags >> U64(i)) & ONE
        for i in range(hidden):
            number = 0
            for w in range(words):
                number += popcount(place[U64(closed[i, seat]), U64(w)] & ~known[U64(seat), U64(w)])
            out[U64(at + head + i)] = number
        for i in range(head + hidden, end):
            out[U64(at + i)] = 0
        for row in range(set_rows):
            for w in range(words):
                bits = place[U64(sets[row, 1 + seat]), U64(w)] & known[U64(seat), U64(w)]
                tell(bits, w, code_of, out, at + sets[row, 0])
        for further in range(1, seats):
            other = (seat + further) % seats
            for w in range(words):
                bits = EMPTY
                for i in range(hidden):
                    bits |= place[U64(closed[i, seat]), U64(w)]
                bits &= known[U64(seat), U64(w)] & known[U64(other), U64(w)]
                tell(bits, w, code_of, out, at + shared + (further - 1) * columns)

    return write_sets


def kernels_without(game: tanistry.Game, shortcut: str) -> dict[str, Any]:
    """The kernels of a batch with one shortcut left out."""
    names = ("deal", "legal", "play", "score", "standing")
    given: dict[str, Any] = {name: getattr(game.kernels, name) for name in names}
    given |= {"ACTIONS": len(game.tokens), "SIZE": observation.observation(game).size}
    given["write_row"] = observation.kernels_for(game)["write_row"]
    name = f"{observation.variant(game)}_{shortcut}"
    if shortcut == "ahead":
        given["ask_for"] = no_request
    elif shortcut == "flags":
        given["write_flags"] = flag_by_flag
    elif shortcut == "scribe":
        plan = observation.Plan(game)
        own = observation.features_of(game.info)
        rows = {"features": getattr(own, "features", observation.features), **plan.constants()}
        rows["write_sets"] = loops(plan.outline())
        given["write_row"] = specialise(observation, rows, name)["write_row"]
    return specialise(stepping, given, name)


class Variant(batch.Batch):
    """A batch with one shortcut left out."""

    def __init__(self, game: tanistry.Game, shortcut: str) -> None:
        self._without = shortcut
        super().__init__(game, ROWS, 1)

    def _make_kernels(self) -> dict[str, Any]:
        return kernels_without(self.game, self._without)

    def nanoseconds(self) -> float:
        """Of one step of one row."""
        began = process_time()
        for _ in range(STEPS):
            self.step(self.random_actions())
        return (process_time() - began) / STEPS / ROWS * 1e9


def measure(name: str, rounds: int) -> str:
    called, _, seats = name.partition(":")
    game = tanistry.game(called, seats=int(seats) if seats else None)
    variants = [Variant(game, shortcut) for shortcut in VARIANTS]
    for variant in variants:
        variant.nanoseconds()
    assert all((v.observations == variants[0].observations).all() for v in variants)
    assert all((v.mask == variants[0].mask).all() for v in variants)
    best = [
        min(times) for times in zip(*([v.nanoseconds() for v in variants] for _ in range(rounds)))
    ]
    shown = [f"{best[0]:.0f} ns", *(f"{100 * (b / best[0] - 1):+.0f} %" for b in best[1:])]
    return f"| {name} | {' | '.join(shown)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["claim", "kilt", "schotten", "lords"])
    parser.add_argument("--rounds", type=int, default=12)
    given = parser.parse_args()
    print("| game | a step | without `ahead` | without `flags` | without `scribe` |")
    print("|---|---:|---:|---:|---:|")
    for name in given.games:
        print(measure(name, given.rounds), flush=True)


if __name__ == "__main__":
    main()
