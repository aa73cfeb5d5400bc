"""The function `tanistry.bot`, its refusals, and the random bot."""

from __future__ import annotations

import pytest

import tanistry
from tanistry.bots import Bot, bots


def play_out(seed: int) -> list[tuple[int, str]]:
    match = tanistry.game("claim").deal(seed=5)
    player = tanistry.bot("random", seed=seed)
    while match.to_act is not None:
        match.play(player.choose(match))
    return match.history


def test_same_seed_same_choices() -> None:
    assert play_out(1) == play_out(1)
    assert play_out(1) != play_out(2)


def test_is_a_bot() -> None:
    assert "random" in bots()
    assert isinstance(tanistry.bot("random"), Bot)


def test_choosing_changes_nothing() -> None:
    match = tanistry.game("claim").deal(seed=5)
    before = match.position()
    tanistry.bot("random", seed=1).choose(match)
    assert match.position() == before


def test_nothing_is_left_to_choose_when_the_match_is_over() -> None:
    match = tanistry.game("claim").deal(seed=5)
    player = tanistry.bot("random", seed=1)
    while match.to_act is not None:
        match.play(player.choose(match))
    with pytest.raises(tanistry.IllegalMove, match=r"^The match is over: no further choice"):
        player.choose(match)


@pytest.mark.parametrize(
    ("name", "level", "says"),
    [
        ("rnadom", None, "greedy, ismcts, people, random"),
        ("", None, "greedy, ismcts, people, random"),
        ("ismcts", 6, "1, 2, 3, 4, 5"),
        ("ismcts", "3", "1, 2, 3, 4, 5"),
        ("random", 1, "has no levels"),
        ("greedy", "1", "has no levels"),
    ],
)
def test_unknown_bot_or_level(name: str, level: object, says: str) -> None:
    with pytest.raises(tanistry.OptionError) as caught:
        tanistry.bot(name, level=level)  # type: ignore[arg-type]
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("name", "says"), [("random", "no settings"), ("greedy", "no settings"), ("ismcts", "guided")]
)
def test_unknown_setting(name: str, says: str) -> None:
    with pytest.raises(tanistry.OptionError) as caught:
        tanistry.bot(name, patience=3)
    assert "'patience'" in str(caught.value)
    assert says in str(caught.value)


def test_nothing_to_choose_after_the_end() -> None:
    match = tanistry.game("claim").deal(seed=5)
    player = tanistry.bot("random", seed=1)
    while match.to_act is not None:
        match.play(player.choose(match))
    with pytest.raises(tanistry.IllegalMove):
        player.choose(match)
