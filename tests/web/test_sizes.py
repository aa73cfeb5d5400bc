"""Every table fits every window: in the middle of a match nothing covers what can be tapped."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.web.people import DESKTOP, INVITING, Person, Room

SIZES = {
    "laptop": (1366, 650),
    "phone on its side": (844, 390),
    "phone": (390, 844),
    "small phone": (320, 568),
    "200 % zoom": (640, 430),
}
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("claim", 2, {}),
    ("kilt", 4, {}),
    ("schotten", 2, {}),
    ("lords", 5, {}),
]
CHOICES = 8
SMALLEST = 11
"""Pixels: no text is smaller."""

# What is wrong with what can be tapped, once it is scrolled into its own box: covered at its
# centre, out of the window, or outside the table; and text that is too small.
COMPLAINTS = """(smallest) => {
    const found = []
    const say = (e) => (e.getAttribute('aria-label') || e.textContent).trim().slice(0, 50)
    const active = 'button, a[href], select, input, [tabindex="0"]'
    for (const e of document.querySelectorAll(active)) {
        if (!e.checkVisibility() || e.closest('.unseen, .skip')) continue
        e.scrollIntoView({block: 'nearest', inline: 'nearest'})
        const box = e.getBoundingClientRect()
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight)
            found.push(`out of reach: ${say(e)}`)
        const top = document.elementFromPoint(x, y)
        if (!top || !(e.contains(top) || top.contains(e) && !top.matches(active)))
            found.push(`covered: ${say(e)} by ${top?.outerHTML.slice(0, 90)}`)
    }
    if (scrollY || document.documentElement.scrollHeight > innerHeight + 1)
        found.push(`the page itself scrolls: ${document.documentElement.scrollHeight}`)
    for (const e of document.querySelectorAll('.open'))
        if (e.scrollWidth > e.clientWidth + 1)
            found.push(`the table scrolls sideways: ${e.scrollWidth}`)
    const felt = document.querySelector('.felt').getBoundingClientRect()
    for (const part of document.querySelectorAll('.near, .players > ul, .asking > *, .tools > *')) {
        const box = part.getBoundingClientRect()
        if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1)
            found.push(`cut off: ${part.className}`)
        if (!part.closest('.felt') && box.width
            && box.left < felt.right && box.right > felt.left
            && box.top < felt.bottom - 1 && box.bottom > felt.top + 1)
            found.push(`over the table: ${part.className}`)
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const e = walker.currentNode.parentElement
        const text = walker.currentNode.data.trim()
        if (!text || !e.checkVisibility() || e.closest('.unseen')) continue
        const size = parseFloat(getComputedStyle(e).fontSize)
        if (size < smallest) found.push(`${size} px: ${text.slice(0, 30)}`)
    }
    for (const e of document.querySelectorAll('[data-text]')) {  // written by styles
        const size = parseFloat(getComputedStyle(e).fontSize)
        if (e.checkVisibility() && size < smallest) found.push(`${size} px: ${e.dataset.text}`)
    }
    for (const e of document.querySelectorAll('.card .value, .card .letters'))
        if (e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
            found.push(`runs over its corner: ${e.dataset.text} at ${e.clientWidth} px`)
    for (const [over, under] of [['rank', 'value'], ['sign', 'letters']])
        for (const e of document.querySelectorAll(`.card .${under} ~ .${over}`)) {
            const below = e.parentElement.querySelector(`.${under}`)
            const [a, b] = [e, below].map((one) => one.getBoundingClientRect())
            if (e.checkVisibility() && a.width && a.left < b.right - 2 && b.left < a.right - 2
                && a.top < b.bottom - 2 && b.top < a.bottom - 2)
                found.push(`the ${over} lies on ${below.dataset.text}: ${say(e.parentElement)}`)
        }
    for (const e of document.querySelectorAll('.card .badge')) {
        const [over, value] = [e, e.parentElement.querySelector('.value')].map((one) =>
            one.getBoundingClientRect())
        const [x, y] = [value.x + value.width / 2, value.y + value.height / 2]
        if (x > over.left && x < over.right && y > over.top && y < over.bottom)
            found.push(`${e.dataset.text} lies on the number`)
    }
    return [...new Set(found)]
}"""


def to_the_middle(person: Person, rng: random.Random, choices: int = CHOICES) -> None:
    """So many choices, and on to the next that is really one: a single one is made for us."""
    for _ in range(choices):
        assert person.wait_for_turn()
        person.choose(rng)
    while person.wait_for_turn():
        if person.page.locator(INVITING).count() > 1:
            return
        person.choose(rng)
    raise AssertionError("the match was over before its middle")


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=[t[0] for t in TABLES])
def test_a_table_fits_every_window(
    room: Room, game: str, seats: int, options: dict[str, Any]
) -> None:
    person = room.enter("en", DESKTOP)
    table = person.against_bots(game, seats, **options)
    rng = random.Random(3)
    to_the_middle(person, rng)
    for lang in ("en", "fr"):
        person.open(f"/t/{table}?lang={lang}")
        person.page.wait_for_selector(f"html[lang={lang}] .felt [data-card]")
        person.wait_for_turn()
        fits(person)
    if game == "claim":
        sees_the_votes(person)
    if game == "lords":
        sees_the_own_army(person)
        sees_everybody(person)
    if game != "claim" and picks(person, rng):  # there one tap plays a card
        fits(person)


def picks(person: Person, rng: random.Random) -> bool:
    """On to a choice in more than one step, with its first step made; False at the end."""
    while person.wait_for_turn():
        turn = person.turn
        if person.page.locator(".near " + INVITING).count():
            person.page.locator(".near " + INVITING).first.click()
            person.page.wait_for_function(
                "turn => document.querySelector('.near .picked, [data-result]')"
                " || document.querySelector('[data-turn]').dataset.turn !== turn",
                arg=turn,
            )
            if person.page.locator(".near .picked").count():
                return True
        else:
            person.choose(rng)
    return False


def sees_the_votes(person: Person) -> None:
    """On the smallest phone, too: it is what one plays for."""
    person.resize(*SIZES["small phone"])
    hidden = person.page.evaluate(
        """() => {
            const [open, votes] = ['.open', '.open table'].map((found) =>
                document.querySelector(found).getBoundingClientRect())
            return votes.bottom - open.bottom
        }"""
    )
    assert hidden <= 0, f"{hidden} px are cut off"


def sees_the_own_army(person: Person) -> None:
    """On a phone, however it is held: it is what one compares others with."""
    for name in ("phone", "phone on its side"):
        person.resize(*SIZES[name])
        hidden = person.page.evaluate(
            """() => {
                const [open, army] = ['.open', '.open .mine'].map((found) =>
                    document.querySelector(found).getBoundingClientRect())
                return army.bottom - open.bottom
            }"""
        )
        assert hidden < 8, f"{name}: {hidden} px are cut off"


def sees_everybody(person: Person) -> None:
    """Also beside a table that is low and wide."""
    for name in ("phone on its side", "200 % zoom"):
        person.resize(*SIZES[name])
        cut = person.page.locator(".players > ul").evaluate(
            "ul => ul.scrollHeight - ul.clientHeight + ul.scrollWidth - ul.clientWidth"
        )
        assert cut <= 1, f"{name}: {cut} px are cut off"


def fits(person: Person) -> None:
    for name, (width, height) in SIZES.items():
        person.resize(width, height)
        person.check_width()
        found = person.page.evaluate(COMPLAINTS, SMALLEST)
        assert found == [], f"{name}: {found}"
    person.resize(**DESKTOP)


def test_a_replay_on_a_phone_hides_neither_stone_nor_pile(room: Room) -> None:
    """All hands are open there, and what moves the table takes its room from it."""
    person = room.enter("en", DESKTOP)
    table = person.against_bots("schotten")
    person.make_choices(random.Random(3), 4)
    person.wait_for_turn()
    person.resign()
    person.open(f"/r/{table}")
    person.page.wait_for_selector("[data-step]")
    person.page.get_by_role("button", name="To the end").click()
    for width, height in ((390, 844), (360, 640)):
        person.resize(width, height)
        hidden = person.page.evaluate(
            "() => { const open = document.querySelector('.open');"
            " return open.scrollHeight - open.clientHeight }"
        )
        assert hidden <= 1, f"{width} × {height}: {hidden} px are cut off"
