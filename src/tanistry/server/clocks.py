"""Time: the server's own, which no change of the machine's clock disturbs; when it was down; and
the clocks of players.
"""

from __future__ import annotations

import time
from bisect import insort
from dataclasses import dataclass
from typing import Any

HOUR, DAY = 3_600_000, 86_400_000


class ServerTime:
    """Milliseconds since 1970 as they were known at the start, and from then on as they pass."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        return (self._offset + time.monotonic_ns()) // 1_000_000

    def not_before(self, moment: int) -> None:
        """A clock set back while the server was down: go on from where it was.

        Unless it was wrong by so much that dates would make no sense.
        """
        behind = moment - self.now()
        if 0 < behind < DAY:
            self._offset += behind * 1_000_000


server_time = ServerTime()
now_ms = server_time.now


class Outages:
    """When nothing could be played; such time counts against nobody."""

    def __init__(self, known: list[tuple[int, int]] | None = None) -> None:
        self._known = sorted(known or [])

    def add(self, began: int, ended: int) -> None:
        if (began, ended) not in self._known:
            insort(self._known, (began, ended))

    def between(self, first: int, last: int) -> int:
        """Milliseconds of outage between two moments."""
        found = 0
        for began, ended in reversed(self._known):
            if ended <= first:
                break
            found += max(0, min(last, ended) - max(first, began))
        return found

    def when_passed(self, since: int, left: int) -> int:
        """When so much time will have passed since a moment, outages not counted."""
        due = since + left
        for began, ended in self._known:
            if ended > since and began < due:
                due += ended - max(began, since)
        return due


@dataclass(frozen=True)
class Clock:
    """How time is kept at a table: not at all, after Fischer (a store of time, and some more with
    each choice), or by days for a choice."""

    kind: str = "none"
    seconds: int = 0
    increment: int = 0
    days: int = 0

    def data(self) -> dict[str, Any]:
        if self.kind == "fischer":
            return {"kind": "fischer", "seconds": self.seconds, "increment": self.increment}
        if self.kind == "days":
            return {"kind": "days", "days": self.days}
        return {"kind": "none"}

    @property
    def start(self) -> int:
        """What a seat begins with."""
        return self.seconds * 1000 if self.kind == "fischer" else self.days * DAY

    def after(self, left: int, used: int) -> int:
        """What is left to a seat that has just chosen."""
        if self.kind == "days":
            return self.days * DAY
        return left - used + self.increment * 1000
