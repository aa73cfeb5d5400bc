"""What a table tells, and how it answers a hand: in every window."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import tanistry
from tests.web.people import DESKTOP, PHONE, Room
from tests.web.test_local import needs_engines  # noqa: F401
from tests.web.test_sizes import SIZES, TABLES, to_the_middle

# What happened that cannot be read: the newest at once, the rest unfolded or scrolled to.
UNREAD = """() => {
    const found = []
    const seen = (e, n) => {
        const range = document.createRange()
        range.selectNodeContents(e)
        const box = [...range.getClientRects()].filter(({width}) => width > 4).at(n)
        const [x, y] = [n ? box.right - 2 : box.left + 2, (box.top + box.bottom) / 2]
        return e.contains(document.elementFromPoint(x, y))
    }
    const newest = document.querySelector('.asking .newest')
    for (let e = newest; e; e = e.parentElement) e.scrollTop = 0
    if (!seen(newest, 0)) found.push(`not seen: ${newest.textContent}`)
    const link = newest.querySelector('.unfold')
    if (link?.checkVisibility()) {
        const [a, b] = [link, newest].map((e) => e.getBoundingClientRect())
        if (a.bottom > b.bottom + 1) found.push('the way to all of it is cut off')
    }
    newest.scrollTop = newest.scrollHeight
    if (!seen(newest, -1)) found.push(`not reached: ${newest.textContent}`)
    newest.scrollTop = 0
    for (const line of document.querySelectorAll('.asking .older li')) {
        line.scrollIntoView({block: 'end'})
        if (line.checkVisibility() && !seen(line, -1))
            found.push(`not reached: ${line.textContent}`)
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
    log = page.inner_text("aside .turns")
    newest, oldest = (
        page.inner_text(one).partition(".")[0].rpartition("– ")[2]
        for one in (".newest", ".older li:last-child")
    )
    assert log.index(newest) <= log.index(oldest)
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
    person.resize(*SIZES["phone on its side"])
    page.evaluate("document.querySelector('.newest').prepend('All of them do much. '.repeat(20))")
    page.wait_for_selector(".newest[data-more]")
    assert page.evaluate(UNREAD) == [], "more than its box holds"


# Claim: what is shown faded of the last trick, each time, beside what was laid.
FADED = """() => {
    const laid = {}
    window.faded = []
    new MutationObserver(() => {
        const slots = [...document.querySelectorAll('.trick [data-place]')]
        const [lies, last] = ['.card:not(.last *)', '.last .card'].map((which) =>
            slots.map((slot) => slot.querySelector(which)?.dataset.card ?? null))
        lies.forEach((code, n) => { if (code) laid[n] = code })
        if (last.some((code) => code)) window.faded.push([last, [laid[0], laid[1]]])
    }).observe(document.querySelector('.felt'), {childList: true, subtree: true})
}"""


def test_the_last_trick_stays_in_sight_as_it_was_laid(room: Room) -> None:
    """From the moment it is won, not only once the next is begun."""
    person = room.enter("en", PHONE)
    person.against_bots("claim")
    person.page.evaluate(FADED)
    rng = random.Random(1)
    while person.page.evaluate("faded.length") < 4:
        assert person.wait_for_choice()
        person.choose(rng)
    assert [pair for pair in person.page.evaluate("faded") if pair[0] != pair[1]] == []


def test_what_is_told_or_refused_does_not_move_the_table(room: Room) -> None:
    person = room.enter("fr", {"width": 390, "height": 844})
    person.against_bots("claim")
    page, rng = person.page, random.Random(1)
    refused = page.locator(".near .card.idle")
    felts, alerts, choices = set(), 0, 0
    while (not alerts or choices < 8) and person.wait_for_choice():
        felts.add(str(page.locator(".felt").bounding_box()))
        if refused.count():
            refused.first.click(force=True)
            page.get_by_role("alert").wait_for()
            felts.add(str(page.locator(".felt").bounding_box()))
            alerts += 1
        person.choose(rng)
        choices += 1
    assert alerts
    assert len(felts) == 1, felts


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


def test_it_is_our_turn_when_we_can_choose(room: Room) -> None:
    """Not while our own choice and what the others did after it are still being shown."""
    person = room.enter("en", DESKTOP)
    person.context.add_init_script("localStorage.tanistry = JSON.stringify({sound: false})")
    person.against_bots("lords", 3)
    page, rng = person.page, random.Random(3)
    page.evaluate(
        """() => {
            window.told = []
            new MutationObserver(() => {
                if (document.querySelector('[data-my-turn=true]')) return
                const current = document.querySelector('.players [aria-current]')?.innerText ?? ''
                const prompt = document.querySelector('.asking .prompt')?.innerText ?? ''
                window.told.push([current, prompt])
            }).observe(document.querySelector('.page'), {subtree: true, childList: true})
        }"""
    )
    person.make_choices(rng, 3)
    assert person.wait_for_turn()
    told = page.evaluate("window.told")
    assert told
    assert [one for one in told if "(you)" in one[0] or "Your turn" in one[1]] == []


def test_a_card_that_slides_under_the_mouse_explains_itself_once_the_mouse_moves(
    room: Room,
) -> None:
    person = room.enter("en", DESKTOP)
    person.against_bots("claim")
    assert person.wait_for_choice()
    page, turn = person.page, person.turn
    card, other = (page.locator(".near .invites").nth(n).bounding_box() for n in (5, 6))
    assert card
    assert other
    x, y = card["x"] + card["width"] - 8, card["y"] + card["height"] / 2
    page.mouse.move(x, y)
    page.wait_for_selector(".tip")
    page.mouse.click(x, y)
    person.wait_past(turn)
    assert person.wait_for_choice()
    page.wait_for_timeout(800)
    under = page.evaluate("([x, y]) => !!document.elementFromPoint(x, y).closest('.card')", [x, y])
    assert under
    assert not page.locator(".tip").count()
    page.mouse.move(x + 2, y)
    page.wait_for_selector(".tip")


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=[t[0] for t in TABLES])
def test_what_is_told_apart_has_different_names(
    room: Room, game: str, seats: int, options: dict[str, Any]
) -> None:
    """By a screen reader: two targets are never called the same."""
    person = room.enter("fr", DESKTOP)
    person.against_bots(game, seats, **options)
    rng = random.Random(4)
    for _ in range(4):
        to_the_middle(person, rng, 2)
        alike = person.page.evaluate(
            """() => {
                const found = {}
                for (const e of document.querySelectorAll('.felt [data-target][aria-label]'))
                    (found[e.ariaLabel] ??= new Set()).add(e.dataset.target)
                return Object.keys(found).filter((name) => found[name].size > 1)
            }"""
        )
        assert alike == []


def fogged() -> tanistry.Match:
    """A running match in which fog and mud lie on stone 5, with more than one card of ours beside
    it, and we are to play, with a tactic in hand."""
    for seed in range(1000):
        match = tanistry.game("schotten").interpreted().deal(seed)
        rng = random.Random(seed)
        for _ in range(60):
            if match.to_act is None:
                break
            places = match.view(0)["places"]
            laid = len(places.get("stone.5.env", [])) == 2 and len(places.get("stone.5.0", [])) > 1
            held = {"support", "shield", "redeploy"} & set(places["hand.0"])
            if laid and held and match.to_act == 0 and match.decision == "play":
                return match
            wished = ("fog@5", "mud@5", "draw tactic")
            wanted = [token for token in match.legal() if token in wished]
            match.play(rng.choice(wanted or match.legal()))
    raise AssertionError


# Numbers of stones that something lies on, and numbers or letters of cards that are covered.
COVERED = """() => {
    const found = []
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 1 && b.top < a.bottom - 1
    for (const env of document.querySelectorAll('.stone-row .env')) {
        const number = document.createRange()
        number.selectNodeContents(env.parentElement.querySelector('.n'))
        const [a, b] = [env.querySelector('.card'), number].map((e) => e.getBoundingClientRect())
        if (over(a, b)) found.push(`${env.textContent} lies on the number`)
    }
    for (const side of document.querySelectorAll('.stone-row .side')) {
        const cards = [...side.querySelectorAll('.card')]
        for (const [n, card] of cards.entries())
            for (const part of card.querySelectorAll('.value, .letters'))
                if (cards[n + 1] && part.checkVisibility() && part.dataset.text) {
                    const box = part.getBoundingClientRect()
                    const top = document.elementFromPoint(box.x + box.width / 2, box.bottom - 3)
                    if (!card.contains(top)) found.push(`${part.dataset.text} is covered`)
                }
    }
    return found
}"""


def test_fog_leaves_its_stone_to_be_read_and_tapped(room: Room) -> None:
    match, stone = fogged(), 5
    person = room.enter("en", DESKTOP)
    page = person.open("/mine").page
    page.fill("textarea", match.record(Seat0="Ailsa", Seat1="Angus"))
    page.get_by_role("button", name="Open it").click()
    page.wait_for_url("**/t/my-*")
    page.wait_for_selector("[data-my-turn=true]")
    name = page.locator(".near .named .foot").first
    for window in ("phone", "phone on its side", "laptop"):
        person.resize(*SIZES[window])
        assert name.evaluate("e => e.clientHeight") > 10, f"{window}: there is room for its name"
        assert name.evaluate("e => e.scrollWidth <= e.clientWidth"), f"{window}: and for all of it"
    fog = page.locator(f"[data-place='stone.{stone}.env'] .env").first
    page.locator(f"[data-target='stone.{stone}']").hover()
    page.get_by_role("tooltip").filter(has_text="Fog").filter(has_text="Mud").wait_for()
    for window, (width, height) in SIZES.items():
        person.resize(width, height)
        fog.scroll_into_view_if_needed()
        assert page.evaluate(COVERED) == [], window
    person.resize(*SIZES["small phone"])
    card = next(
        card for card in page.locator(".near .invites").all()
        if re.fullmatch(r"[A-Z]\d", card.get_attribute("data-card") or "")
    )  # fmt: skip
    card.click()
    turn = person.turn
    box = fog.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    person.wait_past(turn)


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=[t[0] for t in TABLES])
def test_a_replay_shows_its_table_its_buttons_and_each_step(
    room: Room, game: str, seats: int, options: dict[str, Any]
) -> None:
    """In every window without scrolling the page; who is who; what the step has changed."""
    person = room.enter("fr", DESKTOP)
    table = person.against_bots(game, seats, **options)
    person.make_choices(random.Random(5), 4)
    name = person.page.locator(".players .name").first.inner_text()
    person.page.get_by_role("button", name="Abandon", exact=True).click()
    person.page.locator("dialog .main").click()
    person.page.wait_for_selector("[data-result]")
    page = person.open(f"/r/{table}").page
    page.wait_for_selector("[data-step='0']")
    assert name in page.inner_text(".felt"), "who sits here"
    marked = 0
    last = int(page.get_attribute(".controls input", "max") or 0)
    for step in range(1, min(10, last + 1)):
        page.get_by_role("button", name="Un pas en avant").click()
        page.wait_for_selector(f"[data-step='{step}']")
        said = page.inner_text("[data-step]")
        assert not re.search(r"\b(case|place) \d", said), said
        marked += page.locator(".felt [data-fresh]").count()
    assert marked > 0
    for window, (width, height) in SIZES.items():
        person.resize(width, height)
        person.check_width()
        for button in page.locator(".controls button, .controls input").all():
            box = button.bounding_box()
            assert box, window
            assert box["y"] + box["height"] <= height, f"{window}: a button below the window"
    person.check_axe()


def test_the_log_leaves_what_it_speaks_of_in_sight(room: Room) -> None:
    """On phones: what a finger points at in the log is marked above it, or beside it."""
    person = room.enter("en", PHONE, has_touch=True)
    person.against_bots("lords", 3)
    page, rng = person.page, random.Random(1)
    engaged = page.locator("dialog .line", has_text="engages")
    told = page.locator(".felt [data-told]")
    for window in ("small phone", "phone", "phone on its side"):
        person.resize(*SIZES[window])
        while True:
            to_the_middle(person, rng, 1)
            page.get_by_role("button", name="Log", exact=True).click()
            page.wait_for_selector("dialog[open]")
            if engaged.count():
                engaged.first.scroll_into_view_if_needed()
                engaged.first.tap()
                if told.count():
                    break
            page.keyboard.press("Escape")
            person.wait_for_count("dialog[open]", 0)
        shown, log, felt = (
            page.locator(one).first.bounding_box()
            for one in (".felt [data-told]", "dialog", ".felt .open")
        )
        assert shown
        assert log
        assert felt
        middle = (shown["x"] + shown["width"] / 2, shown["y"] + shown["height"] / 2)
        assert not within(middle, log), f"{window}: the log lies on it"
        assert within(middle, felt), f"{window}: out of sight"
        page.keyboard.press("Escape")
        person.wait_for_count("dialog[open]", 0)
        assert page.evaluate("document.activeElement.textContent") == "Log"
        assert told.count() == 0


def within(point: tuple[float, float], box: Any) -> bool:
    x, y = point[0] - box["x"], point[1] - box["y"]
    return bool(0 <= x <= box["width"] and 0 <= y <= box["height"])


def test_every_clock_is_in_sight_with_three_people_on_a_phone(room: Room) -> None:
    people = [room.enter("fr", DESKTOP) for _ in range(3)]
    for person, name in zip(people, ("Ailsa", "Effie of the Isles", "Murdo"), strict=True):
        person.call("GET", "/me")
        person.call("PATCH", "/me", {"name": name})
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    clock = {"kind": "fischer", "seconds": 300, "increment": 5}
    table = people[0].call("POST", "/tables", {"game": "kilt", "seats": seats, "clock": clock})
    for person in people:
        person.open(f"/t/{table['id']}")
    free = [guest.page.get_by_role("button", name="S'asseoir") for guest in people[1:]]
    free[0].first.click()
    free[1].last.click()  # the first may just have been taken
    for person in people:
        person.page.click("[data-ready=false]")
    page = people[0].page
    page.wait_for_selector(".felt [data-card]")
    people[0].wait_for_count(".players [title='temps restant']", 3)
    for window, (width, height) in SIZES.items():
        people[0].resize(width, height)
        people[0].check_width()
        for face in page.locator(".players [title='temps restant']").all():
            box, list_box = face.bounding_box(), page.locator(".players ul").bounding_box()
            assert box
            assert list_box
            assert within((box["x"] + box["width"], box["y"] + box["height"]), list_box), window
    people[0].check_axe()


def test_a_power_that_is_offered_says_whose_and_what_it_does(room: Room) -> None:
    person = room.enter("en", PHONE)
    person.against_bots("lords", 2)
    page, rng = person.page, random.Random(6)
    while not page.locator("[data-target='=use']").count():
        assert person.wait_for_turn()
        person.choose(rng)
        person.wait_for_turn()
    asked = page.inner_text(".asking .prompt")
    assert re.match(r"\w+ \d+: [a-z ]+\. Use this power\?", asked.strip()), asked
    page.locator(".asking .explain").click()
    page.wait_for_selector(".asking article[data-rule^='lords.']")
    person.check_axe()


NOTE_WHAT_FLIES = """() => {
    window.flown = []
    new MutationObserver((all) => {
        for (const {addedNodes} of all)
            for (const one of addedNodes) window.flown.push(one.matches('[data-card]'))
    }).observe(document.body, {childList: true})
}"""


def test_cards_fly_also_where_they_are_only_counted(room: Room) -> None:
    """To another's hand, and at the end of a skirmish to the victory piles."""
    person = room.enter("en", PHONE)
    page = person.page
    person.context.add_init_script("localStorage.tanistry = JSON.stringify({motion: 'full'})")
    person.against_bots("lords", 2)
    page.evaluate(NOTE_WHAT_FLIES)
    person.hurry(3)
    page.locator("[data-place^=victory] b", has_text=re.compile("[1-9]")).first.wait_for()
    flown = page.evaluate("window.flown")
    assert len(flown) > 10
    assert all(flown), "nothing but cards"


def test_long_names_leave_a_table_of_claim_whole(room: Room) -> None:
    """Where the votes stand beside the trick, and where two names stand side by side."""
    match = tanistry.game("claim").interpreted().deal(7)
    while match.to_act is not None:
        match.play(match.legal()[0])
    person = room.enter("en", PHONE)
    page = person.open("/mine").page
    page.fill(
        "textarea", match.record(Seat0="Alexandrina Macdonald", Seat1="Bartholomew Fergusson")
    )
    page.get_by_role("button", name="Open it").click()
    page.wait_for_selector(".felt [data-place=deck]")
    for window in ((390, 844), (667, 375), (844, 390), (1280, 800)):
        person.resize(*window)
        felt, deck, one, other = (
            page.locator(where).bounding_box() or {}
            for where in (
                ".felt",
                ".felt [data-place=deck]",
                ".trick .who >> nth=0",
                ".trick .who >> nth=1",
            )
        )
        assert deck["x"] >= felt["x"], window
        assert other["x"] - one["x"] - one["width"] > 4, window


def test_who_has_passed_stays_at_the_table(room: Room) -> None:
    """In King's Kilt the others' relatives count until the last."""
    match = tanistry.game("kilt").interpreted().deal(3)
    while not match.history or match.history[-1] != (1, "pass"):
        match.play("pass" if match.to_act == 1 and "pass" in match.legal() else match.legal()[0])
    assert match.to_act == 0
    assert len(match.legal()) > 3
    person = room.enter("en", DESKTOP)
    page = person.open("/mine").page
    page.fill("textarea", match.record(Seat0="Ailsa", Seat1="Angus", Bot1="people:1"))
    page.get_by_role("button", name="Open it").click()
    for window in ((1280, 800), (390, 844), (844, 390)):
        person.resize(*window)
        passed = page.locator(".others li", has_text="passed")
        passed.wait_for()
        assert passed.evaluate(
            """row => {
                const { x, y, width, height } = row.querySelector('b').getBoundingClientRect()
                const top = document.elementFromPoint(x + width / 2, y + height / 2)
                return row.contains(top)
            }"""
        ), window
