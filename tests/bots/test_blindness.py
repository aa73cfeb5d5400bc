"""What a bot is handed depends on nothing but what its seat knows, to the last field."""

from __future__ import annotations

import random

import pytest

import tanistry


@pytest.mark.parametrize("name", sorted(tanistry.games()))
def test_blinded_copies_of_two_truths_are_equal(name: str) -> None:
    """A truth and another one that the seat cannot tell from it, blinded with the same seed."""
    for seats in tanistry.info(name).seats:
        match = tanistry.game(name, seats=seats).deal(seed=seats)
        chooser = random.Random(seats)
        while match.to_act is not None:
            if chooser.random() < 0.2:
                seat = chooser.randrange(seats)
                other_truth = match.blind(seat, chooser.randrange(10**6))
                one, two = match.blind(seat, 7)._s, other_truth.blind(seat, 7)._s
                differing = [f for f in one.dtype.names if one[f].tobytes() != two[f].tobytes()]
                assert not differing, f"seat {seat} of {seats} after {len(match.history)} choices"
            match.play(chooser.choice(match.legal()))
