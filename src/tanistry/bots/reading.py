"""A network asked about many positions at once: a choice and a value for every row of a batch.

One kernel for all games: rows are observations and sets of legal actions (`simulation.stepping`).
A choice is drawn by its `sense`:

    chance of an action ~ exp(sense · logit)

where only those take part that the network itself (sense 1) would choose with a chance of `floor`
or more. From sense `SURE` on it is the one it likes best, at 0 any of those not ruled out. Chances
are reckoned with additions, multiplications and divisions, which every machine rounds alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tanistry.kernel import kernel
from tanistry.simulation.network import ONE_X, Evaluator, hidden, judge, value
from tanistry.table.bits import EMPTY, ONE, lowest
from tanistry.table.stream import fast_below

if TYPE_CHECKING:
    from tanistry.simulation.batch import Batch

SURE = 100.0
"""With so much sense nothing is left to chance."""
LN_2 = math.log(2)
SMALLEST = 60
"""Powers of two below 2 to the minus this are 0."""
HALVES = np.array([2.0**-n for n in range(SMALLEST + 1)])
DRAW_BITS = 30
DRAWS = 1 << DRAW_BITS


@kernel
def exponential(x: float) -> float:
    """e to the power of a number, nearly to the last bit; of one far below 0 it is 0.

    With x = r − k ln 2 and r near 0: 2 to the minus k times the first terms of the series of r.
    """
    if x > 0.0:
        return 1.0 / exponential_below(-x)
    return exponential_below(x)


@kernel
def exponential_below(x: float) -> float:
    k = int(0.5 - x / LN_2)
    if k > SMALLEST:
        return 0.0
    r = x + k * LN_2
    term = 1.0
    total = 1.0
    for n in range(1, 14):
        term *= r / n
        total += term
    return total * HALVES[k]


@kernel
def weigh(weights: Any, moves: Any, best: int, least: float, sense: float) -> float:
    """After `judge`: how likely each legal action is beside the best, and the sum of it all.

    Those that the network itself finds less likely than `least` get 0.
    """
    total = 0.0
    for w in range(moves.shape[0]):
        rest = moves[w]
        while rest != EMPTY:
            action = 64 * w + lowest(rest)
            rest &= rest - ONE
            behind = (weights.logits[action] - weights.logits[best]) / ONE_X
            chance = exponential(sense * behind) if exponential(behind) >= least else 0.0
            weights.chances[action] = chance
            total += chance
    return total


@kernel
def draw(weights: Any, moves: Any, best: int, sense: float, floor: float, rng: Any) -> int:
    """One of the legal actions, after `judge`."""
    if sense >= SURE:
        return best
    least = floor * weigh(weights, moves, best, 0.0, 1.0)
    left = weigh(weights, moves, best, least, sense) * (fast_below(rng, DRAWS) / DRAWS)
    for w in range(moves.shape[0]):
        rest = moves[w]
        while rest != EMPTY:
            action = 64 * w + lowest(rest)
            rest &= rest - ONE
            left -= weights.chances[action]
            if left < 0.0:
                return action
    return best


@kernel
def read_rows(
    weights: Any, observations: Any, sets: Any, wanted: Any, sense: Any, floor: Any, rng: Any,
    actions: Any, values: Any,
) -> None:  # fmt: skip
    """Choose in every row that is wanted, each in its own way, and say what it is worth."""
    n = wanted.shape[0]
    size, words = observations.shape[0] // n, sets.shape[0] // n
    for i in range(n):
        if not wanted[i]:
            continue
        moves = sets[i * words : (i + 1) * words]
        hidden(weights, observations[i * size : (i + 1) * size])
        best = judge(weights, moves)
        actions[i] = draw(weights, moves, best, sense[i], floor[i], rng[i : i + 1])
        values[i] = value(weights)


class Reader:
    """A network for the rows of a batch. Not for two threads at once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.weights = evaluator.weights
        self._read = evaluator.kernel(read_rows)

    def read(
        self, batch: Batch, wanted: NDArray[np.bool_], sense: NDArray[np.float64],
        floor: NDArray[np.float64], rng: NDArray[np.uint64],
        actions: NDArray[np.int64], values: NDArray[np.float64],
    ) -> None:  # fmt: skip
        """Write a choice and a value for every row of a batch that is wanted."""
        if batch.layout.size != len(self.weights.inputs):
            raise ValueError("a network is shown insights: tanistry.batch(…, insights=True)")
        rows = batch._rows
        self._read(
            self.weights, rows.observations, rows.moves, wanted, sense, floor, rng, actions, values
        )

    def choose(
        self,
        observed: NDArray[np.uint8],
        moves: NDArray[np.uint64],
        sense: float,
        floor: float,
        rng: Any,
    ) -> tuple[int, float]:
        """A choice in one position, and what it is worth to whoever makes it."""
        action, value = np.zeros(1, np.int64), np.zeros(1)
        wanted, drawn = np.ones(1, np.bool_), (np.full(1, sense), np.full(1, floor))
        self._read(self.weights, observed, moves, wanted, *drawn, rng, action, value)
        return int(action[0]), float(value[0])
