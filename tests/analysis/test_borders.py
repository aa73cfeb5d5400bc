"""Where all choices together are too much to calculate, and the one that was made is not."""

from __future__ import annotations

import pytest

import tanistry
from tanistry.analysis.analysing import judged
from tanistry.analysis.curve import chances
from tanistry.analysis.mind import Mind

FEW = 150
"""Positions that may be looked at: endings can be calculated when they are short."""


@pytest.mark.parametrize("seed", [1, 3])  # one that is won there, and one that is lost
def test_a_verdict_does_not_contradict_the_curve_after_it(seed: int) -> None:
    match = tanistry.game("claim").deal(seed=seed)
    bots = [tanistry.bot("greedy", seed=seat) for seat in range(2)]
    mind = Mind(match.game, FEW)
    seen = 0
    while (seat := match.to_act) is not None:
        token = bots[seat].choose(match)
        before = match.copy()
        match.play(token)
        if match.to_act is None or len(before.legal()) == 1:
            continue
        action = match.game.actions[token]
        if mind.solved(before) is None and mind.solved_after(before, action) is not None:
            seen += 1
            said = judged(mind, before, token, deals=1)
            assert said.win == pytest.approx(chances(mind, match)[seat])
    assert seen


def test_nothing_is_said_of_what_is_still_hidden() -> None:
    match = tanistry.game("claim").deal(seed=3)
    mind = Mind(match.game)
    assert mind.solved_after(match, match.legal_actions()[0]) is None
