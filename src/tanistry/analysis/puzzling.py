"""Puzzles: positions of real matches in which one choice is clearly best for what the seat knows.

How they are found is told in `seeking`. A puzzle is kept as the deal it came from and the choices
up to it. Who solves it is shown what the seat sees, and nothing else.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tanistry.analysis.judging import Line
from tanistry.catalogue import catalogue
from tanistry.errors import FileError, OptionError
from tanistry.match import Game, Match
from tanistry.match.game import settled
from tanistry.session.describe import capital
from tanistry.session.names import NAMES
from tanistry.words import words


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
    themes: tuple[str, ...]
    """The rules it turns on, the most telling first."""
    rating: int

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
        """The solution in sentences: what it leaves, what the usual mistake costs, what follows,
        and the rules it turns on."""
        say, telling = catalogue(lang, "tanistry.analysis"), words(lang, self.game.info)
        told = [("solution", puzzle.solution), ("mistake", puzzle.mistake)]
        if (second := puzzle.worth[1][0]) != puzzle.mistake:
            told.append(("second", second))
        sentences = [self._told(puzzle, key, token, lang) for key, token in told]
        names = NAMES[: self.game.seats]
        steps = [
            say.text("say.step", {"name": names[seat], "choice": telling.token(token, None, names)})
            for seat, token in puzzle.line[1:]
        ]
        if steps:
            sentences.append(say.text("puzzle.line", {"line": ", ".join(steps)}))
        rules = telling.rules()
        about = [rules[rule] for rule in puzzle.themes if rule in rules]
        return sentences + [
            say.text("puzzle.theme", {"title": rule.title, "text": rule.text}) for rule in about
        ]

    def answer(self, puzzle: Puzzle, token: str, lang: str) -> str:
        """What is said to a choice that is not the solution; nothing to the solution."""
        if token == puzzle.solution:
            return ""
        known = token in dict(puzzle.worth)
        return self._told(puzzle, "other" if known else "strange", token, lang)

    def _told(self, puzzle: Puzzle, key: str, token: str, lang: str) -> str:
        """A sentence about a choice and what it leaves."""
        match, say = self.match(puzzle), catalogue(lang, "tanistry.analysis")
        worth = dict(puzzle.worth)
        win, best = (round(worth.get(one, 0.0), 2) for one in (token, puzzle.solution))
        choice = words(lang, self.game.info).token(
            token, match.view(match.to_act), NAMES[: self.game.seats]
        )
        said = {"win": say.percent(win, 0), "cost": say.percent(best - win, 0)}  # as they are shown
        return capital(say.text(f"puzzle.{key}", said | {"choice": choice}))

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


def _read(one: dict[str, Any]) -> Puzzle:
    return Puzzle(
        seed=one["seed"],
        choices=tuple(one["choices"]),
        solution=one["solution"],
        worth=tuple((token, win) for token, win in one["worth"]),
        mistake=one["mistake"],
        line=tuple((seat, token) for seat, token in one["line"]),
        themes=tuple(one["themes"]),
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
