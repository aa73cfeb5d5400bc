"""Between the kernels' numbers and people's words: tokens, facts, refusals."""

from typing import Any

from heir import INFO, cards, rules
from heir.cards import CODES, HAND, HAND_SIZE, TRICK, WON
from tanistry.errors import PositionError
from tanistry.games.contract import Definition, Refusal
from tanistry.table.bits import members


# --8<-- [start:facts]
def facts(s: Any) -> dict[str, Any]:
    """What a position says beside where the cards are. All of it is public."""
    return {"leader": int(s.leader)}


def restore(s: Any, given: dict[str, Any]) -> None:
    leader = given.pop("leader", None)
    if type(leader) is not int or leader not in (0, 1):
        raise PositionError("position/fact_value", name="leader", value=leader, allowed="0, 1")
    s.leader = leader


# --8<-- [end:facts]


# --8<-- [start:check]
def check(s: Any) -> None:
    """Whether the numbers of cards and the turn fit together."""
    size = [len(members(s.place[number])) for number in range(len(cards.PLACES))]
    left = HAND_SIZE - (size[WON] + size[WON + 1]) // 2  # tricks still to come
    for seat in (0, 1):
        found = size[HAND + seat] + size[TRICK + seat]
        if found != left:
            raise PositionError("position/count", name=f"hand.{seat}", count=found, expected=left)
    leader = int(s.leader)
    turn = -1 if left == 0 else (1 - leader if size[TRICK + leader] else leader)
    if size[TRICK + 1 - leader] or int(s.to_act) != turn:
        raise PositionError("position/turn", info=INFO, leader=leader)


# --8<-- [end:check]


# --8<-- [start:refuse]
def refuse(s: Any, action: int) -> Refusal:
    """Why a card cannot be played now."""
    if action in members(s.place[HAND + int(s.to_act)]):
        return Refusal("heir.lead", "lead", {"card": CODES[action]})
    return Refusal("common.illegal", "not_held", {"card": CODES[action]})


# --8<-- [end:refuse]


# --8<-- [start:definition]
DEFINITION = Definition(
    info=INFO,
    rules=rules,
    dtype=cards.STATE,
    places=cards.PLACES,
    cards=lambda _options: CODES,
    tokens=lambda _options: CODES,  # a choice is a card, so action and card have one number
    decisions=("play",),
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    facts=facts,
    restore=restore,
    check=check,
    refuse=refuse,
)
# --8<-- [end:definition]
