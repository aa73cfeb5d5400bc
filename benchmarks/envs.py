"""Environment steps per second of random legal play on one core, ours beside our peers'.

    make bench                          # after benchmarks/steps.py
    python benchmarks/envs.py --envs 1024 --games claim --json envs.json

An environment step hands a learner what it needs to choose: what the seat to act knows, its legal
choices, rewards and whether the match is over. Ours are steps of `tanistry.envs.vector`, a random
legal action in every match, arrays not copied; RLCard's are `env.step`, which brings the state of
the next player. OpenSpiel's games are driven from Python as in benchmarks/steps.py, which asks for
legal actions and nothing else; "not observed" are our batches doing just that. "Observed", they
also give the observation (the information state, where there is no other) of the player to act.

All contestants take turns, several rounds of them, and the best round of each counts; the time is
processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import tanistry
from steps import ONE, OPEN_SPIEL, Contestant, Count, heading, markdown, measure, rlcard
from steps import open_spiel as without_observations
from tanistry.envs.vector import VectorEnv

ENVS = 1024
CACHE = 2 << 20
"""Bytes of a core's own cache on a server: side by side are ENVS matches, or as many as fit in."""
RLCARD = ("leduc-holdem", "uno", "bridge", "gin-rummy", "doudizhu", "mahjong")
"""From the quickest of its card games to the slowest."""
YARDSTICKS = ("RLCard uno", "OpenSpiel spades")


def fitting(name: str) -> int:
    """So many matches, a power of two, that what a step reads and writes fits into the cache."""
    game = tanistry.game(name)
    record = game.definition.dtype
    used = record.itemsize - record["log"].itemsize  # nobody is told of events
    match = used + len(game.tokens) + tanistry.envs.observation(game).size
    return min(ENVS, 1 << (CACHE // match).bit_length() - 1)


def ours(name: str, envs: int) -> Contestant:
    """A "match" of this contestant is one step of all rows."""
    made = VectorEnv(name, envs, copy=False)
    made.reset(seed=1)

    def play(matches: int) -> Count:
        for _ in range(matches):
            made.step(made.random_actions())
        return Count(matches * envs)

    return Contestant(name, ONE, True, play)


def unobserved(name: str, envs: int) -> Contestant:
    """Legal actions and steps alone, as OpenSpiel's games are driven."""
    rows = tanistry.batch(tanistry.game(name), envs, seed=1, observing=False)

    def play(matches: int) -> Count:
        for _ in range(matches):
            rows.step(rows.random_actions())
        return Count(matches * envs)

    return Contestant(f"{name}, not observed", ONE, True, play)


def one_by_one(name: str) -> Contestant:
    """The PettingZoo environment: one match, driven from Python."""
    from tanistry.envs.pettingzoo import env

    made = env(name)
    pick = np.random.default_rng(1)

    def play(matches: int) -> Count:
        steps = 0
        for number in range(matches):
            made.reset(seed=number)
            for _ in made.agent_iter():
                seen, _, over, _, _ = made.last()
                made.step(None if over else int(pick.choice(np.flatnonzero(seen["action_mask"]))))
                steps += not over
        return Count(steps)

    return Contestant(f"{name}, PettingZoo", ONE, False, play)


def with_observations(name: str) -> Contestant:
    import pyspiel

    game = pyspiel.load_game(name)
    pick = random.Random(1).random
    observes = game.get_type().provides_observation_tensor
    tensor = (
        pyspiel.State.observation_tensor if observes else pyspiel.State.information_state_tensor
    )

    def play(matches: int) -> Count:
        steps = 0
        for _ in range(matches):
            state = game.new_initial_state()
            while state.is_chance_node():
                outcomes = state.legal_actions()
                state.apply_action(outcomes[int(pick() * len(outcomes))])
            while not state.is_terminal():
                np.array(tensor(state, state.current_player()), np.float32)
                actions = state.legal_actions()
                state.apply_action(actions[int(pick() * len(actions))])
                steps += 1
        return Count(steps)

    return Contestant(f"OpenSpiel {name}, observed", ONE, False, play)


def peers() -> list[Contestant]:
    found: list[Contestant] = []
    makers: list[tuple[str, Callable[..., Contestant], tuple[str, ...], tuple[Any, ...]]] = [
        ("pyspiel", without_observations, OPEN_SPIEL, (ONE,)),
        ("pyspiel", with_observations, OPEN_SPIEL, ()),
        ("rlcard", rlcard, RLCARD, (ONE,)),
    ]
    for module, make, names, rest in makers:
        if find_spec(module):
            found += [make(name, *rest) for name in names]
        else:
            print(f"{module} is not installed: left out (pip install 'tanistry[bench]')")
    return found


def table(contestants: list[Contestant]) -> str:
    rates = {c.name: c.rate for c in contestants}
    yards = [name for name in YARDSTICKS if name in rates]
    rows = [
        [c.name, f"{c.rate:,.0f}", *(f"{c.rate / rates[name]:.3g}" for name in yards)]
        for c in contestants
    ]
    return markdown(["environment", "steps/s", *(f"× {name}" for name in yards)], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", nargs="*", default=list(tanistry.games()))
    parser.add_argument("--envs", type=int, help="matches side by side; as many as fit the cache")
    parser.add_argument("--seconds", type=float, default=0.3, help="of a round")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--json", help="a file for the figures")
    given = parser.parse_args()
    envs = {name: given.envs or fitting(name) for name in given.games}
    contestants = [ours(name, n) for name, n in envs.items()]
    contestants += [unobserved(name, n) for name, n in envs.items()]
    contestants += [one_by_one(name) for name in given.games]
    contestants += peers()
    measure(contestants, given.seconds, given.rounds)
    print(heading())
    print("Matches side by side:", ", ".join(f"{name} {n}" for name, n in envs.items()) + "\n")
    print(table(contestants))
    if given.json:
        rates = {c.name: c.rate for c in contestants}
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"envs": envs, "steps_per_second": rates}, file, indent=2)


if __name__ == "__main__":
    main()
