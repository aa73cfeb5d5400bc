"""The ladder of the bots: in every game and option set, who beats the one below, and how surely.

    python benchmarks/ladder.py --plan                      # what it would cost
    python benchmarks/ladder.py --minutes 8 --report .      # play; the same again goes on
    python benchmarks/ladder.py --minutes 0 --report . --draw docs/pictures/ladder.svg

Each option set has a file in the folder `--out`, written as matches end: the command may be stopped
at any time. How many deals a pair plays is settled beforehand, by what a match costs and tells,
never by how it stands (`amounts` says where it was raised once). Deals are played in turn: every
pair of every option set has had its first one before any gets its second, so that a ladder cut
short is an even one.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import tanistry
from tanistry.arena import Contest, Duel, Results, run_all
from tanistry.arena.contest import MATCHES_PER_DEAL, Encounter
from tanistry.arena.report import percent, span
from tanistry.arena.runner import play_match
from tanistry.bots import levels
from tanistry.bots.players.ismcts import Style, styles
from tanistry.testing import option_sets

SEED = 6
"""Not one of those the levels were chosen by."""

LEVELS = tuple(f"ismcts:{level}" for level in reversed(levels("ismcts")))
NEIGHBOURS = tuple(pairwise(LEVELS))
ANCHORS = (("greedy", "random"), (LEVELS[0], "random"))
PAIRS = (*NEIGHBOURS, *ANCHORS)
Pair = tuple[str, str]


@dataclass(frozen=True)
class Amounts:
    """The deals that pairs play in an option set."""

    top: int
    """5 : 4, which costs most."""
    middle: int
    """4 : 3."""
    low: int
    """3 : 2 and 2 : 1, which cost least."""
    anchors: int


def amounts(game: str, seats: int, options: Mapping[str, Any]) -> Amounts:
    """A match that is short, or has many seats, tells little of who is better: more are played.

    For Lords with target 40 and two or three seats `low` was 24 at first, which left ten of all 566
    rows open. It was then raised for all of these option sets alike, and for nothing else.
    """
    if game == "claim":
        return Amounts(80, 150, 150, 60)
    if game == "kilt":
        return {
            2: Amounts(40, 80, 80, 40),
            3: Amounts(60, 200, 200, 60),
            4: Amounts(80, 300, 300, 60),
        }[seats]
    if game == "lords" and options["target"] == 1:
        return {
            2: Amounts(100, 400, 400, 60),
            3: Amounts(60, 220, 220, 60),
            4: Amounts(40, 120, 120, 40),
            5: Amounts(36, 80, 80, 30),
        }[seats]
    if game == "lords":
        return Amounts(10, 24, {2: 120, 3: 60}.get(seats, 24), 10)
    return Amounts(60, 80, 80, 40)


@dataclass(frozen=True)
class Ladder(Contest):
    """The pairs that meet in one option set."""

    @property
    def pairs(self) -> list[Pair]:
        return [pair for pair in PAIRS if self.deals_of(pair)]

    def deals_of(self, pair: Pair) -> int:
        """How many deals a pair plays; two matches each."""
        if pair == ANCHORS[1] and self.seats > 2:
            return 0
        planned = amounts(self.game, self.seats, self.options)
        if pair in ANCHORS:
            return planned.anchors
        top, middle, *_ = NEIGHBOURS
        return {top: planned.top, middle: planned.middle}.get(pair, planned.low)

    def encounters(self) -> Iterator[Encounter]:
        for deal in range(max(map(self.deals_of, self.pairs))):
            for pair in self.pairs:
                if deal < self.deals_of(pair):
                    yield Encounter(*pair, deal)

    def styles(self) -> dict[str, Style]:
        """How the levels play, by the name of the entrant."""
        found = styles(tanistry.info(self.game))
        return {f"ismcts:{level}": style for level, style in found.items()}

    def data(self) -> dict[str, Any]:
        """Levels are part of it: matches of levels that have changed since are not gone on with."""
        return {
            **super().data(),
            "levels": {name: asdict(style) for name, style in self.styles().items()},
        }

    @property
    def title(self) -> str:
        """`3 seats, edition 2015, bruce True`, without the option of who begins."""
        named = (f"{k} {v}" for k, v in self.options.items() if k != "first")
        return ", ".join([f"{self.seats} seats", *named])

    @property
    def file(self) -> str:
        return "-".join([self.game, *self.title.replace(",", "").split()]).lower() + ".json"


def ladders(games: list[str]) -> list[Ladder]:
    found = []
    for name in games:
        for options in option_sets(tanistry.info(name)):
            made = tanistry.game(name, **options)
            found.append(
                Ladder(name, made.seats, made.options, (*LEVELS, "greedy", "random"), 0, SEED)
            )
    return found


# -- what it would cost ---------------------------------------------------------------------------


def costs(ladder: Ladder) -> dict[Pair, float]:
    """Processor seconds that a match of each pair takes, judged by a match of two of them.

    A choice costs something, and each of its iterations; two matches tell both.
    """
    style = ladder.styles()

    def iterations(name: str) -> float:
        """Per choice, on average."""
        if name not in style:
            return 0.0
        return style[name].iterations * (1 - style[name].blunder / 100)

    def sample(pair: Pair) -> tuple[float, float, int]:
        """Seconds and iterations per choice, and the choices of a match."""
        began = time.process_time()
        match = play_match(ladder, Encounter(*pair, 0), False)
        seconds, choices = time.process_time() - began, sum(match.choices)
        done = sum(n * iterations(name) for n, name in zip(match.choices, pair, strict=True))
        return seconds / choices, done / choices, choices

    upper, lower = NEIGHBOURS[0], NEIGHBOURS[-1]
    sample(lower)  # once for the compiler
    (dear, many, choices), (cheap, few, _) = sample(upper), sample(lower)
    iteration = (dear - cheap) / (many - few)
    choice = max(cheap - iteration * few, 0.0)
    return {
        (a, b): choices * (choice + iteration * (iterations(a) + iterations(b)) / 2)
        for a, b in ladder.pairs
    }


def plan(every: list[Ladder]) -> None:
    """Print what the ladder would cost, by game and pair.

    Of option sets that play alike (the same seats and numbers of deals) one is tried.
    """
    tried: dict[Any, dict[Pair, float]] = {}
    whole, matches = 0.0, 0
    for name in dict.fromkeys(ladder.game for ladder in every):
        spent = dict.fromkeys(PAIRS, 0.0)
        for ladder in every:
            if ladder.game == name:
                alike = (name, ladder.seats, *map(ladder.deals_of, PAIRS))
                if alike not in tried:
                    tried[alike] = costs(ladder)
                for pair, seconds in tried[alike].items():
                    played = MATCHES_PER_DEAL * ladder.deals_of(pair)
                    spent[pair] += seconds * played
                    matches += played
        parts = ", ".join(f"{heading(pair)} {seconds:,.0f}" for pair, seconds in spent.items())
        print(f"{name}: {parts} s", flush=True)
        whole += sum(spent.values())
    print(f"{matches:,} matches, {whole:,.0f} s of one core")


# -- what came of it ------------------------------------------------------------------------------


def cell(duel: Duel) -> str:
    if not duel.matches:
        return "–"
    return f"{100 * duel.rate:.0f} ({100 * duel.low:.0f}–{100 * duel.high:.0f})" + (
        "" if duel.decided else " *open*"
    )


def heading(pair: Pair) -> str:
    return " : ".join(name.removeprefix("ismcts:") for name in pair)


def whole_table(every: list[tuple[Ladder, Results]]) -> str:
    """A line for each option set, a column for each pair."""
    rows = [
        "| game | option set | " + " | ".join(map(heading, PAIRS)) + " |",
        "|---|---|" + "---:|" * len(PAIRS),
    ]
    for ladder, results in every:
        cells = " | ".join(cell(results.duel(*pair)) for pair in PAIRS)
        rows.append(f"| {ladder.game} | {ladder.title} | {cells} |")
    return "\n".join(rows) + "\n"


def summary(every: list[tuple[Ladder, Results]]) -> str:
    """For each game and pair: in how many option sets the upper one is surely better."""
    rows = [
        "| game | bot | against | option sets | decided | matches | won, all together | least |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(ladder.game for ladder, _ in every):
        for a, b in PAIRS:
            duels = [
                results.duel(a, b)
                for ladder, results in every
                if ladder.game == name and (a, b) in ladder.pairs
            ]
            played = [duel for duel in duels if duel.matches]
            if not played:
                continue
            matches = sum(duel.matches for duel in played)
            rate = sum(duel.rate * duel.matches for duel in played) / matches
            least = min(played, key=lambda duel: duel.rate)
            decided = sum(duel.low > 0.5 for duel in played)
            rows.append(
                f"| {name} | {a} | {b} | {len(duels)} | {decided} | {matches} | {percent(rate)} "
                f"| {percent(least.rate)} ({span(least)}) |"
            )
    return "\n".join(rows) + "\n"


def draw(every: list[tuple[Ladder, Results]], path: Path) -> None:
    """All intervals: a panel for each pair, a line for each option set, coloured by game."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.lines import Line2D

    names = list(dict.fromkeys(ladder.game for ladder, _ in every))
    colours = dict(zip(names, ("#1f4e5f", "#c96f53", "#5f9ea0", "#8a6d3b"), strict=False))
    with pyplot.rc_context({"svg.hashsalt": "tanistry", "font.size": 9}):
        figure, panels = pyplot.subplots(1, len(PAIRS), figsize=(2 * len(PAIRS), 7), sharey=True)
        for axes, pair in zip(panels, PAIRS, strict=True):
            axes.axvline(50, color="#999999", linewidth=0.8)
            for row, (ladder, results) in enumerate(every):
                duel = results.duel(*pair)
                if duel.matches:
                    colour = colours[ladder.game]
                    axes.plot([100 * duel.low, 100 * duel.high], [row, row], color=colour, lw=0.8)
                    axes.plot(100 * duel.rate, row, ".", color=colour, markersize=3)
            axes.set_title(heading(pair), fontsize=9)
            axes.set_xlim(20, 101)
            axes.set_yticks([])
        panels[0].invert_yaxis()
        handles = [Line2D([], [], color=colours[name], label=name) for name in names]
        figure.legend(handles=handles, loc="lower center", ncols=len(names), frameon=False)
        figure.suptitle("% won by the upper one, with 95 % intervals, in every option set")
        figure.tight_layout(rect=(0, 0.04, 1, 1))
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def duels(every: list[tuple[Ladder, Results]]) -> list[dict[str, Any]]:
    """All pairs of all option sets as plain data."""
    return [
        {"game": ladder.game, "options": ladder.title, **asdict(results.duel(*pair))}
        for ladder, results in every
        for pair in ladder.pairs
    ]


def write(every: list[tuple[Ladder, Results]], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ladder.md").write_text(summary(every) + "\n" + whole_table(every))
    rows = ",\n".join(map(json.dumps, duels(every)))
    (folder / "ladder.json").write_text(f"[{rows}]\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    games = sorted(tanistry.games())
    parser.add_argument("--only", action="append", choices=games, metavar="GAME")
    parser.add_argument("--out", type=Path, default=Path("ladder"))
    parser.add_argument("--minutes", type=float, default=60, help="0: play nothing")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write ladder.md and .json")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="a picture of all intervals")
    parser.add_argument("--plan", action="store_true", help="say what it would cost, play nothing")
    given = parser.parse_args()
    every = {given.out / ladder.file: ladder for ladder in ladders(given.only or games)}
    if given.plan:
        plan(list(every.values()))
        return
    began = time.monotonic()

    def so_far(done: int, planned: int, found: Mapping[Path, Results]) -> None:
        print(f"{time.monotonic() - began:.0f} s: {done} of {planned} deals", flush=True)
        if given.report:
            write([(ladder, found[path]) for path, ladder in every.items()], given.report)

    if given.minutes:
        run_all(every, workers=given.workers, until=60 * given.minutes, progress=so_far)
    found = [
        (ladder, Results.load(path, ladder) if path.exists() else Results(ladder))
        for path, ladder in every.items()
    ]
    print(summary(found))
    if given.report:
        write(found, given.report)
    if given.draw:
        draw(found, given.draw)


if __name__ == "__main__":
    main()
