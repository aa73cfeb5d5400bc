"""Small Claim, solved by OpenSpiel: how far play at random can be exploited, and a solution.

    python benchmarks/small_claim.py --iterations 200

The tree is walked once, as a Python game, and handed to OpenSpiel's C++ as a file in Gambit's
format; there CFR+ takes milliseconds an iteration, and exploitability is exact.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import pyspiel
from open_spiel.python.algorithms import gambit
from rich.console import Console
from rich.table import Table

import tanistry.envs.openspiel  # noqa: F401  registers the games

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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("deck", nargs="*", default=DECKS)
    parser.add_argument("--iterations", type=int, default=200)
    given = parser.parse_args()
    solved = f"after {given.iterations} of CFR+"
    table = Table(
        "deck", "information states", "histories", "random", solved, "seat 0 gets", "walk + solve"
    )
    for deck in given.deck:
        table.add_row(*solve(deck, given.iterations))
    Console(width=140).print("Exploitability of small Claim (win 1, loss −1)", table)


if __name__ == "__main__":
    main()
