"""Three browsers talk at a table: emotes in two languages, chat, mute, report, block."""

from __future__ import annotations

from tests.web.people import Person, Room
from tests.web.test_together import sit_together

MARKUP = "<img src=x onerror=\"document.title='owned'\"> & <b>bold</b>"


def open_talk(person: Person) -> None:
    person.page.click("[data-talk]")
    person.page.wait_for_selector("dialog [role=log]")


def close_talk(person: Person) -> None:
    person.page.keyboard.press("Escape")
    person.page.wait_for_selector("dialog", state="detached")


def said(person: Person) -> list[str]:
    return person.page.locator("dialog .said").all_inner_texts()


def test_talk_mute_report_and_block(room: Room) -> None:
    host, guest, table = sit_together(room, "claim")
    watcher = room.enter("en").open(f"/t/{table}")
    watcher.page.wait_for_selector(".near .hand .card")

    # An emote is read in one's own language, beside the name of who said it.
    open_talk(host)
    host.page.click("[data-emote=good_luck]")
    guest.page.wait_for_selector("[data-said]:has-text('Good luck!')")
    host.page.wait_for_selector("dialog .said:has-text('Bonne chance')")
    close_talk(host)

    # A line is text and nothing else; spectators do not get it.
    open_talk(guest)
    guest.page.fill("dialog input", MARKUP)
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_selector("dialog .said:has-text('onerror')")
    host.page.wait_for_selector("[data-talk] .count:has-text('1')")
    button = host.page.locator("[data-talk]")
    counted = button.bounding_box()
    open_talk(host)
    assert said(host)[-1] == MARKUP
    assert button.bounding_box() == counted, "the count takes no room from the other buttons"
    assert host.page.locator("dialog .said *").count() == 0
    assert "owned" not in host.page.title()
    open_talk(watcher)
    assert said(watcher) == ["Good luck!"]
    assert watcher.page.locator("dialog input").count() == 0
    close_talk(watcher)
    assert not any(MARKUP in str(message) for message in watcher.received)

    # It is there after a reload.
    guest.page.reload()
    guest.page.wait_for_selector(".felt [data-card]")
    open_talk(guest)
    guest.page.wait_for_selector("dialog .said:has-text('onerror')")
    assert guest.page.locator("[data-said]").count() == 0, "it was not said just now"
    assert said(guest) == ["Good luck!", MARKUP]
    close_talk(guest)

    # What was said while one was away is unread, until it is read.
    close_talk(host)
    host.open()
    guest.page.click("[data-talk]")
    guest.page.click("[data-emote=think]")
    host.open(f"/t/{table}").page.wait_for_selector("[data-talk] .count:text-is('1')")
    assert host.page.locator("[data-said]").count() == 0
    open_talk(host)
    host.wait_for_count("[data-talk] .count", 0)
    host.page.reload()
    host.page.wait_for_selector("[data-talk]")
    assert host.page.locator("[data-talk] .count").count() == 0
    open_talk(host)
    close_talk(guest)

    # The host lets spectators talk; one of them is reported and muted by the host's device.
    host.page.select_option("[data-talkers]", "everybody")
    host.page.wait_for_selector("dialog .said:has-text('spectateurs')")
    open_talk(watcher)
    watcher.page.fill("dialog input", "boo")
    watcher.page.keyboard.press("Enter")
    host.page.wait_for_selector("dialog .said:text-is('boo')")
    host.check_axe()
    name = watcher.call("GET", "/me")["name"]
    host.page.get_by_role("button", name=name).last.click()
    host.page.get_by_role("button", name="Signaler").click()
    host.page.get_by_role("button", name="Envoyer le signalement").click()
    host.page.wait_for_selector("text=Les modérateurs vont regarder")
    host.page.get_by_role("button", name=name).last.click()
    host.page.get_by_role("button", name="Masquer").click()
    host.page.wait_for_selector("dialog .said:text-is('boo')", state="detached")
    host.page.get_by_role("button", name="Afficher de nouveau").click()
    host.page.wait_for_selector("dialog .said:text-is('boo')")

    # Blocked: sent away at once, and in another tab too.
    host.page.get_by_role("button", name=name).last.click()
    host.page.get_by_role("button", name="Bloquer").click()
    host.page.get_by_role("button", name="Bloquer").click()
    watcher.page.wait_for_selector("text=asked to keep apart")
    tab = watcher.context.new_page()
    tab.goto(f"{room.url}/t/{table}")
    tab.wait_for_selector("text=asked to keep apart")
    assert tab.locator("[data-card]").count() == 0

    # The account page undoes it.
    host.open("/account")
    host.page.click("[data-blocked] button")
    host.page.wait_for_selector("[data-blocked]", state="detached")
    watcher.open(f"/t/{table}")
    watcher.page.wait_for_selector(".near .hand .card")
