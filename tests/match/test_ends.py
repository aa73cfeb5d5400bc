"""Whether a choice is the last can be asked before it is made."""

from __future__ import annotations

import random

import pytest

import tanistry
from tanistry.errors import IllegalMove
from tanistry.games import registry


@pytest.mark.parametrize("name", sorted(registry.games()))
def test_the_last_choice_is_known_as_such(name: str) -> None:
    chance = random.Random(name)
    match = tanistry.game(name).deal(seed=1)
    while match.to_act is not None:
        token, position = chance.choice(match.legal()), match.position()
        ends = match.ends_with(token)
        assert match.position() == position
        events = match.copy().play(token)
        assert match.play(token) == events, "asking changes nothing"
        assert ends == (match.to_act is None)


def test_only_legal_choices_are_asked_about() -> None:
    match = tanistry.game("claim").deal(seed=1)
    other = next(card for card in match.game.codes if card not in match.legal())
    with pytest.raises(IllegalMove):
        match.ends_with(other)
