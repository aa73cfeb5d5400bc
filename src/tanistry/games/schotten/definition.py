"""Schotten Totten, all of it."""

from tanistry.games.contract import Definition
from tanistry.games.schotten import INFO, cards, rules, telling

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
    secret_from_public=frozenset({"hand", "deck", "tactics"}),
    asides=frozenset(["schotten.draw", "schotten.draw_choice"]),
)
