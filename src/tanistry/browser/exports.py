"""What a game's engine offers to a browser: its kernels, each with its parameters.

Parameters are told apart by their names, which mean the same in every kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.bots import search, solving
from tanistry.bots.desk import searcher
from tanistry.bots.solving import has_open_ends, solver_kernels
from tanistry.browser import seeing, thinking
from tanistry.browser.seeing import MARKS, Sight, telling_kernels, variants
from tanistry.kernel import specialise
from tanistry.kernel.wasm import Export, Group, Memory, Parameter, names
from tanistry.match import Game
from tanistry.simulation import playouts
from tanistry.simulation.network import ARRAYS, Weights
from tanistry.simulation.policy import NOTES, policy_kernels
from tanistry.table.notes import NOTES as TOLD

OF_ONE_RECORD = (
    "deal", "legal", "play", "score", "standing", "resample", "start_stream", "advise",
)  # fmt: skip
"""Kernels that take the record itself; the others take it as an array of one."""
OF_MANY = ("playouts", "search", "rank_actions")
OF_NETWORKS = ("see", "consult")
TELLING = ("refuse", "facts", "restore", "check", "tally", "seen_by")
"""Kernels that tell of a record; a game need not have all of them."""

BYTE, INT32, INT64, UINT64, FLOAT = (
    np.dtype(t) for t in (np.uint8, np.int32, np.int64, np.uint64, np.float64)
)


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
    if has_open_ends(game):
        found["reaches"] = _export(solver_kernels(game).reaches, kinds)
    kinds["s"] = Memory(record, array=False)
    if has_open_ends(game):
        found["open_end"] = _export(kernels["open_end"], kinds)
    kernels |= specialise(seeing, telling_kernels(game), game.name)
    kernels["consult"] = thinking.consult
    found |= {name: _export(kernels[name], kinds | _network_kinds()) for name in OF_NETWORKS}
    kinds["notes"] = Memory(INT32, TOLD)
    for name in TELLING:
        if hasattr(getattr(game.definition, "telling", None), name):
            found[name] = _export(kernels[name], kinds)
    return found


def _export(kernel: Any, kinds: dict[str, Parameter]) -> Export:
    return Export(kernel, [kinds.get(name, "int") for name in names(kernel)])


def _network_kinds() -> dict[str, Parameter]:
    """What networks need: all of it as large as the caller says."""
    numbers = {"logits": INT64, "chances": FLOAT, "first_bits": INT64}
    numbers |= {name: np.dtype(kind) for name, kind in ARRAYS.items()}
    weights = {name: Memory(numbers.get(name, INT32), None) for name in Weights._fields}
    tables = {name: Memory(INT32, None) for name in Sight._fields}
    tables |= {"marks": Memory(INT32, MARKS), "observed": Memory(BYTE, None)}
    return {
        "sight": Group(Sight, tables),
        "observed": tables["observed"],
        "mind": Group(Weights, weights),
        "style": Memory(FLOAT, thinking.STYLE),
        "worth": Memory(FLOAT),
    }


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
        "steps": Memory(solving.STEP, solving.DEEPEST),
        "trail": Memory(UINT64, solving.DEEPEST * -(-before_log // 8)),
        "rest": Memory(UINT64, solving.DEEPEST * ((actions + 63) // 64)),
        "liked": Memory(INT32, 2 * actions),
        "table": Memory(UINT64, solving.REMEMBERED),
    }
    desk = Group(search.Desk, {name: found[name] for name in search.Desk._fields})
    book = Group(solving.Notebook, {name: found[name] for name in solving.Notebook._fields})
    return {**found, "desk": desk, "book": book, "salt": "long"}
