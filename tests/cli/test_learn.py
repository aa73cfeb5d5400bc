"""`tanistry learn`: lessons through a pipe and in a terminal, what misses the goal, and leaving."""

from __future__ import annotations

import io

import pytest

import heir
import tanistry
from tanistry.cli.guide import Guide
from tanistry.cli.plain import Plain
from tanistry.games import registry
from tanistry.match import Game
from tanistry.match.lessons import Step
from tanistry.session.language import texts
from tanistry.session.lesson import Lesson
from tanistry.words import LANGUAGES

from .conftest import Command

GAMES = [name for name, info in tanistry.games().items() if info.package.startswith("tanistry.")]


def numbers(game: Game, step: Step) -> list[str]:
    """What to type to reach the goal of a step."""
    lesson, found = Lesson(game, step), []
    while not lesson.done:
        token = lesson.leading_on()
        found.append(str(lesson.match.legal().index(token) + 1))
        lesson.choose(token)
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_whole_lessons(tanistry_command: Command, name: str, lang: str) -> None:
    game = tanistry.game(name)
    steps = game.lessons(lang)
    typed = [number for step in steps for number in numbers(game, step)]
    done = tanistry_command("learn", name, "--lang", lang, typed="\n".join(typed))
    assert (done.status, done.err) == (0, "")
    lines = iter(done.lines)
    for step in steps:
        for said in (step.title, step.text, step.goal, step.done):
            assert any(said in line for line in lines), said
    assert done.lines[-1].endswith(f": tanistry play {name} --coach")
    assert len([line for line in done.lines if line.startswith("> ")]) == len(typed)


def test_what_misses_the_goal_is_answered(tanistry_command: Command) -> None:
    """Dwarf 2 is too low, Goblin 3 does not follow, and nothing else is on the table."""
    done = tanistry_command("learn", "claim", typed="D2\nr\nG3\nr\nK7\nnine\n9\nd7\nq\n")
    assert done.status == 0
    answers = [part.splitlines()[1] for part in done.out.split("\n> ")[1:8]]
    expected = [
        "Dwarf 2 follows, but it is lower than Dwarf 4",
        "Winning a trick. ",
        "Not allowed: ",
        "Following. ",
        "Not allowed: You do not hold Knight 7.",
        "'nine' is none of the choices",
        "'9' is none of the choices. Type a number from 1 to 2",
    ]
    for answer, begins in zip(answers, expected, strict=True):
        assert answer.startswith(begins)
    assert done.out.count("Well done! ") == 1
    assert "Step 2 of 8: Lose on purpose" in done.lines
    assert "claim." not in done.out


def test_the_rule_is_that_of_the_step_once_nothing_is_refused(tanistry_command: Command) -> None:
    done = tanistry_command("learn", "claim", typed="G3\nr\nD2\nr\nq\n")
    answers = [part.splitlines()[1] for part in done.out.split("\n> ")[1:5]]
    assert answers[1].startswith("Following. ")
    assert answers[3].startswith("Winning a trick. ")


def test_help_and_what_leads_on(tanistry_command: Command) -> None:
    done = tanistry_command("learn", "claim", typed="?\nh\ne\nt\nc\nn\n? knight 8\nq\n")
    assert "e: the explanation again." in done.out
    assert "The way on: play Dwarf 7." in done.lines
    assert done.out.count("The king is dead") == 2
    assert done.out.count("Hand (Ailsa): Goblin 3, Dwarf 2, Dwarf 7.") == 2
    assert "Hand (Angus): 2 cards, unseen." in done.lines
    assert "Knight 8.\nValue 8.\n" in done.out
    assert "--hint" not in done.out


@pytest.mark.parametrize("typed", ["", "q\n", "D2\n"])
def test_leaving_says_how_to_go_on(tanistry_command: Command, typed: str) -> None:
    done = tanistry_command("learn", "Claim", "--step", "1", typed=typed)
    assert (done.status, done.err) == (0, "")
    assert done.lines[-1].endswith(": tanistry learn claim --step 1")
    later = tanistry_command("learn", "claim", "--step", "7", "--lang", "fr", typed=f"D2\n{typed}")
    assert later.lines[2].startswith("Étape 7 sur 8 : ")
    assert later.lines[-1].endswith(": tanistry learn claim --step 8")


def test_interrupted(tanistry_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: Plain) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Plain, "read", interrupt)
    done = tanistry_command("learn", "claim", "--step", "3")
    assert (done.status, done.err) == (130, "")
    assert done.lines[-1].endswith(": tanistry learn claim --step 3")


@pytest.mark.parametrize("step", ["0", "9", "-1"])
def test_steps_that_are_not_there(tanistry_command: Command, step: str) -> None:
    done = tanistry_command("learn", "claim", "--step", step)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"tanistry: The lessons of Claim have no step {step}: from 1 to 8.\n"
    french = tanistry_command("learn", "claim", "--step", step, "--lang", "fr")
    assert f"n'ont pas d'étape {step} : de 1 à 8." in french.err


def test_a_game_without_lessons(tanistry_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    tanistry.register(heir.INFO)
    done = tanistry_command("learn", "heir")
    assert (done.status, done.out) == (2, "")
    assert "`tanistry rules heir`" in done.err
    assert done.err.endswith(f"Games with lessons: {', '.join(GAMES)}.\n")
    assert tanistry_command("learn", "clam").err.count("claim") >= 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Person(Terminal):
    """Presses Enter where that goes on, and else types what is next; in haste, there already."""

    def __init__(self, screen: Terminal, typed: list[str], hasty: bool = False) -> None:
        super().__init__()
        self.screen, self.typed, self.hasty = screen, typed, hasty

    def readline(self, _size: int | None = -1) -> str:  # type: ignore[override]
        asked = self.screen.getvalue().splitlines()[-2]
        pressed = asked.startswith("Ent") and not (self.hasty and self.typed)
        return "\n" if pressed else f"{self.typed.pop(0)}\n"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_window_holds_all_that_is_unread(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    game = tanistry.game("kilt")
    for step in game.lessons(lang):
        screen = Terminal()
        person = Person(screen, numbers(game, step))
        Guide(Lesson(game, step), lang, person, screen).teach()
        pages = screen.getvalue().split("\n> ")
        assert len(pages) > 2
        assert all(len(page.splitlines()) < 24 for page in pages)
        assert max(map(len, screen.getvalue().splitlines())) <= 82  # with "> ", which is typed on
        assert not person.typed
        assert texts(lang)("learn.table") in screen.getvalue()


def test_an_answer_typed_where_there_is_more_to_read_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "24")
    game = tanistry.game("kilt")
    step = game.lessons("en")[0]
    screen = Terminal()
    person = Person(screen, numbers(game, step), hasty=True)
    Guide(Lesson(game, step), "en", person, screen).teach()
    assert not person.typed
    assert "Well done!" in screen.getvalue()
