"""Matches on this device alone: the engine in a worker, the network off, the record kept."""

from __future__ import annotations

import pytest

from tests.web.people import PHONE, Person, Room


def sit_down(person: Person, game: str) -> Person:
    """Play against the quickest bots, on this device."""
    person.open()
    person.page.click(f"[data-play={game}]")
    person.page.wait_for_url("**/t/my-*")
    person.page.wait_for_selector(".felt [data-card]")
    return person


@pytest.mark.parametrize("game", ["claim", "kilt", "schotten", "lords"])
def test_a_whole_match_without_a_server(room: Room, game: str) -> None:
    person = room.enter("fr", PHONE)
    sit_down(person, game)
    person.context.set_offline(True)
    person.play_to_the_end(seed=5)
    assert person.page.locator("[data-result=play]").count()
