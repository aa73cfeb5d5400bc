"""Who meets whom: what the published systems promise, on tournaments of any size."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tanistry.tournaments import Board, Plan, next_round, replay, standings, walkover
from tanistry.tournaments.boards import WIN, boards_of, first_seats, meetings, score
from tanistry.tournaments.pairing import berger, bracket, table_sizes

examples = settings(max_examples=25, deadline=None, derandomize=True)


def decided(board: Board, chance: random.Random) -> Board:
    """A board with some result."""
    if board.is_over:
        return board
    return Board(board.players, tuple(chance.randint(1, 3) for _ in board.players))


def play(plan: Plan, count: int, seed: int, leave: float = 0.0) -> list[list[Board]]:
    """A whole tournament; each round some leave for good."""
    chance = random.Random(seed)
    here, rounds = set(range(1, count + 1)), []
    while boards := next_round(plan, range(1, count + 1), here, rounds):
        rounds.append([decided(board, chance) for board in boards])
        here -= {player for player in here if chance.random() < leave}
    return rounds


# -- round robin ----------------------------------------------------------------------------------


def test_the_berger_tables_are_those_of_the_handbook() -> None:
    """FIDE Handbook C.05, annex 1, for six."""
    assert [{*berger(6, number)} for number in range(1, 6)] == [
        {(1, 6), (2, 5), (3, 4)},
        {(6, 4), (5, 3), (1, 2)},
        {(2, 6), (3, 1), (4, 5)},
        {(6, 5), (1, 4), (2, 3)},
        {(3, 6), (4, 2), (5, 1)},
    ]


@pytest.mark.parametrize("count", range(2, 17))
def test_everybody_meets_everybody_once(count: int) -> None:
    rounds = play(Plan("robin"), count, 1)
    met = Counter(frozenset(board.players) for boards in rounds for board in boards)
    assert met == Counter(map(frozenset, combinations(range(1, count + 1), 2)))
    for boards in rounds:
        assert len({p for board in boards for p in board.players}) == count - count % 2
    for player in range(1, count + 1):
        began = first_seats(player, rounds)
        assert abs(2 * sum(began) - len(began)) <= 1, "as often first as not"


# -- Swiss ----------------------------------------------------------------------------------------


@examples
@given(st.integers(2, 20), st.integers(1, 9), st.integers(0, 10**6), st.sampled_from([0, 0.1]))
def test_swiss(count: int, rounds: int, seed: int, leave: float) -> None:
    plan = Plan("swiss", rounds=rounds)
    played = play(plan, count, seed, leave)
    for player in range(1, count + 1):
        byes = sum(board.is_bye for board in boards_of(player, played))
        assert byes <= 1 or rounds > count - 1, "at most one bye"
    for boards in played:
        present = [p for board in boards for p in board.players]
        assert len(present) == len({*present}), "nobody twice"
        assert sum(board.is_bye for board in boards) == len(present) % 2
    if not leave and rounds <= count // 2:
        assert max(meetings(played).values()) == 1, "no rematch while there is another way"


@examples
@given(st.integers(8, 24), st.integers(0, 10**6))
def test_in_a_swiss_tournament_all_begin_as_often_as_not(count: int, seed: int) -> None:
    played = play(Plan("swiss"), count, seed)
    for player in range(1, count + 1):
        began = first_seats(player, played)
        assert abs(2 * sum(began) - len(began)) <= 2
        assert not any(len({*began[n : n + 3]}) == 1 for n in range(len(began) - 2)), began


def test_swiss_pairs_halves_and_then_equals() -> None:
    first = next_round(Plan("swiss"), range(1, 9), range(1, 9), [])
    assert [{*board.players} for board in first] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert [board.players[0] for board in first] == [1, 6, 3, 8], "even seeds do not begin"
    better = [Board(board.players, board.players) for board in first]
    second = next_round(Plan("swiss"), range(1, 9), range(1, 9), [better])
    assert [{*board.players} for board in second] == [{1, 4}, {2, 3}, {5, 8}, {6, 7}], (
        "1 and 3 both began: neither should do so again"
    )
    for board in second:
        assert board.players[0] in {5, 2, 7, 4}, "who did not begin begins"


def test_a_bye_is_for_the_last_and_a_walkover_counts_as_one() -> None:
    plan, five = Plan("swiss", rounds=4), range(1, 6)
    first = [Board((1, 3), (1, 2)), Board((4, 2), (2, 1)), Board((5,), (1,))]
    second = next_round(plan, five, five, [first])
    assert second[-1] == Board((4,), (1,)), "the lowest of those with least points"
    gone = [Board((1, 3), (1, 2)), walkover((4, 2), [2]), Board((5,), (1,))]
    assert next_round(plan, five, five, [gone])[-1] == Board((3,), (1,))


def test_who_did_not_come_has_met_nobody() -> None:
    rounds = [[walkover((1, 2), [2]), Board((3, 4), (1, 2))]]
    assert (1, 2) not in meetings(rounds)
    assert score(1, rounds) == WIN
    assert score(2, rounds) == 0
    both = walkover((1, 2), [1, 2])
    assert both.points(1) == both.points(2) == 0


def test_those_who_keep_apart_are_not_paired_while_there_is_another_way() -> None:
    found = next_round(Plan("swiss"), range(1, 5), range(1, 5), [], apart=[(3, 1)])
    assert {1, 3} not in [{*board.players} for board in found]
    (only,) = next_round(Plan("swiss"), (1, 2), (1, 2), [], apart=[(1, 2)])
    assert {*only.players} == {1, 2}


# -- knockout -------------------------------------------------------------------------------------


def test_a_bracket_keeps_the_best_apart() -> None:
    assert bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("count", range(2, 20))
def test_a_knockout_in_which_the_better_wins(count: int) -> None:
    rounds: list[list[Board]] = []
    everybody = range(1, count + 1)
    while boards := next_round(Plan("knockout"), everybody, everybody, rounds):
        best = [b if b.is_over else Board(b.players, b.players) for b in boards]
        rounds.append(best)
    assert len(rounds) == (count - 1).bit_length()
    byes = [board.players[0] for board in rounds[0] if board.is_bye]
    assert sorted(byes) == list(range(1, len(byes) + 1)), "byes are for the best"
    assert not any(board.is_bye for boards in rounds[1:] for board in boards)
    assert {*rounds[-1][0].players} == {1, 2}
    table = standings("knockout", everybody, rounds)
    assert [line.player for line in table[:2]] == [1, 2]
    assert [line.place for line in table[:2]] == [1, 2]
    if count > 3:
        assert [line.place for line in table[2:4]] == [3, 3]


def test_who_leaves_a_knockout_is_out() -> None:
    plan, four = Plan("knockout"), (1, 2, 3, 4)
    first = [walkover((1, 4), [1, 4]), Board((2, 3), (1, 2))]
    (final,) = next_round(plan, four, {2, 3}, [first])
    assert final.is_bye
    assert final.winner == 2
    nobody = [walkover((1, 4), [1, 4]), walkover((2, 3), [2, 3])]
    (empty,) = next_round(plan, four, set(), [nobody])
    assert empty.players == ()
    assert empty.is_over
    (left,) = next_round(plan, four, {1}, [[Board((1, 4), (1, 2)), Board((2, 3), (1, 2))]])
    assert left.winner == 1


def test_a_draw_is_played_again_with_the_other_beginning() -> None:
    draw = Board((3, 2), (1, 1))
    board, again = replay([draw])
    assert not board.is_over
    assert again == Board((2, 3))
    won = Board((2, 3), (2, 1))
    assert replay([draw, won]) == (won, None)
    board, again = replay([draw] * 5)
    assert again is None
    assert board.winner == 2, "in the end the better seed goes on"
    assert replay([walkover((3, 2), [2])])[0].winner == 3


# -- tables ---------------------------------------------------------------------------------------


def test_sizes_of_tables() -> None:
    assert table_sizes(7, (3, 4, 5), 4) == [4, 3]
    assert table_sizes(5, (3, 4, 5), 4) == [5]
    assert table_sizes(6, (3, 4, 5), 4) == [3, 3]
    assert table_sizes(9, (4,), 4) == [4, 4], "one is left over"
    assert table_sizes(2, (3, 4), 4) == []
    assert all(sum(table_sizes(n, (3, 4, 5), 4)) == n for n in range(3, 65))


@examples
@given(st.integers(6, 20), st.sampled_from([3, 4, 5]), st.integers(1, 6), st.integers(0, 10**6))
def test_at_tables_people_meet_as_evenly_as_can_be(
    count: int, wanted: int, rounds: int, seed: int
) -> None:
    plan = Plan("tables", rounds=rounds, seats=wanted, sizes=(3, 4, 5))
    played = play(plan, count, seed)
    assert len(played) == rounds
    for boards in played:
        assert sorted(p for board in boards for p in board.players) == list(range(1, count + 1))
        assert {len(board.players) for board in boards} <= {3, 4, 5}
    met = meetings(played)
    mean = sum(met.values()) / (count * (count - 1))
    assert max(met.values()) <= mean + 2
    for player in range(1, count + 1):
        first = sum(board.players[0] == player for board in boards_of(player, played))
        assert first <= rounds / 3 + 1, "nobody sits in one seat much more often"


def test_points_by_rank() -> None:
    four = Board((5, 6, 7, 8), (1, 2, 3, 4))
    assert [four.points(p) for p in four.players] == [WIN, WIN * 2 // 3, WIN // 3, 0]
    three = Board((1, 2, 3), (1, 1, 3))
    assert [three.points(p) for p in three.players] == [WIN * 3 // 4, WIN * 3 // 4, 0]
    gone = Board((1, 2, 3), (1, 2, 3), frozenset({3}))
    assert [gone.points(p) for p in gone.players] == [WIN, WIN // 2, 0]
    for size in range(2, 6):
        level = Board(tuple(range(size)), (1,) * size)
        assert {level.points(p) for p in level.players} == {WIN // 2}
