"""Clocks: none, Fischer (a store of time, and some more with each choice), or days per choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DAY = 86_400_000


@dataclass(frozen=True)
class Clock:
    """How time is kept at a table; all in milliseconds."""

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
