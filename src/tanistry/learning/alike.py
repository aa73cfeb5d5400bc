"""In which orders the names of a game's inputs and tokens can stand for one another.

The colours of Schotten Totten are all alike, and so are the two ends of its row of stones:
`Settings.alike` says so by patterns. No learner is needed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tanistry.errors import OptionError
from tanistry.learning.settings import REVERSED

if TYPE_CHECKING:
    from numpy.typing import NDArray

Exchange = dict[str, str]
"""What stands in whose place."""

Orders = tuple["NDArray[np.int32]", "NDArray[np.int32]"]
"""Of inputs and of tokens: in every line, the numbers of those that stand in the others' places;
first as they are."""


def all_orders(inputs: Sequence[str], tokens: Sequence[str], alike: dict[str, str]) -> Orders:
    """Whatever can be exchanged, in every way: what one pattern finds and what another finds change
    places independently of each other."""
    names = [("input", name) for name in inputs] + [("token", name) for name in tokens]
    number = {name: i for i, name in enumerate(names)}
    lines = np.arange(len(names), dtype=np.int32)[None]
    for pattern, how in alike.items():
        found = {thing[0] for _, name in names for thing in re.finditer(pattern, name)}
        for exchanges in _exchanges(sorted(found, key=lambda thing: (len(thing), thing)), how):
            others = [
                [(kind, _renamed(name, pattern, each)) for kind, name in names]
                for each in exchanges
            ]
            if strange := {name for line in others for name in line} - number.keys():
                reason = "no {} is named {!r}".format(*min(strange))
                raise OptionError("learn/unreadable", name=pattern, reason=reason)
            more = [[number[name] for name in line] for line in others]
            lines = np.concatenate([lines, *(lines[:, line] for line in more)])
    shown, done = np.split(lines, [len(inputs)], axis=1)
    return shown, done - np.int32(len(inputs))


def _exchanges(found: list[str], how: str) -> list[list[Exchange]]:
    """Of each list one is made or none: together they lead to every order."""
    if how == REVERSED:
        return [[dict(zip(found, reversed(found), strict=True))]]
    return [[{one: last, last: one} for one in found[:k]] for k, last in enumerate(found) if k]


def _renamed(name: str, pattern: str, others: Exchange) -> str:
    return re.sub(pattern, lambda found: others.get(found[0], found[0]), name)
