"""Whole matches as players read them, in both languages: events, choices and refusals in words."""

from __future__ import annotations

import random
import re

import pytest

import tanistry
from tanistry.errors import IllegalMove
from tanistry.games import registry
from tanistry.words import words
from tests.games.schotten_positions import setup

NAMES = ["Ailsa", "Iain", "Una", "Eilidh", "Oona"]
NEVER = {
    "a rule's id": re.compile(r"\b(?:claim|kilt|schotten|lords|common)\.[a-z]"),
    "a seat's number": re.compile(r"\b(?:[Ss]eat|[Pp]lace|[Ss]iège) \d"),
    "a place's name": re.compile(r"\b[a-z]+\.\d"),
    "a plural in brackets": re.compile(r"\((?:s|e|es)\)"),
    "an unfilled value": re.compile(r"[{}]|\bNone\b"),
}
FRENCH = {
    "no space before a sign": re.compile(r"[^\s\u00a0\u202f!?…(«][:;!?»](?:\s|$)"),
    "a space that breaks before a sign": re.compile(r" [:;!?»]"),
    "no elision": re.compile(r"\b[Dd]e [AEIOUÉÈÊÒ]"),
    "somebody's place, or their stead": re.compile(r"\bà la place d"),
}
REFUSED_OF = 25
"""One choice in so many is answered with everything that is refused."""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", sorted(registry.games()))
def test_what_players_read_in_a_match(game: str, lang: str) -> None:
    made = tanistry.game(game, seats=registry.info(game).seats[-1])
    say = words(lang, made.info)
    chance = random.Random(game)
    read: set[str] = set()
    for seed in range(2):
        match = made.deal(seed=seed)
        for count in range(300):
            if match.to_act is None:
                break
            seat = chance.choice([None, *range(made.seats)])
            legal = match.legal()
            view, tally = match.view(match.to_act), match.tally(match.to_act)
            read |= {say.token(token, view, NAMES[: made.seats], tally) for token in legal}
            if count % REFUSED_OF == 0:
                read |= refusals(match, lang, chance)
            by = match.to_act
            for event in match.play(chance.choice(legal)):
                seen = event.seen_by(seat)
                read |= {say.event(seen, NAMES[: made.seats], known) for known in (None, by)}
    codes = {card.code for card in made.definition.cards if re.search(r"\d|!", card.code)}
    assert len(read) > 30
    for text in read:
        for what, pattern in {**NEVER, **(FRENCH if lang == "fr" else {})}.items():
            assert not pattern.search(text), f"{what}: {text!r}"
        assert not codes & set(re.findall(r"[\w!]+", text)), f"a card's code: {text!r}"


def refusals(match: tanistry.Match, lang: str, chance: random.Random) -> set[str]:
    """Why choices are not legal now."""
    wrong = sorted(set(match.game.actions) - set(match.legal()))
    found = set()
    for token in chance.sample(wrong, min(20, len(wrong))):
        with pytest.raises(IllegalMove) as refused:
            match.play(token)
        found.add(refused.value.message(lang))
    return found


RUSES = {
    "scout; draw clan; draw clan; draw tactic; return P1; return R1": [
        "Ailsa plays the Scout.",
        *2 * ["Scout: Ailsa draws a card from the clan pile."],
        "Scout: Ailsa draws a card from the tactic pile.",
        *2 * ["Scout: Ailsa slips a card under the clan pile."],
    ],
    "redeploy; take Y4@3; put @5": [
        "Ailsa plays the Redeployment.",
        "Redeployment: Ailsa moves Yellow 4 from stone 3 to stone 5.",
    ],
    "deserter; take B6@3": [
        "Ailsa plays the Deserter.",
        "Deserter: Ailsa discards Blue 6 from stone 3.",
    ],
    "traitor; take B6@3; put @2": [
        "Ailsa plays the Traitor.",
        "Traitor: Ailsa makes Blue 6 change sides, from stone 3 to stone 2.",
    ],
}


@pytest.mark.parametrize("ruse", RUSES)
def test_a_ruse_is_told_with_what_it_does(ruse: str) -> None:
    """By whom it was played, then each thing it did: to the other, who sees no card of a hand."""
    tokens = ruse.split("; ")
    match = setup({3: ("Y4 Y5", "B6")}, hands=(f"{tokens[0]} P1 R1", "P2"))
    say = words("en", match.game.info)
    events = [event for token in tokens for event in match.play(token)]
    assert [say.event(event.seen_by(1), NAMES[:2], by=0) for event in events] == RUSES[ruse]
