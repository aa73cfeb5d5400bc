"""Sets of numbered things as the names of their members."""

from __future__ import annotations

from collections.abc import Sequence


class Names:
    """The names of cards or tokens, by number.

    A set is read a byte at a time: few sets come twice, but every byte of them does.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._bytes = (len(names) + 7) // 8
        self._kept: dict[int, list[str]] = {}

    def of(self, members: int) -> list[str]:
        """The names of a set, in ascending order; a list of the caller's own."""
        return self.of_bytes(members.to_bytes(self._bytes, "little"))

    def of_bytes(self, members: bytes) -> list[str]:
        """The same for a set as it lies in memory."""
        kept = self._kept
        found: list[str] = []
        for at, byte in enumerate(members):
            if byte:
                key = at << 8 | byte
                found += kept[key] if key in kept else self._read(key)
        return found

    def _read(self, key: int) -> list[str]:
        first, byte = (key >> 8) * 8, key & 255
        found = self._kept[key] = [self._names[first + i] for i in range(8) if byte >> i & 1]
        return found
