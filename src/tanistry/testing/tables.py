"""The tables a game can be played at: its sets of options, and who begins."""

from __future__ import annotations

from itertools import product
from typing import Any

from tanistry.games.contract import GameInfo
from tanistry.match import Game


def option_sets(info: GameInfo, limit: int = 5) -> list[dict[str, Any]]:
    """Every combination of seats and options of a game (options with many values: a few).

    Without `first`: `check_game` has every seat begin.
    """
    names = [option.name for option in info.options]
    values = [_some(option.values, option.default, limit) for option in info.options]
    return [
        {"seats": seats, **dict(zip(names, chosen, strict=True))}
        for seats in info.seats
        for chosen in product(*values)
    ]


def _some(values: Any, default: Any, limit: int) -> list[Any]:
    listed = list(values)
    return listed if len(listed) <= limit else list(dict.fromkeys([listed[0], default]))


def begun_later(game: Game, by: int) -> Game:
    """The same game, begun by the seat that comes so many after the one that is first."""
    first = (int(game.options["first"]) + by) % game.seats
    twin = Game(game.definition, game.seats, {**game.options, "first": first})
    twin.kernels = game.kernels  # they may be interpreted
    return twin
