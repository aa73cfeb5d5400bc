"""Heir, installed like any other package: its rules one by one, then the whole battery."""

import pytest

import tanistry
from tanistry.testing import check_game, option_sets

CARDS = {f"H{value}" for value in range(1, 10)}


def match(mine: list[str], theirs: list[str]) -> tanistry.Match:
    """A match at its beginning, with these hands; seat 0 leads."""
    places = {"hand.0": mine, "hand.1": theirs, "deck": list(CARDS - {*mine, *theirs})}
    position = {
        "game": "heir",
        "seats": 2,
        "options": {"first": 0, "low": False},
        "to_act": 0,
        "decision": "play",
        "places": places,
        "facts": {"leader": 0},
    }
    return tanistry.game("heir").setup(position)


@pytest.mark.rule("heir.lead")
def test_the_nine_is_not_led() -> None:
    began = match(["H9", "H2", "H3", "H4"], ["H1", "H5", "H6", "H7"])
    with pytest.raises(tanistry.IllegalMove) as refused:
        began.play("H9")
    assert refused.value.rule == "heir.lead"


@pytest.mark.rule("heir.upstart", "heir.answer")
def test_the_one_beats_the_nine() -> None:
    began = match(["H1", "H2", "H3", "H4"], ["H9", "H5", "H6", "H7"])
    began.play("H1")
    events = began.play("H9")
    assert "heir.upstart" in [event.rule for event in events]
    assert began.view(None)["places"]["won.0"] == ["H1", "H9"]


@pytest.mark.rule("heir.trick")
def test_the_higher_card_wins_and_leads() -> None:
    began = match(["H6", "H2", "H3", "H4"], ["H8", "H5", "H1", "H7"])
    began.play("H6")
    began.play("H8")
    assert began.view(None)["places"]["won.1"] == ["H6", "H8"]
    assert began.to_act == 1


@pytest.mark.rule("heir.deal", "heir.end")
@pytest.mark.parametrize("low", [False, True])
def test_the_sum_decides(low: bool) -> None:
    played = tanistry.game("heir", low=low).deal(seed=1)
    bot = tanistry.bot("random", seed=1)
    while played.to_act is not None:
        played.play(bot.choose(played))
    mine, theirs = played.result.scores
    left = int(played.position()["places"]["deck"][0][1])
    assert mine + theirs == sum(range(1, 10)) - left
    assert played.result.ranking[0][0] == int((mine < theirs) != low) or mine == theirs


@pytest.mark.parametrize("options", option_sets(tanistry.info("heir")))
def test_the_whole_battery(options: dict[str, object]) -> None:
    check_game(tanistry.game("heir", **options), matches=5)
