"""Observations in a browser: the bytes of `simulation.observation`, by tables.

Natively every set of seats and cards has a kernel of its own. A browser gets one for all of a game;
what is where comes with the description (`sights`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from tanistry.kernel import kernel, template
from tanistry.match import Game
from tanistry.simulation.observation import (
    BY_NUMBER,
    BY_SLOT,
    Plan,
    Section,
    features_of,
    in_slots,
    variant,
)
from tanistry.table.bits import EMPTY, ONE, bit, lowest, popcount
from tanistry.table.cards import count

HEAD, DECISION, COLUMNS, FACTS, INSIGHTS, MARKS = range(6)
"""Numbers of a sight: where the head ends, decisions begin; how many codes; where facts begin,
and insights."""


class Sight(NamedTuple):
    """What is where in an observation of a game with its seats and cards; rows lie flat."""

    codes: Any  # the column of each card
    closed: Any  # [row, seat] places of which is told how many cards a seat does not know
    strokes: Any  # [row, 1 + seat] so many bytes of 0; if none, the cards known in a place
    ordered: Any  # [seat, row, 5] see `simulation.observation`
    marks: Any
    observed: Any


@kernel
def features(s: Any, seat: int, out: Any) -> None:
    """Given by each game; without it there are no facts."""


@kernel
def insights(s: Any, seat: int, out: Any) -> None:
    """Given by games that have some."""


@template
def count_codes(s: Any, place: int, seat: int, other: int, sight: Any, at: int) -> None:
    """Count the cards in a place that two seats know, by their codes."""
    for w in range(s.place.shape[1]):
        rest = s.place[place, w] & s.known[seat, w] & s.known[other, w]
        while rest != EMPTY:
            sight.observed[at + sight.codes[64 * w + lowest(rest)]] += 1
            rest &= rest - ONE


@template
def see(s: Any, seat: int, sight: Any) -> None:
    """Write what a seat knows to `observed`."""
    out, marks, seats = sight.observed, sight.marks, int(s.seats)
    for i in range(out.shape[0]):
        out[i] = 0
    out[seat] = 1
    if s.to_act >= 0:
        out[seats + (s.to_act - seat + seats) % seats] = 1
        out[marks[DECISION] + s.decision] = 1
    at = int(marks[HEAD])
    for i in range(seat, sight.closed.shape[0], seats):
        unknown = 0
        for w in range(s.place.shape[1]):
            unknown += popcount(s.place[sight.closed[i], w] & ~s.known[seat, w])
        out[at] = unknown
        at += 1
    for i in range(0, sight.strokes.shape[0], 1 + seats):
        if sight.strokes[i] > 0:
            at += int(sight.strokes[i])
        else:
            count_codes(s, int(sight.strokes[i + 1 + seat]), seat, seat, sight, at)
            at += int(marks[COLUMNS])
    for further in range(1, seats):
        for i in range(seat, sight.closed.shape[0], seats):
            count_codes(s, int(sight.closed[i]), seat, (seat + further) % seats, sight, at)
        at += int(marks[COLUMNS])
    rows = sight.ordered.shape[0] // seats
    for i in range(seat * rows, (seat + 1) * rows, 5):
        tell_order(s, seat, sight, i)
    features(s, seat, out[int(marks[FACTS]) :])
    insights(s, seat, out[int(marks[INSIGHTS]) :])


@template
def tell_order(s: Any, seat: int, sight: Any, row: int) -> None:
    """Where in an ordered place the cards lie."""
    told, out, columns = sight.ordered, sight.observed, int(sight.marks[COLUMNS])
    place, order, how = int(told[row]), int(told[row + 1]), told[row + 2]
    spots, size = int(told[row + 3]), int(told[row + 4])
    cards = count(s, place)
    for slot in range(size if how == BY_SLOT else cards):
        card = int(s.slots[place, slot])
        if card < 0:
            continue
        known = (s.known[seat, card >> 6] & bit(card & 63)) != EMPTY
        if size > 0:
            out[spots + slot] = not known
        column = order + sight.codes[card]
        if how == BY_SLOT:
            out[column + slot * columns] = known
        else:
            out[column] = (slot + 1 if how == BY_NUMBER else cards - slot) if known else 0


def variants(game: Game) -> Iterator[Game]:
    """The game with all its seats and options; of an option that is a number, its default stands
    for all."""
    options = game.info.options
    values = [[o.default] if type(o.default) is int else o.values for o in options]
    for seats, chosen in product(game.info.seats, product(*values)):
        given = {option.name: value for option, value in zip(options, chosen, strict=True)}
        yield Game(game.definition, seats, given)


def sights(game: Game) -> dict[str, Any]:
    """The tables of a game, by `variant`: for all its seats and cards."""
    found: dict[str, Any] = {}
    for one in variants(game):
        if variant(one) not in found:
            plan = Plan(one, insights=True)
            outline = plan.outline()
            found[variant(one)] = {
                "head": outline.head,
                "decision": plan.decision,
                "facts": plan.first_fact,
                "insights": plan.first_insight,
                "closed": outline.closed,
                "strokes": [
                    [blank, *(places or [0] * one.seats)] for blank, places, _ in outline.strokes
                ],
                "ordered": plan.ordered(),
                "sections": [
                    [part.name, part.rows, _columns(part, plan)] for part in plan.sections
                ],
            }
    return found


def _columns(part: Section, plan: Plan) -> tuple[str, ...] | int | None:
    """The columns of a section; None if there is one for every code, a number if there are so many
    slots with one for every code each."""
    if part.columns == plan.codes:
        return None
    slots = len(part.columns) // len(plan.codes)
    return slots if part.columns == in_slots(plan.codes, slots) else part.columns


def telling_kernels(game: Game) -> dict[str, Any]:
    """Those of the game's own that `see` calls."""
    module, usual = features_of(game.info), {"features": features, "insights": insights}
    return {name: getattr(module, name, kernel) for name, kernel in usual.items()}
