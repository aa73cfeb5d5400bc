"""The searching bot: repeatable, blind to what its seat cannot know, and better than chance."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

import tanistry
from tanistry.bots import levels
from tanistry.bots.players.ismcts import STYLES

GAMES = sorted(tanistry.games())


def bot(**settings: Any) -> Any:
    return tanistry.bot("ismcts", seed=3, **settings)


def some_way_in(name: str, choices: int) -> tanistry.Match:
    """A match of a game after some random choices."""
    match = tanistry.game(name).deal(seed=11)
    player = tanistry.bot("random", seed=choices)
    for _ in range(choices):
        if match.to_act is not None:
            match.play(player.choose(match))
    return match


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("choices", [0, 5, 12, 25])
def test_two_truths_one_answer(name: str, choices: int) -> None:
    """States that differ only in what the seat cannot know get the same choice and analysis."""
    match = some_way_in(name, choices)
    if match.to_act is None:
        pytest.skip("over")
    asked = [match] + [match.blind(match.to_act, seed) for seed in range(4)]
    answers = {bot(iterations=200).choose(truth) for truth in asked}
    assert len(answers) == 1
    insights = {bot(iterations=200).analyse(truth).tokens for truth in asked}
    assert len(insights) == 1


@pytest.mark.parametrize("name", GAMES)
def test_same_seed_same_match(name: str) -> None:
    def play() -> list[tuple[int, str]]:
        match = tanistry.game(name).deal(seed=5)
        player = bot(iterations=20)
        while match.to_act is not None:
            match.play(player.choose(match))
        return match.history

    assert play() == play()


@pytest.mark.parametrize("name", GAMES)
def test_plays_every_number_of_seats(name: str) -> None:
    for seats in tanistry.info(name).seats:
        match = tanistry.game(name, seats=seats).deal(seed=seats)
        player = bot(iterations=10)
        while match.to_act is not None:
            match.play(player.choose(match))
        assert match.result


def test_insight_covers_every_legal_token() -> None:
    match = some_way_in("claim", 7)
    before = match.position()
    insight = bot(iterations=2_000).analyse(match)
    assert match.position() == before
    assert sorted(j.token for j in insight.tokens) == sorted(match.legal())
    assert insight.seat == match.to_act
    assert sum(j.visits for j in insight.tokens) == insight.iterations == 2_000
    assert [j.visits for j in insight.tokens] == sorted(j.visits for j in insight.tokens)[::-1]
    for judged in insight.tokens:
        assert 0 <= judged.win <= 1
        assert 0 <= judged.score <= 5
        assert judged.line[0] == (match.to_act, judged.token)
    assert insight.best == insight.tokens[0].token
    assert insight.data()["tokens"][0]["token"] == insight.best


@pytest.mark.parametrize("name", ["schotten", "kilt"])
def test_insight_has_tried_every_legal_token(name: str) -> None:
    """Where the tree widens slowly, and with a budget smaller than the number of tokens."""
    match = tanistry.game(name).deal(seed=7)
    player = bot(iterations=4)
    player.choose(match)
    insight = player.analyse(match)
    assert insight.iterations == max(4, len(match.legal()))
    assert sorted(j.token for j in insight.tokens) == sorted(match.legal())
    assert all(judged.visits > 0 for judged in insight.tokens)


def test_sees_a_won_trick() -> None:
    """With one trick to go and the last faction at stake, it takes the card that wins it."""
    match = tanistry.game("claim").deal(seed=8)
    player = bot(iterations=400)
    while len(match.history) < 48:
        match.play(player.choose(match))
    insight = bot(iterations=5_000).analyse(match)
    assert insight.tokens[0].win == max(j.win for j in insight.tokens)


def test_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    match = tanistry.game("claim").deal(seed=8)
    player = bot(milliseconds=30)
    assert player.choose(match) in match.legal()
    ticks = count()  # a clock that goes a millisecond on whenever somebody looks at it
    clock = SimpleNamespace(perf_counter=lambda: next(ticks) / 1000)
    monkeypatch.setattr("tanistry.bots.players.ismcts.time", clock)
    assert player.analyse(match).iterations > 50
    assert next(ticks) < 40


def test_a_small_pool_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tanistry.bots.players.ismcts.POOL", 50)
    insight = bot(iterations=1_000).analyse(tanistry.game("claim").deal(seed=8))
    assert insight.iterations == 1_000


def test_beats_random() -> None:
    wins = 0.0
    for number in range(20):
        match = tanistry.game("claim").deal(seed=number)
        players = [tanistry.bot("ismcts", level=3, seed=1), tanistry.bot("random", seed=2)]
        if number % 2:
            players.reverse()
        while match.to_act is not None:
            match.play(players[match.to_act].choose(match))
        assert match.result
        best = match.result.ranking[0]
        wins += (number % 2 in best) / len(best)
    assert wins >= 14


def test_levels() -> None:
    assert tuple(levels("ismcts")) == (1, 2, 3, 4, 5)
    budgets = [style.iterations for style in STYLES.values()]
    assert budgets == sorted(budgets)
    assert tanistry.bot("ismcts").name == "ismcts:3"


@pytest.mark.parametrize(
    "settings",
    [
        {"iterations": 0},
        {"iterations": 1.5},
        {"iterations": "20"},
        {"milliseconds": -1},
        {"milliseconds": float("inf")},
        {"blunder": 101},
        {"exploration": float("nan")},
        {"exploration": None},
        {"guided": -1},
        {"widening": "wide"},
        {"depth": 3},
        {"level": 6},
    ],
)
def test_refusals(settings: dict[str, object]) -> None:
    with pytest.raises(tanistry.OptionError):
        tanistry.bot("ismcts", **settings)  # type: ignore[arg-type]


def test_nothing_to_choose_after_the_end() -> None:
    match = some_way_in("claim", 52)
    for ask in (bot().choose, bot().analyse):
        with pytest.raises(tanistry.IllegalMove):
            ask(match)


@pytest.mark.parametrize("name", ["claim", "schotten"])
def test_searches_without_a_compiler_too(name: str) -> None:
    """As anybody does who follows a bot in a debugger."""
    game = tanistry.game(name)
    deals = (game.deal(seed=11), game.interpreted().deal(seed=11))
    compiled, plain = (bot(iterations=20).analyse(match).tokens for match in deals)
    assert compiled == plain
