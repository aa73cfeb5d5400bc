"""Puzzles: those that come with the games, how they are found, and how they explain themselves."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

import tanistry
from tanistry.analysis.puzzling import Collection, of_the_day, puzzles
from tanistry.analysis.seeking import CLEARLY
from tanistry.catalogue import LANGUAGES

GAMES = [name for name in ("claim", "kilt", "lords", "schotten") if puzzles(name)]
"""Those that come with some."""


def kept(game: str) -> Collection:
    found = puzzles(game)
    assert found
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_is_a_position_with_one_clear_solution(game: str) -> None:
    collection = kept(game)
    rules = tanistry.info(game).rules
    assert len({puzzle.name for puzzle in collection.puzzles}) == len(collection.puzzles)
    for puzzle in collection.puzzles:
        match = collection.match(puzzle)
        legal = match.legal()
        assert len(legal) > 2
        assert {puzzle.mistake, *(token for token, _ in puzzle.worth)} <= set(legal)
        assert puzzle.mistake in dict(puzzle.worth[1:])
        (best, win), (_, less) = puzzle.worth[:2]
        assert best == puzzle.solution == puzzle.line[0][1]
        assert win - less >= CLEARLY - 1e-4  # both are rounded
        assert puzzle.themes
        assert set(puzzle.themes) <= set(rules)
    ratings = [puzzle.rating for puzzle in collection.puzzles]
    assert ratings == sorted(ratings)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_solution_explains_itself(game: str, lang: str) -> None:
    collection = kept(game)
    for puzzle in collection.puzzles[::10]:
        told = collection.explained(puzzle, lang)
        assert len(told) >= 2 + len(puzzle.themes)
        assert all("{" not in sentence and " " in sentence for sentence in told)


def test_what_is_said_to_be_lost_is_the_difference_of_what_is_shown() -> None:
    for game in GAMES:
        collection = kept(game)
        for puzzle in collection.puzzles:
            told = " ".join(collection.explained(puzzle, "en")[:2])
            best, left, cost = (int(number) for number in re.findall(r"(\d+)%", told)[:3])
            assert cost == best - left


def test_some_come_with_the_package() -> None:
    assert "claim" in GAMES


def test_everybody_has_the_same_puzzle_and_each_comes_once() -> None:
    first = date(2026, 11, 16)
    for count in (1, 2, 7, 100, 113):
        round_ = {of_the_day(count, first + timedelta(k)) for k in range(count)}
        assert round_ == set(range(count))
