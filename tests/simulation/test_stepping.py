"""What the kernels of a batch do that no match at random is sure to show."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tanistry.envs.rewarding import rewards
from tanistry.kernel.functions import with_globals
from tanistry.simulation import stepping

SHARED = [(seats, sharing) for seats in range(2, 6) for sharing in range(1, seats + 1)]


@pytest.mark.parametrize(("seats", "sharing"), SHARED)
def test_rewards_are_whole_numbers_divided_once(seats: int, sharing: int) -> None:
    """So that no processor rounds them otherwise: a GPU multiplies and adds in one go."""
    told: dict[str, Any] = {
        "leaders": lambda s: (0, sharing, 1),
        "standing": lambda s, seat: int(seat < sharing),
        "score": lambda s, seat: 10 * seat,
    }
    settle = with_globals(stepping.settle, vars(stepping) | told, "settle")
    rows = SimpleNamespace(
        rewards=np.zeros((1, seats), np.float32), scores=np.zeros((1, seats), np.int32)
    )
    settle(0, SimpleNamespace(seats=np.int8(seats)), rows)
    worth = [
        Fraction(seats, sharing) - 1 if seat < sharing else Fraction(-1) for seat in range(seats)
    ]
    exact = [each / (seats - 1) for each in worth]
    assert sum(exact) == 0
    assert rows.rewards[0].tolist() == [float(np.float32(float(each))) for each in exact]
    assert rows.scores[0].tolist() == [10 * seat for seat in range(seats)]

    ranking = [list(range(sharing)), *([seat] for seat in range(sharing, seats))]
    match: Any = SimpleNamespace(
        game=SimpleNamespace(seats=seats), result=SimpleNamespace(ranking=ranking)
    )
    assert rewards(match) == [float(each) for each in exact]
