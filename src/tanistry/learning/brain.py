"""The network as PyTorch trains it; what it computes is told in `simulation.network`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, wraps
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

import tanistry
from tanistry.errors import OptionError
from tanistry.simulation.network import (
    SCALE_BITS,
    X_BITS,
    Z_BITS,
    Network,
    input_names,
    most_of_option,
    option_inputs,
)
from tanistry.simulation.observation import observation

if TYPE_CHECKING:
    from tanistry.games.contract import GameInfo, Value
    from tanistry.match import Game

FEW = 5
"""An option with more values than this is tried with some of them only."""
ACTIVE = 64
"""About so many inputs are not 0: the first weights are drawn accordingly."""
NEVER = -1e9
"""The logit of what is not legal."""
SIZES = 64
"""A function is compiled for at most so many sizes: four or five for each kind of table."""
ALIGNED = 16
"""A GPU is several times quicker with rows of numbers whose length is a multiple of this."""


def option_sets(info: GameInfo) -> list[dict[str, Value]]:
    """The sets of options that are learnt, the defaults first."""
    names = [option.name for option in info.options]
    values = [dict.fromkeys((o.default, *_tried(o.values))) for o in info.options]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*values)]


def _tried(values: Sequence[Value]) -> Sequence[Value]:
    """All values of an option, or of many the lowest and a few more."""
    return values if len(values) <= FEW else [values[len(values) * k // 4] for k in range(4)]


def games_of(info: GameInfo, seats: int) -> list[Game]:
    """The game with so many seats and all sets of options, each beginning with every seat."""
    return [
        tanistry.game(info.name, seats=seats, first=first, **options)
        for options in option_sets(info)
        for first in range(seats)
    ]


def vocabulary(info: GameInfo) -> tuple[dict[str, int], tuple[str, ...]]:
    """All inputs with the largest number of each, and all tokens, of any seats and options."""
    inputs: dict[str, int] = {}
    tokens: dict[str, None] = {}
    seen = set()
    for seats in reversed(info.seats):
        for game in games_of(info, seats):
            for name in option_inputs(game):
                inputs[name] = most_of_option(game, name)
            if (shape := (seats, game.codes, game.tokens)) not in seen:
                seen.add(shape)
                layout = observation(game, insights=True)
                for name, most in zip(input_names(layout), layout.most.tolist(), strict=True):
                    inputs[name] = max(most, inputs.get(name, 1))
                tokens.update(dict.fromkeys(game.tokens))
    return inputs, tuple(tokens)


class Reading:
    """Where in a network the inputs and tokens of some games of one shape are found."""

    def __init__(self, brain: Brain, games: Sequence[Game], device: str) -> None:
        number = {name: i for i, name in enumerate(brain.inputs)}
        token = {name: i for i, name in enumerate(brain.tokens)}
        self.names = names = input_names(observation(games[0], insights=True))
        self.actions = len(games[0].tokens)
        outs = [token[t] for t in games[0].tokens] + [len(token)]  # the value comes last
        self.rows = torch.tensor(_filled_up([number[name] for name in names]), device=device)
        self.outs = torch.tensor(_filled_up(outs), device=device)
        told = [option_inputs(game) for game in games]
        options = sorted({name for each in told for name in each})
        self.option_rows = torch.tensor([number[name] for name in options], device=device)
        flags = [[float(each.get(name, 0)) for name in options] for each in told]
        self.options = torch.tensor(flags, device=device)


def _filled_up(numbers: list[int]) -> list[int]:
    """The last number again and again: inputs that are always 0, and outputs that nobody reads."""
    return numbers + numbers[-1:] * (-len(numbers) % ALIGNED)


def fused(function: Callable[..., Any]) -> Callable[..., Any]:
    """On a GPU compiled to a few launches, for every size anew; elsewhere as it is."""

    @cache
    def compiled() -> Callable[..., Any]:
        torch._dynamo.config.recompile_limit = SIZES
        return torch.compile(function, dynamic=False)

    @wraps(function)
    def either(first: Tensor, *others: Any) -> Any:
        return (compiled() if first.is_cuda else function)(first, *others)

    return either


class Brain(nn.Module):
    """Logits of all actions and the value of a position, from observations."""

    def __init__(self, info: GameInfo, width: int, blocks: int) -> None:
        super().__init__()
        inputs, self.tokens = vocabulary(info)
        self.game, self.inputs = info.name, tuple(inputs)
        most = torch.tensor([float(most) for most in inputs.values()])
        self.scale: Tensor
        self.register_buffer("scale", 1.0 / most[:, None], persistent=False)
        self.first = nn.Parameter(torch.randn(len(inputs), width) / ACTIVE**0.5)
        self.start = nn.Parameter(torch.zeros(width))
        self.blocks = nn.Parameter(torch.randn(blocks, width, width) * (1.0 / width) ** 0.5)
        self.block_bias = nn.Parameter(torch.zeros(blocks, width))
        outputs = len(self.tokens) + 1
        self.out = nn.Parameter(torch.randn(outputs, width) * 0.1 / width**0.5)
        self.out_bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, observed: Tensor, game: Tensor, reading: Reading) -> tuple[Tensor, Tensor]:
        """`game` is the number of each row's among those of the reading."""
        kind = torch.bfloat16 if observed.is_cuda else torch.float32
        weights = self.first * self.scale
        options = reading.options @ weights.index_select(0, reading.option_rows) + self.start
        played = functional.one_hot(game, len(reading.options)).to(kind)  # quicker than to look up
        x = widened(observed, len(reading.rows), kind) @ weights.index_select(0, reading.rows).to(
            kind
        )
        x = x + played @ options.to(kind)
        for weight, bias in zip(self.blocks, self.block_bias, strict=True):
            x = x + norm_relu(x) @ weight.to(kind) + bias.to(kind)
        out = self.out.index_select(0, reading.outs), self.out_bias.index_select(0, reading.outs)
        found = functional.linear(norm_relu(x), out[0].to(kind), out[1].to(kind))
        unread = len(reading.outs) - reading.actions - 1
        logits, value, _ = found.split((reading.actions, 1, unread), 1)
        return logits, value[:, 0].float()

    # -- whole numbers ----------------------------------------------------------------------------

    @torch.no_grad()
    def recall(self, network: Network) -> None:
        """Begin with what another network knows, as far as it has the same inputs and tokens.

        Blocks that it does not have pass on what they get.
        """
        if network.game != self.game:
            raise OptionError("network/game", name=network.game, game=self.game)
        known_blocks, known_width, _ = network.blocks.shape
        blocks, width, _ = self.blocks.shape
        if width != known_width or blocks < known_blocks:
            allowed, found = f"{known_width} × ≥ {known_blocks}", f"{width} × {blocks}"
            raise OptionError("option/value", name="width × blocks", value=found, allowed=allowed)
        unit, to_x = 2.0**X_BITS, 2.0 ** (X_BITS - Z_BITS + SCALE_BITS)
        bits = 2.0 ** (network.first_bits + X_BITS)
        first = network.first * (network.first_scale[:, None] / bits)
        self.first.zero_()  # what it has never heard of changes nothing at first
        known = {name: i for i, name in enumerate(network.inputs)}
        here = [i for i, name in enumerate(self.inputs) if name in known]
        there = [known[self.inputs[i]] for i in here]
        self.first[here] = self._floats(first[there]) / self.scale[here]
        self.start.copy_(self._floats(network.start / bits))
        weights = network.blocks * (network.block_scale[:, None] / to_x)
        self.blocks.zero_()
        self.block_bias.zero_()
        self.blocks[:known_blocks] = self._floats(weights)
        self.block_bias[:known_blocks] = self._floats(network.block_bias / unit)
        known = {name: i for i, name in enumerate(network.tokens)} | {"": len(network.tokens)}
        names = (*self.tokens, "")  # the value comes last
        here = [i for i, name in enumerate(names) if name in known]
        there = [known[names[i]] for i in here]
        out = network.out * (network.out_scale[:, None] / to_x)
        self.out[here] = self._floats(out[there])
        self.out_bias[here] = self._floats(network.out_bias[there] / unit)

    @torch.no_grad()
    def loosen(self, times: float) -> None:
        """Make up one's mind so many times less; the value stays as it is."""
        self.out[:-1] /= times
        self.out_bias[:-1] /= times

    def _floats(self, numbers: Any) -> Tensor:
        return torch.tensor(np.asarray(numbers, np.float32), device=self.first.device)

    def quantised(self) -> Network:
        """The same network in whole numbers."""
        weights = {name: p.detach().double().cpu().numpy() for name, p in self.named_parameters()}
        scale = self.scale.double().cpu().numpy()
        first, first_size = _as_bytes(weights["first"] * scale, 1)
        most = 1.0 / scale
        highest = (np.abs(weights["first"]).sum(0) + np.abs(weights["start"])).max()
        bits = int(np.floor(np.log2(2.0**30 / highest)))  # no sum is more than 31 bits long
        first_scale = np.rint(first_size * 2.0**bits)
        assert float(np.max(first_scale * 127 * most)) < 2.0**31
        blocks, block_size = _as_bytes(weights["blocks"], 1)
        out, out_size = _as_bytes(weights["out"], 1)
        to_x = 2.0 ** (X_BITS - Z_BITS + SCALE_BITS)
        return Network(
            game=self.game,
            inputs=self.inputs,
            tokens=self.tokens,
            first_bits=bits - X_BITS,
            first=first,
            first_scale=first_scale[:, 0].astype(np.int32),
            start=np.rint(weights["start"] * 2.0**bits).astype(np.int32),
            blocks=blocks,
            block_scale=np.rint(block_size[:, 0] * to_x).astype(np.int32),
            block_bias=np.rint(weights["block_bias"] * 2.0**X_BITS).astype(np.int32),
            out=out,
            out_scale=np.rint(out_size[:, 0] * to_x).astype(np.int32),
            out_bias=np.rint(weights["out_bias"] * 2.0**X_BITS).astype(np.int32),
        )


@fused
def widened(observed: Tensor, width: int, kind: torch.dtype) -> Tensor:
    return functional.pad(observed, (0, width - observed.shape[1])).to(kind)


@fused
def norm_relu(x: Tensor) -> Tensor:
    long = x.float()
    size = long.square().mean(-1, keepdim=True)
    return (torch.relu(long) * torch.rsqrt(size + 1e-6)).to(x.dtype)


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    return torch.where(mask, logits.float(), NEVER)


@fused
def sample(logits: Tensor, mask: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """An action, each as likely as its logit says, and the logarithm of how likely that was.

    `noise` is drawn exponentially: the highest sum is then the choice (the Gumbel trick).
    """
    logits = masked(logits, mask)
    chosen = (logits - noise.log()).argmax(-1)
    chance = torch.log_softmax(logits, -1).gather(1, chosen[:, None])[:, 0]
    return chosen, chance


def noise_for(logits: Tensor) -> Tensor:
    return torch.empty(logits.shape, device=logits.device).exponential_()


def _as_bytes(values: Any, axis: int) -> tuple[Any, Any]:
    """Numbers from −127 to 127 and what each group of them along an axis is to be multiplied by."""
    size = np.maximum(np.abs(values).max(axis, keepdims=True), 1e-9) / 127
    return np.rint(values / size).astype(np.int8), size
