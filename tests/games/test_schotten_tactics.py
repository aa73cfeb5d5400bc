"""Scenarios for the tactic cards of Schotten Totten, each named after the rule it checks."""

from __future__ import annotations

from typing import Any

import pytest

import tanistry
from tanistry import Match
from tanistry.games.schotten.cards import CLAN_CODES, TACTIC_CODES
from tests.games.schotten_positions import cards, claims, play, refused, setup

SURE = {1: ("O9 O8 O7", "")}


def backs(match: Match, seat: int | None, place: str) -> list[str | None]:
    """What a seat sees in a place: the code, or the back."""
    entries = match.view(seat)["places"].get(place, [])
    return [entry if isinstance(entry, str) else entry["back"] for entry in entries]


# -- turns with tactic cards ----------------------------------------------------------------------


@pytest.mark.rule("schotten.turn_tactic", "schotten.draw_choice")
def test_a_tactic_card_is_the_card_of_the_turn_and_either_pile_gives_the_next() -> None:
    match = setup({}, hands=("fog R1", "B1"))
    match.play("fog@3")
    assert (match.to_act, match.decision) == (0, "draw")
    assert match.legal() == ["draw clan", "draw tactic"]
    match.play("draw tactic")
    assert cards(match, "hand.0") == ["R1", "farlane"]
    assert match.to_act == 1


@pytest.mark.rule("schotten.draw_choice", "schotten.hand7", "schotten.pass")
def test_a_hand_may_hold_any_number_of_tactic_cards() -> None:
    """Seat 0 draws nothing but tactic cards until its whole hand is of them."""
    match = tanistry.game("schotten").deal(seed=1)
    mine = cards(match, "hand.0")
    while set(mine) & set(CLAN_CODES) or len(mine) < 7:
        draws = ["draw tactic"] if match.to_act == 0 and match.decision == "draw" else []
        clan = [token for token in match.legal() if token.split("@")[0] in CLAN_CODES]
        match.play([*draws, *clan, *match.legal()][0])
        mine = cards(match, "hand.0")
    assert set(mine) < set(TACTIC_CODES)


@pytest.mark.rule("schotten.draw_choice", "schotten.draw")
@pytest.mark.parametrize(
    ("deck", "pile", "drawn"), [("R9", "", ["R9"]), ("", "mud", ["mud"]), ("", "", [])]
)
def test_an_empty_pile_is_no_choice(deck: str, pile: str, drawn: list[str]) -> None:
    """Drawing is automatic with one pile left, and nothing is drawn from none."""
    match = setup(
        {},
        hands=("R1 fog", "farlane"),
        deck=deck,
        tactic_pile=pile,
        played=("scout redeploy", "deserter traitor"),
        env={2: "mud"} if not pile else {},
        discard="gregor support shield",
        chiefs=[1],
        tactics=[4, 3] if pile else [4, 4],
    )
    match.play("R1@1")
    assert sorted(cards(match, "hand.0")) == sorted([*drawn, "fog"])
    assert (match.to_act, match.decision) == (1, "play")


@pytest.mark.rule("schotten.backs", "common.secrecy")
def test_backs_are_public_and_faces_are_not() -> None:
    match = setup({}, hands=("R1 R2 fog mud", "B1"))
    assert backs(match, 0, "hand.0") == ["R1", "R2", "fog", "mud"]
    assert backs(match, 1, "hand.0") == ["clan", "clan", "tactic", "tactic"]
    assert backs(match, None, "hand.0") == ["clan", "clan", "tactic", "tactic"]
    assert set(backs(match, 0, "tactics")) == {"tactic"}
    assert set(backs(match, 0, "deck")) == {"clan"}
    match.play("R1@1")
    (drawn,) = match.play("draw tactic")
    assert drawn.seen_by(1) == {
        "n": drawn.number,
        "type": "move",
        "rule": "schotten.draw_choice",
        "card": None,
        "from": "tactics",
        "to": "hand.0",
        "back": "tactic",
    }
    assert drawn.seen_by(0)["card"] == "farlane"


@pytest.mark.rule("schotten.parity")
def test_one_tactic_card_more_than_the_other_at_most() -> None:
    match = setup(
        {},
        hands=("fog mud R1", "scout B1"),
        deck="R9",
        tactic_pile="farlane gregor support shield redeploy deserter traitor",
    )
    play(match, "fog@1", "draw clan", "B1@1")
    assert refused(match, "mud@1").rule == "schotten.parity"
    assert not any(token.startswith("mud") for token in match.legal())
    play(match, "R1@1", "scout")
    while match.to_act == 1:
        match.play(match.legal()[0])
    assert "mud@1" in match.legal()


@pytest.mark.rule("schotten.pass")
def test_passing_only_without_a_clan_card_to_play() -> None:
    match = setup({}, hands=("R1 fog", "B1"))
    assert refused(match, "pass").rule == "schotten.pass"
    match = setup({}, hands=("fog scout", "B1"))
    assert "pass" in match.legal()
    assert "fog@1" in match.legal()
    events = match.play("pass")
    assert [event.rule for event in events] == ["schotten.pass"]
    assert cards(match, "hand.0") == ["fog", "scout"]
    assert match.to_act == 1
    assert setup({}, hands=("", "B1")).legal() == ["pass"]


# -- morale ---------------------------------------------------------------------------------------


@pytest.mark.rule("schotten.chief", "schotten.wild_best")
def test_a_chief_is_whatever_is_best() -> None:
    match = setup({3: ("R7 R9", "B9 Y9 G9")}, hands=("farlane", "B1"))
    events = match.play("farlane@3")
    assert events[0].rule == "schotten.chief"
    assert claims(match) == [3], "as Red 8"


@pytest.mark.rule("schotten.chief", "schotten.wild_best", "schotten.formation")
@pytest.mark.parametrize(
    ("third", "formation"),
    [
        *((f"R{value}", "colour_run") for value in (5, 6, 8, 9)),
        *((f"{colour}7", "team") for colour in "YGBPO"),
        *((f"R{value}", "colour") for value in (1, 4)),
        ("B5", "run"),
    ],
)
def test_a_chief_beside_the_red_seven(third: str, formation: str) -> None:
    """The rulebook's example: a red 5, 6, 8 or 9 makes a run in one colour, a 7 three of a kind."""
    match = setup({3: ("R7 farlane", "")}, hands=(third, "B1"))
    match.play(f"{third}@3")
    assert match.tally(0)["stones"][2]["sides"][0]["formation"] == formation


@pytest.mark.rule("schotten.chief", "schotten.wild_best")
def test_both_sides_settle_their_wild_cards() -> None:
    """Blue 7-8-9 was there before Red 7-8-9, but Blue 6-7-8 is less."""
    match = setup({3: ("R7 R9", "B8 gregor B9")}, hands=("farlane", "B1"))
    match.play("farlane@3")
    assert match.decision == "draw"
    match = setup({3: ("R7 R9", "B6 gregor B8")}, hands=("farlane", "B1"))
    match.play("farlane@3")
    assert claims(match) == [3]


@pytest.mark.rule("schotten.wild_best")
def test_a_wild_card_may_be_a_card_that_lies_on_the_same_side() -> None:
    """Red 9, Red 9 and Red 5 are one colour of 23, more than Blue 9, 8 and 5."""
    match = setup({3: ("R9 R5", "B9 B8 B5")}, hands=("farlane", "B1"))
    match.play("farlane@3")
    assert claims(match) == [3]


@pytest.mark.rule("schotten.one_chief")
def test_the_second_chief_stays_in_hand() -> None:
    match = setup(
        {1: ("farlane", "")}, hands=("gregor R1 R2", "B1 fog"), tactics=[1, 1], env={2: "mud"}
    )
    refusal = refused(match, "gregor@3")
    assert refusal.rule == "schotten.one_chief"
    assert not any(token.startswith("gregor") for token in match.legal())
    match = setup({}, hands=("gregor R1", "B1"), discard="farlane", chiefs=[0], tactics=[1, 0])
    assert refused(match, "gregor@3").rule == "schotten.one_chief", "even if it was discarded"
    match = setup({}, hands=("gregor R1", "B1"), discard="farlane", chiefs=[1], tactics=[0, 1])
    assert "gregor@3" in match.legal(), "it was the other seat's"


@pytest.mark.rule("schotten.one_chief", "schotten.scout")
def test_a_scout_cannot_return_the_kept_chief() -> None:
    match = setup({1: ("farlane", "")}, hands=("scout gregor R1", "B1"), env={2: "mud"})
    play(match, "scout", "draw clan", "draw clan", "draw clan")
    assert match.decision == "scout_return"
    assert "return gregor" not in match.legal()
    assert refused(match, "return gregor").rule == "schotten.one_chief"


@pytest.mark.rule("schotten.support")
def test_the_support_troop_is_a_seven_of_any_colour() -> None:
    match = setup({3: ("R6 R8", "B9 Y9 G9")}, hands=("support", "B1"))
    assert match.play("support@3")[0].rule == "schotten.support"
    assert claims(match) == [3]
    match = setup({3: ("R8 R9", "B7 B6 B5")}, hands=("support", "B1"))
    assert claims(play(match, "support@3")) == [3], "7-8-9"
    match = setup({3: ("R5 R9", "B9 B8 B5")}, hands=("support", "B1"))
    match.play("support@3")
    assert match.decision == "draw", "21 is less than 22"


@pytest.mark.rule("schotten.shield")
def test_the_shield_bearer_is_a_one_two_or_three() -> None:
    for side in ("R2 R3", "R1 R3", "R1 R2", "R4 R2", "R4 R5"):
        match = setup({3: (side, "B9 Y9 G9")}, hands=("shield", "B1"))
        assert match.play("shield@3")[0].rule == "schotten.shield"
        assert claims(match) == [3], side
    match = setup({3: ("R5 R6", "B9 Y9 G9")}, hands=("shield", "B1"))
    match.play("shield@3")
    assert match.decision == "draw", "no 4"


# -- environment ----------------------------------------------------------------------------------


@pytest.mark.rule("schotten.fog")
def test_in_fog_only_the_sum_counts() -> None:
    match = setup({3: ("R9 Y8 G8", "B1 B2 B3")}, hands=("fog", "P1"))
    events = match.play("fog@3")
    assert events[0].rule == "schotten.fog"
    assert cards(match, "stone.3.env") == ["fog"]
    assert claims(match) == [3]


@pytest.mark.rule("schotten.fog", "schotten.compare")
@pytest.mark.parametrize("first", [0, 1])
def test_in_fog_ties_go_to_the_side_that_was_complete_first(first: int) -> None:
    match = setup({3: ("R9 Y8 G1", "B5 B6 B7")}, hands=("fog", "P1"), first_complete={"3": first})
    match.play("fog@3")
    assert (match.decision == "claim") == (first == 0)


@pytest.mark.rule("schotten.fog", "schotten.claimed")
def test_fog_and_mud_need_an_unclaimed_stone_but_no_room() -> None:
    match = setup({**SURE, 3: ("R1 R2 R4", "B1 B2 B4")}, hands=("fog R9", "P1"), claimed={"1": 0})
    assert "fog@3" in match.legal()
    assert refused(match, "fog@1").rule == "schotten.claimed"


@pytest.mark.rule("schotten.mud", "schotten.complete")
def test_mud_makes_a_side_of_three_incomplete() -> None:
    match = setup({**SURE, 3: ("R9 R8 R7", "B1 Y2 P4")}, hands=("mud R1", "P1"))
    match.play("mud@3")
    assert claims(match) == [1]
    assert refused(match, "claim 3").rule == "schotten.mud"
    play(match, "done", "draw clan", "P1@3", "draw clan")
    assert "R1@3" in match.legal()
    match.play("R1@3")
    assert claims(match) == [1, 3], "9-8-7-1 of one colour beats the rest"


@pytest.mark.rule("schotten.mud", "schotten.formation")
def test_formations_of_four() -> None:
    """A run of four; three in a row and a stray card are no run."""
    match = setup({3: ("R4 Y5 G6", "B9 P9 O8 B8")}, env={3: "mud"}, hands=("O7", "P1"))
    assert claims(play(match, "O7@3")) == [3]
    match = setup({3: ("R4 Y5 G6", "B9 P9 O8 B8")}, env={3: "mud"}, hands=("O9", "P1"))
    assert play(match, "O9@3").decision == "draw"
    assert refused(match, "R1@3").rule == "common.illegal"


@pytest.mark.rule("schotten.mud")
def test_four_cards_fill_a_side_in_mud() -> None:
    match = setup({3: ("R4 Y5 G6 B1", "")}, env={3: "mud"}, hands=("O7", "P1"))
    assert refused(match, "O7@3").rule == "schotten.mud"


@pytest.mark.rule("schotten.mud", "schotten.fog", "schotten.proof")
def test_fog_and_mud_together() -> None:
    """Three cards of 20, one to come: at most 29, and 29 was first."""
    stones = {3: ("R9 Y9 R8", "B9 B8 B3")}
    match = setup(stones, env={3: "mud"}, hands=("fog Y3", "P1"), tactics=[0, 1])
    play(match, "fog@3", "draw clan", "P1@9", "draw clan", "Y3@3")
    assert claims(match) == [3]
    match = setup(stones, env={3: "fog mud"}, hands=("Y2", "P1"))
    assert play(match, "Y2@3").decision == "draw", "28 is not enough against 29"


@pytest.mark.rule("schotten.complete", "schotten.mud", "schotten.compare")
def test_in_mud_the_fourth_card_is_the_moment() -> None:
    """Seat 1 had three cards first, but seat 0 lays the fourth first."""
    match = setup(
        {3: ("R1 R2 R3", "B1 B2 B3")}, hands=("mud R4 O1", "P1 B4"), first_complete={"3": 1}
    )
    play(match, "mud@3", "draw clan", "P1@9", "draw clan", "R4@3")
    if match.decision == "claim":
        match.play("done")
    play(match, "draw clan", "B4@3")
    assert match.position()["facts"]["first_complete"] == {"3": 0}
    play(match, "draw clan", "O1@9")
    assert claims(match) == [3]


# -- the scout ------------------------------------------------------------------------------------


@pytest.mark.rule("schotten.scout", "schotten.backs")
def test_a_scout_draws_three_and_returns_two() -> None:
    match = setup({}, hands=("scout R1 R2 R3 R4 R5 R6", "B1 B2"))
    deck, pile = cards(match, "deck"), cards(match, "tactics")
    match.play("scout")
    assert cards(match, "played.0") == ["scout"]
    assert match.decision == "scout_draw"
    play(match, "draw clan", "draw tactic", "draw clan")
    assert match.decision == "scout_return"
    assert len(cards(match, "hand.0")) == 9
    (first,) = match.play(f"return {pile[0]}")
    assert (first.seen_by(1)["card"], first.seen_by(1)["back"]) == (None, "tactic")
    assert first.seen_by(0)["card"] == pile[0]
    match.play("return R1")
    assert (match.to_act, match.decision) == (1, "play"), "no other draw this turn"
    assert len(cards(match, "hand.0")) == 7
    assert cards(match, "deck") == [*deck[2:], "R1"]
    assert cards(match, "tactics") == [*pile[1:], pile[0]]


@pytest.mark.rule("schotten.scout", "common.secrecy")
def test_only_the_returner_knows_what_lies_at_the_bottom() -> None:
    match = setup({}, hands=("scout R1 R2 R3 R4 R5 R6", "B1 B2"))
    play(match, "scout", "draw clan", "draw clan", "draw clan", "return R1", "return R2")
    assert backs(match, 0, "deck")[-2:] == ["R1", "R2"], "the second lies under the first"
    assert set(backs(match, 0, "deck")[:-2]) == {"clan"}
    for seat in (1, None):
        assert set(backs(match, seat, "deck")) == {"clan"}
    again = tanistry.game("schotten").setup(match.position())
    assert again.position() == match.position()
    for seed in range(20):
        blind = match.blind(0, seed)
        assert cards(blind, "deck")[-2:] == ["R1", "R2"]
    assert len({tuple(cards(match.blind(1, seed), "deck")[-2:]) for seed in range(20)}) > 10


@pytest.mark.rule("schotten.scout", "common.secrecy")
def test_a_returned_card_that_is_drawn_stays_known_to_the_returner() -> None:
    match = setup(
        {},
        hands=("scout R1 R2 R3 R4 R5 R6", "B1 B2"),
        deck="G1 G2",
        tactic_pile="farlane gregor support shield fog mud redeploy deserter traitor",
    )
    play(match, "scout", "draw clan", "draw clan")
    assert match.decision == "scout_return", "the third card came by itself"
    play(match, "return R1", "return R2", "B1@1", "draw clan")
    assert "R1" in cards(match, "hand.1")
    assert "R1" in backs(match, 0, "hand.1")
    assert "R1" not in backs(match, None, "hand.1")
    again = tanistry.game("schotten").setup(match.position())
    for seat in (0, 1, None):
        assert again.view(seat) == match.view(seat)


@pytest.mark.rule("schotten.scout", "schotten.one_chief")
def test_nobody_believes_that_a_kept_chief_was_returned() -> None:
    """Seat 0 had played MacFarlane: whatever tactic cards it returned, MacGregor is not there."""
    match = setup({1: ("farlane", "")}, env={2: "fog"}, hands=("scout R1 R2 R3 R4 R5 R6", "gregor"))
    play(match, "scout", "draw tactic", "draw tactic", "draw tactic")
    drawn = [code for code in cards(match, "hand.0") if len(code) > 2]
    play(match, f"return {drawn[0]}", f"return {drawn[1]}")
    assert match.position()["facts"]["scout_after_chief"] is True
    seen = set()
    for seed in range(200):
        blind = match.blind(None, seed)
        seen |= set(cards(blind, "tactics")[-2:])
        tanistry.game("schotten").setup(blind.position())
    assert seen == {"support", "shield", "mud", "redeploy", "deserter", "traitor"}


@pytest.mark.rule("schotten.scout", "schotten.one_chief", "common.secrecy")
def test_a_card_returned_and_drawn_again_is_no_kept_chief() -> None:
    """Seat 0's only tactic card is one it had returned after MacFarlane: not MacGregor."""
    match = setup(
        {1: ("farlane", "")},
        env={2: "fog mud"},
        played=("scout", "traitor"),
        tactics=[2, 3],
        hands=("R1", "gregor B1"),
        tactic_pile="support redeploy deserter shield",
        known={"support": [0]},
        scout_after_chief=True,
    )
    play(match, "R1@1", "draw tactic")
    assert match.position()["facts"]["redrawn"] == 1
    game = tanistry.game("schotten")
    assert game.setup(match.position()).position() == match.position()
    held = {tuple(cards(match.blind(None, seed), "hand.0")) for seed in range(100)}
    assert {code for hand in held for code in hand} == {"support", "redeploy", "deserter", "shield"}
    play(match, "B1@1", "draw clan", "support@1")
    assert "redrawn" not in match.position()["facts"]


TACTICS_OUT: dict[str, Any] = {
    "played": ("redeploy", "deserter"),
    "env": {9: "fog mud"},
    "discard": "farlane gregor support shield",
    "chiefs": [0, 1],
}
"""All tactic cards but scout and traitor are out."""


@pytest.mark.rule("schotten.scout")
@pytest.mark.parametrize(
    ("deck", "drawn", "returns"), [("G1", 1, 0), ("G1 G2", 2, 1), ("G1 G2 G3", 3, 2)]
)
def test_short_piles(deck: str, drawn: int, returns: int) -> None:
    hand = "R1 R2 R3 R4 R5 R6"
    match = setup(
        {}, hands=(f"scout {hand}", "traitor B1"), deck=deck, tactic_pile="", **TACTICS_OUT
    )
    match.play("scout")
    assert len(cards(match, "hand.0")) == 6 + drawn, "drawn by themselves: there is one pile"
    for _ in range(returns):
        assert match.decision == "scout_return"
        match.play(match.legal()[0])
    assert (match.to_act, match.decision) == (1, "play")
    assert len(cards(match, "hand.0")) == 7


@pytest.mark.rule("schotten.scout")
def test_without_a_card_to_draw_there_is_no_scouting() -> None:
    match = setup({}, hands=("scout R1", "traitor B1"), deck="", tactic_pile="", **TACTICS_OUT)
    assert refused(match, "scout").rule == "schotten.scout"


@pytest.mark.rule("schotten.scout", "schotten.claim")
def test_after_a_scout_stones_can_be_claimed() -> None:
    match = setup(SURE, hands=("scout R1 R2 R3 R4 R5 R6", "B1"))
    play(match, "scout", "draw clan", "draw clan", "draw clan", "return R1", "return R2")
    assert match.decision == "claim"
    assert match.position()["facts"]["scouted"] is True
    match.play("done")
    assert (match.to_act, match.decision) == (1, "play")


# -- redeploy, deserter, traitor ------------------------------------------------------------------

FIELD = {
    2: ("R1 farlane", "B1 gregor"),
    3: ("R3 R4 R6", "B3 B4 B6"),
    4: ("Y9 Y8 Y7", ""),
}


def field(ruse: str, **settings: Any) -> Match:
    return setup(
        FIELD, hands=(f"{ruse} P1", "P2"), claimed={"4": 0}, first_complete={"3": 1}, **settings
    )


@pytest.mark.rule("schotten.redeploy")
def test_redeploy_takes_an_own_card_to_another_stone() -> None:
    match = field("redeploy")
    match.play("redeploy")
    assert cards(match, "played.0") == ["redeploy"]
    taken = ["R1@2", "R3@3", "R4@3", "R6@3", "farlane@2"]
    assert match.legal() == [f"take {token}" for token in taken]
    assert refused(match, "take B1@2").rule == "schotten.redeploy"
    assert refused(match, "take R1@3").rule == "common.illegal"
    assert refused(match, "take Y9@4").rule == "schotten.claimed"
    match.play("take farlane@2")
    assert cards(match, "stone.2.0") == ["R1", "farlane"], "it lies where it was until put"
    assert match.legal() == [f"put @{stone}" for stone in (1, 5, 6, 7, 8, 9)] + ["discard"]
    assert refused(match, "put @2").rule == "schotten.redeploy"
    assert refused(match, "put @3").rule == "schotten.redeploy"
    assert refused(match, "put @4").rule == "schotten.claimed"
    match.play("put @9")
    assert cards(match, "stone.2.0") == ["R1"]
    assert cards(match, "stone.9.0") == ["farlane"]
    assert match.decision == "draw"


@pytest.mark.rule("schotten.redeploy")
def test_redeploy_may_discard() -> None:
    match = field("redeploy")
    play(match, "redeploy", "take R4@3", "discard")
    assert cards(match, "discard") == ["R4"]
    assert cards(match, "stone.3.0") == ["R3", "R6"]


@pytest.mark.rule("schotten.deserter")
def test_a_deserter_discards_a_card_of_the_other_side() -> None:
    match = field("deserter")
    match.play("deserter")
    taken = ["B1@2", "B3@3", "B4@3", "B6@3", "gregor@2"]
    assert match.legal() == [f"take {token}" for token in taken]
    assert refused(match, "take R1@2").rule == "schotten.deserter"
    match.play("take gregor@2")
    assert cards(match, "discard") == ["gregor"]
    assert match.decision == "draw"


@pytest.mark.rule("schotten.traitor")
def test_a_traitor_brings_a_clan_card_over() -> None:
    match = field("traitor")
    match.play("traitor")
    assert match.legal() == [f"take {token}" for token in ("B1@2", "B3@3", "B4@3", "B6@3")]
    assert refused(match, "take gregor@2").rule == "schotten.traitor"
    assert refused(match, "take R1@2").rule == "schotten.traitor"
    match.play("take B4@3")
    assert match.legal() == [f"put @{stone}" for stone in (1, 2, 5, 6, 7, 8, 9)]
    assert refused(match, "discard").rule == "schotten.traitor"
    assert refused(match, "put @3").rule == "schotten.traitor"
    match.play("put @2")
    assert cards(match, "stone.2.0") == ["R1", "farlane", "B4"], "a moved card comes last"
    assert cards(match, "stone.3.1") == ["B3", "B6"]


@pytest.mark.rule("schotten.ruse_target")
def test_a_ruse_without_a_target_cannot_be_played() -> None:
    match = setup(
        {4: ("Y9 Y8 Y7", "B1")}, hands=("redeploy deserter traitor R1", "P2"), claimed={"4": 0}
    )
    for ruse in ("redeploy", "deserter", "traitor"):
        assert refused(match, ruse).rule == "schotten.ruse_target"
    match = setup({2: ("", "gregor")}, hands=("deserter traitor R1", "P2"))
    assert "deserter" in match.legal()
    assert refused(match, "traitor").rule == "schotten.ruse_target", "a chief is no clan card"


@pytest.mark.rule("schotten.ruse_target", "schotten.traitor")
def test_a_traitor_needs_another_stone_with_room() -> None:
    """Seat 0 has room at stone 9 only."""
    values = {1: "R1 Y1 G2", 2: "R3 Y3 G4", 3: "R5 Y5 G6", 4: "R7 Y7 G8", 5: "B1 P1 O2"}
    values |= {6: "B3 P3 O4", 7: "B5 P5 O6", 8: "B7 P7 O8"}
    full = {stone: (side, "") for stone, side in values.items()}
    match = setup({**full, 9: ("", "Y9")}, hands=("traitor R9", "P2"))
    assert refused(match, "traitor").rule == "schotten.ruse_target"
    match = setup({**full, 9: ("", "Y9"), 8: ("B7 P7 O8", "B2")}, hands=("traitor R9", "P2"))
    match.play("traitor")
    assert match.legal() == ["take B2@8"]
    assert refused(match, "take Y9@9").rule == "schotten.ruse_target"
    match.play("take B2@8")
    assert match.legal() == ["put @9"]


@pytest.mark.rule("schotten.moved", "schotten.compare")
def test_a_side_completed_again_is_later() -> None:
    """Seat 1 was first; it loses a card to the traitor and lays an equal one."""
    stones = {3: ("R4 Y5 G7", "B4 P5 O7")}
    match = setup(stones, hands=("traitor R1", "P7 P9"), first_complete={"3": 1})
    play(match, "traitor", "take O7@3", "put @9")
    if match.decision == "claim":
        match.play("done")
    play(match, "draw clan", "P7@3", "draw clan")
    assert match.position()["facts"]["first_complete"] == {"3": 0}
    match.play("R1@8")
    assert claims(match) == [3]


@pytest.mark.rule("schotten.moved")
def test_a_side_that_keeps_its_cards_stays_first() -> None:
    stones = {3: ("R4 Y5 G7", "B4 P5 O7")}
    match = setup(stones, hands=("redeploy G8 R1", "P7 P9"), first_complete={"3": 0})
    play(match, "redeploy", "take G7@3", "put @9", "draw clan", "P9@8", "draw clan")
    play(match, "G8@3")
    assert claims(match) == [3], "17 against 16"
    match = setup(stones, hands=("redeploy O6 R1", "P7 P9"), first_complete={"3": 0})
    play(match, "redeploy", "take Y5@3", "put @9", "draw clan")
    assert match.position()["facts"].get("first_complete") is None
