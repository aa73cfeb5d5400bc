"""Our search, or another bot of ours, beside OpenSpiel's `ISMCTSBot`, at our own games.

    python benchmarks/openspiel_ismcts.py claim --games 100 --simulations 500 --milliseconds 50
    python benchmarks/openspiel_ismcts.py claim --ours trained --simulations 0 --milliseconds 20

OpenSpiel's bot is its Python one (`open_spiel.python.algorithms.ismcts`): the C++ one plays only
games that are written in C++, since it asks the state itself to resample. It gets every help there
is: the states (`tanistry.envs.openspiel`) are our compiled records, resampled by our kernels, and
its evaluator (one random playout) is a single compiled call. Both bots look only at a blinded
match, both play every deal from both sides, and both get the same number of simulations, then the
same time, per choice. Another bot than the search takes the time it takes, which is shown.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from open_spiel.python.algorithms import ismcts as openspiel_ismcts
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import tanistry
from tanistry.arena.results import interval
from tanistry.bots import Bot
from tanistry.envs import rewards
from tanistry.envs.openspiel import TanistryState, load
from tanistry.kernel import specialise
from tanistry.match.seeds import fast_seed
from tanistry.simulation import playouts
from tanistry.simulation.policy import new_notes

SEARCH = "ismcts"
UCT_C = 1.4
"""About √2, as usual for returns from −1 to 1; ours (0.35, for 0 to 1) would be 0.7 here."""


class Evaluator:
    """One random playout, as OpenSpiel's `RandomRolloutEvaluator(1)`, in one compiled call."""

    def __init__(self, game: tanistry.Game, seed: int) -> None:
        kernels = vars(game.kernels)
        names = ("deal", "legal", "play", "standing")
        made = specialise(playouts, {name: kernels[name] for name in names}, game.name)
        self.playout, self.notes = made["playout"], new_notes()
        self.moves, self.rng = game.new_moves(), fast_seed(seed)

    def evaluate(self, state: TanistryState) -> Any:
        match = state.match()  # a copy
        self.playout(match._s, self.moves, self.notes, self.rng)
        return np.array(rewards(match))

    def prior(self, state: TanistryState) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class OutOfTime(Exception):
    pass


class Timed(openspiel_ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's bot, stopped after a number of seconds if one is given."""

    seconds: float | None = None
    simulations = 0

    def step(self, state: TanistryState) -> int:
        self.deadline = time.perf_counter() + (self.seconds or 1e9)
        self.simulations = 0
        try:
            policy = self.run_search(state)
        except OutOfTime:
            policy = self.get_final_policy(state, self._root_node)
        return int(max(policy, key=lambda item: item[1])[0])

    def sample_root_state(self, state: TanistryState) -> Any:
        # The first simulation only looks at the root, so two are the least it can choose by.
        if self.simulations >= 2 and time.perf_counter() > self.deadline:
            raise OutOfTime
        self.simulations += 1
        return super().sample_root_state(state)


class OpenSpielBot:
    """OpenSpiel's search as a bot of ours."""

    name = "openspiel"

    def __init__(
        self, game: tanistry.Game, seed: int, simulations: int | None, milliseconds: float | None
    ) -> None:
        self.seed, self.game = seed, load(game)
        self.bot = Timed(
            self.game,
            Evaluator(game, seed),
            UCT_C,
            simulations or 10**9,
            random_state=np.random.RandomState(seed),
            allow_inconsistent_action_sets=True,
        )
        self.bot.seconds = milliseconds / 1000 if milliseconds else None
        self.done = self.choices = 0

    def choose(self, match: tanistry.Match) -> str:
        assert match.to_act is not None
        self.seed += 1
        known = match.blind(match.to_act, self.seed)
        action = self.bot.step(self.game.state_of(known))
        self.done += self.bot.simulations
        self.choices += 1
        return match.game.tokens[int(action)]


def duel(
    game: tanistry.Game, name: str, games: int, first: int, budget: dict[str, Any], tick: Any
) -> dict[str, Any]:
    """Our share of the wins over so many matches, each deal played from both sides."""
    shares = []
    theirs = OpenSpielBot(game, 1, budget.get("iterations"), budget.get("milliseconds"))
    spent, asked = {"ours": 0.0, "openspiel": 0.0}, 0
    for deal in range(first, first + games // 2):
        points = []
        for our_seat in (0, 1):
            ours: Bot = tanistry.bot(name, seed=deal, **(budget if name == SEARCH else {}))
            match = game.deal(deal)
            while match.to_act is not None:
                who = "ours" if match.to_act % 2 == our_seat else "openspiel"
                began = time.perf_counter()
                token = (ours if who == "ours" else theirs).choose(match)
                spent[who] += time.perf_counter() - began
                asked += who == "ours"
                match.play(token)
            assert match.result
            best = match.result.ranking[0]
            points.append(sum(seat % 2 == our_seat for seat in best) / len(best))
            tick()
        shares.append(sum(points) / 2)
    rate, low, high = interval(shares)
    return {
        "game": game.name,
        "budget": budget,
        "games": games,
        "ours": rate,
        "low": low,
        "high": high,
        "openspiel_simulations_per_choice": theirs.done / max(theirs.choices, 1),
        "milliseconds": 1000 * spent["ours"] / max(asked, 1),
        "seconds": spent,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="*", default=["claim"])
    parser.add_argument("--ours", default=SEARCH, metavar="BOT")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first deal")
    parser.add_argument("--simulations", type=int, default=500, help="0: not by simulations")
    parser.add_argument("--milliseconds", type=float, default=50, help="0: not by time")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    asked = {"iterations": given.simulations, "milliseconds": given.milliseconds}
    budgets = [{unit: amount} for unit, amount in asked.items() if amount]
    found = []
    console = Console()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("", total=len(given.game) * len(budgets) * given.games)
        for name in given.game:
            game = tanistry.game(name)
            settings = {"iterations": 1} if given.ours == SEARCH else {}
            tanistry.bot(given.ours, seed=0, **settings).choose(game.deal(0))
            for budget in budgets:
                progress.update(task, description=f"{name} {budget}")
                deals = given.games, given.first
                found.append(duel(game, given.ours, *deals, budget, lambda: progress.advance(task)))
    table = Table(
        "game", "budget per choice", "matches", "we win", "95 %", "its simulations", "our ms"
    )
    for row in found:
        spent = ", ".join(f"{value:g} {key}" for key, value in row["budget"].items())
        rate = f"{row['ours']:.1%}"
        span = f"{row['low']:.1%} – {row['high']:.1%}"
        sims = f"{row['openspiel_simulations_per_choice']:.0f}"
        ours = f"{row['milliseconds']:.1f}"
        table.add_row(row["game"], spent, str(row["games"]), rate, span, sims, ours)
    console.print(table)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
