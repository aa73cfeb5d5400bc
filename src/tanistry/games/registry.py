"""Finding games: our own subfolders, entry points of other packages, and what was registered.

A package in which something is wrong is named, and keeps none of the other games from being played.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec

from tanistry.catalogue import LANGUAGES, catalogue
from tanistry.errors import OptionError
from tanistry.games.checking import check_declared
from tanistry.games.contract import Definition, GameInfo

_registered: dict[str, GameInfo] = {}


def register(info: GameInfo) -> None:
    """Add a game that lives outside this package, for this process."""
    _registered[info.name] = info


def games() -> dict[str, GameInfo]:
    """All games by name, but for those that are `broken`."""
    return dict(sorted((_found()[0] | _registered).items()))


def broken() -> dict[str, OptionError]:
    """What is wrong with each game that is installed and cannot be loaded, by its entry point."""
    return _found()[1]


@contextmanager
def _blaming(package: str) -> Iterator[None]:
    """Whatever goes wrong in the files of a package is its fault: an OptionError that names it."""
    try:
        yield
    except Exception as wrong:
        reason = f"{type(wrong).__name__}: {wrong}".rstrip(".")
        raise OptionError("option/broken", package=package, reason=reason) from wrong


@cache
def _found() -> tuple[dict[str, GameInfo], dict[str, OptionError]]:
    """Games that are installed, and those that are broken; looked for once, as that opens a file
    for every package."""
    found, wrong = {}, {}
    for module in pkgutil.iter_modules(import_module("tanistry.games").__path__):
        if module.ispkg:
            info: GameInfo = import_module(f"tanistry.games.{module.name}").INFO
            found[info.name] = info
    for point in entry_points(group="tanistry.games"):
        try:
            with _blaming(point.dist.name if point.dist else point.name):
                info = point.load()
                for lang in LANGUAGES:  # whoever lists games reads all their titles and rules
                    catalogue(lang, info.package).rules()
        except OptionError as error:
            wrong[point.name] = error
        else:
            found[info.name] = info
    return found, wrong


def info(name: str) -> GameInfo:
    """The game of that name; OptionError names those there are, or says what is wrong with it."""
    known = games()
    if isinstance(name, str) and name in known:
        return known[name]
    if isinstance(name, str) and name in broken():
        raise broken()[name].with_traceback(None)  # it is kept, and would grow each time
    raise OptionError("option/game", name=name, allowed=", ".join(known), rule="common.options")


def definition(name: str) -> Definition:
    """The whole game; this is where its rules are loaded."""
    return definition_of(info(name))


@cache
def definition_of(info: GameInfo) -> Definition:
    """The same, of a game that is at hand: made once of what its modules declare."""
    with _blaming(info.package):
        if find_spec(f"{info.package}.definition"):  # one that puts itself together
            found: Definition = import_module(f"{info.package}.definition").DEFINITION
        else:
            names = ("rules", "telling", "cards")
            found = Definition.of(info, *(import_module(f"{info.package}.{n}") for n in names))
        check_declared(found)
    return found
