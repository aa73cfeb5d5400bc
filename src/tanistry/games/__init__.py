"""The games: one folder each, found by looking. Call it for the list: `tanistry.games()`."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tanistry.games.contract import GameInfo


class _Games(ModuleType):
    """This package is also the public function of the same name."""

    def __call__(self) -> "dict[str, GameInfo]":
        from tanistry.games.registry import games

        return games()


sys.modules[__name__].__class__ = _Games
