"""A finished match understood in the browser: reached from its replay, and kept."""

from __future__ import annotations

import random
import re

import tanistry
from tests.web.people import Person, Room
from tests.web.test_local import needs_engines  # noqa: F401
from tests.web.test_people import sign_up
from tests.web.test_together import play_on, sit_together

SMALL = {"width": 320, "height": 568}


def plays_on(person: Person, whole: tanistry.Match, number: int) -> None:
    """At a table of one's own, in the place of whoever chose, with the cards they held."""
    at = whole.beginning()
    for _, token in whole.history[:number]:
        at.play(token)
    assert len(at.legal()) > 1, "nothing is played for us"
    hand = at.view(at.to_act)["places"][f"hand.{at.to_act}"]
    person.page.locator(f"[data-play-on='{number}']").first.click()
    person.page.wait_for_url("**/t/my-*")
    person.page.wait_for_selector("[data-my-turn=true]")
    shown = person.page.locator(".near [data-card]")
    codes = shown.evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
    assert set(hand) <= set(codes)


def test_a_match_is_analysed_and_kept(room: Room) -> None:
    match = tanistry.game("claim").interpreted().deal(7)
    running = match.record()
    while match.to_act is not None:
        match.play(match.legal()[0])
    person = room.enter("en", SMALL)
    sign_up(person, "analyst")
    page = person.open("/mine").page
    page.fill("textarea", match.record(Seat0="Ailsa", Seat1="Angus"))
    page.get_by_role("button", name="Open it").click()
    page.click("[data-send]")  # the server plays it again, and keeps it
    page.get_by_role("link", name="In your history").wait_for()
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_selector("[data-analysis=claim]")
    person.wait_for_count("[data-choice]", len(match.history))
    account = page.locator("[data-player='0'] dd").all_text_contents()
    *parts, result = (int(points.replace("−", "-")) for points in account)
    assert sum(parts) == result
    assert match.result is not None
    assert match.result.ranking[0] == [0]
    assert result == 100
    assert "Ailsa: " in (page.get_attribute("[role=img]", "aria-label") or "")
    flawed = page.locator("[data-choice]", has_text="cost ").first
    flawed.locator("summary").click()
    best, _, own, *_ = map(int, re.findall(r"\d+", flawed.locator("details p").inner_text()))
    flawed.locator(".verdict", has_text=f"cost {best - own} point").wait_for()
    person.check_width()
    person.check_axe()

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector("[data-analysis=claim]")
    assert not [url for url in asked if ".net" in url], "it was kept: nothing is judged again"
    page.locator("[data-choice='6'] a").click()
    page.wait_for_selector("[data-step='7']")
    plays_on(person, match, 7)
    page.go_back()
    page.go_back()
    page.wait_for_selector("[data-analysis=claim]")
    plays_on(person, match, 6)
    person.check_width()

    person.open("/mine")
    page.fill("textarea", running)
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("alert").filter(has_text="only a finished match can be analysed").wait_for()


def test_a_live_match_that_was_given_up_is_analysed_from_its_replay(room: Room) -> None:
    host, guest, table = sit_together(room, "claim")
    play_on((host, guest), random.Random(5), 4)
    guest.page.set_viewport_size(SMALL)
    host.page.get_by_role("button", name="Abandon").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Abandon").click()
    page = guest.page
    page.wait_for_selector("[data-result=resign]")
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector("[data-step]")
    record = guest.call("GET", f"/tables/{table}/record")
    assert "[Nonces " in record, "both devices added to the deal"
    page.get_by_role("link", name="Analyse").click()
    page.wait_for_selector("[data-analysis=claim]")
    assert page.locator("[data-ended=resign]").count() == 1
    found = tanistry.analyse(record)
    guest.wait_for_count("[data-choice]", len(found.choices))
    for seat, player in enumerate(found.players):
        shown = page.locator(f"[data-player='{seat}'] dd").all_text_contents()
        points = [int(part.replace("−", "-")) for part in shown]
        assert points == list(player.account(0.01).values())
        assert sum(points[:-1]) == points[-1] == (100 if seat else 0)
    guest.size = SMALL
    guest.check_width()
    guest.check_axe()


NOTE_WHAT_IS_BEGUN = """(name) => {
    const look = async () => {
        const every = await indexedDB.databases() // opening one that is not there would make it
        if (every.some((one) => one.name === name)) indexedDB.open(name).onsuccess = note
        else setTimeout(look)
    }
    const note = ({target: {result: database}}) => {
        const store = () => database.transaction('analyses', 'readwrite').objectStore('analyses')
        const read = () => {
            store().getAll().onsuccess = ({target: {result: [study]}}) => {
                if (!study) return setTimeout(read)
                window.leaveItBegun = () => new Promise((done) => {
                    store().put(study).onsuccess = () => done(study.begun.choices.length)
                })
            }
        }
        read()
    }
    look()
}"""
"""What is kept first of an analysis, to be found again as if the page had been left then."""
FIRST_PROGRESS = """new MutationObserver((_, watching) => {
    const bar = document.querySelector('progress')
    if (!bar || bar.max === 1) return
    window.firstProgress = bar.value
    watching.disconnect()
}).observe(document, {attributes: true, childList: true, subtree: true})"""


def test_what_is_pasted_is_refused_in_a_sentence_or_gone_on_with(room: Room) -> None:
    match = tanistry.game("claim").interpreted().deal(7)
    running = match.record()
    while match.to_act is not None:
        match.play(match.legal()[0])
    record = match.record()
    person = room.enter("fr")
    page = person.open("/analysis").page
    for pasted, sentence in (
        ("bonjour", "La ligne 1 n'est ni un en-tête ni un choix"),
        ("\x01\x02PNG \ufffd", "La ligne 1 est illisible"),
        (
            record.replace('"claim"', '"chess"'),
            "un jeu qui ne se joue pas ici, «\u00a0chess\u00a0»",
        ),
        (record.replace('[Version "1"]', '[Version "7"]'), "version 7"),
        (
            record.replace(f"\n0: {match.history[0][1]}\n", "\n0: XX\n", 1),
            "«\u00a0XX\u00a0» n'est pas un choix",
        ),
        (running, "on n'analyse qu'une partie finie"),
    ):
        page.fill("textarea", pasted)
        page.get_by_role("button", name="Analyser").click()
        page.get_by_role("alert").filter(has_text=sentence).wait_for()
    page.fill("textarea", record)
    page.evaluate(NOTE_WHAT_IS_BEGUN, "tanistry-analyses")
    page.get_by_role("button", name="Analyser").click()
    page.wait_for_selector("[data-analysis=claim]")
    first = page.locator("form, [data-analysis]").first
    assert first.get_attribute("data-analysis"), "what was found stands above the form"
    accounts = page.locator("[data-player] dd").all_text_contents()
    begun = page.evaluate("window.leaveItBegun()")
    assert 0 < begun <= len(match.history)
    person.context.add_init_script(FIRST_PROGRESS)
    page.reload()
    page.wait_for_selector("[data-analysis=claim]")
    assert page.evaluate("window.firstProgress") == begun
    assert page.locator("[data-player] dd").all_text_contents() == accounts
    person.wait_for_count("[data-choice]", len(match.history))
    person.check_width()
    person.check_axe()
