"""Scenarios for Lords of Scotland: what each clan's power does, in chains and copied by Scott."""

from __future__ import annotations

import pytest

from tanistry import IllegalMove, Match
from tests.games.lords_positions import at, cards, entry, exhausted, play


def refusal(match: Match, token: str) -> str:
    before = match.position()
    with pytest.raises(IllegalMove) as refused:
        match.play(token)
    assert match.position() == before
    return refused.value.rule


# -- Cockburn, Fergusson, Forsyth, Wemyss ---------------------------------------------------------


@pytest.mark.rule("lords.cockburn")
def test_cockburn() -> None:
    match = at(["CB2", "SC8"], ["WE5", ""], supporters="FE9 MD12")
    play(match, "CB2 up", "use")
    assert (match.decision, match.legal()) == ("swap_supporter", ["take MD12", "take FE9"])
    assert refusal(match, "take CB2") == "common.illegal"  # one of the *other* supporters
    assert refusal(match, "skip") == "common.illegal"
    play(match, "take MD12")
    assert cards(match, "army.0") == ["WE5", "MD12"]
    assert set(cards(match, "supporters")) == {"FE9", "CB2"}
    assert entry(match, "army.0", "MD12") == {
        "card": "MD12", "up": True, "active": None, "spent": False,
    }  # fmt: skip
    assert match.to_act == 1


@pytest.mark.rule("lords.used")
def test_a_used_power_is_carried_out() -> None:
    match = at(["CB2", "SC8"], supporters="FE9 MD12")
    play(match, "CB2 up", "use")
    assert "skip" not in match.legal()
    assert refusal(match, "skip") == "common.illegal"


@pytest.mark.rule("lords.fergusson")
@pytest.mark.parametrize("edition", ["2010", "2015"])
def test_fergusson(edition: str) -> None:
    match = at(["FE2 SC1", "SC8", "SC9"], ["WE5", "MD11 CR12", "CB7"], options={"edition": edition})
    play(match, "FE2 up", "use")
    assert match.legal() == ["swap 1.1", "swap 1.2", "swap 2.1"]
    assert refusal(match, "swap 0.1") == "lords.fergusson"
    assert refusal(match, "swap 1.3") == "common.illegal"
    play(match, "swap 1.1")
    assert cards(match, "army.0") == ["WE5", "MD11"]
    assert cards(match, "army.1") == ["CR12", "FE2"]
    assert match.to_act == 1


@pytest.mark.rule("lords.fergusson", "lords.end_powers")
def test_a_swapped_ally_takes_its_active_power_along() -> None:
    match = at(["FE2", "SC8"], ["", "CR9*CR MD4~"])
    play(match, "FE2 up", "use", "swap 1.1")
    assert entry(match, "army.0", "CR9")["active"] == "CR"
    match = at(["FE2", "SC8"], ["", "CR9*CR MD4~"])
    play(match, "FE2 up", "use", "swap 1.2")
    assert entry(match, "army.0", "MD4")["spent"]


@pytest.mark.rule("lords.forsyth")
def test_forsyth() -> None:
    match = at(["FO3", "SC8"], deck="CR12")
    events = play(match, "FO3 up", "use")
    assert cards(match, "hand.0") == ["CR12"]
    (drawn,) = [e for e in events if e.type == "move" and e.public["from"] == "deck"]
    assert drawn.rule == "lords.forsyth"
    assert drawn.seen_by(0)["card"] == "CR12"
    assert drawn.seen_by(1)["card"] is drawn.seen_by(None)["card"] is None
    assert match.to_act == 1


@pytest.mark.rule("lords.forsyth", "lords.deck_empty")
def test_forsyth_draws_from_the_shuffled_discard() -> None:
    match = at(["FO3", "SC8"], rest="discard")
    size = len(cards(match, "discard"))
    events = play(match, "FO3 up", "use")
    assert [e.public["cards"] for e in events if e.type == "reshuffle"] == [size]
    assert cards(match, "discard") == []
    assert len(cards(match, "deck")) == size - 1
    assert len(cards(match, "hand.0")) == 1


@pytest.mark.rule("lords.wemyss")
@pytest.mark.parametrize(
    ("token", "gone"), [("discard 0.1", "FE5"), ("discard 1.1", "MD11"), ("discard 1.2", "CR3")]
)
def test_wemyss(token: str, gone: str) -> None:
    match = at(["WE2", "SC8"], ["FE5", "MD11*MD CR3?"])
    play(match, "WE2 up", "use")
    assert match.legal() == ["discard 0.1", "discard 1.1", "discard 1.2"]
    assert refusal(match, "discard 0.2") == "lords.wemyss"  # another ally
    assert refusal(match, "discard 1.3") == "common.illegal"
    play(match, token)
    assert cards(match, "discard") == [gone]
    assert gone in match.view(None)["places"]["discard"]
    assert match.to_act == 1


@pytest.mark.rule("lords.cockburn", "lords.wemyss", "lords.lowest", "lords.by_clan")
@pytest.mark.parametrize(
    ("activation", "chosen", "decision"),
    [
        ("lowest", "CB2 up, use, take FE9", "power"),  # Cockburn has left, Fergusson is stronger
        ("lowest", "CB2 up, use, take MD3", "turn"),  # MacDonnell is weaker, and there to stay
        ("lowest", "CB2 up, skip", "turn"),
        ("clan", "WE1 up, use, discard 1.1", "power"),  # the weaker Forsyth is gone
        ("clan", "WE1 up, skip", "turn"),
    ],
)
def test_only_allies_still_there_stand_against_a_power(
    activation: str, chosen: str, decision: str
) -> None:
    theirs = "FO2" if activation == "clan" else ""
    match = at(
        ["CB2 WE1", "FO5"], ["", theirs], supporters="FE9 MD3", options={"activation": activation}
    )
    play(match, *chosen.split(", "), "FO5 up")
    assert match.decision == decision


# -- Makgill --------------------------------------------------------------------------------------


@pytest.mark.rule("lords.makgill")
def test_makgill_engages_another_at_once() -> None:
    match = at(["MK5 CR9 FE3", "SC8"])
    play(match, "MK5 up", "use")
    assert (match.to_act, match.decision) == (0, "engage")
    assert match.legal() == ["FE3 up", "CR9 up", "FE3 down", "CR9 down"]
    assert refusal(match, "recruit 1") == "common.illegal"
    play(match, "CR9 up")  # does not qualify: Makgill 5 is lower
    assert (match.to_act, match.decision) == (1, "turn")
    assert cards(match, "army.0") == ["MK5", "CR9"]


@pytest.mark.rule("lords.makgill", "lords.scott", "lords.cockburn")
def test_makgill_into_makgill_into_scott_copying_cockburn() -> None:
    match = at(["MK5 MK4 SC3 WE12", "SC8"], ["", "CB9"], supporters="FE10 MD12")
    play(match, "MK5 up", "use", "MK4 up", "use", "SC3 up", "use")
    assert match.decision == "copy"
    assert match.legal() == ["copy 0.1", "copy 0.2", "copy 1.1"]
    play(match, "copy 1.1")
    assert match.decision == "swap_supporter"
    play(match, "take MD12")
    assert cards(match, "army.0") == ["MK5", "MK4", "MD12"]
    assert set(cards(match, "supporters")) == {"FE10", "SC3"}
    assert (match.to_act, match.decision) == (1, "turn")


@pytest.mark.rule("lords.makgill")
def test_a_chain_may_stop_and_a_card_engaged_face_down_ends_it() -> None:
    match = at(["MK5 MK4 MK3 WE12", "SC8"])
    play(match, "MK5 up", "use", "MK4 up", "use", "MK3 down")
    assert (match.to_act, match.decision) == (1, "turn")
    match = at(["MK5 MK4 MK3 WE12", "SC8"])
    play(match, "MK5 up", "use", "MK4 up", "skip")
    assert (match.to_act, match.decision) == (1, "turn")


@pytest.mark.rule("lords.makgill", "lords.no_effect")
def test_a_chain_of_the_whole_hand() -> None:
    """Nine Makgill and Scott cards, each lower than the one before; the last has no hand left."""
    hand = "MK12 MK11 SC10 MK9 SC8 MK7 SC6 MK5 MK4 MK3"
    match = at([hand, "CR1"])
    play(match, "MK12 up", "use", "MK11 up", "use", "SC10 up", "use", "copy 0.1", "MK9 up", "use")
    play(match, "SC8 up", "use", "copy 0.1", "MK7 up", "use", "SC6 up", "use", "copy 0.2")
    play(match, "MK5 up", "use", "MK4 up", "use", "MK3 up")
    assert (match.to_act, len(cards(match, "army.0"))) == (1, 10)


# -- Scott ----------------------------------------------------------------------------------------


@pytest.mark.rule("lords.scott")
def test_what_scott_may_copy() -> None:
    match = at(["SC2", "SC8"], ["WE5 FE3?", "MD11~ SC10*CR MK9 CR4"], deck="", options=None)
    play(match, "SC2 up", "use")
    # Makgill 9 would have no effect: the hand is empty
    assert match.legal() == ["copy 0.1", "copy 1.1", "copy 1.4"]
    assert refusal(match, "copy 0.3") == "lords.scott"  # itself
    assert refusal(match, "copy 0.2") == "lords.scott"  # face down
    assert refusal(match, "copy 1.2") == "lords.scott"  # another Scott, whatever it copied
    assert refusal(match, "copy 1.3") == "lords.no_effect"
    assert refusal(match, "copy 1.5") == "common.illegal"


def scott_copies(ally: str, *, hand: str = "SC2", **more: object) -> Match:
    match = at([hand, "SC8"], ["", ally], **more)
    play(match, "SC2 up", "use", "copy 1.1")
    return match


@pytest.mark.rule("lords.scott", "lords.wemyss")
def test_scott_copies_wemyss() -> None:
    match = scott_copies("WE9 FE4")
    assert match.legal() == ["discard 1.1", "discard 1.2"]
    play(match, "discard 1.1")
    assert cards(match, "army.0") == ["SC2"]
    assert cards(match, "discard") == ["WE9"]


@pytest.mark.rule("lords.scott", "lords.fergusson")
def test_scott_copies_fergusson() -> None:
    match = scott_copies("FE9 WE4")
    play(match, "swap 1.1")
    assert cards(match, "army.0") == ["FE9"]
    assert cards(match, "army.1") == ["WE4", "SC2"]


@pytest.mark.rule("lords.scott", "lords.forsyth")
def test_scott_copies_forsyth() -> None:
    match = scott_copies("FO9", deck="CR12")
    assert cards(match, "hand.0") == ["CR12"]
    assert match.to_act == 1


@pytest.mark.rule("lords.scott", "lords.makgill")
def test_scott_copies_makgill() -> None:
    match = scott_copies("MK9", hand="SC2 WE1")
    assert (match.decision, match.legal()) == ("engage", ["WE1 up", "WE1 down"])


@pytest.mark.rule("lords.scott", "lords.end_powers")
@pytest.mark.parametrize(("ally", "power"), [("CR9", "CR"), ("MD9", "MD"), ("MD9~", "MD")])
def test_scott_copies_a_power_of_the_end(ally: str, power: str) -> None:
    match = scott_copies(ally)
    assert entry(match, "army.0", "SC2")["active"] == power
    assert entry(match, "army.1", ally[:3])["active"] is None  # it need not have used it
    assert match.to_act == 1


@pytest.mark.rule("lords.scott", "lords.bruce")
def test_scott_copies_bruce() -> None:
    match = scott_copies("BR97*BR", options={"bruce": True})
    assert entry(match, "army.0", "SC2")["active"] == "BR"
    assert entry(match, "army.1", "BR97")["active"] == "BR"  # the copied ally keeps its power


@pytest.mark.rule("lords.end_powers")
def test_once_activated_stays_so_whatever_is_played() -> None:
    match = at(["CR5 SC9", "FE1 SC8"], ["", "SC10"])
    play(match, "CR5 up", "use", "FE1 up", "skip")
    assert entry(match, "army.0", "CR5")["active"] == "CR"


@pytest.mark.rule("lords.end_powers")
def test_a_power_that_was_not_used_never_acts() -> None:
    match = at(["CR5", "SC10"], ["SC9", ""], supporters="FE1 FE2", round=5)
    play(match, "CR5 down", "SC10 down", "claim FE2")
    assert (match.to_act, match.decision) == (1, "claim")


@pytest.mark.rule("lords.no_effect", "lords.scott")
def test_scott_cannot_copy_forsyth_without_a_card_to_draw() -> None:
    hands = ["SC2", None, None, None, None]  # type: list[str | None]
    match = exhausted(hands, supporters="CR5 CR6", armies=["", "FO9", "", "", ""])
    play(match, "SC2 up")
    assert (match.to_act, match.decision) == (1, "turn")
