"""Who meets whom. Published systems, each named where it is used; the same answer every time.

- Round robin: the Berger tables (FIDE Handbook C.05, annex 1).
- Swiss: the basic rules of FIDE Handbook C.04.1, the pairing found as a weighted matching
  (S. Ólafsson, "Weighted matching in chess tournaments", J. Opl Res. Soc. 41, 1990) with the
  aims of the Dutch system (C.04.3) as weights, one above the other. It is not the Dutch system
  itself, whose order of exchanges and floats differs in places.
- Knockout: a bracket by seeds, byes to the best.
- Tables of three to five: who has met least sits together, by exchanges that improve.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, groupby, permutations
from typing import Any

from tanistry.tournaments.boards import (
    WIN,
    Board,
    Round,
    boards_of,
    bye,
    first_seats,
    meetings,
    score,
    walkover,
)

Rounds = Sequence[Round]
Pair = tuple[int, int]


# -- round robin ----------------------------------------------------------------------------------


def berger(count: int, number: int) -> list[Pair]:
    """The pairs of a round of the Berger tables, from 1; who stands first begins. With an odd count
    one player is free."""
    even = count + count % 2
    circle = even - 1

    def order(one: int, other: int) -> Pair:
        small, large = sorted((one, other))
        if large == even:
            return (small, large) if 2 * small <= even else (large, small)
        return (small, large) if (small + large) % 2 else (large, small)

    found = []
    for one in range(1, even):
        other = (number + 1 - one) % circle or circle
        if other == one:
            other = even
        if one < other <= count:
            found.append(order(one, other))
    return sorted(found, key=min)


def robin(players: Sequence[int], here: Collection[int], rounds: Rounds) -> list[Board]:
    """The next round of all against all; who has left forfeits what is left to play."""
    found = []
    for one, other in berger(len(players), len(rounds) + 1):
        two = players[one - 1], players[other - 1]
        gone = [player for player in two if player not in here]
        found.append(walkover(two, gone) if gone else Board(two))
    return found


# -- Swiss ----------------------------------------------------------------------------------------


def swiss(players: Sequence[int], rounds: Rounds, apart: Collection[Pair] = ()) -> list[Board]:
    """The next round among those who are here, in the order of their seeds.

    `apart`: pairs that are avoided like those that have met.
    """
    import networkx

    ranked = sorted(players, key=lambda player: (-score(player, rounds), player))
    graph: Any = networkx.Graph()
    weigh = _Swiss(ranked, rounds, apart)
    for one, other in combinations(ranked, 2):
        graph.add_edge(one, other, weight=weigh.pair(one, other))
    if len(ranked) % 2:
        for player in ranked:
            graph.add_edge(player, 0, weight=weigh.bye(player))
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    place = {player: index for index, player in enumerate(ranked)}
    pairs = sorted((sorted(two, key=lambda p: place.get(p, len(place))) for two in matched),
                   key=lambda two: (0 in two, place[two[0]]))  # fmt: skip
    return [bye(one) if not other else Board(weigh.order(one, other)) for one, other in pairs]


class _Swiss:
    """How good a pair is: what matters more outweighs all that matters less, over all pairs."""

    def __init__(self, ranked: list[int], rounds: Rounds, apart: Collection[Pair]) -> None:
        self._met = meetings(rounds)
        self._apart = {tuple(sorted(two)) for two in apart}
        self._place = {player: index for index, player in enumerate(ranked)}
        self._began = {player: first_seats(player, rounds) for player in ranked}
        halves = {player: 2 * score(player, rounds) // WIN for player in ranked}
        self._points = halves
        self._spared = {player for player in ranked if _was_spared(player, rounds)}
        groups = groupby(ranked, halves.__getitem__)
        self._group = {player: group for _, members in groups
                       for group in [list(members)] for player in group}  # fmt: skip
        most = max(len(ranked), 2 * len(rounds) + 1, *self._met.values(), 1)
        self._base = most * most * (len(ranked) + 1)

    def pair(self, one: int, other: int) -> int:
        """`one` stands above `other`."""
        met = self._met.get((one, other), 0) + (tuple(sorted((one, other))) in self._apart)
        wants, strength = self._wish(one)
        other_wants, other_strength = self._wish(other)
        clash = wants is not None and wants == other_wants
        return self._weight(
            0,
            met,
            clash and strength == other_strength == 2,
            0,
            (self._points[one] - self._points[other]) ** 2,
            clash,
            self._off(one, other),
        )

    def bye(self, player: int) -> int:
        """For whoever stands lowest, and never twice; a win without a match counts as one."""
        below = len(self._place) - 1 - self._place[player]
        return self._weight(player in self._spared, 0, 0, below, 0, 0, 0)

    def _weight(self, *faults: int) -> int:
        """Faults in the order of their gravity."""
        total = 0
        for fault in faults:
            total = total * self._base + int(fault)
        return int(self._base ** len(faults)) - total

    def _off(self, one: int, other: int) -> int:
        """How far a pair is from the upper half against the lower half of a score group; who floats
        comes from the end of one group to the beginning of another."""
        above, below = self._group[one], self._group[other]
        if above is below:
            return int((below.index(other) - above.index(one) - len(above) // 2) ** 2)
        return int((len(above) - 1 - above.index(one) + below.index(other)) ** 2)

    def _wish(self, player: int) -> tuple[bool | None, int]:
        """Whether somebody should begin now, None if it is all the same; and how urgently: 2 if
        another time would be two more than the others, or the third in a row."""
        began = self._began[player]
        if not began:
            return None, 0
        balance = sum(1 if first else -1 for first in began)
        twice = len(began) > 1 and began[-1] == began[-2]
        urgent = abs(balance) > 1 or twice
        wants = not began[-1] if twice or not balance else balance < 0
        return wants, 2 if urgent else 1

    def order(self, one: int, other: int) -> Pair:
        """Who begins: what both want, or else what one wants more; the better seed if all is equal,
        or the other, by its number."""
        wants, strength = self._wish(one)
        other_wants, other_strength = self._wish(other)
        if wants is None and other_wants is None:
            begins = one % 2 == 1
        elif wants != other_wants:
            begins = wants if wants is not None else not other_wants
        else:
            yields = (strength, self._lean(one)) < (other_strength, self._lean(other))
            if (strength, self._lean(one)) == (other_strength, self._lean(other)):
                yields = self._last_had(one, other, bool(wants))
            begins = wants != yields
        return (one, other) if begins else (other, one)

    def _lean(self, player: int) -> int:
        return abs(sum(1 if first else -1 for first in self._began[player]))

    def _last_had(self, one: int, other: int, wants: bool) -> bool:
        """Whether it was `one`, where they differed last, who had what both want now."""
        both = zip(reversed(self._began[one]), reversed(self._began[other]))
        return next((mine == wants for mine, theirs in both if mine != theirs), False)


def _was_spared(player: int, rounds: Rounds) -> bool:
    """Whether somebody has had a point without a match."""
    return any(
        board.is_over and not board.is_played and player in board.present
        for board in boards_of(player, rounds)
    )


# -- knockout -------------------------------------------------------------------------------------


def bracket(size: int) -> list[int]:
    """Seeds in the order of a bracket: the two best can only meet in the last round."""
    found = [1]
    while len(found) < size:
        found = [seed for one in found for seed in (one, 2 * len(found) + 1 - one)]
    return found


def knockout(players: Sequence[int], here: Collection[int], rounds: Rounds) -> list[Board]:
    """The next round of a bracket, in its order. A board without players is one that nobody
    reached, as both before it did not come."""
    if rounds:
        winners = [board.winner for board in rounds[-1]]
        pairs = list(zip(winners[::2], winners[1::2]))
    else:
        size = 1 << (len(players) - 1).bit_length()
        seeds = [players[seed - 1] if seed <= len(players) else None for seed in bracket(size)]
        pairs = list(zip(seeds[::2], seeds[1::2]))
    return [_knockout_board([p for p in pair if p is not None], here, rounds) for pair in pairs]


def _knockout_board(pair: list[int], here: Collection[int], rounds: Rounds) -> Board:
    gone = [player for player in pair if player not in here]
    if gone:
        return walkover(pair, gone)
    if len(pair) < 2:
        return Board(tuple(pair), (1,) * len(pair))
    balances = {player: sum(first_seats(player, rounds)) for player in pair}
    return Board(tuple(sorted(pair, key=lambda player: (balances[player], player))))


# -- tables of three to five ----------------------------------------------------------------------

STARTS = 12
"""From so many arrangements exchanges are tried."""


def table_sizes(count: int, allowed: Collection[int], wanted: int) -> list[int]:
    """How many sit at each table: as few as can be are left over, and most tables are as wanted."""
    best: list[tuple[int, list[int]] | None] = [(0, [])] + [None] * count
    for people in range(1, count + 1):
        options = [
            (before[0] + (size - wanted) ** 2, [*before[1], size])
            for size in allowed
            if size <= people and (before := best[people - size]) is not None
        ]
        best[people] = min(options, default=None)
    found = next(best[people] for people in range(count, -1, -1) if best[people] is not None)
    assert found is not None
    return sorted(found[1], reverse=True)


def tables(
    players: Sequence[int],
    rounds: Rounds,
    allowed: Collection[int],
    wanted: int,
    apart: Collection[Pair] = (),
) -> list[Board]:
    """The next round at tables for several, among those who are here."""
    sizes = table_sizes(len(players), allowed, wanted)
    if not sizes:
        return []
    met = meetings(rounds)
    for one, other in apart:
        for two in ((one, other), (other, one)):
            met[two] += len(rounds) + 1
    spare = len(players) - sum(sizes)
    lowest = sorted(players, key=lambda p: (_was_spared(p, rounds), score(p, rounds), -p))
    over = set(lowest[:spare])
    groups = _grouped([player for player in players if player not in over], sizes, met)
    seated = [Board(_seated(group, rounds)) for group in sorted(groups, key=min)]
    return seated + [bye(player) for player in sorted(over)]


def _grouped(players: list[int], sizes: list[int], met: dict[Pair, int]) -> list[list[int]]:
    """Groups of these sizes in which those who have met least sit together, as well as exchanges
    can make it from any of several beginnings."""
    chance = random.Random(f"{players} {sorted(met.items())}")
    best: tuple[int, list[list[int]]] | None = None
    for start in range(STARTS):
        order = players[:] if start == 0 else chance.sample(players, len(players))
        groups = [order[number :: len(sizes)] for number in range(len(sizes))]
        if [len(group) for group in groups] != sizes:
            groups = [[order.pop() for _ in range(size)] for size in sizes]
        _exchange(groups, met)
        cost = sum(_cost(group, met) for group in groups)
        if best is None or cost < best[0]:
            best = cost, groups
    assert best is not None
    return best[1]


def _cost(group: Collection[int], met: dict[Pair, int]) -> int:
    """A pair that has met often costs more than several that have met seldom."""
    return sum(met.get(two, 0) ** 3 for two in combinations(group, 2))


def _exchange(groups: list[list[int]], met: dict[Pair, int]) -> None:
    """Exchange two players of different groups as long as that helps."""
    helped = True
    while helped:
        helped = False
        for one, other in combinations(groups, 2):
            for i in range(len(one)):
                for j in range(len(other)):
                    before = _bond(one, i, met) + _bond(other, j, met)
                    one[i], other[j] = other[j], one[i]
                    if _bond(one, i, met) + _bond(other, j, met) < before:
                        helped = True
                    else:
                        one[i], other[j] = other[j], one[i]


def _bond(group: list[int], index: int, met: dict[Pair, int]) -> int:
    player = group[index]
    return sum(met.get((player, other), 0) ** 3 for other in group if other != player)


def _seated(group: Collection[int], rounds: Rounds) -> tuple[int, ...]:
    """The seats of a table: nobody sits in the same one much more often than in the others."""
    sat = Counter(
        (player, board.players.index(player))
        for player in group
        for board in boards_of(player, rounds)
    )
    return min(
        permutations(sorted(group)),
        key=lambda order: (sum(sat[p, seat] ** 2 for seat, p in enumerate(order)), order),
    )
