"""Proximal policy optimisation against oneself, in pieces that can be resumed."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

import tanistry
from tanistry.learning.brain import Brain, Reading, masked
from tanistry.learning.curve import draw
from tanistry.learning.judging import Chooser, Court
from tanistry.learning.league import League
from tanistry.learning.settings import Settings
from tanistry.learning.tables import Table, act, shares
from tanistry.simulation.intervals import wilson

STATE, CURVE, PICTURE, NETWORK, ABOUT, KEPT = (
    "state.pt", "curve.csv", "curve.svg", "network.net", "network.json", "settings.json",
)  # fmt: skip
"""The files of a run."""
SLOWEST = 0.05
"""What is left of the rate of learning at the end."""


@dataclass
class Progress:
    """How far a run has come."""

    choices: int = 0
    seconds: float = 0.0
    lessons: int = 0


class Training:
    """A run in a folder: begun, or taken up where it was left."""

    def __init__(
        self, settings: Settings, folder: Path, device: str = "cpu", threads: int = 1,
        compiled: bool = False,
    ) -> None:  # fmt: skip
        self.settings, self.folder, self.device = settings, folder, device
        torch.manual_seed(settings.seed)
        info = tanistry.info(settings.game)
        self.brain = Brain(info, settings.width, settings.blocks).to(device)
        self.progress = Progress()
        self.optimizer = torch.optim.Adam(
            self.brain.parameters(), lr=settings.rate, eps=1e-5, fused=device == "cuda"
        )
        self.league = League(self.brain, settings)
        if (folder / STATE).exists():
            self._load()
        self.tables = [
            Table(self.brain, games, rows, settings, device, self._seed(k), threads)
            for k, (games, rows) in enumerate(shares(settings, info))
            if rows >= len(games)
        ]
        usual = tanistry.game(settings.game)
        self.court = Court(self.brain, usual, settings.judge_matches, device, settings.seed)
        self.measures: dict[str, float] = {}
        ready = torch.compile if compiled else (lambda function: function)
        self._act = ready(partial(act, self.brain))
        self._loss = ready(partial(loss, self.brain))

    def _seed(self, number: int) -> int:
        """Other deals for every table, and after every break."""
        return self.settings.seed + 1000 * number + 1_000_000 * (self.progress.lessons + 1)

    # -- the run ----------------------------------------------------------------------------------

    def run(self, seconds: float, report: Callable[[Training], None]) -> None:
        """Learn until the choices are used up or the time is over; then keep all."""
        began = judged = time.monotonic()
        before = self.progress.seconds
        while self.done < 1.0:
            self.lesson()
            now = time.monotonic()
            self.progress.seconds = before + now - began
            report(self)
            if now - judged > self.settings.judge_every:
                self.judge()
                self.save()
                judged = time.monotonic()
            if now - began > seconds:
                break
        self.judge()
        self.save()

    @property
    def done(self) -> float:
        """The part of the run that is behind."""
        planned, spent = self.settings, self.progress
        by_clock = spent.seconds / planned.seconds if planned.seconds else 0.0
        return min(1.0, max(by_clock, spent.choices / planned.choices))

    def lesson(self) -> None:
        """Play a little, and learn from it."""
        self.league.update(self.brain)
        for table in self.tables:
            table.play(self._act, self.league)
        self._learn()
        self.progress.choices += sum(table.actions.numel() for table in self.tables)
        self.progress.lessons += 1

    def _learn(self) -> None:
        settings, done = self.settings, self.done
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate * (1 - (1 - SLOWEST) * done)
        bonus = settings.entropy + (settings.entropy_end - settings.entropy) * done
        entropy = torch.tensor(bonus, device=self.device)  # a number would be compiled in
        samples = [Samples(table, settings.trace) for table in self.tables]
        total = sum(each.rows for each in samples) * settings.steps
        parts = max(1, total // settings.minibatch)
        sums: dict[str, Tensor] = {}
        for _ in range(settings.epochs):
            orders = [torch.randperm(each.rows, device=self.device) for each in samples]
            for part in range(parts):
                self.optimizer.zero_grad(set_to_none=True)
                for each, order in zip(samples, orders, strict=True):
                    size = each.rows // parts
                    given = each.take(order[part * size : (part + 1) * size])
                    share = size * settings.steps * parts / total
                    value, parted = self._loss(
                        *given, each.table.reading, entropy, settings.clip, settings.value_weight
                    )
                    (share * value).backward()
                    for name, found in parted.items():
                        sums[name] = sums.get(name, 0.0) + share * found.detach()
                torch.nn.utils.clip_grad_norm_(self.brain.parameters(), settings.longest_gradient)
                self.optimizer.step()
        times = settings.epochs * parts
        self._sums = {name: value / times for name, value in sums.items()}

    # -- what is kept -----------------------------------------------------------------------------

    def judge(self) -> None:
        """Play against fixed opponents, and add a line to the curve."""
        settings, court = self.settings, self.court
        opponents: dict[str, Chooser] = {"random": court.at_random, "greedy": court.greedily}
        if self.league.members:
            half = self.league.members[len(self.league.members) // 2]
            self.league.opponent.load_state_dict(half)
            opponents["earlier"] = court.by(self.league.opponent)
        found: dict[str, float] = {
            "choices": self.progress.choices,
            "seconds": round(self.progress.seconds, 1),
        }
        found |= {name: round(float(value), 5) for name, value in self._sums.items()}
        for name, others in opponents.items():
            share = court.share(self.brain, others)
            low, high = wilson(share, settings.judge_matches)
            interval = {f"{name} low": round(low, 4), f"{name} high": round(high, 4)}
            found |= {name: round(share, 4), **interval}
        self.measures = found
        path = self.folder / CURVE
        new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, found)
            if new:
                writer.writeheader()
            writer.writerow(found)

    def save(self) -> None:
        """Keep what is needed to go on, and the network as it is now."""
        state = {
            "brain": self.brain.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "members": self.league.members,
            "lessons": self.league.lessons,
            "progress": asdict(self.progress),
        }
        fresh = self.folder / (STATE + ".new")
        torch.save(state, fresh)
        fresh.replace(self.folder / STATE)
        (self.folder / NETWORK).write_bytes(self.brain.quantised().to_bytes())
        self.settings.write(self.folder / KEPT)
        about = {
            "game": self.settings.game,
            "command": f"tanistry train {self.settings.game} --settings {KEPT}",
            "version": tanistry.__version__,
            "torch": str(torch.__version__),
            "device": self.device_name(),
            **asdict(self.progress),
            "judged": self.measures,
            "settings": asdict(self.settings),
        }
        text = json.dumps(about, indent=2, ensure_ascii=False)
        (self.folder / ABOUT).write_text(text + "\n", encoding="utf-8")
        draw(self.folder / CURVE, self.folder / PICTURE)

    def device_name(self) -> str:
        return torch.cuda.get_device_name() if self.device == "cuda" else "cpu"

    def _load(self) -> None:
        state = torch.load(self.folder / STATE, map_location=self.device, weights_only=True)
        self.brain.load_state_dict(state["brain"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.league.members = state["members"]
        self.league.lessons = state["lessons"]
        self.league.opponent.load_state_dict(state["members"][-1])
        self.progress = Progress(**state["progress"])


class Samples:
    """What happened at a table, ready to be learnt from, some rows at a time."""

    def __init__(self, table: Table, trace: float) -> None:
        self.table, self.rows = table, table.n
        gain, sure = table.advantages(trace)
        self.counts = (sure & table.ours).float()
        self.target = gain + table.values[:-1]
        total = self.counts.sum().clamp(min=1)
        mean = (gain * self.counts).sum() / total
        spread = ((gain - mean).square() * self.counts).sum().div(total).sqrt()
        self.gain = (gain - mean) / (spread + 1e-6)

    def take(self, rows: Tensor) -> tuple[Tensor, ...]:
        table = self.table
        steps = len(table.actions)
        game = table.game_number[rows].repeat(steps)
        kept = table.observations, table.masks, table.actions, table.chances
        found = [array.index_select(1, rows).flatten(0, 1) for array in kept]
        more = [a.index_select(1, rows).flatten() for a in (self.gain, self.target, self.counts)]
        return (*found[:2], game, *found[2:], *more)


def loss(
    brain: Brain, observed: Tensor, mask: Tensor, game: Tensor, action: Tensor, chance: Tensor,
    gain: Tensor, target: Tensor, counts: Tensor, reading: Reading, entropy_bonus: Tensor,
    clip: float, value_weight: float,
) -> tuple[Tensor, dict[str, Tensor]]:  # fmt: skip
    """What is to be made small: by choices that turned out well, by better guesses of values."""
    logits, value = brain(observed, game, reading)
    chances = torch.log_softmax(masked(logits, mask), -1)
    now = chances.gather(1, action[:, None])[:, 0]
    ratio = (now - chance).exp()
    gained = torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)
    entropy = -(chances.exp() * chances.clamp(min=-30)).sum(-1)
    off = (value - target).square()
    total = counts.sum().clamp(min=1)

    def mean(numbers: Tensor) -> Tensor:
        return (numbers * counts).sum() / total

    parts = {"policy": -mean(gained), "value": mean(off), "entropy": mean(entropy)}
    parts["change"] = mean(ratio - 1 - (now - chance))
    whole = parts["policy"] + value_weight * parts["value"] - entropy_bonus * parts["entropy"]
    return whole, parts
