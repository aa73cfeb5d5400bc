"""Sets of numbered things as the names of their members."""

from __future__ import annotations

from collections.abc import Sequence


class Names:
    """The names of cards or tokens, by number.

    A set is read a byte at a time: few sets come twice, but every byte of them does.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._parts = [Part(names[first : first + 8]) for first in range(0, len(names), 8)]

    def of(self, members: int) -> list[str]:
        """The names of a set, in ascending order; a list of the caller's own."""
        return self.of_bytes(members.to_bytes(len(self._parts), "little"))

    def of_bytes(self, members: bytes) -> list[str]:
        """The same for a set as it lies in memory."""
        found: list[str] = []
        for part, byte in zip(self._parts, members):
            if byte:
                found += part[byte]
        return found


class Part(dict[int, list[str]]):
    """The names of all sets of eight things, made when they are asked for."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, byte: int) -> list[str]:
        found = self[byte] = [name for i, name in enumerate(self._names) if byte >> i & 1]
        return found
