"""What a table tells, and how it answers a hand: in every window."""

from __future__ import annotations

import random

from tests.web.people import DESKTOP, PHONE, Room
from tests.web.test_sizes import SIZES, to_the_middle

# What happened that cannot be read: the newest at once, the rest unfolded or scrolled to.
UNREAD = """() => {
    const found = []
    const shown = (e) => {
        const [range, box] = [document.createRange(), e.getBoundingClientRect()]
        range.selectNodeContents(e)
        const last = [...range.getClientRects()].at(-1)
        const seen = ([x, y]) => e.contains(document.elementFromPoint(x, y))
        return box.bottom <= innerHeight && seen([last.right - 2, last.bottom - 4])
    }
    const newest = document.querySelector('.asking .newest')
    if (!shown(newest)) found.push(`not seen: ${newest.textContent}`)
    for (const line of document.querySelectorAll('.asking .older li')) {
        line.scrollIntoView({block: 'nearest'})
        if (line.checkVisibility() && !shown(line)) found.push(`not reached: ${line.textContent}`)
    }
    return found
}"""


def test_the_newest_is_told_in_every_window(room: Room) -> None:
    """With four bots, who do more than a small window holds: the newest is there, the rest one tap
    away, and the log says the same."""
    person = room.enter("fr", DESKTOP)
    person.against_bots("lords", 5)
    page, rng = person.page, random.Random(2)
    to_the_middle(person, rng)
    while page.locator(".older li").count() < 2:
        to_the_middle(person, rng, 1)
    newest = page.inner_text(".newest").removesuffix("Tout lire").strip()
    log = page.inner_text("aside .turns")
    assert newest.split(".")[0] in log.partition(page.inner_text(".older li:last-child"))[0]
    for name, (width, height) in SIZES.items():
        person.resize(width, height)
        unfold = page.locator(".asking .unfold")
        page.wait_for_function(
            """() => {
                const [older] = document.querySelectorAll('.asking .older')
                const all = older.clientHeight && older.scrollHeight <= older.clientHeight + 1
                const link = document.querySelector('.asking .unfold').checkVisibility()
                return all || link
            }"""
        )
        assert page.evaluate(UNREAD) == [], name
        if unfold.is_visible():
            unfold.click()
            assert page.evaluate(UNREAD) == [], f"{name}, unfolded"
            person.check_axe()
            unfold.click()


def test_a_card_dropped_on_another_of_the_hand_stays_the_one_that_is_held(room: Room) -> None:
    """And nothing of the table moves while it is dragged."""
    person = room.enter("en", PHONE)
    person.against_bots("lords", 3)
    assert person.wait_for_choice()
    page = person.page
    card, other = (page.locator(".near .hand [data-card]").nth(n) for n in (0, 2))
    start, end = card.bounding_box(), other.bounding_box()
    assert start
    assert end
    felt = page.locator(".felt").bounding_box()
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 15, end["y"] + 20, steps=5)
    page.wait_for_selector(".asking .back")
    assert page.locator(".felt").bounding_box() == felt
    assert other.bounding_box() == end
    page.mouse.up()
    person.wait_for_count(".near .picked", 1)
    assert card.get_attribute("data-look") == "picked"
    assert other.get_attribute("data-look") == "other"


def test_a_card_that_is_played_at_once_is_not_played_by_dropping_it_in_the_hand(room: Room) -> None:
    person = room.enter("en", DESKTOP)
    person.against_bots("claim")
    assert person.wait_for_choice()
    page, turn = person.page, person.turn
    page.evaluate("addEventListener('pointerup', () => window.dropped = true)")
    page.locator(".near .invites").first.drag_to(page.locator(".near .invites").last, steps=5)
    page.wait_for_function("() => window.dropped")
    card = page.locator(".near .invites").first
    code = card.get_attribute("data-card")
    card.drag_to(page.locator(".felt .middle"), steps=5)
    person.wait_past(turn)
    events = [event for message in person.received for event in message.get("events") or []]
    played = [event["card"] for event in events if str(event.get("from")) == "hand.0"]
    assert played[:1] == [code]
