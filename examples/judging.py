"""What a match is worth to a learner, and how good a policy is: matches against `random`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tanistry
from tanistry.simulation.intervals import wilson

VOTES = 5


def worth(batch: Any) -> Any:
    """What the matches that have just ended were worth to each seat, otherwise 0.

    Half for winning, half for the lead in votes: a lead tells more about a match of Claim than who
    won it, so there is less noise to learn from.
    """
    lead = (batch.scores - batch.scores[:, ::-1]) / np.float32(VOTES)
    return (batch.rewards + lead * batch.done[:, None]) / 2


Choose = Callable[[Any, Any], Any]
"""From observations and masks, one row for each match, an action for each."""


@dataclass(frozen=True)
class Judgement:
    """The share of the wins, a draw counting half, with its 95 % interval."""

    matches: int
    share: float
    low: float
    high: float

    def __str__(self) -> str:
        span = f"{100 * self.low:.1f} – {100 * self.high:.1f}"
        return f"{100 * self.share:.1f} % ({span}) of {self.matches} matches"


def judge(choose: Choose, game: tanistry.Game, matches: int = 1000, seed: int = 0) -> Judgement:
    """Let a policy play so many matches against random choices; in row i it has seat i mod 2."""
    batch = tanistry.batch(game, matches, seed)
    seats = np.arange(matches) % 2
    shares = np.full(matches, np.nan)
    while np.isnan(shares).any():
        actions = np.array(batch.random_actions())
        ours = np.flatnonzero(np.array(batch.to_act) == seats)
        if len(ours):
            actions[ours] = choose(batch.observations[ours], batch.mask[ours])
        batch.step(actions)
        ended = np.flatnonzero(np.array(batch.done) & np.isnan(shares))  # of each row the first
        shares[ended] = (1 + batch.rewards[ended, seats[ended]]) / 2
    share = float(shares.mean())
    return Judgement(matches, share, *wilson(share, matches))
