"""What an operator may set, by flag or by environment variable (`TANISTRY_PORT=8080`)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

PREFIX = "TANISTRY_"


def _meant(text: str) -> dict[str, str]:
    return {"help": text}


@dataclass(frozen=True)
class Settings:
    """All settings. Each has a flag of the same name (`bot_threads`: `--bot-threads`)."""

    host: str = field(default="127.0.0.1", metadata=_meant("address to listen on"))
    port: int = field(default=8000, metadata=_meant("port to listen on"))
    database: str = field(
        default="tanistry.db",
        metadata=_meant("a file for SQLite, or postgresql://user:password@host/name"),
    )
    redis: str = field(
        default="", metadata=_meant("redis://host:port/0, when there are several workers or hosts")
    )
    workers: int = field(default=1, metadata=_meant("processes on this host"))
    secret: str = field(
        default="", metadata=_meant("key that signs cookies; kept in the database if not given")
    )
    origins: str = field(
        default="",
        metadata=_meant("further origins whose pages may use this server, separated by commas"),
    )
    proxies: str = field(
        default="127.0.0.1",
        metadata=_meant("addresses of proxies whose X-Forwarded headers are believed"),
    )
    limits: bool = field(default=True, metadata=_meant("limit rates per client and address"))
    bot_threads: int = field(default=2, metadata=_meant("threads in which bots think"))
    bot_pause: float = field(
        default=0.5, metadata=_meant("seconds a bot lets pass at least, so that people can follow")
    )
    absent: float = field(
        default=30.0, metadata=_meant("seconds after which a bot may stand in for an absent person")
    )
    poll: float = field(
        default=2.0, metadata=_meant("seconds between looks at the database for others' moves")
    )
    grace: float = field(default=5.0, metadata=_meant("seconds a shutdown may take"))
    access_log: bool = field(default=False, metadata=_meant("log every HTTP request"))
    log_level: str = field(default="info", metadata=_meant("debug, info, warning or error"))
    log_format: str = field(default="text", metadata=_meant("text or json"))
    metrics: bool = field(default=True, metadata=_meant("serve /metrics"))
    warm: bool = field(default=True, metadata=_meant("compile the rules before they are needed"))

    @property
    def database_url(self) -> str:
        """The database as SQLAlchemy's asynchronous engine names it."""
        given = self.database
        if given.startswith(("postgresql://", "postgres://")):
            return "postgresql+asyncpg://" + given.split("://", 1)[1]
        if given.startswith("sqlite:///"):
            given = given.removeprefix("sqlite:///")
        elif "://" in given:
            return given
        return f"sqlite+aiosqlite:///{Path(given).expanduser()}"

    @property
    def on_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    @property
    def alone(self) -> bool:
        """Whether nobody else plays on this database, as far as we know."""
        return self.workers == 1 and not self.redis and self.on_sqlite

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
            return {"1": True, "true": True, "yes": True, "on": True}.get(text.lower(), False)
        return type(default)(text)
    except ValueError:
        raise ValueError(f"{PREFIX}{name.upper()}={text!r} cannot be read") from None
