"""What a browser received, held against what its seat may know: played again from the seed."""

from __future__ import annotations

from typing import Any

import tanistry
from tests.patience import tries
from tests.web.people import Person

WORDED = {"text", "turn", "by"}


def record_of(person: Person, table: str) -> str:
    """The record of a match; the end is written down a moment after the last move is seen."""
    for _ in tries(f"a record of {table}"):
        answer = person.call("GET", f"/tables/{table}/record")
        if isinstance(answer, str):
            return answer
    raise AssertionError


def check_nothing_leaked(person: Person, table: str, seat: int | None) -> int:
    """Every view and event must be the seat's own, key by key; returns how many were looked at."""
    told = tanistry.replay(record_of(person, table))
    match = told.beginning()
    views = [match.view(seat)]
    events: list[list[dict[str, Any]]] = [[]]
    for _, token in told.history:
        happened = match.play(token)
        events.append([event.seen_by(seat) for event in happened])
        views.append(match.view(seat))

    looked = 0
    for message in person.received:
        if message.get("type") == "table":
            running = message["table"]["id"] == table and message["table"]["status"] != "over"
            if running:
                assert message["table"]["fairness"]["seed"] is None
        if message.get("table") != table:
            continue
        if message["type"] == "state" and message["view"]:
            looked += 1
            assert dict(message["view"], legal=0) == dict(views[message["turn"]], legal=0)
        if message["type"] == "played" and message["kind"] == "play" and "change" in message:
            looked += 1
            turn = message["turn"]
            plain = [
                {key: value for key, value in event.items() if key not in WORDED}
                for event in message["events"]
            ]
            assert plain == events[turn]
            assert "token" not in message
            change = message["change"]
            assert set(change) <= {"to_act", "decision", "places", "facts", "legal"}
            for place, entries in change["places"].items():
                assert entries == views[turn]["places"].get(place, [])
            if "facts" in change:
                assert change["facts"] == views[turn]["facts"]
            if "legal" in change:
                assert change["legal"] == views[turn].get("legal")
    assert looked
    return looked
