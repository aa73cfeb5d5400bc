"""Endings are solved exactly, and only where nothing is hidden from anybody."""

from __future__ import annotations

import pytest

import tanistry
from tanistry.analysis.mind import chances_of
from tanistry.bots.solving import Solver
from tanistry.match import Match


def random_match(game: str, seed: int) -> Match:
    match, bot = tanistry.game(game).deal(seed=seed), tanistry.bot("random", seed=seed)
    while match.to_act is not None:
        match.play(bot.choose(match))
    return match


def before(match: Match, choices: int) -> Match:
    """The match some choices before its end."""
    at = match.beginning()
    for _, token in match.history[: max(0, len(match.history) - choices)]:
        at.play(token)
    return at


def by_hand(match: Match, seat: int) -> float:
    """The result of best play, by trying everything."""
    if match.to_act is None:
        assert match.result is not None
        return chances_of(match.result.ranking, 2)[seat]
    found = []
    for token in match.legal():
        after = match.copy()
        after.play(token)
        found.append(by_hand(after, seat))
    return max(found) if match.to_act == seat else min(found)


def test_endings_are_solved_as_by_hand() -> None:
    for seed in range(6):
        match = before(random_match("claim", seed), 6)
        results = Solver(match.game).results(match)
        assert results
        for action, result in results.items():
            after = match.copy()
            after.play(match.game.tokens[action])
            assert result == by_hand(after, match.to_act or 0)


@pytest.mark.parametrize("game", ["claim", "schotten"])
def test_nothing_is_hidden_where_a_game_says_so(game: str) -> None:
    match = random_match(game, 1)
    at, solver, seen = match.beginning(), Solver(match.game), 0
    for _, token in match.history:
        if solver.is_open(at):
            seen += 1
            for seat in range(2):
                other = at.blind(seat, 7)
                for row in range(2):
                    assert other.view(row) == at.view(row)
        at.play(token)
    assert seen


def test_where_something_is_hidden_nothing_is_said() -> None:
    for game in tanistry.games():
        match = tanistry.game(game).deal(seed=1)
        assert Solver(match.game).results(match) is None


def test_too_much_to_look_at_is_not_known() -> None:
    match = before(random_match("claim", 1), 12)
    assert Solver(match.game).results(match)
    assert Solver(match.game, positions=5).results(match) is None


def test_the_champion_plays_endings_exactly() -> None:
    match = random_match("claim", 2)
    champion = tanistry.bot("champion", evaluations=20)
    for choices in range(2, 12):
        at = before(match, choices)
        results = Solver(at.game).results(at)
        assert results
        assert results[at.game.actions[champion.choose(at)]] == max(results.values())
