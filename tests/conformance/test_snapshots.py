"""Whole matches and numbers of choice sequences as files: a change of behaviour shows in review.

After a wanted change: TANISTRY_SNAPSHOTS=write python -m pytest tests/conformance/test_snapshots.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import tanistry
from tanistry.testing import count_choices, option_sets, playthrough

HERE = Path(__file__).parent.parent / "snapshots"
WRITE = os.environ.get("TANISTRY_SNAPSHOTS") == "write"
DEPTHS = 3
LONGEST = 300


@pytest.mark.parametrize("name", tanistry.games())
def test_playthrough(name: str) -> None:
    path = HERE / f"{name}.txt"
    text = playthrough(tanistry.game(name), seed=2026, lines=LONGEST)
    if WRITE:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
    assert text.count("\n") <= LONGEST


@pytest.mark.parametrize("name", tanistry.games())
@pytest.mark.parametrize("run", ["compiled", "interpreted"])
def test_counts(name: str, run: str) -> None:
    """Numbers of choice sequences from dealt matches, for every option set."""
    path = HERE / f"{name}.counts.json"
    counts = {}
    for options in option_sets(tanistry.info(name), limit=3):
        game = tanistry.game(name, **options)
        match = (game.interpreted() if run == "interpreted" else game).deal(7)
        depths = range(1, DEPTHS + 1 if run == "compiled" else DEPTHS)
        counts[repr(game)] = [count_choices(match, depth) for depth in depths]
    if WRITE and run == "compiled":
        path.write_text(json.dumps(counts, indent=1) + "\n", "utf-8")
    kept = json.loads(path.read_text("utf-8"))
    assert counts == {key: values[: len(counts[key])] for key, values in kept.items()}
