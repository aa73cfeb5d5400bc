"""Claim, all of it."""

from tanistry.games.claim import INFO, cards, rules, telling
from tanistry.games.contract import Definition

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
    refusals=cards.REFUSALS,
    problems=cards.PROBLEMS,
    facts=cards.FACTS,
    tally=cards.TALLY,
    asides=frozenset(
        [
            "claim.prize",
            "claim.spoils1",
            "claim.spoils2",
            "claim.undead",
            "claim.dwarf",
            "claim.discard1",
        ]
    ),
)
