"""Positions of King's Kilt: those that can be played on are taken, all others refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tanistry
from tanistry import PositionError
from tests.games.kilt_positions import BASE, FULL, cards, position, pyramid, setup

NOBLES = [BASE, "WA BR BU - -", "ML DO - -"]
GUARDIANS = [BASE, "WA BR BU MB -", "ML DO WA -", "BU MB -"]
Position = dict[str, Any]


def refusal(given: Position) -> str:
    kilt = tanistry.game("kilt", seats=given["seats"], **given["options"])
    with pytest.raises(PositionError) as info:
        kilt.setup(given)
    for lang in ("en", "fr"):
        text = info.value.message(lang)
        assert " " in text
        assert "{" not in text
    return info.value.code.removeprefix("position/")


def during(rows: list[str], *tokens: str, seats: int = 2) -> Position:
    """The position after these choices."""
    match = setup(rows, seats=seats, influence=("ML", "ML"))
    for token in tokens:
        match.play(token)
    return match.position()


def change(given: Position, **parts: Any) -> Position:
    """The position with other facts or head entries."""
    head = {key: value for key, value in parts.items() if key in given}
    facts = {key: value for key, value in parts.items() if key not in given}
    return {**given, **head, "facts": {**given["facts"], **facts}}


def move(given: Position, card: str, source: str, target: str) -> Position:
    places = {name: list(entries) for name, entries in given["places"].items()}
    places[source].remove(card)
    places[target] = [*places.get(target, []), card]
    return {**given, "places": {name: entries for name, entries in places.items() if entries}}


# -- taken ----------------------------------------------------------------------------------------


def test_facts_can_be_left_out_between_turns() -> None:
    match = setup(FULL, seats=3, to_act=1)
    assert match.position()["facts"] == {
        "active": 1,
        "vacuum": None,
        "owed": [0, 0, 0],
        "passed": [],
        "nobles": True,
        "guardians": True,
        "crowned": True,
        "rebuilt": False,
    }


@pytest.mark.rule("kilt.end")
def test_an_ended_match_needs_no_facts() -> None:
    match = setup(FULL, to_act=None, decision="")
    assert match.position()["facts"]["passed"] == [0, 1]
    assert match.result is not None
    assert match.view(None)["places"]["family.1"] == ["MK", "ML", "DO"], "families are revealed"


@pytest.mark.rule("kilt.vacuum")
def test_a_fill_can_be_set_up() -> None:
    rows = [BASE, "WA BR BU - -", "- DO - -"]
    match = setup(rows, decision="fill", vacuum="3.0", deck="WA!")
    assert match.legal() == ["fill <", "fill >"]
    match.play("fill >")
    match.play("fill <")
    assert pyramid(match) == ["BR! WA! MB! MK! ML! DO!", "WA BU! BU - -", "BR DO - -"]


@pytest.mark.rule("kilt.guardians")
def test_a_reveal_can_be_set_up() -> None:
    rows = [BASE, "WA BR BU MB -", "ML DO WA -", "- MB -", "BU -"]
    what = {"to_act": 1, "decision": "reveal", "vacuum": "4.0", "active": 0}
    match = setup(rows, **what, owed=[0, 2])
    match.play("reveal MK")
    assert (match.to_act, match.decision) == (1, "reveal")
    match.play("reveal ML")
    assert (match.to_act, match.decision) == (0, "fill")


@pytest.mark.rule("kilt.pile_empty")
def test_a_rebuilt_pile_that_is_used_up_again_can_be_set_up() -> None:
    match = setup(FULL, influence=("WA", "WA"), rest="removed")
    match.play("betray WA 1.0")  # its own card is all the pile there is
    assert cards(match, "deck") == []
    assert match.game.setup(match.position()).position() == match.position()


def test_cards_need_not_have_a_history() -> None:
    """Chiefs anywhere in the pile, everything else out of the game: fine for a puzzle."""
    match = setup(FULL, influence=("WA",), deck="BR BR! BU", rest="removed")
    assert cards(match, "deck") == ["BR", "BR!", "BU"]
    match.play("betray WA 1.0")
    assert match.view(None)["places"]["deck"] == ["BR!", {"card": None}]


@pytest.mark.rule("kilt.family8")
def test_the_other_edition_fills_its_word_to_the_last_card() -> None:
    """The last of 64 cards can be held, spent, and drawn like any other."""
    base = "BR! BU! DO! HA! ST! WA!"
    families = ("BR BU DO", "HA MB ML")
    what: dict[str, Any] = {"edition": "8clans", "families": families}
    hand = "WA WA WA WA WA"
    match = setup([base], **what, influence=(hand, "WA"), deck="ST!")
    assert len(match.game.codes) == 64
    match.play("betray WA 1.4")
    assert cards(match, "influence.0") == ["WA"] * 4
    assert match.view(1)["places"]["influence.0"] == [{"card": None}] * 4
    for seed in range(5):
        assert match.blind(1, seed).view(1) == match.view(1)


# -- refused --------------------------------------------------------------------------------------

FILL = during(NOBLES, "climb 3.0>", "reveal MK")
REVEAL = during(NOBLES, "climb 3.0>")
REVEAL_3 = during(NOBLES, "climb 3.0>", seats=3)
GUARD = during(GUARDIANS, "climb 4.0>")
CROWNED = setup(FULL, influence=("WA", "WA")).position()
START = setup([BASE]).position()

WRONG: dict[str, tuple[Callable[[], Position], str]] = {
    "two family cards": (lambda: move(START, "BR", "family.0", "deck"), "count"),
    "a family with a clan twice": (
        lambda: position([BASE], families=("BR BR MB", "MK ML DO")),
        "family",
    ),
    "families that no deal of eight clans gives": (
        lambda: position(
            ["BR! BU! DO! HA! ST! WA!"], edition="8clans", families=("BR BU DO", "BR BU DO")
        ),
        "family8",
    ),
    "a chief in a family": (lambda: position([BASE], families=("BR BU WA!", "MK ML DO")), "chief"),
    "a chief as influence": (lambda: position([BASE], influence=("WA!",)), "chief"),
    "a chief spent": (lambda: position([BASE], discard="WA!"), "chief"),
    "a chief in a pile of spent cards": (lambda: change(START, rebuilt=True), "chief"),
    "five influence cards with four seats": (
        lambda: position([BASE], seats=4, influence=("BR BR BU BU MB",)),
        "crowded",
    ),
    "six influence cards": (lambda: position([BASE], influence=("BR BR BU BU MB MB",)), "crowded"),
    "a family of a seat that is not there": (
        lambda: move(START, "BR", "deck", "family.2"),
        "crowded",
    ),
    "two cards in a cell": (lambda: move(START, "BR", "deck", "pyramid.1.0"), "crowded"),
    "a hole in the base": (lambda: position(["BR! - MB! MK! ML! DO!"]), "base"),
    "a card on one other": (lambda: position([BASE, "WA - BR - -", "BU - - -"]), "support"),
    "a card in the air": (lambda: position([BASE, "- - - - -", "BU - - -"]), "support"),
    "an open card that one seat does not know": (
        lambda: position([BASE], known={"pyramid.1.0": [0]}),
        "unknown",
    ),
    "a hand its owner does not know": (
        lambda: position([BASE], known={"family.0": [1]}),
        "unknown",
    ),
    "no cards to draw": (lambda: position([BASE], rest="removed"), "pile"),
    "too few cards to draw": (
        lambda: position([BASE], deck="BR BR BR BU BU BU MB MB MB", discard="WA", rest="removed"),
        "pile",
    ),
    "over before all have passed": (lambda: change(CROWNED, to_act=None, decision=""), "over"),
    "all have passed and it is not over": (lambda: change(CROWNED, passed=[0, 1]), "over"),
    "passed before the crowning": (lambda: change(START, passed=[1]), "passed_early"),
    "passed and to act": (lambda: change(CROWNED, passed=[0]), "passed_active"),
    "passed is no list of seats": (lambda: change(CROWNED, passed=[2]), "fact_value"),
    "passed twice": (lambda: change(CROWNED, passed=[1, 1]), "fact_value"),
    "a King who was not crowned": (lambda: change(CROWNED, crowned=False), "reached"),
    "a reward taken too early": (lambda: change(START, nobles=True), "reached"),
    "a reward not taken": (lambda: change(CROWNED, guardians=False), "reached"),
    "a fact that is no truth value": (lambda: change(CROWNED, guardians=1), "fact_value"),
    "rebuilt is no truth value": (lambda: change(CROWNED, rebuilt="yes"), "fact_value"),
    "a seat that is not there is active": (lambda: change(START, active=2), "fact_value"),
    "another seat is active in a turn": (lambda: change(START, active=1), "active"),
    "another seat is active in a fill": (lambda: change(FILL, active=1), "active"),
    "a fill without a vacuum": (lambda: change(START, decision="fill"), "vacuum_missing"),
    "a turn with a vacuum": (lambda: change(FILL, decision="turn"), "vacuum_none"),
    "a vacuum that is full": (
        lambda: change(CROWNED, decision="fill", vacuum="3.1"),
        "vacuum_full",
    ),
    "a vacuum in the base": (lambda: change(FILL, vacuum="1.0"), "fact_value"),
    "a vacuum off the pyramid": (lambda: change(FILL, vacuum="7.0"), "fact_value"),
    "a vacuum in the air": (lambda: position([BASE], decision="fill", vacuum="5.0"), "support"),
    "owed is no list": (lambda: change(REVEAL, owed=1), "fact_value"),
    "owed has a seat too many": (lambda: change(REVEAL, owed=[0, 1, 0]), "fact_value"),
    "owed is too much": (lambda: change(REVEAL, owed=[0, 3]), "fact_value"),
    "a reveal that nobody owes": (lambda: change(REVEAL, owed=[0, 0]), "owed_turn"),
    "the active seat owes": (lambda: change(REVEAL, owed=[1, 1]), "owed_many"),
    "two for the nobles": (lambda: change(REVEAL, owed=[0, 2]), "owed_many"),
    "reveals in the wrong order": (lambda: change(REVEAL_3, to_act=2), "owed_turn"),
    "a fill before the reveals": (lambda: change(FILL, owed=[0, 1]), "owed_now"),
    "a reveal after a second climb": (
        lambda: change(
            position([BASE, "WA BR BU - -", "- DO - -"], to_act=1, decision="reveal", vacuum="3.0"),
            active=0,
            owed=[0, 1],
        ),
        "no_reward",
    ),
    "an unknown fact": (lambda: change(START, king="BR"), "fact"),
    "an unknown place": (lambda: move(START, "BR", "deck", "pyramid.2.5"), "place"),
    "a card of the other edition": (lambda: position(["HA! BU! MB! MK! ML! DO!"]), "card"),
    "an eighth member": (
        lambda: position(
            [BASE, "BR BR BR BR -"], influence=("BR", "BR"), families=("BR WA MB", "BR ML DO")
        ),
        "twice",
    ),
}


@pytest.mark.rule("common.counts")
@pytest.mark.parametrize("case", WRONG)
def test_a_position_that_cannot_be_is_refused_with_the_reason(case: str) -> None:
    make, reason = WRONG[case]
    assert refusal(make()) == reason


def test_the_positions_these_start_from_are_taken() -> None:
    for given in (FILL, REVEAL, REVEAL_3, GUARD, CROWNED, START):
        kilt = tanistry.game("kilt", seats=given["seats"])
        assert kilt.setup(given).position() == given


@pytest.mark.rule("kilt.guardians")
def test_two_seats_may_owe_two_family_cards_to_the_first_guardian() -> None:
    assert GUARD["facts"]["owed"] == [0, 2]
    after = tanistry.game("kilt").setup(GUARD)
    after.play("reveal MK")
    assert after.position()["facts"]["owed"] == [0, 1]
    assert refusal(change(after.position(), owed=[0, 2])) == "owed_many"
