"""Information-set Monte Carlo tree search, written once for all games, as kernels.

Single observer, after Cowling, Powley and Whitehouse (2012): each iteration deals what the seat
does not know anew, walks down one tree of choices shared by all those deals, adds one node, plays
the match to its end and counts the result along the way. A choice competes only when it is legal
in the deal at hand, so a node also counts how often it was available (a subset-armed bandit).

Everything is allocated by the caller. The record handed in is a blinded one: the truth is not
within reach, and each iteration starts a stream of its own, so that no shuffle to come is known.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tanistry.kernel import kernel, template
from tanistry.simulation.playouts import LONGEST, random_action
from tanistry.simulation.policy import advise, improvise
from tanistry.table.bits import EMPTY, bit, popcount
from tanistry.table.contract import legal, play, score
from tanistry.table.ranking import rank
from tanistry.table.resample import resample
from tanistry.table.stream import fast_below, start_stream

NODE = np.dtype(
    (
        np.record,  # fields by attribute, interpreted too
        np.dtype(
            [
                ("total", np.float64),  # what the seat that chose this got, over the visits
                ("visits", np.int32),  # how often it was chosen
                ("available", np.int32),  # how often it could have been
                ("action", np.int32),
                ("actor", np.int32),  # the seat that chose it
                ("child", np.int32),  # the newest node below, 0 for none
                ("sibling", np.int32),  # the next older node with the same parent, 0 for none
            ],
            align=True,
        ),
    )
)
"""A choice in the tree. Node 0 is the root: no choice yet."""

EXPLORATION, BY_RANK, BY_SCORE, GUIDED, WIDENING, WHOLE_ROOT, SETTINGS = range(7)
"""Places in the array of settings, see `Settings` in `players.ismcts`."""

LONGEST_PATH = 512
"""Choices below this depth are played but not kept in the tree."""


class Desk(NamedTuple):
    """The memory a search works in, for one game: allocated once, used again and again.

    Not to be shared by bots that think at the same time.
    """

    record: Any  # the match at hand, an array of one
    words: Any  # the part of its memory that matters
    root: Any  # the same of the blinded match that is asked about
    nodes: Any
    used: Any  # how many of them are
    path: Any  # the nodes of this iteration
    moves: Any
    untried: Any
    notes: Any  # of the game's policy
    values: Any  # what the result is worth to each seat
    wins: Any  # of the seat, by root action
    points: Any


@template
def simulated(s: Any, moves: Any, notes: Any, guided: int, rng: Any) -> int:
    """A choice of simulated play: by the game's policy in `guided` percent, else any."""
    if guided <= 0 or fast_below(rng, 100) >= guided:
        return random_action(moves, rng)
    action = improvise(s, moves, rng)
    if action >= 0 and (moves[action >> 6] & bit(action & 63)) != EMPTY:
        return action
    return advise(s, moves, notes, rng)


@template
def available_children(nodes: Any, parent: int, actor: int, moves: Any, untried: Any) -> int:
    """Mark the children that are legal now as available; how many. What is left is untried."""
    found = 0
    for w in range(moves.shape[0]):
        untried[w] = moves[w]
    child = int(nodes[parent].child)
    while child > 0:
        node = nodes[child]
        word = node.action >> 6
        flag = bit(node.action & 63)
        if node.actor == actor and (moves[word] & flag) != EMPTY:
            node.available += 1
            untried[word] &= ~flag
            found += 1
        child = int(node.sibling)
    return found


SQRT_2, LN_2 = math.sqrt(2), math.log(2)
POWERS = np.array([2.0**-n for n in range(33)])


@kernel
def logarithm(n: int) -> float:
    """The natural logarithm of a whole number from 1 to 2³¹ − 1, to the last bit or nearly so.

    C libraries and browsers differ in the last bit. This is made of additions, multiplications and
    a division, which every machine rounds alike: a search chooses the same everywhere.
    With m = n / 2ᵏ near 1 and r = (m − 1) / (m + 1): ln n = k ln 2 + 2 (r + r³/3 + r⁵/5 + …).
    """
    below = n | (n >> 1)
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    below |= below >> 16
    k = popcount(np.uint32(below)) - 1
    m = n * POWERS[k]
    if m > SQRT_2:
        m *= 0.5
        k += 1
    r = (m - 1.0) / (m + 1.0)
    z = r * r
    rest = z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (
        1 / 13 + z * (1 / 15 + z * (1 / 17 + z / 19))))))))  # fmt: skip
    return k * LN_2 + 2.0 * (r + r * rest)


@template
def most_promising(nodes: Any, parent: int, actor: int, moves: Any, exploration: float) -> int:
    """The legal child with the highest upper confidence bound."""
    best = 0
    best_bound = -1.0
    child = int(nodes[parent].child)
    while child > 0:
        node = nodes[child]
        if node.actor == actor and (moves[node.action >> 6] & bit(node.action & 63)) != EMPTY:
            seen = float(node.visits)
            bound = node.total / seen + exploration * math.sqrt(logarithm(node.available) / seen)
            if bound > best_bound:
                best_bound = bound
                best = child
        child = int(node.sibling)
    return best


@template
def expand(nodes: Any, used: Any, parent: int, actor: int, action: int) -> int:
    """Add a choice to the tree; the caller has seen that there is room."""
    fresh = int(used[0])
    used[0] += 1
    node = nodes[fresh]
    node.total = 0.0
    node.visits = 0
    node.available = 1
    node.action = action
    node.actor = actor
    node.child = 0
    node.sibling = nodes[parent].child
    nodes[parent].child = fresh
    return fresh


@template
def wide_enough(nodes: Any, node: int, children: int, widening: float) -> bool:
    """Whether a node has as many legal children as its visits are worth.

    The untried choices are added in the order of the game's policy, so that those it thinks little
    of wait until the others have been looked at. Without widening all are tried at once.
    """
    if widening <= 0.0 or children == 0:
        return False
    return children >= widening * math.sqrt(float(nodes[node].visits))


@template
def descend(desk: Any, settings: Any, rng: Any) -> int:
    """Walk down the tree to a new node, or to the end; the number of nodes on the path."""
    s, nodes, used, path = desk.record[0], desk.nodes, desk.used, desk.path
    moves, untried, notes = desk.moves, desk.untried, desk.notes
    depth = 0
    node = 0
    while s.to_act >= 0 and depth < path.shape[0]:
        legal(s, moves)
        actor = int(s.to_act)
        children = available_children(nodes, node, actor, moves, untried)
        fresh = False
        widening = settings[WIDENING]
        if node == 0 and settings[WHOLE_ROOT] > 0.0:
            widening = 0.0
        if not wide_enough(nodes, node, children, widening):
            for w in range(untried.shape[0]):
                fresh = fresh or untried[w] != EMPTY
        if fresh:
            if used[0] >= nodes.shape[0]:
                return depth
            if settings[WIDENING] > 0.0:
                action = advise(s, untried, notes, rng)
            else:
                action = random_action(untried, rng)
            node = expand(nodes, used, node, actor, action)
        else:
            node = most_promising(nodes, node, actor, moves, settings[EXPLORATION])
            action = int(nodes[node].action)
        path[depth] = node
        depth += 1
        play(s, action)
        if fresh:
            return depth
    return depth


@template
def finish(s: Any, moves: Any, notes: Any, guided: int, rng: Any) -> None:
    """Play to the end: `guided` percent of the choices by the game's policy, the rest at random."""
    steps = 0
    while s.to_act >= 0 and steps < LONGEST:
        legal(s, moves)
        action = simulated(s, moves, notes, guided, rng)
        play(s, action)  # in one place: rules are large, and compiled into each place they are used
        steps += 1


@template
def value(s: Any, seat: int, settings: Any, result: Any) -> float:
    """What an ended match is worth to a seat, from 0 to 1; `result` gets its win and its points.

    A mixture of three: the win (shared when tied), the rank, and the share of all points.
    """
    points = 0
    for other in range(s.seats):
        points += max(score(s, other), 0)
    better, equal = rank(s, seat)
    win = 1.0 / (1.0 + equal) if better == 0 else 0.0
    place = (s.seats - 1 - better - 0.5 * equal) / (s.seats - 1.0)
    own = score(s, seat)
    share = max(own, 0) / float(points) if points > 0 else 1.0 / s.seats
    result[0] = win
    result[1] = own
    by_win = 1.0 - settings[BY_RANK] - settings[BY_SCORE]
    return by_win * win + settings[BY_RANK] * place + settings[BY_SCORE] * share


@template
def search(desk: Any, seat: int, first: int, iterations: int, settings: Any, rng: Any) -> None:
    """Do iterations number first … first + iterations − 1 for a seat, at its desk."""
    s, words, root, moves, notes = desk.record, desk.words, desk.root, desk.moves, desk.notes
    nodes, path, values = desk.nodes, desk.path, desk.values
    wins, points = desk.wins, desk.points
    result = values[s[0].seats :]
    for number in range(first, first + iterations):
        for w in range(root.shape[0]):
            words[w] = root[w]
        start_stream(s[0], number)
        resample(s[0], seat, rng)
        depth = descend(desk, settings, rng)
        finish(s[0], moves, notes, int(settings[GUIDED]), rng)
        for other in range(s[0].seats):
            if other != seat:
                values[other] = value(s[0], other, settings, result)
        values[seat] = value(s[0], seat, settings, result)
        nodes[0].visits += 1
        for i in range(depth):
            node = nodes[path[i]]
            node.visits += 1
            node.total += values[node.actor]
        if depth > 0:
            action = nodes[path[0]].action
            wins[action] += result[0]
            points[action] += result[1]


@template
def rank_actions(
    desk: Any, seat: int, rounds: int, settings: Any, actions: Any, totals: Any, rng: Any
) -> None:
    """Try each legal action `rounds` times, each time on a fresh deal played out; sum of values."""
    s, words, root, moves, notes = desk.record, desk.words, desk.root, desk.moves, desk.notes
    for number in range(rounds):
        for i in range(actions.shape[0]):
            for w in range(root.shape[0]):
                words[w] = root[w]
            start_stream(s[0], number)
            resample(s[0], seat, rng)
            play(s[0], int(actions[i]))
            finish(s[0], moves, notes, int(settings[GUIDED]), rng)
            totals[i] += value(s[0], seat, settings, desk.values)
