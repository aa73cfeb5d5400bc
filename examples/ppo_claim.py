"""Learn Claim by playing against oneself: PPO in PyTorch, on the batched environment.

    pip install 'tanistry[examples]'
    python examples/ppo_claim.py --minutes 3 --out ppo

One network plays both seats: an observation is always that of the seat to act. Matches go on side
by side, and after every 52 choices (a whole match of Claim in each row) it learns from them. It
never meets `random` but to be judged, every few rounds: that is the curve in `curve.csv` and
`curve.svg`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from curve import Curve, Plan, read_plan
from judging import worth
from summary import ForCards, Summary
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

import tanistry

SEATS = 2
CHOICES = 52
"""Choices in a match of Claim: 13 tricks of two cards, twice."""


@dataclass(frozen=True)
class Settings:
    """How it learns. The defaults were found by trying a few."""

    rows: int = 512
    width: int = 128
    learning_rate: float = 2e-3  # at first; almost 0 at the end
    epochs: int = 2
    minibatch: int = 1664
    clip: float = 0.2
    smoothing: float = 0.85  # λ of the advantages
    entropy: float = 0.01
    value: float = 0.5
    average: float = 0.995  # how slowly the player that is judged follows the one that learns


class Player(nn.Module):
    """A policy and a value of what a seat knows.

    The deep part sees a summary of the cards. What speaks for a card is often simple, such as which
    card was led: so there is a direct way too, from the very cards to the choice.
    """

    def __init__(self, game: tanistry.Game, width: int) -> None:
        super().__init__()
        self.summary = Summary(game)
        self.body = nn.Sequential(
            nn.Linear(self.summary.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = ForCards(game, width)
        self.direct = ForCards(game, len(self.summary.most))
        self.value = nn.Linear(width, 1)

    def forward(self, observations: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The logarithms of how likely it makes each choice, and what it expects to get."""
        known = observations.float()
        deep = self.body(self.summary(known))
        spoken = self.policy(deep) + self.direct(known / self.summary.most)
        likely = functional.log_softmax(spoken.masked_fill(~mask, -1e9), 1)
        return likely, self.value(deep).squeeze(1)

    @torch.no_grad()
    def best(self, observations: Any, mask: Any) -> Any:
        """The choices it holds for best."""
        likely, _ = self(torch.from_numpy(observations), torch.from_numpy(mask))
        return likely.argmax(1).numpy()


class Rollout:
    """What happened in so many choices of every row: arrays of (choice, row, …)."""

    def __init__(self, batch: Any) -> None:
        shape = (CHOICES, batch.n)
        self.observations = torch.zeros(*shape, batch.layout.size, dtype=torch.uint8)
        self.mask = torch.zeros(*shape, len(batch.game.tokens), dtype=torch.bool)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.likely = torch.zeros(shape)  # the logarithm of how likely each choice was
        self.values = torch.zeros(shape)
        self.to_act = torch.zeros(shape, dtype=torch.int64)
        self.rewards = torch.zeros(*shape, SEATS)
        self.done = torch.zeros(shape)

    @torch.no_grad()
    def play(self, batch: Any, player: Player) -> None:
        for t in range(CHOICES):
            self.observations[t] = torch.from_numpy(batch.observations)
            self.mask[t] = torch.from_numpy(batch.mask)
            self.to_act[t] = torch.from_numpy(batch.to_act)
            likely, self.values[t] = player(self.observations[t], self.mask[t])
            self.actions[t] = torch.multinomial(likely.softmax(1), 1).squeeze(1)
            self.likely[t] = of_actions(likely, self.actions[t])
            batch.step(self.actions[t].numpy())
            self.rewards[t] = torch.from_numpy(worth(batch))
            self.done[t] = torch.from_numpy(batch.done).float()

    def advantages(self, smoothing: float) -> Tensor:
        """How much better each choice was than expected, for the seat that made it.

        What is good for one seat is as bad for the other: where the turn passes, the sign changes.
        The last choice ends a match in every row, so nothing lies beyond it.
        """
        found = torch.zeros_like(self.values)
        later_advantage = later_value = torch.zeros_like(self.values[0])
        for t in reversed(range(CHOICES)):
            seat = self.to_act[t]
            reward = self.rewards[t].gather(1, seat[:, None]).squeeze(1)
            same = self.to_act[t + 1] == seat if t + 1 < CHOICES else torch.ones_like(seat).bool()
            sign = torch.where(same, 1.0, -1.0) * (1 - self.done[t])
            surprise = reward + sign * later_value - self.values[t]
            found[t] = surprise + smoothing * sign * later_advantage
            later_advantage, later_value = found[t], self.values[t]
        return found


def of_actions(table: Tensor, actions: Tensor) -> Tensor:
    """From a row for each match, what stands there for its action."""
    return table.gather(1, actions[:, None]).squeeze(1)


def learn(
    player: Player, mean: AveragedModel, optimizer: Any, rollout: Rollout, settings: Settings
) -> None:
    """Some rounds of PPO over what was played; `mean` follows the player, without its jitter."""
    advantages = rollout.advantages(settings.smoothing)
    targets = (advantages + rollout.values).flatten()
    advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
    observations, mask = rollout.observations.flatten(0, 1), rollout.mask.flatten(0, 1)
    actions, before = rollout.actions.flatten(), rollout.likely.flatten()
    for _ in range(settings.epochs):
        for some in torch.randperm(len(actions)).split(settings.minibatch):
            likely, values = player(
                observations.index_select(0, some), mask.index_select(0, some)
            )  # quicker than observations[some]
            ratio = (of_actions(likely, actions[some]) - before[some]).exp()
            kept = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * advantages[some], kept * advantages[some]).mean()
            error = (values - targets[some]).square().mean()
            spread = -(likely.softmax(1) * likely).sum(1).mean()
            optimizer.zero_grad()
            (settings.value * error - gain - settings.entropy * spread).backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()
            mean.update_parameters(player)


def train(plan: Plan, settings: Settings) -> tuple[Player, Curve]:
    torch.manual_seed(plan.seed)
    game = tanistry.game("claim")
    player = Player(game, settings.width)
    mean = AveragedModel(player, multi_avg_fn=get_ema_multi_avg_fn(settings.average))
    optimizer = torch.optim.Adam(player.parameters(), settings.learning_rate, eps=1e-5)
    batch = tanistry.batch(game, settings.rows, plan.seed)
    rollout = Rollout(batch)
    curve = Curve(plan, game)
    while curve.part < 1:
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * max(0.05, 1 - curve.part)
        curve.next_round(mean.module.best, curve.rounds * settings.rows)
        rollout.play(batch, player)
        learn(player, mean, optimizer, rollout, settings)
    curve.end(mean.module.best, curve.rounds * settings.rows)
    return mean.module, curve


def main() -> None:
    plan = read_plan(__doc__, out=Path("ppo"))
    torch.set_num_threads(plan.threads)
    plan.out.mkdir(parents=True, exist_ok=True)
    player, curve = train(plan, Settings())
    torch.save(player.state_dict(), plan.out / "player.pt")
    curve.write(plan.out / "curve.csv")
    curve.draw(plan.out / "curve.svg", "PPO learns Claim against itself")


if __name__ == "__main__":
    main()
