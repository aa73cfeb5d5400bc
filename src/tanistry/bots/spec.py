"""How a bot is written: `name:level,setting=value`, the same wherever one is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tanistry.bots.blinding import BlindBot, blind
from tanistry.bots.registry import default_level, levels, make_player, no_such_level
from tanistry.errors import OptionError
from tanistry.match.seeds import seed_bytes

Setting = int | float | str

WRITTEN = re.compile(r"(?P<name>.+?\.py:\w+|[^:,]*)(:(?P<level>[^,]*))?(,(?P<settings>.*))?")
RESERVED = {"name", "level", "seed"}


@dataclass(frozen=True)
class BotSpec:
    """A bot with its level and settings: `ismcts:3`, `ismcts:3,exploration=1.0`, `my.py:MyBot`."""

    name: str
    level: int | None = None
    settings: tuple[tuple[str, Setting], ...] = ()

    @classmethod
    def read(cls, text: object) -> BotSpec:
        """From what a person wrote; OptionError if there is no such bot, level or setting."""
        name, level, settings = parse(text)
        if isinstance(level, str):
            raise no_such_level(name, level)
        return cls.of(name, default_level(name) if level is None else level, settings)

    @classmethod
    def of(cls, name: str, level: int | None, settings: Mapping[str, Any]) -> BotSpec:
        """From its parts, checked in the same way; two that play alike are equal."""
        spec = cls(name, level, tuple(sorted(settings.items())))
        spec.bot(b"\0" * 32)
        return spec

    @property
    def text(self) -> str:
        level = "" if self.level is None else f":{self.level}"
        return f"{self.name}{level}" + "".join(f",{key}={value}" for key, value in self.settings)

    @property
    def weakest(self) -> BotSpec:
        """The same bot at its lowest level and as it usually plays: quick to ask."""
        return BotSpec(self.name, next(iter(levels(self.name)), None))

    def bot(self, seed: int | bytes | None = None) -> BlindBot:
        """The bot itself, behind its screen."""
        key = seed_bytes(seed)
        player = make_player(self.name, self.level, key, dict(self.settings))
        return blind(player, self.text, key)


def bot(
    name: str, level: int | None = None, seed: int | bytes | None = None, **settings: Any
) -> BlindBot:
    """A bot, for instance `bot("ismcts", level=3, seed=1)` or `bot("ismcts:3", seed=1)`.

    It sees of a match only what the seat to act knows, whoever wrote it. An unknown name, level or
    setting is an OptionError that names what is allowed. Without a seed the system gives one.
    """
    spec = BotSpec.read(name)
    if level is not None or settings:
        level = spec.level if level is None else level
        spec = BotSpec.of(spec.name, level, {**dict(spec.settings), **settings})
    return spec.bot(seed)


def parse(text: object) -> tuple[str, int | str | None, dict[str, Setting]]:
    """Name, level (a text where it is no number) and settings, whether there is such a bot or not;
    OptionError if it is not written like one."""
    written = WRITTEN.fullmatch(text) if isinstance(text, str) else None
    if written is None:
        raise OptionError("bot/spec", value=text)
    listed = written["settings"]
    items = [] if listed is None else [item.partition("=") for item in listed.split(",")]
    settings = {key.strip(): _value(value) for key, _, value in items}
    well_formed = all(equals for _, equals, _ in items) and len(settings) == len(items)
    if not well_formed or RESERVED & set(settings):
        raise OptionError("bot/spec", value=text)
    level = written["level"]
    return written["name"], int(level) if level and level.isdecimal() else level, settings


def _value(text: str) -> Setting:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip()
