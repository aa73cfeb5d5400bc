"""Take-backs that the other grants, and matches in which nobody need be there."""

from __future__ import annotations

import random

from tests.web.people import DESKTOP, PHONE, Person, Room


def sit_down(guest: Person, link: str) -> None:
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.get_by_role("button", name="I am ready").click()


def hand(person: Person) -> list[str]:
    return sorted(
        person.page.evaluate(
            "[...document.querySelectorAll('.near .hand [data-card]')].map(c => c.dataset.card)"
        )
    )


def test_a_choice_is_taken_back_when_the_other_agrees(room: Room) -> None:
    """At Schotten Totten, where nobody is ever left with a single card that plays itself."""
    host, guest = room.enter("fr", DESKTOP), room.enter("en", PHONE)
    host.open()
    host.call("GET", "/me")
    new = {"game": "schotten", "options": {"tactics": False}, "rated": False}
    table = host.call("POST", "/tables", new)["id"]
    host.open(f"/t/{table}")
    sit_down(guest, f"{host.url}/t/{table}")
    host.page.get_by_role("button", name="Je suis prêt").click()
    for person in (host, guest):
        person.page.wait_for_selector(".felt [data-card]")
    host.wait_for_choice()
    held = hand(host)
    host.choose(random.Random(3))
    for answer in ("Decline", "Accept"):
        host.page.get_by_role("button", name="Reprendre").click()
        offer = guest.page.locator("[data-undo-offer]")
        offer.get_by_role("button", name=answer).wait_for()
        assert "asks to take back" in offer.inner_text()
        assert "New cards may have been seen" in offer.inner_text(), "one was drawn"
        guest.check_width()
        guest.check_axe()
        offer.get_by_role("button", name=answer).click()
        for person in (host, guest):
            person.page.wait_for_selector("[data-undo-offer]", state="detached")
    for person in (host, guest):
        person.wait_past("1")
    host.wait_for_choice()
    assert hand(host) == held


def test_a_match_by_days_begins_and_goes_on_without_anybody_there(room: Room) -> None:
    host, guest = room.enter("en", DESKTOP), room.enter("fr", PHONE)
    host.open()
    host.page.click("[data-friends=claim]")
    host.page.get_by_label("Clock").select_option("day")
    host.page.get_by_label("Rated match").uncheck()
    host.page.get_by_label("Take-backs may be asked for").uncheck()
    host.page.click("dialog form button[type=submit]")
    link = host.page.input_value("[data-link]")
    table = link.rsplit("/", 1)[1]
    guest.page.goto(link)
    guest.page.get_by_role("button", name="S’asseoir").click()
    guest.page.get_by_role("button", name="Je suis prêt").click()
    guest.page.wait_for_selector("text=✓")
    guest.open("/turns")
    guest.page.wait_for_selector("text=Aucune partie ne vous attend.")
    host.page.get_by_role("button", name="I am ready").click()
    host.wait_for_choice()
    assert "away" not in host.page.inner_text(".players")
    assert host.page.get_by_role("button", name="Take back").count() == 0
    host.choose(random.Random(3))
    host.open("/turns")
    guest.open("/turns")
    for person, section in ((host, "Waiting for others"), (guest, "On vous attend")):
        there = person.page.get_by_role("region", name=section)
        there.locator(f"[data-turn-of='{table}']").wait_for()
        left = ("23 h 59 min", "1 d 0 h", "1 j 0 h")
        assert any(time in there.inner_text().replace("\u00a0", " ") for time in left)
        person.check_width()
        person.check_axe()
    guest.page.wait_for_selector("[data-turns='1']")
    assert host.page.locator("[data-turns]").count() == 0
    guest.page.get_by_role("link", name="Ouvrir").click()
    guest.page.wait_for_selector(".felt [data-card]")
