"""History, profile and the best; somebody to play with, and the lobby."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import sqlalchemy as sa

from tanistry.server.info import Seat
from tanistry.server.schema import players, rating_changes, ratings
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.verbs import new_info
from tests.server.processes import Process
from tests.web.people import DESKTOP, PHONE, Person, Room

NAMES = ["Blair", "<img src=x>", "Éilidh"]
SMALL = {"width": 320, "height": 568}


async def fill(server: Process, me: str) -> None:
    """Thirty matches of somebody, the last first in what is shown; the rating goes up and down."""
    store = Store(Settings(database=server.environment["TANISTRY_DATABASE"]))
    chance, value, start = random.Random(1), 25.0, 1_760_000_000_000
    try:
        for number, name in enumerate(NAMES):
            values = {"id": f"{me[:8]}_{number}", "name": name, "login": f"{me[:8]}_{number}"}
            await store.execute(sa.insert(players).values(**values, session=0, created=1))
        for number in range(30):
            other = number % 3
            seats = [
                Seat(0, "person", me, "Ailsa", True),
                Seat(1, "person", f"{me[:8]}_{other}", NAMES[other], True),
            ]
            info = new_info("claim" if number < 29 else "schotten", {}, seats, me)
            info.begin(start)
            info.status, info.ended = "over", start + number * 86_400_000
            won = chance.random() < 0.6
            ranking = [[0], [1]] if won else [[1], [0]]
            scores = None if number == 29 else [3, 2]
            info.result = {"scores": scores, "ranking": ranking, "ended_by": "play", "by": None}
            await store.insert_table(info)
            after = value + (0.8 if won else -0.9)
            change = {"table_id": info.id, "seat": 0, "player": me, "game": info.game}
            change |= {"at": info.ended, "before": value, "mu": after}
            await store.execute(sa.insert(rating_changes).values(**change))
            value = after
        rated = {"player": me, "game": "claim", "mu": value, "sigma": 2.0, "matches": 30}
        await store.execute(sa.insert(ratings).values(**rated))
    finally:
        await store.engine.dispose()


def beside(work: Coroutine[Any, Any, None]) -> None:
    """Playwright has an event loop in this thread: another one needs a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def sign_up(person: Person, login: str) -> str:
    """The person's id; the login is like that, and nobody's yet: a test may be tried again."""
    person.call("GET", "/me")
    person.call("PATCH", "/me", {"name": "Ailsa"})
    account = {"login": f"{login}.{secrets.token_hex(4)}", "password": "a sentence about stones"}
    return str(person.call("POST", "/account", account)["id"])


def hand(person: Person) -> list[str]:
    return sorted(
        person.page.evaluate(
            "[...document.querySelectorAll('.near .hand [data-card]')].map(c => c.dataset.card)"
        )
    )


def test_history_profile_and_the_best(room: Room, served: Process) -> None:
    person = room.enter("fr", PHONE)
    me = sign_up(person, "historienne")
    person.open("/history")
    person.page.wait_for_selector("text=Aucune pour l'instant.")
    beside(fill(served, me))
    person.open("/history")
    person.wait_for_count("[data-match]", 20)
    assert person.page.locator("[data-match] img").count() == 0, "names are text"
    person.check_width()
    person.check_axe()
    person.page.click("[data-more]")
    person.wait_for_count("[data-match]", 30)
    person.page.get_by_label("Adversaire").fill("éil")
    person.wait_for_count("[data-match]", 10)
    person.page.get_by_label("Résultat").select_option("won")
    person.page.wait_for_function(
        "() => { const all = [...document.querySelectorAll('[data-match]')];"
        " return all.length < 10 && all.every(one => one.dataset.outcome === 'won') }"
    )
    person.page.get_by_label("Jeu").select_option("lords")
    person.page.wait_for_selector("text=Aucune partie de ce genre.")

    person.open("/p/me")
    plot = person.page.get_by_role("img", name="Claim")
    plot.wait_for()
    assert person.page.locator("polyline").get_attribute("points")
    person.check_width()
    person.check_axe()
    person.resize(**SMALL)
    person.check_width()

    other = room.enter("en", DESKTOP)
    other.open("/best/claim")
    other.page.get_by_role("link", name="Ailsa", exact=True).wait_for()
    other.check_axe()
    other.resize(**SMALL)
    other.check_width()
    other.page.get_by_role("link", name="Ailsa", exact=True).click()
    other.page.wait_for_url(f"**/p/{me}")
    other.page.get_by_role("heading", name="Ailsa").wait_for()
    assert other.page.get_by_role("checkbox").count() == 0
    other.check_axe()
    person.page.get_by_role("checkbox").check()
    person.page.wait_for_function(
        "() => fetch('/api/v1/me').then(a => a.json()).then(me => me.private)"
    )
    other.page.reload()
    other.page.wait_for_selector("text=This profile is private.")
    other.open("/best/claim")
    other.page.wait_for_selector("text=Nobody yet.")


def test_two_who_want_the_same_are_seated_together(room: Room) -> None:
    one, two = room.enter("fr", SMALL), room.enter("en", PHONE)
    for person in (one, two):
        person.open()
        person.page.click("[data-pairing]")
        person.page.wait_for_selector("form select")
        person.page.locator("form select").first.select_option("schotten")
        person.check_width()
    one.check_axe()
    one.page.get_by_role("button", name="Chercher quelqu'un").click()
    one.page.wait_for_selector("text=Personne d'autre ne veut la même chose")
    one.check_axe()
    one.page.get_by_role("button", name="Ne plus chercher").click()
    one.page.get_by_role("button", name="Chercher quelqu'un").click()
    one.page.wait_for_selector("[data-seeking=waiting]")
    two.page.get_by_role("button", name="Look for somebody").click()
    for person in (one, two):
        person.page.wait_for_url("**/t/*")
        person.page.wait_for_selector(".felt [data-card]")
    assert one.page.url == two.page.url
    table = one.call("GET", "/tables/" + one.page.url.rsplit("/", 1)[1])
    assert (table["status"], table["rated"]) == ("playing", False)
    assert all(table["fairness"]["nonces"]), "both devices added to the deal"


def look_for_five(person: Person) -> None:
    person.page.locator("form select").nth(0).select_option("lords")
    person.page.locator("form select").nth(1).select_option("5")
    person.page.locator("form button[type=submit]").click()
    person.page.wait_for_selector("[data-seeking]")


def test_five_who_want_the_same_meet_and_agree(room: Room) -> None:
    """At one table, each with a hand of their own; a choice is taken back when all four agree."""
    people = [room.enter(size=SMALL) for _ in range(5)]
    for person in people:
        person.open("/pairing")
        person.page.wait_for_selector("form option[value=lords]", state="attached")
    for person in people[:4]:
        look_for_five(person)
    for person in people[:4]:
        person.page.wait_for_selector("text=3 others are waiting, too.")
    people[0].page.get_by_role("button", name="Stop looking").click()
    people[1].page.wait_for_selector("text=2 others are waiting, too.")
    look_for_five(people[4])
    people[1].page.wait_for_selector("text=3 others are waiting, too.")
    look_for_five(people[0])
    for person in people:
        person.page.wait_for_url("**/t/*")
        person.page.wait_for_selector(".felt [data-card]")
        person.check_width()
    assert len({person.page.url for person in people}) == 1
    for person in people:
        for other in people:
            told = json.dumps(other.received)
            heard = [card for card in hand(person) if f'"{card}"' in told]
            assert heard == (hand(person) if other is person else [])

    acts = next(person for person in people if person.asked)
    held = hand(acts)
    acts.choose(random.Random(3))
    acts.page.get_by_role("button", name="More").click()
    acts.page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    for other in people:
        if other is not acts:
            other.page.locator("[data-offer=undo]").get_by_role("button", name="Accept").click()
    for person in people:
        person.page.wait_for_selector("[data-offer=undo]", state="detached")
        person.wait_past("1")
    acts.wait_for_turn()
    assert hand(acts) == held


def test_who_has_waited_for_a_while_is_offered_a_bot(room: Room) -> None:
    person = room.enter("fr", SMALL)
    person.page.clock.install()
    person.open("/pairing")
    person.page.locator("form select").first.select_option("kilt")
    person.page.get_by_role("button", name="Chercher quelqu'un").click()
    person.page.wait_for_selector("[data-seeking=waiting]")
    assert person.page.locator("[data-bot]").count() == 0
    person.page.clock.fast_forward(21_000)
    person.page.wait_for_selector("[data-bot]")
    person.check_width()
    person.check_axe()
    person.page.click("[data-bot]")
    person.page.wait_for_selector(".felt [data-card]")


def test_open_tables_can_be_looked_through(room: Room) -> None:
    host, guest = room.enter("en", DESKTOP), room.enter("en", SMALL)
    host.call("GET", "/me")
    clock = {"kind": "fischer", "seconds": 300, "increment": 5}
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    three = {"game": "kilt", "public": True, "seats": seats, "clock": clock, "rated": False}
    host.call("POST", "/tables", three)
    host.call("POST", "/tables", {"game": "lords", "public": True})
    guest.open()
    lobby = guest.page.get_by_role("region", name="Open tables")
    lobby.get_by_label("Players").select_option("3")
    lobby.get_by_role("link", name="Join: King's Kilt").wait_for()
    assert lobby.get_by_role("link", name="Join: Lords of Scotland").count() == 0
    host.call("POST", "/tables", three)
    guest.page.wait_for_function(
        "() => document.querySelectorAll('section[aria-label=\"Open tables\"] li').length > 1"
    )
    guest.check_width()
    guest.check_axe()
