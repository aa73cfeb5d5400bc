"""How often one player wins among others of another kind, in every set of options.

    python benchmarks/strength.py trained ismcts:5                   # in all games
    python benchmarks/strength.py champion trained claim --usual     # default options, fewest seats
    python benchmarks/strength.py trained ismcts:5 lords --seats 5 --matches 200 --minutes 20

Every deal is played once from each seat: the one sits there, the others everywhere else. A win
shared by some counts in part; intervals (95 %) are over deals. With more than two seats the table
also says how many times its share the one has won, which is 1 among equals. Every table has had its
first deal before any gets its second. With `--out FILE` the same command goes on; a bot that has
changed since (its version) begins anew.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import tanistry
from resuming import add_arguments, answers
from tanistry.arena.results import interval
from tanistry.bots import BotSpec, version
from tanistry.testing import option_sets


class Table(NamedTuple):
    """Who meets whom, and where."""

    one: str
    others: str
    game: str
    options: tuple[tuple[str, Any], ...]
    """With the seats; without those of who begins."""

    @property
    def seats(self) -> int:
        return int(dict(self.options)["seats"])

    @property
    def title(self) -> str:
        return ", ".join([self.game, *(f"{name} {value}" for name, value in self.options)])

    @property
    def key(self) -> str:
        bots = (f"{bot} v{version(BotSpec.read(bot).name)}" for bot in (self.one, self.others))
        return " : ".join(bots) + f" | {self.title}"


def play(key: str, table: Table, deal: int) -> tuple[str, float, float, int]:
    """A deal from each seat in turn: the share won, and the seconds and choices of the one."""
    game = tanistry.game(table.game, **dict(table.options))
    won, seconds, choices = 0.0, 0.0, 0
    for own in range(game.seats):
        match = game.deal(seed=deal)
        bots = [
            tanistry.bot(table.one if seat == own else table.others, seed=1000 * deal + seat)
            for seat in range(game.seats)
        ]
        while (seat := match.to_act) is not None:
            began = time.process_time()
            token = bots[seat].choose(match)
            if seat == own:
                seconds, choices = seconds + time.process_time() - began, choices + 1
            match.play(token)
        assert match.result is not None
        first = match.result.ranking[0]
        won += (own in first) / len(first)
    return key, won / game.seats, seconds, choices


def tables(
    one: str, others: str, games: list[str], usual: bool, seats: int | None
) -> Iterator[Table]:
    for name in games:
        info = tanistry.info(name)
        every = [{"seats": seats or info.seats[0]}] if usual else option_sets(info)
        settled = (
            tuple((k, v) for k, v in each.items() if k != "first")
            for each in every
            if seats in (None, each["seats"])
        )
        for options in dict.fromkeys(settled):  # who begins may be the only difference
            yield Table(one, others, name, options)


def line(table: Table, deals: list[tuple[float, float, int]]) -> str:
    if not deals:
        return f"| {table.title} | 0 | | | | |"
    share, low, high = (100 * x for x in interval([won for won, _, _ in deals]))
    times = f"{share * table.seats / 100:.2f} ×" if table.seats > 2 else ""
    pace = 1000 * sum(s for _, s, _ in deals) / max(1, sum(n for _, _, n in deals))
    cells = f"{share:.1f} % | {low:.1f} – {high:.1f} | {times} | {pace:.1f}"
    return f"| {table.title} | {len(deals) * table.seats:,} | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("one")
    parser.add_argument("others")
    parser.add_argument("games", nargs="*", default=[])
    parser.add_argument("--usual", action="store_true", help="only default options, fewest seats")
    parser.add_argument("--seats", type=int, help="only tables with so many")
    parser.add_argument("--matches", type=int, default=1000, help="at each table")
    add_arguments(parser)
    asked = parser.parse_args()
    games = asked.games or sorted(tanistry.games())
    every = list(tables(asked.one, asked.others, games, asked.usual, asked.seats))
    jobs = [
        (table.key, table, deal)
        for table in every
        for deal in range(-(-asked.matches // table.seats))
    ]
    played: dict[str, list[tuple[float, float, int]]] = {}
    for key, *what in answers(play, sorted(jobs, key=lambda job: job[2]), asked):
        played.setdefault(key, []).append((what[0], what[1], what[2]))
    print(
        f"| {asked.one} among {asked.others} | matches | won | 95 % | of its share | ms a choice |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for table in every:
        print(line(table, played.get(table.key, [])))


if __name__ == "__main__":
    main()
