"""Small Claim: the rules of Claim with few cards, for those who want to solve it.

Each hand is dealt a few cards instead of thirteen, from a deck of four times as many, and each
phase has so many tricks: it begins as if the tricks before had been played. The cards left out
lie open in the discard. Everything else is Claim itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from types import ModuleType

import numpy as np

from tanistry.errors import OptionError
from tanistry.games.claim import INFO, rules
from tanistry.games.claim.cards import CODES, DECK, DISCARD, HAND, TRICKS, State
from tanistry.games.claim.rules import ALL_CARDS, turn_prize
from tanistry.games.claim.rules import play as play_claim
from tanistry.games.contract import Definition, Value
from tanistry.games.registry import definition_of
from tanistry.kernel import specialise, template
from tanistry.table.cards import deal_out, stack

SIZE: dict[str, Value] = {"tricks": 2, "deck": "G0+G0+G0+G0+K3+U4+D2+X1"}
"""The parameters of a small variant: tricks of each phase, and the deck, four cards for each."""

CARDS_IN = ALL_CARDS
LAST = TRICKS
"""Given by each variant: the cards in play, and the number of its tricks."""


@template
def deal(s: State) -> None:
    """claim.setup, with fewer cards."""
    s.place[DECK, 0] = CARDS_IN
    s.place[DISCARD, 0] = ALL_CARDS & ~CARDS_IN
    for row in range(s.known.shape[0]):
        s.known[row, 0] = ALL_CARDS & ~CARDS_IN
    stack(s, DECK)
    for seat in range(2):
        deal_out(s, DECK, HAND + seat, seat, LAST)
    s.phase = 1
    s.trick = TRICKS - LAST + 1
    s.leader = s.first
    turn_prize(s)


@template
def play(s: State, action: int) -> None:
    phase = s.phase
    play_claim(s, action)
    if s.phase != phase:
        s.trick = TRICKS - LAST + 1


# -- making one -----------------------------------------------------------------------------------


def definition(tricks: int, deck: str) -> Definition:
    """Claim with so many tricks a phase and the cards of a deck: codes with a + between them."""
    if type(tricks) is not int or not 1 <= tricks <= TRICKS:
        raise _refused("tricks", tricks, f"1–{TRICKS}")
    cards = list(_cards(deck))
    if len(cards) != 4 * tricks:
        raise _refused("deck", deck, f"{4 * tricks} ({SIZE['deck']})")
    return _definition(tricks, sum(1 << card for card in cards))


def _cards(deck: str) -> Iterator[int]:
    """The cards of a deck; of twins, the first that are left."""
    left = list(range(len(CODES)))
    for code in str(deck).split("+"):
        found = next((card for card in left if CODES[card] == code), None)
        if found is None:
            raise _refused("deck", code, "+".join(CODES))
        left.remove(found)
        yield found


def _refused(name: str, value: object, allowed: str) -> OptionError:
    return OptionError(
        "option/value", name=name, value=value, allowed=allowed, rule="common.options"
    )


@cache
def _definition(tricks: int, cards: int) -> Definition:
    name = f"claim_{tricks}_{cards:x}"  # compiled kernels are kept by name
    given = {"CARDS_IN": np.uint64(cards), "LAST": tricks}
    variant = ModuleType(f"{__name__}.{name}")
    vars(variant).update(vars(rules), **specialise(sys.modules[__name__], given, name))
    return replace(definition_of(INFO), info=replace(INFO, name=name), rules=variant)
