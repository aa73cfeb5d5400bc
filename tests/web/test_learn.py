"""Lessons in the browser: from the start page through all steps of a game, to a first match."""

from __future__ import annotations

import pytest

import tanistry
from tanistry.catalogue import typeset
from tests.web.people import PHONE, Room
from tests.web.test_local import needs_engines  # noqa: F401
from tests.web.test_sizes import fits


def test_a_step_that_is_not_there(room: Room) -> None:
    person = room.enter("en", PHONE)
    page = person.open("/learn/claim/99").page
    said = "There is no such step: these lessons have 8."
    page.get_by_role("alert").filter(has_text=said).wait_for()
    page.get_by_role("link", name="Learn step by step").click()
    page.wait_for_selector("[data-lesson]")
    person.open("/learn/claim/3").page.get_by_text("Knights beat Goblins").first.wait_for()


@pytest.mark.parametrize("game", tanistry.games())
def test_a_lesson_fits_every_window(room: Room, game: str) -> None:
    person = room.enter("fr", PHONE)
    for step in (1, len(tanistry.game(game).lessons("fr"))):
        person.open(f"/learn/{game}/{step}").page.wait_for_selector(".felt [data-card]")
        person.page.click(".fold")  # on a phone one reads, then turns to the table
        fits(person)
        person.resize(**PHONE)


def test_a_newcomer_learns_claim_and_sits_down(room: Room) -> None:
    steps = tanistry.game("claim").lessons("fr")
    person = room.enter("fr", PHONE)
    page = person.open().page
    page.click("[data-learn=claim]")
    for number, step in enumerate(steps):
        page.wait_for_selector(f"[data-lesson={step.name}]")
        assert page.locator(".goal").text_content() == step.goal
        person.check_width()
        page.click(".fold")
        if number == 0:
            person.check_axe()
            page.click(".near [data-card=G3]", force=True)
            page.get_by_role("alert").filter(has_text=typeset("a entamé avec le Nain 4")).wait_for()
            page.click(".near [data-card=D2]")
            page.get_by_role("alert").filter(has_text=step.answer("D2")).wait_for()
            page.get_by_role("button", name="Montrez-moi").click()
            page.wait_for_selector(".near .marked")
            page.reload()
            page.wait_for_selector(f"[data-lesson={step.name}]")
        for patterns in step.line[:1]:
            page.click(f".near [data-card={patterns[0]}]")
        page.wait_for_selector("[data-done]")
        assert page.locator("[data-done]").text_content() == step.done
        page.click("[data-next]")
    page.wait_for_url("**/t/my-*")
    assert person.wait_for_turn()
    page.get_by_role("button", name="Idée").wait_for()  # with the coach
    person.open()
    page.wait_for_selector("[data-play=claim]")
    assert not page.locator("[data-learn]").count()
    person.open("/rules/claim")
    page.get_by_role("link", name="Apprendre pas à pas").first.click()
    page.wait_for_selector(f"[data-lesson={steps[0].name}]")
