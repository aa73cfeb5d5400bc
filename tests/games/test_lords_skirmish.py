"""Scenarios for Lords of Scotland: counting the armies, claiming, clearing up, the end."""

from __future__ import annotations

from typing import Any

import pytest

from tanistry import Event, IllegalMove, Match
from tanistry.words import words
from tests.games.lords_positions import at, cards, entry, exhausted, play


def armies_counted(events: list[Event]) -> dict[int, int]:
    """The strengths told at the end of a skirmish, by seat, the first one first."""
    return {e.public["seat"]: e.public["strength"] for e in events if e.type in ("army", "doubled")}


def fight(armies: list[str], *, claims: str = "", **more: Any) -> tuple[Match, dict[int, int]]:
    """The last turn of a skirmish: the last seat recruits, and armies stand as given."""
    hands = [f"CB{12 - n}" for n in range(len(armies))]
    more = {"supporters": " ".join(f"FO{n + 1}" for n in range(len(armies))), **more}
    match = at(hands, armies, round=5, to_act=len(armies) - 1, **more)
    counted = armies_counted(match.play("recruit 1"))
    play(match, *claims.split(", ")) if claims else None
    return match, counted


# -- strength and order ---------------------------------------------------------------------------


@pytest.mark.rule("lords.reveal")
def test_all_allies_are_turned_up() -> None:
    match, _ = fight(["SC3? MK4", "WE9?"])
    allies = match.view(None)["places"]["army.0"] + match.view(None)["places"]["army.1"]
    assert [(ally["card"], ally["up"]) for ally in allies] == [
        ("SC3", True), ("MK4", True), ("WE9", True),
    ]  # fmt: skip


@pytest.mark.rule("lords.strength", "lords.example_double")
def test_the_example_of_22_points() -> None:
    """Judy: 11 points of one clan, doubled; Roger: a single 12; Sean: 14, one card of another."""
    _, counted = fight(["SC3 SC4 MK7", "WE12", "FE2? FE9"])
    assert counted == {2: 22, 0: 14, 1: 12}
    assert list(counted) == [2, 0, 1]


@pytest.mark.rule("lords.example_double", "lords.bruce")
def test_the_example_with_a_scott_or_an_active_bruce_instead() -> None:
    _, counted = fight(["SC3 SC4 SC7", "WE12", "FE2 FE9"])
    assert counted[0] == 28
    bruce = {"options": {"bruce": True}}
    assert fight(["SC3 SC4 BR97*BR", "WE12", ""], **bruce)[1][0] == 38


@pytest.mark.rule("lords.bruce")
@pytest.mark.parametrize(
    ("army", "strength"),
    [
        ("WE3 BR97*BR", 30),
        ("WE3 BR97", 15),  # not activated: of clan Bruce
        ("WE3 BR97?", 15),
        ("BR97 BR98", 48),  # both of clan Bruce
        ("BR97*BR BR98", 48),
        ("BR97*BR BR98*BR", 48),
        ("BR97*BR BR98*BR WE1", 50),
        ("BR97*BR BR98 WE1", 25),
        ("BR97*BR", 12),  # a single card
        ("WE3 FE3 BR97*BR", 18),
        ("WE3 SC5*BR", 16),
        ("SC5*BR MK2 MK3", 20),
        ("SC5*BR SC4 MK2", 11),
        ("SC5*BR BR97*BR CR1", 36),
        ("SC5*CR WE3", 8),
    ],
)
def test_bruce_counts_as_any_clan(army: str, strength: int) -> None:
    _, counted = fight([army, "CR12"], options={"bruce": True})
    assert counted[0] == strength


@pytest.mark.rule("lords.order", "lords.example_tie")
def test_the_example_of_the_tie() -> None:
    """Twelve against twelve: rank 66, Makgill 9, wins against lower ranks."""
    match, counted = fight(["SC8 WE4", "MK9 FE3"])
    assert counted == {0: 12, 1: 12}
    assert match.to_act == 1


@pytest.mark.rule("lords.order")
def test_the_highest_card_breaks_a_tie_not_the_sum_of_ranks() -> None:
    match, counted = fight(["SC6 MK6 CR6 FO6", "WE12 FE12"])
    assert counted == {0: 24, 1: 24}
    assert match.to_act == 1


# -- claiming -------------------------------------------------------------------------------------


@pytest.mark.rule("lords.claim")
def test_claims_go_in_order_each_by_choice() -> None:
    match, _ = fight(["SC3", "WE12", "FE9"])
    order = []
    while match.decision == "claim":
        order.append((match.to_act, match.legal()))
        match.play(match.legal()[-1])
    assert order == [
        (1, ["claim FO1", "claim FO2", "claim FO3"]),
        (2, ["claim FO1", "claim FO2"]),
        (0, ["claim FO1"]),
    ]
    assert cards(match, "victory.1") == ["FO3"]
    assert cards(match, "victory.0") == ["FO1"]


@pytest.mark.rule("lords.claim")
def test_a_seat_without_an_ally_claims_nothing() -> None:
    match, _ = fight(["", "WE12"])
    assert match.to_act == 1
    play(match, "claim FO1")
    assert match.decision == "turn"
    assert "FO2" in cards(match, "discard")


@pytest.mark.rule("lords.claim", "common.illegal")
def test_only_supporters_can_be_claimed() -> None:
    match, _ = fight(["SC3", "WE12"])
    with pytest.raises(IllegalMove) as refused:
        match.play("claim SC3")
    assert refused.value.rule == "common.illegal"


@pytest.mark.rule("lords.cochrane")
def test_cochrane_claims_two_one_after_the_other() -> None:
    match, _ = fight(["SC3", "CR12*CR", "FE9"])
    play(match, "claim FO3")
    assert (match.to_act, match.decision) == (1, "claim")
    assert match.legal() == ["claim FO1", "claim FO2"]
    play(match, "claim FO2")
    assert (match.to_act, match.legal()) == (2, ["claim FO1"])
    play(match, "claim FO1")  # lords.none_left: seat 0 claims none
    assert match.decision == "turn"
    assert cards(match, "victory.1") == ["FO2", "FO3"]
    assert cards(match, "victory.0") == []


@pytest.mark.rule("lords.cochrane")
@pytest.mark.parametrize("edition", ["2010", "2015"])
def test_cochrane_is_not_cumulative(edition: str) -> None:
    match, _ = fight(["SC3", "CR12*CR CR11*CR SC12*CR", "FE9"], options={"edition": edition})
    play(match, "claim FO3", "claim FO2")
    assert match.to_act == 2


@pytest.mark.rule("lords.cochrane", "lords.none_left")
def test_cochrane_with_one_supporter_left_claims_one() -> None:
    match, _ = fight(["CR3*CR", "WE12"])
    play(match, "claim FO2")
    assert match.to_act == 0
    play(match, "claim FO1")
    assert match.decision == "turn"
    assert cards(match, "victory.0") == ["FO1"]


@pytest.mark.rule("lords.scott", "lords.cochrane", "lords.claim")
def test_a_scott_that_copied_cochrane_claims_two() -> None:
    """The Cochrane it copied, never activated, gives its own army only one."""
    match = at(
        ["SC2", "FE9", "SC11"], ["", "CR9", "WE3"], supporters="FO1 FO2 FO3", round=5, initiative=1
    )
    play(match, "SC2 up", "use", "copy 1.1")
    assert match.decision == "claim"
    claimed = []
    while match.decision == "claim":
        claimed.append(match.to_act)
        match.play(match.legal()[-1])
    assert claimed == [1, 2, 0]  # by strength: nothing is left for the second of seat 0

    match = at(["SC2", "FE9"], ["CB12 WE11", "CR9"], supporters="FO1 FO2", round=5, initiative=1)
    play(match, "SC2 up", "use", "copy 1.1", "claim FO1")
    assert (match.to_act, match.legal()) == (0, ["claim FO2"])
    match.play("claim FO2")
    assert cards(match, "victory.0") == ["FO1", "FO2"]
    assert cards(match, "victory.1") == []


@pytest.mark.rule("lords.cochrane", "lords.end_powers")
def test_powers_of_the_end_follow_the_card() -> None:
    """Seat 1 takes an activated Cochrane with its last Fergusson: it claims the two."""
    match = at(["CB12", "FE1"], ["CR9*CR", "WE12"], supporters="FO1 FO2", round=5, to_act=1)
    play(match, "FE1 up", "use", "swap 0.1", "claim FO1")
    assert match.to_act == 1
    play(match, "claim FO2")
    assert cards(match, "victory.1") == ["FO1", "FO2"]


@pytest.mark.rule("lords.cochrane", "lords.end_powers", "lords.cockburn")
def test_an_active_card_that_leaves_the_armies_has_no_effect() -> None:
    match = at(["CB12", "WE1"], ["CR9*CR", "WE12"], supporters="FO1 FO2", round=5, to_act=1)
    play(match, "WE1 up", "use", "discard 0.1", "claim FO1")
    assert match.decision == "turn"
    assert cards(match, "victory.1") == ["FO1"]


@pytest.mark.rule("lords.none_left", "lords.cleanup")
def test_what_nobody_claims_is_discarded() -> None:
    match, _ = fight(["", "WE12", ""], claims="claim FO1")
    assert {"FO2", "FO3", "WE12"} <= set(cards(match, "discard"))


# -- clearing up ----------------------------------------------------------------------------------


@pytest.mark.rule("lords.cleanup", "lords.setup")
def test_the_next_skirmish() -> None:
    deck = "SC1 SC2 MK4 SC5 MD1 MK1 MK2 MK3"
    match, _ = fight(["SC3", "WE12?"], recruits="CR5 CR6^ CR7 CR8 CR9", deck=deck)
    play(match, "claim FO1", "claim FO2")
    facts = match.position()["facts"]
    assert (match.to_act, match.decision) == (1, "turn")
    assert (facts["round"], facts["initiative"]) == (1, 1)
    # recruit 1 took CR5 and drew SC1; then five recruits, then two supporters were dealt
    assert cards(match, "recruits") == ["SC2", "MK4", "SC5", "MD1", "MK1"]
    assert [e["up"] for e in match.position()["places"]["recruits"]] == [True] + [False] * 4
    assert cards(match, "supporters") == ["MK2", "MK3"]
    assert set(cards(match, "discard")) == {"SC1", "CR6", "CR7", "CR8", "CR9", "SC3", "WE12"}
    assert cards(match, "army.0") == cards(match, "army.1") == []


@pytest.mark.rule("lords.cleanup")
@pytest.mark.parametrize("first", [0, 1])
def test_the_initiative_stays_if_no_army_had_a_card(first: int) -> None:
    """Whoever began the match: it stays with who has it now."""
    match, counted = fight(["", ""], initiative=0, options={"first": first})
    assert counted == {}
    assert (match.to_act, match.decision) == (0, "turn")
    assert match.position()["facts"]["initiative"] == 0
    assert {"FO1", "FO2"} <= set(cards(match, "discard"))


@pytest.mark.rule("lords.macdonnell")
@pytest.mark.parametrize(("army", "card"), [("MD4*MD WE12", "MD4"), ("WE12 SC4*MD", "SC4")])
def test_an_activated_macdonnell_stays(army: str, card: str) -> None:
    match, _ = fight([army, "FE1"], claims="claim FO1, claim FO2")
    assert cards(match, "army.0") == [card]
    assert entry(match, "army.0", card) == {
        "card": card, "up": True, "active": None, "spent": True,
    }  # fmt: skip
    assert "WE12" in cards(match, "discard")


@pytest.mark.rule("lords.macdonnell", "lords.lowest")
@pytest.mark.parametrize("card", ["MD4", "SC4"])
def test_one_that_has_stayed_stands_against_powers_and_counts(card: str) -> None:
    match = at(["CR5 FE3", "CB12"], [f"{card}~", ""], round=1)
    play(match, "CR5 up")
    assert match.decision == "turn"  # not the lowest
    match = at(["CR5", "CB12"], [f"{card}~", "WE3"], round=5, to_act=1)
    counted = armies_counted(match.play("CB12 down"))
    assert counted == {1: 15, 0: 4}


@pytest.mark.rule("lords.macdonnell")
def test_it_stays_only_once_and_only_if_activated() -> None:
    match, _ = fight(["MD4~ WE12", "MD5"], claims="claim FO1, claim FO2")
    assert cards(match, "army.0") == cards(match, "army.1") == []
    assert {"MD4", "MD5"} <= set(cards(match, "discard"))


@pytest.mark.rule("lords.macdonnell", "lords.end_powers", "lords.fergusson")
def test_it_stays_with_whoever_controls_it() -> None:
    match = at(["CB12", "FE1"], ["MD9*MD", "WE12"], supporters="FO1 FO2", round=5, to_act=1)
    play(match, "FE1 up", "use", "swap 0.1", "claim FO1", "claim FO2")
    assert cards(match, "army.1") == ["MD9"]


@pytest.mark.rule("lords.macdonnell", "lords.by_clan")
def test_one_that_has_stayed_counts_by_clan() -> None:
    match = at(["MD5 FE3", "CB12"], ["MD4~", ""], round=1, options={"activation": "clan"})
    play(match, "MD5 up")
    assert (match.to_act, match.decision) == (1, "turn")


@pytest.mark.rule("lords.macdonnell", "lords.claim")
def test_one_that_has_stayed_is_an_ally_like_any_other() -> None:
    match, _ = fight(["MD4~", ""])
    assert (match.to_act, match.decision) == (0, "claim")


# -- the deck runs out ----------------------------------------------------------------------------


@pytest.mark.rule("lords.deck_empty", "lords.recruit")
def test_the_discard_is_shuffled_when_a_card_is_needed_and_not_before() -> None:
    match = at(["SC7 SC9", "SC8"], deck="CR12", rest="discard")
    events = match.play("recruit 1")
    assert not any(event.type == "reshuffle" for event in events)
    assert cards(match, "deck") == []
    before = set(cards(match, "discard"))
    (reshuffle,) = [e for e in match.play("recruit 1") if e.type == "reshuffle"]
    assert reshuffle.public["cards"] == len(before)
    assert cards(match, "discard") == []
    assert before - set(cards(match, "deck")) == {cards(match, "recruits")[0]}


@pytest.mark.rule("lords.deck_empty", "lords.recruit")
def test_a_slot_that_cannot_be_refilled_stays_empty() -> None:
    match = exhausted(["", None, None, None, None], supporters="CR5", recruits="WE5 FE6^ _ _ _")
    play(match, "recruit 2")
    assert cards(match, "recruits") == ["WE5", None, None, None, None]
    assert match.view(1)["places"]["recruits"][1:] == [None] * 4


@pytest.mark.rule("lords.deck_empty", "lords.end")
def test_without_a_single_supporter_the_match_ends() -> None:
    """Seat 4 claims the last supporter; five cards are left, and all become recruits."""
    match = exhausted(
        [None, None, None, None, "SC1"], deck="WE2 FE2 CB2 CR2", supporters="MK1", round=5, to_act=4
    )
    play(match, "SC1 down", "claim MK1")
    assert match.to_act is None
    result = match.result
    assert result is not None
    best = max(result.scores)
    assert all(result.scores[seat] == best for seat in result.ranking[0])
    assert max(result.scores) < 100
    assert len(cards(match, "recruits")) == 5
    assert match.game.setup(match.position()).result == result


# -- the end --------------------------------------------------------------------------------------


@pytest.mark.rule("lords.end")
def test_the_match_ends_after_all_claims_before_any_clearing_up() -> None:
    match, _ = fight(["SC3", "WE12"], victory=["", "MK12 MD12 SC12 SC2"])
    play(match, "claim FO2")  # seat 1 has 40 now, but seat 0 still claims
    assert (match.to_act, match.decision) == (0, "claim")
    play(match, "claim FO1")
    assert (match.to_act, match.decision, match.legal()) == (None, "", [])
    assert cards(match, "army.1") == ["WE12"]
    result = match.result
    assert result is not None
    assert (result.scores, result.ranking) == ([1, 40], [[1], [0]])


@pytest.mark.rule("lords.end")
@pytest.mark.parametrize("target", [1, 5, 40])
def test_the_target_is_an_option(target: int) -> None:
    match, _ = fight(["", "WE12"], supporters="FO5 FO6", options={"target": target})
    play(match, "claim FO5")
    assert (match.to_act is None) == (target <= 5)


@pytest.mark.rule("lords.end")
def test_the_most_strength_wins_not_the_first_to_reach_the_target() -> None:
    match, _ = fight(
        ["SC3", "WE12"], supporters="FO1 FO9", victory=["MK12 MD12 SC12", "CR12 CR11 CR10 CR6"]
    )
    play(match, "claim FO1", "claim FO9")
    result = match.result
    assert result is not None
    assert (result.scores, result.ranking) == ([45, 40], [[0], [1]])


@pytest.mark.rule("lords.end")
def test_a_tie_goes_to_the_higher_in_the_last_skirmish() -> None:
    match, _ = fight(
        ["SC3", "WE12"], supporters="FO9 MK9", victory=["MK12 MD12 SC7", "CR12 CR11 CR8"]
    )
    play(match, "claim FO9", "claim MK9")
    result = match.result
    assert result is not None
    assert (result.scores, result.ranking) == ([40, 40], [[1], [0]])


@pytest.mark.rule("lords.end")
def test_seats_without_an_ally_are_last_and_level_with_each_other() -> None:
    match, _ = fight(
        ["", "WE12", ""], supporters="FO9", victory=["MK12 MD8", "CR12 CR11 CR8", "FE12 FE8"]
    )
    play(match, "claim FO9")
    result = match.result
    assert result is not None
    assert result.ranking == [[1], [0, 2]]


@pytest.mark.rule("lords.end", "lords.deck_empty")
def test_without_an_ally_in_the_last_skirmish_equal_strength_is_level() -> None:
    match = exhausted(
        [None, None, None, None, "WE1"], supporters="MK1", deck="", round=5, to_act=4,
        recruits="FO1 CB1 CR1 FE1 _",
    )  # fmt: skip
    given = match.position()
    piles = given["places"]["victory.0"], given["places"]["victory.2"]
    strong = next(code for code in piles[0] if code[2:] == "3")
    weak = next(code for code in piles[1] if code[2:] == "2")
    piles[0][piles[0].index(strong)], piles[1][piles[1].index(weak)] = weak, strong
    match = match.game.setup(given, seed=1)
    events = match.play("recruit 1")  # no army: MK1 and the recruits are dealt again, no supporter
    result = match.result
    assert result is not None
    assert result.scores == [45, 45, 45, 42, 41]
    assert result.ranking == [[0, 1, 2], [3], [4]]
    (over,) = [event for event in events if event.type == "over"]
    assert over.public["seat"] == -1
    said = {
        "en": "The leading players are level: nobody takes the throne alone.",
        "fr": "Les premiers sont à égalité\u00a0: personne ne monte seul sur le trône.",
    }
    for lang, text in said.items():
        assert words(lang, match.game.info).event(over.seen_by(None), list("ABCDE")) == text
