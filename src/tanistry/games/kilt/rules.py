"""The rules of King's Kilt. Source: the French rulebook (Gryphon Games); ids as in the rules pages.

Sets of cards are single words: 63 or 64 cards. Sets of cells are words as well (`CELL_BIT`), and
`s.cells` holds the cells of each clan. At the end of every turn each card above the bottom row
rests on two others: a climb needs its neighbour (kilt.support) and every vacuum is filled. So there
are always two cards to fill a vacuum from, a King means a full pyramid, and before the crowning
somebody can always climb.
"""

from __future__ import annotations

import numpy as np

from tanistry.games.kilt.cards import (
    BASE,
    BETRAY,
    BETRAY_RULE,
    BETRAYED,
    CELL_BIT,
    CELLS,
    CHIEFS,
    CLAN_COUNT,
    CLAN_OF,
    CLIMB_RULE,
    CROWNED,
    DECK,
    DISCARD,
    END_RULE,
    FAMILY,
    FAMILY_CARDS,
    FILL,
    FILLING,
    GUARDIANS_ROW,
    GUARDIANS_RULE,
    INFLUENCE,
    INFLUENCE_CARDS,
    KING_ROW,
    KING_RULE,
    KINGS_REACH_RULE,
    MEMBERS,
    MOST_CLANS,
    NOBLES_ROW,
    NOBLES_RULE,
    OF_CLAN,
    PASS,
    PASS_RULE,
    PASSED,
    PILE_EMPTY_RULE,
    PILE_RULE,
    POINTS,
    PYRAMID,
    PYRAMID_SET,
    REBUILT,
    REMOVED,
    REVEAL,
    REVEAL_RULE,
    REVEALED,
    REVEALING,
    REWARD,
    ROW_OF,
    ROW_POINTS,
    ROW_SET,
    ROW_SHIFT,
    ROWS,
    SCORE_RULE,
    SEATS,
    SHARED,
    SUPPORT,
    TARGETS,
    THRONE,
    TURN,
    TURNED,
    VACUUM_RULE,
    WINNER_RULE,
    State,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, ONE, Word, bit, lowest, nth, popcount
from tanistry.table.cards import (
    NOBODY,
    NOWHERE,
    count,
    move,
    pop,
    put,
    show,
    show_all,
    stack,
    tell,
    tell_move,
    top,
)
from tanistry.table.choices import allow, allow_set, forbid_all
from tanistry.table.record import Words
from tanistry.table.stream import shuffle_slots

NO_CELL = -1
PUBLIC = SEATS
"""The row of `known` that holds what everybody knows."""
EIGHT_CLANS = 1

# In a set of cells: one to the side, up to the right (R+1).C, up to the left (R+1).(C−1).
ASIDE, UP_RIGHT, UP_LEFT = np.uint64(1), np.uint64(8), np.uint64(7)


# -- the deal -------------------------------------------------------------------------------------


@kernel
def deal(s: State) -> None:
    s.vacuum = NO_CELL
    s.active = s.first
    if s.edition == EIGHT_CLANS:
        deal_families_8(s)
    else:
        deal_families(s)
    deal_influence(s)
    chiefs_on_top(s)
    lay_base(s)
    begin_turn(s, int(s.first))


@kernel
def deal_families(s: State) -> None:
    """kilt.family: three members of different clans to each seat in turn."""
    s.place[DECK, 0] = MEMBERS[s.edition]
    stack(s, DECK)
    for turn in range(s.seats):
        for _ in range(FAMILY_CARDS):
            deal_relative(s, seat_after(s, turn))


@kernel
def deal_families_8(s: State) -> None:
    """kilt.family8: two of one member of each clan, then a third from all that are left."""
    members = MEMBERS[s.edition]
    for clan in range(CLAN_COUNT[s.edition]):
        put(s, DECK, lowest(OF_CLAN[s.edition, clan] & members))
    s.place[DISCARD, 0] = members & ~s.place[DECK, 0]
    stack(s, DECK)
    for turn in range(s.seats):
        for _ in range(FAMILY_CARDS - 1):
            deal_relative(s, seat_after(s, turn))
    put_back(s)
    for turn in range(s.seats):
        deal_relative(s, seat_after(s, turn))


@kernel
def seat_after(s: State, turns: int) -> int:
    """The seat whose turn it is, some turns after the first."""
    return (int(s.first) + turns) % int(s.seats)


@kernel
def deal_relative(s: State, seat: int) -> None:
    """One family card: a second one of a clan is laid aside and replaced (kilt.family).

    What is laid aside lies in the place of the discard until it is put back; no one is told of it.
    """
    card = next_member(s)
    while s.place[FAMILY + seat, 0] & OF_CLAN[s.edition, CLAN_OF[s.edition, card]] != EMPTY:
        put(s, DISCARD, card)
        card = next_member(s)
    show(s, card, seat)
    put(s, FAMILY + seat, card)


@kernel
def next_member(s: State) -> int:
    """The next card of the deal; if all were laid aside, they go back first."""
    if s.place[DECK, 0] == EMPTY:
        put_back(s)
    return pop(s, DECK)


@kernel
def put_back(s: State) -> None:
    """Duplicates go back and the members are shuffled again (kilt.influence)."""
    s.place[DECK, 0] |= s.place[DISCARD, 0]
    s.place[DISCARD, 0] = EMPTY
    stack(s, DECK)


@kernel
def deal_influence(s: State) -> None:
    """kilt.influence"""
    put_back(s)
    for seat in range(s.seats):
        for _ in range(INFLUENCE_CARDS[s.seats]):
            card = pop(s, DECK)
            show(s, card, seat)
            put(s, INFLUENCE + seat, card)


@kernel
def chiefs_on_top(s: State) -> None:
    """kilt.pile: the chiefs, shuffled, on top of the members that are left."""
    members = count(s, DECK)
    chiefs = 0
    rest = CHIEFS[s.edition]
    while rest != EMPTY:
        card = lowest(rest)
        rest &= ~bit(card)
        s.slots[DECK, members + chiefs] = card
        put(s, DECK, card)
        chiefs += 1
    shuffle_slots(s, DECK, chiefs, members)


@kernel
def lay_base(s: State) -> None:
    """kilt.base: six cards are the bottom row; the next one lies on top for all to see."""
    for cell in range(BASE):
        card = pop(s, DECK)
        show_all(s, card)
        enter(s, card, cell)
    show_all(s, top(s, DECK))


# -- the pyramid ----------------------------------------------------------------------------------


@kernel
def card_in(s: State, cell: int) -> int:
    return lowest(s.place[PYRAMID + cell, 0])


@kernel
def occupied(s: State) -> Word:
    """The cells with a card in them."""
    cells = EMPTY
    for clan in range(MOST_CLANS):
        cells |= s.cells[clan]
    return cells


@kernel
def enter(s: State, card: int, cell: int) -> None:
    put(s, PYRAMID + cell, card)
    s.cells[CLAN_OF[s.edition, card]] |= CELL_BIT[cell]


@kernel
def rise(s: State, source: int, target: int, rule: int) -> None:
    """A card of the pyramid moves up one row, and leaves a vacuum (kilt.vacuum)."""
    card = card_in(s, source)
    s.cells[CLAN_OF[s.edition, card]] ^= CELL_BIT[source] | CELL_BIT[target]
    move(s, card, PYRAMID + source, PYRAMID + target, rule)
    s.vacuum = source
    if ROW_OF[target] == KING_ROW:  # kilt.king
        tell(s, CROWNED, KING_RULE, card)


@kernel
def neighbours(cells: Word) -> Word:
    """The cells next to any of these: left, right, and on the four diagonals (kilt.betray)."""
    around = (cells << ASIDE) | (cells >> ASIDE)
    around |= (cells << UP_RIGHT) | (cells << UP_LEFT)
    around |= (cells >> UP_RIGHT) | (cells >> UP_LEFT)
    return around & PYRAMID_SET


@kernel
def reachable(cells: Word) -> Word:
    """The empty cells with a card on both sides below: kilt.climb and kilt.support.

    The left one climbs towards the right one, and the other way round.
    """
    pairs = cells & (cells >> ASIDE)
    return (pairs << UP_RIGHT) & ~cells & PYRAMID_SET


@kernel
def crowned(s: State) -> bool:
    """Whether there is a King. There always will be: a King who falls is replaced (kilt.king)."""
    return s.place[PYRAMID + CELLS - 1, 0] != EMPTY


@kernel
def victims(s: State, clan: int, cells: Word) -> Word:
    """The cells, of those with a card, that an influence card of a clan can strike."""
    if s.cells[clan] & ROW_SET[KING_ROW] != EMPTY:
        return cells  # kilt.kings_reach
    return neighbours(s.cells[clan]) & cells  # kilt.betray


@kernel
def numbered(cells: Word) -> Word:
    """A set of cells with cell number n as bit n."""
    numbers = EMPTY
    for row in range(1, ROWS + 1):
        numbers |= (cells & ROW_SET[row]) >> ROW_SHIFT[row]
    return numbers


# -- choices --------------------------------------------------------------------------------------


@kernel
def legal(s: State, moves: Words) -> None:
    forbid_all(moves)
    if s.to_act == NOBODY:
        return
    if s.decision == TURN:
        legal_turn(s, moves)
    elif s.decision == FILLING:
        moves[0] = bit(FILL) | bit(FILL + 1)
    else:
        legal_reveal(s, moves)


@kernel
def legal_turn(s: State, moves: Words) -> None:
    """kilt.turn: climb or betray; with a King, betray or pass."""
    cells = occupied(s)
    if crowned(s):
        allow(moves, PASS[s.edition])
    else:
        targets = numbered(reachable(cells)) >> np.uint64(BASE)
        moves[0] = targets | (targets << np.uint64(TARGETS))
    held = s.place[INFLUENCE + s.to_act, 0]
    while held != EMPTY:
        clan = CLAN_OF[s.edition, lowest(held)]
        held &= ~OF_CLAN[s.edition, clan]
        allow_set(moves, BETRAY + CELLS * clan, numbered(victims(s, clan, cells)))


@kernel
def legal_reveal(s: State, moves: Words) -> None:
    """kilt.reveal: the owner chooses among its hidden family cards."""
    rest = hidden_family(s, int(s.to_act))
    while rest != EMPTY:
        allow(moves, REVEAL[s.edition] + CLAN_OF[s.edition, lowest(rest)])
        rest &= rest - ONE


@kernel
def play(s: State, action: int) -> None:
    if action < FILL:
        climb(s, BASE + action % TARGETS, action // TARGETS)
    elif action < BETRAY:
        rise(s, SUPPORT[s.vacuum, action - FILL], int(s.vacuum), VACUUM_RULE)
    elif action < PASS[s.edition]:
        betray(s, (action - BETRAY) // CELLS, (action - BETRAY) % CELLS)
    elif action == PASS[s.edition]:
        drop_out(s)
    else:
        reveal(s, action - REVEAL[s.edition])
    go_on(s)


# -- climbing and its rewards ---------------------------------------------------------------------


@kernel
def climb(s: State, target: int, side: int) -> None:
    """kilt.climb; the first card to reach the row of the nobles or the guardians is rewarded."""
    row = ROW_OF[target]
    # Only a climb can be the first: whatever fills a vacuum replaces a card.
    first = occupied(s) & ROW_SET[row] == EMPTY
    rise(s, SUPPORT[target, side], target, CLIMB_RULE)
    if first and row == NOBLES_ROW:
        reward(s, NOBLES_RULE)
    elif first and row == GUARDIANS_ROW:
        reward(s, GUARDIANS_RULE)


@kernel
def hidden_family(s: State, seat: int) -> Word:
    return s.place[FAMILY + seat, 0] & ~s.known[PUBLIC, 0]


@kernel
def reward(s: State, rule: int) -> None:
    """kilt.nobles, kilt.guardians: every opponent reveals a family card.

    With two seats the guardians make it reveal all but one.
    """
    tell(s, REWARD, rule, int(s.active))
    for seat in range(s.seats):
        if seat != s.active:
            hidden = popcount(hidden_family(s, seat))
            if rule == GUARDIANS_RULE and s.seats == 2:
                s.owed[seat] = max(hidden - 1, 0)
            else:
                s.owed[seat] = min(hidden, 1)


@kernel
def reveal(s: State, clan: int) -> None:
    """kilt.reveal"""
    seat = int(s.to_act)
    card = lowest(s.place[FAMILY + seat, 0] & OF_CLAN[s.edition, clan])
    show_all(s, card)
    s.known[PUBLIC, 0] |= bit(card)  # not for onlookers alone: `hidden_family` asks
    tell(s, REVEALED, REVEAL_RULE, seat, card)
    s.owed[seat] -= 1


# -- treason --------------------------------------------------------------------------------------


@kernel
def betray(s: State, clan: int, cell: int) -> None:
    """kilt.betray: spend an influence card; the victim leaves the game and its cell is a vacuum."""
    seat = int(s.to_act)
    near = neighbours(s.cells[clan]) & CELL_BIT[cell] != EMPTY
    rule = BETRAY_RULE if near else KINGS_REACH_RULE
    spent = influence_card(s, seat, clan)
    victim = card_in(s, cell)
    show_all(s, spent)
    tell(s, BETRAYED, rule, seat, spent, victim, PYRAMID + cell)
    move(s, spent, INFLUENCE + seat, DISCARD, rule)
    s.cells[CLAN_OF[s.edition, victim]] &= ~CELL_BIT[cell]
    move(s, victim, PYRAMID + cell, REMOVED, rule)
    s.vacuum = cell


@kernel
def influence_card(s: State, seat: int, clan: int) -> int:
    """The card spent: of twins, one that others know of goes first (common.twins)."""
    twins = s.place[INFLUENCE + seat, 0] & OF_CLAN[s.edition, clan]
    if twins & s.known[PUBLIC, 0] != EMPTY:
        return lowest(twins & s.known[PUBLIC, 0])
    for other in range(s.seats):
        if other != seat and twins & s.known[other, 0] != EMPTY:
            return lowest(twins & s.known[other, 0])
    return lowest(twins)


# -- the course of a turn -------------------------------------------------------------------------


@kernel
def begin_turn(s: State, seat: int) -> None:
    s.active = seat
    s.to_act = seat
    s.decision = TURN


@kernel
def is_owed(s: State) -> bool:
    """Whether somebody must still reveal: asked at every choice, and hardly ever so."""
    owed = 0
    for seat in range(SEATS):
        owed |= s.owed[seat]
    return owed != 0


@kernel
def begin_reveal(s: State) -> None:
    """kilt.nobles: clockwise, the next seat that must."""
    seat = int(s.active)
    while s.owed[seat] == 0:
        seat = seat + 1 if seat + 1 < s.seats else 0
    s.to_act = seat
    s.decision = REVEALING


@kernel
def go_on(s: State) -> None:
    """To the next choice: reveals first (kilt.nobles), then the vacuum, then a turn."""
    if is_owed(s):
        begin_reveal(s)
        return
    if s.vacuum >= BASE:
        s.to_act = s.active
        s.decision = FILLING
        return
    if s.vacuum != NO_CELL:
        fill_from_pile(s)
    end_turn(s)


@kernel
def fill_from_pile(s: State) -> None:
    """kilt.vacuum: a cell of the bottom row gets the top card of the pile."""
    if s.place[DECK, 0] == EMPTY:
        rebuild_pile(s)
    cell = int(s.vacuum)
    s.vacuum = NO_CELL
    card = pop(s, DECK)
    show_all(s, card)
    enter(s, card, cell)
    tell_move(s, card, DECK, PYRAMID + cell, NOWHERE, VACUUM_RULE)
    uncovered = top(s, DECK)
    if uncovered >= 0:  # the pile lies face up (kilt.pile)
        show_all(s, uncovered)
        tell(s, TURNED, PILE_RULE, uncovered)


@kernel
def rebuild_pile(s: State) -> None:
    """kilt.pile_empty: the spent influence cards become the pile. Betrayed cards do not."""
    s.recycled[0] = s.place[DISCARD, 0]
    s.place[DECK, 0] = s.recycled[0]
    s.place[DISCARD, 0] = EMPTY
    for row in range(s.known.shape[0]):
        s.known[row, 0] &= ~s.recycled[0]
    stack(s, DECK)
    tell(s, REBUILT, PILE_EMPTY_RULE, count(s, DECK))


@kernel
def end_turn(s: State) -> None:
    """kilt.turn: clockwise, to the next seat that has not passed; if all have, the match ends."""
    seat = int(s.active)
    for _ in range(s.seats):
        seat = seat + 1 if seat + 1 < s.seats else 0
        if s.passed[seat] == 0:
            break
    if s.passed[seat] == 0:
        begin_turn(s, seat)
    else:
        end(s)


@kernel
def drop_out(s: State) -> None:
    """kilt.pass: out for the rest of the game."""
    tell(s, PASSED, PASS_RULE, int(s.active))
    s.passed[s.active] = 1


# -- the end --------------------------------------------------------------------------------------


@kernel
def worth(s: State, clan: int) -> int:
    """kilt.score: what a family card of a clan counts for."""
    points = 0
    for row in range(NOBLES_ROW, KING_ROW + 1):
        points += ROW_POINTS[row] * relatives(s, clan, row)
    return points


@kernel
def relatives(s: State, clan: int, row: int) -> int:
    return popcount(s.cells[clan] & ROW_SET[row])


@kernel
def score(s: State, seat: int) -> int:
    """kilt.score"""
    points = 0
    family = s.place[FAMILY + seat, 0]
    while family != EMPTY:
        card = lowest(family)
        family &= ~bit(card)
        points += worth(s, CLAN_OF[s.edition, card])
    return points


@kernel
def standing(s: State, seat: int) -> int:
    """kilt.winner: more points, then more influence cards left."""
    return 8 * score(s, seat) + count(s, INFLUENCE + seat)


@kernel
def end(s: State) -> None:
    """kilt.end: families are revealed."""
    s.to_act = NOBODY
    for seat in range(s.seats):
        rest = hidden_family(s, seat)
        while rest != EMPTY:
            card = lowest(rest)
            rest &= ~bit(card)
            show_all(s, card)
            tell(s, REVEALED, END_RULE, seat, card)
    if s.telling != 0:
        tell_result(s)


@kernel
def tell_result(s: State) -> None:
    best = 0
    sharing = 0
    for seat in range(s.seats):
        tell(s, POINTS, SCORE_RULE, seat, score(s, seat), count(s, INFLUENCE + seat))
        value = standing(s, seat)
        if value > best or seat == 0:
            best = value
            sharing = 1
        elif value == best:
            sharing += 1
    for seat in range(s.seats):
        if standing(s, seat) == best:
            tell(s, THRONE if sharing == 1 else SHARED, WINNER_RULE, seat)


# -- what is known of hidden cards ----------------------------------------------------------------


@kernel
def of_kind(s: State, kind: int, word: int) -> Word:
    """Everybody can tell a chief of the pile by its place, and what a rebuilt pile was made of.

    So such cards never trade places with the members hidden in the first pile and in hands.
    """
    if kind == 0:
        return MEMBERS[s.edition] & ~s.recycled[0]
    if kind == 1:
        return CHIEFS[s.edition] & ~s.recycled[0]
    return s.recycled[0]


@kernel
def clans_of(s: State, seat: int) -> Word:
    """The clans of a family as a set of clan numbers."""
    clans = EMPTY
    family = s.place[FAMILY + seat, 0]
    while family != EMPTY:
        card = lowest(family)
        family &= ~bit(card)
        clans |= bit(CLAN_OF[s.edition, card])
    return clans


@kernel
def possible(s: State) -> bool:
    """A family has three different clans (kilt.family), and all could be dealt (kilt.family8)."""
    for seat in range(s.seats):
        if popcount(clans_of(s, seat)) < FAMILY_CARDS:
            return False
    return s.edition != EIGHT_CLANS or pairs_differ(s)


@kernel
def pairs_differ(s: State) -> bool:
    """kilt.family8: two cards of each family were dealt from one member of each clan.

    So in some way to name one card of each family as its third, no other clan comes up twice. The
    ways are numbered: the digits to the base of three are the thirds, a digit for each seat.
    """
    clans = EMPTY
    ways = 1
    for seat in range(s.seats):
        clans |= clans_of(s, seat)
        ways *= FAMILY_CARDS
    if popcount(clans) < 2 * s.seats:
        return False  # the most common case, seen at once
    for way in range(ways):
        dealt = EMPTY
        thirds = way
        differ = True
        for seat in range(s.seats):
            pair = clans_of(s, seat)
            pair &= ~bit(nth(pair, thirds % FAMILY_CARDS))
            thirds //= FAMILY_CARDS
            differ = differ and dealt & pair == EMPTY
            dealt |= pair
        if differ:
            return True
    return False
