"""Players that choose a token from what a seat knows: `tanistry.bot("random").choose(match)`.

Each bot is a module of `tanistry.bots.players`, found by its name; it offers

    LEVELS        the levels it has, from weakest to strongest; empty if it has none
    DEFAULT       the level it plays at when none is asked for, or None
    VERSION       raised whenever it would choose otherwise, in any game: what one version won
                  is never counted together with what another did
    make(level, seed, **settings)   the bot itself; `settings` are its own to check

Nothing else needs to be told of a new one: put its module there.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tanistry.errors import OptionError

if TYPE_CHECKING:
    from tanistry.match import Match

__all__ = [
    "Bot", "bot", "bots", "check_settings", "default_level", "levels", "no_such_level", "version",
]  # fmt: skip


@runtime_checkable
class Bot(Protocol):
    """Somebody who plays. A bot looks at `match.blind(seat)` only, never at the match it is given.

    With the same seed and the same sequence of questions it gives the same answers.
    """

    name: str
    """Its name, with its level where it has some: `ismcts:3`."""

    def choose(self, match: Match) -> str:
        """The token it plays for the seat to act."""
        ...


def bots() -> tuple[str, ...]:
    """The names of all bots; none is loaded for it."""
    folder = import_module("tanistry.bots.players").__path__
    return tuple(sorted(module.name for module in pkgutil.iter_modules(folder)))


def levels(name: str) -> Sequence[int]:
    """The levels of a bot, weakest first; empty if it has none."""
    found: Sequence[int] = _module(name).LEVELS
    return found


def default_level(name: str) -> int | None:
    """The level a bot plays at when none is asked for; None if it has none."""
    found: int | None = _module(name).DEFAULT
    return found


def version(name: str) -> int:
    """The version of a bot: another one may choose otherwise."""
    found: int = _module(name).VERSION
    return found


def bot(
    name: str, level: int | None = None, seed: int | bytes | None = None, **settings: Any
) -> Bot:
    """A bot by its name, for instance `bot("ismcts", level=3, seed=1)`.

    An unknown name or level is an OptionError that names what is allowed. Without a seed the
    operating system gives one.
    """
    module = _module(name)
    if level is None:
        level = module.DEFAULT
    elif type(level) is not int or level not in module.LEVELS:
        raise no_such_level(name, level)
    made: Bot = module.make(level, seed, **settings)
    return made


def no_such_level(name: str, value: object) -> OptionError:
    """What to raise when somebody asks for a level that the bot does not have."""
    allowed = ", ".join(map(str, levels(name)))
    return OptionError(
        "bot/level" if allowed else "bot/no_level", name=name, value=value, allowed=allowed
    )


def check_settings(name: str, given: Iterable[str], allowed: Iterable[str]) -> None:
    """Refuse what is no setting of a bot."""
    listed = ", ".join(allowed)
    for setting in given:
        if setting not in listed.split(", "):
            code = "bot/setting" if listed else "bot/no_setting"
            raise OptionError(code, name=name, setting=setting, allowed=listed)


def _module(name: str) -> Any:
    if name not in bots():
        raise OptionError("bot/name", name=name, allowed=", ".join(bots()))
    return import_module(f"tanistry.bots.players.{name}")
