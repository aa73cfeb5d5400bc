"""Puzzles: positions of real matches in which one choice is clearly best for what the seat knows.

How they are found is told in `seeking`. A puzzle is kept as the deal it came from and the choices
up to it. Who solves it is shown what the seat sees, and nothing else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tanistry.analysis.judging import Line
from tanistry.analysis.telling import Voice
from tanistry.analysis.themes import Theme
from tanistry.errors import FileError, OptionError
from tanistry.match import Game, Match
from tanistry.match.game import settled
from tanistry.session.describe import capital
from tanistry.session.names import NAMES

RESULTS = {1.0: "puzzle.wins", 0.5: "puzzle.draws", 0.0: "puzzle.loses"}
"""What is said of a choice where the end can be calculated."""


@dataclass(frozen=True)
class Puzzle:
    """A position and its solution."""

    seed: int
    choices: tuple[str, ...]
    """What was chosen before, from the deal on."""
    solution: str
    worth: tuple[tuple[str, float], ...]
    """The chance that each choice tried leaves, best first."""
    mistake: str
    """The wrong choice that weaker players make most often."""
    line: Line
    """What is expected after the solution."""
    answers: Mapping[str, Line]
    """What is expected after every other choice."""
    themes: tuple[Theme, ...]
    """What it turns on, the most telling first."""
    rating: int

    def win(self, token: str) -> float:
        """The chance that a choice leaves, if it was tried."""
        return dict(self.worth).get(token, 0.0)

    @property
    def certain(self) -> bool:
        """Whether nothing is hidden there any more: what choices leave was calculated."""
        return all(win in RESULTS for _, win in self.worth)

    @property
    def name(self) -> str:
        """The same in every collection it is in."""
        return f"{self.seed}-{len(self.choices)}"


@dataclass(frozen=True)
class Collection:
    """Puzzles of one game."""

    game: Game
    puzzles: tuple[Puzzle, ...]
    """Easiest first."""
    next: int = 0
    """The first deal that was not looked through for them."""

    def match(self, puzzle: Puzzle) -> Match:
        """The match at the position of a puzzle."""
        match = self.game.deal(puzzle.seed)
        for token in puzzle.choices:
            match.play(token)
        return match

    def explained(self, puzzle: Puzzle, lang: str) -> list[str]:
        """The solution in sentences: what it leaves, what follows, what the usual mistake costs,
        and what it turns on."""
        say = self._voice(lang)
        view = self._view(puzzle)
        best = say.doing_in(view, puzzle.solution)
        win = puzzle.win(puzzle.solution)
        if puzzle.certain:
            said = [say("puzzle.open", doing=best, result=say(RESULTS[win]))]
        else:
            said = [say("puzzle.solution", doing=best, win=say.percent(round(win, 2)))]
        if line := say.line(puzzle.line):
            said.append(say("puzzle.line", line=line))
        said.append(self._left("mistake", puzzle, puzzle.mistake, say))
        if not puzzle.certain and (second := puzzle.worth[1][0]) != puzzle.mistake:
            said.append(self._left("second", puzzle, second, say))
        said.append(say("puzzle.turns_on"))
        said += [self._turns(puzzle, theme, say) for theme in puzzle.themes]
        rules = say.words.rules()
        about = [rules[theme.name] for theme in puzzle.themes if theme.name in rules]
        return said + [say("puzzle.rule", title=rule.title, text=rule.text) for rule in about[:1]]

    def answer(self, puzzle: Puzzle, token: str, lang: str) -> str:
        """What is said to a choice that is not the solution, and what it leads to; nothing to the
        solution."""
        if token == puzzle.solution:
            return ""
        say = self._voice(lang)
        known = token in dict(puzzle.worth)
        said = [self._left("other" if known else "strange", puzzle, token, say)]
        if line := say.line(((0, token), *puzzle.answers.get(token, ()))):
            said.append(say("puzzle.leads", line=line))
        apart = (theme for theme in puzzle.themes if theme.sets_apart(token, puzzle.solution))
        if theme := next(apart, None):
            own, best = (token, "choice"), (puzzle.solution, "best")
            said.append(self._compared(theme, own, best, say))
        return " ".join(said)

    def _voice(self, lang: str) -> Voice:
        return Voice(self.game.info, NAMES[: self.game.seats], lang)

    def _view(self, puzzle: Puzzle) -> dict[str, Any]:
        match = self.match(puzzle)
        return match.view(match.to_act)

    def _left(self, key: str, puzzle: Puzzle, token: str, say: Voice) -> str:
        """A sentence about a choice, what it leaves and what it costs, as they are shown."""
        win, best = (round(puzzle.win(one), 2) for one in (token, puzzle.solution))
        doing = say.doing_in(self._view(puzzle), token)
        if puzzle.certain and key != "strange":
            return capital(say(f"puzzle.sure_{key}", doing=doing, result=say(RESULTS[win])))
        cost = say("say.points", n=round(100 * (best - win)))
        return capital(say(f"puzzle.{key}", doing=doing, win=say.percent(win), cost=cost))

    def _turns(self, puzzle: Puzzle, theme: Theme, say: Voice) -> str:
        """What it turns on, and how often that comes up."""
        if theme.sets_apart(puzzle.solution, puzzle.mistake):
            best, usual = (puzzle.solution, "best"), (puzzle.mistake, "usual")
            return self._compared(theme, best, usual, say)
        return say("puzzle.theme", title=self._owned(theme, say))

    def _compared(
        self, theme: Theme, one: tuple[str, str], other: tuple[str, str], say: Voice
    ) -> str:
        """How often each of two choices leads to a theme, by what they are called."""
        often, seldom = (theme.often[token] for token, _ in (one, other))
        if seldom - often == 1:
            return self._compared(theme, other, one, say)
        called = {
            "title": self._owned(theme, say),
            "one": say(f"puzzle.{one[1]}"),
            "other": say(f"puzzle.{other[1]}"),
        }
        if often - seldom == 1:
            return say("puzzle.only", **called)
        return say("puzzle.both", often=say.percent(often), seldom=say.percent(seldom), **called)

    def _owned(self, theme: Theme, say: Voice) -> str:
        """A theme by its title, and whose it is."""
        title = say.theme(theme.name)
        if theme.seat is None:
            return title
        return say("puzzle.of", title=title, name=say.names[theme.seat])

    def to_json(self) -> str:
        """As text, a line for each puzzle."""
        head = {
            "game": self.game.name,
            "version": self.game.info.version,
            "seats": self.game.seats,
            "options": self.game.options,
            "next": self.next,
        }
        lines = ",\n".join(json.dumps(asdict(p), ensure_ascii=False) for p in self.puzzles)
        return f'{json.dumps(head)[:-1]}, "puzzles": [\n{lines}\n]}}\n'


def read_puzzles(text: str) -> Collection:
    """The puzzles of a file; a ValueError or the like if it is none of these rules."""
    kept = json.loads(text)
    game = settled(kept["game"], kept["seats"], tuple(kept["options"].items()))
    if kept["version"] != game.info.version:
        raise ValueError("the rules have changed since")
    return Collection(game, tuple(map(_read, kept["puzzles"])), kept["next"])


def load_puzzles(path: Path) -> Collection:
    """The puzzles of a file that somebody names; OptionError if it is none of ours."""
    try:
        return read_puzzles(path.read_text("utf-8"))
    except OSError as wrong:
        raise FileError("file/read", path, wrong) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise OptionError("puzzles/none", name=str(path)) from None


def _line(steps: list[list[Any]]) -> Line:
    return tuple((seat, token) for seat, token in steps)


def _read(one: dict[str, Any]) -> Puzzle:
    return Puzzle(
        seed=one["seed"],
        choices=tuple(one["choices"]),
        solution=one["solution"],
        worth=tuple((token, win) for token, win in one["worth"]),
        mistake=one["mistake"],
        line=_line(one["line"]),
        answers={token: _line(line) for token, line in one["answers"].items()},
        themes=tuple(Theme(*theme) for theme in one["themes"]),
        rating=one["rating"],
    )


@cache
def puzzles(game: str) -> Collection | None:
    """The puzzles that come with a game, easiest first; None if none do."""
    found = files("tanistry.analysis") / "puzzles" / f"{game}.json"
    return read_puzzles(found.read_text("utf-8")) if found.is_file() else None


def of_the_day(count: int, day: date | None = None) -> int:
    """Which of so many puzzles is that of a day: the same for everybody, each once in a round."""
    number = (day or datetime.now(UTC).date()).toordinal()
    step = next(step for step in range(count * 2 // 3, 2 * count + 2) if math.gcd(step, count) == 1)
    return number * step % count
