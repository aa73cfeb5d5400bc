"""The pages around a match: what they weigh, and who can use them."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.patience import until
from tests.server.processes import Process
from tests.web.people import DESKTOP, PHONE, Person, Room
from tests.web.test_people import SMALL, sign_up
from tests.web.test_sizes import TABLES

MOST_BYTES = 200 << 10
CSP = "content-security-policy"


def test_the_start_page_is_light(room: Room) -> None:
    """Under 200 KiB compressed. How soon it can be used, benchmarks/browser.py measures."""
    person = room.enter("en", PHONE)
    session = person.context.new_cdp_session(person.page)
    session.send("Network.enable")
    received = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    person.open()
    person.page.wait_for_selector("[data-play=claim]")
    person.page.wait_for_load_state("networkidle")
    assert 0 < sum(received) < MOST_BYTES, sum(received)


def test_every_page_may_load_only_what_is_ours(room: Room) -> None:
    """The policy itself; that nothing runs into it, everybody's `leave` looks at."""
    person = room.enter()
    for path in ("/", "/account", "/check", "/rules/lords", "/t/none", "/r/none", "/nowhere"):
        answer = person.page.goto(room.url + path)
        rules = dict(rule.split(" ", 1) for rule in answer.headers[CSP].split("; "))
        assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
        assert rules["script-src"] == "'self' 'wasm-unsafe-eval'", path
        assert "unsafe" not in rules["style-src"], path
        assert rules["connect-src"] == "'self'", path


@pytest.mark.parametrize("path", ["/", "/account", "/check", "/rules/claim"])
def test_every_page_for_everybody(room: Room, path: str) -> None:
    person = room.enter("fr", PHONE)
    person.open(path)
    person.page.wait_for_selector("h1")
    person.page.wait_for_load_state("networkidle")
    for size in (PHONE, DESKTOP):
        person.resize(**size)
        person.check_width()
        person.check_axe()


@pytest.mark.parametrize("size", [SMALL, DESKTOP])
def test_all_that_is_no_table_is_one_click_away(room: Room, size: dict[str, int]) -> None:
    """On wide windows at the top, on others below the page; a table has the room to itself."""
    person = room.enter("en", size)
    person.open()
    ways = person.page.locator("[data-ways]:visible")
    ways.get_by_text("Clubs").wait_for()
    for name in ways.locator("a").all_inner_texts():
        ways.get_by_text(name).click()
        person.page.locator("[data-ways]:visible [aria-current]", has_text=name).wait_for()
        person.page.wait_for_selector("h1")
        person.check_width()
    person.open("/play/claim")
    person.page.wait_for_selector(".asking")
    assert not person.page.locator("[data-ways]").count()


def test_the_language_follows_the_browser_and_the_switch(room: Room) -> None:
    person = room.enter("fr-CA")
    person.open()
    person.page.get_by_role("button", name="Jouer\u00a0: Claim").or_(
        person.page.get_by_role("button", name=re.compile("^Jouer"))
    ).first.wait_for()
    person.page.get_by_role("button", name="English").click()
    person.page.get_by_role("button", name="Play against bots: Claim").wait_for()
    person.page.reload()
    person.page.get_by_role("button", name="Play against bots: Claim").wait_for()


def test_the_rules_begin_with_what_the_game_is_about(room: Room) -> None:
    person = room.enter("en")
    person.open("/rules/claim")
    box = person.page.get_by_role("searchbox")
    box.wait_for()
    text = person.page.inner_text("main")
    assert text.index("Play against bots") < text.index("Phase 1")
    assert text.index("Phase 1") < text.index("All the rules")
    assert person.page.locator("main img").count() == 2
    shown = "e => e.complete && e.naturalWidth > 0"
    for picture in person.page.locator("main img").all():
        picture.scroll_into_view_if_needed()
        person.page.wait_for_function(shown, arg=picture.element_handle())
    ruling = person.page.locator("[data-rule='claim.end'] details")
    assert ruling.get_attribute("open") is None  # folded
    box.fill("doppelganger led")
    person.wait_for_count("article[data-rule='claim.doppel']", 1)
    assert "claim." not in person.page.inner_text("main")
    person.page.get_by_role("button", name="Play against bots").first.click()
    person.page.wait_for_selector(".felt [data-card]")


def test_it_can_be_installed(room: Room) -> None:
    person = room.enter()
    person.open()
    manifest = person.page.evaluate("fetch('/manifest.webmanifest').then(r => r.json())")
    for icon in manifest["icons"]:
        answer = person.page.request.get(f"{person.url}/{icon['src']}")
        assert answer.ok
        assert answer.headers["content-type"] == icon["type"]


def test_replay_fairness_and_account_after_a_match(room: Room) -> None:
    person = room.enter("en", DESKTOP)
    without_https = "Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})"
    person.context.add_init_script(without_https)
    table = person.against_bots("kilt")
    person.make_choices(random.Random(2), 3)
    person.resign()
    person.resize(**PHONE)
    person.page.get_by_role("link", name="Replay").click()
    person.page.wait_for_selector("[data-step='0']")
    person.page.wait_for_selector("[data-place='influence.1']", state="attached")
    person.page.get_by_role("button", name="One step on").click()
    person.page.wait_for_selector("[data-step='1']")
    person.page.get_by_role("button", name="To the end").click()
    person.check_width()
    person.check_axe()
    grow = "() => { document.querySelector('.told').lastChild.data = 'and so on '.repeat(80) }"
    person.page.evaluate(grow)
    person.page.wait_for_selector(".told[tabindex='0']")  # in the same place, and reached by key
    person.page.get_by_role("link", name="Was it fair?").click()
    person.page.wait_for_selector("[data-fits=true]")  # the seed of the deal
    person.page.wait_for_selector("[data-holds=true]")

    person.open("/account")
    person.page.get_by_label("Your name").fill("Ailsa")
    person.page.get_by_role("button", name="Save").click()
    person.page.get_by_label("Login").fill(f"ailsa-{table[:8].lower()}")
    person.page.get_by_label("Password").press_sequentially("short")
    person.page.wait_for_selector("text=3 more characters")
    person.page.get_by_role("button", name="Make an account").click()
    person.page.wait_for_selector("[type=password]:invalid:focus")  # the browser says why
    person.page.get_by_label("Password").fill("correct horse")
    person.page.get_by_role("button", name="Make an account").click()
    person.page.get_by_role("status").filter(has_text="Welcome, Ailsa!").wait_for()
    person.page.get_by_role("button", name="Sign out").wait_for()
    person.open("/history")
    person.page.wait_for_selector(f"a[href='/r/{table}']")

    elsewhere = room.enter("en")
    elsewhere.open("/account")
    elsewhere.page.get_by_label("Login").fill(f"ailsa-{table[:8].lower()}")
    elsewhere.page.get_by_label("Password").fill("correct horse")
    elsewhere.page.get_by_role("button", name="Sign in").click()
    elsewhere.page.get_by_role("button", name="Sign out").wait_for()
    elsewhere.open("/history")
    elsewhere.page.wait_for_selector(f"a[href='/r/{table}']")


def test_one_click_plays_with_the_seats_chosen_last(room: Room) -> None:
    person = room.enter("en", PHONE)
    person.open()
    person.page.get_by_label("Players: King").select_option("4")
    person.page.click("[data-play=kilt]")
    person.wait_for_count(".players li", 4)
    person.open()
    seats = person.page.get_by_label("Players: King")
    until(lambda: seats.input_value() == "4", "four seats")


def test_the_log_leads_to_the_rule_on_a_phone(room: Room) -> None:
    person = room.enter("en", PHONE)
    person.against_bots("claim")
    person.wait_for_turn()
    person.choose(random.Random(1))
    assert person.wait_for_choice()  # and the log is not written on
    person.page.get_by_role("button", name="Log", exact=True).click()
    mark = person.page.locator("dialog .rule").first
    mark.click()
    title = mark.get_attribute("title")
    assert title
    person.page.locator("dialog article").get_by_text(title).wait_for()
    person.check_axe()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_play_is_in_view(room: Room, lang: str) -> None:
    person = room.enter(lang, DESKTOP)
    person.open().page.wait_for_selector("[data-play=lords]")
    for width, height, least in ((1366, 650, 4), (844, 390, 4), (390, 844, 1)):
        person.resize(width, height)
        boxes = [found.bounding_box() for found in person.page.locator("[data-play]").all()]
        assert sum(box["y"] + box["height"] <= height for box in boxes) >= least, (width, boxes)
        person.check_width()
    person.resize(1366, 650)
    for game in ("claim", "lords"):  # players, level and options in one line
        parts = person.page.locator(f"li:has([data-play={game}]) .chosen > *")
        middles = [box["y"] + box["height"] / 2 for box in map(_box, parts.all())]
        assert max(middles) - min(middles) < 12, middles


def _box(found: Any) -> dict[str, float]:
    box: dict[str, float] = found.bounding_box()
    return box


def test_whoever_waits_is_told_who_begins_and_may_look_at_the_promise(room: Room) -> None:
    host, guest = room.enter("en", DESKTOP), room.enter("fr", PHONE)
    host.call("GET", "/me")
    seats = [{"kind": "me"}, {"kind": "open"}]
    asked = {"game": "claim", "seats": seats, "options": {"first": 1}}
    table = host.call("POST", "/tables", asked)
    for person, said in ((host, "plays first"), (guest, "joue en premier")):
        page = person.open(f"/t/{table['id']}").page
        page.locator("li", has_text=said).wait_for()
        assert page.locator("[data-begins]").count() == 1
        code = page.locator("[data-commitment]")
        assert not code.is_visible()
        page.locator("details.promise summary").click()
        code.wait_for()
        assert code.inner_text() == table["fairness"]["commitment"]
        assert ("--host" in page.inner_text("main")) == (person is host)
        person.check_width()
        person.check_axe()


@pytest.mark.parametrize("key", ["puzzles", "lessons", "seats", "options", "muted"])
def test_what_a_browser_has_kept_breaks_no_page(room: Room, key: str) -> None:
    person = room.enter("en", PHONE)
    script = f"localStorage.tanistry = JSON.stringify({{motion: 'none', {key}: null}})"
    person.context.add_init_script(script)
    person.open().page.wait_for_selector("[data-play=claim]")
    person.open("/puzzles/claim").page.wait_for_selector("h1")


def test_what_is_set_before_a_match_for_everybody(room: Room) -> None:
    """Options against bots, a table for friends, the settings: unfolded, on a phone."""
    person = room.enter("fr", SMALL)
    person.open().page.wait_for_selector("[data-play=lords]")
    for folded in person.page.locator(".games summary").all():
        folded.click()
    person.check_width()
    person.check_axe()
    for opens in ("[data-friends=lords]", "header button[title=Réglages]"):
        person.page.click(opens)
        person.page.wait_for_selector("dialog[open]")
        person.check_width()
        person.check_axe()
        person.page.keyboard.press("Escape")
        person.wait_for_count("dialog[open]", 0)


def test_every_state_of_a_table_for_everybody(room: Room) -> None:
    """Waiting, seen by host and guest; a card picked; every dialog; a spectator; the result; the
    replay: none has anything a screen reader or a keyboard would stumble over."""
    host, guest = room.enter("fr", DESKTOP), room.enter("en", PHONE)
    host.call("GET", "/me")
    seats = [{"kind": kind} for kind in ("me", "bot", "open")]
    waiting = host.call("POST", "/tables", {"game": "kilt", "seats": seats})["id"]
    for person in (host, guest):
        person.open(f"/t/{waiting}").page.wait_for_selector("main h2")
        person.check_axe()
    for path in ("/mine", "/nowhere"):
        guest.open(path).page.wait_for_selector("h1")
        guest.check_axe()

    table = host.against_bots("schotten", tactics=False)
    assert host.wait_for_choice()
    guest.open(f"/t/{table}").page.wait_for_selector(".felt [data-card]")
    guest.check_axe()
    host.page.keyboard.press("ArrowRight")
    host.page.keyboard.press("Enter")
    host.page.wait_for_selector(".near .card.picked")
    host.check_axe()
    turn = host.turn
    host.page.keyboard.press("ArrowDown")
    host.page.keyboard.press("Enter")
    host.wait_past(turn)
    assert host.wait_for_choice()
    host.page.wait_for_function("() => document.activeElement.closest('.felt, [data-turn]')")
    for name in ("Règles", "Abandon"):
        host.page.get_by_role("button", name=name, exact=True).click()
        host.page.wait_for_selector("dialog[open]")
        host.check_axe()
        host.page.keyboard.press("Escape")
        host.wait_for_count("dialog[open]", 0)
    host.page.get_by_role("button", name="Abandon", exact=True).click()
    host.page.locator("dialog .main").click()
    host.page.wait_for_selector("[data-result=resign]")
    host.check_axe()
    host.open(f"/r/{table}").page.wait_for_selector("[data-step]")
    host.check_axe()


MOST_CHOICES, MOST_ASKED = 14, 5


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=[t[0] for t in TABLES])
def test_every_question_of_a_game_for_everybody(
    room: Room, game: str, seats: int, options: dict[str, Any]
) -> None:
    """With the most players: whatever is asked in a match (a choice
    that is owed, too), its end, and the replay of it."""
    person = room.enter("fr", DESKTOP)
    table = person.against_bots(game, seats, **options)
    rng, asked = random.Random(5), set[str]()
    for _ in range(MOST_CHOICES):
        if not person.wait_for_turn() or len(asked) == MOST_ASKED:
            break
        prompt = person.page.locator(".asking .prompt").first
        question = prompt.inner_text() if prompt.count() else ""
        if question not in asked:
            asked.add(question)
            person.check_axe()
        person.choose(rng)
    assert asked
    if not person.over:
        person.page.get_by_role("button", name="Abandon", exact=True).click()
        person.page.locator("dialog .main").click()
    person.page.wait_for_selector("[data-result]")
    person.check_axe()
    person.open(f"/r/{table}").page.wait_for_selector("[data-step]")
    person.check_axe()


def test_a_table_of_ones_own_that_waits_is_told_from_one_that_is_played(room: Room) -> None:
    person = room.enter("en", PHONE)
    person.call("GET", "/me")
    seats = [{"kind": "me"}, {"kind": "open"}]
    person.call("POST", "/tables", {"game": "claim", "seats": seats})
    person.open()
    mine = person.page.get_by_role("region", name="Your matches")
    mine.get_by_role("link", name="View: Claim").wait_for()
    assert "open seat" in mine.inner_text()


def test_however_many_options_there_are_a_table_can_be_opened_at_once(room: Room) -> None:
    person = room.enter("en", {"width": 360, "height": 640}).open()
    person.page.click("[data-friends=lords]")
    opens = person.page.get_by_role("dialog").locator("button[type=submit]")
    opens.wait_for()
    assert opens.bounding_box()["y"] + 44 <= 640, "in sight before anything is scrolled"
    person.check_axe()


@pytest.mark.parametrize("path", ["/tournaments", "/clubs", "/account"])
def test_a_page_says_that_the_server_does_not_answer(room: Room, path: str) -> None:
    person = room.enter("fr", PHONE)
    person.open().page.wait_for_selector("[data-play=claim]")
    person.page.route("**/api/**", lambda route: route.abort())
    person.page.route_web_socket("**/ws", lambda line: line.close())
    person.page.goto(room.url + path)
    person.page.locator(".panel", has_text="ne répond pas").wait_for()
    person.received.clear()


def test_a_refusal_comes_into_sight_from_wherever_it_was_asked_for(room: Room) -> None:
    person = room.enter("fr", SMALL)
    sign_up(person, "refused")
    club = person.call("POST", "/clubs", {"name": "Skara Brae"})["id"]
    page = person.open("/account").page
    for wrong in ("not this one, surely", "nor this one, surely"):  # each time anew
        for field in page.get_by_label(re.compile("ot de passe")).all()[:2]:
            field.fill(wrong)
        page.get_by_role("button", name="Changer le mot de passe").click()
        refusal = page.get_by_role("status").filter(has_text="mot de passe")
        until(lambda: in_sight(person, refusal), "the refusal in sight")
    person.open(f"/clubs/{club}")
    page.get_by_role("button", name="Rendre simple membre").click()
    until(lambda: in_sight(person, page.get_by_role("alert")), "the refusal in sight")
    person.check_axe()


def in_sight(person: Person, found: Any) -> bool:
    box = found.bounding_box() if found.count() else None
    return box is not None and 0 <= box["y"] <= person.size["height"] - box["height"]


def test_a_link_is_copied_without_a_clipboard_too(room: Room) -> None:
    """Over plain HTTP, as in a home network, browsers offer none."""
    person = room.enter("fr", PHONE)
    person.context.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
        "addEventListener('copy', () => (window.taken = document.activeElement.value))"
    )
    person.call("GET", "/me")
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = person.call("POST", "/tables", {"game": "claim", "seats": seats})
    page = person.open(f"/t/{table['id']}").page
    page.get_by_role("button", name="Copier").click()
    page.get_by_role("button", name="Copié").wait_for()
    assert page.evaluate("window.taken").endswith(f"/t/{table['id']}")
    assert page.evaluate("document.activeElement.textContent") == "Copié", "the focus stays"


TITLES = {
    "/": ("Tanistry", "Tanistry"),
    "/best": ("Best players · Tanistry", "Les meilleurs · Tanistry"),
    "/rules/claim": ("Claim: Rules · Tanistry", "Claim\u00a0: Règles · Tanistry"),
    "/nowhere": ("There is nothing here. · Tanistry", "Il n'y a rien ici. · Tanistry"),
}


def test_a_page_is_called_what_its_heading_says(room: Room) -> None:
    person = room.enter("en")
    for path, (english, french) in TITLES.items():
        person.open(path)
        for title in (english, french, english):
            person.page.wait_for_function("title => document.title === title", arg=title)
            person.page.locator("header .own button").first.click()  # the other language
        person.page.locator("header .own button").first.click()
    person.against_bots("claim")
    person.wait_for_turn()
    person.page.wait_for_function("() => document.title === '● Your turn – Claim · Tanistry'")
    person.page.click("header .home")
    person.page.wait_for_function("() => document.title === 'Tanistry'")


def test_a_match_that_is_older_than_today_says_so(room: Room) -> None:
    person = room.enter("en")
    person.against_bots("claim")
    matches = person.open().page.get_by_role("region", name="Your matches")
    matches.get_by_role("link", name="Continue").wait_for()
    assert not matches.locator("small").count()
    tomorrow = datetime.now() + timedelta(days=1)
    person.page.clock.set_fixed_time(tomorrow)
    person.page.reload()
    matches.locator("small", has_text=str(datetime.now().year)).wait_for()


def test_what_a_server_did_not_answer_is_asked_again_once_it_is_back(
    own_room: Room, own_served: Process
) -> None:
    person = own_room.enter("en").open("/best")
    person.page.wait_for_selector("text=Nobody yet.")
    own_served.kill()
    person.page.get_by_label("Game").select_option("lords")
    alert = person.page.get_by_role("alert")
    alert.filter(has_text="The server does not answer.").wait_for()
    own_served.start()
    alert.wait_for(state="detached")
