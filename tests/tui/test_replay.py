"""Stepping through a record on the screen."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.widgets import RichLog, Static

import tanistry
from tanistry.session.language import texts
from tanistry.session.replay import Reel
from tanistry.tui.replay import ReplayApp
from tanistry.tui.widgets import Sheet

from .driving import until


def reel() -> Reel:
    match = tanistry.game("claim").deal(7)
    while match.to_act is not None:
        match.play(match.legal()[0])
    return Reel(match.record(Seat0="Ann", Seat1="Bob"), texts("en"))


def test_back_and_forth() -> None:
    app = ReplayApp(reel(), "all")

    async def run() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("right", "right", "right")
            await until(lambda: app.index == 3)
            await pilot.press("left")
            await until(lambda: app.index == 2)
            await pilot.press("end")
            await until(lambda: app.index == 52)
            log = app.query_one("#log", RichLog)
            await until(lambda: "1. " in " ".join(strip.text for strip in log.lines))
            await pilot.press("right", "home")
            await until(lambda: app.index == 0)
            await pilot.press("left", "right")
            await until(lambda: app.index == 1)

    asyncio.run(run())


def test_eyes() -> None:
    app = ReplayApp(reel(), "all")

    async def run() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            seen: list[tuple[Any, str, str]] = []
            for eyes in ("all", 0, 1, None):
                await until(lambda: app.eyes == eyes)
                await pilot.pause()
                title = str(app.query_one("#title", Static).render())
                seen.append((app.eyes, title, app.query_one("#board", Sheet).canvas.plain()))
                await pilot.press("e")
            assert [eyes for eyes, *_ in seen] == ["all", 0, 1, None]
            assert "Ann's view" in seen[1][1]
            assert "×13" not in seen[0][2]  # with all eyes nothing lies face down in a hand
            assert seen[3][2].count("×13") == 2

    asyncio.run(run())
