"""Small Claim, solved by OpenSpiel: how far players can be exploited, and a solution.

    python benchmarks/small_claim.py --iterations 200
    python benchmarks/small_claim.py --learn 6000000 --plot small-claim.svg    # needs PyTorch

The tree is walked once, as a Python game, and handed to OpenSpiel's C++ as a file in Gambit's
format; there CFR+ takes milliseconds an iteration, and exploitability is exact.

With `--learn` a network learns it from nothing as `tanistry train` does, and is measured on the
way: as it plays with a sense of 1 (see `bots.reading`), and as `trained` does, its best choice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import gambit
from rich.console import Console
from rich.table import Table

import tanistry
import tanistry.envs.openspiel  # registers the games
from tanistry.games import claim
from tanistry.games.claim import small
from tanistry.simulation.network import ONE_X, Evaluator, Network, network_of, read_network_file
from tanistry.simulation.observation import observe

DECKS = ("G0+G0+G0+G0+G0+K3+U4+X1", "G0+G0+G0+G0+K3+U4+D2+X1")


def count(game: Any) -> tuple[int, int]:
    """Information states in which somebody chooses, and histories to the end."""
    seen: set[tuple[int, str]] = set()
    ends = 0
    open_states = [game.new_initial_state()]
    while open_states:
        state = open_states.pop()
        if state.is_terminal():
            ends += 1
            continue
        if not state.is_chance_node():
            seen.add((state.current_player(), state.information_state_string()))
        open_states += [state.child(action) for action in state.legal_actions()]
    return len(seen), ends


def solve(deck: str, iterations: int) -> list[str]:
    began = time.process_time()
    name = f"tanistry_claim_small(deck={deck})"
    game = pyspiel.load_efg_game(gambit.export_gambit(pyspiel.load_game(name)))
    walked = time.process_time() - began
    infostates, ends = count(game)
    at_random = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    began = time.process_time()
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    spent = time.process_time() - began
    policy = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    left = pyspiel.exploitability(game, policy)
    return [
        deck,
        f"{infostates:,}",
        f"{ends:,}",
        f"{at_random:.4f}",
        f"{left:.6f}",
        f"{value:+.3f}",
        f"{walked:.0f} s + {spent:.0f} s",
    ]


# -- a network ------------------------------------------------------------------------------------


class Point(NamedTuple):
    """How far a network can be exploited, after so many choices."""

    choices: int
    drawn: float
    best: float


def as_game(deck: str) -> str:
    """Make small Claim a game like the others, with Claim's texts and features; its name."""
    made = small.definition(2, deck)
    package, home = ModuleType("small_claim"), ModuleType("small_claim.definition")
    package.__path__, package.__spec__ = claim.__path__, claim.__spec__
    info = replace(made.info, package=package.__name__)
    vars(home)["DEFINITION"] = replace(made, info=info)
    sys.modules |= {package.__name__: package, home.__name__: home}
    tanistry.register(info)
    return info.name


class Questions:
    """The information states of small Claim, as OpenSpiel names them and as a network sees them."""

    def __init__(self, deck: str) -> None:
        original = pyspiel.load_game(f"tanistry_claim_small(deck={deck})")
        self.tree = pyspiel.load_efg_game(gambit.export_gambit(original))
        self.game: Any = None
        self.asked: dict[str, tuple[Any, list[int], list[int]]] = {}
        self._walk(original.new_initial_state(), self.tree.new_initial_state())

    def _walk(self, state: Any, node: Any) -> None:
        """Both trees at once; their actions have the same names, but other numbers."""
        if node.is_terminal():
            return
        named = {node.action_to_string(action): action for action in node.legal_actions()}
        actions = state.legal_actions()
        theirs = [named[state.action_to_string(action)] for action in actions]
        if not node.is_chance_node():
            match = state.match()
            self.game = match.game
            asked = observe(match, state.current_player(), insights=True), actions, theirs
            self.asked[node.information_state_string()] = asked
        for action, their in zip(actions, theirs, strict=True):
            self._walk(state.child(action), node.child(their))

    def exploitability(self, network: Network, sense: float) -> float:
        """Of a network that draws an action with a chance proportional to exp(sense · logit)."""
        evaluator = Evaluator(replace(network, game=self.game.name), self.game)
        policy = {}
        for name, (observed, actions, theirs) in self.asked.items():
            moves = self.game.new_moves()
            for action in actions:
                moves[action // 64] |= np.uint64(1 << action % 64)
            evaluator.choose(observed, moves)
            logits = sense * evaluator.logits[actions] / ONE_X
            chances = np.exp(logits - logits.max())
            policy[name] = list(zip(theirs, (chances / chances.sum()).tolist(), strict=True))
        return float(pyspiel.exploitability(self.tree, pyspiel.TabularPolicy(policy)))

    def point(self, choices: int, network: Network) -> Point:
        return Point(choices, *(self.exploitability(network, sense) for sense in (1.0, 1e4)))


def learn(questions: Questions, deck: str, choices: int, pieces: int) -> list[Point]:
    """Let a network learn, in so many pieces, and measure it after each."""
    from tanistry.learning.running import start

    print("Claim's own network:", questions.point(0, network_of("claim")), flush=True)
    given = {"choices": choices, "width": 128, "rows": 1024, "judge_matches": 256}
    found = []
    with tempfile.TemporaryDirectory() as folder:
        training = start(as_game(deck), Path(folder), given=given)
        training.judge()
        training.save()
        while True:
            network = read_network_file(Path(folder) / "network.net")
            found.append(questions.point(training.progress.choices, network))
            print(found[-1], flush=True)
            if training.done >= 1.0:
                return found
            wanted = training.progress.choices + choices / pieces
            while training.progress.choices < wanted and training.done < 1.0:
                training.lesson()
            training.save()


def draw(points: list[Point], at_random: float, path: Path) -> None:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "tanistry", "font.size": 10}):
        figure = Figure(figsize=(7, 4), layout="constrained")
        axes: Any = figure.add_subplot()
        millions = [point.choices / 1e6 for point in points]
        axes.plot(millions, [p.drawn for p in points], "o-", ms=3, label="drawn with sense 1")
        axes.plot(millions, [p.best for p in points], "o-", ms=3, label="its best choice")
        axes.axhline(at_random, color="#8b8f94", lw=1, ls="--", label="random")
        axes.set(xlabel="million choices learnt from", ylabel="exploitability", ylim=(0, None))
        axes.legend()
        axes.grid(alpha=0.3)
        figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("deck", nargs="*", default=DECKS)
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--learn", type=int, default=0, metavar="CHOICES")
    parser.add_argument("--pieces", type=int, default=20, help="in which it learns")
    parser.add_argument("--plot", type=Path, help="the curve of what it learns")
    given = parser.parse_args()
    if given.learn:
        questions = Questions(given.deck[0])
        points = learn(questions, given.deck[0], given.learn, given.pieces)
        if given.plot:
            at_random = pyspiel.UniformRandomPolicy(questions.tree)
            draw(points, pyspiel.exploitability(questions.tree, at_random), given.plot)
        return
    solved = f"after {given.iterations} of CFR+"
    table = Table(
        "deck", "information states", "histories", "random", solved, "seat 0 gets", "walk + solve"
    )
    for deck in given.deck:
        table.add_row(*solve(deck, given.iterations))
    Console(width=140).print("Exploitability of small Claim (win 1, loss −1)", table)


if __name__ == "__main__":
    main()
