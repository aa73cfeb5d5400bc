"""What an operator may set, by flag or by environment variable (`TANISTRY_PORT=8080`)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tanistry.arguments import whole
from tanistry.errors import OptionError

PREFIX = "TANISTRY_"
POSTGRESQL = ("postgresql://", "postgres://", "postgresql+asyncpg://")
SQLITE = "sqlite:///"
REDIS = ("redis://", "rediss://", "unix://")
MAIL = ("smtp://", "smtps://")
SITE = ("https://", "http://")
NUMBERS = {
    "port": (0, 65_535),
    "workers": (1, 1024),
    "bot_threads": (1, 1024),
    "guest_days": (0, 36_500),
}
"""The least and the most they may be."""
SECONDS = {
    "bot_pause": (0.0, 60.0),
    "absent": (0.0, 86_400.0),
    "poll": (0.05, 3600.0),
    "grace": (0.0, 3600.0),
}
LISTS = {
    "origins": (
        re.compile(r"^[a-z][a-z0-9+.-]*://[^/?#@\sA-Z]+$"),
        "https://name, https://name:port",
    ),
    "hosts": (re.compile(r"^[^/?#@\s]+$"), "name, name:port"),
    "push_hosts": (re.compile(r"^[^/?#@\s]+$"), "name, name:port"),
}
"""What may stand between the commas, and its shape in words; compared with what browsers send."""
ADDRESS = re.compile(r"^[^@\r\n]+@[\w.-]+>?$")
"""A mail address, with a name before it or without."""
CHOICES = {
    "tournaments": ("members", "host", "none"),
    "clubs": ("members", "host", "none"),
    "talk": ("chat", "emotes", "none"),
    "sync": ("full", "normal"),
    "log_level": ("debug", "info", "warning", "error", "critical"),
    "log_format": ("text", "json"),
}
YES_AND_NO = {"1": True, "true": True, "yes": True, "on": True} | {
    "0": False, "false": False, "no": False, "off": False, "": False
}  # fmt: skip


def listed(text: str) -> list[str]:
    """What stands between the commas of a setting."""
    return [one.strip() for one in text.split(",") if one.strip()]


def networks(proxies: str) -> list[IPv4Network | IPv6Network] | None:
    """The addresses and networks of a setting, None for all (`*`); OptionError for anything else.

    A name among them would be trusted by nobody: what is compared with them are addresses."""
    if proxies.strip() == "*":
        return None
    found = []
    for one in listed(proxies):
        try:
            found.append(ip_network(one))
        except ValueError:
            allowed = "192.0.2.7, 192.0.2.0/24, *"
            raise OptionError("option/value", name="proxies", value=one, allowed=allowed) from None
    return found


@dataclass(frozen=True)
class Settings:
    """All settings. Each has a flag of the same name (`bot_threads`: `--bot-threads`).

    What they mean is said by `tanistry serve --help` and in docs/configuration.md.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "tanistry.db"
    sync: str = "full"
    redis: str = ""
    workers: int = 1
    secret: str = ""
    origins: str = ""
    hosts: str = ""
    proxies: str = "127.0.0.1"
    limits: bool = True
    bot_threads: int = 2
    bot_pause: float = 0.5
    absent: float = 30.0
    poll: float = 2.0
    grace: float = 5.0
    guest_days: int = 90
    people: bool = True
    tournaments: str = "host"
    clubs: str = "host"
    talk: str = "chat"
    invited: bool = False
    mail: str = ""
    mail_from: str = ""
    site: str = ""
    push: bool = True
    push_hosts: str = ""
    access_log: bool = False
    log_level: str = "info"
    log_format: str = "text"
    metrics: str = ""
    warm: bool = True

    def __post_init__(self) -> None:
        for name, (least, most) in NUMBERS.items():
            whole(name, getattr(self, name), least, most)
        for name, (shortest, longest) in SECONDS.items():
            if not shortest <= (given := getattr(self, name)) <= longest:
                between = f"{shortest:g}–{longest:g}"
                raise OptionError("option/value", name=name, value=given, allowed=between)
        for name, (pattern, shape) in LISTS.items():
            for one in listed(getattr(self, name)):
                if not pattern.search(one):
                    raise OptionError("option/value", name=name, value=one, allowed=shape)
        for name, allowed in CHOICES.items():
            if (value := getattr(self, name)) not in allowed:
                named = ", ".join(allowed)
                raise OptionError("option/value", name=name, value=value, allowed=named)
        networks(self.proxies)
        self._check_address("redis", REDIS)
        self._check_address("mail", MAIL)
        self._check_address("site", SITE)
        if self.mail and not (self.site and ADDRESS.search(self.mail_from)):
            raise OptionError("settings/mail")
        if self.database.removeprefix("sqlite://").removeprefix("/") == "" or (
            ":memory:" in self.database
        ):
            raise OptionError("settings/database", value=self.database)
        if "://" in self.database and not self.database.startswith((*POSTGRESQL, SQLITE)):
            raise OptionError("settings/scheme", value=self.database.partition("://")[0])

    def _check_address(self, name: str, schemes: tuple[str, ...]) -> None:
        given = getattr(self, name)
        try:
            found = urlsplit(given)
            good = given.startswith(schemes) and (name == "redis" or found.hostname)
            good = good and (found.port or True)  # reading it may fail
        except ValueError:
            good = False
        if given and not good:
            named = ", ".join(f"{start}…" for start in schemes)
            start = given.partition(":")[0]  # what follows may hold a password
            raise OptionError("option/value", name=name, value=start, allowed=named)

    @cached_property
    def database_url(self) -> str:
        """The database as SQLAlchemy's asynchronous engine names it."""
        given = self.database
        if given.startswith(POSTGRESQL):
            return "postgresql+asyncpg://" + given.split("://", 1)[1]
        return f"sqlite+aiosqlite:///{Path(given.removeprefix(SQLITE)).expanduser()}"

    @cached_property
    def database_shown(self) -> str:
        """The database without a password."""
        return re.sub(r"(://[^:/@]*):.*@", r"\1:…@", self.database)

    @cached_property
    def on_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    @cached_property
    def alone(self) -> bool:
        """Whether nobody else plays on this database, as far as we know."""
        return self.workers == 1 and not self.redis and self.on_sqlite

    @cached_property
    def has_tournaments(self) -> bool:
        return self.people and self.tournaments != "none"

    @cached_property
    def has_clubs(self) -> bool:
        """They are there to play tournaments."""
        return self.has_tournaments and self.clubs != "none"

    def environment(self) -> dict[str, str]:
        """The settings as environment variables, for worker processes."""
        return {PREFIX + f.name.upper(): str(getattr(self, f.name)) for f in fields(self)}


def from_environment(environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
    """The settings from `TANISTRY_*`, overruled by what is given (None: not given)."""
    source = os.environ if environment is None else environment
    settings = Settings()
    found: dict[str, Any] = {}
    for item in fields(Settings):
        if (text := source.get(PREFIX + item.name.upper())) is not None:
            found[item.name] = _read(item.name, text, getattr(settings, item.name))
    found |= {name: value for name, value in given.items() if value is not None}
    return replace(settings, **found)


def _read(name: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return YES_AND_NO[text.lower()]
        return type(default)(text)
    except (KeyError, ValueError):
        raise ValueError(f"{PREFIX}{name.upper()}={text!r} cannot be read") from None
