"""The ladder of the bots: in every game and option set, who beats the one below, and how surely.

    python benchmarks/ladder.py --minutes 8             # play; the same again goes on
    python benchmarks/ladder.py --report docs           # tables and a picture of what was played

Each option set has a file in the folder `--out`, written as matches end: the command may be stopped
at any time. How many deals a pair plays is settled beforehand (`deals`), by what a match costs,
never by how it stands. Deals are played in turn: every pair of every option set has had its first
one before any gets its second, so that a ladder cut short is an even one.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tanistry
from tanistry.arena import Contest, Duel, Results, run_all
from tanistry.arena.contest import Encounter
from tanistry.arena.report import percent, span
from tanistry.bots import levels
from tanistry.bots.players.ismcts import styles
from tanistry.testing import option_sets

SEED = 6
"""Not one of those the levels were chosen by."""

LEVELS = tuple(f"ismcts:{level}" for level in reversed(levels("ismcts")))
NEIGHBOURS = tuple(zip(LEVELS, (*LEVELS[1:], "random"), strict=True))
ANCHORS = (("greedy", "random"), (LEVELS[0], "random"))


@dataclass(frozen=True)
class Ladder(Contest):
    """The pairs that meet in one option set."""

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [pair for pair in (*NEIGHBOURS, *ANCHORS) if self.deals_of(pair)]

    def deals_of(self, pair: tuple[str, str]) -> int:
        return deals(self, pair)

    def encounters(self) -> Iterator[Encounter]:
        for deal in range(max(map(self.deals_of, self.pairs))):
            for pair in self.pairs:
                if deal < self.deals_of(pair):
                    yield Encounter(*pair, deal)

    def data(self) -> dict[str, Any]:
        """Levels are part of it: matches of levels that have changed since are not gone on with."""
        game = tanistry.info(self.game)
        return {
            **super().data(),
            "levels": {str(k): asdict(style) for k, style in styles(game).items()},
        }

    @property
    def title(self) -> str:
        """`3 seats, edition 2015, bruce True`, without the option of who begins."""
        named = (f"{k} {v}" for k, v in self.options.items() if k != "first")
        return ", ".join([f"{self.seats} seats", *named])

    @property
    def file(self) -> str:
        return "-".join([self.game, *self.title.replace(",", "").split()]).lower() + ".json"


def deals(ladder: Ladder, pair: tuple[str, str]) -> int:
    """How many deals a pair plays; two matches each."""
    if pair == ANCHORS[1] and ladder.seats > 2:
        return 0
    return 20


def ladders(games: list[str]) -> list[Ladder]:
    found = []
    for name in games:
        for options in option_sets(tanistry.info(name)):
            made = tanistry.game(name, **options)
            found.append(
                Ladder(name, made.seats, made.options, (*LEVELS, "greedy", "random"), 0, SEED)
            )
    return found


# -- what came of it ------------------------------------------------------------------------------


def cell(duel: Duel) -> str:
    if not duel.matches:
        return "–"
    return f"{100 * duel.rate:.0f} ({100 * duel.low:.0f}–{100 * duel.high:.0f})" + (
        "" if duel.decided else " *open*"
    )


def headings(pairs: list[tuple[str, str]]) -> list[str]:
    return [f"{a.removeprefix('ismcts:')} : {b.removeprefix('ismcts:')}" for a, b in pairs]


def whole_table(every: list[tuple[Ladder, Results]]) -> str:
    """A line for each option set, a column for each pair."""
    pairs = [*NEIGHBOURS, *ANCHORS]
    rows = [
        "| game | option set | " + " | ".join(headings(pairs)) + " |",
        "|---|---|" + "---:|" * len(pairs),
    ]
    for ladder, results in every:
        cells = " | ".join(cell(results.duel(*pair)) for pair in pairs)
        rows.append(f"| {ladder.game} | {ladder.title} | {cells} |")
    return "\n".join(rows) + "\n"


def summary(every: list[tuple[Ladder, Results]]) -> str:
    """For each game and pair: in how many option sets the upper one is surely better."""
    rows = [
        "| game | bot | against | option sets | decided | matches | won, all together | least |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(ladder.game for ladder, _ in every):
        for a, b in (*NEIGHBOURS, *ANCHORS):
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
        pairs = [*NEIGHBOURS, *ANCHORS]
        figure, panels = pyplot.subplots(1, len(pairs), figsize=(2 * len(pairs), 7), sharey=True)
        for axes, pair, heading in zip(panels, pairs, headings(pairs), strict=True):
            axes.axvline(50, color="#999999", linewidth=0.8)
            for row, (ladder, results) in enumerate(every):
                duel = results.duel(*pair)
                if duel.matches:
                    colour = colours[ladder.game]
                    axes.plot([100 * duel.low, 100 * duel.high], [row, row], color=colour, lw=0.8)
                    axes.plot(100 * duel.rate, row, ".", color=colour, markersize=3)
            axes.set_title(heading, fontsize=9)
            axes.set_xlim(20, 101)
            axes.set_yticks([])
        panels[0].invert_yaxis()
        handles = [Line2D([], [], color=colours[name], label=name) for name in names]
        figure.legend(handles=handles, loc="lower center", ncols=len(names), frameon=False)
        figure.suptitle("% won by the upper one, with 95 % intervals, in every option set")
        figure.tight_layout(rect=(0, 0.04, 1, 1))
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    games = sorted(tanistry.games())
    parser.add_argument("--only", action="append", choices=games, metavar="GAME")
    parser.add_argument("--out", type=Path, default=Path("ladder"))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="play nothing, write tables")
    given = parser.parse_args()
    every = {given.out / ladder.file: ladder for ladder in ladders(given.only or games)}
    if given.report:
        found = [
            (ladder, Results.load(path, ladder) if path.exists() else Results(ladder))
            for path, ladder in every.items()
        ]
        (given.report / "ladder.md").write_text(summary(found) + "\n" + whole_table(found))
        draw(found, given.report / "ladder.svg")
    else:
        results = run_all(every, workers=given.workers, until=60 * given.minutes)
        print(summary([(every[path], results[path]) for path in every]))


if __name__ == "__main__":
    main()
