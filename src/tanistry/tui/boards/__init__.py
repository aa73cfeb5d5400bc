"""Pictures of tables: one module for each game that has its own, and one for all others."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tanistry.tui.boards.board import Board

if TYPE_CHECKING:
    from tanistry.match import Game

__all__ = ["Board", "board_of"]


def board_of(game: Game) -> Board:
    """The picture of a game's table: `boards/NAME.py` if it is there, else places in a list."""
    name = f"tanistry.tui.boards.{game.name}"
    if game.name.isidentifier() and find_spec(name) is not None:
        made: Board = import_module(name).BOARD(game)
        return made
    return Board(game)
