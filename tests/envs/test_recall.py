"""Information states: what a seat can tell apart, and nothing else."""

from __future__ import annotations

import random

import pytest

import tanistry
from tanistry.envs import Recall, rewards

GAMES = list(tanistry.games())


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_cannot_know_is_not_remembered(name: str) -> None:
    """The truth and a deal made anew from what a seat knows stay the same to it, choice by choice.

    The match goes on as long as what the seat sees of it does: the same choices, as long as they
    are public, and no card turned up that was dealt anew.
    """
    rng = random.Random(4)
    game = tanistry.game(name)
    same = 0
    for number in range(40):
        seat = number % game.seats
        truth = Recall(game.deal(number))
        other = truth.of(truth.match.blind(seat, number))
        while truth.match.to_act is not None and truth.text(seat) == other.text(seat):
            assert truth.match.view(seat) == other.match.view(seat)
            assert truth.match.to_act == other.match.to_act
            legal = truth.match.legal()
            if truth.match.to_act == seat:
                assert other.match.legal() == legal
            token = rng.choice(legal)
            if token not in other.match.legal():
                break
            truth.play(token)
            other.play(token)
            same += 1
    assert same > 40


@pytest.mark.parametrize("name", GAMES)
def test_the_same_memories_mean_the_same_view(name: str) -> None:
    """Many ways to play few deals: wherever the text is the same, so is the view."""
    rng = random.Random(6)
    game = tanistry.game(name)
    views: dict[tuple[int, str], object] = {}
    again = 0
    for number in range(60):
        recall = Recall(game.deal(number % 3))
        for _ in range(6):
            for seat in range(game.seats):
                key = seat, recall.text(seat)
                again += key in views
                view = recall.match.view(seat)
                assert views.setdefault(key, view) == view
            if recall.match.to_act is None:
                break
            recall.play(rng.choice(recall.match.legal()[:3]))
    assert again > 100


def test_nothing_is_forgotten() -> None:
    recall = Recall(tanistry.game("claim").deal(seed=1))
    texts = ["", ""]
    while recall.match.to_act is not None:
        recall.play(recall.match.legal()[0])
        for seat in (0, 1):
            assert recall.text(seat).startswith(texts[seat])
            texts[seat] = recall.text(seat)


def test_own_choices_are_remembered_and_hidden_ones_of_others_are_not() -> None:
    recall = Recall(tanistry.game("lords").deal(seed=2))
    token = next(token for token in recall.match.legal() if token.endswith("down"))
    code = token.split()[0]
    recall.play(token)
    assert f"\n0: {token}\n" in recall.text(0)
    assert code not in recall.text(1)


def test_copies_are_independent() -> None:
    recall = Recall(tanistry.game("claim").deal(seed=1))
    twin = recall.copy()
    twin.play(twin.match.legal()[0])
    assert recall.text(0) != twin.text(0)
    assert recall.match.history == []


@pytest.mark.parametrize("name", GAMES)
def test_rewards_add_up_to_nothing(name: str) -> None:
    rng = random.Random(3)
    for seats in tanistry.info(name).seats:
        match = tanistry.game(name, seats=seats).deal(seed=seats)
        assert rewards(match) == [0.0] * seats
        while match.to_act is not None:
            match.play(rng.choice(match.legal()))
        given = rewards(match)
        assert abs(sum(given)) < 1e-12
        assert match.result is not None
        assert given[match.result.ranking[0][0]] == max(given)
