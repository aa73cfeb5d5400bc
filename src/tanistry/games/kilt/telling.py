"""What the rules of King's Kilt tell beside events: facts, tallies, and why something cannot be."""

from __future__ import annotations

from tanistry.games.kilt.cards import (
    ACTIVE_PASSED,
    BASE,
    BETRAY,
    BETRAY_RULE,
    CELL_BIT,
    CELLS,
    CHIEF_THERE,
    CHIEFS,
    CLAN_COUNT,
    CLAN_OF,
    CLIMB_FULL,
    CLIMB_RULE,
    DECK,
    DISCARD,
    EMPTY_BASE,
    EMPTY_CELL,
    FAMILY,
    FAMILY8,
    FAMILY_CARDS,
    FILL,
    GUARDIANS_ROW,
    INFLUENCE,
    INFLUENCE_CARDS,
    KING_ROW,
    MEMBER,
    NO_KING,
    NO_REWARD,
    NO_SUPPORT,
    NO_TRAITOR,
    NOBLES_ROW,
    NOBODY_BETRAYS,
    NOT_ACTIVE,
    NOT_FAMILY,
    NOT_HELD,
    NOT_OVER,
    OF_CLAN,
    OWED_MANY,
    OWED_NOW,
    OWED_TURN,
    PASS,
    PASSED_EARLY,
    PILE_SHORT,
    PYRAMID,
    REVEAL,
    REVEAL_RULE,
    REVEALING,
    ROW_OF,
    ROW_POINTS,
    ROW_SET,
    ROWS,
    SAME_CLAN,
    SHOWN,
    SUPPORT,
    SUPPORT_RULE,
    TARGETS,
    TOO_MANY,
    TURN,
    TURN_RULE,
    UNSUPPORTED,
    VACUUM_FULL,
    VACUUM_MISSING,
    VACUUM_NONE,
    WRONG_COUNT,
    WRONG_ROWS,
    State,
)
from tanistry.games.kilt.rules import (
    NO_CELL,
    UP_LEFT,
    UP_RIGHT,
    card_in,
    clans_of,
    hidden_family,
    occupied,
    possible,
    relatives,
    worth,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, bit, lowest, popcount
from tanistry.table.cards import BY_ALL, BY_NOBODY, BY_OWNER, ILLEGAL, count, tell, top
from tanistry.table.notes import Notes, note, take

# -- why not --------------------------------------------------------------------------------------


@kernel
def refuse(s: State, action: int) -> None:
    if action < FILL:
        refuse_climb(s, BASE + action % TARGETS, action // TARGETS)
    elif action < PASS[s.edition]:
        refuse_betrayal(s, (action - BETRAY) // CELLS, (action - BETRAY) % CELLS)
    elif action == PASS[s.edition]:
        tell(s, NO_KING, TURN_RULE)
    else:
        refuse_reveal(s, action - REVEAL[s.edition])


@kernel
def is_empty(s: State, cell: int) -> bool:
    return s.place[PYRAMID + cell, 0] == EMPTY


@kernel
def refuse_climb(s: State, target: int, side: int) -> None:
    source = SUPPORT[target, side]
    if is_empty(s, source):
        tell(s, EMPTY_CELL, ILLEGAL, PYRAMID + source)
    elif not is_empty(s, target):
        tell(s, CLIMB_FULL, CLIMB_RULE, PYRAMID + target)
    else:
        tell(s, NO_SUPPORT, SUPPORT_RULE, PYRAMID + SUPPORT[target, 1 - side])


@kernel
def refuse_betrayal(s: State, clan: int, cell: int) -> None:
    member = MEMBER[s.edition, clan]
    if s.place[INFLUENCE + s.to_act, 0] & OF_CLAN[s.edition, clan] == EMPTY:
        tell(s, NOT_HELD, ILLEGAL, member, PYRAMID + cell)
    elif is_empty(s, cell):
        tell(s, EMPTY_CELL, ILLEGAL, PYRAMID + cell)
    elif s.cells[clan] == EMPTY:
        tell(s, NOBODY_BETRAYS, BETRAY_RULE, member, PYRAMID + cell)
    else:
        tell(s, NO_TRAITOR, BETRAY_RULE, member, PYRAMID + cell)


@kernel
def refuse_reveal(s: State, clan: int) -> None:
    member = MEMBER[s.edition, clan]
    if s.place[FAMILY + s.to_act, 0] & OF_CLAN[s.edition, clan] == EMPTY:
        tell(s, NOT_FAMILY, ILLEGAL, member)
    else:
        tell(s, SHOWN, REVEAL_RULE, member)


# -- facts ----------------------------------------------------------------------------------------


@kernel
def reached(s: State, row: int) -> bool:
    """A row once reached is never empty again but for the vacuum: so the cards tell."""
    waits = s.vacuum != NO_CELL and ROW_OF[s.vacuum] == row
    return waits or occupied(s) & ROW_SET[row] != EMPTY


@kernel
def facts(s: State, notes: Notes) -> None:
    note(notes, 1)
    note(notes, s.active)
    note(notes, 1)
    note(notes, s.vacuum if s.vacuum == NO_CELL else s.vacuum - BASE)
    note(notes, 1)
    passed = 0
    for seat in range(s.seats):
        note(notes, s.owed[seat])
        passed += s.passed[seat]
    note(notes, 1)
    note(notes, passed)
    for seat in range(s.seats):
        if s.passed[seat] != 0:
            note(notes, seat)
    for row in range(NOBLES_ROW, KING_ROW + 1):
        note(notes, 1)
        note(notes, reached(s, row))
    note(notes, 1)
    note(notes, s.recycled[0] & s.place[DECK, 0] != EMPTY)


@kernel
def restore(s: State, notes: Notes) -> None:
    """Any fact may be left out: it is then what the cards say, or nothing special."""
    restore_cells(s)
    over = s.to_act < 0
    s.active = s.first if over else s.to_act
    if take(notes) == 1:
        s.active = take(notes)
    s.vacuum = NO_CELL
    if take(notes) == 1:
        cell = take(notes)
        s.vacuum = NO_CELL if cell < 0 else BASE + cell
    if take(notes) == 1:
        for seat in range(s.seats):
            s.owed[seat] = take(notes)
    restore_passed(s, notes, over)
    for row in range(NOBLES_ROW, KING_ROW + 1):
        if take(notes) == 1 and (take(notes) == 1) != reached(s, row):
            tell(s, WRONG_ROWS, ILLEGAL, row - NOBLES_ROW, reached(s, row))
    if take(notes) == 1 and take(notes) == 1:
        s.recycled[0] = s.place[DECK, 0]


@kernel
def restore_cells(s: State) -> None:
    for cell in range(CELLS):
        if not is_empty(s, cell):
            s.cells[CLAN_OF[s.edition, card_in(s, cell)]] |= CELL_BIT[cell]


@kernel
def restore_passed(s: State, notes: Notes, over: bool) -> None:
    if take(notes) == 1:
        for _ in range(take(notes)):
            s.passed[take(notes)] = 1
    elif over:
        for seat in range(s.seats):
            s.passed[seat] = 1


@kernel
def tally(s: State, seat: int, notes: Notes) -> None:
    """kilt.score, as if the match ended now, by the family cards that the seat knows."""
    note(notes, 1)
    for n in range(s.seats):
        points = 0
        family = s.place[FAMILY + n, 0] & s.known[seat, 0]
        while family != EMPTY:
            card = lowest(family)
            family &= ~bit(card)
            points += worth(s, CLAN_OF[s.edition, card])
        note(notes, points)
    note(notes, 1)
    for n in range(s.seats):
        note(notes, popcount(s.place[FAMILY + n, 0] & ~s.known[seat, 0]))
    note(notes, 1)
    for n in range(s.seats):
        note(notes, count(s, INFLUENCE + n))
    note(notes, 1)
    note(notes, CLAN_COUNT[s.edition])
    for clan in range(CLAN_COUNT[s.edition]):
        note(notes, MEMBER[s.edition, clan])
        note(notes, worth(s, clan))
        for row in range(KING_ROW, NOBLES_ROW - 1, -1):
            note(notes, relatives(s, clan, row))
    note_rows(notes)
    note_gap(s, notes)


@kernel
def note_rows(notes: Notes) -> None:
    """What a card is there, and what it counts for."""
    note(notes, 1)
    note(notes, ROWS)
    for row in range(ROWS, 0, -1):
        note(notes, row)
        note(notes, max(0, row - NOBLES_ROW + 1))
        note(notes, ROW_POINTS[row])


@kernel
def note_gap(s: State, notes: Notes) -> None:
    """kilt.vacuum: the cell to be filled, and the cards on its left and right that can move up."""
    if s.vacuum == NO_CELL:
        note(notes, 0)
        return
    note(notes, 1)
    note(notes, PYRAMID + s.vacuum)
    for side in range(2):
        below = SUPPORT[s.vacuum, side]
        movable = below >= 0 and not is_empty(s, below)
        note(notes, PYRAMID + below if movable else -1)


@kernel
def seen_by(s: State, place: int, card: int) -> int:
    """Of the pile all see the top card, and nobody the rest; at the end all see the families."""
    if place == DECK:
        return BY_ALL if card == top(s, DECK) else BY_NOBODY
    if place < INFLUENCE:
        return BY_ALL if s.to_act < 0 else BY_OWNER
    return BY_OWNER if place < PYRAMID else BY_ALL


# -- whether a position can be --------------------------------------------------------------------


@kernel
def check(s: State) -> None:
    """Whether play can go on from here by the rules.

    Not asked: whether the numbers of spent and betrayed cards fit each other, or in which order
    chiefs and members lie in the pile. Puzzles and tests are free in that.
    """
    for seat in range(s.seats):
        check_hands(s, seat)
    if not possible(s):
        tell(s, FAMILY8, ILLEGAL)
    check_chiefs(s)
    check_pyramid(s)
    check_pile(s)
    check_course(s)


@kernel
def check_hands(s: State, seat: int) -> None:
    """kilt.family, kilt.influence"""
    family = count(s, FAMILY + seat)
    if family != FAMILY_CARDS:
        tell(s, WRONG_COUNT, ILLEGAL, FAMILY + seat, family, FAMILY_CARDS)
    elif popcount(clans_of(s, seat)) < FAMILY_CARDS:
        tell(s, SAME_CLAN, ILLEGAL, seat)
    held = count(s, INFLUENCE + seat)
    most = INFLUENCE_CARDS[s.seats]
    if held > most:
        tell(s, TOO_MANY, ILLEGAL, INFLUENCE + seat, held, most)


@kernel
def check_chiefs(s: State) -> None:
    """Only members are dealt, spent, and shuffled into a new pile (kilt.family, kilt.influence)."""
    for place in range(DISCARD + 1):
        dealt_or_spent = FAMILY <= place < PYRAMID or place == DISCARD
        if dealt_or_spent or (place == DECK and s.recycled[0] != EMPTY):
            chiefs = s.place[place, 0] & CHIEFS[s.edition]
            if chiefs != EMPTY:
                tell(s, CHIEF_THERE, ILLEGAL, place, lowest(chiefs))


@kernel
def check_pyramid(s: State) -> None:
    """Every card rests on two others; only the cell to be filled is empty meanwhile."""
    if s.vacuum != NO_CELL and not is_empty(s, int(s.vacuum)):
        tell(s, VACUUM_FULL, ILLEGAL, s.vacuum)
    for cell in range(CELLS):
        if cell < BASE:
            if is_empty(s, cell):
                tell(s, EMPTY_BASE, ILLEGAL, cell)
        elif not is_empty(s, cell) or cell == s.vacuum:
            for side in range(2):
                below = SUPPORT[cell, side]
                if is_empty(s, below) and below != s.vacuum:
                    tell(s, UNSUPPORTED, ILLEGAL, cell, below)


@kernel
def check_pile(s: State) -> None:
    """kilt.pile_empty: there must be cards for all cells still empty (treason brings its own)."""
    left = count(s, DECK) + count(s, DISCARD)
    empty = CELLS - popcount(occupied(s))
    if left < empty:
        tell(s, PILE_SHORT, ILLEGAL, left, empty)


@kernel
def check_course(s: State) -> None:
    """Whose choice it is must fit the vacuum, the reveals owed and who has passed."""
    passed = 0
    owed = 0
    for seat in range(s.seats):
        passed += s.passed[seat]
        owed += s.owed[seat]
    if passed > 0 and not reached(s, KING_ROW):
        tell(s, PASSED_EARLY, ILLEGAL)
    if (s.to_act < 0) != (passed == s.seats):
        tell(s, NOT_OVER, ILLEGAL)
    between = s.to_act < 0 or s.decision == TURN
    if between and s.vacuum != NO_CELL:
        tell(s, VACUUM_NONE, ILLEGAL)
    if not between and s.vacuum == NO_CELL:
        tell(s, VACUUM_MISSING, ILLEGAL)
        return
    if s.to_act < 0:
        return
    if s.passed[s.active] != 0:
        tell(s, ACTIVE_PASSED, ILLEGAL, s.active)
    if s.decision == REVEALING:
        check_reveal(s)
    elif s.to_act != s.active:
        tell(s, NOT_ACTIVE, ILLEGAL, s.to_act, s.active)
    elif owed > 0:
        tell(s, OWED_NOW, ILLEGAL)


@kernel
def check_reveal(s: State) -> None:
    """kilt.nobles, kilt.guardians: after the first climb into row 4 or 5, clockwise."""
    row = ROW_OF[s.vacuum] + 1
    if row not in (NOBLES_ROW, GUARDIANS_ROW) or not left_by_first_climb(s, row):
        tell(s, NO_REWARD, ILLEGAL, s.vacuum)
        return
    most = 2 if s.seats == 2 and row == GUARDIANS_ROW else 1
    keeps = 1 if most == 2 else 0
    for seat in range(s.seats):
        hidden = popcount(hidden_family(s, seat))
        allowed = 0 if seat == s.active else max(0, min(most, hidden - keeps))
        if s.owed[seat] > allowed:
            tell(s, OWED_MANY, ILLEGAL, seat, s.owed[seat])
    for i in range(1, s.seats):
        seat = (s.active + i) % s.seats
        if s.owed[seat] > 0:
            if seat != s.to_act:
                tell(s, OWED_TURN, ILLEGAL, s.to_act)
            return
    tell(s, OWED_TURN, ILLEGAL, s.to_act)


@kernel
def left_by_first_climb(s: State, row: int) -> bool:
    """Whether the only card of a row stands right above the vacuum."""
    climbed = occupied(s) & ROW_SET[row]
    if popcount(climbed) != 1:
        return False
    below = (climbed >> UP_RIGHT) | (climbed >> UP_LEFT)  # the two cells it rests on
    return below & CELL_BIT[s.vacuum] != EMPTY
