"""Our search beside OpenSpiel's `ISMCTSBot`, at our own games.

    python benchmarks/openspiel_ismcts.py claim --games 100 --simulations 500 --milliseconds 50

OpenSpiel's bot is its Python one (`open_spiel.python.algorithms.ismcts`): the C++ one plays only
games that are written in C++, since it asks the state itself to resample. It gets every help there
is: the states are our compiled records, copied and resampled by our kernels, and its evaluator (one
random playout) is a single compiled call. Both bots look only at a blinded match, both play every
deal from both sides, and both get the same number of simulations, then the same time, per choice.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts as openspiel_ismcts
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import tanistry
from tanistry.arena.results import interval
from tanistry.bots import Bot
from tanistry.match.game import fast_seed
from tanistry.simulation import playouts
from tanistry.table.bits import members
from tanistry.table.kernel import specialise
from tanistry.table.record import copy_record

UCT_C = 1.4
"""As ours (0.7), for returns from −1 to 1 instead of 0 to 1."""


class State:
    """A match as OpenSpiel's bot wants it: what it asks of a `pyspiel.State`, no more."""

    def __init__(self, game: tanistry.Game, s: Any, past: str, rng: Any) -> None:
        self.game, self.s, self.past, self.rng = game, s, past, rng

    def get_game(self) -> Any:
        kind = pyspiel.GameType
        dynamics, information = kind.Dynamics, kind.Information
        found = SimpleNamespace(
            dynamics=dynamics.SEQUENTIAL, information=information.IMPERFECT_INFORMATION
        )
        return SimpleNamespace(get_type=lambda: found)

    def clone(self) -> State:
        return State(self.game, copy_record(self.s), self.past, self.rng)

    def current_player(self) -> int:
        return int(self.s.to_act)

    def is_chance_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        return bool(self.s.to_act < 0)

    def legal_actions(self, _player: int | None = None) -> list[int]:
        moves = self.game.new_moves()
        self.game.kernels.legal(self.s, moves)
        return members(moves)

    def apply_action(self, action: int) -> None:
        self.past += f"{self.s.to_act}:{action} "
        self.game.kernels.play(self.s, int(action))

    def information_state_string(self) -> str:
        """All choices so far, and the cards the player knows, by place."""
        known = self.s.place & self.s.known[int(self.s.to_act)]
        return self.past + str(known.tobytes())

    def returns(self) -> list[float]:
        """1 for a win, −1 for a loss, shared by those who tie; evenly spread between."""
        standing = [self.game.kernels.standing(self.s, n) for n in range(self.game.seats)]
        others = self.game.seats - 1
        return [
            sum((mine > theirs) - (mine < theirs) for theirs in standing) / others
            for mine in standing
        ]

    def resample_from_infostate(self, player: int, _sampler: Any) -> State:
        fresh = self.clone()
        self.game.kernels.resample(fresh.s, player, self.rng)
        return fresh


class Evaluator:
    """One random playout, as OpenSpiel's `RandomRolloutEvaluator(1)`, in one compiled call."""

    def __init__(self, game: tanistry.Game) -> None:
        kernels = vars(game.kernels)
        names = ("deal", "legal", "play", "standing")
        made = specialise(playouts, {name: kernels[name] for name in names}, game.name)
        self.playout, self.moves = made["playout"], game.new_moves()

    def evaluate(self, state: State) -> Any:
        end = state.clone()
        self.playout(end.s, self.moves, state.rng)
        return np.array(end.returns())

    def prior(self, state: State) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class OutOfTime(Exception):
    pass


class Timed(openspiel_ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's bot, stopped after a number of seconds if one is given."""

    seconds: float | None = None
    simulations = 0

    def step(self, state: State) -> int:
        self.deadline = time.perf_counter() + (self.seconds or 1e9)
        self.simulations = 0
        try:
            policy = self.run_search(state)
        except OutOfTime:
            policy = self.get_final_policy(state, self._root_node)
        return int(max(policy, key=lambda item: item[1])[0])

    def sample_root_state(self, state: State) -> Any:
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
        self.seed = seed
        self.bot = Timed(
            None,
            Evaluator(game),
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
        state = State(match.game, known._s, "", fast_seed(self.seed))
        action = self.bot.step(state)
        self.done += self.bot.simulations
        self.choices += 1
        return match.game.tokens[int(action)]


def duel(game: tanistry.Game, games: int, budget: dict[str, Any], tick: Any) -> dict[str, Any]:
    """Our share of the wins over so many matches, each deal played from both sides."""
    shares = []
    theirs = OpenSpielBot(game, 1, budget.get("iterations"), budget.get("milliseconds"))
    spent = {"ours": 0.0, "openspiel": 0.0}
    for deal in range(games // 2):
        points = []
        for our_seat in (0, 1):
            ours: Bot = tanistry.bot("ismcts", seed=deal, **budget)
            match = game.deal(deal)
            while match.to_act is not None:
                who = "ours" if match.to_act % 2 == our_seat else "openspiel"
                began = time.perf_counter()
                token = (ours if who == "ours" else theirs).choose(match)
                spent[who] += time.perf_counter() - began
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
        "seconds": spent,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="*", default=["claim"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=500)
    parser.add_argument("--milliseconds", type=float, default=50)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    budgets = [{"iterations": given.simulations}, {"milliseconds": given.milliseconds}]
    found = []
    console = Console()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("", total=len(given.game) * len(budgets) * given.games)
        for name in given.game:
            game = tanistry.game(name)
            tanistry.bot("ismcts", seed=0, iterations=1).choose(game.deal(0))
            for budget in budgets:
                progress.update(task, description=f"{name} {budget}")
                found.append(duel(game, given.games, budget, lambda: progress.advance(task)))
    table = Table("game", "budget per choice", "matches", "we win", "95 %", "its simulations")
    for row in found:
        spent = ", ".join(f"{value:g} {key}" for key, value in row["budget"].items())
        rate = f"{row['ours']:.1%}"
        span = f"{row['low']:.1%} – {row['high']:.1%}"
        sims = f"{row['openspiel_simulations_per_choice']:.0f}"
        table.add_row(row["game"], spent, str(row["games"]), rate, span, sims)
    console.print(table)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
