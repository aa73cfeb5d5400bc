"""Puzzles: those that come with the games, how they are found, and how they explain themselves."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

import pytest

import tanistry
from tanistry.analysis import themes
from tanistry.analysis.mind import Mind
from tanistry.analysis.puzzling import Collection, of_the_day, puzzles
from tanistry.analysis.seeking import CALCULATED, CLEARLY
from tanistry.bots.solving import Solver
from tanistry.catalogue import LANGUAGES
from tanistry.words import words

GAMES = [name for name in ("claim", "kilt", "lords", "schotten") if puzzles(name)]
"""Those that come with some."""


def kept(game: str) -> Collection:
    found = puzzles(game)
    assert found
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_is_a_position_with_one_clear_solution(game: str) -> None:
    collection = kept(game)
    rules, say = tanistry.info(game).rules, words("en", tanistry.info(game))
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
        for theme in puzzle.themes:
            assert theme.name in rules or isinstance(say.find(theme.name), str)
            assert not theme.often or set(theme.often) == set(dict(puzzle.worth))
        assert set(puzzle.answers) <= set(legal) - {puzzle.solution}
    ratings = [puzzle.rating for puzzle in collection.puzzles]
    assert ratings == sorted(ratings)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_solution_explains_itself(game: str, lang: str) -> None:
    collection = kept(game)
    for puzzle in collection.puzzles[::10]:
        told = collection.explained(puzzle, lang)
        assert len(told) >= 2 + len(puzzle.themes)
        assert all(sentence and "{" not in sentence for sentence in told)
        if line := collection._voice(lang).line(puzzle.line):
            assert line in told[1], "it follows the solution, not the mistake"


@pytest.mark.parametrize("game", GAMES)
def test_what_always_or_never_follows_is_said_without_numbers(game: str) -> None:
    told = [sentence for p in kept(game).puzzles for sentence in kept(game).explained(p, "en")]
    assert not [said for said in told if "in 100%" in said and "in 0%" in said]


def test_who_goes_on_in_a_line_is_named_once() -> None:
    say = kept("schotten")._voice("en")
    line = ((0, "R5@4"), (0, "claim 4"), (0, "draw clan"), (1, "R6@1"))
    assert say.line(line).count("Ailsa") == 1
    assert say.line(line).count("Angus") == 1
    assert ", then draws" in say.line(line)


def test_french_names_chiefs_with_their_article() -> None:
    said = " ".join(" ".join(kept("kilt").explained(p, "fr")) for p in kept("kilt").puzzles)
    assert "le Chef " in said
    assert not re.search(r"(?:trahir|monter|révéler) Chef ", said)


def test_an_ally_that_lies_face_down_is_called_so() -> None:
    said = " ".join(" ".join(kept("lords").explained(p, "en")) for p in kept("lords").puzzles)
    assert "a face-down card" in said


def test_what_is_said_to_be_lost_is_the_difference_of_what_is_shown() -> None:
    for game in GAMES:
        collection = kept(game)
        for puzzle in (one for one in collection.puzzles if not one.certain):
            told = " ".join(collection.explained(puzzle, "en"))
            best, left = (int(number) for number in re.findall(r"(\d+)%", told)[:2])
            found = re.search(r"it costs (\d+) percentage point", told)
            assert found
            assert int(found[1]) == best - left


@pytest.mark.parametrize("game", ["claim", "schotten"])
def test_where_nothing_is_hidden_one_choice_alone_gets_the_most(game: str) -> None:
    collection = kept(game)
    solver = Solver(collection.game, CALCULATED)
    is_open = collection.game.kernels.open_end
    open_ones = [p for p in collection.puzzles if is_open(collection.match(p)._s)]
    assert open_ones == [puzzle for puzzle in collection.puzzles if puzzle.certain]
    for puzzle in open_ones[::10]:
        results = solver.results(collection.match(puzzle))
        assert results
        named = {collection.game.tokens[action]: result for action, result in results.items()}
        solution = named.pop(puzzle.solution)
        assert solution == puzzle.win(puzzle.solution) > max(named.values())
        told = collection.explained(puzzle, "en")[0]
        assert told.startswith("Nothing is hidden any more")


def test_a_power_is_whose_choice_it_is() -> None:
    """Whoever's cards it moves: who discards an ally of another, or swaps with one, does it."""
    collection = kept("lords")
    powers = {"swap": "lords.fergusson", "discard": "lords.wemyss"}
    met = 0
    for puzzle in collection.puzzles:
        seat = collection.match(puzzle).to_act
        doing = {powers.get(token.split()[0]) for who, token in puzzle.line if who == seat}
        others = {powers.get(token.split()[0]) for who, token in puzzle.line if who != seat}
        for theme in puzzle.themes:
            if theme.name in doing - others:
                assert theme.seat in (seat, None), puzzle.name
                met += 1
    assert met > 5


def test_half_a_choice_turns_on_what_the_whole_does() -> None:
    """Whoever names the card that a traitor is to take has moved nothing yet."""
    game = tanistry.game("schotten")
    for seed in range(100):
        match, player = game.deal(seed=seed), tanistry.bot("random", seed=seed)
        while match.to_act is not None and match.decision != "take":
            match.play(player.choose(match))
        if match.history[-1][1] == "traitor" and len(match.legal()) > 1:
            break
    solution, wrong, *_ = match.legal()
    assert match.copy().play(solution) == []
    assert themes._rule(match, solution) == "schotten.traitor"
    found = themes.Reader(Mind(game, CALCULATED)).themes(match, solution, [wrong])
    assert any(theme.name in game.info.rules for theme in found), "a rule is always named"


@pytest.mark.parametrize("game", GAMES)
def test_themes_tell_puzzles_apart(game: str) -> None:
    every = [tuple(theme.name for theme in puzzle.themes) for puzzle in kept(game).puzzles]
    assert max(Counter(every).values()) < len(every) / 2
    assert len({name for themes in every for name in themes}) >= 8


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_choice_is_answered_with_what_it_leads_to(game: str, lang: str) -> None:
    collection = kept(game)
    puzzle = collection.puzzles[0]
    then = {"en": "Expected then: ", "fr": "Suite attendue\u00a0: "}[lang]
    for token, line in puzzle.answers.items():
        answer = collection.answer(puzzle, token, lang)
        assert answer[0].isupper()
        assert "{" not in answer
        assert (then in answer) == bool(line)


def test_some_come_with_the_package() -> None:
    assert "claim" in GAMES


def test_everybody_has_the_same_puzzle_and_each_comes_once() -> None:
    first = date(2026, 11, 16)
    for count in (1, 2, 7, 100, 113):
        round_ = {of_the_day(count, first + timedelta(k)) for k in range(count)}
        assert round_ == set(range(count))
