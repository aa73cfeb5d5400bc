"""Proximal policy optimisation against oneself, in pieces that can be resumed."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from os import SEEK_END
from pathlib import Path
from random import Random

import torch
from torch import Tensor

import tanistry
from tanistry.learning.brain import Brain, fused, masked
from tanistry.learning.curve import Board, draw
from tanistry.learning.judging import Chooser, Court
from tanistry.learning.league import League, named_network
from tanistry.learning.rollouts import Rollout, shares
from tanistry.learning.settings import SHIPPED, Settings
from tanistry.simulation.intervals import wilson

STATE, CURVE, PICTURE, BOARD, NETWORK, ABOUT, KEPT = (
    "state.pt", "curve.csv", "curve.svg", "tensorboard", "network.net", "network.json",
    "settings.json",
)  # fmt: skip
"""The files of a run, and the folder of TensorBoard's."""
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
        self, settings: Settings, folder: Path, device: str = "cpu", threads: int = 1
    ) -> None:
        self.settings, self.folder, self.device = settings, folder, device
        torch.manual_seed(settings.seed)
        if device == "cuda":  # the stream that is usual cannot be captured
            torch.cuda.set_stream(torch.cuda.Stream())
        info = tanistry.info(settings.game)
        self.brain = Brain(info, settings.width, settings.blocks).to(device)
        self.progress = Progress()
        self.rate = torch.tensor(settings.rate, device=device)
        self.entropy = torch.tensor(settings.entropy, device=device)
        on_gpu = device == "cuda"
        self.optimizer = torch.optim.Adam(
            self.brain.parameters(), lr=self.rate, eps=1e-5, fused=on_gpu, capturable=on_gpu
        )
        self.league = League(self.brain, settings)
        self.began_with: object = None
        """What is known of the network it began with."""
        if (folder / STATE).exists():
            self._load()
        elif settings.begin:
            self._recall()
        for parameter in self.brain.parameters():
            parameter.grad = torch.zeros_like(parameter)
        self.rollouts = [
            Rollout(self.brain, games, rows, settings, device, self._seed(k), threads)
            for k, (games, rows) in enumerate(shares(settings, info))
            if rows
        ]
        usual = tanistry.game(settings.game)
        self.court = Court(self.brain, usual, settings.judge_matches, device, settings.seed)
        self.measures: dict[str, float] = {}
        self.board = Board(folder / BOARD)
        self.sums = torch.zeros(len(MEASURES), device=device)
        self.order = Random(settings.seed)
        self._plays: list[Callable[[], None]] = []
        self._learns: list[Callable[[], None]] = []

    def _seed(self, number: int) -> int:
        """Other deals for every rollout, and after every break."""
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
        self.play()
        self.learn()
        self.progress.choices += sum(rollout.choices for rollout in self.rollouts)
        self.progress.lessons += 1

    def play(self) -> None:
        self.league.update(self.brain)
        if not self._plays:
            self._plays = [
                self._repeatable(
                    partial(rollout.play, self.brain, self.league, self.settings.trace)
                )
                for rollout in self.rollouts
            ]
        for play in self._plays:
            play()

    def learn(self) -> None:
        settings, done = self.settings, self.done
        if not self._learns:
            self.rate.zero_()  # trying it out is not to change anything
            for rollout in self.rollouts:
                for part in rollout.parts()[:1]:
                    rollout.picked.copy_(part)
            self._learns = [
                self._repeatable(partial(self._improve, rollout)) for rollout in self.rollouts
            ]
        self.rate.fill_(settings.rate * (1 - (1 - SLOWEST) * done))
        self.entropy.fill_(settings.entropy + (settings.entropy_end - settings.entropy) * done)
        self.sums.zero_()
        times = 0
        for _ in range(settings.epochs):
            parts = [
                (rollout, learn, part)
                for rollout, learn in zip(self.rollouts, self._learns, strict=True)
                for part in rollout.parts()
            ]
            self.order.shuffle(parts)
            for rollout, learn, part in parts:
                rollout.picked.copy_(part)
                learn()
            times += len(parts)
        self.sums /= max(1, times)

    def _improve(self, rollout: Rollout) -> None:
        """One step of learning, from the choices of a rollout that are picked."""
        settings = self.settings
        self.optimizer.zero_grad(set_to_none=False)
        observed, mask, game, *others = rollout.minibatch()
        logits, value = self.brain(observed, game, rollout.reading)
        whole, *measures = loss(
            logits, mask, value, *others, self.entropy, settings.clip, settings.value_weight
        )
        apart = torch.zeros_like(whole)
        if settings.agreement and rollout.disguises.count > 1:
            again = rollout.second_look(self.brain, observed, game)
            apart = disagreement(logits, mask, value, *again)
        (whole + settings.agreement * apart).backward()
        torch.nn.utils.clip_grad_norm_(self.brain.parameters(), settings.longest_gradient)
        self.optimizer.step()
        self.sums += torch.stack([*measures, apart]).detach()

    def _repeatable(self, work: Callable[[], None]) -> Callable[[], None]:
        """On a GPU, work recorded once and then launched as a whole; its arrays stay in place."""
        if self.device != "cuda":
            return work
        for _ in range(3):
            work()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        stream = torch.cuda.current_stream()
        with torch.cuda.graph(graph, stream=stream, capture_error_mode="relaxed"):
            work()
        return graph.replay

    # -- what is kept -----------------------------------------------------------------------------

    def judge(self) -> None:
        """Play against fixed opponents, and add a line to the curve."""
        settings, court = self.settings, self.court
        opponents: dict[str, Chooser] = {"random": court.at_random, "greedy": court.greedily}
        if settings.against:
            opponents["against"] = court.by(self.league.opponent)
        elif self.league.members:
            half = self.league.members[len(self.league.members) // 2]
            self.league.opponent.load_state_dict(half)
            opponents["earlier"] = court.by(self.league.opponent)
        found: dict[str, float] = {
            "choices": self.progress.choices,
            "seconds": round(self.progress.seconds, 1),
        }
        found |= dict(zip(MEASURES, (round(x, 5) for x in self.sums.tolist()), strict=True))
        for name, others in opponents.items():
            share = court.share(self.brain, others)
            low, high = wilson(share, settings.judge_matches)
            interval = {f"{name} low": round(low, 4), f"{name} high": round(high, 4)}
            found |= {name: round(share, 4), **interval}
        self.measures = found
        path = self.folder / CURVE
        if not path.exists() or not path.stat().st_size:  # nothing, after a crash
            path.write_text(",".join(found) + "\r\n", encoding="utf-8", newline="")
        with path.open("r+", newline="", encoding="utf-8") as file:
            columns = next(csv.reader(file))  # an older run may have others
            file.seek(0, SEEK_END)
            csv.DictWriter(file, columns, restval=0, extrasaction="ignore").writerow(found)
        self.board.add(self.progress.choices, found)

    def save(self) -> None:
        """Keep what is needed to go on, and the network as it is now."""
        state = {
            "brain": self.brain.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "members": self.league.members,
            "lessons": self.league.lessons,
            "progress": asdict(self.progress),
            "began_with": self.began_with,
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
            "began_with": self.began_with,
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
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate
        self.league.members = state["members"]
        self.league.lessons = state["lessons"]
        if state["members"]:
            self.league.opponent.load_state_dict(state["members"][-1])
        self.progress = Progress(**state["progress"])
        self.began_with = state["began_with"]

    def _recall(self) -> None:
        begin, game = self.settings.begin, self.settings.game
        self.brain.recall(named_network(begin, game))
        self.brain.loosen(self.settings.loosen)
        shipped = files("tanistry.simulation") / "networks" / f"{game}.json"
        about = shipped if begin == SHIPPED else Path(begin).with_suffix(".json")
        if about.is_file():
            self.began_with = json.loads(about.read_text(encoding="utf-8"))


MEASURES = ("policy", "value", "entropy", "change", "disagreement")
"""What is told of a lesson."""


@fused
def loss(
    logits: Tensor, mask: Tensor, value: Tensor, action: Tensor, chance: Tensor, gain: Tensor,
    target: Tensor, entropy_bonus: Tensor, clip: float, value_weight: float,
) -> tuple[Tensor, ...]:  # fmt: skip
    """What is to be made small, by choices that turned out well and by better guesses of values;
    then the measures."""
    chances = torch.log_softmax(masked(logits, mask), -1)
    now = chances.gather(1, action[:, None])[:, 0]
    ratio = (now - chance).exp()
    policy = -torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
    valued = (value - target).square().mean()
    unsure = -(chances.exp() * chances.clamp(min=-30)).sum(-1).mean()
    whole = policy + value_weight * valued - entropy_bonus * unsure
    return whole, policy, valued, unsure, (ratio - 1 - (now - chance)).mean()


@fused
def disagreement(
    logits: Tensor, mask: Tensor, value: Tensor, others: Tensor, other_value: Tensor
) -> Tensor:
    """How far what is thought at one look is from the mean of this look and another, which is what
    should be thought."""
    mean = torch.log_softmax(masked((logits.detach() + others) / 2, mask), -1)
    further = mean - torch.log_softmax(masked(logits, mask), -1)
    worth = (value.detach() + other_value) / 2
    return (mean.exp() * further).sum(-1).mean() + (value - worth).square().mean()
