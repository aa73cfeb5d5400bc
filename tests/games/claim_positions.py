"""Whole positions of Claim from the few cards a scenario is about; the rest is filled in."""

from __future__ import annotations

from typing import Any

from tanistry.games.claim.cards import CODES


def phase1(
    hand0: str, hand1: str, *, prize: str, deck: str = "", leader: int = 0, led: str = ""
) -> dict[str, Any]:
    """Phase 1 with these hands (the led card not among them) and this prize; `deck` top first."""
    hands = [hand0.split(), hand1.split()]
    held = len(hands[1 - leader])
    trick = 14 - held
    left = _without([*hands[0], *hands[1], prize, *deck.split(), *led.split()])
    left.sort(key=lambda code: code[0] != "U")  # Undead are never discarded: deal them out first
    pile = deck.split() + _take(left, 2 * held - 1 - len(deck.split()))
    places = {
        "deck": pile,
        "hand.0": hands[0],
        "hand.1": hands[1],
        "prize": [prize],
        "followers.0": _take(left, trick - 1),
        "followers.1": _take(left, trick - 1),
        "score.0": [code for code in left if code[0] == "U"],
        "discard": [code for code in left if code[0] != "U"],
    }
    return _position(places, 1, trick, leader, led)


def phase2(
    hand0: str, hand1: str, *, leader: int = 0, led: str = "", score0: str = "", score1: str = ""
) -> dict[str, Any]:
    """Phase 2 with these hands; what is named nowhere was discarded (Undead: seat 0's score)."""
    hands = [hand0.split(), hand1.split()]
    scores = [score0.split(), score1.split()]
    left = _without([*hands[0], *hands[1], *scores[0], *scores[1], *led.split()])
    places = {
        "hand.0": hands[0],
        "hand.1": hands[1],
        "score.0": scores[0] + [code for code in left if code[0] == "U"],
        "score.1": scores[1],
        "discard": _take(left := [c for c in left if c[0] != "U"], 26),
    }
    places["score.1"] += left
    return _position(places, 2, 14 - len(hands[1 - leader]), leader, led)


def _position(
    places: dict[str, list[str]], phase: int, trick: int, leader: int, led: str
) -> dict[str, Any]:
    to_act = leader
    if led:
        places[f"trick.{leader}"] = [led]
        to_act = 1 - leader
    return {
        "game": "claim",
        "seats": 2,
        "to_act": to_act,
        "decision": "play",
        "places": {name: cards for name, cards in places.items() if cards},
        "facts": {"phase": phase, "trick": trick, "leader": leader},
    }


def _without(used: list[str]) -> list[str]:
    left = list(CODES)
    for code in used:
        left.remove(code)
    return left


def _take(left: list[str], n: int) -> list[str]:
    taken = left[:n]
    del left[:n]
    return taken
