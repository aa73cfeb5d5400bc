"""Positions of King's Kilt for scenarios, drawn from the bottom row up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tanistry import Match, game

FAMILIES = ("BR BU MB", "MK ML DO", "BR ML WA", "BU MK DO")
BASE = "BR! BU! MB! MK! ML! DO!"
FULL = [BASE, "WA BR BU MB MK", "ML DO WA BR", "BU MB MK", "ML DO", "WA"]
"""A pyramid with a King: Wallace; Guardians Macleod, Douglas; Nobles Buchanan, Macbeth, Mackay."""


def position(
    rows: list[str],
    *,
    seats: int = 2,
    edition: str = "7clans",
    families: tuple[str, ...] = FAMILIES,
    influence: tuple[str, ...] = (),
    deck: str = "",
    discard: str = "",
    rest: str = "deck",
    to_act: int | None = 0,
    decision: str = "turn",
    known: dict[str, list[int]] | None = None,
    **facts: Any,
) -> dict[str, Any]:
    """A position with these rows (`-` is an empty cell) and hands.

    `deck` names the top cards of the pile; all cards not named lie under them, chiefs first, or
    where `rest` says. `known` gives, for a place, the seats that know all of its cards.
    """
    places: dict[str, list[Any]] = {}
    for row, cards in enumerate(rows, 1):
        for column, code in enumerate(cards.split()):
            if code != "-":
                places[f"pyramid.{row}.{column}"] = [code]
    for seat in range(seats):
        places[f"family.{seat}"] = families[seat].split()
        if seat < len(influence) and influence[seat]:
            places[f"influence.{seat}"] = influence[seat].split()
    places["deck"], places["discard"] = deck.split(), discard.split()
    left = Counter(game("kilt", edition=edition).codes)
    left.subtract(code for cards in places.values() for code in cards)
    places.setdefault(rest, []).extend(sorted(left.elements(), key=lambda code: code[2:] != "!"))
    for place, who in (known or {}).items():
        places[place] = [{"card": code, "known": who} for code in places[place]]
    return {
        "game": "kilt",
        "seats": seats,
        "options": {"edition": edition},
        "to_act": to_act,
        "decision": decision,
        "places": {name: cards for name, cards in places.items() if cards},
        "facts": facts,
    }


def setup(rows: list[str], **what: Any) -> Match:
    position_ = position(rows, **what)
    kilt = game("kilt", seats=position_["seats"], **position_["options"])
    return kilt.setup(position_, seed=1)


def cards(match: Match, place: str) -> list[str]:
    """The codes in a place, as the position lists them."""
    entries = match.position()["places"].get(place, [])
    return [entry if isinstance(entry, str) else entry["card"] for entry in entries]


def pyramid(match: Match) -> list[str]:
    """The rows of the pyramid from the bottom up."""
    rows = []
    for row in range(1, 7):
        cells = [cards(match, f"pyramid.{row}.{column}") for column in range(7 - row)]
        rows.append(" ".join(cell[0] if cell else "-" for cell in cells))
    while rows and set(rows[-1].split()) == {"-"}:
        rows.pop()
    return rows


def betrayals(match: Match, clan: str) -> set[str]:
    """The cells that an influence card of a clan may strike."""
    words = [token.split() for token in match.legal()]
    return {word[2] for word in words if word[0] == "betray" and word[1] == clan}


def fill(match: Match, sides: str) -> None:
    for side in sides:
        match.play(f"fill {side}")
