"""Kernels that break one promise each, in a game that otherwise keeps them all (`heir`)."""

from __future__ import annotations

from typing import Any

from heir import rules
from heir.cards import DECK, HAND, HAND_SIZE, TRICK, WIN, WON, State
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit, lowest
from tanistry.table.cards import any_in, count, deal_out, knows, stack, tell
from tanistry.table.notes import Notes, note

EVERYBODY = 2  # the row of `known` after those of the seats
LEAK = 3  # an event beside those of the game


@kernel
def loses_a_card(s: State, action: int) -> None:
    rules.play(s, action)
    if s.place[WON, 0] != EMPTY:
        s.place[WON, 0] &= ~bit(lowest(s.place[WON, 0]))


@kernel
def leaves_nothing_to_do(s: State, moves: Any) -> None:
    moves[0] = EMPTY
    if s.to_act == 0:
        rules.legal(s, moves)


@kernel
def overflow(number: int) -> int:
    """The number in Python, 0 or −1 in 64 bits."""
    return number << 63 >> 63


@kernel
def depends_on_who_runs_it(s: State, action: int) -> None:
    rules.play(s, action)
    s.scratch[0] = 0 if overflow(2 * action + 2) == 0 else 1


@kernel
def deals_as_who_runs_it(s: State) -> None:
    rules.deal(s)
    s.scratch[0] = 0 if overflow(2 * int(s.first) + 2) == 0 else 1


@kernel
def asks_who_has_seen_a_card(s: State, moves: Any) -> None:
    """Whoever answers keeps a card back if the one led was shown to everybody, as it always is."""
    rules.legal(s, moves)
    led = any_in(s, TRICK + 1 - s.to_act)
    if led >= 0 and knows(s, led, EVERYBODY) and count(s, HAND + s.to_act) > 1:
        moves[0] &= ~bit(lowest(moves[0]))


@kernel
def ranks_by_what_was_seen(s: State, seat: int) -> int:
    """All are level unless the cards won were shown to everybody, as they always are."""
    won = max(any_in(s, WON), any_in(s, WON + 1))
    return rules.standing(s, seat) if knows(s, won, EVERYBODY) else 0


@kernel
def counts_in_64_bits(s: State, seat: int, notes: Notes) -> None:
    note(notes, 1)
    for n in range(2):
        note(notes, overflow(2 * rules.score(s, n) + 1))


@kernel
def tells_spectators_more(s: State) -> None:
    rules.deal(s)
    s.known[2, 0] |= bit(lowest(s.place[HAND, 0]))


@kernel
def misspells_a_field(s: State) -> None:
    rules.deal(s)
    s.laeder = s.leader  # type: ignore[attr-defined]


@kernel
def misspells_a_name(s: State, seat: int, notes: Notes) -> None:
    note(notes, laeder)  # type: ignore[name-defined]  # noqa: F821


@kernel
def begins_with_seat_0(s: State) -> None:
    rules.deal(s)
    s.leader = s.to_act = 0


@kernel
def counts_halves(s: State, seat: int) -> float:
    return rules.score(s, seat) / 2


@kernel
def tells_spectators_more_if_seat_1_begins(s: State) -> None:
    rules.deal(s)
    if s.first == 1:
        s.known[2, 0] |= bit(lowest(s.place[HAND, 0]))


@kernel
def counts_what_lies_face_down(s: State, seat: int, notes: Notes) -> None:
    note(notes, 1)
    for n in range(2):
        note(notes, any_in(s, DECK) + n)


@kernel
def tells_what_lies_face_down(s: State, action: int) -> None:
    rules.play(s, action)
    tell(s, LEAK, WIN, any_in(s, DECK))


@kernel
def deals_nothing_anew(s: State, row: int, generator: Any) -> None:
    pass


@kernel
def deals_the_other_way_round(s: State) -> None:
    s.place[DECK, 0] = rules.ALL
    stack(s, DECK)
    for seat in range(1, -1, -1):
        deal_out(s, DECK, HAND + seat, seat, HAND_SIZE)
    s.leader = s.first
    s.to_act = s.first


@kernel
def restores_another_leader(s: State, notes: Notes) -> None:
    s.leader = 1 - s.leader


@kernel
def forgets_to_check(s: State) -> None:
    pass
