"""Starting the server: one process, or several that share the port and the database."""

from __future__ import annotations

import asyncio
import os

import uvicorn

from tanistry.server import logs
from tanistry.server.messages import LONGEST
from tanistry.server.migrate import migrate
from tanistry.server.settings import Settings
from tanistry.server.store import Store


def serve(config: Settings) -> None:
    """Run until told to stop (Ctrl-C, SIGTERM)."""
    logs.set_up(config.log_level, config.log_format)
    asyncio.run(_prepare(config))
    os.environ.update(config.environment())
    uvicorn.run(
        "tanistry.server.app:create_app",
        factory=True,
        host=config.host,
        port=config.port,
        workers=config.workers,
        loop="auto",
        ws="tanistry.server.wire:Wire",
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


async def _prepare(config: Settings) -> None:
    """The schema is brought up once, before workers start."""
    store = Store(config)
    try:
        await migrate(store.engine)
    finally:
        await store.engine.dispose()
