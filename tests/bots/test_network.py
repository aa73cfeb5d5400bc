"""Networks: whole numbers that mean what they should, the same everywhere, in files that hold."""

from __future__ import annotations

import json
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

    def orders(length: int) -> Any:
        return np.stack([np.arange(length), chance.permutation(length)]).astype(np.int32)

    return Network(
        game=game.name, inputs=inputs, tokens=game.tokens, first_bits=6,
        first=weights(len(inputs), width), first_scale=abs(numbers(2000, len(inputs))),
        start=numbers(9000, width), blocks=weights(1, width, width),
        block_scale=abs(numbers(2000, 1, width)), block_bias=numbers(2000, 1, width),
        out=weights(outputs, width), out_scale=abs(numbers(2000, outputs)),
        out_bias=numbers(2000, outputs), input_orders=orders(len(inputs)),
        token_orders=orders(len(game.tokens)),
    )  # fmt: skip


def positions(game: tanistry.Game, step: int) -> Iterator[tuple[Any, Any]]:
    """Observations along a match, with the legal actions."""
    match, player = game.deal(seed=3), tanistry.bot("random", seed=3)
    while match.to_act is not None:
        if len(match.history) % step == 0:
            moves = game.new_moves()
            game.kernels.legal(match._s, moves)
            yield observe(match, match.to_act, insights=True), moves
        match.play(player.choose(match))


def actions(moves: Any) -> list[int]:
    return [a for a in range(64 * len(moves)) if int(moves[a >> 6]) >> (a & 63) & 1]


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
        legal = actions(moves)
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


def test_several_looks_are_the_mean_of_each() -> None:
    game = tanistry.game("claim")
    network = some_network(game)
    alone = [
        replace(
            network, input_orders=network.input_orders[[k]], token_orders=network.token_orders[[k]]
        )
        for k in range(2)
    ]
    both, *each = (Evaluator(one, game) for one in (network, *alone))
    for observed, moves in positions(game, 9):
        for evaluator in (both, *each):
            evaluator.choose(observed, moves)
        legal = actions(moves)
        mean = sum(one.logits[legal] for one in each) // 2
        assert both.logits[legal].tolist() == mean.tolist()
        assert abs(both.value() - sum(one.value() for one in each) / 2) <= 1 / ONE_X
        both.choose(observed, moves, looks=1)
        assert both.logits[legal].tolist() == each[0].logits[legal].tolist()
        assert both.value() == each[0].value()


def test_a_file_without_disguises_is_a_network_that_looks_once() -> None:
    network = network_of("claim")
    assert network.input_orders.tolist() == [list(range(len(network.inputs)))]
    assert network.token_orders.tolist() == [list(range(len(network.tokens)))]


def test_the_same_match_in_a_disguise_is_judged_alike() -> None:
    """In Schotten Totten colours are all alike, and so are the ends of the row."""
    game = tanistry.game("schotten")
    evaluator = Evaluator(network_of("schotten"), game)
    numbers = [
        evaluator.network.inputs.index(name)
        for name in input_names(observation(game, insights=True))
    ]
    rows = [evaluator.network.tokens.index(token) for token in game.tokens]
    looks = list(zip(evaluator.network.input_orders, evaluator.network.token_orders, strict=True))
    assert len(looks) == 6
    for observed, moves in positions(game, 12):
        evaluator.choose(observed, moves)
        legal = actions(moves)
        value, logits = (
            evaluator.value(),
            dict(zip(legal, evaluator.logits[legal].tolist(), strict=True)),
        )
        for inputs, tokens in looks[1:]:
            shown = np.zeros_like(observed)
            shown[[numbers.index(n) for n in inputs[numbers]]] = observed
            place = [rows.index(row) for row in tokens[rows]]
            others = np.zeros_like(moves)
            for action in legal:
                others[place[action] >> 6] |= np.uint64(1 << (place[action] & 63))
            evaluator.choose(shown, others)
            assert evaluator.value() == value
            assert {a: int(evaluator.logits[place[a]]) for a in legal} == logits


def test_a_file_holds_the_network() -> None:
    network = some_network(tanistry.game("claim"))
    again = read_network(network.to_bytes(), "again")
    for name, value in vars(network).items():
        assert np.array_equal(getattr(again, name), value), name


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


@pytest.mark.parametrize(
    "wrong",
    [
        {"out_bias": np.zeros(3, np.int32)},
        {"first": np.zeros((5, 12), np.int8)},
        {"input_orders": np.zeros((0, 0), np.int32)},
        {"token_orders": np.zeros((2, 4), np.int32)},
        {"input_orders": np.zeros(5, np.int32)},
        {"inputs": ("seat||0",)},
        {"first_bits": "6"},
        {"first_bits": 70},
    ],
)
def test_parts_that_do_not_fit_together_are_refused(wrong: dict[str, Any]) -> None:
    data = replace(some_network(tanistry.game("claim")), **wrong).to_bytes()
    with pytest.raises(OptionError, match=r"odd\.net is damaged"):
        read_network(data, "odd.net")


def test_an_order_in_which_something_is_missing_is_refused() -> None:
    network = some_network(tanistry.game("claim"))
    for orders in (network.input_orders, network.token_orders):
        orders[1, 0], kept = orders[1, 1], orders[1, 0]
        with pytest.raises(OptionError, match=r"odd\.net is damaged"):
            read_network(network.to_bytes(), "odd.net")
        orders[1, 0] = kept
    assert read_network(network.to_bytes(), "odd.net")


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
