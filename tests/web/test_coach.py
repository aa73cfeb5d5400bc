"""The coach at a table of this device: called, asked, heard, and a choice taken back."""

from __future__ import annotations

import re

import tanistry
from tanistry.analysis.coaching import Coach
from tests.web.people import PHONE, Room
from tests.web.test_local import needs_engines  # noqa: F401

NOTE_THE_SIGN = """() => new MutationObserver(() => {
    window.sign ??= document.querySelector('[data-consulted]')?.textContent
}).observe(document, {childList: true, subtree: true})"""
"""What is said while the coach thinks, however short that is."""


def test_a_coach_is_called_and_a_choice_taken_back(room: Room) -> None:
    match = tanistry.game("claim").deal(42)
    coach = Coach(match.game, ("Ailsa", "Angus"), "fr")
    verdicts = {token: coach.verdict(match, token) for token in match.legal()}
    flawed = next(token for token, lines in verdicts.items() if len(lines) == 2)
    best = coach.idea(match)[1].partition(": ")[2]

    person = room.enter("fr", PHONE)
    page = person.open("/mine").page
    page.fill("textarea", match.record(Seat0="Ailsa", Seat1="Angus", Bot1="people:1"))
    page.locator("form button[type=submit], form .main").first.click()
    page.wait_for_url("**/t/my-*")
    assert person.wait_for_choice()
    page.get_by_role("button", name="Conseil").click()
    page.evaluate(NOTE_THE_SIGN)
    page.click("[data-coach=false]")
    page.wait_for_selector("[data-idea]")
    assert "réfléchit" in page.evaluate("window.sign"), "one is told at once"
    page.get_by_role("button", name="Idée").click()
    page.wait_for_selector("[data-idea]")
    first = page.locator(".coach li").first.text_content() or ""
    assert best.lower() in first.lower()
    person.check_width()
    person.check_axe()

    held = f".near .invites[data-card={flawed}]"
    turn = person.turn
    page.click(held)
    page.wait_for_selector("[data-verdict]")
    said = page.locator("[data-verdict]").text_content() or ""
    assert f"({said})" in verdicts[flawed][0].replace("\u202f", "\u00a0")
    person.wait_past(turn)
    cost = re.search(r"\d+", said)
    assert cost
    page.locator(".coach .explain").click()
    numbers = re.findall(r"\d+", page.locator(".coach .meaning").text_content() or "")
    better, matches, own = map(int, numbers)
    assert (matches, better - own) == (100, int(cost[0])), "the figure is explained"
    person.check_width()
    person.check_axe()
    page.click("[data-take-back]")
    page.wait_for_selector(held)
    assert person.wait_for_choice()
    assert not page.locator("[data-verdict]").count()
    page.reload()
    page.get_by_role("button", name="Idée").wait_for()


def test_what_is_advised_is_in_sight(room: Room) -> None:
    person = room.enter("fr", {"width": 320, "height": 568})
    page = person.open("/mine").page
    record = tanistry.game("kilt").deal(42).record(Seat0="Ailsa", Seat1="Angus", Bot1="people:1")
    page.fill("textarea", record)
    page.locator("form button[type=submit], form .main").first.click()
    page.wait_for_url("**/t/my-*")
    assert person.wait_for_turn()
    page.get_by_role("button", name="Conseil").click()
    page.wait_for_function(
        """() => {
            const marked = document.querySelector('.felt .marked')
            const {x, y, width, height} = marked?.getBoundingClientRect() ?? {}
            const there = marked && document.elementFromPoint(x + width / 2, y + height / 2)
            return there && marked.contains(there)
        }"""
    )


def test_a_refusal_leaves_the_advice_where_it_is(room: Room) -> None:
    person = room.enter("fr", {"width": 390, "height": 844})
    page = person.open("/mine").page
    match = tanistry.game("claim").interpreted().deal(1)
    while match.to_act != 0 or set(match.view(0)["places"]["hand.0"]) == set(match.legal()):
        match.play(match.legal()[0])
    page.fill("textarea", match.record(Seat0="Ailsa", Seat1="Angus", Bot1="people:1"))
    page.locator("form button[type=submit], form .main").first.click()
    assert person.wait_for_choice()
    page.get_by_role("button", name="Conseil").click()
    page.click("[data-coach=false]")
    page.wait_for_selector("[data-idea]")
    page.locator(".near .card.idle").first.click(force=True)
    page.get_by_role("alert").wait_for()
    assert page.locator("[data-idea]").count() == 1
