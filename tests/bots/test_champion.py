"""The champion: takes what wins at once, answers the same question alike, refuses bad settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tanistry
from tanistry.errors import OptionError

QUICK = {"evaluations": 100}


def wins_now(match: tanistry.Match) -> set[str]:
    """The tokens that end a match and win it alone for the seat to act."""
    found = set()
    for token in match.legal():
        after = match.copy()
        after.play(token)
        if after.result is not None and after.result.ranking[0] == [match.to_act]:
            found.add(token)
    return found


def close_to_winning(game: str, seeds: range) -> Iterator[tuple[tanistry.Match, set[str]]]:
    """Positions of matches between networks where one token wins and another does not."""
    for seed in seeds:
        match, player = tanistry.game(game).deal(seed=seed), tanistry.bot("trained")
        while match.to_act is not None:
            legal = match.legal()
            if any(token.startswith("claim") for token in legal):
                winning = wins_now(match)
                if winning and len(winning) < len(legal):
                    yield match.copy(), winning
            match.play(player.choose(match))


def test_it_takes_what_wins_at_once() -> None:
    asked = 0
    for match, winning in close_to_winning("schotten", range(6)):
        asked += 1
        insight: Any = tanistry.bot("champion", **QUICK).analyse(match)  # type: ignore[attr-defined]
        assert insight.best in winning
        assert insight.tokens[0].win == 1.0
    assert asked >= 3


@pytest.mark.parametrize("game", tanistry.games())
def test_the_same_question_gets_the_same_answer(game: str) -> None:
    match = tanistry.game(game).deal(seed=3)
    one: Any = tanistry.bot("champion", seed=1, **QUICK)
    other: Any = tanistry.bot("champion", seed=2, **QUICK)
    first = one.analyse(match)
    assert one.analyse(match).tokens == other.analyse(match).tokens == first.tokens
    assert sorted(judged.token for judged in first.tokens) == sorted(match.legal())
    assert one.choose(match) == first.best
    thought = [judged for judged in first.tokens if judged.visits]
    assert all(0 <= judged.win <= 1 and judged.error >= 0 for judged in thought)
    assert [judged.win for judged in thought] == sorted((j.win for j in thought), reverse=True)


def test_choices_that_cannot_be_told_apart_get_the_same_number() -> None:
    """Schotten Totten begins with nine empty stones: the same card is worth much the same."""
    match = tanistry.game("schotten").deal(seed=3)
    insight: Any = tanistry.bot("champion").analyse(match)  # type: ignore[attr-defined]
    thought = [judged for judged in insight.tokens if judged.visits]
    assert len(thought) > 1
    assert max(j.win for j in thought) - min(j.win for j in thought) < 0.1
    for one in thought:
        for other in thought:
            assert one.win == other.win or abs(one.win - other.win) > min(one.error, other.error)


def test_it_plays_with_more_seats() -> None:
    match = tanistry.game("kilt", seats=3, edition="8clans").deal(seed=1)
    player = tanistry.bot("champion", **QUICK)
    for _ in range(6):
        match.play(player.choose(match))


def test_what_it_cannot_do_is_refused(tmp_path: Path) -> None:
    for setting in ({"evaluations": 0}, {"turns": 0}, {"evaluations": "many"}):
        with pytest.raises(OptionError):
            tanistry.bot("champion", **setting)
    damaged = tmp_path / "odd.net"
    damaged.write_bytes(b"tanistry network 1\n" + bytes(40))
    with pytest.raises(OptionError, match=r"odd\.net is damaged"):
        tanistry.bot("champion", network=str(damaged))
