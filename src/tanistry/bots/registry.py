"""Finding bots: our own modules, entry points of other packages, classes in a file, and programs.

A bot is a class:

    class MyBot:
        levels = (1, 2)       # those it has, from weakest to strongest; left out if it has none
        default_level = 1     # at which it plays when none is asked for
        version = 1           # raised whenever it would choose otherwise, in any game: what one
                              # version won is never counted together with what another did

        def __init__(self, *, seed, level, pace=1.0): ...
        def choose(self, match): ...          # a token of match.legal()
        def analyse(self, match): ...         # may be left out

`seed` is 32 bytes, `level` is given only to a class with levels; what else `__init__` takes by name
are its settings, each with a default. Our own stand in `tanistry.bots.players`, one a module, which
names the class `BOT`. The match it is handed is blinded for the seat to act.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tanistry.bots.faults import FAULTS, fault, is_ours, place, reason
from tanistry.bots.program import program_class
from tanistry.errors import OptionError

GROUP = "tanistry.bots"


def bots() -> tuple[str, ...]:
    """The names of all bots that are installed; none is loaded for it."""
    return tuple(sorted({*own_bots(), *_installed()}))


@cache
def own_bots() -> tuple[str, ...]:
    """The names of our own."""
    folder = import_module("tanistry.bots.players").__path__
    return tuple(module.name for module in pkgutil.iter_modules(folder))


def levels(name: str) -> Sequence[int]:
    """The levels of a bot, weakest first; empty if it has none."""
    return getattr(class_of(name), "levels", ())


def default_level(name: str) -> int | None:
    """The level a bot plays at when none is asked for; None if it has none."""
    return getattr(class_of(name), "default_level", None)


def version(name: str) -> int:
    """The version of a bot: another one may choose otherwise."""
    return getattr(class_of(name), "version", 1)


def make_player(name: str, level: int | None, seed: bytes, settings: Mapping[str, Any]) -> Any:
    """A player, not yet behind its screen; OptionError says what is wrong with what was asked."""
    if level is not None and (type(level) is not int or level not in levels(name)):
        raise no_such_level(name, level)
    check_settings(name, settings)
    given = dict(settings) if level is None else {"level": level, **settings}
    made = class_of(name)
    try:
        inspect.signature(made).bind(seed=seed, **given)
    except TypeError:
        taken = ", ".join(["seed", *given])
        raise OptionError("bot/init", name=name, taken=taken) from None
    try:
        return made(seed=seed, **given)
    except FAULTS as wrong:
        if is_ours(made):
            raise
        raise fault(name, made, wrong) from wrong


def no_such_level(name: str, value: object) -> OptionError:
    """What to raise when somebody asks for a level that the bot does not have."""
    allowed = ", ".join(map(str, levels(name)))
    return OptionError(
        "bot/level" if allowed else "bot/no_level", name=name, value=value, allowed=allowed
    )


def check_settings(name: str, given: Mapping[str, Any]) -> None:
    """Refuse what is no setting of a bot."""
    taken = inspect.signature(class_of(name)).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken):
        return  # it checks for itself
    allowed = [parameter.name for parameter in taken if parameter.name not in ("seed", "level")]
    for setting in given:
        if setting not in allowed:
            code = "bot/setting" if allowed else "bot/no_setting"
            raise OptionError(code, name=name, setting=setting, allowed=", ".join(allowed))


def class_of(name: str) -> Any:
    """The class of a bot: by its name, as `path/to/file.py:ClassName`, or as `./program`."""
    path, colon, called = name.rpartition(":")
    if colon and path.endswith(".py"):
        return _in_file(Path(path).absolute(), called)
    is_path = "/" in name or os.sep in name
    if name.endswith(".py") and not (is_path and os.access(name, os.X_OK)):
        raise _which(Path(name).absolute())
    if is_path:
        return _program(Path(name).absolute())
    if name in own_bots():
        return import_module(f"tanistry.bots.players.{name}").BOT
    if name in _installed():
        return _load(_installed()[name])
    looks_like_a_file = Path(name).suffix or Path(name).is_file()
    code = "bot/name_file" if looks_like_a_file else "bot/name"
    raise OptionError(code, name=name, allowed=", ".join(bots()))


@cache
def _installed() -> dict[str, EntryPoint]:
    """Bots of other packages; looked for once, as that opens a file for every package."""
    return {point.name: point for point in entry_points(group=GROUP)}


def _load(point: EntryPoint) -> Any:
    try:
        return point.load()
    except FAULTS as wrong:
        raise OptionError("bot/broken", file=point.value, reason=reason(wrong)) from wrong


@cache
def _in_file(path: Path, called: str) -> Any:
    found = getattr(_module(path), called, None)
    if not _plays(found):
        there = ", ".join(_classes(path)) or "–"
        raise OptionError("bot/no_class", name=called, file=str(path), allowed=there)
    return found


def _which(path: Path) -> OptionError:
    """What to raise when a file is named without a class."""
    there = ", ".join(f"{path.name}:{called}" for called in _classes(path))
    return OptionError("bot/which_class" if there else "bot/no_bots", file=str(path), allowed=there)


def _classes(path: Path) -> list[str]:
    """The classes of a file that look like bots; it is only read, as it may be a program."""
    if not path.is_file():
        raise OptionError("bot/file", file=str(path))
    try:
        tree = ast.parse(path.read_bytes(), path.name)
    except (SyntaxError, ValueError) as wrong:
        raise OptionError("bot/broken", file=str(path), reason=reason(wrong)) from wrong
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and (
            any(isinstance(base, ast.Name) and base.id in found for base in node.bases)
            or any(isinstance(d, ast.FunctionDef) and d.name == "choose" for d in node.body)
        ):
            found.append(node.name)
    return found


def _plays(found: Any) -> bool:
    return isinstance(found, type) and callable(getattr(found, "choose", None))


@cache
def _program(path: Path) -> Any:
    return program_class(path)


@cache
def _module(path: Path) -> Any:
    name = f"tanistry_bot_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise OptionError("bot/file", file=str(path))
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except FAULTS as wrong:
        del sys.modules[name]
        where = place(str(path), wrong)
        raise OptionError("bot/broken", file=where, reason=reason(wrong)) from wrong
    return module
