"""A tournament from its announcement to its results, by two people in two languages."""

from __future__ import annotations

import re

from tests.web.people import DESKTOP, Room
from tests.web.test_people import SMALL, sign_up

NAME = "<img src=x onerror=alert(1)>"


def test_two_people_and_a_round_robin(room: Room) -> None:
    host, guest = room.enter("en", DESKTOP), room.enter("fr", SMALL)
    sign_up(host, "arbiter")
    host.open()
    host.page.click("[data-tournaments]")
    host.page.get_by_label("Name").fill(NAME)
    host.page.get_by_label("Game").select_option("schotten")
    host.page.get_by_label("System").select_option("robin")
    host.page.get_by_label("Clock").select_option("none")
    host.check_axe()
    host.page.get_by_role("button", name="Announce it").click()
    host.page.wait_for_url("**/tournaments/*")
    host.page.click("[data-join]")
    host.page.wait_for_selector("[data-mine=in]")

    guest.open("/tournaments/nowhere")
    guest.page.wait_for_selector("text=Ce tournoi n'existe pas.")
    guest.check_axe()
    guest.open("/tournaments")
    row = guest.page.locator("[data-tournament]", has_text=NAME)
    row.wait_for()
    assert guest.page.locator("[data-tournament] img").count() == 0, "names are text"
    guest.page.wait_for_selector("text=Pour annoncer un tournoi, il vous faut un compte.")
    guest.check_width()
    guest.check_axe()
    row.get_by_role("link").click()
    guest.page.click("[data-join]")
    guest.page.wait_for_selector("[data-mine=in]")
    assert guest.page.locator("[data-start]").count() == 0, "only who announced it starts it"
    guest.check_width()
    guest.check_axe()
    for person in (host, guest):
        assert person.page.input_value("[data-link]") == person.page.url, "to be handed round"
    host.page.wait_for_selector("text=2 of 32 players")
    host.page.click("[data-start]")

    for person in (host, guest):
        person.page.wait_for_selector("[data-mine=called]")
        assert not person.page.locator("[data-link]").count(), "nobody can join any more"
        person.check_width()
        person.check_axe()
        person.page.click("[data-my-table]")
        person.page.wait_for_url("**/t/*")
        person.page.click("[data-ready=false]")
    for person in (host, guest):
        person.page.wait_for_selector(".felt [data-card]")
        assert person.page.locator("text=/Hint|Indice/").count() == 0
    host.page.get_by_role("button", name="Resign").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for person, back in ((host, "To the tournament"), (guest, "Au tournoi")):
        person.page.wait_for_selector("[data-result=resign]")
        person.page.get_by_role("link", name=back).click()
        person.page.wait_for_selector("[data-cup=over]")
        assert person.page.locator(".reading img").count() == 0
        person.check_width()
        person.check_axe()
    host.page.wait_for_selector("text=wins the tournament")
    guest.page.wait_for_selector("text=gagne le tournoi")
    second = host.page.locator("[data-place='2']")
    assert "Ailsa" in second.inner_text()
    assert host.page.locator("[data-place='1'] td b").inner_text() == "1"
    id = host.page.url.rpartition("/")[2]
    lines = str(guest.call("GET", f"/tournaments/{id}/results")).splitlines()
    assert lines[2].split(",")[2:5] == ["Ailsa", "0", "0"]


def test_whoever_stays_at_a_table_of_it_is_called_from_there(room: Room) -> None:
    """In a knockout a draw is replayed; and who does not come again forfeits."""
    host, guest = room.enter("en", DESKTOP), room.enter("fr", SMALL)
    sign_up(host, "arbiter")
    guest.call("GET", "/me")
    cup = {"name": "Cup", "game": "schotten", "system": "knockout"}
    id = host.call("POST", "/tournaments", cup)["id"]
    for person in (host, guest):
        person.call("POST", f"/tournaments/{id}/players", {})
    host.call("POST", f"/tournaments/{id}/start", {})
    for person in (host, guest):
        person.open(f"/tournaments/{id}").page.click("[data-my-table]")
    host.page.click("[data-ready=false]")
    waits = host.page.locator("[data-due]")
    waits.filter(has_text=re.compile(r"Your opponent has [12]:\d\d to be ready")).wait_for()
    host.check_axe()
    guest.page.click("[data-ready=false]")
    for person in (host, guest):
        person.page.wait_for_selector(".felt [data-card]")
    host.page.get_by_role("button", name="Offer a draw").click()
    guest.page.locator("[data-offer]").get_by_role("button", name="Accepter").click()
    before = host.page.url
    for person, called in ((host, "You are called"), (guest, "On vous appelle")):
        result = person.page.locator("[data-result=draw]")
        result.get_by_role("heading", name=called).wait_for()
        person.check_width()
        person.check_axe()
    host.page.click("[data-my-table]")
    host.page.click("[data-ready=false]")
    assert host.page.url != before
    guest.call("DELETE", f"/tournaments/{id}/players/me")
    host.page.locator("[data-walkover]", has_text="did not come: you win").wait_for()
    for person, won in ((host, "wins the tournament"), (guest, "gagne le tournoi")):
        person.page.wait_for_selector(f"text={won}")
        person.check_width()
        person.check_axe()
