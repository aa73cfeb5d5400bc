"""What an analysis finds: the curve, every choice judged, luck and skill of every seat.

    result − start = Σ skill of all choices + luck + end

For each seat and exactly. `start` is an even chance, before anything is dealt. Luck is what the
cards brought: the deal, and with every choice by how much the chances after it differ from what was
to be expected before anything was drawn. A deck knows nobody, so luck is zero on average, whoever
plays and whatever the curve is worth. All the rest is what the choices did to the curve; what comes
of itself, because somebody has nothing to choose, belongs to the choice before it. The end is
nothing in a match that was played out: where somebody gave up or ran out of time, or all agreed to
a draw, it is what that did to the chances of the last position.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tanistry.analysis.judging import Line
from tanistry.bots.reading import exponential

if TYPE_CHECKING:
    from tanistry.match import Match

VERDICTS = (("best", 0), ("good", 3), ("inaccuracy", 6), ("mistake", 12))
"""Up to how many points, as they are shown, a choice is called what; beyond them: a blunder."""
WORST = "blunder"
FORCED = "forced"
"""A choice that was none."""
FALL = 10.0
"""How fast accuracy falls with the cost: e times for every tenth of a match."""
MOST_MOMENTS, LEAST_MOMENT = 5, 0.05
"""Key moments: so many at most, each of which moved the curve, or cost, so much."""

MORE = 0.01
"""By so much the chances of another must have moved more to be told of, too."""


def rounded(value: float) -> float:
    """To a hundredth of a percent, in every language the same way."""
    return int(value * 10_000 + (0.5 if value >= 0 else -0.5)) / 10_000


def points(chance: float) -> int:
    """In points of a hundred, as people are told: what reads the same is judged the same."""
    return int(100 * rounded(chance) + 0.5)


def adding_up(parts: Sequence[float], total: int, unit: float) -> list[int]:
    """Parts in whole units that add up to a total; the last ones go where most is left over."""
    whole = [math.floor(part / unit) for part in parts]
    left = [part / unit - down for part, down in zip(parts, whole, strict=True)]
    for k in sorted(range(len(parts)), key=lambda k: -left[k])[: max(0, total - sum(whole))]:
        whole[k] += 1
    return whole


def verdict(cost: float) -> str:
    """What a choice of such a cost is called."""
    return next((name for name, most in VERDICTS if points(cost) <= most), WORST)


@dataclass(frozen=True)
class Judged:
    """One choice of the match. All numbers are chances to win, from 0 to 1."""

    number: int
    """Which choice of the match it is, from 0."""
    seat: int
    token: str
    verdict: str
    win: float
    """The chance the choice left, as far as the seat could know."""
    cost: float
    """How much less that is than the best choice would have left."""
    best: str
    line: Line
    """What was to be expected after the best choice, as (seat, token)."""
    tried: tuple[tuple[str, float], ...]
    """What each choice that was tried would have left, best first."""


@dataclass(frozen=True)
class Ended:
    """How a match ended that was not played out."""

    how: str
    """`resign`, `flag` (out of time) or `draw` (agreed)."""
    by: int | None
    """The seat that gave up or ran out of time."""

    def result(self, seats: int) -> tuple[float, ...]:
        """What every seat has of the match: the others share the first place, or all do."""
        first = [seat for seat in range(seats) if seat != self.by]
        return tuple(1 / len(first) if seat in first else 0.0 for seat in range(seats))


def ended_early(match: Match) -> Ended | None:
    """How a match ended by its header, unless it was played out; None: it still runs."""
    seats = f"[0-{match.game.seats - 1}]"
    found = re.fullmatch(f"(resign|flag) ({seats})|(draw)", match.headers.get("EndedBy", ""))
    if found is None or match.to_act is None:
        return None
    how, by, draw = found.groups()
    return Ended(draw or how, None if draw else int(by))


@dataclass(frozen=True)
class Player:
    """How a seat did in the match."""

    seat: int
    name: str
    accuracy: float | None
    """From 0 to 1; None for a seat that never had a choice."""
    verdicts: dict[str, int]
    result: float
    """What it has of the match: 1 won, 0 lost, in between a shared first place."""
    start: float
    own: float
    """What its own choices gained."""
    others: float
    """What the choices of the others brought it, or took."""
    luck: float
    deal: float
    """The part of the luck that came with the deal."""
    end: float
    """What giving up, running out of time or an agreed draw did; 0 if the match was played out."""

    def account(self, unit: float) -> dict[str, int]:
        """Start, own, others, luck and end in whole units, which add up to the result."""
        start, result = round(self.start / unit), round(self.result / unit)
        parts = adding_up((self.own, self.others, self.luck, self.end), result - start, unit)
        named = dict(zip(("own", "others", "luck", "end"), parts, strict=True))
        return {"start": start, **named, "result": result}


@dataclass(frozen=True)
class Analysis:
    """The analysis of a finished match."""

    match: Match = field(repr=False, compare=False)
    """As it ended."""
    names: tuple[str, ...]
    curve: tuple[tuple[float, ...], ...]
    """The chance of every seat after the deal and after each choice; the last is the result, which
    comes after the last choice where the match was not played out."""
    expected: tuple[tuple[float, ...], ...]
    """The same that was to be expected of each choice, before anything was drawn."""
    choices: tuple[Judged, ...]
    ended: Ended | None = None
    """How the match ended, unless it was played out."""

    @property
    def seats(self) -> int:
        return self.match.game.seats

    @property
    def start(self) -> float:
        """An even chance."""
        return 1 / self.seats

    def skill(self, number: int) -> tuple[float, ...]:
        """What a choice did to every seat's chances; nothing if it was none."""
        return self._skills.get(number, (0.0,) * self.seats)

    @cached_property
    def _skills(self) -> dict[int, tuple[float, ...]]:
        """What came of each choice that was one; -1: of the deal, before anybody had a choice."""
        found, since = {-1: (0.0,) * self.seats}, -1
        for choice in self.choices:
            if choice.verdict != FORCED:
                since = choice.number
            change = _change(self.curve[choice.number], self.expected[choice.number])
            before = found.get(since, (0.0,) * self.seats)
            found[since] = tuple(a + b for a, b in zip(before, change, strict=True))
        return found

    def luck(self, number: int) -> tuple[float, ...]:
        """What was drawn with a choice did to them."""
        return _change(self.expected[number], self.curve[number + 1])

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(self._player(seat) for seat in range(self.seats))

    def _player(self, seat: int) -> Player:
        mine = [c for c in self.choices if c.seat == seat]
        free = [c for c in mine if c.verdict != FORCED]
        kept = [float(exponential(-FALL * c.cost)) for c in free]
        every = [name for name, _ in VERDICTS] + [WORST]
        own = sum(self.skill(c.number)[seat] for c in free)
        others = sum(self.skill(c.number)[seat] for c in self.choices if c.seat != seat)
        result, last = self.curve[-1][seat], self.curve[len(self.choices)][seat]
        return Player(
            seat=seat,
            name=self.names[seat],
            accuracy=sum(kept) / len(kept) if kept else None,
            verdicts={name: sum(c.verdict == name for c in free) for name in every},
            result=result,
            start=self.start,
            own=own,
            others=others,
            luck=last - self.start - own - others,
            deal=self.curve[0][seat] + self.skill(-1)[seat] - self.start,
            end=result - last,
        )

    @property
    def moments(self) -> tuple[int, ...]:
        """The numbers of the choices on which the match turned, in their order."""
        free = (choice for choice in self.choices if choice.verdict != FORCED)
        weights = {choice.number: self._weight(choice) for choice in free}
        found = sorted(weights, key=lambda number: (-weights[number], number))[:MOST_MOMENTS]
        return tuple(sorted(n for n in found if weights[n] >= LEAST_MOMENT))

    def moved(self, choice: Judged) -> tuple[int, ...]:
        """Whose chances tell of a choice: of whoever made it, and of another if theirs moved more,
        as they may with three seats."""
        before, after = _table(self.curve[choice.number : choice.number + 2])
        moved = [abs(b - a) for a, b in zip(before, after, strict=True)]
        most = moved.index(max(moved))
        more = moved[most] - moved[choice.seat] >= MORE
        return (choice.seat, most) if more else (choice.seat,)

    def _weight(self, choice: Judged) -> float:
        moved = max(map(abs, _change(self.curve[choice.number], self.curve[choice.number + 1])))
        return rounded(max(moved, choice.cost))

    def data(self) -> dict[str, Any]:
        """As plain JSON data, chances to a hundredth of a percent; docs/analysis.md."""
        return {
            "game": self.match.game.name,
            "version": self.match.game.info.version,
            "seats": self.seats,
            "options": self.match.game.options,
            "names": list(self.names),
            "ended": asdict(self.ended) if self.ended else None,
            "start": rounded(self.start),
            "curve": _table(self.curve),
            "expected": _table(self.expected),
            "choices": [_choice_data(choice) for choice in self.choices],
            "players": [_player_data(player) for player in self.players],
            "moments": list(self.moments),
        }


def _change(before: tuple[float, ...], after: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(b - a for a, b in zip(before, after, strict=True))


def _table(rows: tuple[tuple[float, ...], ...]) -> list[list[float]]:
    return [[rounded(chance) for chance in row] for row in rows]


def _choice_data(choice: Judged) -> dict[str, Any]:
    line = [list(step) for step in choice.line]
    tried = [[token, rounded(win)] for token, win in choice.tried]
    shown = {"win": rounded(choice.win), "cost": rounded(choice.cost), "line": line, "tried": tried}
    return asdict(choice) | shown


def _player_data(player: Player) -> dict[str, Any]:
    exact = {k: rounded(v) if isinstance(v, float) else v for k, v in asdict(player).items()}
    return exact | {name: units / 10_000 for name, units in player.account(0.0001).items()}
