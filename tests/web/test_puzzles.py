"""Puzzles in the browser: from the start page to one that is missed, solved and rated."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tanistry.analysis.puzzling import of_the_day, puzzles
from tests.web.people import PHONE, Room
from tests.web.test_local import needs_engines  # noqa: F401
from tests.web.test_people import sign_up


def test_a_puzzle_is_missed_solved_and_rated(room: Room) -> None:
    kept = puzzles("claim")
    assert kept
    puzzle = kept.puzzles[0]
    person = room.enter("en", PHONE)
    page = person.open().page
    page.click("[data-puzzles]")
    page.wait_for_selector("[data-puzzle-today=claim]")
    person.check_width()
    person.check_axe()
    page.click("[data-puzzle-today=claim]")
    page.wait_for_selector("[data-puzzle] .goal")
    sign_up(person, "riddler")

    person.open(f"/puzzles/claim/{puzzle.name}")
    page.wait_for_selector(f"[data-puzzle='{puzzle.name}'] .goal")
    person.check_width()
    page.click(".fold")
    page.click(f".near [data-card={puzzle.mistake}]")
    page.get_by_role("alert").filter(has_text="is not the best").wait_for()
    page.click(f".near [data-card={puzzle.solution}]")
    page.wait_for_selector("[data-solution]")
    page.wait_for_selector("[data-counted]")
    told = page.locator(".told").inner_text()
    assert "Nothing is hidden any more" in told or "the chance of winning is then" in told
    assert "The usual mistake" in told
    assert not any(theme.name in told for theme in puzzle.themes), "rules go by their titles"
    person.check_width()
    person.check_axe()
    tried = person.call("GET", "/me/puzzles")
    assert tried["tried"] == {"claim": {puzzle.name: False}}

    page.click("[data-next]")
    page.wait_for_selector(f"[data-puzzle]:not([data-puzzle='{puzzle.name}']) .goal")
    following = page.get_attribute("[data-puzzle]", "data-puzzle")
    person.open("/puzzles/claim")
    page.wait_for_selector(f"[data-rating='{tried['ratings']['claim']['value']}']")
    page.locator("details summary").first.click()
    person.check_width()
    person.check_axe()
    person.open("/p/me")
    page.locator("[data-puzzles]").get_by_text("0 of 1 solved").wait_for()
    person.open(f"/puzzles/claim/{following}")
    page.click(".fold")
    unsolved = next(one for one in kept.puzzles if one.name == following)
    page.click(f".near [data-card={unsolved.mistake}]")
    page.get_by_role("alert").filter(has_text="is not the best").wait_for()
    page.get_by_role("button", name="Show the solution").click()
    page.wait_for_selector("[data-solution]")
    page.wait_for_selector(f".trick [data-card={unsolved.solution}]")
    assert not page.get_by_role("alert").count(), "what was said of the wrong try is gone"
    felt = page.locator(".felt").bounding_box()
    assert felt["height"] > PHONE["height"] / 4, "the table is still to be seen"
    person.open("/puzzles/claim/1-1")
    page.get_by_role("alert").filter(has_text="no such puzzle").wait_for()


@pytest.mark.parametrize("game", ["claim", "kilt"])
def test_a_wrong_try_does_not_move_the_hand(room: Room, game: str) -> None:
    """Its answer is long, and on a phone the next try is made with the same finger."""
    kept = puzzles(game)
    assert kept
    puzzle = kept.puzzles[0]
    person = room.enter("fr", PHONE)
    page = person.page
    for width, height in ((390, 844), (360, 640)):
        person.resize(width, height)
        person.open(f"/puzzles/{game}/{puzzle.name}")
        page.click(".fold")
        before = page.locator(".near .hand").first.bounding_box()
        page.locator(f".near .invites:not([data-card='{puzzle.solution}'])").last.click()
        if game == "kilt":  # a card that betrays, and whom
            page.locator(".open .invites").first.click()
        page.get_by_role("alert").filter(has_text="n'est pas le meilleur").wait_for()
        after = page.locator(".near .hand").first.bounding_box()
        assert before
        assert after
        assert abs(before["y"] - after["y"]) < 4, (width, height)
        felt = page.locator(".felt").bounding_box()
        assert felt["height"] > height * 0.55, "the table is still to be seen"


def test_a_day_has_its_puzzle_in_every_time_zone_and_past_midnight(room: Room) -> None:
    kept = puzzles("claim")
    assert kept
    day = date(2026, 11, 16)
    puzzle = kept.puzzles[of_the_day(len(kept.puzzles), day)]
    person = room.enter("en", PHONE, timezone_id="Pacific/Kiritimati")  # already in the next day
    page = person.page
    page.clock.set_fixed_time(datetime(2026, 11, 16, 23, 59, tzinfo=UTC))
    person.open("/puzzles/claim/today")
    page.wait_for_selector(f"[data-puzzle='{puzzle.name}'] .goal")
    page.clock.set_fixed_time(datetime(2026, 11, 17, 0, 1, tzinfo=UTC))
    page.click(".fold")
    page.click(f".near [data-card={puzzle.solution}]")
    page.wait_for_selector("[data-solution]")
    solved = page.evaluate("JSON.parse(localStorage.tanistry).puzzles")
    assert (solved["day"], solved["days"], solved["row"]) == (day.toordinal(), 1, 1)
