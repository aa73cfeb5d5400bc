"""Positions of Lords of Scotland: what setup takes and refuses, and how matches go on."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tanistry import Game, IllegalMove, PositionError
from tests.games.lords_positions import at, lords, play, position


def refused(change: dict[str, Any], options: dict[str, Any] | None = None, **more: Any) -> str:
    """The code of the error for a position changed so."""
    hands = more.pop("hands", ["SC7 MK2", "SC8"])
    given = position(hands, more.pop("armies", None), **more)
    for key, value in change.items():
        given[key] = {**given[key], **value} if isinstance(value, dict) else value
    with pytest.raises(PositionError) as error:
        lords(len(hands), **(options or {})).setup(given)
    for lang in ("en", "fr"):
        text = error.value.message(lang)
        assert " " in text, text
        assert not re.search(r"{\w*}", text), text
    return error.value.code.removeprefix("position/")


@pytest.mark.rule("lords.setup")
def test_what_cannot_be_is_refused() -> None:
    assert refused({"facts": {"round": 6}}) == "fact_value"
    assert refused({"facts": {"initiative": 2}}) == "fact_value"
    assert refused({"facts": {"mood": 1}}) == "fact"
    assert refused({}, bruce=True) == "aside"
    assert refused({}, options={"bruce": True}) == "aside"
    assert refused({}, supporters="CR5 CR6 CR7") == "supporters"
    assert refused({}, supporters="") == "no_supporters"
    assert refused({}, hands=["SC7", " ".join(f"MK{n}" for n in range(1, 12))]) == "crowded"
    assert refused({}, victory=["SC12 MK12 MD12 WE12", ""]) == "target"
    assert refused({}, recruits="_ _ _ _ _", hands=["", "SC8"]) == "idle"


@pytest.mark.rule("lords.end_powers", "lords.macdonnell")
def test_flags_that_cannot_be() -> None:
    assert refused({}, armies=["WE3*CR", ""]) == "active"
    assert refused({}, armies=["CR3*MD", ""]) == "active"
    assert refused({}, armies=["MD3?*MD", ""]) == "down_flags"
    assert refused({}, armies=["MD3~*MD", ""]) == "active"
    assert refused({}, armies=["WE3~", ""]) == "spent"
    assert refused({}, armies=["MD3?~", ""]) == "down_flags"
    army = [{"card": "WE3", "up": "yes"}]
    assert refused({"places": {"army.0": army}}, armies=["WE3", ""]) == "flag_value"
    army = [{"card": "WE3", "active": "FE"}]
    assert refused({"places": {"army.0": army}}, armies=["WE3", ""]) == "flag_value"


@pytest.mark.rule("lords.skirmish", "lords.makgill")
def test_armies_larger_than_the_turns_allow() -> None:
    assert refused({}, armies=["WE3", ""], round=1) == "army_early"
    eleven = " ".join(f"WE{n}" for n in range(1, 12))
    sixteen = eleven + " MD1 MD2 MD3 MD4 MD5"
    assert refused({}, armies=[sixteen, ""], hands=["", "SC8"]) == "army_large"
    at(["", "SC8"], [sixteen, ""], round=3)
    assert refused({}, armies=["MD3*MD MD4*MD", ""], round=2) == "army_stays"


@pytest.mark.rule("lords.flip", "lords.activate", "lords.used")
def test_decisions_that_cannot_have_come() -> None:
    assert refused({}, decision="flip") == "flip"
    edition = {"edition": "2010"}
    assert refused({}, decision="flip", options=edition, initiative=1) == "flip"
    up = "CR5^ CR6^ CR7^ CR8^ CR9^"
    assert refused({}, decision="flip", options=edition, recruits=up) == "flip"
    assert refused({}, decision="power") == "no_actor"
    assert refused({}, decision="power", armies=["CR3?", ""]) == "no_actor"
    assert refused({}, decision="power", armies=["MD3~", ""]) == "no_actor"
    assert refused({}, decision="power", armies=["CR3", "WE2"]) == "no_power"
    assert refused({}, decision="power", armies=["WE3", ""]) == "no_power"
    assert refused({}, decision="engage", armies=["CR3", ""]) == "wrong_actor"
    assert refused({}, decision="copy", armies=["CR3", "WE4"]) == "wrong_actor"
    assert refused({}, decision="swap_ally", armies=["SC3", "WE4"]) == "wrong_actor"
    assert refused({}, decision="swap_ally", armies=["FE3", ""]) == "no_power"
    assert refused({}, decision="engage", armies=["MK3", ""], hands=["", "SC8"]) == "no_power"


@pytest.mark.rule("lords.claim", "lords.order", "lords.reveal", "lords.end")
def test_claims_and_ends_that_cannot_be() -> None:
    claim = {"decision": "claim", "armies": ["CR3", "WE2"], "round": 5}
    assert refused({}, **{**claim, "round": 4}) == "claim_round"
    assert refused({}, **{**claim, "armies": ["CR3?", "WE2"]}) == "not_revealed"
    assert refused({}, **{**claim, "armies": ["", "WE2"]}) == "claimant"
    assert refused({}, **claim, order=[1, 0]) == "order_counted"
    assert refused({}, **claim, order=["a"]) == "fact_value"
    assert refused({}, **claim, claims=2) == "fact_value"
    assert refused({}, to_act=None) == "not_over"


@pytest.mark.rule("common.secrecy")
def test_knowledge_that_cannot_be() -> None:
    hand = [{"card": "SC7", "known": [1]}, "MK2"]
    assert refused({"places": {"hand.0": hand}}) == "unknown"
    army = [{"card": "WE3", "up": True, "known": [0]}]
    assert refused({"places": {"army.0": army}}, armies=["WE3", ""]) == "unknown"
    assert refused({}, seen=[["CR12"], []]) == "seen"
    assert refused({}, seen=[["CR12"]]) == "fact_value"
    assert refused({}, shuffled={"x": ["CR12"]}) == "fact_value"
    assert refused({}, history=["0 +#0"]) == "history"
    assert refused({}, history=["0 down 0.1"], armies=["WE3", ""]) == "history"
    # nothing of that class is in the hand, so it cannot have come after the card was played
    history = ["0 down 0.1", "0 +CR12"]
    assert refused({}, history=history, armies=["WE3?", ""]) == "history"


@pytest.mark.rule("common.secrecy", "lords.recruit", "lords.fergusson")
def test_nobody_knows_what_it_cannot_have_seen() -> None:
    three = {"hands": ["SC7 MK2", "SC8", "SC9"]}
    hand = [{"card": "SC7", "known": [0, 1]}, "MK2"]  # taken face up, it is known to all
    assert refused({"places": {"hand.0": hand}}, **three) == "unseen"
    recruits = [{"card": "CR5", "up": False, "known": [0]}]
    assert refused({"places": {"recruits": recruits}}, recruits="CR5", **three) == "unseen"
    places = position(["SC7", "SC8"])["places"]
    deck = [{"card": places["deck"][0], "known": [0]}, *places["deck"][1:]]
    assert refused({"places": {"deck": deck}}, hands=["SC7", "SC8"]) == "unseen"
    swapped = {"card": "WE3", "up": False, "known": [0, 2]}  # seat 2 has had it in its army
    given = position(["SC7", "SC8", "SC9"], ["WE3?", "", ""])
    given["places"]["army.0"] = [swapped]
    assert lords(3).setup(given).view(2)["places"]["army.0"][0]["card"] == "WE3"


@pytest.mark.rule("lords.scott", "lords.makgill", "lords.cochrane", "common.illegal")
def test_any_point_of_a_chain_can_be_set_up_again() -> None:
    match = at(["MK5 MK4 SC3 WE12 CR2", "SC8"], ["", "CB9"], supporters="FE10 MD12", round=5)
    tokens = [
        "MK5 up", "use", "MK4 up", "use", "SC3 up", "use", "copy 1.1", "take MD12", "SC8 down",
        "claim SC3", "claim FE10",
    ]  # fmt: skip
    for token in tokens:
        again = match.game.setup(match.position(), seed=1)
        assert again.position() == match.position()
        assert (again.to_act, again.decision) == (match.to_act, match.decision)
        assert again.legal() == match.legal()
        with pytest.raises(IllegalMove):
            again.play("nonsense")
        match.play(token)


@pytest.mark.rule("lords.cochrane", "lords.claim")
def test_between_two_claims() -> None:
    match = at(["SC7", "SC8", "SC9"], ["CR12*CR", "WE5", ""], supporters="FO1 FO2 FO3",
               decision="claim", round=5)  # fmt: skip
    play(match, "claim FO1")
    between = match.game.setup(match.position())
    assert between.position()["facts"]["claims"] == 1
    play(between, "claim FO2")
    assert between.to_act == 1


GAMES = [
    lords(2), lords(3, edition="2010", bruce=True), lords(4, bruce=True), lords(5),
    lords(2, activation="clan", target=100, bruce=True),
]  # fmt: skip


@pytest.mark.rule("lords.skirmish", "common.secrecy")
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_position_of_a_match_goes_on_alike(game: Game) -> None:
    rng = random.Random(4)
    match = game.deal(4)
    while match.to_act is not None:
        token = rng.choice(match.legal())
        if match.decision not in ("turn", "flip") or rng.random() < 0.25:
            again = game.setup(match.position(), seed=9)
            ours = match.copy()
            game.rekey(ours._s, again._key)
            for seat in [*range(game.seats), None]:
                assert again.view(seat) == ours.view(seat)
            ours.play(token)
            again.play(token)
            assert again.position() == ours.position()
        match.play(token)
    assert game.setup(match.position()).result == match.result
