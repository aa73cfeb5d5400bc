"""Schotten Totten in people's terms: tokens, the facts of a position, and the definition."""

from __future__ import annotations

from typing import Any

from tanistry.errors import PositionError
from tanistry.games.legacy import Definition
from tanistry.games.schotten import INFO, cards, rules
from tanistry.games.schotten.cards import (
    BASIC_ACTIONS,
    CARDS,
    CHIEFS,
    CLAIM,
    CLAN_CODES,
    CLANS,
    CODES,
    DISCARD,
    ENV,
    HAND,
    MORALE,
    NO_CARD,
    PLAYED,
    PUT,
    REDEPLOY,
    SCOUT,
    SCOUT_DRAW,
    SCOUT_DRAWS,
    SCOUT_RETURN,
    SCOUT_RETURNS,
    STONES,
    TACTIC,
    TAKE,
    TOKENS,
)
from tanistry.games.schotten.consistency import check
from tanistry.games.schotten.refusals import refuse
from tanistry.games.schotten.stones import claimable_stones, refresh, side_of
from tanistry.table.bits import members

STONE_NUMBERS = [str(stone + 1) for stone in range(STONES)]
FLAGS = ("passed", "scouted", "claimed_now", "scout_after_chief")


def facts(s: Any) -> dict[str, Any]:
    """What the cards alone do not tell; each fact is listed only where it says something.

    claimed            by stone: the seat that claimed it
    first_complete     by unclaimed stone where both sides are complete: the seat that was first
    tactics            tactic cards played, by seat
    chiefs             the seats that have played a chief
    idle               turns in a row, before this one, with a pass and without a claim
    passed, scouted, claimed_now   what the seat to act has done in this turn
    scout_after_chief  the scout was played by a seat that had played a chief
    redrawn            tactic cards that this seat returned, drew again and surely still holds
    ruse, taken        the ruse being carried out, and the card that is to be put elsewhere
    draws, returns     what the scout has still to draw and to return
    """
    found: dict[str, Any] = {}
    claimed, complete, sooner = s.claimed.tolist(), s.complete.tolist(), s.sooner.tolist()
    if any(claimed):
        found["claimed"] = _by_stone(claimed[0], claimed[1])
    both = complete[0] & complete[1] & ~claimed[0] & ~claimed[1]
    if both:
        found["first_complete"] = _by_stone(both & sooner[0], both & sooner[1])
    if s.tactics_played.any():
        found["tactics"] = s.tactics_played.tolist()
    if s.chief_played.any():
        found["chiefs"] = [seat for seat in (0, 1) if s.chief_played[seat]]
    for name in ("idle", "redrawn", "draws", "returns"):
        if s[name]:
            found[name] = int(s[name])
    for name in FLAGS:
        if s[name]:
            found[name] = True
    for name in ("ruse", "taken"):
        if s[name] != NO_CARD:
            found[name] = CODES[s[name]]
    return found


def _by_stone(mine: int, theirs: int) -> dict[str, int]:
    return {
        number: 0 if mine >> stone & 1 else 1
        for stone, number in enumerate(STONE_NUMBERS)
        if (mine | theirs) >> stone & 1
    }


# -- reading them back ----------------------------------------------------------------------------


def restore(s: Any, given: dict[str, Any]) -> None:
    """Facts that are not given are taken from the cards, where these tell enough."""
    _restore_stones(s, given)
    _restore_tactics(s, given)
    s.idle = _number(given, "idle", 2, 0)
    s.redrawn = _number(given, "redrawn", SCOUT_RETURNS, 0)
    for name in FLAGS:
        value = given.pop(name, False)
        if type(value) is not bool:
            raise PositionError(
                "position/fact_value", name=name, value=value, allowed="true, false"
            )
        s[name] = int(value)
    _restore_ruse(s, given)
    _restore_scout(s, given)
    if s.to_act >= 0 and s.decision == CLAIM:
        s.claimable = _python(claimable_stones)(s, int(s.to_act))


def _python(kernel: Any) -> Any:
    """Positions are read once: plain Python will do, and needs no compiler."""
    from tanistry.kernel import interpreted

    return interpreted(kernel)


def _restore_stones(s: Any, given: dict[str, Any]) -> None:
    for stone, seat in _stones(given, "claimed").items():
        s.claimed[seat] |= 1 << stone
    _python(refresh)(s)
    both = int(s.complete[0]) & int(s.complete[1])
    open_stones = ~int(s.claimed[0]) & ~int(s.claimed[1])
    first = _stones(given, "first_complete")
    for stone in range(STONES):
        if both >> stone & 1 == 0 or open_stones >> stone & 1 == 0:
            if first.pop(stone, None) is not None:
                raise PositionError("position/first_complete", info=INFO, stone=stone + 1)
        else:
            seat = first.get(stone, int(s.first))
            s.sooner[seat] |= 1 << stone
            s.sooner[1 - seat] &= ~(1 << stone)
    for seat in (0, 1):
        s.sooner[seat] &= open_stones


def _stones(given: dict[str, Any], name: str) -> dict[int, int]:
    value = given.pop(name, {})
    if not isinstance(value, dict) or not all(
        key in STONE_NUMBERS and type(seat) is int and seat in (0, 1) for key, seat in value.items()
    ):
        raise PositionError(
            "position/fact_value", name=name, value=value, allowed='{"1"–"9": 0, 1}'
        )
    return {int(key) - 1: seat for key, seat in value.items()}


def _restore_tactics(s: Any, given: dict[str, Any]) -> None:
    sides = [[int(side_of(s, stone, seat)) for stone in range(STONES)] for seat in (0, 1)]
    surely = []  # tactic cards that a seat must have played
    for seat in (0, 1):
        laid = sum((side & int(MORALE)).bit_count() for side in sides[seat])
        surely.append(laid + len(members(s.place[PLAYED + seat])))
    if "tactics" in given:
        value = given.pop("tactics")
        if not (
            isinstance(value, (list, tuple))
            and len(value) == 2
            and all(type(n) is int and 0 <= n <= CARDS - CLANS for n in value)
        ):
            raise PositionError(
                "position/fact_value", name="tactics", value=value, allowed="[n, n]"
            )
        s.tactics_played[:] = value
    else:  # cards whose player is not seen: shared evenly, an odd one to who is not to act
        unknown = len(members(s.place[DISCARD] & TACTIC))
        unknown += sum(len(members(s.place[ENV + stone])) for stone in range(STONES))
        waiting = 0 if s.to_act == 1 else 1
        for _ in range(unknown):
            surely[waiting if surely[waiting] <= surely[1 - waiting] else 1 - waiting] += 1
        s.tactics_played[:] = surely
    chiefs = given.pop("chiefs", None)
    if chiefs is None:
        chiefs = [n for n in (0, 1) if any(side & int(CHIEFS) for side in sides[n])]
    elif not isinstance(chiefs, (list, tuple)) or not all(
        type(n) is int and n in (0, 1) for n in chiefs
    ):
        raise PositionError("position/fact_value", name="chiefs", value=chiefs, allowed="0, 1")
    for seat in chiefs:
        s.chief_played[seat] = 1


def _restore_ruse(s: Any, given: dict[str, Any]) -> None:
    s.ruse = _card(given, "ruse", list(range(REDEPLOY, CARDS)))
    s.taken = _card(given, "taken", list(range(len(CODES))))
    if s.to_act >= 0 and s.decision in (TAKE, PUT) and s.ruse == NO_CARD:
        played = [card for card in members(s.place[PLAYED + int(s.to_act)]) if card != SCOUT]
        if len(played) == 1:
            s.ruse = played[0]


def _card(given: dict[str, Any], name: str, allowed: list[int]) -> int:
    code = given.pop(name, None)
    if code is None:
        return NO_CARD
    codes = [CODES[card] for card in allowed]
    if code not in codes:
        raise PositionError("position/fact_value", name=name, value=code, allowed=", ".join(codes))
    return allowed[codes.index(code)]


def _restore_scout(s: Any, given: dict[str, Any]) -> None:
    """A scout that has only begun needs no facts."""
    at = int(s.decision) if s.to_act >= 0 else -1
    held = len(members(s.place[HAND + int(s.to_act)]))
    size = int(_python(rules.hand_size)(s))
    s.draws = _number(given, "draws", SCOUT_DRAWS, SCOUT_DRAWS if at == SCOUT_DRAW else 0)
    spare = max(0, held + int(s.draws) - size)
    least = 1 if at == SCOUT_RETURN else 0
    default = min(SCOUT_RETURNS, max(least, spare)) if at in (SCOUT_DRAW, SCOUT_RETURN) else 0
    s.returns = _number(given, "returns", SCOUT_RETURNS, default)
    if at in (SCOUT_DRAW, SCOUT_RETURN):
        s.scouted = 1


def _number(given: dict[str, Any], name: str, most: int, default: int) -> int:
    value = given.pop(name, default)
    if type(value) is not int or not 0 <= value <= most:
        raise PositionError("position/fact_value", name=name, value=value, allowed=f"0–{most}")
    return value


def back(_s: Any, card: int) -> dict[str, Any]:
    """schotten.backs"""
    return {"back": "clan" if card < CLANS else "tactic"}


DEFINITION = Definition(
    info=INFO,
    rules=rules,
    dtype=cards.STATE,
    places=cards.PLACES,
    cards=lambda options: CODES if options["tactics"] else CLAN_CODES,
    tokens=lambda options: TOKENS if options["tactics"] else TOKENS[:BASIC_ACTIONS],
    decisions=cards.DECISIONS,
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    facts=facts,
    restore=restore,
    check=check,
    refuse=refuse,
    back=back,
    secret_from_public=frozenset({"hand", "deck", "tactics"}),
)
