"""How much one client or address may ask for: buckets that fill up again with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass

from tanistry.server.refusals import Refused


@dataclass(frozen=True)
class Rate:
    """So many a second in the long run, so many at once."""

    per_second: float
    burst: float


MESSAGES = Rate(20, 80)
RATES = {
    "requests": Rate(30, 150),
    "tables": Rate(1, 30),
    "guests": Rate(0.5, 40),
    "logins": Rate(0.2, 10),
}
CONNECTIONS = 60
"""Open WebSocket connections per address."""
REMEMBERED = 50_000
"""Addresses to keep count of; the longest unseen are forgotten first."""


class Bucket:
    """A number of tokens that grows back."""

    __slots__ = ("at", "left", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.left = rate.burst
        self.at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Limits:
    """Counts by address."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._open: dict[str, int] = {}

    def take(self, what: str, address: str) -> None:
        """Count one; a refusal if it is one too many."""
        if not self.on:
            return
        key = (what, address)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(RATES[what])
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        if not bucket.take():
            raise Refused(f"rate/{what}")

    def connect(self, address: str) -> bool:
        if self.on and self._open.get(address, 0) >= CONNECTIONS:
            return False
        self._open[address] = self._open.get(address, 0) + 1
        return True

    def disconnect(self, address: str) -> None:
        left = self._open.get(address, 1) - 1
        if left > 0:
            self._open[address] = left
        else:
            self._open.pop(address, None)
