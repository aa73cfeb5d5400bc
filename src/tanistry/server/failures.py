"""What goes wrong with a database: whether it is away, and how that is said."""

from __future__ import annotations

import asyncio
import sqlite3

import sqlalchemy.exc
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tanistry.errors import FileError, OptionError
from tanistry.server.settings import Settings

DATABASE = (DBAPIError, sqlite3.Error)
"""Errors of the database, by way of SQLAlchemy or not."""
OURS = tuple(
    getattr(kind, name)
    for kind in (sqlite3, sqlalchemy.exc)
    for name in ("IntegrityError", "ProgrammingError", "DataError")
)
"""Those that are about what was asked, not about the database being away."""


def is_gone(error: BaseException) -> bool:
    """Whether an error means that the database is away for the moment: ask again later."""
    if isinstance(error, DATABASE):
        return not isinstance(error, OURS) and not _is_about_values(error)
    if isinstance(error, (PoolTimeout, OSError, asyncio.TimeoutError)):
        return True
    return type(error).__module__.startswith("asyncpg")  # it refuses connections in its own words


def _is_about_values(error: BaseException) -> bool:
    """Whether PostgreSQL, or its driver before it, did not take a value: no time will help."""
    raised = getattr(error, "orig", None)
    state = str(getattr(raised, "sqlstate", None) or "")
    return state.startswith("22") or isinstance(getattr(raised, "__cause__", None), ValueError)


def cause(error: BaseException) -> str:
    """What the database itself says is wrong, in one line, without what was asked of it."""
    said = str(getattr(error, "orig", None) or error).partition("\n")[0].strip()
    return said.rpartition(">: ")[2] or type(error).__name__


def unreachable(config: Settings, wrong: Exception) -> OptionError:
    """What is wrong with the database, without its password."""
    name = config.database_shown
    if isinstance(wrong, OSError) and wrong.errno:
        return FileError("settings/unreachable", name, wrong)
    return OptionError("settings/unreachable", name=name, reason=cause(wrong))
