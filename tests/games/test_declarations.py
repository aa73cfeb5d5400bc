"""What a game declares goes together, or whoever loads it reads in a sentence what does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tanistry
from tests.packages import install

CARDS, TELLING = "cards.py", "telling.py"
FIVE = "".join(f'("{name}", Number()), ' for name in "abcde")
UP = 'from tanistry.games.contract import Flag\nFLAGS = (Flag("up", ("hnad",), "place"),)'
PRESETS = 'presets=(__import__("tanistry").games.contract.Preset("odd", {}, {}),)'

ODD: list[tuple[str, str, str, str]] = [
    # in which file, instead of what, what stands there, and what is said
    (CARDS, "places=len(PLACES)", "places=6", "laid out for 6 places, and there are 7"),
    (CARDS, "cards=len(DECK_LIST)", "cards=8", "laid out for 8 cards, and there are 9"),
    (CARDS, "cards=len(DECK_LIST), seats=2", "cards=9, seats=1", "for 1 seats, and there are 2"),
    (CARDS, "ordered=1", "ordered=2", "laid out for 2 ordered places, and there are 1"),
    (CARDS, 'won.1", "all"', 'won.1", "all", order="row"', "must begin with those that keep an o"),
    (CARDS, "decisions=DECISIONS", 'decisions=("paly",)', "play: no decision 'paly'. There are"),
    (CARDS, '"{card}"', '"{crad}"', "play: no part 'crad'. There are: card"),
    (CARDS, "(COUNT, ", "COUNT  # (", "PROBLEMS must be a tuple of ProblemType"),
    (CARDS, '("play",)', '("play")', "DECISIONS must be a tuple of str"),
    (CARDS, '"over", (', f'"over", ({FIVE}', "the event over may have 4 values"),
    (CARDS, 'field="leader"', 'field="laeder"', "the record has no field 'laeder'"),
    (CARDS, "    low: Int", "    high: Int", "the record has no field 'low'"),
    (CARDS, "value=value)", 'value=value, when={"hi": 1})', "a `when` names hi: there is no such"),
    ("rules.py", "def standing", "def standings", "odd13.rules has no kernel standing"),
    (TELLING, "def refuse", "def refused", "odd14.telling has no kernel refuse"),
    ("__init__.py", "version=1", 'version="1"', "version='1': it must be a whole number"),
    ("__init__.py", "range(2, 3)", "range(3, 2)", "seats=range(3, 2): two to four players are"),
    ("__init__.py", "True), False", "True), 2", "low cannot be 2. Allowed: false, true"),
    ("__init__.py", 'Option("low"', 'Option("first"', "the names of options must differ"),
    (CARDS, "owner=1", "owner=2", "hand.1 belongs to seat 2, and there is none"),
    (CARDS, "TALLY = ", f"{UP}\nTALLY = ", "up: no kind of place 'hnad'. There are: deck, hand, "),
    (CARDS, "range(len(DECK_LIST))", "range(10)", "play: no card 9. There are 9, counted from"),
    ("__init__.py", "has_draw=", f"{PRESETS.format(3, {})}, has_draw=", "odd is for 3 players"),
    ("__init__.py", "has_draw=", f"{PRESETS.format(2, {'hi': 1})}, has_draw=", "no option 'hi'"),
    ("__init__.py", "has_draw=", f"{PRESETS.format(2, {'low': 2})}, has_draw=", "low cannot be 2"),
    ("__init__.py", "has_draw=", f"{PRESETS.format(2, {'first': 2})}, has_draw=", "first cannot"),
]


@pytest.mark.parametrize("number", range(len(ODD)), ids=[odd[3] for odd in ODD])
def test_what_does_not_go_together_is_said(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, old, new, said = ODD[number]

    def change(files: dict[str, str]) -> None:
        assert old in files[path]
        files[path] = files[path].replace(old, new, 1)

    install(f"odd{number}", tmp_path, monkeypatch, change)
    with pytest.raises(tanistry.OptionError, match=re.escape(said)):
        tanistry.game(f"odd{number}")
