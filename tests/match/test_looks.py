"""What changed for a seat between two looks: all of it, and nothing that looks the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tanistry
from tanistry.match.names import Names


def merged(view: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A view as a client keeps it: what changed replaces what was."""
    for name, entries in change["places"].items():
        assert entries != view["places"].get(name, []), f"{name} looks as before"
    places = {**view["places"], **change["places"]}
    kept = {key: value for key, value in view.items() if key != "legal"}
    return {**kept, **change, "places": {name: cards for name, cards in places.items() if cards}}


@pytest.mark.parametrize("name", ["claim", "kilt", "schotten", "lords"])
def test_a_view_and_its_changes_are_the_next_view(name: str) -> None:
    game = tanistry.game(name)
    seats = [*range(game.seats), None]
    for seed in range(3):
        match, rng = game.deal(seed), random.Random(seed)
        before = match.look()
        views = {seat: before.view(seat) for seat in seats}
        while match.to_act is not None:
            match.play(rng.choice(match.legal()))
            look = match.look()
            for seat in seats:
                assert before.has_shown(seat)
                views[seat] = merged(views[seat], look.change(seat, before))
                assert views[seat] == match.view(seat)
            before = look


def test_views_are_the_callers_own() -> None:
    match = tanistry.game("claim").deal(1)
    match.view(0)["places"]["deck"][0]["card"] = "changed"
    assert match.view(0)["places"]["deck"][0] == {"card": None}


def test_names_of_a_set() -> None:
    names = Names([str(number) for number in range(20)])
    assert names.of(0) == []
    assert names.of(1 << 19 | 1 << 8 | 1) == ["0", "8", "19"]
    assert names.of_bytes(bytes([255, 0, 8])) == [*map(str, range(8)), "19"]
