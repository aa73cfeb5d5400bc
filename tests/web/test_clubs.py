"""A club from its link to a tournament of its own, by three people at one table."""

from __future__ import annotations

import shlex

from tests.server.processes import Process
from tests.web.people import DESKTOP, Person, Room
from tests.web.test_peace import tanistry as at_the_console
from tests.web.test_people import SMALL, sign_up

NAME = "<img src=x onerror=alert(1)>"


def looked_over(person: Person) -> None:
    assert person.page.locator(".reading img").count() == 0, "names are text"
    person.check_width()
    person.check_axe()


def test_a_club_plays_among_itself(room: Room) -> None:
    leader, *others = room.enter("en", DESKTOP), room.enter("fr", SMALL), room.enter("fr", SMALL)
    sign_up(leader, "leader")
    leader.open("/tournaments")
    leader.page.click("[data-clubs]")
    leader.page.get_by_label("Name").fill(NAME)
    leader.check_axe()
    leader.page.get_by_role("button", name="Found the club").click()
    leader.page.wait_for_selector("[data-part=leader]")
    looked_over(leader)
    link = leader.page.input_value("[data-link]")

    for person in others:
        person.open(link.removeprefix(room.url).partition("#")[0])
        person.page.wait_for_selector("text=Qui a le lien du club peut le rejoindre.")
        person.page.goto(link)
        person.page.click("[data-join]")
        person.page.wait_for_selector("[data-part=member]")
        looked_over(person)
        assert person.page.locator("[data-link]").count() == 0, "for leaders"

    leader.page.reload()
    leader.wait_for_count("[data-member]", 3)
    form = leader.page.locator("form", has=leader.page.get_by_role("button", name="Announce it"))
    form.get_by_label("Name").fill("Ours")
    form.get_by_label("Game").select_option("lords")
    form.get_by_label("System").select_option("tables")
    form.get_by_label("Players at a table").select_option("3")
    form.get_by_label("Rounds").fill("1")
    form.get_by_label("Clock").select_option("none")
    form.get_by_role("button").click()
    leader.page.wait_for_url("**/tournaments/*")
    address = leader.page.url.removeprefix(room.url)
    looked_over(leader)
    stranger = room.enter("fr", SMALL).open(address)
    stranger.page.click("[data-join]")
    stranger.page.wait_for_selector("text=C'est réservé aux membres du club.")
    listed = stranger.call("GET", "/tournaments")["tournaments"]
    assert not any(address.endswith(one["id"]) for one in listed)

    leader.page.click("[data-join]")
    for person in others:
        person.page.reload()
        person.page.locator("[data-tournament]", has_text="Ours").get_by_role("link").click()
        person.page.click("[data-join]")
        person.page.wait_for_selector("[data-mine=in]")
    leader.page.wait_for_selector("text=3 of 32 players")
    leader.page.click("[data-start]")
    for person in (leader, *others):
        person.page.click("[data-my-table]")
        person.page.wait_for_selector("[data-due]")
        looked_over(person)
        person.page.click("[data-ready=false]")
    for person in (leader, *others):
        person.page.wait_for_selector(".felt [data-card]")

    # Who has resigned is told that the others go on; who is put out, that they are out.
    leader.page.get_by_role("button", name="Resign").click()
    leader.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    leader.page.get_by_role("button", name="Resign").wait_for(state="detached")
    leader.open(address)
    leader.page.wait_for_selector("text=For you the match is over; the others play on")
    looked_over(leader)
    out = others[0].call("GET", "/me")
    leader.page.on("dialog", lambda dialog: dialog.accept())
    leader.page.select_option("[data-leaving]", label=out["name"])
    leader.page.click("[data-put-out]")
    leader.page.wait_for_selector("text=(removed)")
    others[0].open(address)
    others[0].page.wait_for_selector("text=On vous a retiré de ce tournoi.")
    looked_over(others[0])
    leader.page.get_by_role("button", name="Cancel the tournament").click()
    for person in others:  # and the club is left
        person.open(address)
        person.page.wait_for_selector("[data-cup=cancelled]")
        person.page.click("[data-club]")
        person.page.on("dialog", lambda dialog: dialog.accept())
        person.page.click("[data-leave]")
        person.page.wait_for_selector("text=Vous n'êtes dans aucun club.")
        looked_over(person)
        person.page.locator("[data-guest]").get_by_role("link").wait_for()  # to an account


def test_where_only_hosts_found_them_nobody_is_sent_for_an_account(own_room: Room) -> None:
    guest = own_room.enter("fr", SMALL).open("/clubs")
    guest.page.wait_for_selector("text=Sur ce serveur, seuls les hôtes peuvent fonder un club.")
    assert guest.page.locator("[data-guest]").count() == 0
    guest.open("/tournaments")
    guest.page.wait_for_selector("text=seuls les hôtes peuvent annoncer un tournoi.")
    guest.check_axe()


def test_who_keeps_a_server_of_this_device_reads_how_to_become_a_host(
    own_room: Room, own_served: Process
) -> None:
    keeper = own_room.enter("fr", SMALL)
    page = keeper.open("/clubs").page
    page.get_by_role("link", name="Pour devenir hôte, créez d'abord un compte").wait_for()
    sign_up(keeper, "keeper")
    commands = []
    for path in ("/tournaments", "/clubs"):
        commands.append(keeper.open(path).page.inner_text(".reading code"))
        looked_over(keeper)
    program, *words = shlex.split(commands[0])
    assert program == "tanistry"
    assert commands[0] == commands[1]
    database = own_served.environment["TANISTRY_DATABASE"]
    assert at_the_console(*words, "--database", database) == 0
    for _ in range(120):  # the server looks every few seconds
        if keeper.call("GET", "/me").get("role") == "host":
            break
        page.wait_for_timeout(250)
    page.reload()
    page.get_by_role("button", name="Fonder le club").wait_for()
    assert not page.locator("code").count()
