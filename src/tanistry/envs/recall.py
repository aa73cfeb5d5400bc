"""The information state: all that a seat has seen and chosen since the deal, as text.

A view says what a seat knows now; this says how it came to know it, in order, so nothing that it
ever knew is forgotten (perfect recall). Two histories have the same text for a seat exactly when
the seat cannot tell them apart: it holds its first view, its own choices, and what it was told of
everything that happened since. Who acts is public, and so is every event but for hidden cards.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tanistry.match import Event, Match


class Recall:
    """A match and what each seat remembers of it. Play through this, not through the match."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._lines = [[_compact(_view(match, seat))] for seat in range(match.game.seats)]

    def play(self, token: str) -> list[Event]:
        """Make a choice for the seat to act, and remember it."""
        actor = self.match.to_act
        events = self.match.play(token)
        for seat, lines in enumerate(self._lines):
            lines.append(f"{actor}: {token}" if seat == actor else f"{actor}:")
            lines += [_compact(_told(event, seat)) for event in events]
        return events

    def text(self, seat: int) -> str:
        """The information state of a seat."""
        self.match._check_seat(seat)
        return "\n".join(self._lines[seat])

    def copy(self) -> Recall:
        return self.of(self.match.copy())

    def of(self, match: Match) -> Recall:
        """The same memories with another match: one dealt anew from what a seat knows.

        Only that seat's text is to be trusted afterwards.
        """
        twin = Recall.__new__(Recall)
        twin.match = match
        twin._lines = [list(lines) for lines in self._lines]
        return twin


def _view(match: Match, seat: int) -> dict[str, Any]:
    view = match.view(seat)
    view.pop("legal", None)  # follows from the rest
    return view


def _told(event: Event, seat: int) -> dict[str, Any]:
    told = event.seen_by(seat)
    del told["n"]
    return told


def _compact(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
