"""What the rules of Schotten Totten tell beside events: why not, facts, how the stones stand."""

from __future__ import annotations

from tanistry.games.schotten.cards import (
    ALREADY_CLAIMED,
    CANNOT_PLAY_RULE,
    CHIEFS,
    CLAIM,
    CLAIM_RULE,
    CLAIM_STONE,
    CLAIMED_RULE,
    CLAN,
    CLAN_ONLY,
    CLANS,
    COMPARE_RULE,
    DISCARD,
    ENV,
    FARLANE,
    FULL,
    HAND,
    INCOMPLETE,
    KEEP_CHIEF,
    LATER,
    LAY_TACTIC,
    LOSES,
    MORALE,
    MUD_RULE,
    MUST_PLAY,
    NO_CARD,
    NO_COLOUR,
    NO_DESTINATION,
    NO_DISCARD,
    NO_QUESTION,
    NO_TARGET,
    NOT_HELD,
    NOT_THERE,
    NOTHING_TO_DRAW,
    ONE_CHIEF,
    ONE_CHIEF_RULE,
    OWN_CARD,
    PARITY_RULE,
    PASS,
    PASS_RULE,
    PLAY,
    PLAY_RULE,
    PLAY_RUSE,
    PLAYED,
    PROOF_RULE,
    PUT,
    PUT_AT,
    PUT_AWAY,
    REDEPLOY,
    RETURN,
    RULE_OF_TACTIC,
    RUSE_TARGET_RULE,
    SAME_STONE,
    SCOUT,
    SCOUT_DRAW,
    SCOUT_DRAWS,
    SCOUT_RETURN,
    SCOUT_RETURNS,
    SCOUT_RULE,
    SHIELD,
    SIDE_CARDS_MUD,
    STONE_CLAIMED,
    STONES,
    SUPPORT,
    TACTIC,
    TACTIC_AHEAD,
    TAKE,
    TAKE_CARD,
    THEIR_CARD,
    UNPROVEN,
    VALUES,
    State,
)
from tanistry.games.schotten.consistency import check
from tanistry.games.schotten.proof import (
    COLOUR_OF,
    COLOUR_RUN,
    FORMATION,
    OF_VALUE,
    RUN,
    strength_of,
)
from tanistry.games.schotten.rules import hand_of, hand_size
from tanistry.games.schotten.stones import (
    WINNING_ROW,
    WINNING_STONES,
    answer,
    claimable_stones,
    foggy,
    needed,
    refresh,
    side_of,
    unclaimed,
    unseen_clans,
)
from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, Word, bit, lowest, popcount
from tanistry.table.cards import ILLEGAL, NOBODY, count, tell, tell_cards, tell_more
from tanistry.table.notes import Notes, note, take

__all__ = ["check", "facts", "refuse", "restore", "tally"]

BY_NOTHING, BY_ROW, BY_STONES = -1, 0, 1
"""What wins the match."""

# -- why not --------------------------------------------------------------------------------------


@kernel
def refuse(s: State, action: int) -> None:
    """Of several broken rules the most specific."""
    seat = int(s.to_act)
    if s.decision == PLAY:
        refuse_play(s, seat, action)
    elif s.decision == CLAIM:
        refuse_claim(s, seat, action - CLAIM_STONE)
    elif s.decision == SCOUT_RETURN:
        refuse_return(s, seat, action - RETURN)
    elif s.decision == TAKE:
        refuse_take(s, seat, (action - TAKE_CARD) // STONES, (action - TAKE_CARD) % STONES)
    else:
        refuse_put(s, seat, action)


@kernel
def closed(s: State, stone: int) -> bool:
    return unclaimed(s) >> stone & 1 == 0


@kernel
def refuse_play(s: State, seat: int, action: int) -> None:
    if action == PASS:
        tell(s, MUST_PLAY, PASS_RULE if s.tactics != 0 else CANNOT_PLAY_RULE)
    elif action >= PLAY_RUSE:
        refuse_card(s, seat, SCOUT + action - PLAY_RUSE, 0)
    elif action >= LAY_TACTIC:
        refuse_card(
            s, seat, FARLANE + (action - LAY_TACTIC) // STONES, (action - LAY_TACTIC) % STONES
        )
    else:
        refuse_card(s, seat, action // STONES, action % STONES)


@kernel
def refuse_card(s: State, seat: int, card: int, stone: int) -> None:
    if hand_of(s, seat) & bit(card) == EMPTY:
        tell(s, NOT_HELD, ILLEGAL, card)
    elif bit(card) & CHIEFS != EMPTY and s.chief_played[seat] != 0:
        tell(s, ONE_CHIEF, ONE_CHIEF_RULE, card)
    elif card >= CLANS and s.tactics_played[seat] > s.tactics_played[1 - seat]:
        tell(s, TACTIC_AHEAD, PARITY_RULE, card)
    elif card == SCOUT:
        tell(s, NOTHING_TO_DRAW, SCOUT_RULE, card)
    elif card > SCOUT:
        tell(s, NO_TARGET, RUSE_TARGET_RULE, card)
    elif closed(s, stone):
        tell(s, STONE_CLAIMED, CLAIMED_RULE, stone + 1)
    else:
        most = needed(s, stone)
        tell(s, FULL, MUD_RULE if most == SIDE_CARDS_MUD else PLAY_RULE, stone + 1, most)


@kernel
def refuse_return(s: State, seat: int, card: int) -> None:
    if hand_of(s, seat) & bit(card) == EMPTY:
        tell(s, NOT_HELD, ILLEGAL, card)
    else:
        tell(s, KEEP_CHIEF, ONE_CHIEF_RULE, card)


@kernel
def ruse_rule(s: State) -> int:
    return RULE_OF_TACTIC[s.ruse - FARLANE]


@kernel
def refuse_take(s: State, seat: int, card: int, stone: int) -> None:
    mine = side_of(s, stone, seat) & bit(card) != EMPTY
    theirs = side_of(s, stone, 1 - seat) & bit(card) != EMPTY
    if not mine and not theirs:
        tell(s, NOT_THERE, ILLEGAL, card, stone + 1)
    elif closed(s, stone):
        tell(s, STONE_CLAIMED, CLAIMED_RULE, stone + 1)
    elif mine != (s.ruse == REDEPLOY):
        tell(s, OWN_CARD if mine else THEIR_CARD, ruse_rule(s), card, s.ruse)
    elif card >= CLANS:
        tell(s, CLAN_ONLY, ruse_rule(s), card, s.ruse)
    else:
        tell(s, NO_DESTINATION, RUSE_TARGET_RULE, card)


@kernel
def refuse_put(s: State, seat: int, action: int) -> None:
    if action == PUT_AWAY:
        tell(s, NO_DISCARD, ruse_rule(s), s.ruse)
        return
    stone = action - PUT_AT
    if closed(s, stone):
        tell(s, STONE_CLAIMED, CLAIMED_RULE, stone + 1)
    elif (side_of(s, stone, 0) | side_of(s, stone, 1)) & bit(s.taken) != EMPTY:
        tell(s, SAME_STONE, ruse_rule(s), s.taken, stone + 1)
    else:
        tell(s, FULL, ruse_rule(s), stone + 1, needed(s, stone))


@kernel
def refuse_claim(s: State, seat: int, stone: int) -> None:
    """schotten.claim; the other side is shown as it is, or as it could still become."""
    if closed(s, stone):
        tell(s, ALREADY_CLAIMED, CLAIMED_RULE, stone + 1)
        return
    most = needed(s, stone)
    mine = side_of(s, stone, seat)
    theirs = side_of(s, stone, 1 - seat)
    if int(s.complete[seat]) >> stone & 1 == 0:
        laid = popcount(mine)
        muddy = most == SIDE_CARDS_MUD and laid == most - 1
        tell(s, INCOMPLETE, MUD_RULE if muddy else CLAIM_RULE, stone + 1, most, laid)
        return
    fog = foggy(s, stone)
    if int(s.complete[1 - seat]) >> stone & 1 != 0:
        strength = strength_of(theirs, most, fog)
        if strength == strength_of(mine, most, fog):
            tell(s, LATER, COMPARE_RULE, stone + 1)
        else:
            tell_side(s, LOSES, COMPARE_RULE, stone, theirs, EMPTY, strength)
        return
    _, still = answer(s, stone, seat, unseen_clans(s))
    strength = strength_of(theirs | still, most, fog)
    tell_side(s, UNPROVEN, PROOF_RULE, stone, theirs, still, strength)
    tell_cards(s, still)


@kernel
def tell_side(
    s: State, refusal: int, rule: int, stone: int, laid: Word, still: Word, strength: int
) -> None:
    """A complete side as a sentence needs it: the kind of formation, and its colour and values."""
    formation = strength // FORMATION
    total = strength % FORMATION
    most = needed(s, stone)
    clans = laid & CLAN if laid & CLAN != EMPTY else still
    colour = NO_COLOUR if clans == EMPTY else COLOUR_OF[lowest(clans)]
    tell(s, refusal + formation, rule, stone + 1, colour, total, total // most)
    tell_more(s, most)
    if formation in (RUN, COLOUR_RUN):
        first = (total - most * (most - 1) // 2) // most
        for value in range(first, first + most):
            tell_more(s, value)
        return
    for value in range(1, VALUES + 1):
        for _ in range(cards_of_value(laid | still, value)):
            tell_more(s, value)


@kernel
def cards_of_value(cards: Word, value: int) -> int:
    """How many cards there are of a value; a wild one counts as the highest it can be."""
    found = popcount(cards & OF_VALUE[value])
    if value == 9:
        found += popcount(cards & CHIEFS)
    elif value == 7:
        found += popcount(cards & bit(SUPPORT))
    elif value == 3:
        found += popcount(cards & bit(SHIELD))
    return found


# -- facts ----------------------------------------------------------------------------------------


@kernel
def note_stones(notes: Notes, mine: int, theirs: int) -> None:
    """Stones by number, with the seat each belongs to; nothing if there are none."""
    stones = mine | theirs
    if stones == 0:
        note(notes, 0)
        return
    note(notes, 1)
    note(notes, popcount(stones))
    for stone in range(STONES):
        if stones >> stone & 1 != 0:
            note(notes, stone + 1)
            note(notes, 0 if mine >> stone & 1 != 0 else 1)


@kernel
def note_some(notes: Notes, number: int) -> None:
    """A number that goes without saying if it is 0."""
    if number == 0:
        note(notes, 0)
    else:
        note(notes, 1)
        note(notes, number)


@kernel
def facts(s: State, notes: Notes) -> None:
    note_stones(notes, int(s.claimed[0]), int(s.claimed[1]))
    both = int(s.complete[0]) & int(s.complete[1]) & unclaimed(s)
    note_stones(notes, both & int(s.sooner[0]), both & int(s.sooner[1]))
    if s.tactics_played[0] == 0 and s.tactics_played[1] == 0:
        note(notes, 0)
    else:
        note(notes, 1)
        note(notes, s.tactics_played[0])
        note(notes, s.tactics_played[1])
    note_some(notes, s.chief_played[0] + s.chief_played[1])
    for seat in range(2):
        if s.chief_played[seat] != 0:
            note(notes, seat)
    note_some(notes, s.draws)
    note_some(notes, s.returns)
    if s.ruse == NO_CARD:
        note(notes, 0)
    else:
        note(notes, 1)
        note(notes, s.ruse - REDEPLOY)


# -- reading them back ----------------------------------------------------------------------------


@kernel
def restore(s: State, notes: Notes) -> None:
    """Facts that are not given are taken from the cards, where these tell enough."""
    s.claimed[0], s.claimed[1] = take_stones(notes)
    refresh(s)
    first, second = take_stones(notes)
    restore_order(s, first, second)
    restore_tactics(s, notes)
    restore_chiefs(s, notes)
    restore_scout(s, notes)
    restore_ruse(s, notes)
    if s.to_act >= 0 and s.decision == CLAIM:
        s.claimable = claimable_stones(s, int(s.to_act))


@kernel
def take_stones(notes: Notes) -> tuple[int, int]:
    """Sets of stones by seat."""
    mine = theirs = 0
    if take(notes) == 1:
        for _ in range(take(notes)):
            stone = 1 << (take(notes) - 1)
            if take(notes) == 0:
                mine |= stone
            else:
                theirs |= stone
    return mine, theirs


@kernel
def restore_order(s: State, first: int, second: int) -> None:
    """Which side was complete sooner, where both are; the seat that began, if nothing is said."""
    both = int(s.complete[0]) & int(s.complete[1]) & unclaimed(s)
    for stone in range(STONES):
        here = 1 << stone
        if both & here == 0:
            if (first | second) & here != 0:
                tell(s, NO_QUESTION, ILLEGAL, stone + 1)
            continue
        seat = int(s.first)
        if (first | second) & here != 0:
            seat = 0 if first & here != 0 else 1
        s.sooner[seat] |= here
        s.sooner[1 - seat] &= ~here
    for seat in range(2):
        s.sooner[seat] &= unclaimed(s)


@kernel
def laid_by(s: State, seat: int) -> Word:
    """The cards at all stones on a seat's side."""
    cards = EMPTY
    for stone in range(STONES):
        cards |= side_of(s, stone, seat)
    return cards


@kernel
def restore_tactics(s: State, notes: Notes) -> None:
    if take(notes) == 1:
        s.tactics_played[0] = take(notes)
        s.tactics_played[1] = take(notes)
        return
    unknown = popcount(s.place[DISCARD, 0] & TACTIC)
    for stone in range(STONES):
        unknown += count(s, ENV + stone)
    for seat in range(2):
        s.tactics_played[seat] = popcount(laid_by(s, seat) & MORALE) + count(s, PLAYED + seat)
    # Cards whose player is not seen: shared evenly, an odd one to who is not to act.
    waiting = 0 if s.to_act == 1 else 1
    for _ in range(unknown):
        behind = s.tactics_played[waiting] <= s.tactics_played[1 - waiting]
        s.tactics_played[waiting if behind else 1 - waiting] += 1


@kernel
def restore_chiefs(s: State, notes: Notes) -> None:
    if take(notes) == 1:
        for _ in range(take(notes)):
            s.chief_played[take(notes)] = 1
        return
    for seat in range(2):
        if laid_by(s, seat) & CHIEFS != EMPTY:
            s.chief_played[seat] = 1


@kernel
def restore_scout(s: State, notes: Notes) -> None:
    """A scout that has only begun needs no facts."""
    drawing = s.to_act >= 0 and s.decision == SCOUT_DRAW
    returning = s.to_act >= 0 and s.decision == SCOUT_RETURN
    s.draws = SCOUT_DRAWS if drawing else 0
    if take(notes) == 1:
        s.draws = take(notes)
    s.returns = 0
    if drawing or returning:
        s.scouted = 1
        spare = count(s, HAND + s.to_act) + s.draws - hand_size(s)
        s.returns = min(SCOUT_RETURNS, max(1 if returning else 0, spare))
    if take(notes) == 1:
        s.returns = take(notes)


@kernel
def restore_ruse(s: State, notes: Notes) -> None:
    s.ruse = NO_CARD
    if take(notes) == 1:
        s.ruse = REDEPLOY + take(notes)
    elif s.to_act >= 0 and (s.decision == TAKE or s.decision == PUT):
        played = s.place[PLAYED + s.to_act, 0] & ~bit(SCOUT)
        if popcount(played) == 1:
            s.ruse = lowest(played)


# -- how the match stands -------------------------------------------------------------------------


@kernel
def tally(s: State, seat: int, notes: Notes) -> None:
    """Stone by stone what lies there and counts; all of it lies open."""
    note(notes, 1)
    note(notes, STONES)
    claiming = s.to_act >= 0 and s.decision == CLAIM
    for stone in range(STONES):
        note(notes, stone + 1)
        note(notes, owner_of(s, stone))
        note(notes, claiming and int(s.claimable) >> stone & 1 != 0)
        most = needed(s, stone)
        note(notes, most)
        for n in range(2):
            side = side_of(s, stone, n)
            note(notes, popcount(side))
            if int(s.complete[n]) >> stone & 1 == 0:
                note(notes, -1)
                note(notes, -1)
            else:
                strength = strength_of(side, most, foggy(s, stone))
                note(notes, strength // FORMATION)
                note(notes, strength % FORMATION)
    note(notes, 1)
    for n in range(2):
        note(notes, s.tactics != 0 and s.tactics_played[n] <= s.tactics_played[1 - n])
    note(notes, 1)
    for n in range(2):
        note_claims(int(s.claimed[n]), notes)


@kernel
def note_claims(claimed: int, notes: Notes) -> None:
    """schotten.win: how many stones, which of them lie side by side, and whether that wins."""
    best = first = length = 0
    for stone in range(STONES):
        length = length + 1 if claimed >> stone & 1 != 0 else 0
        if length > best:
            best, first = length, stone + 1 - length
    note(notes, popcount(claimed))
    note(notes, best)
    for stone in range(first, first + best):
        note(notes, stone + 1)
    if best >= WINNING_ROW:
        note(notes, BY_ROW)
    else:
        note(notes, BY_STONES if popcount(claimed) >= WINNING_STONES else BY_NOTHING)


@kernel
def owner_of(s: State, stone: int) -> int:
    """The seat that has claimed a stone."""
    for seat in range(2):
        if int(s.claimed[seat]) >> stone & 1 != 0:
            return seat
    return NOBODY
