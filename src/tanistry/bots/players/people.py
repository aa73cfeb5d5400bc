"""Bots that play like people: six levels, from a first-timer to the champion.

    tanistry.bot("people:2", seed=1).choose(match)

They play what a network likes, with more or less sense; what no player would dream of none of them
does. See `bots.personas`. A game without a network is played by `ismcts`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tanistry.bots.imagining import legal_set
from tanistry.bots.personas import CHAMPION, DEFAULT, LEVELS, styles
from tanistry.bots.players.champion import ChampionBot
from tanistry.bots.players.ismcts import Insight, IsmctsBot
from tanistry.bots.reading import Reader
from tanistry.match.seeds import fast_seed
from tanistry.simulation.network import Evaluator, network_of, networks
from tanistry.simulation.observation import observe

if TYPE_CHECKING:
    from tanistry.match import Game, Match


class PeopleBot:
    """Somebody to play with. Not to be shared between threads."""

    levels = LEVELS
    default_level = DEFAULT
    version = 16

    def __init__(self, *, seed: bytes, level: int = default_level) -> None:
        self.level = level
        self._rng = fast_seed(hashlib.sha256(b"people" + seed).digest())
        self._champion = ChampionBot(seed=seed)
        searching = IsmctsBot.levels
        self._searcher = IsmctsBot(seed=seed, level=searching[min(level, len(searching)) - 1])
        self._master = IsmctsBot(seed=seed, level=searching[-1])
        self._readers: dict[str, Reader] = {}

    def choose(self, match: Match) -> str:
        if match.game.name not in networks():
            return self._searcher.choose(match)
        if self.level == CHAMPION:
            return self._champion.choose(match)
        game, seat = match.game, int(match._s.to_act)
        style = styles(game.name)[self.level - 1]
        observed, moves = observe(match, seat, insights=True), legal_set(match)
        action, _ = self._reader(game).choose(observed, moves, *style, self._rng)
        return game.tokens[action]

    def analyse(self, match: Match) -> Insight:
        """What the best of them thinks of every legal token: advice is the champion's."""
        adviser: Any = self._champion if match.game.name in networks() else self._master
        found: Insight = adviser.analyse(match)
        return found

    def _reader(self, game: Game) -> Reader:
        if (key := repr(game)) not in self._readers:
            self._readers[key] = Reader(Evaluator(network_of(game.name), game))
        return self._readers[key]


BOT = PeopleBot
