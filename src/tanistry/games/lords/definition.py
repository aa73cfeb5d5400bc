"""Lords of Scotland, all of it."""

from tanistry.games.contract import Definition
from tanistry.games.lords import INFO, cards, rules, telling, told

DEFINITION = Definition(
    info=INFO,
    rules=rules,
    telling=telling,
    dtype=cards.STATE,
    cards=cards.DECK_LIST,
    places=cards.PLACES,
    actions=cards.ACTIONS,
    decisions=cards.DECISIONS,
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    refusals=told.REFUSALS,
    problems=told.PROBLEMS,
    facts=told.FACTS,
    flags=told.FLAGS,
    tally=told.TALLY,
    secret_from_public=frozenset({"army"}),
    asides=frozenset(["round", "flip", "refill", "supporter", "army", "doubled", "skip"]),
)
