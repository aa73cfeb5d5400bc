"""Tanistry: four card games about who takes the throne.

    >>> import tanistry
    >>> match = tanistry.game("claim").deal(seed=42)
    >>> match.to_act, match.decision
    (0, 'play')

Importing this package is cheap: whatever it offers is loaded when it is used. The command counts on
that, which can answer Ctrl-C only once this file is read.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # for readers of types it is true; to import it takes longer than all of this
if TYPE_CHECKING:
    from typing import Any

    from tanistry import testing
    from tanistry.analysis import analyse
    from tanistry.bots import bot
    from tanistry.errors import (
        IllegalMove,
        OptionError,
        PositionError,
        RecordError,
        SeatError,
        SeedError,
        TanistryError,
    )
    from tanistry.games.contract import GameInfo
    from tanistry.games.registry import games, info, register
    from tanistry.match import Event, Game, Match, Result, replay
    from tanistry.simulation import simulate
    from tanistry.simulation.batches import batch
    from tanistry.studies import study

__version__ = "0.1.0"

__all__ = [
    "Event",
    "Game",
    "GameInfo",
    "IllegalMove",
    "Match",
    "OptionError",
    "PositionError",
    "RecordError",
    "Result",
    "SeatError",
    "SeedError",
    "TanistryError",
    "analyse",
    "batch",
    "bot",
    "game",
    "games",
    "info",
    "register",
    "replay",
    "simulate",
    "study",
    "testing",
]

_HOMES = {
    "analysis": ["analyse"],
    "bots": ["bot"],
    "errors": [
        "IllegalMove", "OptionError", "PositionError", "RecordError", "SeatError", "SeedError",
        "TanistryError",
    ],
    "games.contract": ["GameInfo"],
    "games.registry": ["info", "register"],
    "match": ["Event", "Game", "Match", "Result", "replay"],
    "simulation": ["simulate"],
    "simulation.batches": ["batch"],
    "studies": ["study"],
}  # fmt: skip
_LAZY = {name: f"tanistry.{module}" for module, names in _HOMES.items() for name in names}


def game(name: str, *, seats: int | None = None, **options: object) -> Game:
    """A game with its options settled; OptionError names what is allowed.

    `seats` defaults to the fewest the game is played with.
    """
    from tanistry.games import registry
    from tanistry.match import Game

    registry.info(name)
    return Game(registry.definition(name), seats, options)


def __getattr__(name: str) -> Any:
    if name in ("errors", "games", "testing"):
        return import_module(f"tanistry.{name}")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'tanistry' has no attribute {name!r}")
