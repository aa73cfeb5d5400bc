"""Who knows which card in Lords of Scotland, and what a redealt match may look like."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tanistry import Match
from tests.games.lords_positions import at, cards, lords, play


def seen(match: Match, place: str, seat: int | None) -> list[Any]:
    """The codes a seat sees in a place, None for the others."""
    entries = match.view(seat)["places"].get(place, [])
    return [entry["card"] if isinstance(entry, dict) else entry for entry in entries]


def redealt(match: Match, seat: int | None, n: int = 60) -> list[Match]:
    found = [match.blind(seat, number) for number in range(n)]
    for other in found:
        assert other.view(seat) == match.view(seat)
        match.game.notation.check(other._s)
    return found


# -- what is seen ---------------------------------------------------------------------------------


@pytest.mark.rule("lords.look", "lords.engage", "common.secrecy")
def test_a_face_down_ally_is_known_to_its_owner_alone() -> None:
    match = at(["CR3 SC1", "SC8", "SC9"])
    events = play(match, "CR3 down")
    assert seen(match, "army.0", 0) == ["CR3"]
    assert seen(match, "army.0", 1) == seen(match, "army.0", None) == [None]
    assert match.view(1)["places"]["army.0"] == [
        {"card": None, "up": False, "active": None, "spent": False}
    ]
    for event in events:
        if "card" in event.public and event.type != "flip":
            assert event.seen_by(0)["card"] == "CR3"
            assert event.seen_by(1)["card"] is event.seen_by(None)["card"] is None


@pytest.mark.rule("lords.fergusson", "lords.look")
def test_a_swapped_face_down_ally_is_known_to_both_owners() -> None:
    match = at(["FE2", "SC8", "SC9"], ["", "CR3?", ""])
    play(match, "FE2 up", "use", "swap 1.1")
    assert match.position()["places"]["army.0"] == [
        {"card": "CR3", "up": False, "active": None, "spent": False, "known": [0, 1]}
    ]
    assert seen(match, "army.0", 0) == seen(match, "army.0", 1) == ["CR3"]
    assert seen(match, "army.0", 2) == seen(match, "army.0", None) == [None]


@pytest.mark.rule("lords.fergusson", "common.secrecy")
def test_with_two_seats_both_know_it_but_spectators_do_not() -> None:
    match = at(["FE2", "SC8"], ["", "CR3?"])
    play(match, "FE2 up", "use", "swap 1.1")
    again = match.game.setup(match.position())
    for copy in (match, again):
        assert seen(copy, "army.0", 0) == seen(copy, "army.0", 1) == ["CR3"]
        assert seen(copy, "army.0", None) == [None]


@pytest.mark.rule("lords.wemyss", "common.secrecy")
def test_a_discarded_face_down_ally_is_seen_by_all() -> None:
    match = at(["WE2", "SC8"], ["", "CR3?"])
    play(match, "WE2 up", "use", "discard 1.1")
    assert seen(match, "discard", None) == ["CR3"]


@pytest.mark.rule("lords.recruit", "common.secrecy")
def test_a_recruit_taken_face_up_is_known_one_taken_face_down_is_not() -> None:
    match = at(["", "SC8", "SC9"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "recruit 1", "recruit 2")
    for seat in (1, 2, None):
        assert seen(match, "hand.0", seat) == ["CR5"]
    assert seen(match, "hand.1", 1) == ["SC8", "CR6"]
    assert seen(match, "hand.1", 0) == seen(match, "hand.1", None) == [None, None]


@pytest.mark.rule("lords.recruit", "lords.engage", "common.secrecy")
def test_a_known_card_is_forgotten_when_it_may_have_left_unseen() -> None:
    match = at(["SC1 SC2", "SC8"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "recruit 1", "recruit 2")
    assert seen(match, "hand.0", 1) == ["CR5", None, None]
    play(match, "SC1 down")
    assert seen(match, "hand.0", 1) == [None, None]
    assert seen(match, "hand.0", 0) == ["SC2", "CR5"]
    assert match.position()["facts"]["seen"] == [["CR5"], []]
    again = match.game.setup(match.position())
    assert again.position() == match.position()


@pytest.mark.rule("lords.reveal", "common.secrecy")
def test_it_is_known_again_when_nothing_lies_face_down() -> None:
    for last in ("SC8 down", "recruit 3"):
        match = at(["SC1 SC2", "SC8"], recruits="CR5^ CR6 CR7 CR8 CR9", round=4)
        play(match, "recruit 1", "recruit 2", "SC1 down", last)
        assert match.decision == "claim"
        assert seen(match, "hand.0", 1) == seen(match, "hand.0", None) == ["CR5", None]
    match = at(["SC1 SC2", "WE1"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "recruit 1", "recruit 2", "SC1 down", "WE1 up", "use", "discard 0.1")
    assert seen(match, "hand.0", 1) == ["CR5", None]
    assert "seen" not in match.position()["facts"]


@pytest.mark.rule("lords.wemyss", "common.secrecy")
def test_what_came_after_the_only_card_still_face_down_is_known_again() -> None:
    """Two allies lie face down; the one played after CR5 had come turns out to be another card."""
    match = at(["SC1 SC2 SC3", "WE1 MK12 MK11"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "SC1 down", "MK12 down", "recruit 1", "MK11 down", "SC2 down")
    assert seen(match, "hand.0", 1) == [None, None]
    play(match, "WE1 up", "use", "discard 0.2")
    for seat in (1, None):
        assert seen(match, "hand.0", seat) == ["CR5", None]
    again = match.game.setup(match.position())
    assert again.position() == match.position()
    play(match, "SC3 down")
    assert seen(match, "hand.0", 1) == [None]
    # the other way round it may still be CR5 that lies face down
    match = at(["SC1 SC2 SC3", "WE1 MK12 MK11"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "SC1 down", "MK12 down", "recruit 1", "MK11 down", "SC2 down")
    play(match, "WE1 up", "use", "discard 0.1")
    assert seen(match, "hand.0", 1) == [None, None]


@pytest.mark.rule("lords.fergusson", "lords.engage", "common.secrecy")
def test_what_a_seat_got_by_a_swap_it_does_not_forget() -> None:
    """Seat 1 holds the very card that was seen to come into hand 0; another is played down."""
    match = at(["SC1 SC2", "FE1 SC8"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "recruit 1", "recruit 2", "CR5 down", "FE1 up", "use", "swap 0.1", "SC1 down")
    assert seen(match, "army.1", 1) == ["CR5"]


@pytest.mark.rule("lords.cleanup", "lords.deck_empty", "common.secrecy")
def test_a_shuffled_discard_is_forgotten() -> None:
    match = at(["SC7", "SC8"], rest="discard")
    assert len(seen(match, "discard", None)) > 50
    play(match, "recruit 1")
    assert set(seen(match, "deck", 1)) == {None}


# -- what may be where ----------------------------------------------------------------------------


@pytest.mark.rule("common.secrecy")
def test_a_card_seen_to_come_is_in_the_hand_or_face_down_from_it() -> None:
    match = at(["SC1 SC2", "SC8", "SC9"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "recruit 1", "recruit 2", "recruit 3", "SC1 down")
    for seat in (1, 2, None):
        found = Counter(
            "hand" if "CR5" in cards(other, "hand.0") else cards(other, "army.0")[0]
            for other in redealt(match, seat, 100)
        )
        assert set(found) >= {"hand", "CR5"}
        # three cards, of which any may have been played; only one of them was seen
        assert 15 <= found["CR5"] <= 55
        assert set(found) == {"hand", "CR5"}


@pytest.mark.rule("common.secrecy")
def test_a_card_that_came_later_was_not_played_before() -> None:
    match = at(["SC1 SC2", "SC8"], recruits="CR5^ CR6 CR7 CR8 CR9")
    play(match, "SC1 down", "recruit 2", "recruit 1", "recruit 3", "SC2 down")
    # army.0: the first was played before CR5 came, the second after
    found = [cards(other, "army.0") for other in redealt(match, 1, 120)]
    assert all(first != "CR5" for first, _ in found)
    assert 30 <= sum(second == "CR5" for _, second in found) <= 90


@pytest.mark.rule("common.secrecy", "lords.deck_empty")
def test_what_was_in_the_discard_is_in_no_hand_dealt_before() -> None:
    match = at(["SC7 MK2 MD3", "SC8 MK9 FE3"], deck="", rest="discard")
    discard = set(cards(match, "discard"))
    play(match, "SC7 down", "recruit 5")  # takes a recruit; the discard is shuffled to refill it
    assert match.position()["facts"]["shuffles"] == 1
    for other in redealt(match, 0):
        assert not discard & set(cards(other, "hand.1"))
        assert set(cards(other, "deck")) <= discard
        assert cards(other, "recruits")[4] in discard
    # seat 1 holds three old cards and draws a new one; from now on either may be played down
    play(match, "MK2 down", "recruit 5", "MD3 down", "MK9 down")
    kinds = Counter(
        (cards(other, "army.1")[0] in discard, len(discard & set(cards(other, "hand.1"))))
        for other in redealt(match, 0, 150)
    )
    assert set(kinds) == {(True, 0), (False, 1)}


@pytest.mark.rule("common.secrecy", "common.counts")
@pytest.mark.parametrize("seats", [2, 4])
def test_every_hidden_card_can_turn_up_in_every_hidden_place(seats: int) -> None:
    match = lords(seats).deal(3)
    hidden = {card for n in range(1, seats) for card in cards(match, f"hand.{n}")}
    hidden |= set(cards(match, "deck")) | set(cards(match, "recruits")[1:])
    found: dict[str, set[str]] = {"hand.1": set(), "recruits": set(), "deck": set()}
    for number in range(250):
        other = match.blind(0, number)
        for place, there in found.items():
            there |= set(cards(other, place))
    assert found["hand.1"] == hidden
    assert found["deck"] == hidden
    assert found["recruits"] - {cards(match, "recruits")[0]} == hidden


@pytest.mark.rule("common.secrecy")
def test_redealing_does_not_tell_which_card_was_played() -> None:
    """Two matches that differ in what lies face down are redealt alike."""
    found = []
    for token in ("SC1 down", "CR5 down"):
        match = at(["SC1 SC2", "SC8"], recruits="CR5^ CR6 CR7 CR8 CR9")
        play(match, "recruit 1", "recruit 2", token)
        found.append(sum(cards(o, "army.0") == ["CR5"] for o in redealt(match, 1, 200)))
    assert all(40 <= n <= 95 for n in found), found


@pytest.mark.rule("common.secrecy")
@pytest.mark.parametrize("options", [{"seats": 2, "target": 100}, {"seats": 5, "bruce": True}])
def test_whole_matches_are_redealt_to_what_could_be(options: dict[str, Any]) -> None:
    rng = random.Random(8)
    match = lords(**options).deal(8)
    while match.to_act is not None:
        if rng.random() < 0.2:
            seat = rng.choice([*range(match.game.seats), None])
            for other in redealt(match, seat, 3):
                assert {key: other.position()["facts"][key] for key in ("round", "initiative")}
                # a redealt match can be redealt for somebody else, and played on
                redealt(other, rng.choice(range(match.game.seats)), 1)
                other.play(rng.choice(other.legal()))
        match.play(rng.choice(match.legal()))


@pytest.mark.rule("common.secrecy")
def test_a_redealt_record_keeps_no_trace_of_the_truth() -> None:
    match = lords(3).deal(5)
    for _ in range(20):
        match.play(match.legal()[-1])
    s = match.blind(0, 1)._s
    for room in (s.fresh, s.listed, s.kinds, s.pool, s.scratch):
        assert not room.any()


@pytest.mark.rule("common.secrecy")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_what_is_redealt_depends_on_what_the_seat_knows_alone(seats: int) -> None:
    """Two truths that a seat cannot tell apart are redealt to the very same record."""
    rng = random.Random(seats)
    match = lords(seats, target=100).deal(seats)
    while match.to_act is not None:
        if rng.random() < 0.1:
            seat = rng.choice([*range(seats), None])
            other = match.blind(seat, rng.getrandbits(32))
            one, two = match.blind(seat, 7)._s, other.blind(seat, 7)._s
            for field in one.dtype.names:
                assert one[field].tobytes() == two[field].tobytes(), field
        match.play(rng.choice(match.legal()))
