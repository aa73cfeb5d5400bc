"""Random matches under audit: the promises that can be checked at every step at full speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import template
from tanistry.simulation.playouts import LONGEST, random_action
from tanistry.table.bits import EMPTY, bit, popcount
from tanistry.table.contract import deal, legal, play
from tanistry.table.stream import start_stream

ORDERED = 0
"""How many places, from the first, keep their cards in order. Given by each game."""

SOUND, LOST_CARD, OUT_OF_STEP, STUCK, ENDLESS = range(5)
FAULTS = ("sound", "a card is lost or doubled", "an ordered place differs from its set",
          "nobody can act", "the match does not end")  # fmt: skip


@template
def fault(s: Any, cards: int) -> int:
    """What is wrong with a record, `SOUND` if nothing is."""
    found = 0
    for w in range(s.place.shape[1]):
        seen = EMPTY
        for place in range(s.place.shape[0]):
            if (seen & s.place[place, w]) != EMPTY:
                return LOST_CARD
            seen |= s.place[place, w]
        found += popcount(seen)
    if found != cards:
        return LOST_CARD
    for place in range(ORDERED):
        laid = 0
        for slot in range(s.slots.shape[1]):
            card = int(s.slots[place, slot])
            if card >= 0:
                laid += 1
                if (s.place[place, card >> 6] & bit(card & 63)) == EMPTY:
                    return OUT_OF_STEP
        for w in range(s.place.shape[1]):
            laid -= popcount(s.place[place, w])
        if laid != 0:
            return OUT_OF_STEP
    return SOUND


@template
def audit(
    s: Any, blank: Any, moves: Any, cards: int, n: int, salt: Any, rng: Any, report: Any
) -> None:
    """Play n matches; `report` gets the fault found, the match and the choice it was found at."""
    for number in range(n):
        s[0] = blank[0]
        start_stream(s[0], number)
        rng[0] = np.uint64(salt) + np.uint64(number)
        deal(s[0])
        steps = 0
        report[1] = number
        while s[0].to_act >= 0:
            report[2] = steps
            legal(s[0], moves)
            able = 0
            for w in range(moves.shape[0]):
                able += popcount(moves[w])
            report[0] = fault(s[0], cards)
            if able == 0:
                report[0] = STUCK
            if steps >= LONGEST:
                report[0] = ENDLESS
            if report[0] != SOUND:
                return
            play(s[0], random_action(moves, rng))
            steps += 1
        report[0] = fault(s[0], cards)
        if report[0] != SOUND:
            return
