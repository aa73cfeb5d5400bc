"""Studies of a game: who wins, how long it takes, what cards are worth, which rules matter.

    study = tanistry.study(tanistry.game("claim"), n=1_000_000, policies=["random", "greedy"])
    study.results[0].seats()      # rows of figures with 95 % intervals

The counts are gathered while matches are played, by kernels, in a fixed amount of memory; see
`tanistry.studies.counting.layout` for what is counted and `docs/studies.md` for what it means.
"""

from tanistry.studies.output import Study
from tanistry.studies.plan import Plan, Policy, Setting
from tanistry.studies.results import Result
from tanistry.studies.running import study

__all__ = ["Plan", "Policy", "Result", "Setting", "Study", "study"]
