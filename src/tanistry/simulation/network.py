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
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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
WIDEST = 32
"""Bits of the numbers that are reckoned with."""
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


class Weights(NamedTuple):
    """A network made ready for a game with its options, and room to think in. Tables lie flat,
    row after row: a browser hands them over so."""

    inputs: Any  # the row of each byte of the observation, −1: none
    start: Any
    first: Any
    first_scale: Any
    first_bits: Any  # an array of one
    blocks: Any
    block_scale: Any
    block_bias: Any
    out: Any
    out_scale: Any
    out_bias: Any
    outputs: Any  # the row of each action
    x: Any
    z: Any
    total: Any
    logits: Any
    chances: Any


@kernel
def add_row(total: Any, row: Any, factor: Any) -> None:
    """Add a row of weights so many times. All of it is 32 bits wide: eight or more at a time."""
    for j in range(total.shape[0]):
        total[j] = np.int32(total[j] + np.int32(factor * np.int32(row[j])))


@kernel
def hidden(weights: Any, observed: Any) -> None:
    """From an observation to the last layer but one, in `z`."""
    x, z, total, start = weights.x, weights.z, weights.total, weights.start
    first, scale, blocks = weights.first, weights.first_scale, weights.blocks
    width, bits = x.shape[0], weights.first_bits[0]
    for j in range(width):
        total[j] = start[j]
    for i in range(observed.shape[0]):
        if observed[i] != 0 and weights.inputs[i] >= 0:
            row = int(weights.inputs[i])
            factor = np.int32(np.int32(observed[i]) * scale[row])
            add_row(total, first[row * width : (row + 1) * width], factor)
    for j in range(width):
        x[j] = total[j] >> bits
    for begin in range(0, weights.block_bias.shape[0], width):
        norm_relu(x, z)
        for j in range(width):
            total[j] = 0
        for i in range(width):
            if z[i] != 0:
                row = (begin + i) * width
                add_row(total, blocks[row : row + width], z[i])
        block_scale = weights.block_scale[begin : begin + width]
        block_bias = weights.block_bias[begin : begin + width]
        for j in range(width):
            scaled = (np.int64(total[j]) * np.int64(block_scale[j])) >> SCALE_BITS
            x[j] += np.int32(scaled + block_bias[j])
    norm_relu(x, z)


@kernel
def output(weights: Any, row: int) -> Any:
    """What comes out at a row, after `hidden`; the last is the value of the position."""
    z = weights.z
    width = z.shape[0]
    of_row = weights.out[row * width : (row + 1) * width]
    total = np.int32(0)
    for j in range(width):
        total = np.int32(total + np.int32(z[j] * np.int32(of_row[j])))
    scaled = (np.int64(total) * np.int64(weights.out_scale[row])) >> SCALE_BITS
    return scaled + np.int64(weights.out_bias[row])


@kernel
def value(weights: Any) -> float:
    """What the position is worth to the seat, after `hidden`: −1 lost … 1 won."""
    found: float = output(weights, weights.out_bias.shape[0] - 1) / ONE_X
    return found


@kernel
def judge(weights: Any, moves: Any) -> int:
    """The logits of the legal actions; the action with the highest, of equals the first."""
    logits = weights.logits
    best = -1
    for w in range(moves.shape[0]):
        rest = moves[w]
        while rest != EMPTY:
            action = 64 * w + lowest(rest)
            rest &= rest - ONE
            logits[action] = output(weights, int(weights.outputs[action]))
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
    """A network from the contents of the file of that name; OptionError if they are none, by what a
    browser would refuse as well (web/engine/src/network.ts)."""
    at = len(KIND) + 32
    if data[: len(KIND)] != KIND:
        raise OptionError("network/foreign", name=name)
    if hashlib.sha256(data[at:]).digest() != data[len(KIND) : at]:
        raise OptionError("network/damaged", name=name)
    try:
        network = _unpack(zlib.decompress(data[at:]))
    except (zlib.error, ValueError, LookupError, TypeError, OverflowError, RecursionError):
        raise OptionError("network/damaged", name=name) from None
    if network is None:
        raise OptionError("network/version", name=name)
    return network


def _unpack(content: bytes) -> Network | None:
    """A network from its header and arrays, or None if there are more than we know of. Numbers are
    taken as browsers take them, which have one kind of number and none that is no number."""
    at = 4 + int.from_bytes(content[:4], "little")
    header = json.loads(content[4:at].decode(), parse_int=float, parse_constant=int)
    if len(header["shapes"]) > len(ARRAYS):
        return None
    _check_fit(**header)
    arrays: dict[str, Any] = {}
    for name, kind in ARRAYS.items():
        shape = tuple(map(int, header["shapes"][name]))
        little = np.dtype(kind).newbyteorder("<")
        array = np.frombuffer(content, little, int(np.prod(shape)), at)
        arrays[name] = array.reshape(shape).astype(kind)
        at += array.nbytes
    if at != len(content):
        raise ValueError("arrays of another length")
    names = tuple(header["inputs"]), tuple(header["tokens"])
    return Network(header["game"], *names, int(header["first_bits"]), **arrays)


def _check_fit(
    game: Any, inputs: Any, tokens: Any, first_bits: Any, shapes: Any, **_more: Any
) -> None:
    """ValueError unless names and tables go with each other: kernels do not look."""
    width, blocks = shapes["start"][0], shapes["blocks"][0]
    rows, outputs = len(inputs), len(tokens) + 1
    counts = [first_bits, *chain(*shapes.values())]
    fits = (
        all(type(count) is float and count.is_integer() and count >= 0 for count in counts)
        and width > 0
        and first_bits < WIDEST
        and shapes == {
            "first": [rows, width], "first_scale": [rows], "start": [width],
            "blocks": [blocks, width, width], "block_scale": [blocks, width],
            "block_bias": [blocks, width], "out": [outputs, width], "out_scale": [outputs],
            "out_bias": [outputs],
        }
        and type(inputs) is type(tokens) is list
        and all(type(name) is str for name in [game, *inputs, *tokens])
        and len(set(inputs)) == rows
        and len(set(tokens)) == outputs - 1
    )  # fmt: skip
    if not fits:
        raise ValueError("parts that do not fit together")


@cache
def network_of(game: str) -> Network:
    """The network that comes with a game; OptionError if there is none."""
    return read_network(network_bytes(game), f"{game}.net")


def network_bytes(game: str) -> bytes:
    """The file of the network that comes with a game; OptionError if there is none."""
    found = files("tanistry.simulation") / "networks" / f"{game}.net"
    if not found.is_file():
        raise OptionError("network/none", game=game, allowed=", ".join(networks()))
    return found.read_bytes()


def read_network_file(path: Path) -> Network:
    """A network from a file; OptionError if it cannot be read or is none."""
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise FileError("file/read", path, wrong) from None
    return read_network(data, str(path))


def networks() -> tuple[str, ...]:
    """The games that come with a network."""
    folder = files("tanistry.simulation") / "networks"
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
        inputs = _numbers(input_names(observation(game, insights=True)), numbers)
        rows = {token: i for i, token in enumerate(network.tokens)}
        outputs = _numbers(game.tokens, rows)
        if (outputs < 0).any():
            raise OptionError("network/game", name=network.game, game=repr(game))
        start = network.start.copy()
        for name, number in option_inputs(game).items():
            if name in numbers:
                i = numbers[name]
                start += number * network.first_scale[i] * network.first[i].astype(np.int32)
        room, actions = np.zeros((3, len(start)), np.int32), len(game.tokens)
        tables = {name: getattr(network, name).reshape(-1) for name in ARRAYS if name != "start"}
        self.weights = Weights(
            inputs=inputs, start=start, first_bits=np.array([network.first_bits]), outputs=outputs,
            x=room[0], z=room[1], total=room[2], logits=np.zeros(actions, np.int64),
            chances=np.zeros(actions), **tables,
        )  # fmt: skip
        self._interpreted = game.kernels.play is not game.definition.rules.play

    @property
    def logits(self) -> NDArray[np.int64]:
        """Of the last question; only those of actions that were legal count."""
        found: NDArray[np.int64] = self.weights.logits
        return found

    def choose(self, observed: NDArray[np.uint8], moves: NDArray[np.uint64]) -> int:
        """The action it likes best among those of a set."""
        self.kernel(hidden)(self.weights, observed)
        return int(self.kernel(judge)(self.weights, moves))

    def value(self) -> float:
        """What the position of the last question is worth to the seat: −1 lost … 1 won."""
        return float(self.kernel(value)(self.weights))

    def kernel(self, function: Any) -> Any:
        """A kernel as it runs for this game."""
        return interpreted(function) if self._interpreted else function


def _numbers(names: Sequence[str], known: Mapping[str, int]) -> NDArray[np.int32]:
    """The number of each name, −1 for those not known."""
    return np.array([known.get(name, -1) for name in names], np.int32)
