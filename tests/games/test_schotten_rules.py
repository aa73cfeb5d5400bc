"""Scenarios for the basic rules of Schotten Totten and the variant, each named after its rule."""

from __future__ import annotations

import random

import pytest

import tanistry
from tests.games.schotten_positions import cards, claims, play, refused, setup

BASIC = {"tactics": False}
BEFORE = {"tactics": False, "claim": "before"}
SURE = {1: ("O4 O5 O6", "P1 P2 Y1")}


# -- the deal and the turn ------------------------------------------------------------------------


@pytest.mark.rule("schotten.setup", "schotten.hand7")
@pytest.mark.parametrize(("tactics", "size"), [(False, 6), (True, 7)])
@pytest.mark.parametrize("first", [0, 1])
def test_the_deal(tactics: bool, size: int, first: int) -> None:
    match = tanistry.game("schotten", tactics=tactics, first=first).deal(3)
    assert match.to_act == first
    for seat in (0, 1):
        hand = cards(match, f"hand.{seat}")
        assert len(hand) == size
        assert all(len(code) == 2 for code in hand), "only clan cards are dealt"
    assert len(cards(match, "deck")) == 54 - 2 * size
    assert len(cards(match, "tactics")) == (10 if tactics else 0)
    assert len(match.legal()) == 9 * size


@pytest.mark.rule("schotten.play")
def test_a_card_is_laid_on_the_own_side_then_one_is_drawn_and_turns_alternate() -> None:
    match = tanistry.game("schotten", tactics=False).deal(5)
    card, top = cards(match, "hand.0")[0], cards(match, "deck")[0]
    events = match.play(f"{card}@4")
    assert cards(match, "stone.4.0") == [card]
    assert top in cards(match, "hand.0")
    assert len(cards(match, "hand.0")) == 6
    assert (match.to_act, match.decision) == (1, "play")
    seen = [event.seen_by(1) for event in events]
    assert [(e["card"], e["to"]) for e in seen] == [(card, "stone.4.0"), (None, "hand.0")]
    assert events[1].seen_by(0)["card"] == top


@pytest.mark.rule("schotten.play", "common.illegal")
def test_what_cannot_be_played() -> None:
    match = setup({4: ("R1 R2 R3", "")}, hands=("R4", "B1"), options=BASIC)
    assert refused(match, "R4@4").rule == "schotten.play"
    assert refused(match, "B1@5").rule == "common.illegal"
    assert refused(match, "R4@10").rule == "common.illegal"
    assert refused(match, "claim 4").rule == "common.illegal"
    assert refused(match, "scout").rule == "common.illegal"
    assert match.legal() == [f"R4@{stone}" for stone in (1, 2, 3, 5, 6, 7, 8, 9)]


@pytest.mark.rule("schotten.draw")
def test_nothing_left_to_draw() -> None:
    match = setup({}, hands=("R4 R5", "B1 B2"), deck="", options=BASIC)
    play(match, "R4@1", "B1@1")
    assert cards(match, "hand.0") == ["R5"]
    match = setup({}, hands=("R4 R5", "B1 B2"), deck="G3", options=BASIC)
    play(match, "R4@1")
    assert cards(match, "hand.0") == ["R5", "G3"]
    play(match, "B1@1")
    assert cards(match, "hand.1") == ["B2"]


FULL = dict.fromkeys(range(1, 10), ("", "")) | {
    1: ("R1 Y1 G2", ""),
    2: ("R3 Y3 G4", ""),
    3: ("R5 Y5 G6", ""),
    4: ("R7 Y7 G8", ""),
    5: ("B1 P1 O2", ""),
    6: ("B3 P3 O4", ""),
    7: ("B5 P5 O6", ""),
    8: ("B7 P7 O8", ""),
    9: ("R9 Y9 B8", ""),
}
"""Seat 0 has no room at any stone."""


@pytest.mark.rule("schotten.cannot_play", "schotten.draw")
def test_without_room_a_seat_passes_and_draws_nothing() -> None:
    match = setup(FULL, hands=("G9 P9", "O9"), options=BASIC)
    assert match.legal() == ["pass"]
    events = match.play("pass")
    assert [event.rule for event in events] == ["schotten.cannot_play"]
    assert cards(match, "hand.0") == ["G9", "P9"]
    assert match.to_act == 1
    assert refused(match, "pass").rule == "schotten.cannot_play"


@pytest.mark.rule("schotten.cannot_play", "schotten.claim")
def test_after_a_pass_stones_can_be_claimed() -> None:
    stones = {**FULL, 9: ("B9 P9 O9", "R1"), 1: ("R9 Y1 G2", "")}
    match = setup(stones, hands=("", "G9"), options=BASIC)
    match.play("pass")
    assert claims(match) == [9]
    match.play("done")
    assert match.to_act == 1


# -- comparing and claiming -----------------------------------------------------------------------


@pytest.mark.rule("schotten.compare", "schotten.claim")
@pytest.mark.parametrize(
    ("mine", "theirs", "wins"),
    [
        ("R1 R2 R3", "B9 Y9 G9", True),
        ("R9 Y9 G8", "B1 R2 O3", False),
        ("R9 Y9 G8", "B9 P9 O7", True),
        ("R9 Y9 G7", "B9 P9 O8", False),
    ],
)
def test_complete_sides_are_compared(mine: str, theirs: str, wins: bool) -> None:
    stones = {2: (mine, theirs)} | SURE
    match = setup(stones, hands=("G1", "P4"), options=BASIC)
    match.play("G1@9")
    assert claims(match) == ([1, 2] if wins else [1])
    if not wins:
        refusal = refused(match, "claim 2")
        assert refusal.rule == "schotten.compare"
        assert "loses to" in refusal.message()
        assert "perd contre" in refusal.message("fr")


@pytest.mark.rule("schotten.compare", "schotten.complete")
@pytest.mark.parametrize("first", [0, 1])
def test_equal_sides_go_to_the_one_that_was_complete_first(first: int) -> None:
    """Both sides are played out: the seat that lays its third card first wins the stone."""
    stones = {2: ("R4 R5", "B4 B5"), 8: ("", "O6")}
    match = setup(
        stones, hands=("R6 P1", "B6 G2"), to_act=first, options={"tactics": False, "first": first}
    )
    hidden = {0: ("R6@2", "P1@9"), 1: ("B6@2", "G2@9")}
    play(match, hidden[first][0])
    while match.decision == "claim":
        match.play("done")
    play(match, hidden[1 - first][0])
    assert match.decision == "play", "the later side cannot claim"
    assert match.position()["facts"]["first_complete"] == {"2": first}
    play(match, hidden[first][1])
    assert claims(match) == [2]


@pytest.mark.rule("schotten.claim", "schotten.complete")
def test_an_incomplete_side_cannot_claim() -> None:
    match = setup({**SURE, 2: ("R9 R8", "B1 B3 Y2")}, hands=("G1", "P4"), options=BASIC)
    match.play("G1@9")
    assert refused(match, "claim 2").rule == "schotten.claim"
    assert refused(match, "claim 3").rule == "schotten.claim"
    assert "2 of 3" in refused(match, "claim 2").message()


@pytest.mark.rule("schotten.claim", "schotten.claimed")
def test_claiming_is_a_choice_and_several_stones_may_be_claimed() -> None:
    stones = {**SURE, 4: ("R9 R8 R7", ""), 7: ("Y9 Y8 Y7", "")}
    match = setup(stones, hands=("G1", "P4"), options=BASIC)
    match.play("G1@9")
    assert match.legal() == ["claim 1", "claim 4", "claim 7", "done"]
    match.play("claim 4")
    assert match.legal() == ["claim 1", "claim 7", "done"]
    assert refused(match, "claim 4").rule == "schotten.claimed"
    match.play("done")
    assert match.position()["facts"]["claimed"] == {"4": 0}
    assert match.to_act == 1
    match.play("P4@9")
    assert match.to_act == 0, "seat 1 has nothing to claim, so it is not asked"


@pytest.mark.rule("schotten.claimed")
def test_a_claimed_stone_is_closed() -> None:
    match = setup(SURE, hands=("G1", "P4"), to_act=1, options=BASIC, claimed={"1": 0})
    assert refused(match, "P4@1").rule == "schotten.claimed"
    assert "P4@1" not in match.legal()


@pytest.mark.rule("schotten.claimed", "schotten.proof")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_stone_claimed_by_proof_is_closed_for_a_side_with_room(owner: int) -> None:
    sides = ("R9 R8 R7", "B1") if owner == 0 else ("B1", "R9 R8 R7")
    match = setup(
        {4: sides}, hands=("G1", "P4"), to_act=1 - owner, options=BASIC,
        claimed={"4": owner},
    )  # fmt: skip
    card = "P4" if owner == 0 else "G1"
    assert match.legal() == [f"{card}@{stone}" for stone in (1, 2, 3, 5, 6, 7, 8, 9)]
    assert refused(match, f"{card}@4").rule == "schotten.claimed"


@pytest.mark.rule("schotten.claim")
def test_the_last_claim_ends_the_claims_by_itself() -> None:
    match = setup(SURE, hands=("G1", "P4"), options=BASIC)
    play(match, "G1@9", "claim 1")
    assert (match.to_act, match.decision) == (1, "play")


# -- the end --------------------------------------------------------------------------------------

RUNS = ["R9 R8 R7", "Y9 Y8 Y7", "G9 G8 G7", "B9 B8 B7", "P9 P8 P7"]


def owned(stones: list[int], seat: int = 0) -> dict[int, tuple[str, str]]:
    return {
        stone: (run, "") if seat == 0 else ("", run)
        for stone, run in zip(stones, RUNS, strict=False)
    }


@pytest.mark.rule("schotten.win")
def test_three_adjacent_stones_win_at_once_even_against_more() -> None:
    stones = owned([1, 2, 4, 5], seat=1) | {7: ("O9 O8 O7", ""), 8: ("O4 O5 O6", "B1 Y2 R3")}
    stones[9] = ("O1 O2", "P1 G2 G3")
    match = setup(
        stones,
        hands=("O3", "P4"),
        options=BASIC,
        claimed={"1": 1, "2": 1, "4": 1, "5": 1},
    )
    match.play("O3@9")
    assert claims(match) == [7, 8, 9]
    play(match, "claim 7", "claim 9")
    events = match.play("claim 8")
    assert (events[-1].type, events[-1].rule) == ("over", "schotten.win")
    assert match.to_act is None
    assert match.result is not None
    assert match.result.scores == [3, 4]
    assert match.result.ranking == [[0], [1]]


@pytest.mark.rule("schotten.win")
def test_five_stones_win() -> None:
    stones = owned([1, 2, 4, 5, 7])
    match = setup(
        stones, hands=("O3", "P4"), options=BASIC, claimed={"1": 0, "2": 0, "4": 0, "5": 0}
    )
    play(match, "O3@9", "claim 7")
    assert match.result is not None
    assert match.result.scores == [5, 0]


@pytest.mark.rule("schotten.win")
def test_a_win_ends_the_match_though_another_stone_could_be_claimed() -> None:
    match = setup(owned([1, 2, 3, 5]), hands=("O3", "P4"), options=BASIC, claimed={"1": 0, "2": 0})
    match.play("O3@9")
    assert claims(match) == [3, 5]
    match.play("claim 3")
    assert match.to_act is None
    assert match.result is not None
    assert match.result.scores == [3, 0]


@pytest.mark.rule("schotten.win")
def test_four_stones_apart_do_not() -> None:
    match = setup(
        owned([1, 2, 4, 5]), hands=("O3", "P4"), options=BASIC, claimed={"1": 0, "2": 0, "4": 0}
    )
    play(match, "O3@9", "claim 5")
    assert match.to_act == 1


@pytest.mark.rule("schotten.stuck")
def test_a_card_played_between_two_passes_keeps_the_match_going() -> None:
    match = setup({}, hands=("", "P4"), deck="", options=BASIC)
    play(match, "pass", "P4@9", "pass")
    assert match.to_act == 1
    match.play("pass")
    assert match.to_act is None
    assert match.result is not None
    assert match.result.ranking == [[0, 1]]


@pytest.mark.rule("schotten.stuck")
def test_two_idle_turns_end_the_match() -> None:
    stones = {1: ("R9 R8 R7", ""), 2: ("O1 O2 O4", "B1 B2 B4")}
    match = setup(
        stones, hands=("", ""), deck="", options=BASIC, claimed={"1": 0}, first_complete={"2": 0}
    )
    match.play("pass")
    assert claims(match) == [2]
    match.play("done")
    assert match.position()["facts"]["idle"] == 1
    events = match.play("pass")
    assert (events[-1].type, events[-1].rule) == ("over", "schotten.stuck")
    assert match.result is not None
    assert match.result.scores == [1, 0], "the unclaimed stone counts for nobody"
    assert match.result.ranking == [[0], [1]]
    over = tanistry.game("schotten", **BASIC).setup(match.position())
    assert over.result == match.result


@pytest.mark.rule("schotten.stuck")
def test_a_claim_keeps_the_match_going() -> None:
    stones = {1: ("R9 R8 R7", ""), 2: ("", "B9 B8 B7")}
    match = setup(stones, hands=("", ""), deck="", options=BASIC)
    play(match, "pass", "claim 1")
    assert "idle" not in match.position()["facts"]
    play(match, "pass", "done", "pass")
    assert match.result is not None
    assert match.result.scores == [1, 0]
    match = setup({}, hands=("", ""), deck="", options=BASIC)
    play(match, "pass", "pass")
    assert match.result is not None
    assert match.result.ranking == [[0, 1]], "equal is a draw"


# -- the variant ----------------------------------------------------------------------------------


@pytest.mark.rule("schotten.claim_before")
def test_stones_are_claimed_only_before_playing() -> None:
    match = setup({1: ("R9 R8", "")}, hands=("R7 R1", "B1 B2"), options=BEFORE)
    match.play("R7@1")
    assert (match.to_act, match.decision) == (1, "play")
    match.play("B1@9")
    assert (match.to_act, match.decision) == (0, "claim")
    assert match.legal() == ["claim 1", "done"]
    match.play("claim 1")
    assert (match.to_act, match.decision) == (0, "play")
    assert match.position()["facts"]["claimed_now"] is True
    play(match, "R1@2")
    assert (match.to_act, match.decision) == (1, "play")


@pytest.mark.rule("schotten.claim_before", "schotten.cannot_play", "schotten.stuck")
def test_before_playing_also_when_one_passes() -> None:
    match = setup({1: ("R9 R8 R7", "")}, hands=("", ""), deck="", decision="claim", options=BEFORE)
    play(match, "claim 1", "pass", "pass")
    assert match.to_act == 0, "the first turn had a claim"
    play(match, "pass")
    assert match.to_act is None


@pytest.mark.rule("schotten.play", "schotten.win", "schotten.stuck")
@pytest.mark.parametrize("tactics", [True, False])
@pytest.mark.parametrize("claim", ["after", "before"])
def test_every_match_ends_with_a_reason(tactics: bool, claim: str) -> None:
    game = tanistry.game("schotten", tactics=tactics, claim=claim)
    for seed in range(150):
        match, rng = game.deal(seed), random.Random(seed)
        while match.to_act is not None:
            last = match.play(rng.choice(match.legal()))
        assert match.result is not None
        if last[-1].rule == "schotten.win":
            owner = match.result.ranking[0][0]
            mine = [
                int(n) for n, seat in match.position()["facts"]["claimed"].items() if seat == owner
            ]
            adjacent = any({n, n + 1, n + 2} <= set(mine) for n in mine)
            assert len(mine) == 5 or adjacent
        else:
            assert last[-1].rule == "schotten.stuck"
            assert max(match.result.scores) < 5
