"""Positions of Schotten Totten for scenarios, written stone by stone."""

from __future__ import annotations

from typing import Any

import pytest

import tanistry
from tanistry import IllegalMove, Match
from tanistry.games.schotten.cards import CLAN_CODES, TACTIC_CODES

Stones = dict[int, tuple[str, str]]


def position(
    stones: Stones | None = None,
    *,
    hands: tuple[str, str] = ("", ""),
    env: dict[int, str] | None = None,
    played: tuple[str, str] = ("", ""),
    deck: str | None = None,
    tactic_pile: str | None = None,
    discard: str = "",
    to_act: int | None = 0,
    decision: str = "play",
    options: dict[str, Any] | None = None,
    known: dict[str, list[int]] | None = None,
    **facts: Any,
) -> dict[str, Any]:
    """A position with these cards at the stones: seat 0's side, then seat 1's.

    `deck` and `tactic_pile` are whole piles, top first; clan cards not named then lie in the
    discard. Left out, the piles hold all cards not named. `tactics` is a fact.
    """
    options = options or {}
    places: dict[str, list[Any]] = {}
    for stone, sides in (stones or {}).items():
        for seat in (0, 1):
            places[f"stone.{stone}.{seat}"] = sides[seat].split()
    for stone, cards in (env or {}).items():
        places[f"stone.{stone}.env"] = cards.split()
    for seat in (0, 1):
        places[f"hand.{seat}"] = hands[seat].split()
        places[f"played.{seat}"] = played[seat].split()
    places["discard"] = discard.split()
    places["deck"] = (deck or "").split()
    places["tactics"] = (tactic_pile or "").split()
    named = {code for cards in places.values() for code in cards}
    rest = [code for code in CLAN_CODES if code not in named]
    places["deck" if deck is None else "discard"] += rest
    if options.get("tactics", True) and tactic_pile is None:
        places["tactics"] += [code for code in TACTIC_CODES if code not in named]
    for code, seats in (known or {}).items():
        for cards in places.values():
            if code in cards:
                cards[cards.index(code)] = {"card": code, "known": seats}
    return {
        "game": "schotten",
        "options": options,
        "to_act": to_act,
        "decision": decision if to_act is not None else "",
        "places": {name: cards for name, cards in places.items() if cards},
        "facts": facts,
    }


def setup(*arguments: Any, **settings: Any) -> Match:
    options = settings.get("options") or {}
    return tanistry.game("schotten", **options).setup(position(*arguments, **settings), seed=1)


def cards(match: Match, place: str) -> list[str]:
    """The codes in a place."""
    entries = match.position()["places"].get(place, [])
    return [entry if isinstance(entry, str) else entry["card"] for entry in entries]


def play(match: Match, *tokens: str) -> Match:
    for token in tokens:
        match.play(token)
    return match


def refused(match: Match, token: str) -> IllegalMove:
    """The refusal of a token; nothing may have changed."""
    before = match._s.tobytes()
    with pytest.raises(IllegalMove) as info:
        match.play(token)
    assert match._s.tobytes() == before
    for lang in ("en", "fr"):
        assert "{" not in info.value.message(lang)
    return info.value


def claims(match: Match) -> list[int]:
    """The stones that can be claimed now."""
    return [int(token[6:]) for token in match.legal() if token.startswith("claim")]
