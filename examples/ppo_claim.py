"""Learn Claim by playing against oneself: PPO in PyTorch, on the batched environment.

    pip install 'tanistry[examples]'
    python examples/ppo_claim.py --minutes 6 --out ppo

One network plays both seats: an observation is always that of the seat to act. Matches go on side
by side, and after every 52 choices (a whole match of Claim in each row) it learns from them. Every
few rounds it is judged by 1,000 matches against `random`: that is the curve in `curve.csv` and
`curve.svg`.
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from judging import Judgement, judge, worth
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

import tanistry
from tanistry.envs import observation

SEATS = 2
CHOICES = 52
"""Choices in a match of Claim: 13 tricks of two cards, twice."""


@dataclass(frozen=True)
class Settings:
    """How it learns. The defaults were found by trying a few."""

    rows: int = 512
    width: int = 128
    learning_rate: float = 2e-3
    epochs: int = 3
    minibatch: int = 3328
    clip: float = 0.2
    smoothing: float = 0.9  # λ of the advantages
    entropy: float = 0.01
    value: float = 0.5
    average: float = 0.995  # how slowly the player that is judged follows the one that learns


class Player(nn.Module):
    """A policy and a value of what a seat knows.

    What speaks for a card is often simple, such as which card was led: so there is a direct way
    from what is known to the choice, beside the deep one.
    """

    def __init__(self, game: tanistry.Game, width: int) -> None:
        super().__init__()
        layout = observation(game)
        self.register_buffer("most", torch.tensor(layout.most, dtype=torch.float32))
        self.body = nn.Sequential(
            nn.Linear(layout.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, len(game.tokens))
        self.direct = nn.Linear(layout.size, len(game.tokens), bias=False)
        self.value = nn.Linear(width, 1)
        for layer in (self.policy, self.direct):
            nn.init.zeros_(layer.weight)  # at first, every legal choice is as likely

    def forward(self, observations: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        given = observations.float() / self.most
        known = self.body(given)
        logits = (self.policy(known) + self.direct(given)).masked_fill(~mask, -1e9)
        return Categorical(logits=logits, validate_args=False), self.value(known).squeeze(-1)

    @torch.no_grad()
    def best(self, observations: Any, mask: Any) -> Any:
        """The choices it holds for best."""
        choice, _ = self(torch.from_numpy(observations), torch.from_numpy(mask))
        return choice.probs.argmax(-1).numpy()


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
            choice, self.values[t] = player(self.observations[t], self.mask[t])
            self.actions[t] = choice.sample()
            self.likely[t] = choice.log_prob(self.actions[t])
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


def learn(
    player: Player, mean: AveragedModel, optimizer: Any, rollout: Rollout, settings: Settings
) -> None:
    """Some rounds of PPO over what was played; `mean` follows the player, without its jitter."""
    advantages = rollout.advantages(settings.smoothing)
    targets = (advantages + rollout.values).flatten()
    advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
    observations, mask = rollout.observations.flatten(0, 1), rollout.mask.flatten(0, 1)
    actions, likely = rollout.actions.flatten(), rollout.likely.flatten()
    for _ in range(settings.epochs):
        for some in torch.randperm(len(actions)).split(settings.minibatch):
            choice, values = player(observations[some], mask[some])
            ratio = (choice.log_prob(actions[some]) - likely[some]).exp()
            kept = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * advantages[some], kept * advantages[some]).mean()
            error = (values - targets[some]).square().mean()
            spread = -(choice.probs * choice.logits).sum(-1).mean()
            optimizer.zero_grad()
            (settings.value * error - gain - settings.entropy * spread).backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()
            mean.update_parameters(player)


@dataclass(frozen=True)
class Point:
    """A point of the curve."""

    matches: int  # played to learn from
    seconds: float  # of processor time
    judged: Judgement

    def row(self) -> list[Any]:
        j = self.judged
        return [self.matches, round(self.seconds, 1), j.matches, j.share, j.low, j.high]


HEADINGS = ["matches", "processor_seconds", "judged_matches", "share", "low", "high"]


def train(
    seed: int, minutes: float, rounds: int | None, every: int, judged: int, settings: Settings
) -> tuple[Player, list[Point]]:
    """Learn for so many minutes of processor time, or so many rounds."""
    torch.manual_seed(seed)
    game = tanistry.game("claim")
    player = Player(game, settings.width)
    mean = AveragedModel(player, multi_avg_fn=get_ema_multi_avg_fn(settings.average))
    optimizer = torch.optim.Adam(player.parameters(), settings.learning_rate, eps=1e-5)
    batch = tanistry.batch(game, settings.rows, seed)
    rollout = Rollout(batch)
    curve = [Point(0, 0.0, judge(player.best, game, judged, seed + 1))]
    print(f"before learning: {curve[0].judged}", flush=True)
    began = time.process_time()
    done = 0
    while rounds is None or done < rounds:
        spent = (time.process_time() - began) / (60 * minutes)
        if rounds is None and spent >= 1:
            break
        part = spent if rounds is None else done / rounds
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * max(0.05, 1 - part)
        rollout.play(batch, player)
        learn(player, mean, optimizer, rollout, settings)
        done += 1
        if done % every == 0:
            point = Point(
                done * settings.rows,
                time.process_time() - began,
                judge(mean.module.best, game, judged, seed + 1 + done),
            )
            curve.append(point)
            print(f"{point.seconds:6.0f} s, {point.matches:7,} matches: {point.judged}", flush=True)
    return mean.module, curve


def write(curve: list[Point], path: Path) -> None:
    """The curve as a table."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADINGS)
        writer.writerows(point.row() for point in curve)


def draw(curve: list[Point], path: Path, title: str) -> None:
    """The curve as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with pyplot.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
        figure, axes = pyplot.subplots(figsize=(6.4, 3.6))
        minutes = [point.seconds / 60 for point in curve]
        shares = [100 * point.judged.share for point in curve]
        low = [100 * point.judged.low for point in curve]
        high = [100 * point.judged.high for point in curve]
        axes.fill_between(minutes, low, high, alpha=0.25, linewidth=0)
        axes.plot(minutes, shares)
        axes.axhline(90, linestyle=":", color="grey")
        axes.set(xlabel="minutes of processor time", ylabel="wins against random, %", title=title)
        axes.set_ylim(45, 100)
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=6, help="of processor time")
    parser.add_argument("--rounds", type=int, help="instead of minutes")
    parser.add_argument("--every", type=int, default=10, help="rounds between judgements")
    parser.add_argument("--judged", type=int, default=1000, help="matches of a judgement")
    parser.add_argument("--final", type=int, default=4000, help="matches of the last one")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    parser.add_argument("--out", type=Path, default=Path("ppo"))
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    given.out.mkdir(parents=True, exist_ok=True)
    player, curve = train(
        given.seed, given.minutes, given.rounds, given.every, given.judged, Settings()
    )
    torch.save(player.state_dict(), given.out / "player.pt")
    write(curve, given.out / "curve.csv")
    draw(curve, given.out / "curve.svg", "PPO learns Claim against itself")
    print(f"at the end: {judge(player.best, tanistry.game('claim'), given.final, 10**6)}")


if __name__ == "__main__":
    main()
