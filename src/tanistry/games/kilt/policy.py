"""A light way to play King's Kilt: lift one's own family, strike down what stands above it.

For the greedy bot, and for choices in simulated play. It looks at the pyramid and its own family.
"""

from __future__ import annotations

import numpy as np

from tanistry.games.kilt.cards import (
    BASE,
    BETRAY,
    CELLS,
    CLAN_OF,
    FAMILY,
    FILL,
    OF_CLAN,
    PASS,
    PYRAMID,
    REVEAL,
    ROW_OF,
    SUPPORT,
    TARGETS,
    State,
)
from tanistry.games.kilt.rules import crowned
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, lowest
from tanistry.table.record import Ints

GUIDED = 100
WIDENING = 0.5
BUDGETS = {5: 1_000}

HEIGHT = np.array([0, 0, 2, 5, 10, 16, 24], np.int64)
"""[row] what it is worth that a card has come so far."""
OWN, OTHER = 3, -1
"""How a card of one's own family counts, and any other."""
TREASON = 20
"""What an influence card must bring before there is a King; each one left breaks a tie."""
LATE_TREASON = 4
"""The same once there is one."""


@kernel
def favour(s: State, clan: int, seat: int) -> int:
    """How much a seat likes a clan to rise."""
    if s.place[FAMILY + seat, 0] & OF_CLAN[s.edition, clan] != EMPTY:
        return OWN
    return OTHER


@kernel
def clan_in(s: State, cell: int) -> int:
    """The clan of the card in a cell, −1 if it is empty."""
    card = s.place[PYRAMID + cell, 0]
    if card == EMPTY:
        return -1
    return int(CLAN_OF[s.edition, lowest(card)])


@kernel
def gain_by_rise(s: State, source: int, target: int, seat: int) -> int:
    clan = clan_in(s, source)
    if clan < 0:
        return 0
    return favour(s, clan, seat) * int(HEIGHT[ROW_OF[target]] - HEIGHT[ROW_OF[source]])


@kernel
def best_fill(s: State, vacuum: int, seat: int) -> int:
    """The gain by the better one of the two cards that can fill a vacuum."""
    if vacuum < BASE:
        return 0
    left = gain_by_rise(s, int(SUPPORT[vacuum, 0]), vacuum, seat)
    right = gain_by_rise(s, int(SUPPORT[vacuum, 1]), vacuum, seat)
    return max(left, right)


@kernel
def appeal_to_betray(s: State, cell: int, seat: int) -> int:
    lost = favour(s, clan_in(s, cell), seat) * int(HEIGHT[ROW_OF[cell]])
    price = LATE_TREASON if crowned(s) else TREASON
    return best_fill(s, cell, seat) - lost - price


@kernel
def appeal_to_reveal(s: State, clan: int) -> int:
    """Better to show a clan that stands low already."""
    risk = 0
    for cell in range(CELLS):
        if clan_in(s, cell) == clan:
            risk += int(HEIGHT[ROW_OF[cell]])
    return -risk


@kernel
def appeal(s: State, action: int, seat: int, notes: Ints) -> int:
    if action < FILL:
        target = BASE + action % TARGETS
        source = int(SUPPORT[target, action // TARGETS])
        return gain_by_rise(s, source, target, seat) + best_fill(s, source, seat)
    if action < BETRAY:
        source = int(SUPPORT[s.vacuum, action - FILL])
        return gain_by_rise(s, source, int(s.vacuum), seat) + best_fill(s, source, seat)
    if action < PASS[s.edition]:
        return appeal_to_betray(s, (action - BETRAY) % CELLS, seat)
    if action == PASS[s.edition]:
        return 0
    return appeal_to_reveal(s, action - int(REVEAL[s.edition]))
