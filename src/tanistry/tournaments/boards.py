"""A board: some of the players, in the order of their seats, and how it ended for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

WIN = 24
"""What a win is worth, in parts that can be shared among up to five, halves included."""


@dataclass(frozen=True)
class Board:
    """Players in the order of their seats: the first begins. One player alone has a bye."""

    players: tuple[int, ...]
    ranks: tuple[int, ...] | None = None  # from 1, ties share one; None: it goes on
    absent: frozenset[int] = frozenset()  # who did not come

    @property
    def is_over(self) -> bool:
        return self.ranks is not None

    @property
    def is_bye(self) -> bool:
        return len(self.players) == 1 and not self.absent

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(player for player in self.players if player not in self.absent)

    @property
    def is_played(self) -> bool:
        """Whether it was decided by play: a bye or a walkover is no meeting."""
        return self.is_over and len(self.present) > 1

    def rank(self, player: int) -> int:
        assert self.ranks is not None
        return self.ranks[self.players.index(player)]

    def points(self, player: int) -> int:
        """A win's worth for all who came in behind, half of it for those level, as a share of the
        opponents: 1 and 0 for two; 1, ½, 0 for three; 1, ⅔, ⅓, 0 for four. A bye is a win."""
        if player in self.absent or self.ranks is None:
            return 0
        if len(self.players) == 1:
            return WIN
        own, last = self.rank(player), len(self.players) + 1
        others = [last if p in self.absent else self.rank(p) for p in self.players if p != player]
        beaten = 2 * sum(rank > own for rank in others) + sum(rank == own for rank in others)
        return beaten * WIN // (2 * len(others))

    def has_won(self, player: int) -> bool:
        """Whether somebody was better than all others."""
        return self.is_over and self.points(player) == WIN

    @property
    def winner(self) -> int | None:
        return next((player for player in self.players if self.has_won(player)), None)


Round = Sequence[Board]


def walkover(players: Iterable[int], absent: Iterable[int]) -> Board:
    """A board that ends because somebody is not there: the others share the first place."""
    given, gone = tuple(players), frozenset(absent)
    return Board(given, tuple(2 if player in gone else 1 for player in given), gone & {*given})


def bye(player: int) -> Board:
    return Board((player,), (1,))


# -- what has been so far -------------------------------------------------------------------------


def boards_of(player: int, rounds: Iterable[Round]) -> Iterator[Board]:
    """Where somebody was, round by round."""
    for boards in rounds:
        yield from (board for board in boards if player in board.players)


def score(player: int, rounds: Iterable[Round]) -> int:
    return sum(board.points(player) for board in boards_of(player, rounds))


def meetings(rounds: Iterable[Round]) -> Counter[tuple[int, int]]:
    """How often each two have met, in either order. Who did not come has met nobody; a board that
    goes on counts: they are meeting."""
    played = (board for boards in rounds for board in boards)
    return Counter(two for board in played for two in permutations(board.present, 2))


def first_seats(player: int, rounds: Iterable[Round]) -> list[bool]:
    """In which of the matches for two that somebody came to play they began."""
    own = (board for board in boards_of(player, rounds) if len(board.present) > 1)
    return [board.players[0] == player for board in own if player in board.present]
