"""Finding games: our own subfolders, entry points of other packages, and what was registered."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec

from tanistry.errors import OptionError
from tanistry.games.contract import Definition, GameInfo

_registered: dict[str, GameInfo] = {}


def register(info: GameInfo) -> None:
    """Add a game that lives outside this package, for this process."""
    _registered[info.name] = info


def games() -> dict[str, GameInfo]:
    """All games by name."""
    return dict(sorted((_found() | _registered).items()))


@cache
def _found() -> dict[str, GameInfo]:
    """Games that are installed; looked for once, as that opens a file for every package."""
    found = {}
    for module in pkgutil.iter_modules(import_module("tanistry.games").__path__):
        if module.ispkg:
            info: GameInfo = import_module(f"tanistry.games.{module.name}").INFO
            found[info.name] = info
    for point in entry_points(group="tanistry.games"):
        try:
            info = point.load()
        except Exception as wrong:  # its fault, whatever it is
            reason = f"{type(wrong).__name__}: {wrong}"
            package = point.dist.name if point.dist else point.name
            raise OptionError("option/broken", package=package, reason=reason) from wrong
        found[info.name] = info
    return found


def info(name: str) -> GameInfo:
    """The game of that name; OptionError names those there are."""
    known = games()
    if not isinstance(name, str) or name not in known:
        raise OptionError("option/game", name=name, allowed=", ".join(known), rule="common.options")
    return known[name]


def definition(name: str) -> Definition:
    """The whole game; this is where its rules are loaded."""
    return definition_of(info(name))


@cache
def definition_of(info: GameInfo) -> Definition:
    """The same, of a game that is at hand: made once of what its modules declare."""
    if find_spec(f"{info.package}.definition"):  # one that puts itself together
        found: Definition = import_module(f"{info.package}.definition").DEFINITION
        return found
    modules = (import_module(f"{info.package}.{name}") for name in ("rules", "telling", "cards"))
    return Definition.of(info, *modules)
