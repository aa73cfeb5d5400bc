"""King's Kilt, all of it."""

from tanistry.games.contract import Definition
from tanistry.games.kilt import INFO, cards, rules, telling

DEFINITION = Definition(
    info=INFO,
    rules=rules,
    telling=telling,
    dtype=cards.STATE,
    cards=(*cards.DECKS[0], *cards.DECKS[1]),
    places=cards.PLACES,
    actions=cards.ACTIONS,
    decisions=cards.DECISIONS,
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    refusals=cards.REFUSALS,
    problems=cards.PROBLEMS,
    facts=cards.FACTS,
    tally=cards.TALLY,
    asides=frozenset(["kilt.vacuum"]),
)
