"""What a network says of a match, as chances to win; and how it would play on.

Everything here is made of a few steps that a match offers in every language it is played in (copy,
blind, play) and of additions and multiplications, so that a browser comes to the same numbers.
"""

from __future__ import annotations

import math
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tanistry.bots.imagining import legal_set
from tanistry.bots.reading import exponential
from tanistry.bots.solving import POSITIONS, Solver
from tanistry.simulation.network import ONE_X, Evaluator, network_of
from tanistry.simulation.observation import observe
from tanistry.table.bits import members

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tanistry.match import Game, Match

LEAST = 0.005
"""A network is never surer than this that a match is lost, or won."""
LONGEST = 60
"""Choices after which an imagined match is judged wherever it has come to."""


class Calibration(NamedTuple):
    """What makes a network's values chances that hold; found by `benchmarks/analysis.py`."""

    own: float = 1.0
    """How much the odds of one seat, by what it knows, are to be stretched (1: not at all)."""
    lean: float = 0.0
    """How much too well a seat thinks of its odds."""
    together: float = 0.6
    """How much the odds of each seat count when those of all are put together."""


@cache
def calibration(game: str, seats: int) -> Calibration:
    """That of a game with so many seats."""
    text = files("tanistry.analysis").joinpath("calibration.toml").read_text("utf-8")
    return Calibration(**tomllib.loads(text).get(game, {}).get(str(seats), {}))


def left_open(chance: float) -> float:
    """A chance that is neither none nor certainty."""
    return min(1 - LEAST, max(LEAST, chance))


def odds(chance: float) -> float:
    """The logarithm of the odds."""
    return math.log(chance / (1 - chance))


def stretched(chance: float, seats: int, kept: Calibration) -> float:
    """A chance as one seat has it, calibrated."""
    even = odds(1 / seats)
    power = even + kept.own * (odds(chance) - even) - kept.lean
    return 1 / (1 + math.exp(-power))


def chances_of(result: list[list[int]], seats: int) -> list[float]:
    """What a ranking gives each seat: a shared first place counts in part."""
    return [1 / len(result[0]) if seat in result[0] else 0.0 for seat in range(seats)]


class Mind:
    """A network made ready for a game. Not for two threads at once."""

    def __init__(self, game: Game, positions: int = POSITIONS) -> None:
        self.game = game
        self.solver = Solver(game, positions)
        self._solved: tuple[bytes, dict[int, float] | None] = b"", None
        self.evaluator = Evaluator(network_of(game.name), game)
        self.calibration = calibration(game.name, game.seats)

    def ask(self, match: Match) -> int:
        """What the network would choose; `liking` and `chance` then answer for this position."""
        self.observed: NDArray[np.uint8] = observe(match, int(match._s.to_act), insights=True)
        return self.evaluator.choose(self.observed, legal_set(match))

    def liking(self, actions: list[int]) -> list[float]:
        """How likely the network is to choose each of some actions, if it chooses among them."""
        logits = [int(self.evaluator.logits[action]) for action in actions]
        best = max(logits)
        weights = [float(exponential((logit - best) / ONE_X)) for logit in logits]
        total = sum(weights)
        return [weight / total for weight in weights]

    def chance(self) -> float:
        """The chance to win of the seat that was asked, as the network has it."""
        seats = self.game.seats
        return left_open((self.evaluator.value() * (seats - 1) + 1) / seats)

    def stretched(self) -> float:
        """The same, calibrated: of matches given 70 %, seven in ten are won."""
        return stretched(self.chance(), self.game.seats, self.calibration)

    def solved(self, match: Match) -> dict[int, float] | None:
        """What each legal action brings the seat to act, where the end can be calculated."""
        observed = observe(match, int(match._s.to_act)).tobytes()
        if observed != self._solved[0]:
            self._solved = observed, self.solver.results(match)
        return self._solved[1]

    def solved_after(self, match: Match, action: int) -> float | None:
        """What one action brings the seat to act: that may be calculated where all together are
        too much. As the curve has it after that choice."""
        if not self.solver.is_open(match):
            return None
        after = match.copy()
        self.play(after, action)
        settled = self.settled(after) if after.to_act is not None else None
        return settled[int(match._s.to_act)] if settled else None

    def settled(self, match: Match) -> list[float] | None:
        """What every seat has in the end, where that can be calculated."""
        if not (exact := self.solved(match)):
            return None
        best = max(exact.values())
        return [best if seat == match.to_act else 1 - best for seat in range(self.game.seats)]

    def play(self, match: Match, action: int) -> None:
        """Make a choice in an imagined match; nobody is told."""
        self.game.kernels.play_in(match._cell, action)

    def play_on(self, match: Match, calculating: bool = False) -> int:
        """Choose as the network would, or what it likes best of what gets the most; which action
        it was."""
        moves = members(match._legal_set())
        action = moves[0] if len(moves) == 1 else self.ask(match)
        if calculating and len(moves) > 1 and (exact := self.solved(match)):
            liking = dict(zip(moves, self.liking(moves), strict=True))
            action = max(moves, key=lambda move: (exact[move], liking[move]))
        self.play(match, action)
        return action

    def result(self, match: Match) -> list[float]:
        """What each seat has of a match that is over."""
        result = match.result
        assert result is not None
        return chances_of(result.ranking, self.game.seats)
