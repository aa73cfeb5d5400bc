"""Networks: whole numbers that mean what they should, the same everywhere, in files that hold."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.errors import OptionError
from tanistry.simulation.network import (
    KIND,
    ONE_X,
    SCALE_BITS,
    X_BITS,
    Z_BITS,
    Evaluator,
    Network,
    input_names,
    network_of,
    networks,
    option_inputs,
    read_network,
)
from tanistry.simulation.observation import observation, observe

MOST_BYTES = 8_000_000
"""All networks together."""


def some_network(game: tanistry.Game, width: int = 12) -> Network:
    """A small network that has learnt nothing."""
    chance = np.random.default_rng(1)
    inputs = (*input_names(observation(game, insights=True)), *option_inputs(game))
    outputs = len(game.tokens) + 1

    def weights(*shape: int) -> Any:
        return chance.integers(-127, 128, shape).astype(np.int8)

    def numbers(high: int, *shape: int) -> Any:
        return chance.integers(-high, high, shape).astype(np.int32)

    return Network(
        game=game.name, inputs=inputs, tokens=game.tokens, first_bits=6,
        first=weights(len(inputs), width), first_scale=abs(numbers(2000, len(inputs))),
        start=numbers(9000, width), blocks=weights(1, width, width),
        block_scale=abs(numbers(2000, 1, width)), block_bias=numbers(2000, 1, width),
        out=weights(outputs, width), out_scale=abs(numbers(2000, outputs)),
        out_bias=numbers(2000, outputs),
    )  # fmt: skip


def variant(change: dict[str, Any], begin: str = "{", arrays: int = 0) -> bytes:
    """The file of a network with another header, which may begin differently, and more or fewer
    bytes of arrays."""
    data = some_network(tanistry.game("claim")).to_bytes()
    content = zlib.decompress(data[len(KIND) + 32 :])
    end = 4 + int.from_bytes(content[:4], "little")
    header = json.loads(content[4:end])
    shapes = header["shapes"] | change.pop("shapes", {})
    text = (begin + json.dumps(header | change | {"shapes": shapes})[1:]).encode()
    kept = content[end : len(content) + min(arrays, 0)] + bytes(max(arrays, 0))
    rest = zlib.compress(len(text).to_bytes(4, "little") + text + kept)
    return KIND + hashlib.sha256(rest).digest() + rest


def blocks(count: Any) -> dict[str, Any]:
    return {"blocks": [count, 12, 12], "block_scale": [count, 12], "block_bias": [count, 12]}


def misfits() -> Iterator[bytes]:
    """Files that are right by their SHA-256, and nothing else."""
    network = some_network(tanistry.game("claim"))
    for wrong in (
        {"out_bias": np.zeros(3, np.int32)},
        {"first": np.zeros((5, 12), np.int8)},
        {"out": network.out[:, 1:]},
        {"blocks": network.blocks[1:]},
        {"tokens": network.tokens[1:]},
        {"inputs": ("seat||0",)},
        {"inputs": (network.inputs[1], *network.inputs[1:])},
    ):
        yield replace(network, **wrong).to_bytes()
    letters = [chr(0x4E00 + row) for row in range(len(network.inputs))]
    for name, count in (("inputs", len(network.inputs)), ("tokens", len(network.tokens))):
        yield variant({name: "".join(letters[:count])})
        yield variant({name: dict.fromkeys(letters[:count], 1)})
    for bits in ("6", True, None, 6.5, -1, 70, 2**70):
        yield variant({"first_bits": bits})
    yield variant({"game": None})
    yield variant({"shapes": {"start": []}})
    yield variant({"shapes": {"start": ["12"]}})
    yield variant({"shapes": blocks(True)})
    yield variant({"shapes": blocks(0.5)}, arrays=-120)
    yield variant({"shapes": blocks(-1)}, arrays=-480)
    yield variant({"more": math.nan})
    yield variant({}, begin="\ufeff{")
    yield variant({}, arrays=1)


def from_another_version() -> bytes:
    """As networks were that looked at a position in several disguises."""
    return variant({"shapes": {"input_orders": [1, 2], "token_orders": [1, 2]}}, arrays=12)


def oddly_written() -> Iterator[bytes]:
    """Files that mean a network all the same: where browsers read numbers, 6.0 is 6."""
    yield variant({"first_bits": 6.0})
    yield variant({"shapes": blocks(1.0)})
    yield variant({}, begin='{"more": ' + 5000 * "9" + ", ")


def positions(game: tanistry.Game, step: int) -> Iterator[tuple[Any, Any]]:
    """Observations along a match, with the legal actions."""
    match, player = game.deal(seed=3), tanistry.bot("random", seed=3)
    while match.to_act is not None:
        if len(match.history) % step == 0:
            moves = game.new_moves()
            game.kernels.legal(match._s, moves)
            yield observe(match, match.to_act, insights=True), moves
        match.play(player.choose(match))


def in_floats(evaluator: Evaluator, observed: Any) -> Any:
    """What the network means, reckoned with real numbers: logits, and the value at the end."""
    net = evaluator.network

    def relu_norm(x: Any) -> Any:
        return np.maximum(x, 0) / np.sqrt(np.mean(x**2))

    to_x = 2.0 ** (X_BITS - Z_BITS + SCALE_BITS)
    first = net.first * net.first_scale[:, None].astype(float)
    x = (evaluator.weights.start + observed @ first[evaluator.weights.inputs]) / 2.0 ** (
        net.first_bits + X_BITS
    )
    for block, scale, bias in zip(net.blocks, net.block_scale, net.block_bias, strict=True):
        x = x + relu_norm(x) @ (block * (scale / to_x)) + bias / ONE_X
    return (net.out * (net.out_scale / to_x)[:, None]) @ relu_norm(x) + net.out_bias / ONE_X


def test_whole_numbers_mean_what_real_ones_do() -> None:
    game = tanistry.game("claim")
    evaluator = Evaluator(network_of("claim"), game)
    for observed, moves in positions(game, 5):
        best = evaluator.choose(observed, moves)
        meant = in_floats(evaluator, observed.astype(float))
        legal = [a for a in range(len(game.tokens)) if int(moves[a >> 6]) >> (a & 63) & 1]
        error = np.abs(evaluator.logits[legal] / ONE_X - meant[legal]).max()
        assert error < 0.05 + 0.02 * np.abs(meant[legal]).max()
        assert meant[best] > max(meant[legal]) - 0.2
        assert abs(evaluator.value() - meant[-1]) < 0.03


def test_compiled_and_interpreted_are_the_same() -> None:
    game = tanistry.game("claim")
    network = some_network(game)
    fast, plain = Evaluator(network, game), Evaluator(network, game.interpreted())
    for observed, moves in positions(game, 9):
        assert fast.choose(observed, moves) == plain.choose(observed, moves)
        assert fast.logits.tolist() == plain.logits.tolist()
        assert fast.value() == plain.value()


def test_a_file_holds_the_network() -> None:
    network = some_network(tanistry.game("claim"))
    for data in (network.to_bytes(), *oddly_written()):
        again = read_network(data, "again")
        for name, value in vars(network).items():
            assert np.array_equal(getattr(again, name), value), name
        assert again.to_bytes() == network.to_bytes()


def test_what_is_no_network_is_refused() -> None:
    data = some_network(tanistry.game("claim")).to_bytes()
    for wrong in (b"", b"GIF89a", data[1:]):
        with pytest.raises(OptionError, match="not a network"):
            read_network(wrong, "odd.net")
    for at in (len(KIND), len(KIND) + 40, len(data) - 1):
        with pytest.raises(OptionError, match=r"odd\.net is damaged"):
            read_network(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], "odd.net")
    with pytest.raises(OptionError, match=r"odd\.net is damaged"):
        read_network(data[:-5], "odd.net")


def test_parts_that_do_not_fit_together_are_refused() -> None:
    for data in misfits():
        with pytest.raises(OptionError, match=r"odd\.net is damaged"):
            read_network(data, "odd.net")


def test_a_network_from_another_version_is_not_called_damaged() -> None:
    with pytest.raises(OptionError, match=r"odd\.net is a network for another version"):
        read_network(from_another_version(), "odd.net")


def test_a_network_plays_its_own_game(tmp_path: Path) -> None:
    path = tmp_path / "claim.net"
    path.write_bytes(some_network(tanistry.game("claim")).to_bytes())
    bot = tanistry.bot("trained", network=str(path))
    match = tanistry.game("claim").deal(seed=1)
    assert bot.choose(match) in match.legal()
    with pytest.raises(OptionError, match="plays claim, not kilt"):
        bot.choose(tanistry.game("kilt").deal(seed=1))
    with pytest.raises(OptionError, match=r"missing\.net"):
        tanistry.bot("trained", network=str(tmp_path / "missing.net"))


@pytest.mark.parametrize("name", tanistry.games())
def test_every_game_comes_with_a_network_that_knows_all_of_it(name: str) -> None:
    network, info = network_of(name), tanistry.info(name)
    for seats in info.seats:
        game = tanistry.game(name, seats=seats)
        evaluator = Evaluator(network, game)
        assert (evaluator.weights.inputs >= 0).all(), "learn anew: observations have changed"
        assert set(option_inputs(game)) <= set(network.inputs)
    for option in info.options:
        for value in option.values:
            Evaluator(network, tanistry.game(name, **{option.name: value}))


def test_networks_are_small_and_tell_where_they_come_from() -> None:
    folder = files("tanistry.simulation") / "networks"
    assert set(networks()) >= set(tanistry.games())
    total = 0
    for name in networks():
        total += len((folder / f"{name}.net").read_bytes())
        about = json.loads((folder / f"{name}.json").read_text("utf-8"))
        assert about["game"] == about["settings"]["game"] == name
        assert about["choices"] > 0
        assert {"command", "version", "torch", "device", "judged"} <= set(about)
    assert total <= MOST_BYTES
