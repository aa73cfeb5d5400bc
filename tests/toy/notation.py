from typing import Any

from tanistry.errors import PositionError
from tanistry.games.contract import Definition, Refusal
from tanistry.table.bits import members
from tests.toy import INFO, cards, rules


def check(s: Any) -> None:
    for seat in (0, 1):
        held = len(members(s.place[cards.HAND + seat])) + len(members(s.place[cards.TABLE + seat]))
        if held != 2:
            raise PositionError("position/count", name=f"hand.{seat}", count=held, expected=2)


def refuse(_s: Any, action: int) -> Refusal:
    return Refusal("common.illegal", "not_held", {"card": cards.CODES[action]})


DEFINITION = Definition(
    info=INFO,
    rules=rules,
    dtype=cards.STATE,
    places=cards.PLACES,
    cards=lambda _options: cards.CODES,
    tokens=lambda _options: cards.CODES,
    decisions=("play",),
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    facts=lambda _s: {},
    restore=lambda _s, _given: None,
    check=check,
    refuse=refuse,
)
