"""What must hold in every match of Lords of Scotland, whatever is played."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tanistry import Match
from tanistry.games.lords.cards import ALLIES_MOST, CODES, STRENGTH_OF
from tests.games.lords_positions import cards, lords

OPTIONS = [
    {"seats": 2},
    {"seats": 3, "edition": "2010", "bruce": True},
    {"seats": 4, "activation": "lowest"},
    {"seats": 5, "bruce": True, "target": 60},
]


def strength(code: str) -> int:
    return int(STRENGTH_OF[CODES.index(code)])


def matches(options: dict[str, Any], n: int, wild: bool = False) -> Any:
    """Random matches; `wild` ones love chains: Makgill and Scott face up, every power used."""
    game = lords(**options)
    for seed in range(n):
        rng = random.Random(seed)
        match = game.deal(seed)
        while match.to_act is not None:
            legal = match.legal()
            if wild:
                legal = [t for t in legal if t == "use" or t[:2] in ("MK", "SC")] or legal
            yield match, rng.choice(legal)


@pytest.mark.rule("lords.setup", "lords.recruit", "lords.makgill", "lords.claim")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("wild", [False, True])
def test_sizes(options: dict[str, Any], wild: bool) -> None:
    seats = options["seats"]
    for match, token in matches(options, 2, wild):
        view = match.view(None)["places"]
        for seat in range(seats):
            assert len(view.get(f"hand.{seat}", [])) <= 10
            assert len(view.get(f"army.{seat}", [])) <= ALLIES_MOST
        assert 1 <= len(view["supporters"]) <= seats
        claimed = sum(len(view.get(f"victory.{seat}", [])) for seat in range(seats))
        match.play(token)
        after = sum(len(cards(match, f"victory.{seat}")) for seat in range(seats))
        assert after == claimed + token.startswith("claim")


@pytest.mark.rule("lords.end")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_result_is_the_strength_in_the_victory_piles(options: dict[str, Any]) -> None:
    for match, token in matches(options, 2):
        match.play(token)
        if match.result:
            scores = [
                sum(map(strength, cards(match, f"victory.{n}"))) for n in range(options["seats"])
            ]
            assert match.result.scores == scores
            assert max(scores) >= options.get("target", 40)
            assert scores[match.result.ranking[0][0]] == max(scores)


@pytest.mark.rule("lords.turn", "lords.cleanup", "lords.deck_empty")
@pytest.mark.parametrize("seats", [2, 5])
def test_those_who_only_recruit_must_engage_in_the_end(seats: int) -> None:
    """A match in which everybody recruits as long as it can still ends: hands hold ten cards."""
    match = lords(seats, target=100).deal(2)
    for _ in range(5_000):
        if match.to_act is None:
            break
        match.play(match.legal()[0])
    assert match.result is not None


@pytest.mark.rule("lords.engage", "lords.cleanup")
def test_those_who_engage_everything_have_to_recruit() -> None:
    match = lords(3, target=100).deal(2)
    for _ in range(5_000):
        if match.to_act is None:
            break
        match.play(match.legal()[-1])
    assert match.result is not None


@pytest.mark.rule("common.illegal")
def test_the_vocabulary_is_the_same_for_all_and_says_no_card_twice() -> None:
    tokens = lords(2).tokens
    assert len(set(tokens)) == len(tokens)
    assert lords(5).tokens == tokens


def test_interpreted_and_compiled_give_the_same_bytes() -> None:
    rng = random.Random(6)
    game = lords(3, bruce=True)
    one, two = game.deal(6), game.interpreted().deal(6)
    while one.to_act is not None:
        token = rng.choice(one.legal())
        assert two.legal() == one.legal()
        assert [e.seen_by(None) for e in one.play(token)] == [
            e.seen_by(None) for e in two.play(token)
        ]
        assert one._s.tobytes() == two._s.tobytes()
    blinded: list[Match] = [match.blind(1, 5) for match in (one, two)]
    for field in one._s.dtype.names:
        assert blinded[0]._s[field].tobytes() == blinded[1]._s[field].tobytes(), field
