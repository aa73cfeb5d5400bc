"""Why a choice is refused: the rule it breaks, and for a claim the cards that would beat it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.games.legacy import Refusal
from tanistry.games.schotten.cards import (
    CHIEFS,
    CLAIM,
    CLAIM_STONE,
    CLANS,
    CODES,
    DECISIONS,
    DRAW_CLAN,
    FARLANE,
    HAND,
    LAY_TACTIC,
    PASS,
    PLAY,
    PLAY_RUSE,
    PUT,
    PUT_AT,
    PUT_AWAY,
    REDEPLOY,
    RETURN,
    SCOUT,
    SCOUT_RETURN,
    SIDE_CARDS_MUD,
    STONES,
    TAKE,
    TAKE_CARD,
)
from tanistry.games.schotten.proof import (
    COLOUR_RUN,
    FORMATION,
    RUN,
    strength_of,
)
from tanistry.games.schotten.stones import (
    answer,
    foggy,
    needed,
    room,
    side_of,
    unclaimed,
    unseen_clans,
)
from tanistry.kernel import interpreted
from tanistry.table.bits import bit, members
from tanistry.table.record import copy_record

ILLEGAL = "common.illegal"
DECISIONS_OF = (
    (range(PASS + 1), (PLAY,)),
    (range(CLAIM_STONE, LAY_TACTIC), (CLAIM,)),
    (range(LAY_TACTIC, DRAW_CLAN), (PLAY,)),
    (range(RETURN, TAKE_CARD), (SCOUT_RETURN,)),
    (range(TAKE_CARD, PUT_AT), (TAKE,)),
    (range(PUT_AT, PUT_AWAY + 1), (PUT,)),
)
"""Actions and the decisions they belong to; drawing is never refused in its own."""
FORMATION_NAMES = ("sum", "run", "colour", "team", "colour_run")
"""By number, as the keys of sentences name them."""
WILD_VALUES = {"farlane": 9, "gregor": 9, "support": 7, "shield": 3}


def refuse(s: Any, action: int) -> Refusal:
    """Why an action is not legal now: of several broken rules the most specific."""
    here = int(s.decision)
    if not any(action in actions and here in decisions for actions, decisions in DECISIONS_OF):
        return Refusal(ILLEGAL, "not_now", {"decision": DECISIONS[here]})
    seat = int(s.to_act)
    if here == PLAY:
        return _refuse_play(s, seat, action)
    if here == CLAIM:
        return _refuse_claim(s, seat, action - CLAIM_STONE)
    if here == SCOUT_RETURN:
        return _refuse_return(s, seat, action - RETURN)
    if here == TAKE:
        card, stone = divmod(action - TAKE_CARD, STONES)
        return _refuse_take(s, seat, card, stone)
    return _refuse_put(s, seat, action)


def _closed(s: Any, stone: int) -> bool:
    return int(interpreted(unclaimed)(s)) >> stone & 1 == 0


def _full(s: Any, seat: int, stone: int) -> bool:
    return int(interpreted(room)(s, seat)) >> stone & 1 == 0


def _refuse_play(s: Any, seat: int, action: int) -> Refusal:
    if action == PASS:
        rule = "pass" if s.tactics else "cannot_play"
        return Refusal(f"schotten.{rule}", "must_play")
    if action >= PLAY_RUSE:
        card, stone = SCOUT + action - PLAY_RUSE, -1
    elif action >= LAY_TACTIC:
        card, stone = divmod(action - LAY_TACTIC, STONES)
        card += FARLANE
    else:
        card, stone = divmod(action, STONES)
    named = {"card": CODES[card], "stone": stone + 1}
    if card not in members(s.place[HAND + seat]):
        return Refusal(ILLEGAL, "not_held", named)
    if bit(card) & CHIEFS and s.chief_played[seat]:
        return Refusal("schotten.one_chief", "one_chief", named)
    if card >= CLANS and s.tactics_played[seat] > s.tactics_played[1 - seat]:
        return Refusal("schotten.parity", "parity", named)
    if card == SCOUT:
        return Refusal("schotten.scout", "nothing_to_draw", named)
    if card > SCOUT:
        return Refusal("schotten.ruse_target", "no_target", named)
    if _closed(s, stone):
        return Refusal("schotten.claimed", "claimed", named)
    most = int(interpreted(needed)(s, stone))
    rule = "mud" if most == SIDE_CARDS_MUD else "play"
    return Refusal(f"schotten.{rule}", "full", {**named, "most": most})


def _refuse_return(s: Any, seat: int, card: int) -> Refusal:
    named = {"card": CODES[card]}
    if card not in members(s.place[HAND + seat]):
        return Refusal(ILLEGAL, "not_held", named)
    return Refusal("schotten.one_chief", "keep_chief", named)


def _refuse_take(s: Any, seat: int, card: int, stone: int) -> Refusal:
    named = {"card": CODES[card], "stone": stone + 1, "card_ruse": CODES[s.ruse]}
    sides = [members_of(side_of, s, stone, n) for n in (0, 1)]
    if card not in sides[0] + sides[1]:
        return Refusal(ILLEGAL, "not_there", named)
    if _closed(s, stone):
        return Refusal("schotten.claimed", "claimed", named)
    rule = f"schotten.{CODES[s.ruse]}"
    if (card in sides[seat]) != (s.ruse == REDEPLOY):
        return Refusal(rule, "own_card" if card in sides[seat] else "their_card", named)
    if card >= CLANS:
        return Refusal(rule, "clan_only", named)
    return Refusal("schotten.ruse_target", "no_destination", named)


def _refuse_put(s: Any, seat: int, action: int) -> Refusal:
    rule = f"schotten.{CODES[s.ruse]}"
    named = {"card": CODES[s.taken], "card_ruse": CODES[s.ruse]}
    if action == PUT_AWAY:
        return Refusal(rule, "no_discard", named)
    stone = action - PUT_AT
    named["stone"] = str(stone + 1)
    if _closed(s, stone):
        return Refusal("schotten.claimed", "claimed", named)
    if s.taken in members_of(side_of, s, stone, 0) + members_of(side_of, s, stone, 1):
        return Refusal(rule, "same_stone", named)
    return Refusal(rule, "full", {**named, "most": int(interpreted(needed)(s, stone))})


def members_of(cards: Any, *arguments: Any) -> list[int]:
    """The cards of a set that a kernel gives."""
    word = int(interpreted(cards)(*arguments))
    return [card for card in range(len(CODES)) if word >> card & 1]


# -- claims ---------------------------------------------------------------------------------------


def _refuse_claim(s: Any, seat: int, stone: int) -> Refusal:
    named = {"stone": stone + 1}
    if _closed(s, stone):
        return Refusal("schotten.claimed", "already_claimed", named)
    most = int(interpreted(needed)(s, stone))
    if int(s.complete[seat]) >> stone & 1 == 0:
        laid = len(members_of(side_of, s, stone, seat))
        rule = "mud" if most == SIDE_CARDS_MUD and laid == most - 1 else "claim"
        return Refusal(f"schotten.{rule}", "incomplete", {**named, "most": most, "laid": laid})
    fog = bool(interpreted(foggy)(s, stone))
    theirs = members_of(side_of, s, stone, 1 - seat)
    if int(s.complete[1 - seat]) >> stone & 1:
        mine = members_of(side_of, s, stone, seat)
        strength = _strength(theirs, most, fog)
        if strength == _strength(mine, most, fog):
            return Refusal("schotten.compare", "later", named)
        how, shown = _described(theirs, strength, most)
        return Refusal("schotten.compare", f"loses_{how}", {**named, **shown})
    unseen = interpreted(unseen_clans)(s)
    _, cards = interpreted(answer)(copy_record(s), stone, seat, unseen)
    still = members(np.array([cards]))
    completed = theirs + still
    how, shown = _described(completed, _strength(completed, most, fog), most)
    shown["cards"] = ", ".join(CODES[card] for card in sorted(still))
    return Refusal("schotten.proof", f"unproven_{how}", {**named, **shown})


def _strength(cards: list[int], most: int, fog: bool) -> int:
    side = np.uint64(sum(1 << card for card in cards))
    return int(interpreted(strength_of)(side, most, fog))


def _described(cards: list[int], strength: int, most: int) -> tuple[str, dict[str, Any]]:
    """A complete side as a sentence needs it: the kind of formation, and its colour and values."""
    formation, total = divmod(strength, FORMATION)
    colours = [CODES[card][0] for card in cards if card < CLANS]
    shown: dict[str, Any] = {
        "card_colour": f"colour_{colours[0]}" if colours else "colour_any",
        "total": total,
        "value": total // most,
    }
    values = sorted(
        int(CODES[card][1]) if card < CLANS else WILD_VALUES[CODES[card]] for card in cards
    )
    if formation in (RUN, COLOUR_RUN):
        lowest = (total - most * (most - 1) // 2) // most
        values = list(range(lowest, lowest + most))
    shown["values"] = "-".join(map(str, values))
    return FORMATION_NAMES[formation], shown
