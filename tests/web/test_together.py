"""Two browsers at one table; a reload and a restart of the server in the middle."""

from __future__ import annotations

import random
from pathlib import Path

from tests.patience import tries, until
from tests.server.processes import Process
from tests.web.conftest import Interpreted, needs_client
from tests.web.people import DESKTOP, PHONE, Person, Room
from tests.web.secrets import check_nothing_leaked


def sit_together(room: Room, game: str) -> tuple[Person, Person, str]:
    """One opens a table and shares its link; the other follows it and sits down."""
    host, guest = room.enter("fr", DESKTOP), room.enter("en", PHONE)
    host.open()
    host.page.click(f"[data-friends={game}]")
    host.page.click("dialog form button[type=submit]")
    link = host.page.input_value("[data-link]")
    assert host.page.get_by_role("img", name="Code QR du lien").count() <= 1
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.get_by_role("button", name="I am ready").click()
    host.page.wait_for_function("() => document.title.startsWith('● On vous attend – ')")
    host.page.get_by_role("button", name="Commencer").click()
    for person in (host, guest):
        person.page.wait_for_selector(".felt [data-card]")
    return host, guest, link.rsplit("/", 1)[1]


def to_act(people: tuple[Person, Person]) -> Person | None:
    """Who is asked next; None when the match is over."""
    for _ in tries("somebody's turn"):
        if any(person.over for person in people):
            return None
        if asked := [person for person in people if person.asked]:
            return asked[0]
    raise AssertionError


def play_on(people: tuple[Person, Person], rng: random.Random, choices: int) -> None:
    """So many choices, or to the end."""
    for _ in range(choices):
        acting = to_act(people)
        if acting is None:
            return
        acting.choose(rng)


def newest(person: Person) -> int:
    return int(person.page.evaluate("Math.max(...Object.keys(window.seen))"))


def test_two_browsers_through_a_shared_link(room: Room) -> None:
    host, guest, table = sit_together(room, "claim")
    play_on((host, guest), random.Random(5), 12)
    for person in (host, guest):
        person.hurry()
    for person in (host, guest):
        person.page.wait_for_selector("[data-result=play]")
        person.wait_for_count("[data-rating-change]", 2)
        person.check_width()
    check_nothing_leaked(host, table, 0)
    check_nothing_leaked(guest, table, 1)


def test_a_spectator_sees_backs_and_a_rematch_takes_both_or_none(room: Room) -> None:
    host, guest, table = sit_together(room, "schotten")
    watcher = room.enter("en").open(f"/t/{table}")
    near = watcher.page.locator(".near .hand .card")
    near.first.wait_for()
    hand = host.page.locator(".near .hand .card").count()
    assert near.count() == hand == watcher.page.locator(".near .hand .card .back").count()
    assert watcher.page.locator(".near .hand [data-card]:not([data-card=''])").count() == 0
    assert "You are watching" in watcher.page.inner_text("main")
    name = watcher.page.locator(".players .name").first.inner_text()
    assert watcher.page.locator(".near .hand").get_attribute("aria-label") == f"hand ({name})"

    host.page.get_by_role("button", name="Abandon").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Abandon").click()
    for person in (host, guest, watcher):
        person.page.wait_for_selector("[data-result=resign]")
    guest.page.wait_for_selector("text=changed no rating: not everyone had made two choices.")
    host.page.get_by_role("button", name="Rejouer").click()
    guest.page.wait_for_selector("text=You are offered another match.")
    assert table in guest.page.url, "nobody is taken to a table without having said so"
    again = host.call("GET", f"/tables/{table}")["rematch"]
    watcher.page.get_by_role("link", name="Go to the next match").click()
    watcher.page.wait_for_url(f"**/t/{again}")
    watcher.page.wait_for_selector("text=kept for")
    assert "open seat" not in watcher.page.inner_text("main")
    guest.page.get_by_role("button", name="Accept and play again").click()
    for person in (host, guest):
        person.page.wait_for_url(f"**/t/{again}")
        person.page.wait_for_selector(".felt [data-card]")
    assert all(host.call("GET", f"/tables/{again}")["fairness"]["nonces"]), "both devices' numbers"
    guest.page.go_back()  # to a result that offers nothing any more
    guest.page.get_by_role("link", name="Go to the next match").click()
    guest.page.wait_for_url(f"**/t/{again}")

    host.page.get_by_role("button", name="Abandon").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Abandon").click()
    guest.page.get_by_role("button", name="Play again").click()
    host.page.get_by_role("button", name="Refuser").click()
    guest.page.wait_for_selector("text=Your offer of another match was declined.")
    host.page.get_by_role("button", name="Refuser").wait_for(state="detached")
    assert again in host.page.url


def test_every_move_is_seen_by_both_until_one_leaves(room: Room) -> None:
    host, guest, table = sit_together(room, "schotten")
    for person in (host, guest):
        person.page.evaluate(
            """() => { window.seen = {}
                const look = () => { const t = document.querySelector('[data-turn]')?.dataset.turn
                    if (t && !(t in window.seen)) window.seen[t] = true }
                new MutationObserver(look).observe(document, {attributes: true, subtree: true})
                look() }"""
        )
    play_on((host, guest), random.Random(2), 12)
    until(lambda: newest(host) == newest(guest), "both have seen the last move")
    mine, theirs = host.page.evaluate("window.seen"), guest.page.evaluate("window.seen")
    assert len(set(mine) & set(theirs)) > 5

    guest.open()  # away for as long as the host's setting `absent` says: a bot may play on
    host.page.get_by_role("button", name="Laisser un bot jouer pour").click()
    host.page.wait_for_selector("text=un bot joue")
    assert not host.page.get_by_role("alert").count()
    guest.open(f"/t/{table}")
    guest.page.wait_for_selector("text=A bot is playing for you")
    guest.page.get_by_role("button", name="Take my seat back").click()
    host.page.wait_for_selector("text=un bot joue", state="detached")
    play_on((host, guest), random.Random(3), 4)


def test_who_loses_the_network_is_told_at_once_and_plays_on_when_it_is_back(room: Room) -> None:
    host, guest, table = sit_together(room, "schotten")
    play_on((host, guest), random.Random(4), 2)
    guest.context.set_offline(True)
    broken = guest.page.get_by_text("The connection broke").bounding_box()
    tools = guest.page.locator(".tools").bounding_box()
    assert broken
    assert tools
    assert broken["y"] + broken["height"] < tools["y"]
    host.page.wait_for_selector("text=(absent)")
    guest.context.set_offline(False)
    guest.page.wait_for_selector("text=The connection broke", state="detached")
    host.page.wait_for_selector("text=(absent)", state="detached")
    play_on((host, guest), random.Random(5), 4)
    host.page.get_by_role("button", name="Abandon").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Abandon").click()
    guest.page.wait_for_selector("[data-result=resign]")
    check_nothing_leaked(guest, table, 1)


def test_how_long_is_left_to_wait_is_the_servers_to_say(browser: object, tmp_path: Path) -> None:
    """A reload begins nothing anew, and what is offered is granted."""
    needs_client()
    process = Interpreted(tmp_path, absent=8.0).start()
    room = Room(browser, process.url)
    host, guest, _ = sit_together(room, "schotten")
    guest.open()

    def left() -> int:
        return int(str(host.page.get_attribute("[data-stand-in]", "data-stand-in")))

    for _ in tries("time that passes"):
        if (before := left()) < 7:
            break
    host.page.reload()
    assert left() <= before
    host.check_axe()
    host.page.get_by_role("button", name="Laisser un bot jouer pour").click()
    host.page.wait_for_selector("text=un bot joue")
    assert not host.page.get_by_role("alert").count()
    room.close()
    process.kill()


def test_reload_and_restart_in_the_middle(own_room: Room, own_served: Process) -> None:
    person = own_room.enter()
    table = person.against_bots("claim")
    rng = random.Random(9)
    person.make_choices(rng, 3)
    person.page.reload()
    assert person.wait_for_choice()
    hand = person.page.locator(".near .card").count()
    own_served.kill()
    person.page.wait_for_selector("text=The connection broke")
    own_served.start()
    person.page.wait_for_selector("text=The connection broke", state="detached")
    assert person.wait_for_choice()
    assert person.page.locator(".near .card").count() == hand
    person.make_choices(rng, 2)
    person.resign()
    check_nothing_leaked(person, table, 0)
