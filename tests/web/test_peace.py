"""A server by invitation: a link lets somebody in, a ban puts them out, and they are forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tanistry.cli.app import run
from tests.web.conftest import Interpreted, needs_client
from tests.web.people import PHONE, Room


@pytest.fixture
def invited(browser: object, tmp_path: Path) -> Iterator[tuple[Room, list[str]]]:
    """A room of its own, and what names its database at the console."""
    needs_client()
    process = Interpreted(tmp_path, invited=True).start()
    room = Room(browser, process.url)
    yield room, ["--database", str(tmp_path / "test.db"), "--site", process.url]
    room.close()
    process.kill()


def tanistry(*words: str) -> int:
    """At the console: in a thread, as Playwright keeps an event loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run, words).result()


def test_invited_banned_and_forgotten(
    invited: tuple[Room, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    room, database = invited
    host = room.enter("fr").open()
    host.page.wait_for_selector("[data-barred='auth/invitation']:has-text('sur invitation')")
    host.check_axe()
    assert tanistry("admin", "invite", *database) == 0
    host.page.goto(capsys.readouterr().out.split()[0])
    host.page.click("[data-come]")
    host.page.wait_for_selector("text=Bienvenue")
    host.call("POST", "/account", {"login": "ailsa", "password": "rain on the glen"})
    assert tanistry("admin", "role", "ailsa", "host", *database) == 0

    # The host makes a link; somebody comes by it.
    host.open("/account")
    host.page.click("a[href='/moderation']")
    host.page.click("[data-invite]")
    link = host.page.input_value("[data-invitation]")
    guest = room.enter("en", PHONE)
    guest.page.goto(link)
    guest.page.wait_for_selector("[data-come]")
    guest.check_axe()
    guest.check_width()
    guest.page.click("[data-come]")
    guest.page.wait_for_selector("text=Welcome!")
    player = guest.call("GET", "/me")["id"]

    # Reported, and banned: out at once, with the reason; and back when it is lifted.
    table = guest.call("POST", "/tables", {"game": "claim"})["id"]
    report = {"player": player, "table": table, "why": "name", "note": "<i>rude</i>"}
    assert host.call("POST", "/reports", report) == {"ok": True}
    host.page.reload()
    host.page.wait_for_selector("[data-report]:has-text('<i>rude</i>')")
    host.check_axe()
    host.check_width()
    guest.open(f"/t/{table}")
    guest.page.wait_for_selector("[data-link]")
    host.page.get_by_role("textbox", name="Motif").fill("Rude name.")
    host.page.get_by_role("button", name="Exclure").click()
    host.page.wait_for_selector("[data-sanction=ban]")
    guest.page.wait_for_selector("[data-barred='auth/banned']:has-text('Rude name.')")
    host.page.get_by_role("button", name="Lever").click()
    host.page.wait_for_selector("[data-sanction=ban]", state="detached")
    host.page.get_by_role("button", name="Clore le signalement").click()
    host.page.wait_for_selector("[data-report]", state="detached")
    host.page.locator(".acts li").nth(5).wait_for()  # two by the console, four by the page

    # And forgotten, if they like: here they would need another invitation.
    guest.open("/account")
    guest.page.click("[data-forget]")
    guest.check_width()
    guest.page.get_by_role("button", name="Forget me").click()
    guest.page.wait_for_selector("[data-barred='auth/invitation']")
