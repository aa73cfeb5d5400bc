"""Matches of one shape side by side, and what happened in them since the last lesson."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

import tanistry
from tanistry.learning.brain import Brain, Reading, games_of, noise_for, sample
from tanistry.learning.disguises import Disguises, disguised
from tanistry.simulation.gpu_batch import GpuBatch

if TYPE_CHECKING:
    from tanistry.games.contract import GameInfo
    from tanistry.learning.settings import Settings
    from tanistry.match import Game
    from tanistry.simulation.batch import Batch

STAGGER = 64
"""Rows begin up to so many choices later than others."""
NOTHING = -1
"""An action that is refused: the row stays as it is."""


def shares(settings: Settings, info: GameInfo) -> Iterator[tuple[list[Game], int]]:
    """The games of each shape, and how many rows play them; games named twice are played twice."""
    for seats in info.seats:
        first = seats == info.seats[0]
        part = settings.first_share if first else (1 - settings.first_share)
        part /= 1 if first else len(info.seats) - 1
        if len(info.seats) == 1:
            part = 1.0
        shapes: dict[Any, list[Game]] = {}
        for game in games_of(info, seats):
            shapes.setdefault((game.codes, game.tokens), []).append(game)
        usual, *others = shapes.values()
        kept = 1.0 if not others else settings.default_share
        yield _some(_weighted(usual, seats, settings), int(settings.rows * part * kept))
        for games in others:
            yield _some(games, int(settings.rows * part * (1 - kept) / len(others)))


def _some(games: list[Game], rows: int) -> tuple[list[Game], int]:
    """As many of the games as there are rows, evenly spread."""
    return games[:: max(1, -(-len(games) // max(1, rows)))], rows


def _weighted(games: list[Game], seats: int, settings: Settings) -> list[Game]:
    """The first set of options as often as the settings say; if that is not always, all others are
    there once."""
    others = len(games) - seats
    share = settings.default_share
    if share >= 1:
        return games[:seats]
    times = max(1, round(share * others / (1 - share) / seats))
    return games[:seats] * times + games[seats:]


def on_this_stream(batch: Batch) -> None:
    """Let a batch on a GPU step where PyTorch computes: neither has to wait for the other."""
    if isinstance(batch, GpuBatch):
        batch.on_stream(torch.cuda.current_stream().cuda_stream)


class Rollout:
    """The batch of one shape, the room for what happens in it, and how its rows are read."""

    def __init__(
        self, brain: Brain, games: Sequence[Game], rows: int, settings: Settings, device: str,
        seed: int, threads: int,
    ) -> None:  # fmt: skip
        self.games, self.device = games, device
        game = games[0]
        n = rows
        self.n, self.seats = n, game.seats
        self.choices = n * settings.steps
        """How many are made for a lesson."""
        self.batch = tanistry.batch(
            game, n, seed=seed, device=device, threads=threads, also=games[1:], insights=True
        )
        on_this_stream(self.batch)
        self.reading = Reading(brain, games, device)
        self.disguises = Disguises(self.reading.names, game.tokens, settings.alike, device)
        self.observed = torch.as_tensor(self.batch.observations, device=device)
        self.legal = torch.as_tensor(self.batch.mask, device=device)
        self.to_act = torch.as_tensor(self.batch.to_act, device=device)
        self.ended = torch.as_tensor(self.batch.done, device=device)
        self.rewarded = torch.as_tensor(self.batch.rewards, device=device)
        number = torch.arange(n, device=device)
        self.game_number = number % len(games)
        self.own_seat = number // len(games) % self.seats
        """Which seat is the learner's, where the others are not."""

        def room(*shape: int, kind: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(shape, dtype=kind, device=device)

        # First each seat's choice that waits to be known (`_carry`), then what is played.
        steps = self.seats + settings.steps
        self.observations = room(steps, n, len(self.reading.rows), kind=torch.uint8)
        self.masks = room(steps, n, len(self.reading.outs), kind=torch.bool)
        self.actions = room(steps, n, kind=torch.int64)
        self.chances = room(steps, n)
        self.values = room(steps + 1, n)
        self.actors = room(steps + 1, n, kind=torch.int64)
        self.done = room(steps, n, kind=torch.bool)
        self.rewards = room(steps, n, self.seats)
        self.ours, self.sure, self.counts = (room(steps, n, kind=torch.bool) for _ in range(3))
        self.gains, self.targets = room(steps, n), room(steps, n)
        self.picked = torch.arange(min(settings.minibatch, self.choices), device=device)
        """The choices of the minibatch."""
        self.actors[: self.seats] = torch.arange(self.seats, device=device)[:, None]
        self._stagger()

    def _stagger(self) -> None:
        """Let the rows begin at different times: else all of a lesson is about openings."""
        begins = torch.randint(STAGGER, (self.n,), device=self.device)
        for step in range(STAGGER):
            drawn = torch.as_tensor(self.batch.random_actions(), device=self.device)
            self.batch.step(torch.where(begins <= step, drawn, NOTHING))

    @torch.no_grad()
    def play(self, brain: Brain, league: Any, trace: float) -> None:
        """Make the choices that the next lesson is about, and see what each was worth."""
        self._carry()
        steps = len(self.actions)
        for t in range(self.seats, steps):
            disguise = self.disguises.draw(self.n)
            seen, legal = self.disguises.show(disguise, self.observed, self.legal)
            self.observations[t, :, : seen.shape[1]] = seen
            self.masks[t, :, : self.reading.actions] = legal
            self.actors[t].copy_(self.to_act)
            logits, value = brain(self.observations[t], self.game_number, self.reading)
            chosen, chance = sample(logits, legal, noise_for(logits))
            self.actions[t], self.chances[t], self.values[t] = chosen, chance, value
            meant = self.disguises.meant(disguise, chosen)
            self.ours[t] = league.choose(self, meant)
            self.batch.step(meant)
            self.done[t].copy_(self.ended)
            self.rewards[t].copy_(self.rewarded)
        self.actors[steps].copy_(self.to_act)
        self.values[steps] = brain(self.observed, self.game_number, self.reading)[1]
        self._weigh(trace)

    def _carry(self) -> None:
        """Let the choices wait of which it is not known yet how they turned out.

        Each seat has one at most, its last. A seat that has passed in King's Kilt may wait long: if
        only the short ends of matches counted, passing would look better than it is.
        """
        unsure = self.ours & ~self.sure
        rows = torch.arange(self.n, device=self.device)
        for seat in range(self.seats):
            waits = unsure & (self.actors[:-1] == seat)
            last = waits.int().argmax(0)
            for kept in (self.observations, self.masks, self.actions, self.chances, self.values):
                kept[seat] = kept[last, rows]
            self.ours[seat] = waits.any(0)

    def _weigh(self, trace: float) -> None:
        """What is learnt from each choice: how it turned out, beside the others."""
        gain, sure = self.advantages(trace)
        self.sure.copy_(sure)
        self.counts.copy_(sure & self.ours)
        self.targets.copy_(gain + self.values[:-1])
        total = self.counts.sum().clamp(min=1)
        mean = (gain * self.counts).sum() / total
        spread = ((gain - mean).square() * self.counts).sum().div(total).sqrt()
        self.gains.copy_((gain - mean) / (spread + 1e-6))

    def parts(self) -> list[Tensor]:
        """The choices that count, shuffled, in minibatches; the last is filled up with some that
        come a second time."""
        counted = self.counts.flatten().nonzero()[:, 0]
        if not len(counted):
            return []
        size = len(self.picked)
        drawn = counted[torch.randperm(len(counted), device=self.device)]
        missing = -len(drawn) % size
        again = drawn.repeat(-(-missing // len(drawn)))[:missing]
        return list(torch.cat([drawn, again]).split(size))

    def minibatch(self) -> tuple[Tensor, ...]:
        """All that is known of the choices that are picked."""
        observed, mask, *others = (
            array.flatten(0, 1).index_select(0, self.picked)
            for array in (
                self.observations, self.masks, self.actions, self.chances, self.gains, self.targets
            )
        )  # fmt: skip
        game = self.game_number[self.picked % self.n]
        return observed, mask[:, : self.reading.actions], game, *others

    @torch.no_grad()
    def second_look(self, brain: Brain, observed: Tensor, game: Tensor) -> tuple[Tensor, Tensor]:
        """What the learner thinks of the same positions, each in another disguise."""
        which = self.disguises.draw(len(observed))
        seen = disguised(observed, self.disguises.inputs, which)
        logits, value = brain(seen, game, self.reading)
        return self.disguises.undisguised(which, logits), value

    @torch.no_grad()
    def advantages(self, trace: float) -> tuple[Tensor, Tensor]:
        """How much better than expected each choice turned out, and whether that is known.

        A seat's choices follow one another as if it were alone; a match is worth nothing until it
        ends. What comes after a seat's last choice of these is known to the seat to act alone.
        """
        n, steps = self.n, len(self.actions)
        later = torch.zeros((n, self.seats), device=self.device)
        known = torch.zeros_like(later, dtype=torch.bool)
        gained = torch.zeros_like(later)
        found, sure = torch.zeros_like(self.chances), torch.zeros_like(self.ours)
        seat = self.actors[steps, :, None]
        later.scatter_(1, seat, self.values[steps, :, None])
        known.scatter_(1, seat, True)
        for t in reversed(range(steps)):
            done = self.done[t, :, None]
            later = torch.where(done, self.rewards[t], later)
            gained = gained.masked_fill(done, 0.0)
            known |= done
            seat, value = self.actors[t, :, None], self.values[t, :, None]
            here = known.gather(1, seat)
            gain = later.gather(1, seat) - value + trace * gained.gather(1, seat)
            gain = torch.where(here, gain, 0.0)
            found[t], sure[t] = gain[:, 0], here[:, 0]
            later.scatter_(1, seat, value)
            gained.scatter_(1, seat, gain)
            known.scatter_(1, seat, True)
        return found, sure
