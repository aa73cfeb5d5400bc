"""The ladder of the levels of `people`: how far apart they are, by game, seats and options.

    python benchmarks/levels.py curve claim          # how much Elo a bit less sense costs
    python benchmarks/levels.py ladder --minutes 8   # play; the same again goes on
    python benchmarks/levels.py ladder --minutes 0 --plot docs/pictures/levels.svg
    python benchmarks/levels.py options --minutes 8  # the same in every set of options
    python benchmarks/levels.py weakest              # level 1 against `greedy` at 30 %
    python benchmarks/levels.py learnt --plot docs/pictures/learnt.svg    # how the networks did it

Neighbouring levels meet, from `random` (level 0) to the champion: one seat is the upper one's, by
turns, and all others are the lower one's. Each deal is played once; a match shared counts in part.
The champion takes its time: it plays a twentieth of the matches, and none for `options`.
With two seats Elo is 400 log10(w / (1 − w)), w being the share of matches won; with more,
400 log10((seats − 1) w / (1 − w)): the difference at which one such player among so many others
wins w. What was played is kept in the file `--out`.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tanistry
from tanistry.bots import version
from tanistry.bots.personas import CHAMPION, LEVELS, Style, styles
from tanistry.bots.reading import SURE, Reader
from tanistry.match.seeds import fast_seed
from tanistry.simulation.advising import Greedy
from tanistry.simulation.intervals import wilson
from tanistry.simulation.network import Evaluator, network_of
from tanistry.simulation.playouts import APART
from tanistry.testing import option_sets

AT_RANDOM = Style(0.0, 0.0)
GRID = [Style(sense, 0.0) for sense in (SURE, 0.35, 0.25, 0.18, 0.12, 0.07, 0.04)]
ROWS = 100
"""Matches that are played side by side."""
SLOWLY, PART = 10, 20
"""So many at a time, and one match in so many, where the champion plays."""
SEED = 7
DO = ("curve", "weakest", "ladder", "options", "learnt")
ENDS = ("low", "high")
NAMES = ("random", "1", "2", "3", "4", "5", "6")


class Rung(NamedTuple):
    """Two neighbouring levels at a table; how they play is part of the key it is kept by."""

    game: str
    options: tuple[tuple[str, Any], ...]
    """With the seats; without those of who begins."""
    upper: int

    @property
    def seats(self) -> int:
        return int(dict(self.options)["seats"])

    @property
    def key(self) -> str:
        told = " ".join(f"{name}={value}" for name, value in self.options)
        upper, lower = (_plays(self.game, level) for level in (self.upper, self.upper - 1))
        return f"{self.game} {told} | {self.upper} {upper} : {self.upper - 1} {lower}"

    def make_game(self) -> tanistry.Game:
        return tanistry.game(self.game, **dict(self.options))


class Score(NamedTuple):
    """What the upper one has won."""

    matches: int = 0
    won: float = 0.0

    def elo(self, seats: int) -> tuple[float, float, float]:
        """The difference, and the ends of its 95 % interval."""
        share = self.won / self.matches
        low, high = wilson(share, self.matches)
        return elo(share, seats), elo(low, seats), elo(high, seats)


def elo(won: float, seats: int = 2) -> float:
    won = min(max(won, 0.001), 0.999)
    return 400 * math.log10((seats - 1) * won / (1 - won))


# -- playing --------------------------------------------------------------------------------------


def share(game: tanistry.Game, one: Style, other: Style, matches: int, seed: int) -> float:
    """The share of matches that one style wins among others of another."""
    reader = Reader(Evaluator(network_of(game.name), game))
    won = [play(game, reader, one, other, seed + k).mean() for k in range(-(-matches // ROWS))]
    return float(np.mean(won))


def play(
    game: tanistry.Game, reader: Reader, one: Style, other: Style, seed: int, greedy: float = 0.0
) -> Any:
    """A round of matches: what one won in each, the other being a style, or with a chance of
    `greedy` at each choice the bot of that name."""
    rows = tanistry.batch(game, ROWS, seed=seed, insights=True)
    own = np.arange(ROWS) % game.seats
    rng = fast_seed(seed) + np.arange(ROWS, dtype=np.uint64) * APART
    actions, values = np.zeros(ROWS, np.int64), np.zeros(ROWS)
    running, won = np.ones(ROWS, np.bool_), np.zeros(ROWS)
    chance, advised = np.random.default_rng(seed), Greedy(rows, seed)
    while running.any():
        own_turn = rows.to_act == own
        sense = np.where(own_turn, one.sense, other.sense)
        floor = np.where(own_turn, one.floor, other.floor)
        reader.read(rows, running, sense, floor, rng, actions, values)
        if greedy:
            follows = running & ~own_turn & (chance.random(ROWS) < greedy)
            advised.kernel(
                0, ROWS, rows._rows.records, rows._rows.moves, follows, advised.notes, advised.rng,
                actions,
            )  # fmt: skip
        rows.step(np.where(running, actions, -1))
        over = running & rows.done
        reward = rows.rewards[np.arange(ROWS), own]
        won[over] = (reward[over] * (game.seats - 1) + 1) / game.seats
        running = running & ~over
    return won


def play_slowly(game: tanistry.Game, upper: int, first: int) -> Any:
    """The same for levels one of which thinks ahead: one match after the other, from a deal on."""
    deals = range(first, first + SLOWLY)
    return np.array([_won(game, upper, deal % game.seats, SEED + 1000 * deal) for deal in deals])


def _won(game: tanistry.Game, upper: int, own: int, seed: int) -> float:
    """What the upper level has won in its seat among others of the one below."""
    match = game.deal(seed=seed)
    bots = [
        tanistry.bot("people", level=upper - (seat != own), seed=10 * seed + seat)
        for seat in range(game.seats)
    ]
    while (seat := match.to_act) is not None:
        match.play(bots[seat].choose(match))
    assert match.result is not None
    first = match.result.ranking[0]
    return (own in first) / len(first)


def style_of(game: str, level: int) -> Style:
    """How a level below the champion's plays; 0 is at random."""
    return [AT_RANDOM, *styles(game)][level]


def _plays(game: str, level: int) -> object:
    """What a level is to be known by."""
    return f"champion v{version('champion')}" if level == CHAMPION else tuple(style_of(game, level))


# -- the ladder -----------------------------------------------------------------------------------


def tables(game: str, everything: bool) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The sets of options of a game: for each number of seats the default one, or all."""
    info = tanistry.info(game)
    if everything:
        for options in option_sets(info):
            yield tuple((name, value) for name, value in options.items() if name != "first")
    else:
        for seats in info.seats:
            yield (("seats", seats),)


class Ladder:
    """Rungs and what came of them, kept in a file."""

    def __init__(self, path: Path, rungs: list[Rung]) -> None:
        self.path, self.rungs = path, rungs
        found = json.loads(path.read_text()) if path.exists() else {}
        self.scores = {key: Score(*score) for key, score in found.items()}

    def score(self, rung: Rung) -> Score:
        return self.scores.get(rung.key, Score())

    def climb(self, matches: int, seconds: float) -> None:
        """Play until every rung has had so many matches, or the part of them that it is to have;
        those furthest from it first."""
        end = time.monotonic() + seconds
        readers: dict[tuple[Any, ...], tuple[tanistry.Game, Reader]] = {}

        def played(rung: Rung) -> int:
            return self.score(rung).matches * (PART if rung.upper == CHAMPION else 1)

        while time.monotonic() < end:
            rung = min(self.rungs, key=played)
            score = self.score(rung)
            if played(rung) >= matches:
                return
            table = rung[:2]
            if table not in readers:
                game = rung.make_game()
                readers[table] = game, Reader(Evaluator(network_of(game.name), game))
            if rung.upper == CHAMPION:
                won = play_slowly(readers[table][0], rung.upper, score.matches)
            else:
                upper, lower = (style_of(rung.game, rung.upper - k) for k in (0, 1))
                won = play(*readers[table], upper, lower, SEED + 1000 * score.matches // ROWS)
            self.scores[rung.key] = Score(score.matches + len(won), score.won + float(won.sum()))
            text = json.dumps(self.scores, indent=0, sort_keys=True)
            self.path.write_text(text + "\n")

    def heights(self, game: str, options: tuple[tuple[str, Any], ...]) -> list[tuple[float, float]]:
        """Elo of each level above `random`, and half of its 95 % interval: errors add up."""
        found, height, blur = [(0.0, 0.0)], 0.0, 0.0
        for upper in LEVELS:
            rung = Rung(game, options, upper)
            if not self.score(rung).matches:
                break
            step, low, high = self.score(rung).elo(rung.seats)
            height, blur = height + step, math.hypot(blur, (high - low) / 2)
            found.append((height, blur))
        return found


def report(ladder: Ladder, every: list[tuple[str, tuple[tuple[str, Any], ...]]]) -> None:
    print("| table | matches a rung | " + " | ".join(NAMES[1:]) + " |")
    print("|---|--:|" + "--:|" * len(NAMES[1:]))
    for game, options in every:
        heights = ladder.heights(game, options)[1:]
        cells = [f"{height:.0f} ± {blur:.0f}" for height, blur in heights]
        cells += ["–"] * (len(LEVELS) - len(cells))
        least = min(ladder.score(Rung(game, options, level)).matches for level in LEVELS[:-1])
        title = ", ".join([game, *(f"{name} {value}" for name, value in options)])
        print(f"| {title} | {least:,} | " + " | ".join(cells) + " |")
    print()
    print("| table | " + " | ".join(f"{up} : {low}" for low, up in pairwise(NAMES)) + " |")
    print("|---|" + "--:|" * len(LEVELS))
    for game, options in every:
        cells = []
        for upper in LEVELS:
            rung = Rung(game, options, upper)
            score = ladder.score(rung)
            step, low, high = score.elo(rung.seats) if score.matches else (0.0, 0.0, 0.0)
            cells.append(f"{step:.0f} ({low:.0f} – {high:.0f})" if score.matches else "–")
        title = ", ".join([game, *(f"{name} {value}" for name, value in options)])
        print(f"| {title} | " + " | ".join(cells) + " |")


def draw(ladder: Ladder, every: list[tuple[str, tuple[tuple[str, Any], ...]]], path: Path) -> None:
    """For each game how high each level stands above `random`, a line for each number of seats."""
    import matplotlib
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(game for game, _ in every))
    colours = {2: "#2c6e63", 3: "#c9963b", 4: "#8a4f7d", 5: "#4a6fa5"}
    with matplotlib.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
        figure = Figure(figsize=(9, 6.4), layout="constrained")
        panels: Any = figure.subplots(2, 2, sharex=True, sharey=True)
        for axes, name in zip(panels.flat, games, strict=False):
            for game, options in every:
                if game != name:
                    continue
                seats = dict(options)["seats"]
                heights, blurs = zip(*ladder.heights(game, options), strict=True)
                axes.errorbar(
                    range(len(heights)), heights, yerr=blurs, fmt="o-", ms=4, capsize=3,
                    color=colours[seats], label=f"{seats} seats",
                )  # fmt: skip
            axes.set_title(tanistry.info(name).title["en"], loc="left", fontsize=10)
            axes.set_xticks(range(len(NAMES)), NAMES)
            axes.grid(alpha=0.3)
            axes.legend(frameon=False, loc="upper left")
        figure.supxlabel("level")
        figure.supylabel("Elo above random, with 95 % intervals")
        figure.savefig(path, format="svg", metadata={"Date": None})


# -- single questions -----------------------------------------------------------------------------


def told(won: float, matches: int) -> str:
    low, high = wilson(won, matches)
    return f"{100 * won:5.1f} %  Elo {elo(won):+4.0f} ({elo(low):+4.0f} … {elo(high):+4.0f})"


def curve(game: str, matches: int) -> None:
    """What a bit less sense costs, two seats."""
    below = 0.0
    for more, less in pairwise(GRID):
        won = share(tanistry.game(game), more, less, matches, SEED)
        below += elo(won)
        pair = f"sense {more.sense:g} : {less.sense:g}"
        print(f"{game:9} {pair:18}  {told(won, matches)}  {below:5.0f}", flush=True)


def weakest(game: str, matches: int, greedy: float = 0.3) -> None:
    """The first level against somebody who follows `greedy` at three choices in ten."""
    table = tanistry.game(game)
    reader, style = Reader(Evaluator(network_of(game), table)), style_of(game, 1)
    rounds = range(-(-matches // ROWS))
    won = [play(table, reader, style, AT_RANDOM, SEED + k, greedy).mean() for k in rounds]
    print(f"{game:9} 1 : greedy at 30 %  {told(float(np.mean(won)), matches)}", flush=True)


def learnt(games: list[str], path: Path) -> None:
    """The curves of the runs from nothing, which `tanistry train` wrote: see benchmarks/curves."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
        figure = Figure(figsize=(9, 5.6), layout="constrained")
        panels: Any = figure.subplots(2, 2, sharey=True)
        for axes, name in zip(panels.flat, games, strict=False):
            table = Path(__file__).parent / "curves" / f"{name}.csv"
            with table.open(newline="", encoding="utf-8") as file:
                rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
            millions = [row["choices"] / 1e6 for row in rows]
            for opponent, colour in (("random", "#8b8f94"), ("greedy", "#2c6e63")):
                low, high = ([100 * row[f"{opponent} {end}"] for row in rows] for end in ENDS)
                won = [100 * row[opponent] for row in rows]
                axes.plot(millions, won, "o-", ms=3, color=colour, label=f"against {opponent}")
                axes.fill_between(millions, low, high, color=colour, alpha=0.2)
            axes.set_title(tanistry.info(name).title["en"], loc="left", fontsize=10)
            axes.grid(alpha=0.3)
        panels.flat[0].legend(frameon=False, loc="lower right")
        figure.supxlabel("million choices learnt from")
        figure.supylabel("% of matches won, with 95 % intervals")
        figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("do", choices=DO)
    parser.add_argument("games", nargs="*", default=[])
    parser.add_argument("--matches", type=int, default=1000, help="of each pair")
    parser.add_argument("--seats", type=int, help="only tables with so many")
    parser.add_argument("--minutes", type=float, default=8, help="0: play nothing")
    parser.add_argument("--out", type=Path, default=Path("levels.json"))
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    games = asked.games or sorted(tanistry.games())
    if asked.do in ("curve", "weakest"):
        for name in games:
            (curve if asked.do == "curve" else weakest)(name, asked.matches)
        return
    if asked.do == "learnt":
        learnt(games, asked.plot or Path("learnt.svg"))
        return
    every = [(name, table) for name in games for table in tables(name, asked.do == "options")]
    every = [table for table in every if asked.seats in (None, dict(table[1])["seats"])]
    met = LEVELS[:-1] if asked.do == "options" else LEVELS
    rungs = [Rung(*table, upper) for table in every for upper in met]
    ladder = Ladder(asked.out, rungs)
    ladder.climb(asked.matches, 60 * asked.minutes)
    report(ladder, every)
    if asked.plot:
        draw(ladder, every, asked.plot)


if __name__ == "__main__":
    main()
