"""How balanced are the games? What each seat wins, by who plays: docs/balance.md.

    python benchmarks/balance.py --matches 2000 --out balance --plot docs/pictures/balance.svg
    python benchmarks/balance.py lords --matches 1000 --out balance

Plays `random`, `greedy` and `trained` at all seats and prints a line for each table. It can be
stopped and goes on from its folder; `--minutes` is for each game.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import tanistry
from tanistry.studies import Result

POLICIES = ("random", "greedy", "trained")
VARIED: dict[str, dict[str, object]] = {
    "claim": {},
    "schotten": {"tactics": None},
    "kilt": {"seats": None},
    "lords": {"seats": None},
}
TABLES = {
    "tactics=true": "with tactics",
    "tactics=false": "without tactics",
    **{f"seats={n}": f"{n} players" for n in range(2, 6)},
}
COLOURS = {"random": "#8b8f94", "greedy": "#c9963b", "trained": "#2c6e63"}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", default=[*VARIED])
    parser.add_argument(
        "--matches", type=int, default=2000, help="of trained players, for each table"
    )
    parser.add_argument("--simple", type=int, default=100_000, help="of the other two")
    parser.add_argument("--out", type=Path, default=Path("balance"))
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    found = {}
    for name in asked.games:
        study = tanistry.study(
            tanistry.game(name),
            n=asked.simple,
            policies=["random", "greedy", f"trained@{asked.matches}"],
            vary=VARIED[name],
            seed=1,
            out=asked.out / name,
            workers=asked.workers,
            until=asked.minutes and 60 * asked.minutes,
        )
        found[name] = [result for result in study.results if result.matches]
    print("| table | players | matches | what each seat wins, in turn order (95 % interval) |")
    print("|---|---|--:|---|")
    for name, results in found.items():
        for result in sorted(results, key=lambda one: table_of(name, one)):
            print(line(name, result))
    if asked.plot:
        draw(found, asked.plot)


def table_of(name: str, result: Result) -> str:
    title = tanistry.info(name).title["en"]
    return ", ".join(
        [title, *(TABLES[part] for part in result.label.split(", ") if part in TABLES)]
    )


def line(name: str, result: Result) -> str:
    seats = " · ".join(
        f"{100 * row['won']:.1f} ({100 * row['low']:.1f}–{100 * row['high']:.1f})"
        for row in result.seats()
    )
    policy = result.setting.policy.text
    return f"| {table_of(name, result)} | {policy} | {result.matches:,} | {seats} |"


def draw(found: dict[str, list[Result]], path: Path) -> None:
    """For each table what its seats win beyond an even share, a colour for each kind of player."""
    import matplotlib
    from matplotlib.figure import Figure

    tables: dict[str, list[Result]] = {}
    for name, results in found.items():
        for result in results:
            tables.setdefault(table_of(name, result), []).append(result)
    with matplotlib.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
        figure = Figure(figsize=(8, 1.2 + 0.95 * len(tables)), layout="constrained")
        axes: Any = figure.subplots(len(tables), 1, sharex=True, squeeze=False)[:, 0]
        for axis, (title, results) in zip(axes, tables.items(), strict=True):
            _draw_table(axis, title, results)
        axes[-1].set_xlabel("percentage points beyond an even share, with 95 % intervals")
        axes[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _draw_table(axis: Any, title: str, results: list[Result]) -> None:
    for number, policy in enumerate(POLICIES):
        rows = next((r.seats() for r in results if r.setting.policy.text == policy), [])
        won = [100 * (row["won"] - row["even"]) for row in rows]
        below = [100 * (row["won"] - row["low"]) for row in rows]
        above = [100 * (row["high"] - row["won"]) for row in rows]
        height = [row["turn"] + 0.22 * (number - 1) for row in rows]
        axis.errorbar(
            won, height, xerr=[below, above], fmt="o", ms=4, color=COLOURS[policy], label=policy
        )
    seats = len(results[0].seats())
    axis.axvline(0, color="#8884", lw=1)
    axis.set_yticks(range(seats), [f"{turn + 1}." for turn in range(seats)])
    axis.set_ylim(seats - 0.5, -0.5)
    axis.set_title(title, loc="left", fontsize=10)
    axis.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()
