"""Two records of one match, brought together card by card."""

from __future__ import annotations

from typing import Any

from tanistry.kernel import fields
from tanistry.match import Game
from tanistry.match.positions import knowing
from tanistry.table.bits import members


def align(game: Game, before: Any, after: Any, other: Any, row: int) -> None:
    """Put the cards that a play will show the seat where they truly are, so that it shows the same.

    `before` and `after` are the true record around the play, `other` the redealt one.
    """
    before, after, other = fields(before), fields(after), fields(other)
    for card in range(len(game.codes)):
        if knowing(after, card, row) and not knowing(before, card, row):
            number, slot = spot_of(before, card)
            stranger = _stranger(game, before, other, number, slot, card, row)
            if stranger is not None:
                _swap(other, card, stranger)


def spot_of(s: Any, card: int) -> tuple[int, int]:
    """The place of a card and its slot there, −1 in a set."""
    s = fields(s)
    for number in range(s.place.shape[0]):
        if card in members(s.place[number]):
            if number < s.slots.shape[0] and card in s.slots[number]:
                return number, list(s.slots[number]).index(card)
            return number, -1
    raise AssertionError(f"card {card} is nowhere")


def _stranger(
    game: Game, before: Any, other: Any, number: int, slot: int, card: int, row: int
) -> int | None:
    """What lies in the redealt record where `card` truly lies; None if it is the card itself."""
    if slot >= 0:
        there = int(other.slots[number, slot])
        return None if there == card else there
    if card in members(other.place[number]):
        return None
    rightly = members(before.place[number])  # several cards of a set may be shown at once
    back = game.notation.back
    for there in members(other.place[number]):
        alike = back(there) == back(card)
        if alike and not knowing(other, there, row) and there not in rightly:
            return there
    return None


def _swap(s: Any, a: int, b: int) -> None:
    """Exchange two cards everywhere in a record."""
    for sets in (s.place, s.known):
        for bits in sets:
            held = [bool(int(bits[c >> 6]) >> (c & 63) & 1) for c in (a, b)]
            if held[0] != held[1]:
                for c in (a, b):
                    bits[c >> 6] ^= bits.dtype.type(1 << (c & 63))
    for slots in s.slots:
        for index, card in enumerate(slots):
            if card in (a, b):
                slots[index] = b if card == a else a
