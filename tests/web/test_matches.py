"""Whole matches against bots in a real browser: every game, by mouse and by keyboard alone."""

from __future__ import annotations

import hashlib
import json
import random
import re
from typing import Any

import pytest

from tests.web.people import DESKTOP, PHONE, Room
from tests.web.secrets import check_nothing_leaked
from tests.web.test_people import SMALL
from tests.web.test_sizes import COMPLAINTS, SMALLEST, to_the_middle

GAMES: list[tuple[str, int, dict[str, Any], str, dict[str, int]]] = [
    ("claim", 2, {}, "fr", PHONE),
    ("kilt", 3, {}, "en", PHONE),
    ("schotten", 2, {"tactics": False}, "fr", DESKTOP),
    ("lords", 3, {"target": 12}, "en", PHONE),
]
DECIDED = {
    "claim": r"Ce qui décide.*Gobelins.*✓ \d+ cartes? \(.*(la majorité|la carte la plus haute)",
    "schotten": r"Borne.*✓ (Somme|Suite|Couleur|Équipe|Clan organisé), \d+\n\d \w+",
}
"""What the result says of how a match was won."""


@pytest.mark.parametrize(("game", "seats", "options", "lang", "size"), GAMES)
def test_a_whole_match_by_clicking(
    room: Room, game: str, seats: int, options: dict[str, Any], lang: str, size: dict[str, int]
) -> None:
    person = room.enter(lang, size)
    table = person.against_bots(game, seats, **options)
    assert person.wait_for_turn()
    assert person.page.get_attribute("html", "lang") == lang
    person.check_width()
    person.check_axe()
    person.play_to_the_end(seed=7)
    person.check_width()
    person.check_axe()
    assert person.page.locator("[data-result=play]").count()
    if game in DECIDED:
        told = person.page.inner_text("[data-result] table")
        assert re.search(DECIDED[game], told, re.DOTALL), told
    labels = [said for m in person.received for said in (m.get("labels") or {}).values()]
    assert labels
    assert not [said for said in labels if re.search(r"\b(seat|place) \d", said)]
    assert check_nothing_leaked(person, table, 0) > 5


def test_a_whole_match_by_keyboard_alone(room: Room) -> None:
    person = room.enter("en", DESKTOP)
    person.against_bots("lords", 2, target=5)
    person.make_choices(random.Random(3), 1000, by="choose_by_keyboard")
    assert person.page.locator("[data-result=play]").count()


def test_a_card_can_be_dragged(room: Room) -> None:
    """Onto a stone, onto one's own place at it; by mouse and by finger."""
    person = room.enter("en", PHONE, has_touch=True)
    person.against_bots("schotten", tactics=False)
    own = "[data-place='stone.{}.0']"
    finger = person.context.new_cdp_session(person.page)
    for stone, onto in ((2, "[data-target='stone.2']"), (3, own.format(3)), (4, own.format(4))):
        assert person.wait_for_turn()
        turn = person.turn
        card, there = person.page.locator(".near .card").first, person.page.locator(onto)
        if stone < 4:
            card.drag_to(there, steps=6)
        else:
            slide(finger, card.bounding_box(), there.bounding_box())
        person.wait_past(turn)
        person.wait_for_count(own.format(stone) + " [data-card]", 1)


def slide(finger: Any, start: Any, end: Any, steps: int = 6) -> None:
    """A finger from the middle of one box to the middle of another."""
    for step in range(steps + 1):
        x, y = (
            start[at]
            + start[by] / 2
            + (end[at] + (end[by] - start[by]) / 2 - start[at]) * step / steps
            for at, by in (("x", "width"), ("y", "height"))
        )
        kind = "touchMove" if step else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_what_a_card_does_is_told_to_finger_mouse_and_keyboard(room: Room) -> None:
    """Name, value, rank and power in words; whoever asks does not play by that."""
    person = room.enter("en", PHONE, has_touch=True)
    person.against_bots("lords", 3)
    assert person.wait_for_choice()
    page, turn = person.page, person.turn
    card = page.locator(".near .hand [data-card]").first
    told = page.locator("[role=tooltip]")
    finger = person.context.new_cdp_session(page)

    def press(where: Any) -> None:
        box = where.bounding_box()
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})

    def let_go() -> None:
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    press(card)
    told.wait_for()
    let_go()
    text = told.inner_text()
    assert re.match(r"\w+ \d+\s+Power: [a-z ]+\.\s+Strength \d+, rank \d+: ", text), text
    assert re.search(r"You see \d+ of the 12 cards of its kind: .*hand \(you\)", text), text
    person.check_axe()
    press(page.locator(".asking .prompt"))
    let_go()
    told.wait_for(state="detached")
    page.mouse.move(9, 9)
    card.hover()
    told.wait_for()
    assert told.inner_text() == text
    page.mouse.move(9, 9)
    told.wait_for(state="detached")
    page.keyboard.press("ArrowLeft")
    told.wait_for()
    assert page.evaluate("document.activeElement.ariaLabel").startswith(
        told.locator("b").inner_text()
    )
    assert person.turn == turn
    assert not page.locator(".near .picked").count()


def test_what_is_not_allowed_is_refused_with_its_rule(room: Room) -> None:
    person = room.enter()
    person.against_bots("claim")
    refused = person.page.locator(".near .card.idle")
    rng = random.Random(1)
    while not (person.wait_for_choice() and refused.count()):  # led what we must follow and can
        if person.over:
            person.against_bots("claim")
        else:
            person.choose(rng)
    refused.first.click(force=True)  # it says that it is disabled, and answers all the same
    person.page.wait_for_selector("[role=alert]")
    person.page.get_by_role("button", name="Why?").click()
    person.page.wait_for_selector("article[data-rule='claim.follow']")
    assert "claim." not in person.page.inner_text(".asking")
    person.check_axe()


def test_undo_resign_and_again(room: Room) -> None:
    person = room.enter()
    person.against_bots("claim")
    assert person.wait_for_choice()
    start = person.turn
    person.page.locator(".near .card.invites").first.click()
    person.wait_past(start)
    assert person.wait_for_choice()
    person.page.get_by_role("button", name="Undo").click()
    person.page.wait_for_function(
        "() => document.querySelectorAll('.near .card.invites').length === 13"
        " && document.querySelector('[data-my-turn=true]')"
    )
    person.resign()
    address = person.page.url
    person.page.get_by_role("button", name="Play again").click()
    person.page.wait_for_function(f"() => location.href !== '{address}'")
    person.wait_for_turn()


def test_a_fifth_game_gets_the_generic_table(heir_room: Room) -> None:
    person = heir_room.enter("en", PHONE)
    table = person.against_bots("heir")
    person.check_width()
    person.play_to_the_end(seed=1)
    assert person.page.locator("[data-result=play]").count()
    person.check_axe()
    assert table


def test_a_match_on_the_server_is_promised_before_our_number_is_known(heir_room: Room) -> None:
    """Of a game that no device has the rules of."""
    person = heir_room.enter("en", PHONE).open()
    person.page.click("[data-play=heir]")
    person.page.wait_for_selector(".felt [data-card]")
    table = person.page.url.rpartition("/")[2]
    about = person.call("GET", f"/tables/{table}")
    kept = json.loads(person.page.evaluate(f"localStorage.getItem('tanistry.fair.{table}')"))
    fairness = about["fairness"]
    assert (kept["before"], kept["commitment"]) == (True, fairness["commitment"])
    assert fairness["nonces"] == [kept["nonce"], None]

    seed, salt = bytes(32), bytes(16)  # one that the server likes better now
    fairness |= {"seed": seed.hex(), "salt": salt.hex()}
    person.page.route(f"**/api/v1/tables/{table}", lambda route: route.fulfill(json=about))
    person.page.route(f"**/api/v1/tables/{table}/record", lambda route: route.fulfill(body="x"))
    for commitment in (fairness["commitment"], hashlib.sha256(seed + salt).hexdigest()):
        fairness["commitment"] = commitment
        person.open(f"/check/{table}")
        person.page.locator(
            "[data-fits=false]", has_text="It is NOT what this device was promised"
        ).wait_for()
    person.page.evaluate("localStorage.clear()")
    person.open(f"/check/{table}")
    person.page.get_by_text("This device has stored nothing").wait_for()
    assert not person.page.locator("[data-fits=true]").count()


def test_a_hint_from_the_bot(compiled_room: Room) -> None:
    person = compiled_room.enter()
    person.against_bots("claim")
    person.wait_for_turn()
    person.page.get_by_role("button", name="Hint").click()
    person.page.wait_for_selector("text=The bot would", timeout=400_000)
    assert person.page.locator(".near .card.marked").count() >= 1


def test_what_others_did_is_told_and_marked(room: Room) -> None:
    """After the bots' turns: named in a caption, marked on the table, newest in the log."""
    person = room.enter()
    person.against_bots("lords", 3)
    assert person.wait_for_turn()
    names = person.page.locator(".players .name").all_inner_texts()
    assert len(set(names)) == 3
    page, rng = person.page, random.Random(1)
    engaged = page.locator("aside .line", has_text="engages")

    def shown() -> bool:
        """Whether cards lie there that are new, and some that the log speaks of."""
        if not engaged.count() or not page.locator(".felt [data-fresh]").count():
            return False
        engaged.first.hover()
        page.evaluate("new Promise(requestAnimationFrame)")
        return page.locator(".felt [data-told]").count() > 0

    while not shown():  # bots may draw first, and a skirmish may just have ended
        turn = person.turn
        while person.turn == turn:
            assert person.wait_for_turn()
            person.choose(rng)
        assert person.wait_for_turn()
    page.keyboard.press("Escape")  # a card that was picked would say what it does instead
    said = page.inner_text(".caption")
    assert any(name in said for name in names[1:]), said
    newest = page.locator("aside .by").first.inner_text()
    assert newest in names[1:]


def test_what_others_did_unfolds_where_there_is_little_room(room: Room) -> None:
    """On the smallest phone with four bots, until the next choice; nothing is covered by it."""
    person = room.enter("en", SMALL)
    person.against_bots("lords", 5)
    page, rng = person.page, random.Random(1)
    unfold = page.locator(".asking .unfold")
    while not unfold.is_visible():  # they do not always do much
        to_the_middle(person, rng, 1)

    def turned(whole: bool) -> int:
        """The caption's height, once it is unfolded or folded."""
        unfold.click()
        page.wait_for_selector(f".asking .unfold[aria-expanded={str(whole).lower()}]")
        assert unfold.inner_text() == ("Less" if whole else "All of it")
        return int(page.locator(".asking .caption").evaluate("e => e.clientHeight"))

    whole = turned(True)
    assert page.evaluate(COMPLAINTS, SMALLEST) == []
    person.check_axe()
    assert turned(False) < whole == turned(True)
    person.choose(rng)
    assert person.wait_for_turn()
    assert not page.locator(".asking .unfold[aria-expanded=true]").count(), "it was the last turn's"
