"""The bot that searches: information-set Monte Carlo tree search, in five levels.

    bot = tanistry.bot("ismcts", level=4, seed=1)
    bot.choose(match)          # a token
    bot.analyse(match)         # an Insight: what it thinks of every legal token

A level is a budget of iterations, the same on every machine: with a seed, choices can be repeated.
`iterations` or `milliseconds` given instead of the level's budget overrule it; by the clock the
answer depends on the machine.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.bots import search
from tanistry.bots.desk import new_desk, searcher, set_root
from tanistry.bots.search import Desk
from tanistry.errors import OptionError
from tanistry.match.seeds import fast_seed
from tanistry.simulation.policy import policy_of

if TYPE_CHECKING:
    from tanistry.games.contract import GameInfo
    from tanistry.match import Game, Match


@dataclass(frozen=True)
class Style:
    """How a level plays."""

    title: str
    iterations: int
    blunder: int = 0
    """In how many percent it plays any legal token, as people who learn a game do."""


STYLES = {
    1: Style("beginner", 8, blunder=82),
    2: Style("learner", 15, blunder=55),
    3: Style("casual", 25, blunder=30),
    4: Style("keen", 50, blunder=10),
    5: Style("master", 10_000),
}


def styles(info: GameInfo) -> dict[int, Style]:
    """How the levels play a game: its policy may name budgets of its own."""
    own: Mapping[int, int] = getattr(policy_of(info), "BUDGETS", {})
    return {
        level: replace(style, iterations=own.get(level, style.iterations))
        for level, style in STYLES.items()
    }


POOL = 1 << 18
"""The most nodes a tree may have; when they are used up the search goes on without growing it."""
OWN_BUDGET = ("iterations", "milliseconds", "blunder")
"""What somebody may ask for in place of what the level says."""
CHUNK_SECONDS = 0.004
"""A search by the clock looks at it about this often."""
LINE_LENGTH = 6
"""How many choices ahead an expected line shows."""
LINE_VISITS = 4
"""A choice seen less often than this is no expectation."""


@dataclass(frozen=True)
class Settings:
    """What the search may be tuned by."""

    exploration: float = 0.35
    """How much a rarely tried choice is favoured (the constant of the confidence bound)."""
    by_rank: float = 0.25
    """The weight of the rank in what a result is worth; with two seats the same as winning."""
    by_score: float = 0.1
    """The weight of the share of points."""
    guided: int | None = None
    """Percent of simulated choices made by the game's policy; None: as the game says."""
    widening: float | None = None
    """Children of a node per square root of its visits; 0: all at once; None: as the game says."""

    def array(self, game: Game) -> Any:
        values = np.zeros(search.SETTINGS)
        values[search.EXPLORATION] = self.exploration
        values[search.BY_RANK] = self.by_rank
        values[search.BY_SCORE] = self.by_score
        policy = policy_of(game.info)
        values[search.GUIDED] = getattr(policy, "GUIDED", 0) if self.guided is None else self.guided
        values[search.WIDENING] = (
            getattr(policy, "WIDENING", 0) if self.widening is None else self.widening
        )
        return values


@dataclass(frozen=True)
class Judgement:
    """What the search thinks of one legal token."""

    token: str
    visits: int
    win: float
    """The estimated chance to win (a shared win counts in part); for a token never tried, 0."""
    score: float
    """The expected points at the end."""
    line: tuple[tuple[int, str], ...]
    """The choices it expects, as (seat, token), beginning with this one."""
    error: float = 0.0
    """How far off `win` may well be (a standard error), where that is known."""


def untried(seat: int, legal: Iterable[str], judged: Iterable[Judgement]) -> list[Judgement]:
    """Of the legal tokens that were not judged: that nothing is known of them."""
    known = {judgement.token for judgement in judged}
    return [Judgement(t, 0, 0.0, 0.0, ((seat, t),)) for t in legal if t not in known]


@dataclass(frozen=True)
class Insight:
    """An analysis: all legal tokens, best first."""

    seat: int
    iterations: int
    seconds: float
    tokens: tuple[Judgement, ...]

    @property
    def best(self) -> str:
        return self.tokens[0].token

    def data(self) -> dict[str, Any]:
        """As plain JSON data."""
        return asdict(self)


def _check_value(name: str, value: Any) -> None:
    """Refuse what would make no sense to the kernels, which check nothing."""
    if value is None and name in (*OWN_BUDGET, "guided", "widening"):
        return
    number = isinstance(value, int | float) and type(value) is not bool and math.isfinite(value)
    if name == "iterations":
        fits, allowed = type(value) is int and value > 0, "1, 2, 3 …"
    elif name == "milliseconds":
        fits, allowed = number and value > 0, "> 0"
    elif name in ("blunder", "guided"):
        fits, allowed = number and 0 <= value <= 100, "0–100"
    else:
        fits, allowed = number and value >= 0, "≥ 0"
    if not fits:
        raise OptionError("option/value", name=name, value=value, allowed=allowed)


class IsmctsBot:
    """Searches a tree of choices over many possible deals. Not to be shared between threads."""

    levels = tuple(STYLES)
    default_level = 3
    version = 1

    def __init__(
        self,
        *,
        seed: bytes,
        level: int = default_level,
        iterations: int | None = None,
        milliseconds: float | None = None,
        blunder: int | None = None,
        exploration: float = Settings.exploration,
        by_rank: float = Settings.by_rank,
        by_score: float = Settings.by_score,
        guided: int | None = None,
        widening: float | None = None,
    ) -> None:
        self.level = level
        self.settings = Settings(exploration, by_rank, by_score, guided, widening)
        own = {"iterations": iterations, "milliseconds": milliseconds, "blunder": blunder}
        for name, value in {**own, **asdict(self.settings)}.items():
            _check_value(name, value)
        self.iterations, self.milliseconds = iterations, milliseconds
        if blunder is None:
            # A budget of one's own is one to be made the most of.
            blunder = STYLES[level].blunder if iterations is milliseconds is None else 0
        self._blunder = blunder / 100
        self._seed = seed
        self._questions = 0
        self._desks: dict[tuple[str, int, int], Desk] = {}

    def choose(self, match: Match) -> str:
        """The token it plays for the seat to act."""
        chance = self._begin()
        legal = match.legal()
        if len(legal) == 1:
            return legal[0]
        if chance[0] < self._blunder:
            return legal[int(chance[1] * len(legal))]
        desk, _ = self._search(match)
        return match.game.tokens[int(_root_children(desk)[0]["action"])]

    def analyse(self, match: Match) -> Insight:
        """What it thinks of every legal token, best first.

        Each is tried at least once, also one that `choose` would never look at.
        """
        self._begin()
        game, seat, legal = match.game, match._s.to_act, match.legal()
        began = time.perf_counter()
        desk, iterations = self._search(match, least=len(legal))
        seconds = time.perf_counter() - began
        judged = []
        for node in _root_children(desk):
            action, visits = int(node["action"]), int(node["visits"])
            win, points = desk.wins[action] / visits, desk.points[action] / visits
            line = _line(game, desk, node)
            judged.append(Judgement(game.tokens[action], visits, float(win), float(points), line))
        judged += untried(int(seat), legal, judged)
        return Insight(int(seat), iterations, seconds, tuple(judged))

    def _begin(self) -> tuple[float, float]:
        """Turn to the next question; two numbers from 0 to 1 that it is answered by."""
        self._questions += 1
        number = self._questions.to_bytes(8, "little")
        self._key = hashlib.sha256(b"ismcts" + self._seed + number).digest()
        numbers = hashlib.sha256(b"style" + self._key).digest()
        first, second = (int.from_bytes(numbers[i : i + 6], "little") / 2**48 for i in (0, 6))
        return first, second

    def _search(self, match: Match, least: int = 0) -> tuple[Desk, int]:
        """Search from a match; the desk then holds the tree. How many iterations.

        With `least` all choices at the root are tried, in at least so many iterations.
        """
        game = match.game
        iterations = max(self.iterations or styles(game.info)[self.level].iterations, least)
        budget = iterations if self.milliseconds is None else POOL
        key = (game.name, game.seats, len(game.tokens))
        if key not in self._desks:
            self._desks[key] = new_desk(game, max(min(8 * budget, POOL), len(game.tokens)) + 1)
        desk = self._desks[key]
        set_root(desk, match, hashlib.sha256(b"blind" + self._key).digest())
        rng = fast_seed(hashlib.sha256(b"search" + self._key).digest())
        kernel = searcher(game).search
        seat = int(match._s.to_act)
        settings = self.settings.array(game)
        settings[search.WHOLE_ROOT] = least

        def go(first: int, iterations: int) -> None:
            kernel(desk, seat, first, iterations, settings, rng)

        if self.milliseconds is None:
            go(0, iterations)
            return desk, iterations
        return desk, _by_the_clock(go, self.milliseconds / 1000)


def _by_the_clock(go: Any, seconds: float) -> int:
    """Search in small portions until the time is over; how many iterations that made."""
    go(0, 1)  # the compiler's time, if it must be called, is not counted
    done, chunk = 1, 16
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        go(done, chunk)
        done += chunk
        each = (time.perf_counter() - began) / (done - 1)
        chunk = max(1, int(min(CHUNK_SECONDS, seconds - spent) / each))
    return done


def _children(desk: Desk, parent: Any) -> list[Any]:
    """The nodes below a node, most visited first, of equals the one with the better results."""
    found = []
    child = int(parent["child"])
    while child:
        found.append(desk.nodes[child])
        child = int(desk.nodes[child]["sibling"])
    return sorted(found, key=_merit)


def _merit(node: Any) -> tuple[int, float, int]:
    visits = int(node["visits"])
    return -visits, -float(node["total"]) / max(visits, 1), int(node["action"])


def _root_children(desk: Desk) -> list[Any]:
    return _children(desk, desk.nodes[0])


def _line(game: Game, desk: Desk, node: Any) -> tuple[tuple[int, str], ...]:
    line = [(int(node["actor"]), game.tokens[int(node["action"])])]
    while len(line) < LINE_LENGTH:
        below = _children(desk, node)
        if not below or below[0]["visits"] < LINE_VISITS:
            break
        node = below[0]
        line.append((int(node["actor"]), game.tokens[int(node["action"])]))
    return tuple(line)


BOT = IsmctsBot
