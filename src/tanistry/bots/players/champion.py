"""The strongest bot: a network that thinks ahead before it chooses.

    tanistry.bot("champion").choose(match)     # a token
    tanistry.bot("champion").analyse(match)    # an Insight: what it thinks of every legal token

The network says which choices deserve thought and how much it likes each. Matches imagined with it,
all choices in the same deals (`bots.imagining`), are evidence, weighed by how sure it is. A choice
that wins at once is played without a thought; where nothing is hidden any more and the end can be
calculated (`bots.solving`), only choices that get the most are thought about.

The same question gets the same answer: chance comes from what the seat knows, not from a clock or
from what was asked before. Budgets are numbers of positions, the same on every machine.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tanistry.arguments import whole
from tanistry.bots.imagining import Thinker, legal_set
from tanistry.bots.players.ismcts import Insight, Judgement, untried
from tanistry.bots.reading import Reader
from tanistry.bots.solving import Solver
from tanistry.simulation.network import ONE_X, Evaluator, network_of, read_network_file
from tanistry.simulation.observation import observe

if TYPE_CHECKING:
    from tanistry.match import Game, Match

MOST_CANDIDATES, LEAST_CHANCE = 8, 0.01
"""Choices that deserve thought: so many at most, each with such a chance in the network's eyes."""
TRUST, DOUBT = 0.02, 0.05
"""A choice e times as likely is expected to be worth so much more, give or take so much."""
MODEL_ERROR = 0.02
"""How far imagined matches may be off, however many there are."""
SENSE = 3.0
"""Of those who choose in imagined matches: mostly what the network likes best."""
ALIKE = 2.0
"""Choices that are fewer standard errors apart are told to be worth the same."""


@dataclass(frozen=True)
class Effort:
    """How a game is thought about."""

    evaluations: int
    """Positions of imagined matches judged by the network."""
    turns: int
    """How often the seat's turn comes again in them."""


EFFORTS = {
    "claim": Effort(6000, turns=3),
    "kilt": Effort(6000, turns=3),
    "lords": Effort(2500, turns=3),
    "schotten": Effort(2500, turns=4),
}
USUAL = Effort(2500, turns=2)


class ChampionBot:
    """Asks a network what deserves thought, and thinks about it. Not for two threads at once."""

    version = 13

    def __init__(
        self, *, seed: bytes, network: str = "", evaluations: int | None = None,
        turns: int | None = None,
    ) -> None:  # fmt: skip
        self._network = read_network_file(Path(network)) if network else None
        self._own = {
            name: whole(name, value, 1, 10**7)
            for name, value in (("evaluations", evaluations), ("turns", turns))
            if value is not None
        }
        self._ready: dict[str, tuple[Evaluator, Thinker, Solver]] = {}

    def choose(self, match: Match) -> str:
        legal = match.legal()
        return legal[0] if len(legal) == 1 else self.analyse(match).best

    def analyse(self, match: Match) -> Insight:
        """What it thinks of every legal token, best first; of most it has no opinion."""
        began = time.perf_counter()
        evaluator, thinker, solver = self._minds(match.game)
        seat, legal = int(match._s.to_act), match.legal_actions()
        observed = observe(match, seat, insights=True)
        key = hashlib.sha256(b"champion" + observed.tobytes()).digest()
        known = match.copy()
        match.game.rekey(known._s, key)
        if (winning := thinker.wins_at_once(known, legal, key)) is not None:
            judged = [self._judgement(match, winning, 1, 1.0, 0.0)]
        else:
            evaluator.choose(observed, legal_set(match))
            exact = solver.results(known) or dict.fromkeys(legal, 0.0)
            best = [action for action in legal if exact[action] == max(exact.values())]
            judged = self._think(known, thinker, best, evaluator.logits[best] / ONE_X, key)
        judged += untried(seat, match.legal(), judged)
        deals = sum(judgement.visits for judgement in judged)
        return Insight(seat, deals, time.perf_counter() - began, tuple(judged))

    def _think(
        self, match: Match, thinker: Thinker, legal: list[int], logits: NDArray[np.float64],
        key: bytes,
    ) -> list[Judgement]:  # fmt: skip
        """Judgements of the choices that deserve thought, best first."""
        behind = logits - logits.max()
        chances = np.exp(behind) / np.exp(behind).sum()
        order = np.argsort(-chances, kind="stable")[:MOST_CANDIDATES]
        order = order[chances[order] >= LEAST_CHANCE]
        actions = np.array(legal, np.int64)[order]
        effort = self._effort(match.game.name)
        found = thinker.outlook(match, actions, effort.evaluations, effort.turns, SENSE, key)
        seen, blur = found.ahead_of(0)
        weight = DOUBT**2 / (DOUBT**2 + blur**2 + MODEL_ERROR**2)
        gain, variance = TRUST * behind[order], DOUBT**2 * (1 - weight)
        gain += weight * (seen - gain)
        gain[0], variance[0] = 0.0, 0.0  # the one all others are compared with
        base, error = found.worth_of(0)
        best = np.argsort(-gain, kind="stable")
        told = _alike(gain[best], np.sqrt(variance[best]))
        deals = np.count_nonzero(~np.isnan(found.worth), axis=0)
        return [
            self._judgement(
                match,
                int(actions[k]),
                int(deals[k]),
                base + worth,
                float(error + variance[k] ** 0.5),
            )
            for k, worth in zip(best, told, strict=True)
        ]

    def _judgement(
        self, match: Match, action: int, deals: int, worth: float, error: float
    ) -> Judgement:
        """Worth is that of a result, from −1 / (seats − 1) to 1; a win counts from 0 to 1."""
        seats, token = match.game.seats, match.game.tokens[action]
        win = min(1.0, max(0.0, (worth * (seats - 1) + 1) / seats))
        line = ((int(match._s.to_act), token),)
        return Judgement(token, deals, win, 0.0, line, error * (seats - 1) / seats)

    def _effort(self, game: str) -> Effort:
        return Effort(**{**vars(EFFORTS.get(game, USUAL)), **self._own})

    def _minds(self, game: Game) -> tuple[Evaluator, Thinker, Solver]:
        if (key := repr(game)) not in self._ready:
            evaluator = Evaluator(self._network or network_of(game.name), game)
            self._ready[key] = evaluator, Thinker(game, Reader(evaluator)), Solver(game)
        return self._ready[key]


def _alike(gain: NDArray[np.float64], error: NDArray[np.float64]) -> list[float]:
    """The worth of candidates, best first; those that cannot be told apart get the same."""
    told = [float(gain[0])]
    leader = 0
    for k in range(1, len(gain)):
        if gain[leader] - gain[k] > ALIKE * max(error[leader], error[k]):
            leader = k
        told.append(float(gain[leader]))
    return told


BOT = ChampionBot
