"""Settings side by side: bots seat by seat, and by how much two settings differ."""

from __future__ import annotations

import pytest

import tanistry
from tanistry.errors import OptionError
from tanistry.simulation.intervals import apart
from tanistry.studies import Study
from tanistry.studies.files import table
from tanistry.studies.plan import Policy
from tanistry.studies.report import difference
from tanistry.studies.wording import Wording
from tests.workers import Here


@pytest.fixture(scope="module")
def mixed() -> Study:
    claim = tanistry.game("claim", first=1)
    policies = ["random", "greedy+random", "random+greedy"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tanistry.studies.engines.Workers", Here)
        return tanistry.study(claim, n=150, policies=policies, seed=5, workers=1)


def test_bots_sit_in_turn_order(mixed: Study) -> None:
    """Whoever begins, seat 1 here, is the first that is named."""
    _, thinks_first, thinks_last = [result.seats()[0]["won"] for result in mixed.results]
    assert thinks_first > 0.7
    assert thinks_last < 0.3


def test_a_difference_has_an_interval(mixed: Study) -> None:
    rows = {(row["setting"], row["figure"], row["turn"]): row for row in mixed.compared()}
    helped = rows["greedy+random", "won", 0]
    assert helped["against"] == "random"
    assert 0 < helped["low"] < helped["difference"] < helped["high"] < 1
    assert helped["sure"]
    same = rows["greedy+random", "choices", None]
    assert (same["difference"], same["low"], same["high"], same["sure"]) == (0, 0, 0, False)
    assert mixed.data()["compared"] == mixed.compared()


def test_one_setting_is_compared_with_nothing() -> None:
    alone = tanistry.study(tanistry.game("claim"), n=10, workers=1)
    assert alone.compared() == []


def test_tables_of_two_and_three_are_compared_beyond_an_even_share() -> None:
    kilt = tanistry.game("kilt")
    study = tanistry.study(kilt, n=400, vary={"seats": [2, 3]}, workers=1)
    two, three = (result.seats()[0] for result in study.results)
    row = study.compared()[0]
    expected = (three["won"] - 1 / 3) - (two["won"] - 1 / 2)
    assert row["difference"] == pytest.approx(expected)
    assert row["low"] < expected < row["high"]


def test_versions_of_several_bots_are_kept(mixed: Study) -> None:
    """In one column of one type; each of them is part of what a checkpoint must agree in."""
    assert {type(row["bot_version"]) for row in table(mixed, "summary")} == {str}
    assert "+" in str(mixed.plan.identity(mixed.plan.settings[1])["bot_version"])


def test_the_report_shows_what_changes(mixed: Study, tmp_path: object) -> None:
    for lang, title in (("en", "What the settings change"), ("fr", "Ce que changent les réglages")):
        page = mixed.write(str(tmp_path), ("html",), lang)[0].read_text("utf-8")
        assert title in page
        assert "greedy+random" in page


@pytest.mark.parametrize("text", ["random+random+random", "greedy+random+random@5"])
def test_a_bot_for_each_seat_or_one_for_all(text: str) -> None:
    with pytest.raises(OptionError) as wrong:
        tanistry.study(tanistry.game("claim"), n=1, policies=[text])
    assert "3 bots for 2 seats" in str(wrong.value)


def test_a_plus_inside_a_number_parts_nothing() -> None:
    assert len(Policy.read("ismcts:2,exploration=1e+0").specs) == 1
    assert len(Policy.read("ismcts:2+random@7").specs) == 2


@pytest.mark.parametrize(
    ("lang", "unit"), [("en", "percentage points"), ("fr", "points de pourcentage")]
)
@pytest.mark.parametrize("figure", ["won", "shared"])
def test_a_difference_of_shares_names_its_unit(figure: str, lang: str, unit: str) -> None:
    row = {"figure": figure, "turn": 0, "difference": 0.1, "low": 0.05, "high": 0.15}
    name, *_ = difference(row, Wording(lang, tanistry.game("claim")))
    assert name.endswith(f", {unit}")


def test_an_interval_of_a_difference_is_newcombes() -> None:
    """The example of his paper (Statistics in Medicine, 1998): 56/70 and 48/80."""
    low, high = apart(56 / 70, 70, 48 / 80, 80)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)
