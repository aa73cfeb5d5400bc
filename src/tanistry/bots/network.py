"""A network that plays a game: what it is as a file, and how it is asked. No learner is needed.

A network reads an observation (`simulation.observation`) and the options, and gives every legal
action a number, the higher the better it likes it, and the position a value. It is one for all
seats and options of a game: its inputs and outputs go by name (`"hand|own|R7"`, `"edition=2015"`,
`"R7@3"`), and what it has never heard of it leaves out.

All of its arithmetic is in whole numbers, so that its choices are the same interpreted, compiled,
on a GPU and in a browser. With `v` the bytes of the observation,

    x = Σ v[i] · first[i] + bias                   only bytes that are not 0 take part
    x = x + relu(norm(x)) · block + bias           for each block; norm divides by the root of the
                                                   mean square
    (logits, value) = relu(norm(x)) · out + bias   of the legal actions alone

Weights are bytes; each row of the first layer, each column of a block and each output has a
multiplier beside it. `x` is kept in units of 1 / ONE_X, what `norm` gives in units of 1 / ONE_Z.

A file is a line with its kind, the SHA-256 of the rest, and the rest, compressed: a header in JSON
and the arrays it lists, one after the other.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tanistry.errors import FileError, OptionError
from tanistry.games.contract import Value, written
from tanistry.kernel import interpreted, kernel
from tanistry.simulation.observation import observation
from tanistry.table.bits import EMPTY, ONE, lowest

if TYPE_CHECKING:
    from tanistry.games.contract import Option
    from tanistry.match import Game
    from tanistry.simulation.observation import Layout

KIND = b"tanistry network 1\n"
X_BITS, Z_BITS, SCALE_BITS = 12, 8, 16
ONE_X, ONE_Z = 1 << X_BITS, 1 << Z_BITS
"""What stands for 1 in `x`, in logits and values, and in what `norm` gives."""
VALUES_BY_NAME = 5
"""An option of more values than this is one number, not a flag for each value."""


# -- names ----------------------------------------------------------------------------------------


def input_names(layout: Layout) -> list[str]:
    """A name for every byte of an observation, the same whatever the seats and options are."""
    return [
        f"{section.name}|{row}|{column}"
        for section in layout.sections
        for row in section.rows
        for column in section.columns
    ]


def option_inputs(game: Game) -> dict[str, int]:
    """What a network is told of the options, which observations do not tell."""
    told = {f"seats={game.seats}": 1}
    for option in game.option_list:
        name, number = _option_input(option, game.options[option.name])
        told[name] = number
    return told


def most_of_option(game: Game, name: str) -> int:
    """The largest number of such an input."""
    found = {option.name: option for option in game.option_list}.get(name)
    return max(int(value) for value in found.values) if found else 1


def _option_input(option: Option, value: Value) -> tuple[str, int]:
    if type(value) is int and len(option.values) > VALUES_BY_NAME:
        return option.name, value
    return f"{option.name}={written(value)}", 1


# -- the kernel -----------------------------------------------------------------------------------


@kernel
def root(square: Any) -> Any:
    """The whole part of a square root."""
    guess = np.int64(1)
    while guess * guess <= square:
        guess *= 2
    step = guess // 2
    guess = np.int64(0)
    while step > 0:
        if (guess + step) * (guess + step) <= square:
            guess += step
        step //= 2
    return guess


@kernel
def norm_relu(x: Any, z: Any) -> None:
    """What of `x` is above 0, divided by the root of the mean square of all."""
    width = x.shape[0]
    total = np.int64(0)
    for j in range(width):
        total += np.int64(x[j]) * np.int64(x[j])
    size = root(total // width) + 1
    for j in range(width):
        z[j] = (x[j] << Z_BITS) // size if x[j] > 0 else 0


@kernel
def add_row(total: Any, rows: Any, row: int, factor: Any) -> None:
    """Add a row of weights so many times. All of it is 32 bits wide: eight or more at a time."""
    for j in range(total.shape[0]):
        total[j] = np.int32(total[j] + np.int32(factor * np.int32(rows[row, j])))


@kernel
def hidden(
    observed: Any, inputs: Any, start: Any, first: Any, first_scale: Any, first_bits: int,
    blocks: Any, block_scale: Any, block_bias: Any, x: Any, z: Any, total: Any,
) -> None:  # fmt: skip
    """From an observation to the last layer but one, in `z`."""
    width = x.shape[0]
    for j in range(width):
        total[j] = start[j]
    for i in range(observed.shape[0]):
        if observed[i] != 0 and inputs[i] >= 0:
            row = inputs[i]
            add_row(total, first, row, np.int32(np.int32(observed[i]) * first_scale[row]))
    for j in range(width):
        x[j] = total[j] >> first_bits
    for b in range(blocks.shape[0]):
        norm_relu(x, z)
        for j in range(width):
            total[j] = 0
        for i in range(width):
            if z[i] != 0:
                add_row(total, blocks[b], i, z[i])
        for j in range(width):
            scaled = (np.int64(total[j]) * np.int64(block_scale[b, j])) >> SCALE_BITS
            x[j] += np.int32(scaled + block_bias[b, j])
    norm_relu(x, z)


@kernel
def output(z: Any, out: Any, out_scale: Any, out_bias: Any, row: int) -> Any:
    total = np.int32(0)
    for j in range(z.shape[0]):
        total = np.int32(total + np.int32(z[j] * np.int32(out[row, j])))
    return ((np.int64(total) * np.int64(out_scale[row])) >> SCALE_BITS) + np.int64(out_bias[row])


@kernel
def judge(
    z: Any, out: Any, out_scale: Any, out_bias: Any, outputs: Any, moves: Any, logits: Any
) -> int:
    """The logits of the legal actions; the action with the highest, of equals the first."""
    best = -1
    for w in range(moves.shape[0]):
        rest = moves[w]
        while rest != EMPTY:
            action = 64 * w + lowest(rest)
            rest &= rest - ONE
            logits[action] = output(z, out, out_scale, out_bias, outputs[action])
            if best < 0 or logits[action] > logits[best]:
                best = action
    return best


# -- the file -------------------------------------------------------------------------------------

ARRAYS = {
    "first": np.int8, "first_scale": np.int32, "start": np.int32, "blocks": np.int8,
    "block_scale": np.int32, "block_bias": np.int32, "out": np.int8, "out_scale": np.int32,
    "out_bias": np.int32,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Network:
    """Weights as whole numbers. The last output is the value of the position."""

    game: str
    inputs: tuple[str, ...]
    tokens: tuple[str, ...]
    first_bits: int
    first: NDArray[np.int8]
    first_scale: NDArray[np.int32]
    start: NDArray[np.int32]
    blocks: NDArray[np.int8]
    block_scale: NDArray[np.int32]
    block_bias: NDArray[np.int32]
    out: NDArray[np.int8]
    out_scale: NDArray[np.int32]
    out_bias: NDArray[np.int32]

    def to_bytes(self) -> bytes:
        arrays = {name: np.ascontiguousarray(getattr(self, name)) for name in ARRAYS}
        header = {
            "game": self.game,
            "inputs": self.inputs,
            "tokens": self.tokens,
            "first_bits": self.first_bits,
            "shapes": {name: array.shape for name, array in arrays.items()},
        }
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
        little = [a.astype(a.dtype.newbyteorder("<")).tobytes() for a in arrays.values()]
        rest = zlib.compress(len(text).to_bytes(4, "little") + text + b"".join(little), 9)
        return KIND + hashlib.sha256(rest).digest() + rest


def read_network(data: bytes, name: str) -> Network:
    """A network from the contents of the file of that name; OptionError if they are none."""
    at = len(KIND) + 32
    if data[: len(KIND)] != KIND:
        raise OptionError("network/foreign", name=name)
    if hashlib.sha256(data[at:]).digest() != data[len(KIND) : at]:
        raise OptionError("network/damaged", name=name)
    try:
        return _unpack(zlib.decompress(data[at:]))
    except (zlib.error, ValueError, KeyError, TypeError):
        raise OptionError("network/damaged", name=name) from None


def _unpack(content: bytes) -> Network:
    at = 4 + int.from_bytes(content[:4], "little")
    header = json.loads(content[4:at])
    arrays: dict[str, Any] = {}
    for name, kind in ARRAYS.items():
        shape = tuple(header["shapes"][name])
        little = np.dtype(kind).newbyteorder("<")
        array = np.frombuffer(content, little, int(np.prod(shape)), at)
        arrays[name] = array.reshape(shape).astype(kind)
        at += array.nbytes
    names = tuple(header["inputs"]), tuple(header["tokens"])
    return Network(header["game"], *names, header["first_bits"], **arrays)


@cache
def network_of(game: str) -> Network:
    """The network that comes with a game; OptionError if there is none."""
    found = files("tanistry.bots") / "networks" / f"{game}.net"
    if not found.is_file():
        raise OptionError("network/none", game=game, allowed=", ".join(networks()))
    return read_network(found.read_bytes(), f"{game}.net")


def read_network_file(path: Path) -> Network:
    """A network from a file; OptionError if it cannot be read or is none."""
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise FileError("file/read", path, wrong) from None
    return read_network(data, str(path))


def networks() -> tuple[str, ...]:
    """The games that come with a network."""
    folder = files("tanistry.bots") / "networks"
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(name.removesuffix(".net") for name in names if name.endswith(".net")))


# -- asking it ------------------------------------------------------------------------------------


class Evaluator:
    """A network made ready for a game with its seats and options. Not for two threads at once."""

    def __init__(self, network: Network, game: Game) -> None:
        if network.game != game.name:
            raise OptionError("network/game", name=network.game, game=game.name)
        self.network, self.game = network, game
        numbers = {name: i for i, name in enumerate(network.inputs)}
        self.inputs = _numbers(input_names(observation(game)), numbers)
        outputs = {token: i for i, token in enumerate(network.tokens)}
        self.outputs = _numbers(game.tokens, outputs)
        if (self.outputs < 0).any():
            raise OptionError("network/game", name=network.game, game=repr(game))
        self.start = network.start.copy()
        for name, value in option_inputs(game).items():
            if name in numbers:
                i = numbers[name]
                self.start += value * network.first_scale[i] * network.first[i].astype(np.int32)
        width = len(network.start)
        self._x, self._z, self._total = (np.zeros(width, np.int32) for _ in range(3))
        self.logits = np.zeros(len(game.tokens), np.int64)
        """Of the last question; only those of actions that were legal count."""
        self._interpreted = game.kernels.play is not game.definition.rules.play

    def choose(self, observed: NDArray[np.uint8], moves: NDArray[np.uint64]) -> int:
        """The action it likes best among those of a set."""
        self._think(observed)
        net = self.network
        return int(
            self._kernel(judge)(
                self._z, net.out, net.out_scale, net.out_bias, self.outputs, moves, self.logits
            )
        )

    def value(self) -> float:
        """What the position of the last question is worth to the seat: −1 lost … 1 won."""
        net = self.network
        row = len(net.tokens)
        found = self._kernel(output)(self._z, net.out, net.out_scale, net.out_bias, row)
        return int(found) / ONE_X

    def _think(self, observed: NDArray[np.uint8]) -> None:
        net = self.network
        self._kernel(hidden)(
            observed, self.inputs, self.start, net.first, net.first_scale, net.first_bits,
            net.blocks, net.block_scale, net.block_bias, self._x, self._z, self._total,
        )  # fmt: skip

    def _kernel(self, function: Any) -> Any:
        return interpreted(function) if self._interpreted else function


def _numbers(names: Sequence[str], known: Mapping[str, int]) -> NDArray[np.int32]:
    """The number of each name, −1 for those not known."""
    return np.array([known.get(name, -1) for name in names], np.int32)
