"""The ChaCha stream against the vectors of RFC 8439, and the shuffle on top of it."""

from __future__ import annotations

import numpy as np
import pytest

import tanistry
from tanistry.kernel import interpreted
from tanistry.table.stream import (
    chacha_block,
    draw_word,
    fast_below,
    shuffle_slots,
    start_stream,
)

COUNTING = np.frombuffer(bytes(range(32)), "<u4").astype(np.uint32)
ZERO = np.zeros(8, np.uint32)


def block(key: object, counter: int, nonce: tuple[int, int, int], rounds: int, slow: bool) -> str:
    out = np.zeros(16, np.uint32)
    run = interpreted(chacha_block) if slow else chacha_block
    run(key, counter, *nonce, rounds, out)
    return out.astype("<u4").tobytes().hex()


@pytest.mark.parametrize("slow", [False, True])
def test_block_function_of_rfc_8439_section_2_3_2(slow: bool) -> None:
    expected = (
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )
    assert block(COUNTING, 1, (0x09000000, 0x4A000000, 0), 20, slow) == expected


@pytest.mark.parametrize("slow", [False, True])
def test_first_vector_of_rfc_8439_appendix_a_1(slow: bool) -> None:
    expected = (
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
    )
    assert block(ZERO, 0, (0, 0, 0), 20, slow) == expected


def test_eight_rounds_under_the_zero_key() -> None:
    assert block(ZERO, 0, (0, 0, 0), 8, False).startswith(
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
    )


def test_matches_of_one_key_have_different_streams() -> None:
    game = tanistry.game("claim")
    s = game.new_record(bytes(32))
    orders = set()
    for nonce in (0, 1, 2, 1 << 33):
        start_stream(s, nonce)
        s.slots[0] = np.arange(52)
        shuffle_slots(s, 0, 52)
        assert sorted(s.slots[0]) == list(range(52))
        orders.add(s.slots[0].tobytes())
    assert len(orders) == 4


@pytest.mark.parametrize("slow", [False, True])
def test_four_indices_are_cut_from_each_word(slow: bool) -> None:
    s = tanistry.game("claim").new_record(bytes(range(32)))
    start_stream(s, 3)
    order = list(range(52))
    word = 0
    for turn, i in enumerate(range(51, 0, -1)):
        if turn % 4 == 0:
            word = int(draw_word(s))
        j, word = divmod(word * (i + 1), 1 << 64)
        order[i], order[j] = order[j], order[i]
    start_stream(s, 3)
    s.slots[0] = np.arange(52)
    (interpreted(shuffle_slots) if slow else shuffle_slots)(s, 0, 52)
    assert s.slots[0].tolist() == order


def test_every_card_comes_up_everywhere_about_equally_often() -> None:
    game = tanistry.game("claim")
    s = game.new_record(bytes(32))
    seen = np.zeros((52, 52), np.int64)
    rounds = 5200
    for nonce in range(rounds):
        start_stream(s, nonce)
        s.slots[0] = np.arange(52)
        shuffle_slots(s, 0, 52)
        seen[np.arange(52), s.slots[0]] += 1
    expected = rounds / 52
    chi_squared = float(((seen - expected) ** 2 / expected).sum())
    degrees = 51 * 51
    assert abs(chi_squared - degrees) < 5 * (2 * degrees) ** 0.5


def test_fast_numbers_stay_below_their_bound_and_cover_it() -> None:
    rng = np.array([7], np.uint64)
    assert {fast_below(rng, 5) for _ in range(200)} == set(range(5))
