"""Bring a database to the present schema."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import AsyncEngine

from tanistry.errors import OptionError

LOCK = 7_264_791
"""Any number: PostgreSQL's advisory lock that lets one host migrate at a time."""


def config(connection: sa.Connection | None = None) -> Config:
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    found.attributes["connection"] = connection
    return found


def newest() -> str:
    """The schema of this version."""
    return ScriptDirectory.from_config(config()).get_current_head() or ""


def revisions() -> set[str]:
    """All schemas this version knows; one that is not among them is of a newer version."""
    scripts = ScriptDirectory.from_config(config()).walk_revisions()
    return {script.revision for script in scripts}


def check_known(name: object, found: str | None) -> None:
    """OptionError about a database whose schema is of a newer version."""
    if found is not None and found not in revisions():
        raise OptionError("admin/newer", name=name, found=found, newest=newest())


def check_own(connection: sa.Connection, name: object) -> None:
    """OptionError about a file with tables of another program, which shall stay as it is."""
    found = sa.inspect(connection).get_table_names()
    if found and "alembic_version" not in found:
        raise OptionError("admin/foreign", name=name)


def go_back(connection: sa.Connection, to: str) -> None:
    """Undo what came after a schema."""
    command.downgrade(config(connection), to)


def _upgrade(connection: sa.Connection, name: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"select pg_advisory_xact_lock({LOCK})"))
    else:
        check_own(connection, name)
    check_known(name, MigrationContext.configure(connection).get_current_revision())
    command.upgrade(config(connection), "head")


async def migrate(engine: AsyncEngine, name: str) -> None:
    """Apply what is missing; harmless when nothing is. `name` is how errors call the database."""
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade, name)
