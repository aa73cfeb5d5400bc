"""Matches on this device alone: engines in a worker, the server gone, records kept."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tanistry
import tanistry.web
from tanistry.analysis.puzzling import puzzles
from tanistry.bots.personas import persona
from tests.patience import until
from tests.server.processes import Process
from tests.web.conftest import Interpreted, needs_client
from tests.web.people import PHONE, Person, Room

GAMES = ["schotten", "claim", "kilt", "lords"]


@pytest.fixture(autouse=True)
def needs_engines() -> None:
    needs_client()
    if not (tanistry.web.DIST / "engines/claim.wasm").is_file():
        pytest.skip("the client was built without engines: make web")


def sit_down(person: Person, game: str) -> None:
    """Play against the quickest bots, on this device."""
    person.open()
    person.page.select_option(f"[data-level={game}]", "1")
    person.page.click(f"[data-play={game}]")
    person.page.wait_for_url("**/t/my-*")
    person.page.wait_for_selector(".felt [data-card]")


def visit(person: Person) -> None:
    """Come once, and stay until the client is on the device."""
    person.open()
    person.page.wait_for_function("() => navigator.serviceWorker.controller")
    person.page.evaluate(
        """() => localStorage.setItem('tanistry', JSON.stringify({
            ...JSON.parse(localStorage.tanistry), options: {lords: {target: 5}}
        }))"""
    )


def kept(person: Person, change: str = "") -> list[dict[str, str]]:
    """What the browser has kept; `change` may do something to each."""
    found: list[dict[str, str]] = person.page.evaluate(
        """() => new Promise((done) => {
            indexedDB.open('tanistry').onsuccess = ({target}) => {
                const store = target.result.transaction('matches', 'readwrite')
                    .objectStore('matches')
                store.getAll().onsuccess = ({target}) => {
                    for (const saved of target.result) {
                        CHANGE
                        store.put(saved)
                    }
                    done(target.result)
                }
            }
        })""".replace("CHANGE", change)
    )
    return found


def test_every_game_after_one_visit_without_a_server(own_room: Room, own_served: Process) -> None:
    person = own_room.enter("fr", PHONE, service_workers="allow")
    visit(person)
    own_served.kill()
    for number, game in enumerate(GAMES):
        sit_down(person, game)
        assert person.wait_for_turn()
        person.choose(random.Random(number))
        person.page.reload()
        assert person.wait_for_turn()
        person.check_width()
        person.rush()
        assert person.page.locator("[data-result=play]").count()
        person.check_width()
    results = [tanistry.replay(saved["record"]).result for saved in kept(person)]
    assert len([result for result in results if result]) == len(GAMES)
    person.page.get_by_role("link", name="Revoir").click()
    person.page.wait_for_selector("[data-step='0']")
    person.open("/rules/claim")
    person.page.wait_for_selector("article")
    person.open("/mine")
    person.wait_for_count("main li .buttons a", len(GAMES))
    person.check_axe()
    person.open("/learn/claim")
    person.page.wait_for_selector("[data-lesson] .goal")
    collection = puzzles("claim")
    assert collection
    riddle = collection.puzzles[0]
    person.open(f"/puzzles/claim/{riddle.name}")
    person.page.click(".fold")
    person.page.click(f".near [data-card={riddle.solution}]")
    person.page.wait_for_selector("[data-solution]")


def test_undo_hint_resign_and_again(room: Room) -> None:
    person = room.enter("en")
    sit_down(person, "claim")
    person.page.locator(".players", has_text=persona(1, 1)).wait_for()  # as on a server
    assert person.wait_for_choice()
    start = person.turn
    person.choose(random.Random(1))
    person.wait_past(start)
    assert person.wait_for_turn()
    person.page.get_by_role("button", name="Undo").click()
    person.wait_for_count(".near [data-card]", 13)
    person.page.get_by_role("button", name="Hint").click()
    person.page.locator(".asking p", has_text="The bot would").wait_for()
    person.resign()
    assert person.page.get_by_role("link", name="Was it fair?").count() == 0
    before = person.page.url
    person.page.get_by_role("button", name="Play again").click()
    person.page.wait_for_function("(before) => location.href !== before", arg=before)
    assert person.wait_for_turn()
    assert person.errors == []


def test_whoever_gives_up_among_several_bots_has_done_with_the_match(room: Room) -> None:
    person = room.enter("fr", PHONE).open()
    person.page.evaluate(
        """() => localStorage.setItem('tanistry', JSON.stringify({
            ...JSON.parse(localStorage.tanistry), seats: {kilt: 3}
        }))"""
    )
    sit_down(person, "kilt")
    person.page.get_by_role("button", name="Abandon").click()
    person.page.get_by_role("dialog").get_by_role("button", name="Abandon").click()
    result = person.page.locator("[data-result=resign]")
    result.get_by_role("heading", name="Vous avez abandonné").wait_for()
    result.get_by_role("button", name="Rejouer").wait_for()
    for gone in ("Abandon", "Reprendre"):
        assert person.page.get_by_role("button", name=gone).count() == 0
    person.check_axe()
    until(lambda: "EndedBy" in kept(person)[0]["record"], "its end kept")
    match = tanistry.replay(kept(person)[0]["record"])
    assert match.game.seats == 3
    assert match.headers["EndedBy"] == "resign 0"
    person.open()
    person.page.get_by_role("link", name="Sur cet appareil").wait_for()
    assert person.page.get_by_role("link", name="Continuer").count() == 0


DAMAGES = [
    ("saved.record = saved.record.replace(/^0: .*$/m, '0: XX')", "line"),
    ("saved.record = saved.record.replace('Game \"claim\"', 'Game \"whist\"')", "this device"),
    ("saved.record = 'nothing of ours'", "not a record"),
    ("saved.record = {foreign: true}", "not a record"),
]


def test_what_is_damaged_is_refused_in_a_sentence(room: Room) -> None:
    person = room.enter("en")
    sit_down(person, "claim")
    assert person.wait_for_choice()
    start = person.turn
    person.choose(random.Random(1))
    person.wait_past(start)
    table = person.page.url
    until(lambda: re.search("^1: ", kept(person)[0]["record"], re.MULTILINE), "two choices kept")
    person.open("/mine")
    whole = json.dumps(kept(person)[0]["record"])
    for change, said in DAMAGES:
        kept(person, f"saved.record = {whole}; {change}")
        person.page.goto(table)
        person.page.get_by_role("alert").filter(has_text=said).wait_for()
        person.open("/mine")
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.message)
        (dialog.dismiss if len(asked) == 1 else dialog.accept)()

    person.page.on("dialog", answer)
    for left in (1, 0):  # what cannot be undone is asked once more
        person.page.get_by_role("button", name="Delete").click()
        person.wait_for_count(".rows .buttons", left)
    assert len(asked) == 2
    person.page.get_by_text("You have not played yet.").wait_for()


def absent(person: Person) -> None:
    person.page.route("**/engines/*.wasm", lambda route: route.fulfill(status=404))


def forbidden(person: Person) -> None:
    """As a browser does whose owner forbids WebAssembly."""

    def strictly(route: Any) -> None:
        answer = route.fetch()
        policy = {"content-security-policy": "script-src 'self'"}
        route.fulfill(response=answer, headers={**answer.headers, **policy})

    person.page.route("**/assets/worker-*.js", strictly)


@pytest.mark.parametrize("trouble", [absent, forbidden])
def test_the_server_deals_where_no_engine_runs(
    room: Room, trouble: Callable[[Person], None]
) -> None:
    person = room.enter("en")
    trouble(person)
    person.open()
    person.page.click("[data-play=claim]")
    person.page.wait_for_selector(".felt [data-card]")
    assert "/t/my-" not in person.page.url
    assert person.wait_for_choice()
    start = person.turn
    person.choose(random.Random(1))
    person.wait_past(start)
    if trouble is forbidden:
        assert person.errors
        assert all("WebAssembly" in error for error in person.errors)
        person.errors.clear()


def test_a_record_from_elsewhere_is_opened(room: Room) -> None:
    match = tanistry.game("claim").interpreted().deal(seed=3)
    for _ in range(4):
        match.play(match.legal()[0])
    person = room.enter("en")
    person.open("/mine")
    box = person.page.get_by_role("textbox")
    box.fill(match.record(Seat0="Ailsa", Seat1="Robin").replace("0: ", "1: ", 1))
    person.page.get_by_role("button", name="Open it").click()
    person.page.locator("[role=alert]", has_text="line").wait_for()
    box.fill(match.record(Seat0="Ailsa", Seat1="Robin"))
    person.page.get_by_role("button", name="Open it").click()
    assert person.wait_for_turn()
    person.page.locator(".players", has_text="Robin").wait_for()


def test_a_client_that_is_older_than_the_server_begins_anew(room: Room) -> None:
    """Where no service worker keeps all its parts: friends in the same network have no HTTPS."""
    person = room.enter("en")
    person.page.add_init_script(  # it has been open for a while
        "const now = () => 60_000 + Date.now() - performance.timeOrigin\nperformance.now = now"
    )
    person.open("/tournaments")
    gone: list[str] = []

    def refuse(route: Any) -> None:
        gone.append(route.request.url)
        route.abort()

    person.page.route(re.compile(r"/assets/Clubs-.*\.js"), refuse)
    person.page.once("domcontentloaded", lambda _page: person.page.unroute_all())
    person.page.evaluate("document.body.dataset.old = 'yes'")
    person.page.click("[data-clubs]")
    person.page.get_by_role("heading", name="Clubs", exact=True).wait_for()
    assert gone
    assert person.page.evaluate("document.body.dataset.old") is None
    person.errors.clear()  # the part that was gone


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[tuple[Process, Path]]:
    """A server that hands out a copy of the client, of which there may be a new version."""
    client = tmp_path / "client"
    shutil.copytree(tanistry.web.DIST, client)
    process = Interpreted(tmp_path)
    process.command = (
        f"import pathlib, tanistry.web\ntanistry.web.DIST = pathlib.Path({str(client)!r})\n"
        + Interpreted.command
    )
    yield process.start(), client
    process.kill()


def test_an_update_is_offered_and_not_in_a_match(
    browser: object, own_client: tuple[Process, Path]
) -> None:
    process, client = own_client
    room = Room(browser, process.url)
    person = room.enter("en", service_workers="allow")
    visit(person)
    sit_down(person, "claim")
    person.page.wait_for_function(  # what its bots learnt is kept, whatever version there is
        "() => caches.open('networks-of-tanistry').then((kept) => kept.match('/engines/claim.net',"
        " {ignoreSearch: true}))"
    )
    script = client / "sw.js"
    script.write_text(re.sub('VERSION="[0-9a-f]+"', 'VERSION="new"', script.read_text()))
    for twin in client.glob("sw.js.*"):
        twin.unlink()
    person.page.evaluate(
        "navigator.serviceWorker.getRegistration().then((found) => found.update())"
    )
    person.page.wait_for_function(
        "() => navigator.serviceWorker.getRegistration().then((found) => found.waiting)"
    )
    assert person.page.locator("[data-update]").count() == 0  # not in the middle of a match
    person.page.get_by_role("link", name="Tanistry").click()
    person.page.locator("[data-update]").click()
    person.page.wait_for_function("() => caches.keys().then((all) => all.includes('tanistry-new'))")
    person.wait_for_count("[data-update]", 0)
    person.page.get_by_role("link", name="Continue").click()
    assert person.wait_for_turn()

    # The games that the server has now: shown as they were kept, and the next time as they are.
    games = """async (change) => {
        const [name] = (await caches.keys()).filter((name) => name === 'tanistry-new')
        const cache = await caches.open(name)
        const page = await cache.match('/')
        const text = await page.text()
        if (change) await cache.put('/', new Response(
            text.replaceAll('"Claim"', '"Once Claim"'), {headers: page.headers}))
        return text
    }"""
    person.page.evaluate(games, True)
    person.open()
    person.page.get_by_role("heading", name="Once Claim").wait_for()
    until(lambda: '"Once Claim"' not in person.page.evaluate(games, False), "its games of today")
    person.page.reload()
    person.page.get_by_role("heading", name="Claim", exact=True).wait_for()
    room.close()
