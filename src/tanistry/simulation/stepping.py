"""Many matches side by side, a choice in each at a time: kernels for every game.

The matches lie in rows. The first match of row i is dealt from the stream with the batch's seed as
key and i as nonce; when it ends, the next one in its row has nonce i + n, and so on. So what
happens in a row depends on the seed and on the choices in that row alone, wherever it is played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tanistry.kernel import inlined, kernel, template
from tanistry.kernel.intrinsics import LINE, ask_for
from tanistry.simulation.observation import write_row
from tanistry.simulation.playouts import APART, random_from
from tanistry.table.bits import ONE
from tanistry.table.contract import deal, legal, play, score, standing
from tanistry.table.flags import write_flags
from tanistry.table.ranking import leaders
from tanistry.table.stream import start_stream

U64 = np.uint64
ACTIONS, SIZE = 0, 0
"""How many actions there are, and bytes of an observation; given by each game."""


class Rows(NamedTuple):
    """The arrays of a batch: but for the last one, each has a part for every row."""

    records: Any
    moves: Any  # legal actions as sets: flat, so many words for each row
    mask: Any  # legal actions as flags: flat
    observations: Any  # of the seat to act: flat; may be empty
    last: Any  # of the seat that ended the match: flat; may be empty
    to_act: Any
    actors: Any  # who made the choice before
    rewards: Any  # [row, seat] when a match has ended, otherwise 0
    earned: Any  # the same of the actor alone
    scores: Any  # [row, seat] of the match that ended last
    done: Any  # whether the choice ended a match
    refused: Any  # whether the choice was not legal
    numbers: Any  # the nonce of the match
    lengths: Any  # choices in it so far; in all, when it has just ended
    rng: Any  # for random choices
    blank: Any  # the records matches are dealt from, by turns: one for each set of options


class Choices(NamedTuple):
    """Those of the arrays that random choices need: handing over all of them takes its time."""

    moves: Any
    rng: Any


@kernel
def write_nothing(s: Any, seat: int, out: Any, at: int, size: int) -> None:
    """In place of `write_row` where nobody observes."""


@kernel
def copy_record(records: Any, at: int, blanks: Any, number: int) -> None:
    """Given by devices that have a quicker way to copy one."""
    records[at] = blanks[number]


@template
def begin(i: int, salt: Any, rows: Any) -> None:
    """Deal the first match of row i."""
    rows.lengths[i] = 0
    rows.done[i] = False
    rows.refused[i] = False
    rows.actors[i] = -1
    rows.earned[i] = 0.0
    for seat in range(rows.rewards.shape[1]):
        rows.rewards[i, seat] = 0.0
        rows.scores[i, seat] = 0
    rows.rng[i] = U64(salt) + U64(i) * APART
    deal_next(rows.records, i, i, i, rows)


@template
def deal_next(records: Any, at: int, i: int, number: int, rows: Any) -> None:
    copy_record(records, at, rows.blank, i % rows.blank.shape[0])
    rows.numbers[i] = number
    start_stream(records[at], number)
    deal(records[at])


@template
@inlined
def show(s: Any, i: int, moves: Any, rows: Any) -> None:
    """Bring what the seat to act may choose and what it knows up to date."""
    rows.to_act[i] = s.to_act
    legal(s, moves)
    write_mask(i, moves, rows.moves, rows.mask)
    if rows.observations.shape[0] > 0:
        write_row(s, int(s.to_act), rows.observations, i * SIZE, SIZE)


@template
@inlined
def write_mask(i: int, moves: Any, sets: Any, mask: Any) -> None:
    """Write a set of actions to row i of the sets, and its flags to row i of the mask."""
    last = (ACTIONS - 1) >> 6
    for w in range(last):
        sets[U64(i * (last + 1) + w)] = moves[U64(w)]
        write_flags(mask, i * ACTIONS + 64 * w, moves[U64(w)], 64)
    sets[U64(i * (last + 1) + last)] = moves[U64(last)]
    write_flags(mask, i * ACTIONS + 64 * last, moves[U64(last)], ACTIONS - 64 * last)


@template
def settle(i: int, s: Any, rows: Any) -> None:
    """Points of all seats, and what the match was worth to each: see `envs.rewards`.

    One division of whole numbers each, which every processor rounds alike.
    """
    _, sharing, best = leaders(s)
    for seat in range(s.seats):
        rows.scores[i, seat] = score(s, seat)
        if standing(s, seat) == best:
            rows.rewards[i, seat] = (s.seats - sharing) / (sharing * (s.seats - 1.0))
        else:
            rows.rewards[i, seat] = -1.0 / (s.seats - 1.0)


@template
@inlined
def step(s: Any, i: int, action: int, rows: Any) -> None:
    """Carry out a choice in row i; whether the match is over then, `done` says.

    A choice that is not legal changes nothing, but `refused` says so.
    """
    rows.actors[i] = s.to_act
    if rows.done[i]:
        rows.done[i] = False
        rows.lengths[i] = 0
        rows.earned[i] = 0.0
        for seat in range(rows.rewards.shape[1]):
            rows.rewards[i, seat] = 0.0
    rows.refused[i] = action < 0 or action >= ACTIONS or not is_legal(action, i, rows.moves)
    if rows.refused[i]:
        return
    play(s, action)
    rows.lengths[i] += 1
    rows.done[i] = s.to_act < 0


@template
def renew(records: Any, at: int, i: int, rows: Any) -> None:
    """Say what the match that has just ended in row i was worth, and deal the next one.

    Its record is number `at` of these.
    """
    s = records[at]
    actor = int(rows.actors[i])
    settle(i, s, rows)
    rows.earned[i] = rows.rewards[i, actor]
    if rows.last.shape[0] > 0:
        write_row(s, actor, rows.last, i * SIZE, SIZE)
    deal_next(records, at, i, rows.numbers[i] + rows.to_act.shape[0], rows)


@template
@inlined
def is_legal(action: int, i: int, sets: Any) -> bool:
    """By the sets: the mask is in the hands of whoever plays."""
    word = sets[U64(i * ((ACTIONS + 63) >> 6) + (action >> 6))]
    return bool((word >> U64(action & 63)) & ONE)


# -- on the CPU: a range of rows at a time --------------------------------------------------------


@template
def begin_all(first: int, end: int, moves: Any, rows: Any, salt: Any) -> None:
    for i in range(first, end):
        begin(i, salt, rows)
        show(rows.records[i], i, moves, rows)


@template
def step_all(first: int, end: int, moves: Any, rows: Any, actions: Any) -> None:
    for i in range(first, end):
        for flag in range(0, ACTIONS, LINE):  # while the rules are at work, they come nearer
            ask_for(rows.mask, i * ACTIONS + flag)
        step(rows.records[i], i, int(actions[i]), rows)
        if rows.done[i]:
            renew(rows.records, i, i, rows)
        if not rows.refused[i]:
            show(rows.records[i], i, moves, rows)


@template
def choose_all(first: int, end: int, moves: Any, rows: Any, actions: Any) -> None:
    """A random legal action in every row, each as likely as the others."""
    sets, rng = rows.moves, rows.rng
    words = (ACTIONS + 63) >> 6
    for i in range(first, end):
        actions[i] = random_from(sets, i * words, words, rng[i : i + 1])
