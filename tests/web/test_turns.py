"""Take-backs that the other grants, and matches in which nobody need be there."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.web.people import DESKTOP, PHONE, Person, Room
from tests.web.test_people import SMALL, hand
from tests.web.test_sizes import COMPLAINTS, SIZES, SMALLEST

MORE = ["Take back", "Offer a draw", "Resign"]


def sit_down(guest: Person, link: str) -> None:
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.get_by_role("button", name="I am ready").click()


def sit_together(room: Room) -> tuple[Person, Person, str]:
    """At Schotten Totten, where nobody is ever left with a single card that plays itself."""
    host, guest = room.enter("fr", DESKTOP), room.enter("en", PHONE)
    host.call("GET", "/me")
    new = {"game": "schotten", "options": {"tactics": False}, "rated": False}
    table = host.call("POST", "/tables", new)["id"]
    host.open(f"/t/{table}")
    sit_down(guest, f"{host.url}/t/{table}")
    host.page.get_by_role("button", name="Commencer").click()
    for person in (host, guest):
        person.page.wait_for_selector(".felt [data-card]")
    return host, guest, table


def where(person: Person) -> object:
    return person.page.locator(".felt").bounding_box()


def test_a_choice_is_taken_back_when_the_other_agrees(room: Room) -> None:
    host, guest, _ = sit_together(room)
    host.wait_for_choice()
    held = hand(host)
    host.choose(random.Random(3))
    for answer in ("Decline", "Accept"):
        host.page.get_by_role("button", name="Reprendre").click()
        offer = guest.page.locator("[data-offer=undo]")
        offer.get_by_role("button", name=answer).wait_for()
        assert "asks to take back" in offer.inner_text()
        assert "New cards may have been seen since." in offer.inner_text(), "one was drawn"
        host.page.get_by_text("Vous avez demandé à reprendre votre dernier choix.").wait_for()
        assert host.page.locator("[data-withdraw=undo]").count()
        guest.check_width()
        guest.check_axe()
        offer.get_by_role("button", name=answer).click()
        for person in (host, guest):
            person.page.wait_for_selector("[data-offer], [data-withdraw]", state="detached")
        refused = "Votre demande a été refusée : votre dernier choix est maintenu."
        said = host.page.locator(".caption").get_by_text(refused)
        assert bool(said.count()) == (answer == "Decline")
    for person in (host, guest):
        person.wait_past("1")
    host.wait_for_choice()
    assert hand(host) == held
    for name, (width, height) in SIZES.items():
        guest.resize(width, height)
        guest.check_width()
        assert guest.page.evaluate(COMPLAINTS, SMALLEST) == [], name
        if name != "laptop":  # what a small window has no room for is behind one button
            guest.page.get_by_role("button", name="More…").click()
            more = guest.page.get_by_role("dialog")
            assert more.locator(".two button").all_inner_texts() == MORE, name
            if name == "small phone":
                guest.check_axe()
            guest.page.keyboard.press("Escape")
            guest.wait_for_count("dialog[open]", 0)
    guest.resize(**PHONE)
    guest.page.get_by_role("button", name="More…").click()
    guest.page.get_by_role("dialog").get_by_role("button", name="Offer a draw").click()
    host.page.locator("[data-offer]").get_by_role("button", name="Refuser").click()
    guest.page.locator(".caption").get_by_text("Your offer of a draw was declined.").wait_for()
    for answer in ("Decline", "Accept"):  # a draw is the other's to agree to as well
        before = [where(person) for person in (host, guest)]
        host.page.get_by_role("button", name="Proposer la nulle").click()
        host.page.get_by_text("Vous avez proposé la nulle.").wait_for()
        agrees = guest.page.locator("[data-offer]").get_by_role("button", name=answer)
        agrees.wait_for()
        assert [where(person) for person in (host, guest)] == before, "nothing slips from a finger"
        agrees.click()
        guest.page.wait_for_selector("[data-offer]", state="detached")
    for person in (host, guest):
        person.page.wait_for_selector("[data-result=draw]")


def test_a_refusal_ends_with_the_match_and_is_told_once_after_it(room: Room) -> None:
    host, guest, table = sit_together(room)
    alerts = guest.page.get_by_role("alert")
    guest.page.get_by_role("button", name="More…").click()
    guest.page.get_by_role("button", name="Take back").click()
    alerts.filter(has_text="nothing to take back").wait_for()
    host.page.get_by_role("button", name="Abandon").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Abandon").click()
    guest.page.wait_for_selector("[data-result=resign]")
    assert not guest.page.get_by_text("nothing to take back").count()

    seats = host.call("GET", f"/tables/{table}")["seats"]
    other = next(seat["player"] for seat in seats if not seat["you"])
    host.call("POST", "/me/blocks", {"player": other})
    guest.page.get_by_role("button", name="Play again").click()
    alerts.wait_for()
    assert guest.page.get_by_text(alerts.inner_text()).count() == 1


def test_a_match_that_is_over_waits_for_nobody(room: Room) -> None:
    host, guest, _ = sit_together(room)
    host.wait_for_turn()
    host.open("/turns").page.get_by_role("link", name="Ouvrir").click()
    host.wait_for_turn()
    guest.resize(**DESKTOP)
    guest.resign()
    host.page.wait_for_selector("[data-result]")
    host.page.click("header .home")
    host.page.wait_for_selector("[data-play]")
    assert not host.page.locator("[data-turns]").count()


def test_a_match_by_days_begins_and_goes_on_without_anybody_there(room: Room) -> None:
    host, guest = room.enter("en", DESKTOP), room.enter("fr", PHONE)
    host.open()
    host.page.click("[data-friends=claim]")
    host.page.locator("dialog").get_by_label("Clock").select_option("day")
    host.page.get_by_label("Rated match").uncheck()
    host.page.get_by_label("Take-backs may be asked for").uncheck()
    host.page.click("dialog form button[type=submit]")
    link = host.page.input_value("[data-link]")
    table = link.rsplit("/", 1)[1]
    guest.page.goto(link)
    guest.page.get_by_role("button", name="S'asseoir").click()
    guest.page.get_by_role("button", name="Je suis prêt").click()
    guest.page.wait_for_selector("text=✓")
    guest.page.wait_for_selector("[data-may-leave]:has-text('Vous pouvez quitter cette page')")
    guest.open("/turns")
    guest.page.wait_for_selector("text=Aucune partie ne vous attend.")
    host.page.get_by_role("button", name="Start").click()
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
    guest.wait_for_count("[data-turns]", 0)  # this table says so itself


def test_a_push_is_shown_by_the_service_worker(notified_room: Room) -> None:
    """As a push service hands it over; who has the table before their eyes is not told."""
    person = notified_room.enter("en", PHONE, service_workers="allow")
    person.context.grant_permissions(["notifications"], origin=person.url)
    person.open().page.wait_for_function("() => navigator.serviceWorker.controller")
    devtools = person.context.new_cdp_session(person.page)
    found: list[dict[str, Any]] = []
    event = "ServiceWorker.workerRegistrationUpdated"
    devtools.on(event, lambda told: found.extend(told["registrations"]))
    devtools.send("ServiceWorker.enable")
    worker = person.context.service_workers[0]

    def push(path: str) -> list[list[str]]:
        word = {"title": "Claim: it is your turn", "body": "With Ailsa", "stop": "Stop these"}
        with person.page.expect_response("**/me/turns"):  # the count in the bar is looked at anew
            devtools.send(
                "ServiceWorker.deliverPushMessage",
                {
                    "origin": person.url,
                    "registrationId": found[0]["registrationId"],
                    "data": json.dumps({**word, "path": path}),
                },
            )
        return list(
            worker.evaluate(
                "async () => (await registration.getNotifications())"
                ".map(({title, data, actions}) => [title, data, actions[0].title])"
            )
        )

    person.call("GET", "/me")
    person.page.wait_for_function("() => document.hasFocus()")
    table = f"{person.url}/t/far"
    shown = [["Claim: it is your turn", table, "Stop these"]]
    assert push("/t/far") == shown
    assert push("/t/far") == shown, "one for each table"
    mine = person.call("POST", "/tables", {"game": "claim"})["id"]
    person.open(f"/t/{mine}").page.wait_for_selector("[data-ready]")
    assert push(f"/t/{mine}") == shown


def test_letters_end_by_the_link_of_one(room: Room) -> None:
    asked: list[str] = []

    def ended(route: Any) -> None:
        asked.append(route.request.method + route.request.url.rpartition("/")[2])
        route.fulfill(json={"ok": True})

    token = "p_1." + "0" * 64
    person = room.enter("en", SMALL)
    person.page.route("**/notices/stop/*", ended)
    person.open(f"/stop#{token}").page.wait_for_selector("text=no more e-mails")
    assert asked == ["POST" + token]
    assert "#" not in person.page.url
    person.check_width()
    person.check_axe()
    person.page.reload()
    person.page.wait_for_selector("text=not complete")
    assert len(asked) == 1
    other = room.enter("fr", SMALL)
    other.open(f"/stop#{token}").page.wait_for_selector("text=incomplet")  # nobody's
    other.check_axe()


def test_a_browser_that_refuses_to_be_told_is_not_said_to_be(room: Room) -> None:
    person = room.enter("fr", SMALL)  # without a service worker: what it fetches is not routed
    person.page.route("**/api/v1/me", _with_a_key)
    person.open("/account")
    person.page.locator("[data-push]").click()
    person.page.wait_for_selector("text=Votre navigateur ne permet pas")
    assert not person.page.is_checked("[data-push]")
    person.check_width()
    person.check_axe()


def _with_a_key(route: Any) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "push_key": "BA"})
