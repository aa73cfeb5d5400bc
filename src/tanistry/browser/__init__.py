"""Games for a browser: the rules as WebAssembly, and what describes them as JSON.

    build("claim", folder)    # folder/claim.wasm, claim.json, claim.lessons.json and claim.net

Compiling takes a minute for a large game, so a module is kept beside other compiled kernels, under
a hash of all sources it is made from.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import tanistry
from tanistry.bots import imagining, personas, search, solving
from tanistry.bots.players import champion, greedy, ismcts, people, trained
from tanistry.bots.reading import SURE
from tanistry.browser.exports import exports
from tanistry.browser.seeing import sights
from tanistry.kernel.cache import cache_folder
from tanistry.kernel.functions import python_of
from tanistry.kernel.wasm import Export, Memory, link
from tanistry.match import Game, lessons
from tanistry.simulation.network import network_bytes, networks
from tanistry.simulation.playouts import APART
from tanistry.simulation.policy import policy_of
from tanistry.storage import check_replaceable, replacing

__all__ = ["build", "description", "module"]

FORMAT = 2
"""Raised when an older engine could not read what is written here."""


def build(name: str, folder: Path) -> list[Path]:
    """Write a game's module and description into a folder, and its lessons and its network, if it
    has them; their paths."""
    game = tanistry.game(name)
    check_replaceable(folder / f"{name}.wasm")
    texts = {"json": description(game), "lessons.json": lessons.described(game.definition)}
    files = {"wasm": module(game)} | {end: _json(data) for end, data in texts.items() if data}
    if name in networks():
        files["net"] = network_bytes(name)
    for ending, data in files.items():
        _write(folder / f"{name}.{ending}", data)
    return [folder / f"{name}.{ending}" for ending in files]


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _write(path: Path, data: bytes) -> None:
    with replacing(path) as fresh:
        fresh.write_bytes(data)


def module(game: Game) -> bytes:
    """A game's kernels as a WebAssembly module."""
    offered = exports(game)
    kept = _kept(game, offered)
    if kept.is_file():
        return kept.read_bytes()
    made = link(offered)
    _write(kept, made)
    return made


def _kept(game: Game, offered: dict[str, Export]) -> Path:
    """Where a module is kept, by the folders of all sources it may be made from."""
    files = {Path(python_of(export.kernel).__code__.co_filename) for export in offered.values()}
    files |= {Path(__file__), Path(str(game.definition.rules.__file__))}
    return cache_folder({file.parent for file in files}) / f"{game.name}.wasm"


def description(game: Game) -> dict[str, Any]:
    """What an engine must know beside the module: the game, its kernels, how its bots play."""
    return {
        "format": FORMAT,
        "game": game.describe(),
        "kernels": {name: _parameters(export) for name, export in exports(game).items()},
        "sights": sights(game),
        "network": _network(game),
        "bots": {
            "ismcts": _ismcts(game),
            "greedy": _greedy(game),
            "trained": {"version": trained.TrainedBot.version, "sure": SURE},
            "champion": _champion(game),
            "people": _people(game),
        },
    }


def _network(game: Game) -> dict[str, Any] | None:
    """How large the file of the network is, and its hash: a browser keeps it by that."""
    if game.name not in networks():
        return None
    data = network_bytes(game.name)
    return {"bytes": len(data), "sha256": sha256(data).hexdigest()}


def _champion(game: Game) -> dict[str, Any]:
    bot = champion
    return {
        "version": bot.ChampionBot.version,
        **asdict(bot.EFFORTS.get(game.name, bot.USUAL)),
        "most_candidates": bot.MOST_CANDIDATES,
        "least_chance": bot.LEAST_CHANCE,
        "trust": bot.TRUST,
        "doubt": bot.DOUBT,
        "model_error": bot.MODEL_ERROR,
        "alike": bot.ALIKE,
        "sense": bot.SENSE,
        "floor": imagining.FLOOR,
        "rows": imagining.ROWS,
        "longest": imagining.LONGEST,
        "proofs": imagining.PROOFS,
        "fewest": imagining.FEWEST,
        "surely": imagining.SURELY,
        "apart": str(int(APART)),
        "positions": solving.POSITIONS,
    }


def _people(game: Game) -> dict[str, Any]:
    """The levels that play like people, and who plays at each."""
    return {
        "version": people.PeopleBot.version,
        "default_level": personas.DEFAULT,
        "styles": personas.styles(game.name),
        "titles": [personas.level_titles(level) for level in personas.LEVELS],
        "personas": [personas.people_at(level) for level in personas.LEVELS],
    }


def _ismcts(game: Game) -> dict[str, Any]:
    bot = ismcts.IsmctsBot
    return {
        "version": bot.version,
        "default_level": bot.default_level,
        "levels": {level: asdict(style) for level, style in ismcts.styles(game.info).items()},
        "settings": ismcts.Settings().array(game).tolist(),
        "whole_root": search.WHOLE_ROOT,
        "pool": ismcts.POOL,
        "line": {"length": ismcts.LINE_LENGTH, "visits": ismcts.LINE_VISITS},
    }


def _greedy(game: Game) -> dict[str, Any]:
    policy = policy_of(game.info) is not None
    return {"version": greedy.GreedyBot.version, "policy": policy, "trials": greedy.TRIALS}


def _parameters(export: Export) -> list[list[Any]]:
    """Name and kind of each parameter; of memory, the layout of an element and how many."""
    found: list[list[Any]] = []
    for name, parameter in export.outside():
        if not isinstance(parameter, Memory):
            found.append([name, parameter])
        elif parameter.dtype.names and name in ("s", "record", "blank"):
            found.append([name, "record"])
        else:
            found.append([name, _layout(parameter.dtype), parameter.length])
    return found


def _layout(dtype: np.dtype[Any]) -> Any:
    """A type of memory: `u8` and the like, or size and fields with their offsets and shapes."""
    if dtype.fields is None:
        return dtype.str.lstrip("<|")
    fields = {
        name: [int(offset), kind.base.str.lstrip("<|"), list(kind.shape)]
        for name, (kind, offset, *_) in dtype.fields.items()
    }
    return {"size": dtype.itemsize, "fields": fields}
