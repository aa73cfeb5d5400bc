"""Stepping through a record on the screen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.widgets import RichLog, Static

import tanistry
from tanistry.session.language import texts
from tanistry.session.replay import Reel
from tanistry.tui.choices import hand_codes
from tanistry.tui.replay import ReplayApp
from tanistry.tui.widgets import Sheet

from .driving import until
from .test_boards import scene_of


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


@pytest.mark.parametrize("name", list(tanistry.games()))
def test_the_hand_of_whose_eyes_these_are_is_shown(name: str) -> None:
    match = tanistry.game(name).deal(7)
    while len(match.history) < 3:
        match.play(match.legal()[0])
    app = ReplayApp(Reel(match.record(), texts("en")), "all")

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("end")
            await until(lambda: app.index == 3)
            for eyes in ("all", *range(match.game.seats), None):
                await until(lambda eyes=eyes: app.eyes == eyes)
                await pilot.pause()
                sheet = app.query_one("#hand", Sheet)
                assert sheet.display == isinstance(eyes, int)
                if isinstance(eyes, int):
                    scene = scene_of(match, eyes)
                    held = [app.board.label(code, scene) for code in hand_codes(app.board, scene)]
                    assert held
                    assert all(label in sheet.canvas.plain() for label in held)
                await pilot.press("e")

    asyncio.run(run())
