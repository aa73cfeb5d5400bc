"""Puzzles: positions of real matches in which one choice is clearly best for what the seat knows.

A puzzle is found in a match that the game's network plays against itself: a choice that leaves
clearly more than the second best, and that weaker levels would mostly miss. It is then asked anew,
longer and in other deals, with more choices tried; only what keeps its solution both times is one.

A puzzle is kept as the deal it came from and the choices up to it. Who solves it is shown what the
seat sees, and nothing else.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from tanistry.analysis.judging import Line, Opinion, judge
from tanistry.analysis.mind import Mind
from tanistry.analysis.outcome import rounded
from tanistry.bots.imagining import legal_set
from tanistry.bots.network import ONE_X
from tanistry.bots.personas import styles
from tanistry.bots.reading import Reader
from tanistry.catalogue import catalogue
from tanistry.match import Game, Match
from tanistry.match.game import settled
from tanistry.match.seeds import fast_seed
from tanistry.session.names import NAMES
from tanistry.simulation.observation import observe
from tanistry.words import words

CLEARLY, SURELY = 0.08, 0.05
"""By how much the solution must leave more than any other choice: when found, when checked."""
CHECKS, CHECK_DEALS = (b"first check", b"second check"), 48
MOST_TRIED = 12
"""Choices that a check tries."""
OPEN = 0.1, 0.9
"""A match must not be decided already."""
MISSED_BY, MISSED = 3, 0.5
"""The weakest so many levels must find the solution less often than this, on average."""
APART = 6
"""Choices between two puzzles of one match."""
FLOOR = 0.001
"""What the network would choose less often than this is never chosen."""
WEAKEST, STEP = 800, 200
"""The ratings that stand for the levels, for the rating of a puzzle."""
CERTAIN = 20.0
"""So much sense, and more, is as good as certainty."""
MOST_THEMES, TURNS, THEME_DEALS = 3, 0.25, 16
"""Rules a puzzle turns on: those that come up so much more often with the solution."""


@dataclass(frozen=True)
class Puzzle:
    """A position and its solution."""

    seed: int
    choices: tuple[str, ...]
    """What was chosen before, from the deal on."""
    solution: str
    worth: tuple[tuple[str, float], ...]
    """The chance that each choice tried leaves, best first."""
    line: Line
    """What is expected after the solution."""
    themes: tuple[str, ...]
    """The rules it turns on, the most telling first."""
    rating: int


@dataclass(frozen=True)
class Collection:
    """Puzzles of one game."""

    game: Game
    puzzles: tuple[Puzzle, ...]

    def match(self, puzzle: Puzzle) -> Match:
        """The match at the position of a puzzle."""
        match = self.game.deal(puzzle.seed)
        for token in puzzle.choices:
            match.play(token)
        return match

    def explained(self, puzzle: Puzzle, lang: str) -> list[str]:
        """The solution in sentences: what it leaves, what the next best leaves, and why."""
        match, say = self.match(puzzle), catalogue(lang, "tanistry.analysis")
        telling = words(lang, self.game.info)
        view, names = match.view(match.to_act), NAMES[: self.game.seats]
        (best, win), (second, less) = puzzle.worth[:2]
        said = {
            "best": telling.token(best, view, names),
            "second": telling.token(second, view, names),
            "win": say.percent(win, 0),
            "less": say.percent(less, 0),
        }
        rules = telling.rules()
        told = [rules[rule] for rule in puzzle.themes if rule in rules]
        return [
            say.text("puzzle.solution", said),
            *(say.text("puzzle.theme", {"title": r.title, "text": r.text}) for r in told),
        ]

    def to_json(self) -> str:
        """As text, a line for each puzzle."""
        head = {
            "game": self.game.name,
            "version": self.game.info.version,
            "seats": self.game.seats,
            "options": self.game.options,
        }
        lines = ",\n".join(json.dumps(asdict(p), ensure_ascii=False) for p in self.puzzles)
        return f'{json.dumps(head)[:-1]}, "puzzles": [\n{lines}\n]}}\n'


def read_puzzles(text: str) -> Collection:
    """The puzzles of a file."""
    kept = json.loads(text)
    game = settled(kept["game"], kept["seats"], tuple(kept["options"].items()))
    return Collection(game, tuple(_read(one) for one in kept["puzzles"]))


def _read(one: dict[str, Any]) -> Puzzle:
    return Puzzle(
        seed=one["seed"],
        choices=tuple(one["choices"]),
        solution=one["solution"],
        worth=tuple((token, win) for token, win in one["worth"]),
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


# -- finding them ---------------------------------------------------------------------------------


def find_puzzles(
    game: Game, n: int, first: int = 0, progress: Callable[[int], None] | None = None
) -> Iterator[Puzzle]:
    """Puzzles of the matches dealt from the seeds `first` and on, until there are n."""
    mind, found = Mind(game), 0
    reader = Reader(mind.evaluator)
    for seed in count(first):
        for puzzle in _in_match(mind, reader, seed):
            yield puzzle
            found += 1
            if progress:
                progress(found)
            if found == n:
                return


def _in_match(mind: Mind, reader: Reader, seed: int) -> Iterator[Puzzle]:
    match, rng, since = mind.game.deal(seed), fast_seed(seed), APART
    while (seat := match.to_act) is not None:
        since += 1
        if since > APART and (puzzle := _puzzle(mind, match, seed)):
            yield puzzle
            since = 0
        drawn, _ = reader.choose(observe(match, seat), legal_set(match), 1.0, FLOOR, rng)
        match.play(mind.game.tokens[drawn])


def _puzzle(mind: Mind, match: Match, seed: int) -> Puzzle | None:
    """A puzzle of what the seat to act must choose, if it is one."""
    legal = match.legal_actions()
    if len(legal) < 3:
        return None
    favourite = mind.game.tokens[mind.ask(match)]
    if not OPEN[0] < mind.chance() < OPEN[1]:
        return None
    solution = _solution(judge(mind, match, favourite, most=4), CLEARLY)
    if solution is None:
        return None
    found = _levels_find(mind, match, solution)
    if sum(found[:MISSED_BY]) / MISSED_BY >= MISSED:
        return None
    for salt in CHECKS:
        opinion = checked(mind, match, solution, CHECK_DEALS, salt)
        if _solution(opinion, SURELY) != solution:
            return None
    return Puzzle(
        seed=seed,
        choices=tuple(token for _, token in match.history),
        solution=solution,
        worth=tuple((worth.token, rounded(worth.win)) for worth in opinion.worths[:5]),
        line=opinion.worths[0].line,
        themes=_themes(mind, match, solution, opinion.worths[1].token),
        rating=_rating(found),
    )


def checked(mind: Mind, match: Match, solution: str, deals: int, salt: bytes) -> Opinion:
    """The choices of a puzzle asked about anew: longer, in other deals, with more of them tried."""
    return judge(mind, match, solution, deals, salt, most=MOST_TRIED, least_likely=0.0)


def _solution(opinion: Opinion, margin: float) -> str | None:
    """The choice that is better than all others by so much."""
    if len(opinion.worths) < 2:
        return None
    best, second = opinion.worths[:2]
    return best.token if best.win - second.win >= margin else None


def _levels_find(mind: Mind, match: Match, solution: str) -> list[float]:
    """How likely each level but the champion's is to choose the solution, the weakest first."""
    mind.ask(match)
    legal, chosen = match.legal_actions(), mind.game.actions[solution]
    logits = {action: int(mind.evaluator.logits[action]) / ONE_X for action in legal}
    best, liking = max(logits.values()), dict(zip(legal, mind.liking(legal), strict=True))
    found = []
    for style in styles(mind.game.name):
        sense = min(style.sense, CERTAIN)
        weights = {
            action: math.exp(sense * (logits[action] - best))
            for action in legal
            if liking[action] >= style.floor
        }
        found.append(weights.get(chosen, 0.0) / sum(weights.values()))
    return found


def _rating(found: list[float]) -> int:
    """Where somebody would solve it every other time, by how often each level does."""
    each = []
    for level, chance in enumerate(found):
        chance = min(0.98, max(0.02, chance))
        each.append(WEAKEST + STEP * level + 400 * math.log10((1 - chance) / chance))
    return 10 * round(sum(each) / len(each) / 10)


def _themes(mind: Mind, match: Match, solution: str, second: str) -> tuple[str, ...]:
    """The rules that come up more often after the solution than after the next best choice."""
    seat = int(match._s.to_act)
    often: dict[str, Counter[str]] = {solution: Counter(), second: Counter()}
    for deal in range(THEME_DEALS):
        known = match.blind(seat, deal)
        for token, counter in often.items():
            counter.update(_rules(mind, known.copy(), seat, token))
    ahead = {rule: n - often[second][rule] for rule, n in often[solution].items()}
    telling = sorted(ahead, key=lambda rule: (-ahead[rule], rule))
    turning = [rule for rule in telling if ahead[rule] >= TURNS * THEME_DEALS]
    return tuple((turning or telling[:1])[:MOST_THEMES])


def _rules(mind: Mind, match: Match, seat: int, token: str) -> set[str]:
    """The rules that come up from a choice until the seat's turn has come again."""
    rules = {event.rule for event in match.play(token)}
    while match.to_act is not None and match.to_act != seat:
        rules |= {event.rule for event in match.play(mind.game.tokens[mind.ask(match)])}
    return rules
