"""`tanistry puzzle` and `tanistry puzzles`: solved through a pipe, shown, and looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tanistry.analysis.puzzling import load_puzzles, puzzles
from tanistry.cli.riddle import Riddle

from .conftest import Command
from .test_learn import Person, Terminal

KEPT = puzzles("claim")
assert KEPT
FIRST = KEPT.puzzles[0]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_wrong_choices_are_answered_and_the_solution_explained(
    tanistry_command: Command, lang: str
) -> None:
    assert KEPT
    typed = "\n".join([FIRST.mistake, "b", "?", "nonsense", FIRST.solution, "q"])
    done = tanistry_command("puzzle", "claim", "1", "--lang", lang, typed=typed)
    assert (done.status, done.err) == (0, "")
    parts = done.out.split("> ")
    assert "%" not in parts[0], "nothing is said before somebody has chosen"
    assert KEPT.answer(FIRST, FIRST.mistake, lang) in parts[1]
    for sentence in KEPT.explained(FIRST, lang):
        assert sentence in parts[5]
    assert "{" not in done.out
    assert "claim." not in done.out, "rules go by their titles"


def test_whoever_would_rather_be_told_or_leaves(tanistry_command: Command) -> None:
    assert KEPT
    shown = tanistry_command("puzzle", "claim", "1", "--solve")
    assert shown.status == 0
    assert KEPT.explained(FIRST, "en")[0] in shown.out
    assert shown.lines[1].startswith("At the table you are ")
    assert " leads " in shown.lines[2], "what happened before begins with a trick"
    left = tanistry_command("puzzle", "claim", typed="h\nq\n")
    assert (left.status, left.err) == (0, "")
    assert "The usual mistake, " in left.out
    assert "The puzzle of the day: number " in left.lines[0]
    assert tanistry_command("puzzle", "claim", typed="").status == 0
    refused = tanistry_command("puzzle", "claim", "0")
    assert (refused.status, refused.out) == (2, "")


def test_a_search_stops_in_time_and_keeps_a_file(tanistry_command: Command, tmp_path: Path) -> None:
    file = tmp_path / "claim.json"
    asked = ("puzzles", "claim", "-n", "2", "--minutes", "0", "--workers", "1", "--out", str(file))
    done = tanistry_command(*asked, "--first", "7")
    assert (done.status, done.out) == (0, "")
    assert str(file) in done.err
    assert load_puzzles(file).next == 7
    elsewhere = tmp_path / "none" / "claim.json"  # its folder is made, as by every command
    assert tanistry_command(*asked[:-1], str(elsewhere)).status == 0
    assert elsewhere.is_file()
    file.write_text("something else", "utf-8")
    refused = tanistry_command(*asked)
    assert refused.status == 2
    assert "puzzles" in refused.err


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_window_holds_all_that_is_unread(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "20")
    kept = puzzles("kilt")
    assert kept
    screen, puzzle = Terminal(), kept.puzzles[1]
    person = Person(screen, [puzzle.mistake, puzzle.solution])
    Riddle(kept, puzzle, lang, person, screen).solve()
    assert not person.typed
    assert all(len(page.splitlines()) < 20 for page in screen.getvalue().split("\n> "))
    assert max(map(len, screen.getvalue().splitlines())) <= 62  # with "> ", which is typed on
