"""Whole matches in which every choice is a policy's, as kernels for every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.simulation.playouts import APART, LONGEST, random_action
from tanistry.table.contract import deal, legal, play
from tanistry.table.kernel import kernel, template
from tanistry.table.stream import start_stream


@kernel
def choose(s: Any, moves: Any, notes: Any, rng: Any) -> int:
    """The policy: one of the actions `moves`. Given by each (`bots.search.advise`); else any."""
    return random_action(moves, rng)


@kernel
def winner(s: Any) -> int:
    """`playouts.winner`, made for the game."""
    return -1


@template
def policy_playouts(
    s: Any, blank: Any, dice: Any, notes: Any, first: int, n: int, salt: Any, lengths: Any
) -> int:
    """As `playouts.playouts`, but by a policy, which makes `notes`."""
    total = 0
    moves, rng, wins = dice[0].moves, dice[0].rng, dice[0].wins
    for number in range(first, first + n):
        s[0] = blank[0]
        start_stream(s[0], number)
        rng[0] = np.uint64(salt) + np.uint64(number) * APART
        deal(s[0])
        steps = 0
        while s[0].to_act >= 0 and steps < LONGEST:
            legal(s[0], moves)
            play(s[0], choose(s[0], moves, notes, rng))
            steps += 1
        total += steps
        lengths[min(steps, lengths.shape[0] - 1)] += 1
        won = winner(s[0])
        if won >= 0:
            wins[won] += 1
    return total
