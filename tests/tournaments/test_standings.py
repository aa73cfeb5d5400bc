"""Standings and tie-breaks, against tables worked out by hand."""

from __future__ import annotations

from tanistry.tournaments import WIN, Board, standings, walkover

ONE, HALF = WIN, WIN // 2


def won(winner: int, loser: int) -> Board:
    return Board((winner, loser), (1, 2))


def drawn(one: int, other: int) -> Board:
    return Board((one, other), (1, 1))


def test_buchholz_and_sonneborn_berger() -> None:
    """Six players, three rounds."""
    rounds = [
        [won(1, 4), won(5, 2), won(3, 6)],
        [won(1, 2), drawn(3, 5), drawn(4, 6)],
        [drawn(1, 3), drawn(5, 4), won(2, 6)],
    ]
    # Points: 1: 2½; 2: 1; 3: 2; 4: 1; 5: 2; 6: ½.
    table = {line.player: line for line in standings("swiss", range(1, 7), rounds)}
    points = {player: line.points / ONE for player, line in table.items()}
    assert points == {1: 2.5, 2: 1, 3: 2, 4: 1, 5: 2, 6: 0.5}
    buchholz = {player: line.breaks["buchholz"] / ONE for player, line in table.items()}
    assert buchholz == {
        1: 1 + 1 + 2,
        2: 2 + 2.5 + 0.5,
        3: 0.5 + 2 + 2.5,
        4: 2.5 + 0.5 + 2,
        5: 1 + 2 + 1,
        6: 2 + 1 + 1,
    }
    sonneborn = {player: line.breaks["sonneborn"] / ONE for player, line in table.items()}
    assert sonneborn == {
        1: 1 + 1 + 2 / 2,
        2: 0.5,
        3: 0.5 + 2 / 2 + 2.5 / 2,
        4: 0.5 / 2 + 2 / 2,
        5: 1 + 2 / 2 + 1 / 2,
        6: 1 / 2,
    }
    order = [line.player for line in standings("swiss", range(1, 7), rounds)]
    assert order == [1, 3, 5, 4, 2, 6]
    assert [table[player].place for player in order] == [1, 2, 3, 4, 5, 6]


def test_a_round_without_a_match_counts_as_one_against_oneself() -> None:
    rounds = [
        [won(1, 2), Board((3,), (1,))],
        [won(1, 3), Board((2,), (1,))],
        [walkover((2, 3), [3]), Board((1,), (1,))],
    ]
    # Points: 1: 3; 2: 2; 3: 1.
    table = {line.player: line for line in standings("swiss", (1, 2, 3), rounds)}
    buchholz = {player: line.breaks["buchholz"] / ONE for player, line in table.items()}
    assert buchholz == {1: 2 + 1 + 3, 2: 3 + 2 + 2, 3: 1 + 3 + 1}
    sonneborn = {player: line.breaks["sonneborn"] / ONE for player, line in table.items()}
    assert sonneborn == {1: 2 + 1 + 3, 2: 0 + 2 + 2, 3: 1 + 0 + 0}
    assert (table[2].won, table[2].drawn, table[2].lost) == (1, 0, 1), "a bye is no match won"
    assert table[2].breaks["wins"] == 0, "nor is a walkover"


def test_the_direct_encounter_counts_where_all_have_met() -> None:
    """All against all, three rounds; 1, 2 and 3 have two points each, and each beat another."""
    rounds = [
        [won(1, 4), won(2, 3)],
        [won(3, 4), won(1, 2)],
        [won(2, 4), won(3, 1)],
    ]
    table = standings("robin", range(1, 5), rounds)
    assert [(line.player, line.place) for line in table] == [(1, 1), (2, 1), (3, 1), (4, 4)]
    assert [line.breaks["direct"] for line in table] == [ONE, ONE, ONE, 0]
    half = [[won(1, 3), won(2, 4)], [won(4, 1), won(3, 2)]]
    for line in standings("robin", range(1, 5), half):
        assert line.breaks["direct"] == 0, "1 and 2 have not met yet"
    two = [[won(2, 1), won(3, 4)], [won(1, 3), won(4, 2)], [won(1, 4), won(2, 3)]]
    table = standings("robin", range(1, 5), two)
    assert [line.player for line in table] == [2, 1, 3, 4]
    assert [line.points for line in table] == [2 * ONE, 2 * ONE, ONE, ONE]
    assert [line.breaks["direct"] for line in table] == [ONE, 0, ONE, 0]


def test_a_round_that_goes_on_counts_for_nothing_yet() -> None:
    before = [[won(1, 2), won(3, 4)]]
    going = [*before, [Board((1, 3)), Board((2, 4))]]
    assert standings("swiss", range(1, 5), before) == standings("swiss", range(1, 5), going)


def test_at_tables_points_by_rank_then_wins() -> None:
    rounds = [
        [Board((1, 2, 3), (1, 2, 3)), Board((4, 5, 6), (2, 1, 3))],
        [Board((1, 4, 6), (3, 1, 2)), Board((2, 5, 3), (2, 3, 1))],
    ]
    table = standings("tables", range(1, 7), rounds)
    assert [(line.player, line.points) for line in table] == [
        (4, ONE + HALF), (1, ONE), (3, ONE), (5, ONE), (2, ONE), (6, HALF),
    ]  # fmt: skip
    assert [line.breaks["wins"] for line in table] == [1, 1, 1, 1, 0, 0]
    # 1 met 2, 3, 4, 6; 3 met 1, 2, 2, 5; 5 met 4, 6, 2, 3: points of all of them
    assert [line.breaks["buchholz"] / ONE for line in table[1:4]] == [1 + 1 + 1.5 + 0.5, 4, 4]
    assert [line.place for line in table] == [1, 2, 2, 2, 5, 6]
