"""Bots are blind by construction: each question reaches them as their seat knows it.

What a player gets is a match of its own: everything its seat cannot know is dealt anew, the random
stream has another key, the history is gone, and so is what the game has kept of other matches. No
attribute leads back. (Python has no walls inside one process: code that searches the stack or the
garbage collector for the truth is not held off by this. Run only bots you would run anyway.)
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tanistry.bots.faults import FAULTS, fault, is_ours
from tanistry.errors import IllegalMove, OptionError
from tanistry.match import Game
from tanistry.match.seeds import seed_bytes

if TYPE_CHECKING:
    from tanistry.match import Match

MOST_GAMES = 16
"""Games that a bot keeps at hand; with more of them it begins anew."""


@runtime_checkable
class Bot(Protocol):
    """Somebody who plays. With the same seed and the same questions it gives the same answers."""

    name: str
    """How it is written, with its level and settings: `ismcts:3`."""

    def choose(self, match: Match) -> str:
        """The token it plays for the seat to act."""
        ...


class BlindBot:
    """A player behind a screen: it is shown what the seat to act knows, and nothing else."""

    def __init__(self, player: Any, name: str, seed: int | bytes | None = None) -> None:
        self.player = player
        self.name = name
        self._is_ours = is_ours(type(player))
        self._key = hashlib.sha256(b"blind bot" + seed_bytes(seed)).digest()
        self._games: dict[Any, Game] = {}

    def choose(self, match: Match) -> str:
        """The token it plays for the seat to act; OptionError if somebody else's bot fails."""
        seen = self._seen(match)
        try:
            token: str = self.player.choose(seen)
        except FAULTS as wrong:
            if self._is_ours:
                raise
            raise fault(self.name, type(self.player), wrong) from wrong
        if not self._is_ours and token not in match.legal():
            raise OptionError("bot/token", name=self.name, token=token)
        return token

    def _seen(self, match: Match) -> Match:
        """The match as the seat to act knows it."""
        if match.to_act is None:
            raise IllegalMove("move/over", token="", rule="common.illegal")
        self._key = hashlib.sha256(self._key).digest()
        known = match.blind(match.to_act, self._key)
        known.game = self._clean(match.game)
        known.headers = {}
        return known

    def _clean(self, game: Game) -> Game:
        """The same game without what it has kept of matches: names of sets, parts of events."""
        key = (id(game.definition), id(game.kernels), game.seats, *game.options.values())
        if key not in self._games:
            if len(self._games) >= MOST_GAMES:
                self._games.clear()
            self._games[key] = Game(game.definition, game.seats, game.options)
            self._games[key].kernels = game.kernels
        return self._games[key]


class BlindAnalyst(BlindBot):
    """A blind bot that can also explain itself."""

    def analyse(self, match: Match) -> Any:
        """What it thinks of every legal token of the seat to act; `ismcts` gives an `Insight`."""
        return self.player.analyse(self._seen(match))


def blind(player: Any, name: str, seed: int | bytes | None = None) -> BlindBot:
    """Any player behind the screen."""
    return (BlindAnalyst if hasattr(player, "analyse") else BlindBot)(player, name, seed)
