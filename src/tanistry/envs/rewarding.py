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
    shares = [1 / len(first) if seat in first else 0.0 for seat in range(seats)]
    return [(seats * share - 1) / (seats - 1) for share in shares]
