"""What came out: per pair of entrants, with intervals, ratings and a file that can be gone on from.

The share of an entrant in a match is the part of its opponents that it ranks above, ties counting
half: with two seats the win rate. Intervals are over deals, since the two matches of one deal are
not independent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tanistry.arena.contest import Contest, Encounter
from tanistry.errors import FileError, OptionError
from tanistry.simulation.intervals import Z, wilson
from tanistry.storage import replacing

FORMAT = 1


@dataclass(frozen=True)
class Outcome:
    """One match, as entrant a saw it."""

    points: float
    scores: tuple[int, ...]
    seconds: tuple[float, float]
    choices: tuple[int, int]

    @property
    def turned(self) -> Outcome:
        """The same match, as entrant b saw it."""
        return Outcome(1 - self.points, self.scores, self.seconds[::-1], self.choices[::-1])


@dataclass(frozen=True)
class Duel:
    """How a did against b."""

    a: str
    b: str
    matches: int
    rate: float
    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether the interval excludes equality."""
        return self.low > 0.5 or self.high < 0.5


@dataclass(frozen=True)
class Line:
    """An entrant in the final table."""

    name: str
    rate: float
    low: float
    high: float
    rating: float | None
    deviation: float | None
    milliseconds: float


@dataclass(frozen=True)
class Standings:
    """The contest in figures: entrants best first, and all duels."""

    lines: tuple[Line, ...]
    duels: tuple[Duel, ...]


def interval(values: list[float]) -> tuple[float, float, float]:
    """Mean and 95 % interval of independent values between 0 and 1."""
    n = len(values)
    if n == 0:
        return 0.5, 0.0, 1.0
    mean = sum(values) / n
    if n > 1 and len(set(values)) > 1:
        variance = sum((v - mean) ** 2 for v in values) / (n - 1)
        half = Z * math.sqrt(variance / n)
        return mean, max(0.0, mean - half), min(1.0, mean + half)
    # All the same (or a single one): Wilson's interval, which does not collapse.
    return mean, *wilson(mean, n)


def _read_outcome(data: dict[str, Any]) -> Outcome:
    lists = ("scores", "seconds", "choices")
    return Outcome(data["points"], *(tuple(data[name]) for name in lists))


def _read_encounter(item: dict[str, Any]) -> tuple[Encounter, tuple[Outcome, Outcome]]:
    one, two = map(_read_outcome, item["matches"])
    return Encounter(item["a"], item["b"], item["deal"]), (one, two)


def _first_versions(played: Iterable[Encounter]) -> dict[str, int]:
    """Of a file that does not say: it was written when every bot had its first."""
    texts = {text for encounter in played for text in (encounter.a, encounter.b)}
    return {text.partition(",")[0].partition(":")[0]: 1 for text in texts}


def _encounters(outcomes: dict[Encounter, tuple[Outcome, Outcome]]) -> list[dict[str, Any]]:
    """As plain JSON data, deal by deal."""
    return [
        {
            "a": encounter.a,
            "b": encounter.b,
            "deal": encounter.deal,
            "matches": [vars(outcome) for outcome in pair],
        }
        for encounter, pair in sorted(
            outcomes.items(), key=lambda item: (item[0].deal, item[0].a, item[0].b)
        )
    ]


class Results:
    """All outcomes so far."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.interrupted = False
        self._outcomes: dict[Encounter, tuple[Outcome, Outcome]] = {}
        self._others: dict[Encounter, tuple[Outcome, Outcome]] = {}
        """What the file holds beside this contest: other pairs, later deals. It is kept there."""
        self._versions = contest.versions()
        """Of all bots in the file."""

    def has(self, encounter: Encounter) -> bool:
        return encounter in self._outcomes

    def missing(self) -> list[Encounter]:
        """What the contest still has to play."""
        return [e for e in self.contest.encounters() if e not in self._outcomes]

    def add(self, encounter: Encounter, outcomes: tuple[Outcome, Outcome]) -> None:
        self._outcomes[encounter] = outcomes

    # -- figures --------------------------------------------------------------------------------

    def _of_pair(self, a: str, b: str) -> list[float]:
        """The share of a in each deal against b."""
        found = []
        for encounter, (first, second) in self._outcomes.items():
            if (encounter.a, encounter.b) == (a, b):
                found.append((first.points + second.points) / 2)
            elif (encounter.a, encounter.b) == (b, a):
                found.append(1 - (first.points + second.points) / 2)
        return found

    def duel(self, a: str, b: str) -> Duel:
        shares = self._of_pair(a, b)
        return Duel(a, b, 2 * len(shares), *interval(shares))

    def _speed(self, name: str) -> float:
        """Mean milliseconds per choice."""
        seconds, choices = 0.0, 0
        for encounter, outcomes in self._outcomes.items():
            for side, who in enumerate((encounter.a, encounter.b)):
                if who == name:
                    seconds += sum(outcome.seconds[side] for outcome in outcomes)
                    choices += sum(outcome.choices[side] for outcome in outcomes)
        return 1000 * seconds / choices if choices else 0.0

    def table(self) -> Standings:
        entrants = self.contest.entrants
        rated = self.ratings()
        lines = []
        for name in entrants:
            shares = [v for other in entrants if other != name for v in self._of_pair(name, other)]
            rating, deviation = rated.get(name, (None, None))
            lines.append(Line(name, *interval(shares), rating, deviation, self._speed(name)))
        if self.contest.ladder and rated:
            lines.sort(key=lambda line: -(line.rating or 0))
        elif not self.contest.ladder:
            lines.sort(key=lambda line: -line.rate)
        return Standings(tuple(lines), tuple(self.duel(a, b) for a, b in self.contest.pairs))

    def ratings(self) -> dict[str, tuple[float, float]]:
        """OpenSkill ratings (mean and deviation), if that package is there."""
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            return {}
        model = PlackettLuce()
        rated: dict[str, Any] = {name: model.rating(name=name) for name in self.contest.entrants}
        for encounter in sorted(self._outcomes, key=lambda e: (e.deal, e.a, e.b)):
            for outcome in self._outcomes[encounter]:
                teams = [[rated[encounter.a]], [rated[encounter.b]]]
                scores = [outcome.points, 1 - outcome.points]
                (new_a,), (new_b,) = model.rate(teams, scores=scores)
                rated[encounter.a], rated[encounter.b] = new_a, new_b
        return {name: (float(r.mu), float(r.sigma)) for name, r in rated.items()}

    # -- on disk --------------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        """Everything as plain JSON data."""
        table = self.table()
        return {
            "format": FORMAT,
            "contest": self.contest.data(),
            "bots": self._versions,
            "entrants": [vars(line) for line in table.lines],
            "duels": [{**vars(duel), "decided": duel.decided} for duel in table.duels],
            "encounters": _encounters(self._outcomes),
        }

    def save(self, path: Path) -> None:
        """Write the file in one go: an interruption leaves the old one or the new one."""
        data = self.data() | {"encounters": _encounters(self._others | self._outcomes)}
        with replacing(path) as fresh:
            fresh.write_text(json.dumps(data, separators=(",", ":")) + "\n")

    @classmethod
    def load(cls, path: Path, contest: Contest) -> Results:
        """Take over what a file holds of a contest; OptionError if it is about another one.

        More games or more entrants than the file has are fine: what is missing will be played.
        Fewer are fine too: what is not asked for stays in the file. Results of another version of
        a bot are refused.
        """
        try:
            data = json.loads(path.read_text("utf-8"))
            same = data["format"] == FORMAT and data["contest"] == contest.data()
            played = dict(map(_read_encounter, data["encounters"]))
            versions = dict(data.get("bots") or _first_versions(played))
        except OSError as wrong:
            raise FileError("file/read", path, wrong) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            same, played, versions = False, {}, {}
        if not same:
            raise OptionError("arena/other", name=str(path))
        results = cls(contest)
        for name, now in results._versions.items():
            if versions.get(name, now) != now:
                raise OptionError(
                    "arena/version", name=str(path), bot=name, found=versions[name], now=now
                )
        results._versions = versions | results._versions
        results._take_over(played)
        return results

    def _take_over(self, played: dict[Encounter, tuple[Outcome, Outcome]]) -> None:
        """Sort what a file holds into what this contest asks for and what it does not."""
        wanted = set(self.contest.encounters())
        for encounter, (one, two) in played.items():
            if encounter in wanted:
                self._outcomes[encounter] = (one, two)
            elif encounter.turned in wanted and encounter.turned not in played:
                self._outcomes[encounter.turned] = (two.turned, one.turned)
            else:
                self._others[encounter] = (one, two)
