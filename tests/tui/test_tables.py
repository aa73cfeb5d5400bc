"""Each game on the screen: choosing with keys and with the mouse where it has its own ways."""

from __future__ import annotations

import random
from typing import Any

import pytest
from textual.containers import VerticalScroll
from textual.widgets import OptionList, RichLog, Static

import tanistry
from tanistry.cli.reading import read_players
from tanistry.session.session import Session
from tanistry.tui.play import PlayApp
from tanistry.tui.screens import Curtain
from tanistry.tui.widgets import Sheet

from .driving import drive, settled, until


def at(name: str, until: str, seats: int | None = None, **options: Any) -> Session:
    """A match in which seat 0 has a choice with `until` in its token, and others."""
    game = tanistry.game(name, seats=seats, **options)
    players = read_players(game, [], "random", [], seed=2)
    bot = tanistry.bot("random", seed=3)
    for seed in range(200):
        session = Session(game.deal(seed), players, "en")
        while session.match.to_act is not None:
            legal = session.match.legal()
            if session.match.to_act == 0 and len(legal) > 1 and any(until in t for t in legal):
                return session
            session.play(bot.choose(session.match))
    raise AssertionError(until)


async def click_spot(app: PlayApp, pilot: Any, spot: Any) -> None:
    where = app.query_one("#board", Sheet).canvas.where(spot)
    assert where is not None, spot
    await pilot.click("#board", offset=where)
    await settled(app, pilot)


def test_schotten_card_then_stone() -> None:
    session = at("schotten", "@")

    async def script(app: PlayApp, pilot: Any) -> None:
        before = len(app.session.match.history)
        choice = next(c for c in app.listed if c["verb"] == "play")
        await click_spot(app, pilot, app.board.spots(choice, app.scene()).pop())
        assert app.session.match.history[before] == (0, choice["token"])

    drive(script, session)


def test_schotten_another_card_then_a_key() -> None:
    session = at("schotten", "@", tactics=False)

    async def script(app: PlayApp, pilot: Any) -> None:
        before = len(app.session.match.history)
        await pilot.press("right")
        await until(lambda: app.cursor == 1)
        card = app.hand_codes()[1]
        assert {choice["card"] for choice in app.listed if "card" in choice} == {card}
        token = app.listed[1]["token"]
        await pilot.press("2")
        await settled(app, pilot)
        assert app.session.match.history[before] == (0, token)

    drive(script, session)


def test_schotten_click_on_a_pile_to_draw() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        before = len(app.session.match.history)
        await click_spot(app, pilot, "tactics")
        assert app.session.match.history[before] == (0, "draw tactic")

    drive(script, at("schotten", "draw tactic"))


def test_lords_click_on_a_recruit() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        before = len(app.session.match.history)
        await click_spot(app, pilot, ("recruits", 2))
        assert app.session.match.history[before] == (0, "recruit 3")

    drive(script, at("lords", "recruit 3", seats=5))


def test_lords_card_up_or_down() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        where = app.query_one("#hand", Sheet).canvas.where(1)
        await pilot.click("#hand", offset=where)
        await settled(app, pilot)
        card = app.hand_codes()[1]
        assert {f"{card} up", f"{card} down"} <= {choice["token"] for choice in app.listed}
        row = app.query_one("#choices", OptionList).highlighted
        assert row is not None
        assert app.listed[row]["card"] == card

    drive(script, at("lords", " down", seats=5))


def test_lords_click_on_a_supporter() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        before = len(app.session.match.history)
        choice = app.listed[1]
        await click_spot(app, pilot, choice["card"])
        assert app.session.match.history[before] == (0, choice["token"])

    drive(script, at("lords", "claim", seats=3))


@pytest.mark.parametrize("size", [(60, 24), (80, 24)], ids=str)
def test_all_that_four_others_did_can_be_read(size: tuple[int, int]) -> None:
    """In a small window, too; what would leave no room for the table is in the log."""
    session = at("lords", "up", seats=5)
    shown = []

    async def script(app: PlayApp, pilot: Any) -> None:
        for number in range(24):
            caption, news = app.part("#caption", Static), app.part("#news", VerticalScroll)
            earlier = app.part("#earlier", Static)
            await until(lambda: earlier.display == (caption.size.height > news.size.height))
            assert app.part("#board", Sheet).size.height >= 4
            shown.append((caption.size.height, earlier.display))
            app.choose(random.Random(number).choice(app.session.match.legal()))
            await settled(app, pilot)

    drive(script, session, size=size)
    assert max(height for height, hidden in shown if not hidden) >= 5
    assert not any(hidden for height, hidden in shown if height <= 6)


def test_a_small_window_says_who_is_at_the_table() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        title = str(app.part("#title", Static).render())
        assert title.endswith("Initiative Ailsa  ·  Ailsa (you)")
        assert len(title) <= 58

    drive(script, at("lords", "up", seats=5), size=(60, 20))


def test_kilt_click_on_a_cell_offers_what_it_can_do() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        climb = next(c for c in app.session.match.choices() if c["verb"] == "climb")
        cell = climb["from"]
        before = len(app.session.match.history)
        await click_spot(app, pilot, cell)
        if len(app.session.match.history) == before:
            assert climb in app.listed
            assert all(cell in (c.get("from"), c.get("to")) for c in app.listed)
            await pilot.press("escape")
            await until(lambda: app.spot is None)

    drive(script, at("kilt", "climb"))


def test_kilt_reveal_shows_the_family() -> None:
    async def script(app: PlayApp, pilot: Any) -> None:
        family = app.session.match.view(0)["places"]["family.0"]
        assert len(app.hand_codes()) == len(family)

    drive(script, at("kilt", "reveal", seats=3))


@pytest.mark.parametrize(
    ("name", "seats"), [("kilt", 4), ("lords", 5), ("schotten", 2), ("claim", 2)]
)
def test_a_whole_match_watched(name: str, seats: int) -> None:
    """Bots only: a spectator sees the table to the end."""
    game = tanistry.game(name, seats=seats)
    chairs = [f"{seat}=random" for seat in range(seats)]
    players = read_players(game, chairs, None, [], seed=4)
    session = Session(game.deal(4), players, "fr")
    bot = tanistry.bot("random", seed=3)
    turns = 0
    while session.match.to_act is not None and turns < 60:
        session.play(bot.choose(session.match))
        turns += 1

    async def script(app: PlayApp, pilot: Any) -> None:
        assert app.session.match.result is not None
        assert app.eyes is None
        assert app.hand_codes() == []
        await until(lambda: bool(app.query_one("#log", RichLog).lines))
        assert "{" not in app.query_one("#board", Sheet).canvas.plain()

    drive(script, session)


def test_three_people_and_two_bots() -> None:
    game = tanistry.game("lords", seats=5)
    players = read_players(game, ["2=human", "4=human"], "random", ["A", "B", "C"], seed=4)
    session = Session(game.deal(4), players, "en")
    met = set()

    async def script(app: PlayApp, pilot: Any) -> None:
        for _ in range(12):
            await settled(app, pilot)
            if isinstance(app.screen, Curtain):
                assert app.eyes is None
                await pilot.press("enter")
                await until(lambda: app.eyes is not None)
                met.add(app.eyes)
            else:
                before = len(app.session.match.history)
                await pilot.press("1")
                await until(lambda: len(app.session.match.history) > before)

    drive(script, session)
    assert {0, 2} <= met
