"""Games and matches go to other processes, and are deep-copied."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import tanistry


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("name", ["claim", "kilt", "lords", "schotten"])
def test_a_match_plays_on_the_same(name: str, again: Any) -> None:
    match = tanistry.game(name).deal(seed=1)
    for _ in range(9):
        match.play(match.legal()[-1])
    twin = again(match)
    before = match.position()
    assert repr(twin.game) == repr(match.game)
    assert twin.position() == before
    assert twin.record() == match.record()
    told = twin.play(twin.legal()[0])
    assert match.position() == before
    assert [str(event) for event in match.play(match.legal()[0])] == [str(e) for e in told]
    assert twin.position() == match.position()


def test_interpreted_rules_stay_where_they_are() -> None:
    with pytest.raises(TypeError, match="interpreted"):
        pickle.dumps(tanistry.game("claim").interpreted())
