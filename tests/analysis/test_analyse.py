"""An analysis: what it judges by, what it adds up to, and whom it refuses."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tanistry
from tanistry.analysis import Analysis, analyse
from tanistry.analysis.coaching import Coach, lead
from tanistry.analysis.curve import chances, deck_dealt_anew, expected
from tanistry.analysis.judging import anchored, judge
from tanistry.analysis.mind import Calibration, Mind, calibration
from tanistry.analysis.outcome import FORCED, VERDICTS, adding_up, points, verdict
from tanistry.analysis.telling import Telling

GAMES = sorted(tanistry.info(name).name for name in ("claim", "kilt", "lords", "schotten"))
SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
DEALS = 2
"""Few, since the numbers need not be good here."""


@cache
def played(game: str, level: int = 1, seed: int = 3) -> tanistry.Match:
    """A finished match of two seats; of Lords the shortest there is."""
    options = {"target": 1} if game == "lords" else {}
    match = tanistry.game(game, **options).deal(seed=seed)
    bot = tanistry.bot(f"people:{level}", seed=seed)
    while match.to_act is not None:
        match.play(bot.choose(match))
    return match


@cache
def analysed(game: str) -> Analysis:
    return analyse(played(game).record(), deals=DEALS)


@pytest.mark.parametrize("game", GAMES)
def test_start_choices_and_luck_add_up_to_the_result(game: str) -> None:
    found = analysed(game)
    result = found.match.result
    assert result
    for player in found.players:
        won = player.seat in result.ranking[0]
        assert player.result == (1 / len(result.ranking[0]) if won else 0)
        own = [found.skill(c.number)[player.seat] for c in found.choices if c.seat == player.seat]
        assert math.isclose(player.own, sum(own), abs_tol=1e-12)
        total = player.start + player.own + player.others + player.luck
        assert math.isclose(total, player.result, abs_tol=1e-12)
        steps = range(len(found.choices))
        lucky = player.deal + sum(found.luck(n)[player.seat] for n in steps)
        skilled = sum(found.skill(n)[player.seat] for n in steps)
        assert math.isclose(lucky, player.luck, abs_tol=1e-9)
        assert math.isclose(skilled, player.own + player.others, abs_tol=1e-9)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_adds_up(game: str) -> None:
    found = analysed(game)
    for player, told in zip(found.players, found.data()["players"], strict=True):
        shown = player.account(0.01)
        parts = ("start", "own", "others", "luck", "end")
        assert shown["end"] == told["end"] == 0, "it was played out"
        assert sum(shown[name] for name in parts) == shown["result"]
        assert all(abs(shown[name] - 100 * getattr(player, name)) < 1 for name in parts)
        assert sum(round(10_000 * told[name]) for name in parts) == 10_000 * told["result"]


def test_the_rest_goes_where_most_is_left_over() -> None:
    assert adding_up((-0.004, 0.126, -0.122), 0, 0.01) == [0, 12, -12]
    assert adding_up((0.1, 0.2, 0.2), 50, 0.01) == [10, 20, 20]
    assert sum(adding_up((1 / 3, 1 / 3, 0.0), 67, 0.01)) == 67


@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_choice_costs_and_gains_nothing(game: str) -> None:
    found = analysed(game)
    forced = [choice for choice in found.choices if choice.verdict == FORCED]
    assert forced or game == "schotten"
    for choice in forced:
        assert choice.cost == 0
        assert not any(found.skill(choice.number))


@pytest.mark.parametrize(("game", "ends"), [("claim", 2), ("schotten", 1), ("lords", 1)])
def test_what_surely_ends_the_match_is_known(game: str, ends: int) -> None:
    """The last trick of Claim, the last claims of the others: nobody has anything to choose."""
    found = analysed(game)
    for choice in found.choices[-ends:]:
        assert choice.win == found.curve[-1][choice.seat]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 1)), min_size=1), st.floats(0.005, 0.995)
)
def test_what_choices_cost_stays_when_they_are_moved(
    choices: list[tuple[float, float]], own: float
) -> None:
    wins, likings = [win for win, _ in choices], [liking for _, liking in choices]
    moved = anchored(wins, likings, own)
    assert all(0 <= win <= 1 for win in moved)
    for before, after in zip(wins, moved, strict=True):
        assert math.isclose(max(wins) - before, max(moved) - after, abs_tol=1e-12)


def test_where_nothing_is_hidden_choices_have_their_results() -> None:
    """The last choices of Claim: won, shared or lost, in the curve too."""
    found = analysed("claim")
    for choice in found.choices[-12:]:
        chance = found.curve[choice.number][choice.seat]
        assert {chance, choice.win} <= {0.0, 0.5, 1.0}
        assert math.isclose(choice.cost, chance - choice.win)


def test_luck_is_what_was_drawn() -> None:
    """The second half of Claim is played with the cards of the first: nothing is drawn there."""
    found = analysed("claim")
    lucky = [n for n in range(len(found.choices)) if any(found.luck(n))]
    assert 8 <= len(lucky) <= 13, "one card with a trick of the first half, as a rule"
    assert max(lucky) < 26


@pytest.mark.parametrize("game", ["claim", "kilt"])
def test_what_is_drawn_averages_to_what_was_expected(game: str) -> None:
    """Whatever the curve is worth: other decks are as good as the real one."""
    match = played(game).beginning()
    mind = Mind(match.game)
    for _, token in played(game).history:
        action = match.game.actions[token]
        if expected(mind, match, action):
            break
        match.play(token)
    lucks = []
    for number in range(24):
        other = deck_dealt_anew(match, number.to_bytes(32, "little"))
        before = expected(mind, other, action)
        assert before
        mind.play(other, action)
        lucks.append(chances(mind, other)[0] - before[0])
    assert abs(mean(lucks)) < 3 * stdev(lucks) / len(lucks) ** 0.5
    assert max(lucks) > 0 > min(lucks)


@pytest.mark.parametrize("game", GAMES)
def test_a_curve_of_chances_from_the_deal_to_the_result(game: str) -> None:
    found = analysed(game)
    assert len(found.curve) == len(found.match.history) + 1
    for row in found.curve:
        assert math.isclose(sum(row), 1)
        assert all(0 <= chance <= 1 for chance in row)


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_judged(game: str) -> None:
    found = analysed(game)
    at = found.match.beginning()
    for choice, (seat, token) in zip(found.choices, found.match.history, strict=True):
        legal = at.legal()
        assert (choice.seat, choice.token) == (seat, token)
        assert (choice.verdict == "forced") == (len(legal) == 1)
        assert {choice.best, *(tried for tried, _ in choice.tried)} <= set(legal)
        assert choice.line[0] == (seat, choice.best)
        wins = [win for _, win in choice.tried]
        assert wins == sorted(wins, reverse=True)
        assert choice.cost == wins[0] - dict(choice.tried)[token] >= 0
        at.play(token)
    assert {c.verdict for c in found.choices} > {"best"}, "a first-timer is not flawless"


def test_verdicts_by_cost() -> None:
    assert [verdict(cost) for cost in (0, 0.02, 0.05, 0.1, 0.2)] == [
        *(name for name, _ in VERDICTS),
        "blunder",
    ]
    shown = [points(cost / 10_000) for cost in range(2000)]
    for tie in (shown.index(n) for n in range(1, 20)):
        same = {verdict(cost / 10_000) for cost in range(tie, tie + 100)}
        assert len(same) == 1, "one figure, one verdict"


@pytest.mark.parametrize("game", GAMES)
def test_a_choice_is_judged_by_what_the_seat_could_know(game: str) -> None:
    """The planted secret: matches that differ only in what the seat could not know."""
    match, final = played(game).beginning(), played(game)
    mind, differed = Mind(match.game), False
    for number, (seat, token) in enumerate(final.history):
        if number in (2, 9, 16) and len(match.legal()) > 1:
            opinion = judge(mind, match, token, deals=DEALS)
            for seed in (1, 2):
                other = match.blind(seat, seed)
                differed = differed or other.position() != match.position()
                assert judge(mind, other, token, deals=DEALS) == opinion
        match.play(token)
    assert differed


@pytest.mark.parametrize("game", ["claim", "lords"])
def test_a_coach_speaks_of_what_the_seat_could_know(game: str) -> None:
    """The planted secret again, and that it says of a choice what the analysis says."""
    match = played(game).beginning()
    for _, token in played(game).history[:6]:
        match.play(token)
    while len(match.legal()) == 1:
        match.play(match.legal()[0])
    seat = match.to_act
    for lang in ("en", "fr"):
        coach = Coach(match.game, ("Ailsa", "Blair"), lang)
        said = [coach.idea(match), *(coach.verdict(match, token) for token in match.legal()[:2])]
        for seed in (1, 2):
            other = match.blind(seat, seed)
            assert other.position() != match.position()
            again = [coach.idea(other), *(coach.verdict(other, t) for t in other.legal()[:2])]
            assert again == said
        text = "\n".join(line for lines in said for line in lines)
        assert not any(part in text for part in ("{", "coach.", "leads.", "seat 0", "la place"))
    assert [lead(wins) for wins in ([0.5], [0.5, 0.5], [0.5, 0.48], [0.5, 0.4], [0.5, 0.2])] == [
        "one", "even", "close", "clear", "key",
    ]  # fmt: skip


def test_the_same_match_gets_the_same_analysis() -> None:
    assert analyse(played("claim"), deals=DEALS).data() == analysed("claim").data()


def test_sense_is_seen() -> None:
    """The network's own choices are more accurate than a first-timer's."""
    masters = analyse(played("schotten", level=5), deals=DEALS)
    worst = min(player.accuracy or 0 for player in masters.players)
    assert worst > max(player.accuracy or 0 for player in analysed("schotten").players)


def left_after(game: str, choices: int, ended: str) -> str:
    """The record of a match that was not played out."""
    match = played(game).beginning()
    for _, token in played(game).history[:choices]:
        match.play(token)
    return match.record(EndedBy=ended)


@pytest.mark.parametrize(
    ("ended", "how", "by", "result"),
    [
        ("resign 0", "resign", 0, (0.0, 1.0)),
        ("flag 1", "flag", 1, (1.0, 0.0)),
        ("draw", "draw", None, (0.5, 0.5)),
    ],
)
@pytest.mark.parametrize("choices", [0, 9])
def test_a_match_that_was_not_played_out(
    choices: int, ended: str, how: str, by: int | None, result: tuple[float, ...]
) -> None:
    """Its choices are judged as ever; what its end changed is a part of its own."""
    whole, found = analysed("claim"), analyse(left_after("claim", choices, ended), deals=DEALS)
    assert found.choices == whole.choices[:choices]
    assert found.curve == (*whole.curve[: choices + 1], result)
    assert found.data()["ended"] == {"how": how, "by": by}
    assert whole.data()["ended"] is None
    for player, told in zip(found.players, found.data()["players"], strict=True):
        assert player.result == result[player.seat]
        assert player.end == player.result - whole.curve[choices][player.seat]
        shown = player.account(0.01)
        parts = ("start", "own", "others", "luck", "end")
        exact = sum(getattr(player, name) for name in parts)
        assert math.isclose(exact, player.result, abs_tol=1e-12)
        assert sum(shown[name] for name in parts) == shown["result"]
        assert sum(round(10_000 * told[name]) for name in parts) == 10_000 * told["result"]


def test_a_moment_is_told_by_whose_chances_moved_most() -> None:
    """With two seats that is whoever chose: what one gains the other loses."""
    choice = analysed("claim").choices[0]
    for rows, told in (
        (((0.2, 0.8), (0.7, 0.3)), (0,)),
        (((0.04, 0.78, 0.18), (0.1, 0.47, 0.43)), (0, 1)),
        (((0.5, 0.3, 0.2), (0.2, 0.3, 0.5)), (0,)),
        (((0.04, 0.18, 0.78), (0.04, 0.184, 0.776)), (0,)),
    ):
        seen = replace(analysed("claim"), curve=rows)
        assert choice.seat == choice.number == 0
        assert seen.moved(choice) == told
    shown = replace(analysed("claim"), curve=((0.04, 0.78, 0.18), (0.1, 0.47, 0.43)))
    said = Telling(shown, "en").moved(choice)
    assert [part.split(" ", 1)[1] for part in said.split(", ")] == [
        "goes from 4% to 10%", "goes from 78% to 47%",
    ]  # fmt: skip


def test_who_gives_up_leaves_the_match_to_the_others() -> None:
    match = tanistry.game("lords", seats=3).deal(seed=1)
    found = analyse(match.record(EndedBy="flag 1"), deals=1)
    assert [player.result for player in found.players] == [0.5, 0.0, 0.5]
    assert [player.accuracy for player in found.players] == [None] * 3


def test_what_was_played_out_has_its_own_result() -> None:
    record = played("claim").record(EndedBy="draw")
    assert analyse(record, deals=DEALS).data() == analysed("claim").data()


@pytest.mark.parametrize("ended", ["", "resign", "resign 2", "resign 01", "flag -1", "won 0", "*"])
def test_what_no_match_ends_by_ends_none(ended: str) -> None:
    with pytest.raises(tanistry.RecordError, match="only a finished match"):
        tanistry.analyse(left_after("claim", 4, ended))


def test_what_cannot_be_analysed_is_refused_in_a_sentence() -> None:
    running = tanistry.game("claim").deal(seed=1)
    with pytest.raises(tanistry.RecordError, match="not played to its end"):
        tanistry.analyse(running.record())
    record = played("claim").record()
    with pytest.raises(tanistry.RecordError, match="version 7"):
        tanistry.analyse(record.replace('[Version "1"]', '[Version "7"]'))
    lines = record.splitlines()
    with pytest.raises(tanistry.RecordError, match="breaks off: it claims the result"):
        tanistry.analyse("\n".join(lines[:-1]))
    with pytest.raises(tanistry.RecordError, match="is empty"):
        tanistry.analyse("\ufeff \n")
    assert tanistry.replay("\ufeff" + record).record() == played("claim").record()
    with pytest.raises(tanistry.RecordError, match="Line 1"):
        tanistry.analyse("hello")
    for deals in (0, -3, "many", 1.5):
        with pytest.raises(tanistry.OptionError, match="deals"):
            tanistry.analyse(record, deals=deals)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_chances_are_calibrated_with_every_number_of_seats(game: str) -> None:
    assert all(calibration(game, seats) != Calibration() for seats in tanistry.info(game).seats)


@pytest.mark.parametrize("first", [0, 2])
def test_the_last_of_a_kilt_of_three_has_the_best_chance(first: int) -> None:
    """Among trained players it wins nine matches in twenty; who begins wins five."""
    game = tanistry.game("kilt", seats=3, first=first)
    mind = Mind(game)
    given = [chances(mind, game.deal(seed=seed)) for seed in range(4)]
    means = [mean(column) for column in zip(*given, strict=True)]
    assert means[(first + 2) % 3] == max(means)
    assert means[first] < 0.4
