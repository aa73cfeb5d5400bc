"""Matches that a bot plays out in its mind, side by side: by a network, a few choices ahead.

Every candidate is tried in the same deals: what the seat cannot know is dealt anew, the choice is
made, and all seats go on as the network would, each by what it knows itself. When it is the seat's
turn again the network says what its position is worth; a match that has ended is worth its result.
What a candidate is worth is the mean over the deals, and since all candidates meet the same deals,
two of them differ by the mean of their differences, which chance blurs far less than either.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tanistry.bots.reading import Reader
from tanistry.kernel import specialise, template
from tanistry.match.seeds import fast_seed
from tanistry.simulation.batch import Batch
from tanistry.simulation.playouts import APART
from tanistry.table.resample import resample
from tanistry.table.stream import start_stream

if TYPE_CHECKING:
    from tanistry.match import Game, Match

ROWS = 96
"""Matches imagined at the same time."""
LONGEST = 60
"""Choices after which an imagined match is judged wherever it has come to."""
SURELY = 3.0
"""A candidate is given up when it is so many standard errors behind the best."""
FEWEST = 24
"""Deals before one may be given up."""
PROOFS = 3
"""Deals in which a choice must win at once to be taken without a thought."""
FLOOR = 0.001
"""What the network would choose less often than this nobody does in an imagined match."""
NOTHING = -1
"""An action that is refused: the row stays as it is."""


@template
def redeal(records: Any, each: int, first: int, seat: int, rng: Any) -> None:
    """Deal what a seat does not know anew: the same for `each` rows that follow one another."""
    for i in range(records.shape[0]):
        if i % each == 0:
            start_stream(records[i], first + i // each)
            resample(records[i], seat, rng)
        else:
            records[i] = records[i - i % each]


class Imagination(Batch):
    """A batch whose rows are set to what somebody imagines."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, ROWS, insights=True)
        given = {name: getattr(game.kernels, name) for name in ("resample", "start_stream")}
        self._redeal = specialise(sys.modules[__name__], given, game.name)["redeal"]

    def reset(self, seed: int | bytes | None = None) -> None:
        """Nothing is dealt before somebody imagines something; where an imagined match has ended
        the next one is, as in every batch, though nobody looks at it."""
        self._set_blank(0, self.game.new_record(self._key))

    def imagine(self, match: Match, each: int, first: int, rng: Any) -> None:
        """Set all rows to a match as the seat to act knows it, deals number `first` and on."""
        rows = self._rows
        rows.records[:] = match._s
        rows.records["telling"] = 0
        rows.moves.reshape(ROWS, -1)[:] = legal_set(match)
        rows.done[:] = False
        self._redeal(rows.records, each, first, int(match._s.to_act), rng)


def legal_set(match: Match) -> NDArray[np.uint64]:
    moves: NDArray[np.uint64] = match.game.new_moves()
    match.game.kernels.legal(match._s, moves)
    return moves


@dataclass(frozen=True)
class Outlook:
    """What came of imagining: the candidates, and what each is worth in every deal."""

    actions: NDArray[np.int64]
    worth: NDArray[np.float64]
    """[deal, candidate] from −1 to 1; NaN once it was given up."""

    def worth_of(self, candidate: int) -> tuple[float, float]:
        """What a candidate is worth, and how surely: a mean and its standard error."""
        column = self.worth[:, candidate]
        column = column[~np.isnan(column)]
        return float(column.mean()), _error(column)

    def ahead_of(self, other: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """By how much each is worth more than another, in the deals both met, and how surely:
        the mean of the differences and its standard error."""
        gains = [column - self.worth[:, other] for column in self.worth.T]
        gains = [gain[~np.isnan(gain)] for gain in gains]
        means = np.array([gain.mean() for gain in gains])
        return means, np.array([_error(gain) for gain in gains])


def _error(values: NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else 1.0


class Thinker:
    """Imagines how a match may go on. Not for two threads at once."""

    def __init__(self, game: Game, reader: Reader) -> None:
        self.game, self.reader = game, reader
        self.rows = Imagination(game)
        self._sense = np.zeros(ROWS)
        self._floor = np.full(ROWS, FLOOR)
        self._rng = np.zeros(ROWS, np.uint64)
        self._actions = np.zeros(ROWS, np.int64)
        self._values = np.zeros(ROWS)

    def wins_at_once(self, match: Match, actions: Sequence[int], key: bytes) -> int | None:
        """The first action that ends the match and wins it, whatever the seat cannot know."""
        rng = fast_seed(key)
        for first in range(0, len(actions), ROWS // PROOFS):
            tried = np.array(actions[first : first + ROWS // PROOFS], np.int64)
            self.rows.imagine(match, len(tried), first * PROOFS, rng)
            seat = int(match._s.to_act)
            chosen = np.full(ROWS, NOTHING, np.int64)
            chosen[: PROOFS * len(tried)] = np.tile(tried, PROOFS)
            self.rows.step(chosen)
            won = self.rows.done & (self.rows.rewards[:, seat] == 1.0)
            always = won[: PROOFS * len(tried)].reshape(PROOFS, -1).all(axis=0)
            if always.any():
                return int(tried[int(always.argmax())])
        return None

    def outlook(
        self, match: Match, actions: NDArray[np.int64], evaluations: int, turns: int, sense: float,
        key: bytes,
    ) -> Outlook:  # fmt: skip
        """Imagine each of some actions, until about so many positions were judged.

        `turns` is how often it may be the seat's turn again, `sense` that of all who choose.
        """
        self._sense[:] = sense
        rng = fast_seed(key)
        left, deals = list(range(len(actions))), 0
        worth: list[NDArray[np.float64]] = []
        while evaluations > 0 and (len(left) > 1 or not worth):
            share = max(1, ROWS // len(left))
            self.rows.imagine(match, len(left), deals, rng)
            found, spent = self._play(actions[left], share, turns, rng)
            fresh = np.full((share, len(actions)), np.nan)
            fresh[:, left] = found
            worth.append(fresh)
            deals += share
            evaluations -= max(1, spent)
            if deals >= FEWEST:
                left = _promising(np.concatenate(worth), left)
        return Outlook(actions, np.concatenate(worth))

    def _play(
        self, actions: NDArray[np.int64], share: int, turns: int, rng: Any
    ) -> tuple[NDArray[np.float64], int]:
        """Play on in all rows; what each is worth to the seat to act, and how many were judged."""
        rows, each = self.rows, len(actions)
        used = share * each
        seat = int(rows._rows.records["to_act"][0])
        deals = np.arange(ROWS) // each
        self._rng[:] = rng[0] + APART * (deals + 1).astype(np.uint64)
        rng[0] = self._rng[-1]
        chosen = np.full(ROWS, NOTHING, np.int64)
        chosen[:used] = np.tile(actions, share)
        worth, running = np.zeros(ROWS), chosen != NOTHING
        left, spent = np.full(ROWS, turns), 0
        for step in range(LONGEST):
            rows.step(chosen)
            ended = running & rows.done
            worth[ended] = rows.rewards[ended, seat]
            running = running & ~ended
            own = running & (rows.to_act == seat)
            left[own] -= 1
            if not running.any():
                break
            drawn = self._sense, self._floor, self._rng
            self.reader.read(rows, running, *drawn, self._actions, self._values)
            spent += int(running.sum())
            if step == LONGEST - 1:
                sign = np.where(own, 1.0, -1.0 / (self.game.seats - 1))
                worth[running] = (sign * self._values)[running]
            judged = own & (left <= 0)
            worth[judged] = self._values[judged]
            running = running & ~judged
            chosen = np.where(running, self._actions, NOTHING)
            if not running.any():
                break
        return worth[:used].reshape(share, each), spent


def _promising(worth: NDArray[np.float64], left: list[int]) -> list[int]:
    """The candidates that may still be the best."""
    means = worth[:, left].mean(axis=0)
    behind = worth[:, [left[int(means.argmax())]]] - worth[:, left]
    error = behind.std(axis=0, ddof=1) / len(worth) ** 0.5
    return [k for k, gap, blur in zip(left, behind.mean(axis=0), error, strict=True)
            if gap <= SURELY * blur + 1e-9]  # fmt: skip
