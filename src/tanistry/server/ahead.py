"""A row that is on its way to the disk: what comes of it is worked out while the disk works."""

from __future__ import annotations

from tanistry.server import broadcast
from tanistry.server.live import Live
from tanistry.server.tables import Row, Table


class Ahead:
    """A table as it will be with a row, and what will be told of it.

    Nobody hears of it, or sees it at the table, before the row is stored and it has `come_true`.
    """

    def __init__(self, live: Live, row: Row) -> None:
        self._live = live
        self._row = row
        self._table: Table | None = None
        self._frames: broadcast.Frames = {}

    def look(self) -> None:
        """Use the time while the row is being stored."""
        if self._table is None:
            self._table = self._live.table.after(self._row)
        broadcast.write_played(self._live, self._table, self._frames)

    def come_true(self) -> broadcast.Frames:
        """The row is stored: let it happen. What is already written down for those to be told."""
        if self._table is None:  # there was no time
            self._live.table.apply(self._row)
        else:
            self._live.go_on(self._table)
        return self._frames
