"""Settings of a training run, read without PyTorch."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tanistry.errors import OptionError
from tanistry.learning.curve import draw
from tanistry.learning.settings import Settings, read_settings


def test_a_run_can_be_made_again_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    made = read_settings("schotten", None, {"rows": 64, "seed": 5})
    assert made.styles, "opponents of Schotten Totten have tastes"
    assert made.alike, "and its colours are all alike"
    made.write(path)
    assert read_settings("schotten", path, {}) == made


def test_a_run_goes_on_without_what_came_later(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"game": "schotten", "rows": 64}', "utf-8")
    found = read_settings("schotten", None, {}, kept=path)
    assert (found.rows, found.alike, found.agreement) == (64, {}, 0.0)
    new = read_settings("schotten", path, {})
    assert (new.rows, bool(new.alike), new.agreement) == (64, True, 1.0)
    assert read_settings("schotten", path, {}, kept=path) == new


def test_what_is_given_wins_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "fast.toml"
    path.write_text("rows = 128\nrate = 1e-4\n", "utf-8")
    found = read_settings("claim", path, {"rows": 256, "seed": None})
    assert (found.rows, found.rate, found.seed) == (256, 1e-4, Settings("claim").seed)


def test_a_cpu_plays_fewer_matches_at_once(tmp_path: Path) -> None:
    assert read_settings("claim", None, {}, "cpu").rows < read_settings("claim", None, {}).rows
    path = tmp_path / "settings.json"
    path.write_text('{"rows": 4096}', "utf-8")
    assert read_settings("claim", path, {}, "cpu").rows == 4096


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"begin": 3}, "begin"),
        ({"against": ["ismcts"]}, "against"),
        ({"rowz": 1}, "no setting 'rowz'"),
        ({"rows": 0}, "≥ 1"),
        ({"rows": 1.5}, "≥ 1"),
        ({"rate": "fast"}, "≥ 0"),
        ({"agreement": -1}, "≥ 0"),
        ({"agreement": math.nan}, "≥ 0"),
        ({"game": "kilt"}, "claim"),
        ({"styles": [{"(": 1.0}]}, "cannot be read"),
        ({"alike": {"[": "reversed"}}, "cannot be read"),
        ({"alike": {"[12]": "shuffled"}}, "any order, reversed"),
        ({"alike": ["[12]"]}, "any order"),
        ([], "cannot be read"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, written: object, said: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(written), "utf-8")
    with pytest.raises(OptionError, match=said):
        read_settings("claim", path, {})


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"nowhere\.toml"):
        read_settings("claim", tmp_path / "nowhere.toml", {})


def test_a_curve_is_drawn(tmp_path: Path) -> None:
    table, picture = tmp_path / "curve.csv", tmp_path / "curve.svg"
    table.write_text(
        "choices,greedy,greedy low,greedy high\n1000000,0.4,0.3,0.5\n2000000,0.6,0.5,0.7\n", "utf-8"
    )
    assert draw(table, picture) == picture.exists()  # without Matplotlib it goes without
    if picture.exists():
        assert "against" in picture.read_text("utf-8")
