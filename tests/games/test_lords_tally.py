"""What the rules of Lords of Scotland tell of how a match stands, and to whom."""

from __future__ import annotations

import pytest

from tests.games.lords_positions import at, lords, play


@pytest.mark.rule("lords.strength", "lords.order", "common.secrecy")
def test_an_army_is_as_strong_as_its_known_allies() -> None:
    match = at(["SC7", "SC8"], ["CR3 CR4", "WE9? MD5"], round=3)
    for onlooker in (0, None):
        ours, theirs = match.tally(onlooker)["armies"]
        assert (ours["strength"], ours["doubled"], ours["rank"]) == (14, True, 32)
        assert (theirs["strength"], theirs["hidden"], theirs["doubled"]) == (5, 1, False)
        assert match.tally(onlooker)["order"][0] == {"seat": 0, "by": "strength"}
    owner = match.tally(1)
    assert (owner["armies"][1]["strength"], owner["armies"][1]["hidden"]) == (14, 0)
    assert owner["order"] == [{"seat": 1, "by": "rank"}, {"seat": 0, "by": None}]


@pytest.mark.rule("lords.strength", "common.secrecy")
def test_a_hidden_ally_leaves_open_whether_the_army_is_doubled() -> None:
    match = at(["SC7", "SC8"], ["", "CR3 CR4 CR9?"], round=3)
    assert match.tally(0)["armies"][1] == {
        "strength": 7, "hidden": 1, "doubled": False, "clan": "CR", "rank": 32, "claims": 1,
    }  # fmt: skip
    assert match.tally(1)["armies"][1]["strength"] == 32


@pytest.mark.rule("lords.bruce", "lords.scott", "lords.macdonnell", "lords.end_powers")
def test_end_powers_on_the_table() -> None:
    armies = ["BR97*BR CR2*CR", "SC3*MD MD5~ WE1?"]
    match = at(["SC7", "SC8"], armies, options={"bruce": True}, round=3)
    powers = [
        (p["place"], p["slot"], p["card"], p["power"], p["copied"], p["spent"])
        for p in match.tally(None)["powers"]
    ]
    assert powers == [
        ("army.0", 0, "BR97", "BR", False, False),
        ("army.0", 1, "CR2", "CR", False, False),
        ("army.1", 0, "SC3", "MD", True, False),
        ("army.1", 1, "MD5", "MD", False, True),
    ]
    assert match.tally(None)["armies"][0]["doubled"]  # lords.bruce
    assert [army["claims"] for army in match.tally(None)["armies"]] == [2, 1]


@pytest.mark.rule("lords.claim", "lords.cochrane", "lords.none_left")
def test_claims_that_are_left() -> None:
    match = at(["SC7", "SC8", "SC9"], ["CR12*CR", "WE5", "WE7 FO5"], supporters="FO1 FO2 FO3",
               decision="claim", round=5)  # fmt: skip
    assert match.tally(None)["claims_left"] == [2, 0, 1]  # three supporters for four claims
    play(match, "claim FO1")
    assert match.tally(None)["claims_left"] == [1, 0, 1]
    assert match.tally(None)["score"] == [1, 0, 0]


@pytest.mark.rule("lords.activate", "lords.lowest", "lords.no_effect", "common.secrecy")
def test_usable_powers_are_those_a_card_engaged_now_may_use() -> None:
    match = at(["MK2 CR1 WE9 SC2", "SC8 WE4"], ["", "FE3"], round=3)
    usable = match.tally(0)["usable"]
    for code in ("MK2", "CR1", "WE9", "SC2"):
        tried = match.copy()
        play(tried, f"{code} up")
        assert (tried.decision == "power") == (code in usable), code
    before = match._s.tobytes()
    assert "usable" not in match.tally(None)
    assert match.tally(1)["usable"] == []
    assert match._s.tobytes() == before


@pytest.mark.rule("lords.end")
def test_at_the_end_the_tally_is_the_result() -> None:
    match = lords(3).deal(3)
    while match.to_act is not None:
        match.play(match.legal()[-1])
    result = match.result
    assert result is not None
    assert match.tally(None)["score"] == result.scores
