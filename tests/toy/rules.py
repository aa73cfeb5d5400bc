from typing import Any

import numpy as np

from tanistry.table.bits import EMPTY, bit, lowest
from tanistry.table.cards import count, move, pop, put, show, show_all, stack, tell
from tanistry.table.kernel import kernel
from tests.toy.cards import DECK, ENDED, HAND, PLAYED, TABLE, State


@kernel
def deal(s: State) -> None:
    s.place[DECK, 0] = np.uint64(0b111111)
    stack(s, DECK)
    for seat in range(2):
        for _ in range(2):
            card = pop(s, DECK)
            show(s, card, seat)
            put(s, HAND + seat, card)
    s.to_act = s.first


@kernel
def legal(s: State, moves: Any) -> None:
    moves[0] = s.place[HAND + s.to_act, 0] if s.to_act >= 0 else EMPTY


@kernel
def play(s: State, action: int) -> None:
    seat = int(s.to_act)
    show_all(s, action)
    move(s, action, HAND + seat, TABLE + seat, PLAYED)
    s.to_act = 1 - seat
    if count(s, TABLE) + count(s, TABLE + 1) == 4:
        s.to_act = -1
        tell(s, 1, ENDED)


@kernel
def score(s: State, seat: int) -> int:
    total = 0
    rest = s.place[TABLE + seat, 0]
    while rest != EMPTY:
        card = lowest(rest)
        rest &= ~bit(card)
        total += card + 1
    return total


@kernel
def standing(s: State, seat: int) -> int:
    return -score(s, seat) if s.low != 0 else score(s, seat)
