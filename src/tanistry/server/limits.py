"""How much one client or address may ask for: buckets that fill up again with time.

Every worker counts for itself and tells the others what was taken and what is open, so that all
together grant little more than one would.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from tanistry.server.refusals import Refused
from tanistry.server.settings import networks


@dataclass(frozen=True)
class Rate:
    """So many a second in the long run, so many at once."""

    per_second: float
    burst: float


MESSAGES = Rate(20, 80)
"""Of one WebSocket connection; who sends more is refused."""
FRAMES = Rate(40, 250)
"""The same, whatever they are (pings, fragments, messages that were refused): who sends more is
cut off."""
OUT = 10.0
"""Seconds for which an address that has flooded a connection gets no new one."""
RATES = {
    "requests": Rate(30, 150),
    "pages": Rate(30, 300),
    "tables": Rate(0.1, 30),
    "guests": Rate(0.5, 40),
    "logins": Rate(0.2, 10),
    "letters": Rate(0.005, 6),
    "exports": Rate(0.01, 4),
}
FLOODS = ("requests", "pages")
"""Who takes twice as many of these as there are is sent out."""
SOCKETS = 60
"""Open WebSocket connections per address."""
CONNECTIONS = 200
"""Open connections of any kind per address, half-open ones included."""
REMEMBERED = 50_000
"""Addresses to keep count of; the longest unseen are forgotten first."""
SHARE = 0.25
"""Seconds after which other workers hear what was taken."""
WORTH_TELLING = 8
"""Connections of one address that are so many that other workers should know."""
STALE = 3.0
"""Seconds after which what another worker had open is forgotten, unless it says so again."""
TOGETHER = 40
"""Counts in one message to other workers."""


class Bucket:
    """A number of tokens that grows back."""

    __slots__ = ("at", "left", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.left = rate.burst
        self.at = time.monotonic()

    def take(self, count: int = 1) -> bool:
        self._grow()
        if self.left < count:
            return False
        self.left -= count
        return True

    def lose(self, count: float) -> None:
        """Somebody else has taken some."""
        self._grow()
        self.left = max(self.left - count, -self.rate.burst)

    def _grow(self) -> None:
        now = time.monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now


@lru_cache(10_000)
def household(address: str) -> str:
    """Whom an address belongs to: with IPv6 everybody has a network of 2⁶⁴ of them."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped or ip_network((int(found), 64), strict=False))
    return address


class Limits:
    """Counts by address."""

    def __init__(self, on: bool, proxies: str = "", alone: bool = False) -> None:
        self.on = on
        self._alone = alone  # there are no other workers
        self._proxies = networks(proxies)
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._out: dict[str, float] = {}  # until when
        self._open: Counter[tuple[str, str]] = Counter()
        self._elsewhere: dict[tuple[str, str], dict[str, tuple[int, float]]] = {}  # by worker
        self._taken: Counter[tuple[str, str]] = Counter()  # since others were told

    def take(self, what: str, address: str) -> None:
        """Count one; a refusal if it is one too many."""
        if not self.on:
            return
        key = (what, household(address))
        if not self._alone:
            self._taken[key] += 1
        bucket = self._bucket(key)
        if not bucket.take():
            bucket.lose(1)  # who does not wait waits longer
            if what in FLOODS and bucket.left <= -bucket.rate.burst + 1:
                self.send_out(address)
            raise Refused(f"rate/{what if what != 'pages' else 'requests'}")

    def _bucket(self, key: tuple[str, str]) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(RATES[key[0]])
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket

    def enter(self, what: str, address: str, most: int) -> bool:
        """Something is opened that stays open, if it is not one too many."""
        key = (what, household(address))
        full = self._open[key] + self._open_elsewhere(key) >= most or self._is_out(key[1])
        if self.on and full and not self.is_proxy(address):
            return False
        self._open[key] += 1
        return True

    def leave(self, what: str, address: str) -> None:
        key = (what, household(address))
        self._open[key] -= 1
        if self._open[key] <= 0:
            del self._open[key]

    def send_out(self, address: str) -> None:
        """An address has flooded us."""
        if len(self._out) > REMEMBERED:
            self._out.clear()
        self._out[household(address)] = time.monotonic() + OUT

    def _is_out(self, address: str) -> bool:
        until = self._out.get(address)
        if until is not None and until < time.monotonic():
            del self._out[address]
            return False
        return until is not None

    def is_proxy(self, address: str) -> bool:
        """Whether many people come from an address; the proxy holds them to its own limits."""
        if self._proxies is None:
            return True
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)

    # -- between workers ------------------------------------------------------------------------

    def share(self, publish: Callable[..., None]) -> None:
        """Tell other workers what was taken here, and who has much open."""
        many = {key: count for key, count in self._open.items() if count >= WORTH_TELLING}
        taken, self._taken = self._taken, Counter()
        for name, counts in (("taken", taken), ("open", many)):
            told = [[*key, count] for key, count in counts.items()]
            for start in range(0, len(told), TOGETHER):
                publish(**{name: told[start : start + TOGETHER]})
        self._forget_stale()

    def heard(self, news: dict[str, Any]) -> None:
        """Another worker says what was taken, or is open, there."""
        for what, address, count in news.get("taken", ()):
            if what in RATES:
                self._bucket((what, address)).lose(count)
        for what, address, count in news.get("open", ()):
            known = self._elsewhere.setdefault((what, address), {})
            known[news["from"]] = (count, time.monotonic() + STALE)

    def _open_elsewhere(self, key: tuple[str, str]) -> int:
        now = time.monotonic()
        return sum(count for count, until in self._elsewhere.get(key, {}).values() if until > now)

    def _forget_stale(self) -> None:
        for key in [key for key in self._elsewhere if not self._open_elsewhere(key)]:
            del self._elsewhere[key]
