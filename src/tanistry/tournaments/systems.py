"""The systems by name: what comes next in a tournament, as far as it has come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tanistry.tournaments import pairing
from tanistry.tournaments.boards import Board, Round

SYSTEMS = ("robin", "swiss", "knockout", "tables")
MOST_GAMES = 5
"""Draws of a knockout are played again so often; then the better seed goes on."""


@dataclass(frozen=True)
class Plan:
    """What a tournament was announced as. `rounds` 0: as many as it takes."""

    system: str
    rounds: int = 0
    seats: int = 2  # wanted at a table
    sizes: tuple[int, ...] = (2,)  # allowed at a table

    def least(self) -> int:
        """Players without whom it cannot begin."""
        return min(self.sizes) if self.system == "tables" else 2

    def total(self, players: int) -> int:
        """How many rounds there are with so many players."""
        if self.system == "robin":
            return players - 1 + players % 2
        doublings = max(1, (players - 1).bit_length())
        return doublings if self.system == "knockout" else self.rounds or doublings


def next_round(
    plan: Plan,
    players: Sequence[int],
    here: Collection[int],
    rounds: Sequence[Round],
    apart: Collection[pairing.Pair] = (),
) -> list[Board]:
    """The boards of the next round; none: the tournament is over. All boards of the rounds before
    must be."""
    if len(rounds) >= plan.total(len(players)):
        return []
    if plan.system == "robin":
        return pairing.robin(players, here, rounds)
    if plan.system == "knockout":
        return pairing.knockout(players, here, rounds)
    present = [player for player in players if player in here]
    if len(present) < plan.least():
        return []
    if plan.system == "tables":
        return pairing.tables(present, rounds, plan.sizes, plan.seats, apart)
    return pairing.swiss(present, rounds, apart)


def replay(games: Sequence[Board]) -> tuple[Board, Board | None]:
    """What the games of one board of a knockout come to so far: how it stands, and the game that
    must be played again, with the other beginning."""
    last = games[-1]
    drawn = last.is_played and last.winner is None
    if not drawn:
        return last, None
    if len(games) < MOST_GAMES:
        return Board(last.players), Board(last.players[::-1])
    best = min(last.players)
    return Board(last.players, tuple(1 if player == best else 2 for player in last.players)), None
