"""Playouts: whole matches of random choices, or of a policy's, as kernels for every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import inlined, kernel, template
from tanistry.table.bits import nth_here, popcount
from tanistry.table.contract import deal, legal, play
from tanistry.table.ranking import leaders
from tanistry.table.stream import fast_below, start_stream

U64 = np.uint64
LONGEST = 100_000
"""No match has this many choices; a rule that could loop for ever would be found here."""
APART = np.uint64(0xD1342543DE82EF95)
"""Far enough between the starts of two matches' generators: an odd number without a pattern."""


APART_WORDS = 16
"""Words between what two threads write to: a processor's cache hands memory on in lines of such."""


def new_dice(actions: int, seats: int) -> Any:
    """What random play needs beside the record: a set of actions, a fast generator, wins per seat.

    They are fields of a record because then their sizes are known to the compiler: in Claim, with
    sets of one word, that made random play about 15 % faster. Margins keep the dice of two threads
    on lines of their own; NumPy lays small arrays 32 bytes apart.
    """
    words = (actions + 63) // 64
    fields: list[Any] = [
        ("before", np.uint64, (APART_WORDS,)),
        ("moves", np.uint64, (words,)),
        ("rng", np.uint64, (1,)),
        ("wins", np.int64, (seats,)),
        ("after", np.uint64, (APART_WORDS,)),
    ]
    return np.zeros(1, np.dtype((np.record, fields)))  # fields by attribute, interpreted too


@kernel
def random_action(moves: Any, rng: Any) -> int:
    """One of the actions of a set, each as likely as the others."""
    return random_from(moves, 0, moves.shape[0], rng)


@kernel
@inlined
def random_from(sets: Any, at: int, words: int, rng: Any) -> int:
    """The same of the set that begins at a word: quicker where their number is a constant."""
    if words == 1:
        return nth_here(sets[U64(at)], fast_below(rng, popcount(sets[U64(at)])))
    total = 0
    for w in range(words):
        total += popcount(sets[U64(at + w)])
    n = fast_below(rng, total)
    word, before, so_far = 0, 0, 0
    for w in range(words - 1):  # all of them: where it ends is nothing to guess
        so_far += popcount(sets[U64(at + w)])
        if so_far <= n:
            word, before = w + 1, so_far
    return 64 * word + nth_here(sets[U64(at + word)], n - before)


@kernel
def choose(s: Any, moves: Any, notes: Any, rng: Any) -> int:
    """The policy: one of the actions `moves`. Given by a game (`policy.advise`); else any."""
    return random_action(moves, rng)


@template
def playout(s: Any, moves: Any, notes: Any, rng: Any) -> int:
    """Play a match to its end, by a policy that makes `notes`; how many choices there were."""
    steps = 0
    while s.to_act >= 0 and steps < LONGEST:
        legal(s, moves)
        play(s, choose(s, moves, notes, rng))
        steps += 1
    return steps


@template
def winner(s: Any) -> int:
    """The seat that won, −1 if several share the first place."""
    first, sharing, _ = leaders(s)
    return first if sharing == 1 else -1


@template
def playouts(
    s: Any, blank: Any, dice: Any, notes: Any, first: int, n: int, salt: Any, lengths: Any
) -> int:
    """Play matches number first … first + n − 1 of a key; wins per seat, matches per length."""
    total = 0
    moves, rng, wins = dice[0].moves, dice[0].rng, dice[0].wins
    for number in range(first, first + n):
        s[0] = blank[0]
        start_stream(s[0], number)
        rng[0] = np.uint64(salt) + np.uint64(number) * APART
        deal(s[0])
        steps = playout(s[0], moves, notes, rng)
        total += steps
        lengths[min(steps, lengths.shape[0] - 1)] += 1
        won = winner(s[0])
        if won >= 0:
            wins[won] += 1
    return total
