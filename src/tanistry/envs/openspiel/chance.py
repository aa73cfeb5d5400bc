"""Shuffles as chance: OpenSpiel decides their order, card by card, and then the rules go on.

Everything random in a match is a shuffle. The rules of a game call `shuffle_slots`; here they run
with another function in its place, which puts a pile in an order that was decided before, or stops
them if none was. For that they run as plain Python, which takes some milliseconds: at the deal,
and after the rare choice that makes a new deck of the discard. All else stays compiled.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np

from tanistry.kernel import python_of
from tanistry.table.stream import shuffle_slots

Order = tuple[int, ...]
"""The cards of a pile, the top one first."""


class Undecided(Exception):
    """A pile is shuffled and its order is not decided yet."""

    def __init__(self, cards: Order) -> None:
        super().__init__(cards)
        self.cards = cards


class Shuffle(threading.local):
    """A shuffle that lays piles in given orders, one after the other."""

    def __init__(self) -> None:
        self.orders: list[Order] = []

    def __call__(self, s: Any, place: int, n: int, start: int = 0) -> None:
        slots = s.slots[place, start : start + n]
        if n < 2:
            return
        if not self.orders:
            raise Undecided(tuple(sorted(slots.tolist())))
        slots[:] = self.orders.pop(0)[::-1]  # a pile's top comes last


def with_shuffle(function: Any, shuffle: Shuffle, known: dict[Any, Any]) -> Any:
    """The same kernel in plain Python, with `shuffle` in place of the table's, however deep."""
    if function is shuffle_slots:
        return shuffle
    if function not in known:
        plain = python_of(function)
        scope = dict(plain.__globals__)
        arguments = (plain.__code__, scope, plain.__name__, plain.__defaults__, plain.__closure__)
        known[function] = FunctionType(*arguments)
        for name in plain.__code__.co_names:
            callee = scope.get(name)
            if isinstance(python_of(callee), FunctionType):  # type: ignore[arg-type]
                scope[name] = with_shuffle(callee, shuffle, known)
    return known[function]


class Shuffled:
    """A game's deal and play with decided shuffles."""

    def __init__(self, kernels: Any) -> None:
        self._shuffle = Shuffle()
        known: dict[Any, Any] = {}
        self._deal = with_shuffle(kernels.deal, self._shuffle, known)
        self._play = with_shuffle(kernels.play, self._shuffle, known)

    def run(self, s: Any, action: int | None, orders: Sequence[Order]) -> None:
        """Deal (None) or play an action; Undecided if it takes another shuffle."""
        self._shuffle.orders = list(orders)
        with np.errstate(over="ignore"):  # words wrap on purpose
            if action is None:
                self._deal(s)
            else:
                self._play(s, action)
