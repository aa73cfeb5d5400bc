"""How good a network is: whole matches of its best choices against fixed opponents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import Tensor

import tanistry
from tanistry.learning.brain import Brain, Reading, masked
from tanistry.learning.rollouts import on_this_stream
from tanistry.simulation.advising import Greedy

if TYPE_CHECKING:
    from tanistry.match import Game

Chooser = Callable[[Tensor, Tensor], None]
"""Writes actions for the rows where they are wanted."""
LOOK = 16
"""Steps between two looks at whether all matches have ended: a look waits for the GPU."""


class Court:
    """A table where matches are judged: the learner has one seat in each, by turns."""

    def __init__(self, brain: Brain, game: Game, matches: int, device: str, seed: int) -> None:
        self.game, self.n = game, matches
        self.batch = tanistry.batch(game, matches, seed=seed, device=device, insights=True)
        on_this_stream(self.batch)
        self.reading = Reading(brain, [game], device)
        self.which = torch.zeros(matches, dtype=torch.int64, device=device)
        self.own = torch.arange(matches, device=device) % game.seats
        self.observed = torch.as_tensor(self.batch.observations, device=device)
        self.legal = torch.as_tensor(self.batch.mask, device=device)
        self.to_act = torch.as_tensor(self.batch.to_act, device=device)
        self.ended = torch.as_tensor(self.batch.done, device=device)
        self.rewards = torch.as_tensor(self.batch.rewards, device=device)
        self.greedy = Greedy(self.batch, seed)

    def by(self, brain: Brain) -> Chooser:
        """The choices of another network."""

        def choose(wanted: Tensor, actions: Tensor) -> None:
            actions.copy_(torch.where(wanted, self._best(brain), actions))

        return choose

    def greedily(self, wanted: Tensor, actions: Tensor) -> None:
        self.greedy.choose(wanted, 0, self.n, actions)

    def at_random(self, wanted: Tensor, actions: Tensor) -> None:
        chosen = torch.as_tensor(self.batch.random_actions(), device=actions.device)
        actions.copy_(torch.where(wanted, chosen, actions))

    @torch.no_grad()
    def share(self, brain: Brain, others: Chooser) -> float:
        """The share of matches that a network wins against others; of shared wins, its part."""
        self.batch.reset()
        won = torch.zeros(self.n, device=self.which.device)
        over = torch.zeros_like(won, dtype=torch.bool)
        step = 0
        while True:
            actions = self._best(brain)
            others(self.to_act != self.own, actions)
            self.batch.step(actions)
            fresh = self.ended & ~over
            reward = self.rewards.gather(1, self.own[:, None])[:, 0]
            seats = self.game.seats
            won = torch.where(fresh, (reward * (seats - 1) + 1) / seats, won)
            over |= fresh
            step += 1
            if step % LOOK == 0 and bool(over.all()):
                return float(won.mean())

    def _best(self, brain: Brain) -> Tensor:
        logits, _ = brain(self.observed, self.which, self.reading)
        return masked(logits, self.legal).argmax(-1)
