"""What a position of Lords of Scotland says beside the cards, written and read.

Facts that are fields of the record need nothing here. All of it is public: it follows from what
everybody has seen; `memory.py` says what it is about.
"""

from __future__ import annotations

from tanistry.games.lords.cards import (
    ALLIES_MOST,
    ARMY,
    CAME,
    CARDS,
    CLAIM,
    LEFT,
    MOST_SEATS,
    SUPPORTERS,
    WENT_DOWN,
    WORDS,
    State,
)
from tanistry.games.lords.memory import (
    NO_ENTRY,
    ally_at,
    entry_of,
    is_seen,
    is_seen_somewhere,
    spot_of,
)
from tanistry.games.lords.memory import note as write_down
from tanistry.games.lords.powers import is_up
from tanistry.games.lords.skirmish import allowance, rank_armies
from tanistry.games.lords.told import (
    CAME_SEEN,
    CAME_UNSEEN,
    CLAIMS,
    LEFT_SEEN,
    LEFT_UNSEEN,
    NO_CLAIMANT,
    NO_FACT,
    ORDER,
    OTHER_ORDER,
    PLAYED_DOWN,
    TOO_MANY_CLAIMS,
    WRONG_HISTORY,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit
from tanistry.table.cards import ILLEGAL, NOBODY, count, is_empty, knows, tell, tell_more
from tanistry.table.notes import Notes, add, begin_list, note, take

PUBLIC = MOST_SEATS
"""The row of knowledge of the public."""


@kernel
def counted(s: State) -> bool:
    """Whether the armies have been counted, so that `order` is about them."""
    return s.to_act < 0 or s.decision == CLAIM


@kernel
def claiming(s: State) -> bool:
    return s.to_act >= 0 and s.decision == CLAIM


# -- writing --------------------------------------------------------------------------------------


@kernel
def facts(s: State, notes: Notes) -> None:
    """`order`, `claims`, `shuffled`, `seen`, `history`."""
    note_order(s, notes)
    if claiming(s):
        note(notes, 1)
        note(notes, s.claims)
    else:
        note(notes, 0)
    note_shuffled(s, notes)
    note_seen(s, notes)
    note_history(s, notes)


@kernel
def note_order(s: State, notes: Notes) -> None:
    if not counted(s):
        note(notes, 0)
        return
    note(notes, 1)
    seats = begin_list(notes)
    for place in range(MOST_SEATS):
        if s.order[place] != NOBODY:
            add(notes, seats, s.order[place])


@kernel
def unseen_since(s: State, card: int) -> int:
    """The shuffle that a card took part in last, if it was not seen since; otherwise 0."""
    if knows(s, card, PUBLIC) or is_seen_somewhere(s, card):
        return 0
    return int(s.shuffled[card])


@kernel
def next_shuffle(s: State, last: int) -> int:
    """The next shuffle that there are such cards of, 0 if there is none."""
    found = 0
    for card in range(CARDS):
        shuffle = unseen_since(s, card)
        if shuffle > last and (found == 0 or shuffle < found):
            found = shuffle
    return found


@kernel
def note_shuffled(s: State, notes: Notes) -> None:
    shuffle = next_shuffle(s, 0) if s.shuffles > 0 else 0
    if shuffle == 0:
        note(notes, 0)
        return
    note(notes, 1)
    shuffles = begin_list(notes)
    while shuffle > 0:
        add(notes, shuffles, shuffle)
        cards = begin_list(notes)
        for card in range(CARDS):
            if unseen_since(s, card) == shuffle:
                add(notes, cards, card)
        shuffle = next_shuffle(s, shuffle)


@kernel
def note_seen(s: State, notes: Notes) -> None:
    doubtful = EMPTY
    for seat in range(s.seats):
        for w in range(WORDS):
            doubtful |= s.seen[seat, w] & ~s.known[PUBLIC, w]
    if doubtful == EMPTY:
        note(notes, 0)
        return
    note(notes, 1)
    for seat in range(s.seats):
        cards = begin_list(notes)
        for card in range(CARDS):
            if is_seen(s, seat, card) and not knows(s, card, PUBLIC):
                add(notes, cards, card)


@kernel
def note_history(s: State, notes: Notes) -> None:
    downs = 0
    for seat in range(s.seats):
        downs += s.downs[seat]
    if downs == 0:
        note(notes, 0)
        return
    note(notes, 1)
    lines = begin_list(notes)
    for i in range(s.entries):
        seat, what, whom = int(s.diary[i, 0]), int(s.diary[i, 1]), int(s.diary[i, 2])
        if what == WENT_DOWN:
            add(notes, lines, PLAYED_DOWN)
            note(notes, seat)
            note(notes, whom // ALLIES_MOST)
            note(notes, whom % ALLIES_MOST + 1)
        else:
            seen = CAME_SEEN if what == CAME else LEFT_SEEN
            unseen = CAME_UNSEEN if what == CAME else LEFT_UNSEEN
            add(notes, lines, seen if whom < CARDS else unseen)
            note(notes, seat)
            note(notes, whom if whom < CARDS else whom - CARDS)


# -- reading --------------------------------------------------------------------------------------


@kernel
def restore(s: State, notes: Notes) -> None:
    restore_order(s, notes)
    restore_claims(s, notes)
    if take(notes) > 0:
        restore_shuffled(s, notes)
    if take(notes) > 0:
        restore_seen(s, notes)
    entries = 0
    if take(notes) > 0:
        entries = restore_history(s, notes)
    complete_history(s, entries)


@kernel
def restore_order(s: State, notes: Notes) -> None:
    """Where the armies have been counted, the cards say the order, unless they are gone."""
    rank_armies(s)
    given = take(notes) > 0
    ranked = take(notes) if given else 0
    first = int(notes[0]) + 1
    same = True
    for place in range(MOST_SEATS):
        seat = take(notes) if place < ranked else NOBODY
        same = same and s.order[place] == seat
    if not counted(s):
        if given:
            tell(s, NO_FACT, ILLEGAL, ORDER)
        for place in range(MOST_SEATS):
            s.order[place] = 0  # as in a match's first skirmish: it is written at the end of each
    elif given and not same:
        if s.to_act >= 0 or not is_empty(s, SUPPORTERS):
            tell_other_order(s, notes, first, ranked)
        for place in range(MOST_SEATS):
            s.order[place] = notes[first + place] if place < ranked else NOBODY


@kernel
def tell_other_order(s: State, notes: Notes, first: int, ranked: int) -> None:
    tell(s, OTHER_ORDER, ILLEGAL)
    tell_more(s, ranked)
    for place in range(ranked):
        tell_more(s, int(notes[first + place]))
    armies = 0
    for place in range(MOST_SEATS):
        armies += 1 if s.order[place] != NOBODY else 0
    tell_more(s, armies)
    for place in range(armies):
        tell_more(s, int(s.order[place]))


@kernel
def restore_claims(s: State, notes: Notes) -> None:
    """`claims`; without it, as many as the seat's army may claim (lords.claim)."""
    given = take(notes) > 0
    claims = take(notes) if given else 0
    if not claiming(s):
        if given:
            tell(s, NO_FACT, ILLEGAL, CLAIMS)
        return
    s.claimant = NOBODY
    for place in range(MOST_SEATS):
        if s.order[place] == s.to_act:
            s.claimant = place
    most = allowance(s, int(s.to_act))
    if s.claimant == NOBODY:
        tell(s, NO_CLAIMANT, ILLEGAL, s.to_act)
    elif claims > most:
        tell(s, TOO_MANY_CLAIMS, ILLEGAL, CLAIMS, claims, most)
    s.claims = claims if given else most


@kernel
def restore_shuffled(s: State, notes: Notes) -> None:
    for _ in range(take(notes)):
        shuffle = take(notes)
        for _ in range(take(notes)):
            s.shuffled[take(notes)] = shuffle
            s.shuffles = max(s.shuffles, shuffle)


@kernel
def restore_seen(s: State, notes: Notes) -> None:
    for seat in range(s.seats):
        for _ in range(take(notes)):
            card = take(notes)
            s.seen[seat, card >> 6] |= bit(card & 63)


@kernel
def restore_history(s: State, notes: Notes) -> int:
    """Write the given entries to the diary; how many there are."""
    for _ in range(take(notes)):
        form, seat, whom = take(notes), take(notes), take(notes)
        if form == PLAYED_DOWN:
            write_down(s, seat, WENT_DOWN, spot_of(whom, take(notes) - 1))
            continue
        if form in (CAME_UNSEEN, LEFT_UNSEEN):
            s.shuffles = max(s.shuffles, whom)
            whom += CARDS
        write_down(s, seat, CAME if form in (CAME_SEEN, CAME_UNSEEN) else LEFT, whom)
    return int(s.entries)


@kernel
def lies_down(s: State, spot: int) -> bool:
    """Whether there is a face-down ally in a spot."""
    ally = ally_at(s, spot)
    return ally >= 0 and not is_up(s, ally)


@kernel
def complete_history(s: State, given: int) -> None:
    """A face-down ally that is not named was played first, by its army's seat."""
    for seat in range(s.seats):
        for slot in range(count(s, ARMY + seat)):
            if lies_down(s, spot_of(seat, slot)) and entry_of(s, seat, slot) == NO_ENTRY:
                write_down(s, seat, WENT_DOWN, spot_of(seat, slot))
    put_first(s, given)
    for i in range(s.entries):
        if int(s.diary[i, 1]) == WENT_DOWN:
            s.downs[int(s.diary[i, 0])] += 1
    check_history(s)


@kernel
def put_first(s: State, given: int) -> None:
    """Turn the diary: what was written after the given entries comes before them."""
    for _ in range(s.entries - given):
        for column in range(s.diary.shape[1]):
            last = s.diary[s.entries - 1, column]
            for i in range(s.entries - 1, 0, -1):
                s.diary[i, column] = s.diary[i - 1, column]
            s.diary[0, column] = last


@kernel
def check_history(s: State) -> None:
    """Entries are about hands with an ally face down, and name each such ally once."""
    for i in range(s.entries):
        seat, spot = int(s.diary[i, 0]), int(s.diary[i, 2])
        wrong = s.downs[seat] == 0
        if int(s.diary[i, 1]) == WENT_DOWN:
            named = entry_of(s, spot // ALLIES_MOST, spot % ALLIES_MOST)
            wrong = named != i or not lies_down(s, spot)
        if wrong:
            tell(s, WRONG_HISTORY, ILLEGAL, seat)
