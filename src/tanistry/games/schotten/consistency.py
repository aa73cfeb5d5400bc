"""Whether a position could come up in a match: the numbers of cards, who did what, whose choice.

Hands may be smaller than the rules would leave them, so that a puzzle needs no more cards in hand
than it is about.
"""

from __future__ import annotations

from typing import Any

from tanistry.errors import PositionError
from tanistry.games.schotten import INFO, rules
from tanistry.games.schotten.cards import (
    BEFORE,
    CHIEFS,
    CLAIM,
    CLAN,
    CODES,
    DECISIONS,
    DECK,
    DISCARD,
    DRAW,
    ENV,
    ENVIRONMENT,
    HAND,
    HAND_TACTICS,
    MORALE,
    NO_CARD,
    PLACES,
    PLAYED,
    PUT,
    REDEPLOY,
    RUSES,
    SCOUT,
    SCOUT_DRAW,
    SCOUT_RETURN,
    SCOUT_RETURNS,
    SIDE,
    STONES,
    TACTIC,
    TACTICS,
    TAKE,
    TRAITOR,
)
from tanistry.games.schotten.proof import NOTHING, strength_of
from tanistry.games.schotten.stones import (
    answer,
    foggy,
    has_won,
    needed,
    room,
    side_of,
    unseen_clans,
)
from tanistry.kernel import interpreted
from tanistry.table.bits import members
from tanistry.table.record import copy_record


def check(s: Any) -> None:
    """PositionError says which part cannot be."""
    _check_places(s)
    _check_known(s)
    _check_tactics(s)
    _check_claims(s)
    _check_end(s)
    if s.to_act >= 0:
        _check_turn(s, int(s.to_act), int(s.decision))


def wrong(code: str, **values: Any) -> PositionError:
    return PositionError(f"position/{code}", info=INFO, **values)


def _check_places(s: Any) -> None:
    """Each card lies where cards of its kind can, and no side has more than its stone needs."""
    allowed = {DECK: CLAN, TACTICS: TACTIC, DISCARD: CLAN | MORALE}
    allowed |= {PLAYED + seat: RUSES for seat in (0, 1)}
    allowed |= {ENV + stone: ENVIRONMENT for stone in range(STONES)}
    allowed |= {SIDE + i: CLAN | MORALE for i in range(2 * STONES)}
    for number, kind in allowed.items():
        if stray := members(s.place[number] & ~kind):
            raise wrong("stray", card=CODES[stray[0]], name=PLACES[number].name)
    for stone in range(STONES):
        most = int(interpreted(needed)(s, stone))
        for seat in (0, 1):
            laid = len(members(s.place[SIDE + 2 * stone + seat]))
            if laid > most:
                raise wrong("side", stone=stone + 1, seat=seat, count=laid, most=most)
    for seat in (0, 1):
        most = int(interpreted(rules.hand_size)(s))
        if seat == s.to_act and s.decision in (SCOUT_DRAW, SCOUT_RETURN):
            most += int(s.returns) - int(s.draws)
        held = len(members(s.place[HAND + seat]))
        if held > most:
            raise PositionError(
                "position/crowded", name=PLACES[HAND + seat].name, count=held, most=most
            )


def _check_known(s: Any) -> None:
    """What lies face up is known to all, a hand to its seat; else only what a scout returned."""
    returned = [0, 0, 0]
    for number, place in enumerate(PLACES):
        rows = {"all": (0, 1, 2), "owner": (place.owner,), "nobody": ()}[place.seen]
        for row in range(3):
            known = s.place[number] & s.known[row]
            if row not in rows:
                returned[row] += len(members(known))
            elif hidden := members(s.place[number] & ~known):
                raise wrong("unknown", card=CODES[hidden[0]], name=place.name)
    for row, cards in enumerate(returned):
        scouted = row < 2 and SCOUT in members(s.place[PLAYED + row])
        if cards > (SCOUT_RETURNS - int(s.returns) if scouted else 0):
            raise wrong("returned", count=cards)


def _check_tactics(s: Any) -> None:
    """The tactic cards that have been played, by whom, and the chiefs among them."""
    elsewhere = s.place[TACTICS] | s.place[HAND] | s.place[HAND + 1]
    out = len(members(~elsewhere & TACTIC)) if s.tactics else 0
    played = s.tactics_played.tolist()
    chiefs_out = members(~elsewhere & CHIEFS) if s.tactics else []
    for seat in (0, 1):
        laid = [card for stone in range(STONES) for card in _laid(s, stone, seat) & _MORALE]
        if played[seat] < len(laid) + len(members(s.place[PLAYED + seat])):
            raise wrong("tactics_seat", seat=seat, count=played[seat])
        chiefs = _CHIEFS & set(laid)
        if len(chiefs) > 1:
            raise wrong("two_chiefs", seat=seat)
        if chiefs and not s.chief_played[seat]:
            raise wrong("chief", seat=seat)
    if sum(played) != out or abs(played[0] - played[1]) > 1:
        raise wrong("tactics", counts=f"{played[0]}, {played[1]}", count=out)
    if len(chiefs_out) != int(s.chief_played.sum()):
        raise wrong("chiefs", count=len(chiefs_out))
    scouts = [seat for seat in (0, 1) if SCOUT in members(s.place[PLAYED + seat])]
    if (s.scout_after_chief or s.scouted or s.redrawn) and not scouts:
        raise wrong("no_scout")
    if s.scout_after_chief and not s.chief_played[scouts[0]]:
        raise wrong("scout_chief", seat=scouts[0])
    if not interpreted(rules.possible)(s):
        raise wrong("returned_chief")


_MORALE = set(members(MORALE.reshape(1)))
_CHIEFS = set(members(CHIEFS.reshape(1)))


def _laid(s: Any, stone: int, seat: int) -> set[int]:
    return set(members(s.place[SIDE + 2 * stone + seat]))


def _check_claims(s: Any) -> None:
    """A claimed stone was won by its side, or proven: cards seen since only make a proof easier."""
    unseen, scratch = interpreted(unseen_clans)(s), copy_record(s)
    if int(s.claimed[0]) & int(s.claimed[1]):
        raise wrong("claimed_twice")
    for stone in range(STONES):
        for seat in (0, 1):
            if int(s.claimed[seat]) >> stone & 1:
                complete = [int(s.complete[n]) >> stone & 1 for n in (0, 1)]
                if not complete[seat]:
                    raise wrong("claimed_incomplete", stone=stone + 1, seat=seat)
                if complete[1 - seat]:
                    lost = _strength(s, stone, seat) < _strength(s, stone, 1 - seat)
                else:
                    lost = interpreted(answer)(scratch, stone, seat, unseen)[0] != NOTHING
                if lost:
                    raise wrong("claimed_lost", stone=stone + 1, seat=seat)


def _strength(s: Any, stone: int, seat: int) -> int:
    fog, most = interpreted(foggy)(s, stone), interpreted(needed)(s, stone)
    return int(interpreted(strength_of)(interpreted(side_of)(s, stone, seat), most, fog))


def _check_end(s: Any) -> None:
    """Over if somebody has won or both seats are stuck, and not before."""
    won = [seat for seat in (0, 1) if interpreted(has_won)(s, seat)]
    if len(won) == 2:
        raise wrong("both_won")
    over = bool(won) or s.idle == 2
    if over != bool(s.to_act < 0):
        raise wrong("over" if over else "not_over")


# -- whose choice ---------------------------------------------------------------------------------


def _check_turn(s: Any, seat: int, decision: int) -> None:
    tactics_only = (SCOUT_DRAW, SCOUT_RETURN, TAKE, PUT, DRAW)
    name = DECISIONS[decision]
    if decision in tactics_only and not s.tactics:
        raise wrong("basic", decision=name)
    _check_this_turn(s, decision)
    piles = [len(members(s.place[pile])) for pile in (DECK, TACTICS)]
    if decision == CLAIM and s.claimable == 0:
        raise wrong("no_claim", seat=seat)
    if decision == DRAW and len(members(s.place[HAND + seat])) >= HAND_TACTICS:
        raise wrong("no_draw", seat=seat)
    if decision in (DRAW, SCOUT_DRAW) and 0 in piles:
        raise wrong("one_pile", decision=name)
    if decision in (SCOUT_DRAW, SCOUT_RETURN):
        _check_scout(s, seat, decision, sum(piles))
    elif s.draws or s.returns:
        raise wrong("not_pending", name="draws, returns", decision=name)
    if decision in (TAKE, PUT):
        _check_ruse(s, seat, decision)
    elif s.ruse != NO_CARD or s.taken != NO_CARD:
        raise wrong("not_pending", name="ruse, taken", decision=name)


def _check_this_turn(s: Any, decision: int) -> None:
    """What the seat has done in this turn must come before the choice it has now."""
    name = DECISIONS[decision]
    before = s.claim == BEFORE
    seat = int(s.to_act)
    hand = s.place[HAND + seat, 0]
    if s.passed and (decision != CLAIM or before):
        raise wrong("not_pending", name="passed", decision=name)
    if s.passed and hand & CLAN and interpreted(room)(s, seat):
        raise wrong("not_pending", name="passed", decision=name)
    if s.claimed_now and not s.claimed[seat]:
        raise wrong("not_pending", name="claimed_now", decision=name)
    if s.scouted and (decision not in (SCOUT_DRAW, SCOUT_RETURN, CLAIM) or s.passed):
        raise wrong("not_pending", name="scouted", decision=name)
    if s.scouted and decision == CLAIM and before:
        raise wrong("not_pending", name="scouted", decision=name)
    if s.claimed_now and not before and decision not in (CLAIM, DRAW):
        raise wrong("not_pending", name="claimed_now", decision=name)


def _check_scout(s: Any, seat: int, decision: int, left: int) -> None:
    if SCOUT not in members(s.place[PLAYED + seat]):
        raise wrong("no_scout")
    if decision == SCOUT_DRAW and not 0 < s.draws <= left:
        raise wrong("draws", count=int(s.draws), most=left)
    if decision == SCOUT_RETURN and s.draws:
        raise wrong("not_pending", name="draws", decision=DECISIONS[decision])
    if decision == SCOUT_RETURN and not 0 < s.returns <= len(members(s.place[HAND + seat])) - 1:
        raise wrong("returns", count=int(s.returns))


def _check_ruse(s: Any, seat: int, decision: int) -> None:
    if s.ruse == NO_CARD or s.ruse not in members(s.place[PLAYED + seat]):
        raise wrong("no_ruse", seat=seat, decision=DECISIONS[decision])
    if decision == TAKE:
        if s.taken != NO_CARD or not interpreted(rules.has_target)(s, seat, int(s.ruse)):
            raise wrong("no_target", card=CODES[s.ruse])
        return
    card = int(s.taken)
    stones = [
        stone
        for stone in range(STONES)
        if not (int(s.claimed[0]) | int(s.claimed[1])) >> stone & 1
        and card >= 0
        and int(interpreted(rules.targets)(s, seat, int(s.ruse), stone)) >> card & 1
    ]
    if not stones or s.ruse not in (REDEPLOY, TRAITOR):
        raise wrong("not_taken", card=CODES[s.ruse])
