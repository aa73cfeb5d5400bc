"""A sheet of characters to draw a table on; every spot on it can be asked what it is."""

from __future__ import annotations

from collections.abc import Hashable

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

Spot = Hashable
"""What one can point at: a card, a place, a place and a slot. None where there is nothing."""


class Canvas:
    """Characters with a style and, where one can click, the spot they belong to.

    Drawing outside the sheet is allowed and leaves no trace, but that more lines were wanted.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.bottom = 0
        """Lines that were drawn on, those outside the sheet included."""
        self.room = height
        """Lines that are seen at once."""
        blank: tuple[str, Style, Spot] = (" ", Style.null(), None)
        self._cells = [[blank] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str | Style = "", spot: Spot = None) -> int:
        """Write a line of text; the column after it."""
        drawn = Style.parse(style) if isinstance(style, str) else style
        self.bottom = max(self.bottom, y + 1)
        for character in text:
            if cell_len(character) != 1:
                character = " " if character.isspace() else "?"
            if 0 <= x < self.width and 0 <= y < self.height:
                self._cells[y][x] = (character, drawn, spot)
            x += 1
        return x

    def spot_at(self, x: int, y: int) -> Spot:
        """The spot at a place of the sheet, None if there is none."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return self._cells[y][x][2]
        return None

    def where(self, spot: Spot) -> tuple[int, int] | None:
        """The first character of a spot."""
        for y, row in enumerate(self._cells):
            for x, cell in enumerate(row):
                if cell[2] == spot:
                    return x, y
        return None

    def spots(self) -> set[Spot]:
        return {cell[2] for row in self._cells for cell in row} - {None}

    def segments(self, y: int) -> list[Segment]:
        """One line as Rich wants it, equal styles together."""
        if not 0 <= y < self.height:
            return []
        found: list[Segment] = []
        run, style = "", Style.null()
        for character, drawn, _ in self._cells[y]:
            if drawn != style and run:
                found.append(Segment(run, style))
                run = ""
            style = drawn
            run += character
        return [*found, Segment(run, style)]

    def plain(self) -> str:
        """The text alone, for tests and for people who like it plain."""
        return "\n".join("".join(cell[0] for cell in row).rstrip() for row in self._cells)
