"""Who stands where, and why: points first, then tie-breaks one after the other.

- `buchholz`: the points of all opponents together. Who met strong ones comes first. A round without
  a match counts as one against somebody with the player's own points (FIDE Handbook C.07).
- `sonneborn` (Sonneborn–Berger): the points of those who were beaten, and half of those with whom
  one drew; a round without a match as above.
- `direct`: what those who are still level scored against each other, if all of them have met.
- `wins`: matches won.
- `rounds`: rounds of a knockout survived.

Whoever is still level then shares the place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tanistry.tournaments.boards import WIN, Round, boards_of, meetings, score

BREAKS = {
    "robin": ("direct", "sonneborn", "wins"),
    "swiss": ("buchholz", "sonneborn", "direct", "wins"),
    "knockout": ("rounds",),
    "tables": ("wins", "buchholz"),
}
"""The tie-breaks of each system, in their order. In a knockout the only thing that counts is how
far one came."""


@dataclass
class Standing:
    """One line of the table; points and breaks in parts of `WIN`, wins and rounds counted."""

    player: int
    place: int = 0
    points: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    breaks: dict[str, int] = field(default_factory=dict)


def standings(system: str, players: Sequence[int], rounds: Sequence[Round]) -> list[Standing]:
    """Everybody, the best first."""
    look = _Look(players, rounds)
    table = {player: look.line(player) for player in players}
    groups = [list(players)]
    if system != "knockout":
        groups = _split(groups, look.points)
    for name in BREAKS[system]:
        for group in groups:
            for player in group:
                table[player].breaks[name] = VALUES[name](look, player, group)
        groups = _split(groups, {player: table[player].breaks[name] for player in players})
    place, found = 1, []
    for group in groups:
        for player in sorted(group):
            table[player].place = place
            found.append(table[player])
        place += len(group)
    return found


def _split(groups: list[list[int]], values: dict[int, int]) -> list[list[int]]:
    """Groups of those who are level, the higher first."""
    return [
        [player for player in group if values[player] == value]
        for group in groups
        for value in sorted({values[player] for player in group}, reverse=True)
    ]


class _Look:
    """What has been played, looked at once."""

    def __init__(self, players: Sequence[int], rounds: Sequence[Round]) -> None:
        self._rounds = rounds
        self._boards = {player: list(boards_of(player, rounds)) for player in players}
        self.points = {player: score(player, rounds) for player in players}
        self._met = meetings(rounds)

    def line(self, player: int) -> Standing:
        played = [board for board in self._boards[player] if board.is_over and not board.is_bye]
        won = sum(board.has_won(player) for board in played)
        first = [board for board in played if player in board.present and board.rank(player) == 1]
        drawn = len(first) - won
        lost = len(played) - won - drawn
        return Standing(player, 0, self.points[player], won, drawn, lost)

    def buchholz(self, player: int, _group: Sequence[int]) -> int:
        own, boards = self.points[player], self._boards[player]
        away = len(self._rounds) - len(boards)  # in which they were not paired at all
        total = own * away
        for board in boards:
            if board.is_played:
                total += sum(self.points[other] for other in board.present if other != player)
            elif board.is_over:
                total += own * max(1, len(board.players) - 1)
        return total

    def sonneborn(self, player: int, _group: Sequence[int]) -> int:
        total = 0
        for board in self._boards[player]:
            others = [other for other in board.present if other != player]
            strength = self.points[others[0] if board.is_played else player]
            total += strength * board.points(player) // WIN
        return total

    def direct(self, player: int, group: Sequence[int]) -> int:
        if len(group) < 2 or any(two not in self._met for two in combinations(group, 2)):
            return 0
        return sum(
            board.points(player)
            for board in self._boards[player]
            if board.is_played and all(other in group for other in board.present)
        )

    def wins(self, player: int, _group: Sequence[int]) -> int:
        return sum(board.is_played and board.has_won(player) for board in self._boards[player])

    def survived(self, player: int, _group: Sequence[int]) -> int:
        return sum(board.winner == player for board in self._boards[player])


VALUES: dict[str, Callable[[_Look, int, Sequence[int]], int]] = {
    "buchholz": _Look.buchholz,
    "sonneborn": _Look.sonneborn,
    "direct": _Look.direct,
    "wins": _Look.wins,
    "rounds": _Look.survived,
}
COUNTED = ("wins", "rounds")
"""Breaks that are numbers of matches, not points."""
