"""What networks are shown beside the cards: what can still become of them."""

from __future__ import annotations

from typing import Any

import tanistry
from tanistry import Match
from tanistry.simulation.observation import observation, observe
from tests.games import claim_positions, kilt_positions, lords_positions, schotten_positions

CLAIM = tanistry.game("claim")


def seen(match: Match, seat: int = 0) -> dict[str, Any]:
    layout = observation(match.game, insights=True)
    return layout.read(observe(match, seat, insights=True))


def test_what_a_side_of_schotten_totten_can_become() -> None:
    """R8 and R9 lack R7 for the best of all, wherever it is; B6 and G6 cannot be a run."""
    stones = {1: ("R8 R9", "B6 G6"), 2: ("", "Y1 Y2 Y3")}
    match = schotten_positions.setup(stones, hands=("R1 B9 G1", "R7"))
    names = [f"{formation} at 1" for formation in ("sum", "run", "colour", "team", "colour run")]
    columns = observation(match.game, insights=True)["can become"].columns
    best = [columns[i] for i in seen(match)["can become"][0].nonzero()[0]]
    assert [name for name in best if name in names] == ["colour run at 1"]
    read = seen(match)
    assert read["can sum"][:, 0].tolist() == [24, 18]  # R7 R8 R9 and a third 6
    assert read["for a colour run"][:, 0].tolist() == [1, 0]
    assert read["for a team"][:, 0].tolist() == [0, 4]
    assert read["for a run"][:, 0].tolist() == [6, 0]
    assert read["for a colour"][:, 0].tolist() == [7, 0]
    assert read["held for a colour"][0, 0] == 1  # R1
    assert read["held for a run"][0, 0] == 0
    assert read["ahead"][:, 0].tolist() == [1, 0]
    assert read["decided"][:, 1].tolist() == [0, 0]  # R7 R8 R9 would beat it yet


def test_what_another_holds_is_as_good_as_in_the_deck() -> None:
    stones = {1: ("R8 R9", "B6 G6")}
    one = seen(schotten_positions.setup(stones, hands=("R1", "R7")))
    other = seen(schotten_positions.setup(stones, hands=("R1", "B1")))
    for name in ("can become", "can sum", "for a colour run", "ahead", "decided"):
        assert one[name].tolist() == other[name].tolist()


def test_a_card_of_ones_own_does_not_help_the_other() -> None:
    stones = {1: ("R1 R2 R3", "B8 B9")}
    assert seen(schotten_positions.setup(stones, hands=("B7", "")))["decided"][0, 0] == 1
    assert seen(schotten_positions.setup(stones, hands=("", "B7")))["decided"][0, 0] == 0


def test_what_armies_of_lords_come_to() -> None:
    match = lords_positions.at(
        ["MK7 MK9 SC12", "FE1"], ["MK2 MK3", "SC9 FE8?"], supporters="CR11 FO4", round=3
    )
    read = seen(match)
    assert read["army strength"][:, 0].tolist() == [5, 9]  # a card face down is not known
    assert read["of one clan"][:, 0].tolist() == [1, 0]
    assert read["army counts"][:, 0].tolist() == [10, 9]
    assert read["strongest"][:, 0].tolist() == [1, 0]
    assert read["stakes"][0].tolist() == [11, 4, 0, 0, 0]
    clans = observation(match.game, insights=True)["with hand"].columns
    assert dict(zip(clans, read["with hand"][0].tolist(), strict=True))["MK"] == 2 * (5 + 16)
    assert sum(read["with hand"][0] > 0) == 1
    assert seen(match, 1)["army strength"][:, 0].tolist() == [17, 5]  # who has laid it knows it


def test_whose_family_stands_where_in_kings_kilt() -> None:
    """Wallace is King, Macleod and Douglas are Guardians, Buchanan, Macbeth and Mackay Nobles."""
    match = kilt_positions.setup(kilt_positions.FULL, influence=("BR", "WA"), crowned=True)
    read, layout = seen(match), observation(match.game, insights=True)
    assert read["family points"][:, 0].tolist() == [2, 0]  # BR BU MB; the other's is not known
    cells = dict(zip(layout["kin"].columns, read["kin"][0].tolist(), strict=True))
    assert [cells[name] for name in ("4.0", "4.1", "4.2", "6.0")] == [1, 1, 0, 0]
    assert not read["kin"][1].any()
    clans = dict(zip(layout["clan points"].columns, read["clan points"][0].tolist(), strict=True))
    assert (clans["WA"], clans["ML"], clans["BU"], clans["BR"]) == (3, 2, 1, 0)
    assert seen(match, 1)["can strike"].all()  # the King's clan reaches everybody
    assert not seen(match, 0)["can strike"].all()


def named(match: Match, seat: int, name: str) -> dict[str, int]:
    """What is not 0 of an insight that has one row, by column."""
    columns = observation(match.game, insights=True)[name].columns
    numbers = seen(match, seat)[name][0].tolist()
    return {column: number for column, number in zip(columns, numbers, strict=True) if number}


def test_which_cards_of_claim_win_which_tricks() -> None:
    """In phase 2 a hand is known, and with it what it may answer (claim.follow, claim.doppel)."""
    match = CLAIM.setup(claim_positions.phase2("G3 G9 U4 D2", "G5 K7 U2 X3"))
    assert list(named(match, 0, "may hold")) == ["G5", "K7", "U2", "X3"]
    assert named(match, 0, "beaten by") == {"G3": 1, "D2": 1}  # by G5, K7 may not; by X3 alone
    assert list(named(match, 0, "unbeaten")) == ["G9", "U4"]
    assert named(match, 0, "doomed") == {}
    assert named(match, 0, "beats") == {"G5": 1, "U2": 1}
    assert seen(match)["top cards"][:, 0].tolist() == [2, 2]
    assert named(match, 1, "doomed") == {"U2": 1}  # U4 must follow


def test_which_cards_of_claim_take_the_trick() -> None:
    """claim.knight: a Knight takes a Goblin, where none is held."""
    match = CLAIM.setup(claim_positions.phase2("G3", "K7 X2", led="G8", leader=0))
    assert list(named(match, 1, "takes")) == ["K7"]
    assert named(match, 0, "takes") == {}


def test_while_a_hand_of_claim_is_hidden_all_that_is_unseen_may_be_in_it() -> None:
    deals = (("K9 X8", "D9 D8 G0"), ("D9 G0", "K9 X8 D8"))
    for hand, deck in deals:
        match = CLAIM.setup(claim_positions.phase1("G5 K5", hand, prize="D4", deck=deck))
        held = named(match, 0, "may hold").keys()
        assert {"K9", "X8", "D9", "D8", "G0"} <= held
        assert not {"G5", "K5", "D4"} & held
        assert named(match, 0, "beaten by")["K5"] == 2  # K9, X8


def test_votes_of_claim_that_nothing_can_change() -> None:
    """claim.vote: seat 0 has six Knights of eight, seat 1 more Dwarves, but for how long?"""
    match = CLAIM.setup(
        claim_positions.phase2(
            "K8 D1", "K9 D2", score0="K2 K3 K4 K5 K6 K7", score1="D3 D4 G5 G6 X1"
        )
    )
    read, columns = seen(match), observation(match.game, insights=True)["vote"].columns
    votes = [dict(zip(columns, row, strict=True)) for row in read["vote"].tolist()]
    settled = [dict(zip(columns, row, strict=True)) for row in read["settled"].tolist()]
    assert (votes[0]["K"], votes[1]["D"], settled[0]["K"]) == (1, 1, 1)
    assert settled[1]["G"] == 1  # no Goblin is left
    assert settled[1]["D"] == 0  # two may yet come, and then the highest decides
