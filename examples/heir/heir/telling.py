"""What the rules of Heir tell beside events: why not, whether a position can be, how it stands."""

from heir.cards import (
    HAND,
    HAND_SIZE,
    LEAD,
    NOT_HELD,
    NOT_LED,
    TRICK,
    WON,
    WRONG_COUNT,
    WRONG_TURN,
    State,
)
from heir.rules import score
from tanistry.kernel import kernel
from tanistry.table.cards import ILLEGAL, NOBODY, count, has, tell
from tanistry.table.notes import Notes, note


@kernel
def refuse(s: State, action: int) -> None:
    """Why a card cannot be played now."""
    if has(s, HAND + s.to_act, action):
        tell(s, NOT_LED, LEAD, action)
    else:
        tell(s, NOT_HELD, ILLEGAL, action)


@kernel
def check(s: State) -> None:
    """Whether the numbers of cards and the turn fit together."""
    left = HAND_SIZE - (count(s, WON) + count(s, WON + 1)) // 2  # tricks still to come
    for seat in range(2):
        held = count(s, HAND + seat) + count(s, TRICK + seat)
        if held != left:
            tell(s, WRONG_COUNT, ILLEGAL, HAND + seat, held, left)
    leader = int(s.leader)
    turn = 1 - leader if count(s, TRICK + leader) > 0 else leader
    if left == 0:
        turn = NOBODY
    if count(s, TRICK + 1 - leader) > 0 or s.to_act != turn:
        tell(s, WRONG_TURN, ILLEGAL, leader)


@kernel
def tally(s: State, seat: int, notes: Notes) -> None:
    """The sums so far; what was won lies open."""
    note(notes, 1)
    for n in range(2):
        note(notes, score(s, n))
