"""Puzzles are found alike however many look for them, and a search that was stopped goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import tanistry
from tanistry.analysis import seeking
from tanistry.analysis.judging import Opinion, Worth
from tanistry.analysis.mind import Mind
from tanistry.analysis.puzzling import Collection, load_puzzles, read_puzzles
from tanistry.analysis.seeking import Seeker, checked, explain_anew, rating_of, seek, stands_out
from tanistry.errors import OptionError

FIRST = 83


def opinion(*wins: float) -> Opinion:
    return Opinion(tuple(Worth(f"T{k}", win, ()) for k, win in enumerate(wins)))


def test_a_solution_stands_out_by_so_much() -> None:
    assert stands_out(opinion(0.6, 0.5), "T0", 0.05)
    assert not stands_out(opinion(0.6, 0.58), "T0", 0.05)
    assert not stands_out(opinion(0.6, 0.5), "T1", 0.05)
    assert not stands_out(opinion(0.6), "T0", 0.05)


def test_what_every_level_finds_is_easy_and_what_none_finds_is_hard() -> None:
    easy, even, hard = rating_of([0.95] * 5), rating_of([0.5] * 5), rating_of([0.0] * 5)
    assert easy < even < hard
    assert even == 1200


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Collection]:
    """Two puzzles, found by one worker."""
    file = tmp_path_factory.mktemp("puzzles") / "claim.json"
    return file, seek(file, tanistry.game("claim"), 2, first=FIRST)


def test_they_are_kept_in_a_file(found: tuple[Path, Collection]) -> None:
    file, kept = found
    assert load_puzzles(file).puzzles == kept.puzzles
    assert file.read_text("utf-8") == kept.to_json() == read_puzzles(kept.to_json()).to_json()
    assert len(kept.puzzles) == 2
    assert kept.next > max(puzzle.seed for puzzle in kept.puzzles) >= FIRST
    for puzzle in kept.puzzles:
        legal = kept.match(puzzle).legal()
        assert {puzzle.mistake, puzzle.solution, *dict(puzzle.worth)} <= set(legal)
        assert puzzle.mistake != puzzle.solution == puzzle.worth[0][0]


def test_two_workers_find_the_same(found: tuple[Path, Collection], tmp_path: Path) -> None:
    again = tmp_path / "claim.json"
    seek(again, tanistry.game("claim"), 2, first=FIRST, workers=2)
    assert again.read_text("utf-8") == found[0].read_text("utf-8")


def test_a_search_that_was_stopped_goes_on(
    found: tuple[Path, Collection], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file = tanistry.game("claim"), tmp_path / "claim.json"
    seek(file, game, 2, first=FIRST, until=0.0)
    assert file.read_text("utf-8") == Collection(game, (), FIRST).to_json()
    one = seek(file, game, 1)
    assert len(one.puzzles) == 1
    seek(file, game, 2, first=7)
    assert file.read_text("utf-8") == found[1].to_json()
    monkeypatch.setattr(seeking, "spread", lambda *_, **__: pytest.fail("there was nothing to do"))
    told: list[int] = []
    assert seek(file, game, 1, progress=told.append).puzzles == found[1].puzzles
    assert told == [2]


def test_a_puzzle_keeps_its_solution_in_other_deals(found: tuple[Path, Collection]) -> None:
    kept = found[1]
    mind, puzzle = Mind(kept.game), kept.puzzles[0]
    asked = checked(mind, kept.match(puzzle), puzzle.solution, 40, b"other deals")
    assert asked.worths[0].token == puzzle.solution


def test_a_deal_has_the_same_puzzles_each_time(found: tuple[Path, Collection]) -> None:
    kept = found[1]
    seed = kept.puzzles[0].seed
    again = list(Seeker(kept.game).look_through(seed))
    assert all(puzzle in again for puzzle in kept.puzzles if puzzle.seed == seed)


def test_it_may_look_only_where_something_is_hidden(found: tuple[Path, Collection]) -> None:
    kept, seeker = found[1], Seeker(found[1].game, hidden=True)
    known = [puzzle for puzzle in kept.puzzles if seeker.mind.solver.is_open(kept.match(puzzle))]
    assert known, "the deals have puzzles in the second phase"
    for seed in {puzzle.seed for puzzle in known}:
        hidden = list(seeker.look_through(seed))
        assert not any(seeker.mind.solver.is_open(kept.match(puzzle)) for puzzle in hidden)


def test_what_puzzles_turn_on_can_be_found_again(
    found: tuple[Path, Collection], tmp_path: Path
) -> None:
    file = tmp_path / "claim.json"
    untold = [replace(puzzle, themes=(), answers={}) for puzzle in found[1].puzzles]
    file.write_text(replace(found[1], puzzles=tuple(untold)).to_json(), "utf-8")
    told: list[int] = []
    assert explain_anew(file, told.append).puzzles == found[1].puzzles
    assert told == [1, 2]
    assert file.read_text("utf-8") == found[0].read_text("utf-8")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"game": "whist"}'])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text(text, "utf-8")
    with pytest.raises(OptionError) as refused:
        seek(file, tanistry.game("claim"), 1)
    assert refused.value.code == "puzzles/none"
    assert file.read_text("utf-8") == text


def test_a_file_of_another_game_or_other_rules_is_refused(
    found: tuple[Path, Collection], tmp_path: Path
) -> None:
    file = tmp_path / "claim.json"
    file.write_text(found[0].read_text("utf-8"), "utf-8")
    with pytest.raises(OptionError) as refused:
        seek(file, tanistry.game("kilt"), 1)
    assert refused.value.code == "puzzles/other"
    older = json.loads(file.read_text("utf-8")) | {"version": 0}
    file.write_text(json.dumps(older), "utf-8")
    with pytest.raises(OptionError) as refused:
        seek(file, tanistry.game("claim"), 1)
    assert refused.value.code == "puzzles/none"
