"""Bring a database to the present schema."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import AsyncEngine

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


def state_of(revision: str) -> str:
    """How a schema stands to ours: present, older or unknown (of a newer version)."""
    known = [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()]
    return "present" if revision == newest() else "older" if revision in known else "unknown"


def _upgrade(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"select pg_advisory_xact_lock({LOCK})"))
    command.upgrade(config(connection), "head")


async def migrate(engine: AsyncEngine) -> None:
    """Apply what is missing; harmless when nothing is."""
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)
