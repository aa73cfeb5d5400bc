"""Scenarios for Lords of Scotland: the deal, turns, recruiting, engaging, activation."""

from __future__ import annotations

from typing import Any

import pytest

import tanistry
from tanistry import IllegalMove, Match, OptionError
from tanistry.games.lords.cards import CODES, RANK_OF, STRENGTH_OF
from tests.games.lords_positions import at, cards, entry, exhausted, lords, play


def first_down(match: Match) -> str:
    return next(token for token in match.legal() if token.endswith("down"))


# -- cards and options ----------------------------------------------------------------------------


@pytest.mark.rule("lords.order", "lords.example_tie")
def test_ranks_as_printed() -> None:
    ranks = {code: int(RANK_OF[card]) for card, code in enumerate(CODES)}
    assert sorted(ranks.values()) == list(range(1, 99))
    assert (ranks["SC1"], ranks["CR1"], ranks["SC2"]) == (1, 8, 9)
    assert (ranks["MK9"], ranks["CR12"], ranks["BR97"], ranks["BR98"]) == (66, 96, 97, 98)
    assert int(STRENGTH_OF[CODES.index("BR98")]) == 12


@pytest.mark.rule("common.options")
@pytest.mark.parametrize(
    "options",
    [{"seats": 6}, {"edition": 2015}, {"target": 0}, {"target": 101}, {"activation": "all"}],
)
def test_options_not_allowed(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        tanistry.game("lords", **options)


# -- the deal -------------------------------------------------------------------------------------


@pytest.mark.rule("lords.setup", "common.counts")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("bruce", [False, True])
def test_the_deal(seats: int, bruce: bool) -> None:
    match = lords(seats, bruce=bruce, first=1).deal(3)
    sizes = {name: len(entries) for name, entries in match.view(None)["places"].items()}
    expected = {f"hand.{n}": 5 for n in range(seats)} | {"recruits": 5, "supporters": seats}
    if not bruce:
        expected["aside"] = 2
        assert cards(match, "aside") == ["BR97", "BR98"]
    assert sizes == expected | {"deck": 98 - sum(expected.values())}
    assert match.to_act == 1
    assert match.position()["facts"]["initiative"] == 1


@pytest.mark.rule("lords.setup", "common.shuffle")
def test_the_order_of_the_deal() -> None:
    """The same seed shuffles the same deck, so a deal for two shows what five are dealt."""
    shuffled = cards(lords(2).deal(5), "deck")  # without its first 17 cards
    match = lords(5).deal(5)
    for number, code in enumerate(shuffled[:8], 17):
        assert code in cards(match, f"hand.{number % 5}")  # one at a time, from seat 0
    assert cards(match, "recruits") == shuffled[8:13]  # left to right
    assert set(cards(match, "supporters")) == set(shuffled[13:18])
    assert cards(match, "deck") == shuffled[18:]


@pytest.mark.rule("lords.supporters_differ")
@pytest.mark.parametrize("seats", [2, 3])
def test_supporters_of_one_strength_are_dealt_anew(seats: int) -> None:
    """Never a whole row of one strength; with two seats that would be one deal in twelve."""
    for seed in range(60):
        match = lords(seats).deal(seed)
        assert len({code[2:] for code in cards(match, "supporters")}) > 1


@pytest.mark.rule("lords.supporters_differ")
def test_equal_supporters_of_a_later_skirmish_are_discarded() -> None:
    deck = "SC1 SC2 SC3 SC4 SC5 MK9 MD9 WE9 FE9 MK1 MK2"
    match = at(
        ["SC7", "SC8"], ["", ""], supporters="FO1 FO2", deck=deck, round=5, to_act=1,
    )  # fmt: skip
    play(match, "SC8 up")
    events = match.play("claim FO2")
    assert sum(event.type == "alike" for event in events) == 2
    assert cards(match, "supporters") == ["MK1", "MK2"]
    assert {"MK9", "MD9", "WE9", "FE9"} <= set(cards(match, "discard"))


@pytest.mark.rule("lords.supporters_differ")
@pytest.mark.parametrize(
    ("deck", "dealt"),
    [("FE1 FO1", {"FE1", "FO1", "SC1"}), ("", {"SC1"})],  # equal, but nothing else; a single one
)
def test_equal_supporters_stay_if_there_is_nothing_else(deck: str, dealt: set[str]) -> None:
    match = exhausted(
        [None, None, None, None, "SC1"], deck=f"WE2 FE2 CB2 CR2 FO2 {deck}", supporters="MK1",
        round=5, to_act=4,
    )  # fmt: skip
    play(match, "SC1 down")
    events = match.play("claim MK1")
    assert not any(event.type == "alike" for event in events)
    assert set(cards(match, "supporters")) == dealt


# -- rounds and turns -----------------------------------------------------------------------------


@pytest.mark.rule("lords.skirmish")
def test_five_rounds_clockwise_from_the_initiative() -> None:
    match = lords(3, first=2).deal(1)
    seen = []
    while match.decision != "claim":
        if match.decision == "turn":
            seen.append((match.position()["facts"]["round"], match.to_act))
            down = [token for token in match.legal() if token.endswith("down")]
            match.play(down[0])
    assert seen == [(n, seat) for n in range(1, 6) for seat in (2, 0, 1)]


@pytest.mark.rule("lords.flip")
def test_2015_turns_up_the_leftmost_face_down_recruit() -> None:
    match = lords(2).deal(1)

    def ups() -> list[bool]:
        return [e["up"] for e in match.position()["places"]["recruits"]]

    assert ups() == [True, False, False, False, False]
    play(match, first_down(match))
    assert ups() == [True, False, False, False, False]  # only in the holder's turns
    play(match, first_down(match))
    assert ups() == [True, True, False, False, False]


@pytest.mark.rule("lords.flip")
@pytest.mark.parametrize("edition", ["2010", "2015"])
@pytest.mark.parametrize("seats", [2, 5])
def test_one_more_recruit_lies_face_up_in_each_round(edition: str, seats: int) -> None:
    """In every round the holder turns one, until all five of the skirmish lie face up."""
    match = lords(seats, edition=edition).deal(1)
    up: list[int] = []
    while len(up) < 5:
        if match.decision == "flip":
            match.play(match.legal()[-1])
        recruits = match.position()["places"]["recruits"]
        if match.to_act == 0:
            up.append(sum(recruit["up"] for recruit in recruits))
        play(match, first_down(match))
    assert up == [1, 2, 3, 4, 5]


@pytest.mark.rule("lords.flip")
def test_2015_passes_over_an_empty_slot() -> None:
    match = at(["SC7", "SC8"], recruits="CR5^ _ CR7 CR8^ CR9", to_act=1)
    (flip,) = (event for event in play(match, "SC8 down") if event.type == "flip")
    assert flip.public["card"] == "CR7"


@pytest.mark.rule("lords.flip")
def test_2010_turns_up_one_of_its_choice() -> None:
    match = lords(2, edition="2010").deal(1)
    assert (match.to_act, match.decision) == (0, "flip")
    assert match.legal() == [f"flip {n}" for n in range(1, 6)]
    (event,) = match.play("flip 4")
    assert (event.type, event.rule) == ("flip", "lords.flip")
    assert event.public["card"] == cards(match, "recruits")[3]
    assert (match.to_act, match.decision) == (0, "turn")
    play(match, first_down(match))
    assert (match.to_act, match.decision) == (1, "turn")
    play(match, first_down(match))
    assert match.decision == "flip"
    with pytest.raises(IllegalMove) as refused:
        match.play("flip 4")
    assert refused.value.rule == "lords.flip"


@pytest.mark.rule("lords.flip")
def test_nothing_is_turned_when_all_recruits_lie_face_up() -> None:
    match = at(
        ["SC7", "SC8"], recruits="CR5^ CR6^ CR7^ CR8^ CR9^", to_act=1, options={"edition": "2010"}
    )
    play(match, "SC8 down")
    assert (match.to_act, match.decision) == (0, "turn")


@pytest.mark.rule("lords.turn")
def test_a_turn_is_recruit_or_engage_and_there_is_no_passing() -> None:
    match = at(["SC7 MK2", "SC8"], recruits="CR5 _ CR7^ _ CR9")
    assert match.legal() == [
        "recruit 1", "recruit 3", "recruit 5", "SC7 up", "MK2 up", "SC7 down", "MK2 down",
    ]  # fmt: skip
    with pytest.raises(IllegalMove) as refused:
        match.play("skip")
    assert refused.value.rule == "common.illegal"


@pytest.mark.rule("lords.turn", "lords.recruit")
def test_a_seat_with_an_empty_hand_must_recruit() -> None:
    match = at(["SC8", ""], recruits="_ WE5 _ FO6^ _")
    match.play("SC8 down")
    assert (match.to_act, match.legal()) == (1, ["recruit 2", "recruit 4"])


@pytest.mark.rule("lords.turn")
def test_a_seat_that_can_do_nothing_is_passed_over() -> None:
    match = exhausted([None, "", "", None, None], supporters="CR5 CR6")
    events = match.play(match.legal()[-1])
    assert [e.public["seat"] for e in events if e.type == "idle"] == [1, 2]
    assert match.to_act == 3


@pytest.mark.rule("lords.turn", "lords.skirmish")
def test_a_round_begins_even_if_the_holder_can_do_nothing() -> None:
    match = exhausted(["", None, None, None, "SC1"], supporters="CR5 CR6", to_act=4)
    told = [(e.type, *e.public.values()) for e in match.play("SC1 down")]
    assert told[-2:] == [("round", 3), ("idle", 0)]
    assert (match.to_act, match.position()["facts"]["round"]) == (1, 3)


@pytest.mark.rule("lords.turn", "lords.skirmish")
def test_the_last_turns_can_all_be_passed_over() -> None:
    match = at(["SC7", "", ""], recruits="_ _ _ _ _", round=5)
    play(match, "SC7 down")
    assert (match.to_act, match.decision) == (0, "claim")


# -- recruiting -----------------------------------------------------------------------------------


@pytest.mark.rule("lords.recruit")
@pytest.mark.parametrize("face", ["", "^"])
def test_a_recruit_is_replaced_the_same_way_up(face: str) -> None:
    match = at(["SC7", "SC8"], recruits=f"CR5 CR6 CR7{face} CR8 CR9", deck="FO3")
    play(match, "recruit 3")
    assert cards(match, "hand.0") == ["SC7", "CR7"]
    assert cards(match, "recruits") == ["CR5", "CR6", "FO3", "CR8", "CR9"]
    assert entry(match, "recruits", "FO3")["up"] == (face == "^")
    assert match.to_act == 1


@pytest.mark.rule("lords.recruit")
def test_ten_cards_are_too_many_to_recruit() -> None:
    ten = " ".join(f"SC{n}" for n in range(1, 11))
    match = at([ten, "MK1"])
    assert not any(token.startswith("recruit") for token in match.legal())
    with pytest.raises(IllegalMove) as refused:
        match.play("recruit 1")
    assert refused.value.rule == "lords.recruit"
    nine = at([" ".join(f"SC{n}" for n in range(1, 10)), "MK1"])
    play(nine, "recruit 1")
    assert len(cards(nine, "hand.0")) == 10


@pytest.mark.rule("lords.recruit", "common.illegal")
def test_an_empty_slot_has_no_recruit() -> None:
    match = at(["SC7", "SC8"], recruits="CR5 _ CR7 CR8 CR9")
    with pytest.raises(IllegalMove) as refused:
        match.play("recruit 2")
    assert refused.value.rule == "common.illegal"


# -- engaging -------------------------------------------------------------------------------------


@pytest.mark.rule("lords.engage")
def test_an_ally_joins_at_the_end_face_up_or_down() -> None:
    match = at(["SC7 CR3", "SC8"], ["MD2", "FE1"])
    play(match, "CR3 down")
    assert cards(match, "army.0") == ["MD2", "CR3"]
    assert entry(match, "army.0", "CR3") == {
        "card": "CR3", "up": False, "active": None, "spent": False,
    }  # fmt: skip
    play(match, "SC8 up")
    assert cards(match, "army.1") == ["FE1", "SC8"]
    assert entry(match, "army.1", "SC8")["up"]


@pytest.mark.rule("lords.engage", "common.illegal")
@pytest.mark.parametrize("token", ["MK4 up", "SC8 down", "use", "claim SC7", "swap 1.1", "pass"])
def test_other_choices_are_refused_without_a_trace(token: str) -> None:
    match = at(["SC7", "SC8"])
    before = match.position()
    with pytest.raises(IllegalMove) as refused:
        match.play(token)
    assert refused.value.rule == "common.illegal"
    assert refused.value.message("fr") != refused.value.message("en")
    assert match.position() == before


# -- when a power may be used ---------------------------------------------------------------------


@pytest.mark.rule("lords.activate")
def test_a_power_is_a_choice() -> None:
    match = at(["CR3 SC1", "SC8"])
    play(match, "CR3 up")
    assert (match.to_act, match.decision, match.legal()) == (0, "power", ["use", "skip"])
    skipped = match.copy()
    play(skipped, "skip")
    assert entry(skipped, "army.0", "CR3")["active"] is None
    play(match, "use")
    assert entry(match, "army.0", "CR3")["active"] == "CR"
    assert match.to_act == skipped.to_act == 1


@pytest.mark.rule("lords.activate")
def test_a_face_down_card_has_no_power() -> None:
    match = at(["CR3", "SC8"])
    play(match, "CR3 down")
    assert (match.to_act, match.decision) == (1, "turn")


def decision_after(match: Any, token: str) -> str:
    play(match, token)
    return str(match.decision)


@pytest.mark.rule("lords.lowest")
@pytest.mark.parametrize(
    ("mine", "theirs", "decision"),
    [
        ("", "", "power"),
        ("", "FE6", "power"),
        ("", "FE5", "power"),  # equal is not lower
        ("", "FE4", "turn"),
        ("FE4", "", "turn"),  # one's own allies count
        ("FE4?", "WE2?", "power"),  # face-down ones do not
        ("MD4~", "", "turn"),  # one that has stayed does
    ],
)
def test_lowest(mine: str, theirs: str, decision: str) -> None:
    assert decision_after(at(["CR5", "SC8"], [mine, theirs]), "CR5 up") == decision


@pytest.mark.rule("lords.by_clan")
@pytest.mark.parametrize(
    ("ally", "decision"),
    [("FE1", "power"), ("CR4", "turn"), ("CR6", "power"), ("CR4?", "power"), ("", "power")],
)
def test_by_clan(ally: str, decision: str) -> None:
    match = at(["CR5", "SC8"], ["", ally], options={"activation": "clan"}, supporters="SC2 SC3",
               recruits="SC4 SC5 SC6 SC7 SC9")  # fmt: skip
    assert decision_after(match, "CR5 up") == decision


@pytest.mark.rule("lords.by_clan")
def test_two_bruce_are_equal_under_by_clan_and_under_lowest() -> None:
    for activation, decision in [("clan", "turn"), ("lowest", "power")]:
        match = at(["BR97", "SC8"], ["", "BR98"], options={"activation": activation, "bruce": True})
        assert decision_after(match, "BR97 up") == decision


@pytest.mark.rule("lords.lowest", "lords.by_clan")
@pytest.mark.parametrize(
    ("seats", "decision"), [(2, "turn"), (3, "turn"), (4, "power"), (5, "power")]
)
def test_automatic_activation_goes_by_seats(seats: int, decision: str) -> None:
    hands, armies = ["CR5", "SC8", "SC9", "SC10", "SC11"][:seats], [""] * seats
    armies[1] = "WE1"
    assert decision_after(at(hands, armies), "CR5 up") == decision
    for activation, expected in [("lowest", "turn"), ("clan", "power")]:
        match = at(hands, armies, options={"activation": activation})
        assert decision_after(match, "CR5 up") == expected


@pytest.mark.rule("lords.only_when_played")
def test_swapped_and_carried_cards_do_not_act() -> None:
    # a supporter that comes into the army by Cockburn
    match = at(["CB2", "SC8"], supporters="CR1 FE9")
    play(match, "CB2 up", "use", "take CR1")
    assert (match.to_act, match.decision) == (1, "turn")
    assert entry(match, "army.0", "CR1")["active"] is None
    # an ally that changes armies by Fergusson
    match = at(["FE2", "SC8"], ["", "CR5"])
    play(match, "FE2 up", "use", "swap 1.1")
    assert (match.to_act, match.decision) == (1, "turn")
    assert entry(match, "army.0", "CR5")["active"] is None
    # a card that starts the skirmish in play: nobody is asked
    match = at(["SC7", "SC8"], ["MD2~", ""], round=1)
    assert match.decision == "turn"


@pytest.mark.rule("lords.no_effect")
@pytest.mark.parametrize(
    ("card", "without", "with_target"),
    [
        ("FE2", ["", ""], ["", "SC9"]),
        ("FE2", ["WE4?", ""], ["", "WE4?"]),  # only allies of other armies
        ("WE2", ["", ""], ["FE3?", ""]),
        ("SC2", ["", ""], ["", "CR3"]),
        ("SC2", ["", "SC3"], ["", "MD3"]),
        ("SC2", ["", "CR3?"], ["CR3", ""]),
        ("SC2", ["MK3", ""], ["", "CB3"]),  # Makgill with an empty hand cannot be copied either
    ],
)
def test_powers_without_a_target_are_not_offered(
    card: str, without: list[str], with_target: list[str]
) -> None:
    assert decision_after(at([card, "SC8"], without), f"{card} up") == "turn"
    assert decision_after(at([card, "SC8"], with_target), f"{card} up") == "power"


@pytest.mark.rule("lords.no_effect")
def test_makgill_with_an_empty_hand() -> None:
    assert decision_after(at(["MK2", "SC8"]), "MK2 up") == "turn"
    assert decision_after(at(["MK2 MK9", "SC8"]), "MK2 up") == "power"


@pytest.mark.rule("lords.no_effect", "lords.deck_empty")
def test_forsyth_with_nothing_to_draw() -> None:
    hands = ["FO2", None, None, None, None]  # type: list[str | None]
    assert decision_after(exhausted(hands, supporters="CR5 CR6"), "FO2 up") == "turn"
    assert decision_after(exhausted(hands, supporters="CR5 CR6", deck="CR1"), "FO2 up") == "power"


@pytest.mark.rule("lords.no_effect")
def test_cockburn_without_a_supporter_cannot_happen_and_with_one_is_offered() -> None:
    """Every skirmish has a supporter (lords.deck_empty), and Cockburn leaves one for another."""
    match = at(["CB2", "SC8"], supporters="CR1")
    play(match, "CB2 up", "use", "take CR1")
    assert cards(match, "supporters") == ["CB2"]
