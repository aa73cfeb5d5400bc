"""The rules of Schotten Totten. Sources: the French rulebook's advanced game and variant, and the
published basic game; ids as in the rules pages.

A turn: with claim = before, claims; then a card, a ruse with its choices, or a pass; with claim =
after, claims; then a draw. How sides compare and what may be claimed is in `stones` and `proof`.
"""

from __future__ import annotations

from tanistry.games.schotten.cards import (
    AFTER,
    BEFORE,
    CANNOT_PLAY_RULE,
    CHIEFS,
    CLAIM,
    CLAIM_RULE,
    CLAIM_STONE,
    CLAIMED,
    CLAN,
    CLANS,
    DECK,
    DESERTER,
    DESERTER_RULE,
    DISCARD,
    DONE,
    DRAW,
    DRAW_CHOICE_RULE,
    DRAW_CLAN,
    DRAW_RULE,
    DRAW_TACTIC,
    ENV,
    FARLANE,
    FOG,
    HAND,
    HAND7_RULE,
    HAND_BASIC,
    HAND_TACTICS,
    LAY_CLAN,
    LAY_TACTIC,
    NO_CARD,
    OVER,
    PASS,
    PASS_RULE,
    PASSED,
    PLAY,
    PLAY_RULE,
    PLAY_RUSE,
    PLAYED,
    PROOF_RULE,
    PUT,
    PUT_AT,
    PUT_AWAY,
    REDEPLOY,
    REDEPLOY_RULE,
    RETURN,
    RULE_OF_TACTIC,
    SCOUT,
    SCOUT_DRAW,
    SCOUT_DRAWS,
    SCOUT_RETURN,
    SCOUT_RETURNS,
    SCOUT_RULE,
    SETUP_RULE,
    SIDE,
    STONES,
    STUCK_RULE,
    TACTIC,
    TACTICS,
    TAKE,
    TAKE_CARD,
    TRAITOR,
    TRAITOR_RULE,
    WIN_RULE,
    State,
)
from tanistry.games.schotten.proof import FORMATION, strength_of
from tanistry.games.schotten.stones import (
    card_came,
    card_left,
    claimable_stones,
    fog_came,
    foggy,
    has_won,
    mud_came,
    needed,
    room,
    side_of,
    unclaimed,
)
from tanistry.kernel import for_onlookers, kernel
from tanistry.table.bits import EMPTY, ONE, Word, bit, lowest, popcount
from tanistry.table.cards import (
    NOBODY,
    count,
    has,
    is_empty,
    knows,
    lift,
    move,
    pop,
    pull,
    push_under,
    put,
    show,
    show_all,
    stack,
    tell,
    tell_move,
)
from tanistry.table.choices import allow, allow_set, forbid_all
from tanistry.table.record import Words

WON = 100
"""Added to the standing of the winner: three adjacent stones win against more."""


@kernel
def hand_of(s: State, seat: int) -> Word:
    return s.place[HAND + seat, 0]


@kernel
def hand_size(s: State) -> int:
    """schotten.setup, schotten.hand7"""
    return HAND_TACTICS if s.tactics != 0 else HAND_BASIC


# -- the deal -------------------------------------------------------------------------------------


@kernel
def deal(s: State) -> None:
    """schotten.setup; schotten.hand7 with tactics."""
    s.place[DECK, 0] = CLAN
    stack(s, DECK)
    if s.tactics != 0:
        s.place[TACTICS, 0] = TACTIC
        stack(s, TACTICS)
    for seat in range(2):
        for _ in range(hand_size(s)):
            draw(s, seat, DECK, HAND7_RULE if s.tactics != 0 else SETUP_RULE)
    s.ruse = NO_CARD
    s.taken = NO_CARD
    begin_turn(s, int(s.first))


@kernel
def draw(s: State, seat: int, pile: int, rule: int) -> None:
    """The top card of a pile goes to a hand. Its back is seen by all (schotten.backs)."""
    card = pop(s, pile)
    note_draw(s, seat, card)
    show(s, card, seat)
    put(s, HAND + seat, card)
    tell_move(s, card, pile, HAND + seat, -1, rule)


@for_onlookers
def note_draw(s: State, seat: int, card: int) -> None:
    """A tactic card drawn by a seat that knows it is one that it had returned."""
    if card >= FARLANE and restricted_scout(s, seat) and knows(s, card, seat):
        s.redrawn += 1


# -- the turn -------------------------------------------------------------------------------------

# What comes after a choice has been carried out.
WAIT = 0  # another choice of the same seat
CLAIMS = 1  # a card lies, a ruse is done, or the seat has passed: now claims (schotten.play)
LAST_DRAW = 2
NEXT_TURN = 3


@kernel
def play(s: State, action: int) -> None:
    seat = int(s.to_act)
    step = carry_out(s, seat, action)
    if step == CLAIMS:
        s.ruse = NO_CARD
        s.taken = NO_CARD
        step = LAST_DRAW
        if s.claim == AFTER and offer_claims(s, seat):
            step = WAIT
    if step == LAST_DRAW:
        step = last_draw(s, seat)
    if step == NEXT_TURN:
        end_turn(s, seat)
        if s.claim == BEFORE and s.to_act >= 0:  # schotten.claim_before
            offer_claims(s, 1 - seat)


@kernel
def begin_turn(s: State, seat: int) -> None:
    s.to_act = seat
    s.passed = 0
    s.scouted = 0
    s.claimed_now = 0
    s.decision = PLAY


@kernel
def offer_claims(s: State, seat: int) -> bool:
    """Let the seat claim, if there is a stone to claim."""
    s.claimable = claimable_stones(s, seat)
    if s.claimable == 0:
        return False
    s.decision = CLAIM
    return True


@kernel
def last_draw(s: State, seat: int) -> int:
    """schotten.draw, schotten.draw_choice: one card, the pile a choice if both have cards."""
    if s.passed == 0 and s.scouted == 0 and count(s, HAND + seat) < hand_size(s):
        if not is_empty(s, DECK) and not is_empty(s, TACTICS):
            s.decision = DRAW
            return WAIT
        draw_what_is_left(s, seat, DRAW_CHOICE_RULE if s.tactics != 0 else DRAW_RULE)
    return NEXT_TURN


@kernel
def draw_what_is_left(s: State, seat: int, rule: int) -> None:
    """Draw from the one pile that has cards, if one has."""
    pile = TACTICS if is_empty(s, DECK) else DECK
    if not is_empty(s, pile):
        draw(s, seat, pile, rule)


@kernel
def end_turn(s: State, seat: int) -> None:
    s.idle = s.idle + 1 if s.passed != 0 and s.claimed_now == 0 else 0
    if s.idle < 2:
        begin_turn(s, 1 - seat)
    else:  # schotten.stuck
        lead = score(s, 0) - score(s, 1)
        end(s, NOBODY if lead == 0 else (0 if lead > 0 else 1), STUCK_RULE)


@kernel
def end(s: State, winner: int, rule: int) -> None:
    s.claimable = 0
    s.to_act = NOBODY
    tell(s, OVER, rule, winner)


# -- what may be chosen ---------------------------------------------------------------------------


@kernel
def legal(s: State, moves: Words) -> None:
    forbid_all(moves)
    if s.to_act < 0:
        return
    seat = int(s.to_act)
    if s.decision == PLAY:
        legal_plays(s, seat, moves)
    elif s.decision == CLAIM:
        allow_set(moves, CLAIM_STONE, int(s.claimable))
        allow(moves, DONE)
    elif s.decision == DRAW or s.decision == SCOUT_DRAW:
        allow(moves, DRAW_CLAN)
        allow(moves, DRAW_TACTIC)
    elif s.decision == SCOUT_RETURN:
        legal_returns(s, seat, moves)
    elif s.decision == TAKE:
        legal_takes(s, seat, moves)
    else:
        allow_set(moves, PUT_AT, destinations(s, seat, int(s.taken)))
        if s.ruse == REDEPLOY:
            allow(moves, PUT_AWAY)


@kernel
def legal_plays(s: State, seat: int, moves: Words) -> None:
    """schotten.play, schotten.turn_tactic, schotten.pass (schotten.cannot_play)"""
    free = room(s, seat)
    clans = hand_of(s, seat) & CLAN
    if clans == EMPTY or free == 0:
        allow(moves, PASS)
    while clans != EMPTY:
        card = lowest(clans)
        clans &= clans - ONE
        allow_set(moves, LAY_CLAN + STONES * card, free)
    tactics = playable_tactics(s, seat)
    while tactics != EMPTY:
        card = lowest(tactics)
        tactics &= tactics - ONE
        if card >= SCOUT:
            if has_target(s, seat, card):
                allow(moves, PLAY_RUSE + card - SCOUT)
        else:
            stones = free if card < FOG else unclaimed(s)
            allow_set(moves, LAY_TACTIC + STONES * (card - FARLANE), stones)


@kernel
def playable_tactics(s: State, seat: int) -> Word:
    """schotten.parity and schotten.one_chief; whether they find a place is another matter."""
    if s.tactics_played[seat] > s.tactics_played[1 - seat]:
        return EMPTY
    tactics = hand_of(s, seat) & TACTIC
    return tactics & ~CHIEFS if s.chief_played[seat] != 0 else tactics


@kernel
def legal_returns(s: State, seat: int, moves: Words) -> None:
    """schotten.scout: any card but a chief that must be kept (schotten.one_chief)."""
    cards = hand_of(s, seat)
    if s.chief_played[seat] != 0:
        cards &= ~CHIEFS
    while cards != EMPTY:
        card = lowest(cards)
        cards &= cards - ONE
        allow(moves, RETURN + card)


# -- ruses and their targets ----------------------------------------------------------------------


@kernel
def targets(s: State, seat: int, ruse: int, stone: int) -> Word:
    """The cards of an unclaimed stone that a ruse of the seat may take."""
    cards = side_of(s, stone, seat if ruse == REDEPLOY else 1 - seat)
    if ruse != TRAITOR:
        return cards
    if room(s, seat) & ~(1 << stone) == 0:  # schotten.ruse_target: the card needs a new place
        return EMPTY
    return cards & CLAN


@kernel
def has_target(s: State, seat: int, ruse: int) -> bool:
    """schotten.ruse_target; the scout needs a card to draw."""
    if ruse == SCOUT:
        return not is_empty(s, DECK) or not is_empty(s, TACTICS)
    stones = unclaimed(s)
    while stones != 0:
        if targets(s, seat, ruse, lowest(stones)) != EMPTY:
            return True
        stones &= stones - 1
    return False


@kernel
def legal_takes(s: State, seat: int, moves: Words) -> None:
    """schotten.redeploy, schotten.deserter, schotten.traitor"""
    stones = unclaimed(s)
    while stones != 0:
        stone = lowest(stones)
        stones &= stones - 1
        cards = targets(s, seat, int(s.ruse), stone)
        while cards != EMPTY:
            card = lowest(cards)
            cards &= cards - ONE
            allow(moves, TAKE_CARD + STONES * card + stone)


@kernel
def stone_of(s: State, card: int) -> int:
    """The stone at which a card lies."""
    stone = 0
    while (side_of(s, stone, 0) | side_of(s, stone, 1)) & bit(card) == EMPTY:
        stone += 1
    return stone


@kernel
def destinations(s: State, seat: int, card: int) -> int:
    """Where a taken card may be put: at another unclaimed stone where the side is not full."""
    return room(s, seat) & ~(1 << stone_of(s, card))


# -- carrying it out ------------------------------------------------------------------------------


@kernel
def carry_out(s: State, seat: int, action: int) -> int:
    """Do what was chosen; what comes next."""
    if s.decision == PLAY:
        return play_turn(s, seat, action)
    if s.decision == CLAIM:
        return finish_claims(s) if action == DONE else claim_stone(s, seat, action - CLAIM_STONE)
    if s.decision == DRAW:
        draw(s, seat, DECK if action == DRAW_CLAN else TACTICS, DRAW_CHOICE_RULE)
        return NEXT_TURN
    if s.decision == SCOUT_DRAW:
        draw(s, seat, DECK if action == DRAW_CLAN else TACTICS, SCOUT_RULE)
        s.draws -= 1
        return go_on_scouting(s, seat)
    if s.decision == SCOUT_RETURN:
        return_card(s, seat, action - RETURN)
        s.returns -= 1
        return go_on_scouting(s, seat)
    if s.decision == TAKE:
        return take(s, seat, (action - TAKE_CARD) // STONES, (action - TAKE_CARD) % STONES)
    put_taken(s, seat, action)
    return CLAIMS


@kernel
def play_turn(s: State, seat: int, action: int) -> int:
    if action < PASS:
        lay(s, seat, action // STONES, action % STONES, PLAY_RULE)
    elif action == PASS:
        s.passed = 1
        tell(s, PASSED, PASS_RULE if s.tactics != 0 else CANNOT_PLAY_RULE, seat)
    elif action < PLAY_RUSE:
        card = FARLANE + (action - LAY_TACTIC) // STONES
        stone = (action - LAY_TACTIC) % STONES
        count_tactic(s, seat)
        if card >= FOG:
            lay_environment(s, seat, card, stone)
        else:
            if bit(card) & CHIEFS != EMPTY:  # schotten.one_chief
                s.chief_played[seat] = 1
            lay(s, seat, card, stone, RULE_OF_TACTIC[card - FARLANE])
    else:
        count_tactic(s, seat)
        return play_ruse(s, seat, SCOUT + action - PLAY_RUSE)
    return CLAIMS


@kernel
def count_tactic(s: State, seat: int) -> None:
    """schotten.parity"""
    s.tactics_played[seat] += 1
    note_tactic(s, seat)


@for_onlookers
def note_tactic(s: State, seat: int) -> None:
    """It may be one that the seat had returned and drawn again."""
    if s.redrawn > 0 and restricted_scout(s, seat):
        s.redrawn -= 1


@kernel
def lay(s: State, seat: int, card: int, stone: int, rule: int) -> None:
    """schotten.play: a clan or morale card face up on the seat's side of a stone."""
    show_all(s, card)
    lift(s, HAND + seat, card)
    join(s, card, HAND + seat, SIDE + 2 * stone + seat, rule)
    card_came(s, stone, seat)


@kernel
def join(s: State, card: int, source: int, side: int, rule: int) -> None:
    """A card that has left its place comes to a side, as the last one there."""
    put(s, side, card)
    line_up(s, card, source, side, rule)


@for_onlookers
def line_up(s: State, card: int, source: int, side: int, rule: int) -> None:
    """In what order the cards of a side lie matters to no rule."""
    slot = count(s, side) - 1
    s.slots[side, slot] = card
    tell_move(s, card, source, side, slot, rule)


@kernel
def leave(s: State, card: int, side: int) -> None:
    close_ranks(s, card, side)
    lift(s, side, card)


@for_onlookers
def close_ranks(s: State, card: int, side: int) -> None:
    pull(s, side, card)


@kernel
def lay_environment(s: State, seat: int, card: int, stone: int) -> None:
    """schotten.fog, schotten.mud"""
    show_all(s, card)
    move(s, card, HAND + seat, ENV + stone, RULE_OF_TACTIC[card - FARLANE])
    if card == FOG:
        fog_came(s, stone)
    else:
        mud_came(s, stone)


@kernel
def play_ruse(s: State, seat: int, ruse: int) -> int:
    show_all(s, ruse)
    move(s, ruse, HAND + seat, PLAYED + seat, RULE_OF_TACTIC[ruse - FARLANE])
    if ruse == SCOUT:
        return begin_scouting(s, seat)
    s.ruse = ruse
    s.decision = TAKE
    return WAIT


# -- the scout ------------------------------------------------------------------------------------


@kernel
def begin_scouting(s: State, seat: int) -> int:
    """schotten.scout: three draws, two returns; fewer where the piles hold fewer."""
    s.scouted = 1
    s.scout_after_chief = s.chief_played[seat]
    left = count(s, DECK) + count(s, TACTICS)
    if left >= SCOUT_DRAWS:
        s.draws = SCOUT_DRAWS
        s.returns = SCOUT_RETURNS
    else:
        s.draws = left
        s.returns = max(0, count(s, HAND + seat) + left - hand_size(s))
    return go_on_scouting(s, seat)


@kernel
def go_on_scouting(s: State, seat: int) -> int:
    while s.draws > 0:
        if not is_empty(s, DECK) and not is_empty(s, TACTICS):
            s.decision = SCOUT_DRAW
            return WAIT
        draw_what_is_left(s, seat, SCOUT_RULE)
        s.draws -= 1
    if s.returns > 0:
        s.decision = SCOUT_RETURN
        return WAIT
    return CLAIMS


@kernel
def return_card(s: State, seat: int, card: int) -> None:
    """A card goes face down to the bottom of its own pile; the seat alone knows which it was.

    There is one scout only: the other seat has returned nothing and knows no card of this hand.
    """
    pile = DECK if card < CLANS else TACTICS
    lift(s, HAND + seat, card)
    push_under(s, pile, card)
    tell_move(s, card, HAND + seat, pile, -1, SCOUT_RULE)


# -- redeploy, deserter, traitor ------------------------------------------------------------------


@kernel
def take(s: State, seat: int, card: int, stone: int) -> int:
    if s.ruse == DESERTER:
        discard(s, 1 - seat, card, stone, DESERTER_RULE)
        return CLAIMS
    s.taken = card
    s.decision = PUT
    return WAIT


@kernel
def put_taken(s: State, seat: int, action: int) -> None:
    card = int(s.taken)
    stone = stone_of(s, card)
    if action == PUT_AWAY:
        discard(s, seat, card, stone, REDEPLOY_RULE)
    elif s.ruse == REDEPLOY:
        shift(s, card, stone, seat, action - PUT_AT, seat, REDEPLOY_RULE)
    else:
        shift(s, card, stone, 1 - seat, action - PUT_AT, seat, TRAITOR_RULE)


@kernel
def discard(s: State, owner: int, card: int, stone: int, rule: int) -> None:
    side = SIDE + 2 * stone + owner
    leave(s, card, side)
    put(s, DISCARD, card)
    tell_move(s, card, side, DISCARD, -1, rule)
    card_left(s, stone, owner)


@kernel
def shift(s: State, card: int, source: int, owner: int, target: int, seat: int, rule: int) -> None:
    """Move a card from its owner's side of a stone to a seat's side of another."""
    old_side = SIDE + 2 * source + owner
    leave(s, card, old_side)
    join(s, card, old_side, SIDE + 2 * target + seat, rule)
    card_left(s, source, owner)
    card_came(s, target, seat)


# -- claims and the end ---------------------------------------------------------------------------


@kernel
def claim_stone(s: State, seat: int, stone: int) -> int:
    """schotten.claim, and by proof (schotten.proof) if the other side is not complete."""
    proven = int(s.complete[1 - seat]) >> stone & 1 == 0
    s.claimed[seat] |= 1 << stone
    for other in range(2):
        s.sooner[other] &= ~(1 << stone)
    s.claimed_now = 1
    tell_claim(s, seat, stone, PROOF_RULE if proven else CLAIM_RULE)
    s.claimable &= ~(1 << stone)
    if has_won(s, seat):
        end(s, seat, WIN_RULE)
        return WAIT
    return WAIT if s.claimable != 0 else finish_claims(s)


@for_onlookers
def tell_claim(s: State, seat: int, stone: int, rule: int) -> None:
    if s.telling == 0:
        return
    strength = strength_of(side_of(s, stone, seat), needed(s, stone), foggy(s, stone))
    tell(s, CLAIMED, rule, seat, stone + 1, strength // FORMATION, strength % FORMATION)


@kernel
def finish_claims(s: State) -> int:
    s.claimable = 0
    if s.claim == BEFORE:
        s.decision = PLAY
        return WAIT
    return LAST_DRAW


@kernel
def score(s: State, seat: int) -> int:
    """The stones a seat has claimed."""
    return popcount(s.claimed[seat])


@kernel
def standing(s: State, seat: int) -> int:
    """schotten.win, else schotten.stuck: more stones."""
    return score(s, seat) + (WON if has_won(s, seat) else 0)


# -- what is known of hidden cards ----------------------------------------------------------------


@kernel
def of_kind(s: State, kind: int, word: int) -> Word:
    """schotten.backs: clan and tactic cards have different backs."""
    return CLAN if kind == 0 else TACTIC


@kernel
def restricted_scout(s: State, seat: int) -> bool:
    """Whether the seat played the scout after a chief, and so could not return the other chief."""
    return s.scout_after_chief != 0 and has(s, PLAYED + seat, SCOUT)


@kernel
def possible(s: State) -> bool:
    """A scout of a seat that had played a chief did not return the other (schotten.one_chief).

    What such a seat knows of a pile, or of the other hand, is what it returned; and tactic cards
    that it returned and drew again are not that chief either.
    """
    if s.scout_after_chief == 0:
        return True
    seat = 0 if has(s, PLAYED, SCOUT) else 1
    returned = (s.place[TACTICS, 0] | s.place[HAND + 1 - seat, 0]) & s.known[seat, 0]
    if returned & CHIEFS != EMPTY:
        return False
    held = hand_of(s, seat)
    return held & CHIEFS == EMPTY or popcount(held & TACTIC) > s.redrawn


@kernel
def open_end(s: State) -> bool:
    """schotten.draw: with nothing left to draw, what a seat does not hold the other does."""
    return is_empty(s, DECK) and is_empty(s, TACTICS)
