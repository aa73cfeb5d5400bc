"""What a game's engine offers to a browser: its kernels, each with its parameters.

Parameters are told apart by their names, which mean the same in every kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from tanistry.bots import search
from tanistry.bots.desk import searcher
from tanistry.kernel import specialise
from tanistry.kernel.wasm import Export, Group, Memory, Parameter, names
from tanistry.match import Game
from tanistry.simulation import playouts
from tanistry.simulation.policy import NOTES, policy_kernels
from tanistry.table.notes import NOTES as TOLD

OF_ONE_RECORD = (
    "deal", "legal", "play", "score", "standing", "resample", "start_stream", "advise",
)  # fmt: skip
"""Kernels that take the record itself; the others take it as an array of one."""
OF_MANY = ("playouts", "search", "rank_actions")
TELLING = ("refuse", "facts", "restore", "check", "tally", "seen_by")
"""Kernels that tell of a record; a game need not have all of them."""

INT32, INT64, UINT64, FLOAT = (np.dtype(t) for t in (np.int32, np.int64, np.uint64, np.float64))


def variants(game: Game) -> Iterator[Game]:
    """The game with all its options; of an option that is a number, its default stands for all."""
    options = game.info.options
    values = [[o.default] if type(o.default) is int else o.values for o in options]
    for chosen in product(*values):
        given = {option.name: value for option, value in zip(options, chosen)}
        yield Game(game.definition, game.seats, given)


def exports(game: Game) -> dict[str, Export]:
    """The kernels of a game that a browser calls, by name."""
    kernels = vars(game.kernels) | vars(searcher(game)) | vars(policy_kernels(game.info))
    given = {name: kernels[name] for name in ("deal", "legal", "play", "standing")}
    kernels |= specialise(playouts, given, f"{game.name}_random")
    kinds = _kinds(game)
    record = game.definition.dtype
    found = {
        name: _export(kernels[name], kinds | {"s": Memory(record, array=name in OF_MANY)})
        for name in (*OF_ONE_RECORD, *OF_MANY)
    }
    kinds |= {"s": Memory(record, array=False), "notes": Memory(INT32, TOLD)}
    for name in TELLING:
        if hasattr(getattr(game.definition, "telling", None), name):
            found[name] = _export(kernels[name], kinds)
    return found


def _export(kernel: Any, kinds: dict[str, Parameter]) -> Export:
    return Export(kernel, [kinds.get(name, "int") for name in names(kernel)])


def _kinds(game: Game) -> dict[str, Parameter]:
    """What lies in memory, by the name of the parameter."""
    record = game.definition.dtype
    fields: Any = record.fields
    before_log = int(fields["log"][1])  # what play without an audience touches
    actions = max(len(variant.tokens) for variant in variants(game))
    moves = Memory(UINT64, (actions + 63) // 64)
    words = Memory(UINT64, -(-before_log // 8))
    found = {
        "record": Memory(record),
        "moves": moves,
        "untried": moves,
        "words": words,
        "root": words,
        "rng": Memory(UINT64),
        "notes": Memory(INT32, NOTES),
        "settings": Memory(FLOAT, search.SETTINGS),
        "nodes": Memory(search.NODE, None),
        "used": Memory(INT64),
        "path": Memory(INT32, search.LONGEST_PATH),
        "values": Memory(FLOAT, game.info.seats[-1] + 2),
        "wins": Memory(FLOAT, actions),
        "points": Memory(FLOAT, actions),
        "actions": Memory(INT64, None),
        "totals": Memory(FLOAT, actions),
        "blank": Memory(record),
        "dice": Memory(playouts.new_dice(actions, game.public_row).dtype),
        "lengths": Memory(INT64, None),
    }
    desk = Group(search.Desk, {name: found[name] for name in search.Desk._fields})
    return {**found, "desk": desk, "salt": "long"}
