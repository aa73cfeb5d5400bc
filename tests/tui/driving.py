"""Driving the screen: a script of keys and clicks, and waiting for what they bring about."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from tanistry.session.session import Session
from tanistry.tui.play import PlayApp
from tanistry.tui.screens import Curtain, Sign
from tests.patience import PATIENCE

SIZE = (100, 30)
Script = Callable[[PlayApp, Any], Awaitable[None]]


def drive(script: Script, table: Session, size: tuple[int, int] = SIZE, **settings: Any) -> PlayApp:
    """Run a script against the screen."""
    app = PlayApp(table, pace=0.0, **settings)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(app, pilot)
            await script(app, pilot)

    asyncio.run(run())
    return app


async def until(holds: Callable[[], bool]) -> None:
    """A key goes through several queues before anything has come of it."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.005)


async def settled(app: PlayApp, pilot: Any) -> None:
    """Until nothing goes on without the person, and everything is drawn."""
    await until(lambda: is_at_rest(app))
    if app.is_running:
        await pilot.pause()  # what is new is measured and placed
        await pilot.pause()  # and has heard of it


def is_at_rest(app: PlayApp) -> bool:
    """Whether it is a person's turn, with nobody thinking and nothing that is played for them."""
    if not app.is_running:
        return True
    if any(not worker.is_finished for worker in app.workers):
        return False
    if app.session.match.to_act is None:
        return isinstance(app.screen, Sign)
    if app.session.shared and app.eyes is None:
        return isinstance(app.screen, Curtain)
    forced = app.play_forced and len(app.session.match.legal()) == 1
    return app.persons_turn and not forced
