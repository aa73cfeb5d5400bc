"""Resampling: even over all placements, true to what is known, blind to what is not."""

from __future__ import annotations

from collections import Counter

import pytest

import tanistry
from tests.games.claim_positions import phase1

GAME = tanistry.game("claim")


def test_every_hidden_card_turns_up_in_every_hidden_spot_evenly() -> None:
    match = GAME.setup(phase1("G1 K2", "G2 K3", prize="U0", deck="U1 U2 U3"))
    # Seat 0 does not know: two cards in hand.1, eleven followers of seat 1, three in the deck.
    unknown = ["G2", "K3", "U1", "U2", "U3"]
    rounds = 3200
    found = Counter[str]()
    for number in range(rounds):
        places = match.blind(0, number).position()["places"]
        found.update(f"hand {code}" for code in places["hand.1"])
        found.update(f"top {code}" for code in places["deck"][:1])
    for code in unknown:
        assert abs(found[f"hand {code}"] - rounds * 2 / 16) < 5 * (rounds * 2 / 16) ** 0.5
        assert abs(found[f"top {code}"] - rounds / 16) < 5 * (rounds / 16) ** 0.5


@pytest.mark.rule("common.secrecy")
def test_a_blind_match_keeps_the_view_and_loses_the_truth() -> None:
    match = GAME.deal(3)
    blind = match.blind(0, 1)
    assert blind.view(0) == match.view(0)
    assert blind.position() != match.position()
    assert blind._s.key.tobytes() != match._s.key.tobytes()
    assert bytes(match._s.key.tobytes()) not in blind._s.tobytes()
    assert "Seed" in blind.record()
    assert match._key.hex() not in blind.record()


def test_blinding_is_reproducible_and_depends_on_nothing_hidden() -> None:
    match = GAME.deal(3)
    other = match.blind(0, 99)  # the same to seat 0, different underneath
    assert match.blind(0, 5).position()["places"]["hand.0"] == match.view(0)["places"]["hand.0"]
    assert match.blind(0, 5).position() == match.blind(0, 5).position()
    assert other.view(0) == match.view(0)
