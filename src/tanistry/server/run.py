"""Starting the server: one process, or several that share the port and the database."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from tanistry.errors import OptionError
from tanistry.server import logs, metrics
from tanistry.server.failures import is_gone, unreachable
from tanistry.server.messages import LONGEST
from tanistry.server.migrate import migrate
from tanistry.server.settings import Settings
from tanistry.server.sqlite import check_sound, keep_private
from tanistry.server.store import Store

APPLICATION = "tanistry.server.app:create_app"
PATIENCE = 10.0
"""Seconds for PostgreSQL to answer: it may be starting, too."""


def serve(
    config: Settings,
    prepared: Callable[[], None] | None = None,
    waiting: Callable[[OptionError], None] | None = None,
) -> None:
    """Run until told to stop (Ctrl-C, SIGTERM).

    `prepared` is called when nothing is missing, `waiting` when a database does not answer that may
    be starting, too.
    """
    logs.set_up(config.log_level, config.log_format)
    asyncio.run(_prepare(config, waiting))
    if config.metrics:
        metrics.serve(config.metrics, config.workers)
    if prepared:
        prepared()
    os.environ.update(config.environment())
    uvicorn.run(
        APPLICATION,
        factory=True,
        host=config.host,
        port=config.port,
        workers=config.workers,
        loop="auto",
        http="tanistry.server.doors:Http",
        ws="tanistry.server.doors:WebSocket",
        ws_max_size=4 * LONGEST,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        proxy_headers=True,
        forwarded_allow_ips=config.proxies,
        timeout_graceful_shutdown=max(1, round(config.grace)),
        log_config=None,
        access_log=config.access_log,
        server_header=False,
    )


async def _prepare(config: Settings, waiting: Callable[[OptionError], None] | None) -> None:
    """The schema is brought up once, before workers start; OptionError if the database is not."""
    until = time.monotonic() + (0 if config.on_sqlite else PATIENCE)
    while True:
        try:
            return await _bring_up(config)
        except OptionError:
            raise
        except Exception as wrong:
            away = is_gone(wrong)
            if not away and not isinstance(wrong, (OSError, ValueError, SQLAlchemyError)):
                raise
            if not away or time.monotonic() > until:
                raise unreachable(config, wrong) from None
            if waiting:
                waiting(unreachable(config, wrong))
                waiting = None  # once is enough
        await asyncio.sleep(0.5)


async def _bring_up(config: Settings) -> None:
    if config.on_sqlite:
        keep_private(config)
    store = Store(config)
    try:
        if config.on_sqlite:
            async with store.engine.connect() as connection:
                await connection.run_sync(check_sound)
        await migrate(store.engine, config.database_shown)
        await store.beat(first=config.alone)
    finally:
        await store.engine.dispose()
