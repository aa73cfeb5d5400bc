"""Lessons: every step leads where it says, and answers whatever else one tries."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import heir
import tanistry
from tanistry.catalogue import LANGUAGES
from tanistry.games.registry import definition_of
from tanistry.match import Game
from tanistry.match import game as game_module
from tanistry.match.lessons import Step, described
from tanistry.session.lesson import Lesson
from tanistry.testing import check_lessons

GAMES = [name for name, info in tanistry.games().items() if info.package.startswith("tanistry.")]


@pytest.mark.parametrize("name", GAMES)
def test_every_step_leads_where_it_says(name: str) -> None:
    found = check_lessons(tanistry.game(name))
    assert 6 <= found["steps"] <= 10
    assert found["answers"] >= found["steps"]


@pytest.mark.parametrize("name", GAMES)
def test_lessons_show_how_a_match_is_won(name: str) -> None:
    game = tanistry.game(name)
    won = [played(game, step).match.result for step in game.lessons()]
    assert any(result and result.ranking[0] == [0] for result in won)


def played(game: Game, step: Step) -> Lesson:
    lesson = Lesson(game, step)
    while not lesson.done:
        choice = len(lesson.match.history)
        token = next(token for token in lesson.match.legal() if step.leads_on(choice, token))
        assert lesson.choose(token) == ""
    return lesson


PLAIN_SPACE = re.compile(r" [;!?»]| :(?:\s|$)|« ")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_texts_are_sentences_without_codes(name: str, lang: str) -> None:
    game = tanistry.game(name)
    codes = {card.code for card in game.definition.cards if not card.code.islower()}
    codes |= {name, "seat", "token"}
    for step in game.lessons(lang):
        texts = [step.text, step.goal, step.done, *(text for _, text in step.wrong)]
        for text in texts:
            where = (step.name, text)
            assert not set(re.findall(r"[\w!]+", text)) & codes, where
            assert not re.search(rf"\b{name}\.[a-z]|[{{}}*_@<>]", text), where
            assert text.rstrip("»\u00a0").endswith((".", "!", "?")), where
            assert not (lang == "fr" and PLAIN_SPACE.search(text)), where
            assert len(text) <= 480, where
        assert not step.title.endswith("."), step.name
        assert len(step.title) <= 40, step.name
    assert len({step.title for step in game.lessons(lang)}) == len(game.lessons(lang))


def test_a_wrong_choice_changes_nothing_and_is_answered() -> None:
    game = tanistry.game("claim")
    lesson = Lesson(game, game.lessons()[0])
    before = lesson.match.position()
    assert "lower than Dwarf 4" in lesson.choose("D2")
    with pytest.raises(tanistry.IllegalMove) as refused:
        lesson.choose("G3")
    assert refused.value.rule == "claim.follow"
    assert lesson.match.position() == before
    assert not lesson.done
    assert lesson.choose("D7") == ""
    assert lesson.done


def test_others_play_their_part_of_the_line() -> None:
    game = tanistry.game("kilt")
    nobles = next(step for step in game.lessons() if step.name == "nobles")
    lesson = Lesson(game, nobles)
    lesson.choose("climb 3.0>")
    assert lesson.match.history[-1] == (1, "reveal ML")
    assert (lesson.match.to_act, lesson.match.decision) == (0, "fill")


def test_what_is_not_there() -> None:
    assert Game(definition_of(heir.INFO), None, {}).lessons() == ()
    with pytest.raises(tanistry.OptionError, match="en, fr"):
        tanistry.game("claim").lessons("de")


def test_lessons_as_data_hold_both_languages() -> None:
    first, *_ = described(tanistry.game("claim").definition)
    assert set(first["said"]) == set(LANGUAGES)
    assert first["line"] == (("D7",),)
    assert len([card for cards in first["position"]["places"].values() for card in cards]) == 52


def test_a_game_of_another_package_has_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "learnt" / "lessons"
    folder.mkdir(parents=True)
    (tmp_path / "learnt" / "__init__.py").touch()
    (folder / "steps.toml").write_text(STEPS)
    for lang in LANGUAGES:
        (folder / f"{lang}.toml").write_text(SAID)
    monkeypatch.syspath_prepend(tmp_path)
    definition = definition_of(heir.INFO)
    info = replace(definition.info, package="learnt")
    try:
        game = Game(replace(definition, info=info), None, {})
        (step,) = game.lessons("fr")
        lesson = Lesson(game, step)
        assert lesson.choose("H5") == "Five is less than nine."
        assert lesson.choose("H1") == ""
        assert lesson.done
    finally:
        sys.modules.pop("learnt", None)


STEPS = """
[upstart]
rule = "heir.upstart"
line = ["H1"]
happens = [{ type = "trick", rule = "heir.upstart", seat = 0, card = "H1" }]
[upstart.position]
to_act = 0
decision = "play"
facts = { leader = 1 }
places = { "hand.0" = "H1 H5", "hand.1" = "H2", "trick.1" = "H9", deck = "H3" }
rest = { "won.1" = 0 }
"""
SAID = """
[upstart]
title = "The upstart"
text = "The 1 beats the 9."
goal = "Beat the 9."
done = "Beaten."
wrong = { "H5" = "Five is less than nine." }
"""

Change = Callable[[Step], Step]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda step: replace(step, line=(("D2",),), wrong=(("D7", "?"),)), "does not happen"),
        (lambda step: replace(step, line=(("G3",),)), "is not legal"),
        (lambda step: replace(step, line=(("*",),)), "nothing to choose"),
        (lambda step: replace(step, wrong=()), "D2 has no answer"),
        (lambda step: replace(step, wrong=(*step.wrong, ("K*", "?"))), "answers nothing"),
        (lambda step: replace(step, rule="claim.none"), "no rule claim.none"),
    ],
)
def test_a_step_that_does_not_hold_is_caught(
    change: Change, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tanistry.game("claim")
    changed = [(change(game.lessons(lang)[0]),) for lang in LANGUAGES]
    answers: Any = iter(changed)
    monkeypatch.setattr(game_module, "lessons", lambda *_: next(answers))
    with pytest.raises(AssertionError, match=re.escape(complaint)):
        check_lessons(game)
