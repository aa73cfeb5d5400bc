"""Whole positions of Lords of Scotland from the few cards a scenario is about.

Allies: `MD4` face up, `MD4?` face down, `MD4*MD` with its end power active, `MD4~` stayed over.
Recruits: `SC1` face down, `SC1^` face up, `_` an empty slot. What is named nowhere goes to the
bottom of the deck, or to the discard with `rest="discard"`, or to a victory pile ("victory.1").
"""

from __future__ import annotations

from typing import Any

import tanistry
from tanistry import Game, Match
from tanistry.games.lords.cards import CODES

FILLERS = [f"{clan}{n}" for n in (5, 6, 7, 8) for clan in ("CR", "FO", "WE", "CB", "FE")]
"""Cards for recruits and supporters where a scenario does not care."""


def ally(text: str) -> dict[str, Any]:
    active = None
    if "*" in text:
        text, active = text.split("*")
    code = text.rstrip("?~")
    return {"card": code, "up": "?" not in text, "active": active, "spent": "~" in text}


def recruit(text: str) -> dict[str, Any] | None:
    return None if text == "_" else {"card": text.rstrip("^"), "up": text.endswith("^")}


def position(
    hands: list[str],
    armies: list[str] | None = None,
    *,
    supporters: str | None = None,
    recruits: str | None = None,
    deck: str = "",
    discard: str = "",
    victory: list[str] | None = None,
    round: int = 2,
    initiative: int = 0,
    to_act: int | None = 0,
    decision: str = "turn",
    rest: str = "deck",
    bruce: bool = False,
    **facts: Any,
) -> dict[str, Any]:
    seats = len(hands)
    armies = armies or [""] * seats
    victory = victory or [""] * seats
    places: dict[str, list[Any]] = {"deck": deck.split(), "discard": discard.split()}
    for seat in range(seats):
        places[f"hand.{seat}"] = list(hands[seat].split())
        places[f"army.{seat}"] = [ally(text) for text in armies[seat].split()]
        places[f"victory.{seat}"] = list(victory[seat].split())
    if not bruce:
        places["aside"] = ["BR97", "BR98"]
    if recruits is not None:
        places["recruits"] = [recruit(text) for text in recruits.split()]
    if supporters is not None:
        places["supporters"] = supporters.split()
    used = {
        entry if isinstance(entry, str) else entry["card"]
        for entries in places.values()
        for entry in entries
        if entry
    }
    fillers = [code for code in FILLERS if code not in used]
    if recruits is None:
        places["recruits"] = [recruit(fillers.pop(0)) for _ in range(5)]
    if supporters is None:
        places["supporters"] = [fillers.pop(0) for _ in range(seats)]
    used |= {entry["card"] for entry in places["recruits"] if entry} | set(places["supporters"])
    places.setdefault(rest, []).extend(code for code in CODES if code not in used)
    return {
        "game": "lords",
        "seats": seats,
        "to_act": to_act,
        "decision": "" if to_act is None else decision,
        "places": places,
        "facts": {"round": round, "initiative": initiative, **facts},
    }


def lords(seats: int = 2, **options: Any) -> Game:
    return tanistry.game("lords", seats=seats, **options)


def at(
    hands: list[str], armies: list[str] | None = None, *, options: Any = None, **more: Any
) -> Match:
    """A match at such a position."""
    options = options or {}
    game = lords(len(hands), **options)
    return game.setup(
        position(hands, armies, bruce=bool(options.get("bruce", False)), **more), seed=1
    )


def cards(match: Match, place: str) -> list[Any]:
    """The codes in a place; None for a gap."""
    entries = match.position()["places"].get(place, [])
    return [entry["card"] if isinstance(entry, dict) else entry for entry in entries]


def entry(match: Match, place: str, code: str) -> dict[str, Any]:
    """A card of a place with its flags."""
    found = [e for e in match.position()["places"][place] if isinstance(e, dict)]
    return next(e for e in found if e["card"] == code)


def play(match: Match, *tokens: str) -> list[Any]:
    """Play tokens; the events of all of them."""
    return [event for token in tokens for event in match.play(token)]


def exhausted(
    hands: list[str | None],
    *,
    deck: str = "",
    supporters: str,
    recruits: str = "_ _ _ _ _",
    **more: Any,
) -> Match:
    """Five seats, target 100, and nearly all cards in hands and victory piles.

    A hand that is None holds ten of the strongest cards not named, the weakest are in the victory
    piles: nothing is in the discard.
    """
    text = " ".join([deck, supporters, recruits, *(hand or "" for hand in hands)])
    text += " " + " ".join(more.get("armies") or [])
    named = {word.rstrip("^?~").split("*")[0].rstrip("?~") for word in text.split()}
    left = [code for code in CODES[:96] if code not in named]
    left.sort(key=lambda code: -int(code[2:]))
    filled = []
    for hand in hands:
        if hand is None:
            hand, left = " ".join(left[:10]), left[10:]
        filled.append(hand)
    victory = [" ".join(left[seat::5]) for seat in range(5)]
    return at(
        filled, deck=deck, supporters=supporters, recruits=recruits, victory=victory,
        **{"options": {"target": 100, "activation": "clan"}, **more},
    )  # fmt: skip
