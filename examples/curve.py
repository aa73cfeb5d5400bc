"""How an example goes on: how long it learns, how good it is every few rounds, and the curve."""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judging import Choose, Judgement, judge

import tanistry


@dataclass(frozen=True)
class Plan:
    """So many rounds, or else so many minutes of processor time."""

    seed: int = 1
    minutes: float = 3
    rounds: int | None = None
    every: int = 20  # rounds between judgements
    judged: int = 1000  # matches of a judgement
    final: int = 10_000  # matches of the last one
    threads: int = 1
    out: Path = Path("learnt")


def read_plan(about: str | None, **defaults: Any) -> Plan:
    """The plan that was given on the command line."""
    plan = Plan(**defaults)
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    for name, kind, meaning in (
        ("seed", int, "of the matches and of the network"),
        ("minutes", float, "of processor time: those of the clock, if one thread has a core"),
        ("rounds", int, "learn so many rounds, however long it takes"),
        ("every", int, "rounds between judgements"),
        ("judged", int, "matches of a judgement"),
        ("final", int, "matches of the last judgement"),
        ("threads", int, "of PyTorch; their processor time is added up"),
        ("out", Path, "the folder for the network and the curve"),
    ):
        default = getattr(plan, name)
        told = meaning if default is None else f"{meaning} ({default})"
        parser.add_argument(f"--{name}", type=kind, default=default, help=told)
    given = parser.parse_args()
    for name in ("minutes", "rounds", "every", "judged", "final", "threads"):
        value = getattr(given, name)
        if value is not None and value <= 0:
            parser.error(f"--{name} must be above 0")
    return Plan(**vars(given))


@dataclass(frozen=True)
class Point:
    matches: int  # played to learn from
    seconds: float  # of processor time
    judged: Judgement


class Curve:
    """How well a learner does against `random`, the longer it learns."""

    def __init__(self, plan: Plan, game: tanistry.Game) -> None:
        self.plan, self.game = plan, game
        self.points: list[Point] = []
        self.rounds = 0
        self.began = time.process_time()

    @property
    def part(self) -> float:
        """How much of the plan is over: 0 at the beginning, 1 at the end."""
        if self.plan.rounds is not None:
            return self.rounds / self.plan.rounds
        return (time.process_time() - self.began) / (60 * self.plan.minutes)

    def next_round(self, choose: Choose, matches: int) -> None:
        """Before each round: judge the learner now and then."""
        if self.rounds % self.plan.every == 0:
            self._add(choose, matches, self.plan.judged, self.plan.seed + 1 + self.rounds)
        self.rounds += 1

    def end(self, choose: Choose, matches: int) -> Judgement:
        """After the last round: judge what has been learnt."""
        return self._add(choose, matches, self.plan.final, seed=10**6)

    def _add(self, choose: Choose, matches: int, judged: int, seed: int) -> Judgement:
        seconds = time.process_time() - self.began
        found = judge(choose, self.game, judged, seed)
        self.points.append(Point(matches, seconds, found))
        print(f"{seconds:6.0f} s, {matches:7,} matches: {found}", flush=True)
        return found

    def write(self, path: Path) -> None:
        """The curve as a table."""
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(
                ["matches", "processor_seconds", "judged_matches", "share", "low", "high"]
            )
            for point in self.points:
                found = point.judged
                measured = [found.matches, found.share, found.low, found.high]
                writer.writerow([point.matches, round(point.seconds, 1), *measured])

    def draw(self, path: Path, title: str) -> None:
        """The curve as a picture."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        with pyplot.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
            figure, axes = pyplot.subplots(figsize=(6.4, 3.6))
            minutes = [point.seconds / 60 for point in self.points]
            low = [100 * point.judged.low for point in self.points]
            high = [100 * point.judged.high for point in self.points]
            axes.fill_between(minutes, low, high, alpha=0.25, linewidth=0)
            axes.plot(minutes, [100 * point.judged.share for point in self.points])
            axes.axhline(90, linestyle=":", color="grey")
            axes.set(xlabel="minutes of processor time", ylabel="wins against random, %")
            axes.set(title=title, ylim=(45, 100))
            figure.tight_layout()
            figure.savefig(path, metadata={"Date": None})
            pyplot.close(figure)
