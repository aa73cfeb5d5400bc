"""What a match is worth to each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tanistry.match import Match


def rewards(match: Match) -> list[float]:
    """1 for the winner, shared if several are first; the sum of all seats is 0.

    With two seats: 1, 0 (a draw) or −1; with n seats a loser gets −1 / (n − 1). While the match
    runs, nobody gets anything.
    """
    seats, result = match.game.seats, match.result
    if result is None:
        return [0.0] * seats
    first = result.ranking[0]
    won, lost = (seats - len(first)) / (len(first) * (seats - 1)), -1 / (seats - 1)
    return [won if seat in first else lost for seat in range(seats)]
