"""Whether a position could come up in a match: the numbers of cards, who did what, whose choice.

Hands may be smaller than the rules would leave them, so that a puzzle needs no more cards in hand
than it is about.
"""

from __future__ import annotations

from tanistry.games.schotten.cards import (
    BASIC,
    BEFORE,
    BOTH_WON,
    CHIEF_MISSING,
    CHIEFS,
    CHIEFS_COUNT,
    CLAIM,
    CLAIMED_INCOMPLETE,
    CLAIMED_LOST,
    CLAIMED_NOW,
    CLAIMED_TWICE,
    CLAN,
    DECK,
    DISCARD,
    DRAW,
    DRAWS,
    DRAWS_MANY,
    DRAWS_RETURNS,
    ENV,
    ENVIRONMENT,
    HAND,
    HAND_TACTICS,
    IS_OVER,
    MORALE,
    NO_CARD,
    NO_CLAIM,
    NO_DRAW,
    NO_RUSE,
    NO_SCOUT,
    NOT_OVER,
    NOT_PENDING,
    NOT_TAKEN,
    ONE_PILE,
    PASSED_NOW,
    PLAYED,
    PUT,
    REDEPLOY,
    RETURNED,
    RETURNED_CHIEF,
    RETURNS_MANY,
    RUSE_TAKEN,
    RUSE_TARGET,
    RUSES,
    SCOUT,
    SCOUT_CHIEF,
    SCOUT_DRAW,
    SCOUT_RETURN,
    SCOUT_RETURNS,
    SCOUTED,
    SIDE,
    SIDE_FULL,
    STONES,
    STRAY,
    TACTIC,
    TACTICS,
    TACTICS_COUNT,
    TACTICS_SEAT,
    TAKE,
    TOO_MANY,
    TRAITOR,
    TWO_CHIEFS,
    State,
)
from tanistry.games.schotten.proof import NOTHING, strength_of
from tanistry.games.schotten.rules import hand_of, hand_size, has_target, possible, targets
from tanistry.games.schotten.stones import (
    answer,
    foggy,
    has_won,
    needed,
    room,
    side_of,
    unclaimed,
    unseen_clans,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, Word, bit, lowest, popcount
from tanistry.table.cards import ILLEGAL, count, is_empty, tell

PUBLIC = 2


@kernel
def check(s: State) -> None:
    fits = places_fit(s) and returned_fit(s) and tactics_fit(s) and claims_fit(s) and end_fits(s)
    if fits and s.to_act >= 0:
        check_turn(s, int(s.to_act), int(s.decision))


@kernel
def wrong(s: State, problem: int, a: int, b: int, c: int, d: int) -> bool:
    """Tell a problem; always false."""
    tell(s, problem, ILLEGAL, a, b, c, d)
    return False


# -- where cards lie ------------------------------------------------------------------------------


@kernel
def allowed_in(place: int) -> Word:
    """The cards that can lie in a place, by their kind."""
    if place == DECK:
        return CLAN
    if place == TACTICS:
        return TACTIC
    if place < ENV or place == DISCARD:
        return CLAN | MORALE
    if place < HAND:
        return ENVIRONMENT
    return RUSES if place >= PLAYED else ~EMPTY


@kernel
def places_fit(s: State) -> bool:
    """Each card lies where cards of its kind can, and no side has more than its stone needs."""
    for place in range(DISCARD + 1):
        stray = s.place[place, 0] & ~allowed_in(place)
        if stray != EMPTY:
            return wrong(s, STRAY, lowest(stray), place, 0, 0)
    for stone in range(STONES):
        for seat in range(2):
            laid = count(s, SIDE + 2 * stone + seat)
            if laid > needed(s, stone):
                return wrong(s, SIDE_FULL, stone + 1, seat, laid, needed(s, stone))
    for seat in range(2):
        most = hand_size(s)
        if seat == s.to_act and (s.decision == SCOUT_DRAW or s.decision == SCOUT_RETURN):
            most += s.returns - s.draws
        if count(s, HAND + seat) > most:
            return wrong(s, TOO_MANY, HAND + seat, count(s, HAND + seat), most, 0)
    return True


@kernel
def has_scout(s: State, seat: int) -> bool:
    return s.place[PLAYED + seat, 0] & bit(SCOUT) != EMPTY


@kernel
def returned_fit(s: State) -> bool:
    """Of piles and of other hands, only what a scout returned is known."""
    for row in range(PUBLIC + 1):
        hidden = s.place[DECK, 0] | s.place[TACTICS, 0]
        for seat in range(2):
            if seat != row:
                hidden |= hand_of(s, seat)
        cards = popcount(hidden & s.known[row, 0])
        most = 0
        if row < PUBLIC and has_scout(s, row):
            most = SCOUT_RETURNS - s.returns
        if cards > most:
            return wrong(s, RETURNED, cards, 0, 0, 0)
    return True


# -- what was played ------------------------------------------------------------------------------


@kernel
def tactics_fit(s: State) -> bool:
    """The tactic cards that have been played, by whom, and the chiefs among them."""
    out = EMPTY
    if s.tactics != 0:
        out = TACTIC & ~(s.place[TACTICS, 0] | hand_of(s, 0) | hand_of(s, 1))
    for seat in range(2):
        laid = EMPTY
        for stone in range(STONES):
            laid |= side_of(s, stone, seat)
        if s.tactics_played[seat] < popcount(laid & MORALE) + count(s, PLAYED + seat):
            return wrong(s, TACTICS_SEAT, seat, s.tactics_played[seat], 0, 0)
        if popcount(laid & CHIEFS) > 1:
            return wrong(s, TWO_CHIEFS, seat, 0, 0, 0)
        if laid & CHIEFS != EMPTY and s.chief_played[seat] == 0:
            return wrong(s, CHIEF_MISSING, seat, 0, 0, 0)
    first = int(s.tactics_played[0])
    second = int(s.tactics_played[1])
    if first + second != popcount(out) or abs(first - second) > 1:
        return wrong(s, TACTICS_COUNT, first, second, popcount(out), 0)
    chiefs = popcount(out & CHIEFS)
    if chiefs != s.chief_played[0] + s.chief_played[1]:
        return wrong(s, CHIEFS_COUNT, chiefs, 0, 0, 0)
    return scout_fits(s)


@kernel
def scout_fits(s: State) -> bool:
    if s.scout_after_chief != 0 or s.scouted != 0 or s.redrawn != 0:
        if not has_scout(s, 0) and not has_scout(s, 1):
            return wrong(s, NO_SCOUT, 0, 0, 0, 0)
        scout = 0 if has_scout(s, 0) else 1
        if s.scout_after_chief != 0 and s.chief_played[scout] == 0:
            return wrong(s, SCOUT_CHIEF, scout, 0, 0, 0)
    if not possible(s):
        return wrong(s, RETURNED_CHIEF, 0, 0, 0, 0)
    return True


# -- claims and the end ---------------------------------------------------------------------------


@kernel
def claims_fit(s: State) -> bool:
    """A claimed stone was won by its side, or proven: cards seen since only make a proof easier."""
    if int(s.claimed[0]) & int(s.claimed[1]) != 0:
        return wrong(s, CLAIMED_TWICE, 0, 0, 0, 0)
    for stone in range(STONES):
        for seat in range(2):
            if int(s.claimed[seat]) >> stone & 1 == 0:
                continue
            if int(s.complete[seat]) >> stone & 1 == 0:
                return wrong(s, CLAIMED_INCOMPLETE, stone + 1, seat, 0, 0)
            if loses(s, stone, seat):
                return wrong(s, CLAIMED_LOST, stone + 1, seat, 0, 0)
    return True


@kernel
def loses(s: State, stone: int, seat: int) -> bool:
    """Whether a complete side does not win its stone for sure."""
    most = needed(s, stone)
    fog = foggy(s, stone)
    if int(s.complete[1 - seat]) >> stone & 1 != 0:
        mine = strength_of(side_of(s, stone, seat), most, fog)
        return mine < strength_of(side_of(s, stone, 1 - seat), most, fog)
    kept = s.strength[stone, seat]  # what `answer` notes for the next time is none of our business
    theirs, _ = answer(s, stone, seat, unseen_clans(s))
    s.strength[stone, seat] = kept
    return theirs != NOTHING


@kernel
def end_fits(s: State) -> bool:
    """Over if somebody has won or both seats are stuck, and not before."""
    if has_won(s, 0) and has_won(s, 1):
        return wrong(s, BOTH_WON, 0, 0, 0, 0)
    over = has_won(s, 0) or has_won(s, 1) or s.idle == 2
    if over != (s.to_act < 0):
        return wrong(s, IS_OVER if over else NOT_OVER, 0, 0, 0, 0)
    return True


# -- whose choice ---------------------------------------------------------------------------------


@kernel
def check_turn(s: State, seat: int, decision: int) -> None:
    drawing = decision in (DRAW, SCOUT_DRAW)
    scouting = decision in (SCOUT_DRAW, SCOUT_RETURN)
    ruse = decision in (TAKE, PUT)
    left = count(s, DECK) + count(s, TACTICS)
    if (drawing or scouting or ruse) and s.tactics == 0:
        tell(s, BASIC, ILLEGAL, decision)
    check_this_turn(s, seat, decision)
    if decision == CLAIM and s.claimable == 0:
        tell(s, NO_CLAIM, ILLEGAL, seat)
    if decision == DRAW and count(s, HAND + seat) >= HAND_TACTICS:
        tell(s, NO_DRAW, ILLEGAL, seat)
    if drawing and (is_empty(s, DECK) or is_empty(s, TACTICS)):
        tell(s, ONE_PILE, ILLEGAL, decision)
    if scouting:
        check_scout(s, seat, decision, left)
    elif s.draws != 0 or s.returns != 0:
        tell(s, NOT_PENDING, ILLEGAL, DRAWS_RETURNS, decision)
    if ruse:
        check_ruse(s, seat, decision)
    elif s.ruse != NO_CARD or s.taken != NO_CARD:
        tell(s, NOT_PENDING, ILLEGAL, RUSE_TAKEN, decision)


@kernel
def check_this_turn(s: State, seat: int, decision: int) -> None:
    """What the seat has done in this turn must come before the choice it has now."""
    before = s.claim == BEFORE
    could_play = hand_of(s, seat) & CLAN != EMPTY and room(s, seat) != 0
    if s.passed != 0 and (decision != CLAIM or before or could_play):
        tell(s, NOT_PENDING, ILLEGAL, PASSED_NOW, decision)
    if s.claimed_now != 0 and s.claimed[seat] == 0:
        tell(s, NOT_PENDING, ILLEGAL, CLAIMED_NOW, decision)
    if s.scouted != 0:
        scouting = decision in (SCOUT_DRAW, SCOUT_RETURN)
        after = decision == CLAIM and not before
        if s.passed != 0 or not (scouting or after):
            tell(s, NOT_PENDING, ILLEGAL, SCOUTED, decision)
    if s.claimed_now != 0 and not before and decision != CLAIM and decision != DRAW:
        tell(s, NOT_PENDING, ILLEGAL, CLAIMED_NOW, decision)


@kernel
def check_scout(s: State, seat: int, decision: int, left: int) -> None:
    if not has_scout(s, seat):
        tell(s, NO_SCOUT, ILLEGAL)
    if decision == SCOUT_DRAW:
        if s.draws <= 0 or s.draws > left:
            tell(s, DRAWS_MANY, ILLEGAL, s.draws, left)
        return
    if s.draws != 0:
        tell(s, NOT_PENDING, ILLEGAL, DRAWS, decision)
    if s.returns <= 0 or s.returns > count(s, HAND + seat) - 1:
        tell(s, RETURNS_MANY, ILLEGAL, s.returns)


@kernel
def check_ruse(s: State, seat: int, decision: int) -> None:
    if s.ruse == NO_CARD or s.place[PLAYED + seat, 0] & bit(s.ruse) == EMPTY:
        tell(s, NO_RUSE, ILLEGAL, seat, decision)
    elif decision == TAKE:
        if s.taken != NO_CARD or not has_target(s, seat, int(s.ruse)):
            tell(s, RUSE_TARGET, ILLEGAL, s.ruse)
    elif not could_be_taken(s, seat):
        tell(s, NOT_TAKEN, ILLEGAL, s.ruse)


@kernel
def could_be_taken(s: State, seat: int) -> bool:
    """Whether the ruse at hand could have taken the card that is to be put elsewhere."""
    if s.taken == NO_CARD or (s.ruse != REDEPLOY and s.ruse != TRAITOR):
        return False
    for stone in range(STONES):
        reachable = targets(s, seat, int(s.ruse), stone) if unclaimed(s) >> stone & 1 else EMPTY
        if reachable & bit(s.taken) != EMPTY:
            return True
    return False
