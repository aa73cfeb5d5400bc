"""Bots against bots: who is better, by how much, and how sure that is.

    from tanistry.arena import Contest, run
    contest = Contest.of("claim", ["ismcts:3", "greedy", "random"], games=400)
    table = run(contest).table()

Every pair of entrants meets in as many matches as asked. A deal is always played twice, the second
time with the entrants' seats swapped, so that good cards favour nobody; the deal is therefore the
unit of all statistics.
"""

from typing import Any
from warnings import warn

from tanistry.arena.contest import Contest
from tanistry.arena.results import Duel, Results, Standings
from tanistry.arena.runner import run, run_all

__all__ = ["Contest", "Duel", "Results", "Standings", "run", "run_all"]


def __getattr__(name: str) -> Any:
    if name != "Table":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn("tanistry.arena.Table is now Standings", DeprecationWarning, stacklevel=2)
    return Standings
