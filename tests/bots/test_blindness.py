"""What a bot is handed depends on nothing but what its seat knows, whoever wrote the bot."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.bots import bots
from tanistry.bots.blinding import blind

GAMES = sorted(tanistry.games())
CHOICES = (0, 4, 11, 23)
"""After so many choices a bot is asked."""
QUICK = {"champion": {"evaluations": 60}}
ADVICE_OF_ANOTHER = {"people"}
"""Bots whose analysis is that of another one: the champion's."""


@pytest.mark.parametrize("name", GAMES)
def test_blinded_copies_of_two_truths_are_equal(name: str) -> None:
    """A truth and another one that the seat cannot tell from it, blinded with the same seed."""
    for seats in tanistry.info(name).seats:
        match = tanistry.game(name, seats=seats).deal(seed=seats)
        chooser = random.Random(seats)
        while match.to_act is not None:
            if chooser.random() < 0.2:
                seat = chooser.randrange(seats)
                other_truth = match.blind(seat, chooser.randrange(10**6))
                one, two = match.blind(seat, 7)._s, other_truth.blind(seat, 7)._s
                differing = [f for f in one.dtype.names if one[f].tobytes() != two[f].tobytes()]
                assert not differing, f"seat {seat} of {seats} after {len(match.history)} choices"
            match.play(chooser.choice(match.legal()))


def some_way_in(game: str, choices: int) -> tanistry.Match:
    match = tanistry.game(game).deal(seed=21)
    chooser = random.Random(choices)
    for _ in range(choices):
        if match.to_act is not None:
            match.play(chooser.choice(match.legal()))
    return match


def other_truths(match: tanistry.Match) -> list[tanistry.Match]:
    """Matches with another secret behind the same view: other cards, other stream, other seed."""
    seat = match.to_act
    others = [match.blind(seat, seed) for seed in range(4)]
    assert all(other.view(seat) == match.view(seat) for other in others)
    return others


def is_secret_planted(game: str) -> bool:
    match = some_way_in(game, CHOICES[1])
    return any(other.position() != match.position() for other in other_truths(match))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", [*bots(), "people:1", "people:5"])
def test_every_bot_gives_the_same_answer_to_every_truth(name: str, game: str) -> None:
    assert is_secret_planted(game)
    for choices in CHOICES:
        match = some_way_in(game, choices)
        if match.to_act is None:
            continue
        asked = [match, *other_truths(match)]
        quick = QUICK.get(name, {})
        answers = {tanistry.bot(name, seed=4, **quick).choose(truth) for truth in asked}
        assert len(answers) == 1, f"{name} was told something after {choices} choices"
        assert answers <= set(match.legal())
        players: list[Any] = [tanistry.bot(name, seed=4, **quick) for _ in asked]
        if hasattr(players[0], "analyse") and name.partition(":")[0] not in ADVICE_OF_ANOTHER:
            insights = [bot.analyse(truth) for bot, truth in zip(players, asked, strict=True)]
            assert len({insight.tokens for insight in insights}) == 1


class Peeking:
    """A bot that keeps all it is given, to be looked through."""

    def __init__(self) -> None:
        self.given: list[tanistry.Match] = []

    def choose(self, match: tanistry.Match) -> str:
        self.given.append(match)
        return match.legal()[0]

    def analyse(self, match: tanistry.Match) -> str:
        return self.choose(match)


@pytest.mark.parametrize("game", GAMES)
def test_a_peeking_bot_finds_the_blinded_match(game: str) -> None:
    truth = some_way_in(game, 9)
    truth.headers["Salt"] = "told to nobody"
    peeking = Peeking()
    for ask in (blind(peeking, "peeking", 5).choose, blind(peeking, "peeking", 5).analyse):
        ask(truth)
    one, two = peeking.given
    seat = truth.to_act
    assert one.view(seat) == two.view(seat) == truth.view(seat)
    for given in peeking.given:
        assert given.position() != truth.position()
        assert given._key != truth._key
        assert given._s.key.tobytes() != truth._s.key.tobytes()
        assert given._start is not None  # no seed deals this position
        assert not given.history
        assert "Salt" not in given.headers


@pytest.mark.parametrize("game", GAMES)
def test_no_attribute_leads_from_what_a_bot_gets_to_the_truth(game: str) -> None:
    truth = some_way_in(game, 9)
    truth.view(truth.to_act)  # the game keeps what it has named
    peeking = Peeking()
    blind(peeking, "peeking", 5).choose(truth)
    secrets = {id(truth), id(truth.game), id(truth._key), id(truth._s), id(truth.history)}
    secrets |= {id(value) for value in vars(truth.game).values() if isinstance(value, dict)}
    for thing in reachable(peeking.given[0]):
        assert id(thing) not in secrets, type(thing)
        assert not (isinstance(thing, np.ndarray) and np.shares_memory(thing, truth._s.base))


def reachable(start: object) -> Iterator[object]:
    """Everything that attributes, items and closures lead to, but for code that all matches share:
    modules with their functions, classes and what compiled functions keep."""
    seen, waiting = {id(start)}, [start]
    while waiting:
        thing = waiting.pop()
        yield thing
        for further in referents(thing):
            shared = isinstance(further, ModuleType | type)
            shared = shared or type(further).__module__.startswith("numba")
            if id(further) not in seen and not shared:
                seen.add(id(further))
                waiting.append(further)


def referents(thing: object) -> list[Any]:
    if isinstance(thing, FunctionType):  # its globals are its module's
        return [thing.__closure__, thing.__defaults__, thing.__kwdefaults__, vars(thing)]
    return gc.get_referents(thing)


def test_the_search_finds_what_is_hidden_in_any_of_these() -> None:
    truth = some_way_in("claim", 2)

    class Slotted:
        __slots__ = ("kept",)

    slotted = Slotted()
    slotted.kept = truth
    hidden: list[object] = [
        {"kept": [truth]}, slotted, lambda: truth, lambda match=truth: match, truth.play,
        partial(print, truth), iter([truth]),
    ]  # fmt: skip
    for thing in hidden:
        assert any(found is truth for found in reachable(thing)), thing


def test_bots_do_not_share_what_their_games_keep() -> None:
    truth = some_way_in("claim", 9)
    one, other = Peeking(), Peeking()
    for peeking in (one, other):
        blind(peeking, "peeking", 5).choose(truth)
    assert one.given[0].game is not other.given[0].game
    assert one.given[0].game is not truth.game
