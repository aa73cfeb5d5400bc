"""The bot that learnt by itself: it plays what its network likes best, and does not search.

tanistry.bot("trained")                             # the network that comes with the game
tanistry.bot("trained", network="run/network.net")  # one of your own, see `tanistry train`
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tanistry.bots.imagining import legal_set
from tanistry.simulation.network import Evaluator, network_of, read_network_file
from tanistry.simulation.observation import observe

if TYPE_CHECKING:
    from tanistry.match import Game, Match


class TrainedBot:
    """Asks a network about what the seat to act knows."""

    version = 11

    def __init__(self, *, seed: bytes, network: str = "") -> None:
        self._network = read_network_file(Path(network)) if network else None
        self._evaluators: dict[str, Evaluator] = {}

    def choose(self, match: Match) -> str:
        seat = match.to_act
        assert seat is not None  # whoever asks has seen to it
        observed = observe(match, seat, insights=True)
        return match.game.tokens[self._evaluator(match.game).choose(observed, legal_set(match))]

    def _evaluator(self, game: Game) -> Evaluator:
        if (key := repr(game)) not in self._evaluators:
            network = self._network or network_of(game.name)
            self._evaluators[key] = Evaluator(network, game)
        return self._evaluators[key]


BOT = TrainedBot
