"""The greedy bot: repeatable, blind to what its seat cannot know, better than chance."""

from __future__ import annotations

import pytest

import tanistry
from tanistry.arena import Contest, run
from tanistry.bots.players import greedy

GAMES = sorted(tanistry.games())


def some_way_in(name: str, choices: int) -> tanistry.Match:
    match = tanistry.game(name).deal(seed=21)
    player = tanistry.bot("random", seed=choices)
    for _ in range(choices):
        if match.to_act is not None:
            match.play(player.choose(match))
    return match


@pytest.mark.parametrize("name", GAMES)
def test_two_truths_one_answer(name: str) -> None:
    check_two_truths(name)


def test_two_truths_one_answer_without_a_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a game that has none: one is enough, since it is nothing of the game's own."""
    monkeypatch.setattr(greedy, "policy_of", lambda _info: None)
    check_two_truths("claim")


def check_two_truths(name: str) -> None:
    for choices in (0, 3, 10, 20):
        match = some_way_in(name, choices)
        if match.to_act is None:
            return
        asked = [match] + [match.blind(match.to_act, seed) for seed in range(4)]
        answers = {tanistry.bot("greedy", seed=4).choose(truth) for truth in asked}
        assert len(answers) == 1
        assert answers <= set(match.legal())


@pytest.mark.parametrize("name", GAMES)
def test_plays_every_number_of_seats(name: str) -> None:
    for seats in tanistry.info(name).seats:
        match = tanistry.game(name, seats=seats).deal(seed=seats)
        player = tanistry.bot("greedy", seed=1)
        while match.to_act is not None:
            match.play(player.choose(match))
        assert match.result


@pytest.mark.parametrize("name", GAMES)
def test_beats_random(name: str) -> None:
    contest = Contest.of(name, ["greedy", "random"], games=60)
    duel = run(contest, workers=1).duel("greedy", "random")
    assert duel.rate > 0.55


def test_nothing_to_choose_after_the_end() -> None:
    match = some_way_in("claim", 52)
    with pytest.raises(tanistry.IllegalMove):
        tanistry.bot("greedy").choose(match)
