"""Where one core's time goes in random play, by cause, in every game.

    python benchmarks/causes.py
    python benchmarks/causes.py --games lords lords:5 --matches 2000 --rounds 20

The matches of a simulation are played once and their choices kept. Then the same matches are played
again and again with one thing more each time, and what it adds is its cost:

    a blank record      copied for each match
    dealing             the stream of the match, shuffles, hands
    rules               `play`, without what only serves those who look on
    onlookers           what a seat knows, the order of cards in a side, events that nobody reads
    legal choices       `legal`
    a random choice     counting the choices, drawing one
    the winner          and what is counted of a match

All take turns in one process, several rounds of them, and the best round of each counts; the time
is processor time, per step. A second table shows at which decisions: how often each is met, and
what `legal` and `play` take there (over states kept apart, each copied before it is played; the
copying is measured and taken off).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

import tanistry
from steps import heading, markdown
from tanistry.kernel import specialise, template, unwatched
from tanistry.match.seeds import fast_seed, seed_bytes
from tanistry.simulation import playouts
from tanistry.simulation.playouts import APART, new_dice, random_action
from tanistry.table.contract import deal, legal, play
from tanistry.table.stream import start_stream

U64 = np.uint64
KEPT = 2048
"""States of each decision that are timed."""


@template
def deal_number(s: Any, blank: Any, number: int) -> None:
    s[0] = blank[0]
    start_stream(s[0], number)
    deal(s[0])


@template
def keep(s: Any, blank: Any, moves: Any, rng: Any, salt: Any, n: int, actions: Any) -> int:
    """Play the matches of a simulation and keep their choices."""
    at = 0
    for number in range(n):
        deal_number(s, blank, number)
        rng[0] = U64(salt) + U64(number) * APART
        while s[0].to_act >= 0:
            legal(s[0], moves)
            actions[at] = random_action(moves, rng)
            play(s[0], int(actions[at]))
            at += 1
    return at


@template
def copied(s: Any, blank: Any, n: int) -> None:
    for number in range(n):
        s[0] = blank[0]
        start_stream(s[0], number)


@template
def dealt(s: Any, blank: Any, n: int) -> None:
    for number in range(n):
        deal_number(s, blank, number)


@template
def played(s: Any, blank: Any, n: int, actions: Any) -> None:
    at = 0
    for number in range(n):
        deal_number(s, blank, number)
        while s[0].to_act >= 0:
            play(s[0], int(actions[at]))
            at += 1


@template
def with_legal(s: Any, blank: Any, n: int, actions: Any, moves: Any) -> None:
    at = 0
    for number in range(n):
        deal_number(s, blank, number)
        while s[0].to_act >= 0:
            legal(s[0], moves)
            play(s[0], int(actions[at]))
            at += 1


# -- by decision ----------------------------------------------------------------------------------


@template
def gather(s: Any, blank: Any, n: int, actions: Any, met: Any, states: Any, chosen: Any) -> None:
    """Count the decisions, and keep the first states of each with the choice made there."""
    at = 0
    for number in range(n):
        deal_number(s, blank, number)
        while s[0].to_act >= 0:
            decision = int(s[0].decision)
            if met[decision] < states.shape[1]:
                states[decision, met[decision]] = s[0]
                chosen[decision, met[decision]] = actions[at]
            met[decision] += 1
            play(s[0], int(actions[at]))
            at += 1


@template
def legal_in(states: Any, moves: Any) -> None:
    for i in range(states.shape[0]):
        legal(states[i], moves)


@template
def copy_each(s: Any, states: Any) -> None:
    for i in range(states.shape[0]):
        s[0] = states[i]


@template
def play_in(s: Any, states: Any, chosen: Any) -> None:
    for i in range(states.shape[0]):
        s[0] = states[i]
        play(s[0], int(chosen[i]))


# -- timing ---------------------------------------------------------------------------------------


def best_of(rounds: int, runs: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The seconds of each run at its best; they take turns."""
    for run in runs.values():
        run()
    found = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            began = process_time()
            run()
            found[name] = min(found[name], process_time() - began)
    return found


class Taken:
    """Matches of a game taken apart."""

    def __init__(self, called: str, matches: int, rounds: int) -> None:
        name, _, seats = called.partition(":")
        self.called, self.matches, self.rounds = called, matches, rounds
        self.game = game = tanistry.game(name, seats=int(seats) if seats else None)
        names = ("deal", "legal", "play", "standing")
        given = {key: getattr(game.kernels, key) for key in names}
        module = sys.modules[__name__]
        self.kernels = specialise(module, {k: given[k] for k in names[:3]}, game.name)
        alone = {k: unwatched(given[k]) for k in names[:3]}
        self.unwatched = specialise(module, alone, f"{game.name}_unwatched")
        self.playouts = specialise(playouts, given, game.name)["playouts"]
        key = seed_bytes(1)
        self.blank = np.array([game.new_record(key)], game.definition.dtype)
        self.s, self.moves, self.rng = self.blank.copy(), game.new_moves(), fast_seed(key)
        self.salt = self.rng[0]
        self.dice = new_dice(len(game.tokens), max(game.info.seats))
        room = np.zeros(matches * 2000, np.int32)
        given_here = (self.s, self.blank, self.moves, self.rng, self.salt, matches, room)
        self.steps = int(self.kernels["keep"](*given_here))
        self.actions = room[: self.steps].copy()

    def causes(self) -> dict[str, float]:
        """Nanoseconds of a step by cause, and of all of it."""
        s, blank, n, actions, moves = self.s, self.blank, self.matches, self.actions, self.moves
        notes, lengths = np.zeros(64, np.int32), np.zeros(playouts.LONGEST + 1, np.int64)
        watched, alone = self.kernels, self.unwatched
        found = best_of(
            self.rounds,
            {
                "copied": lambda: watched["copied"](s, blank, n),
                "dealt": lambda: watched["dealt"](s, blank, n),
                "alone, dealt": lambda: alone["dealt"](s, blank, n),
                "alone": lambda: alone["played"](s, blank, n, actions),
                "played": lambda: watched["played"](s, blank, n, actions),
                "legal": lambda: watched["with_legal"](s, blank, n, actions, moves),
                "chosen": lambda: watched["keep"](s, blank, moves, self.rng, self.salt, n, actions),
                "all": lambda: self.playouts(s, blank, self.dice, notes, 0, n, self.salt, lengths),
            },
        )
        each = {name: seconds / self.steps * 1e9 for name, seconds in found.items()}
        rules = each["alone"] - each["alone, dealt"]
        return {
            "a blank record": each["copied"],
            "dealing": each["dealt"] - each["copied"],
            "rules": rules,
            "onlookers": each["played"] - each["dealt"] - rules,
            "legal choices": each["legal"] - each["played"],
            "a random choice": each["chosen"] - each["legal"],
            "the winner": each["all"] - each["chosen"],
            "a step": each["all"],
        }

    def decisions(self) -> list[list[str]]:
        """By decision: of how many steps, and nanoseconds of `legal` and of `play` there."""
        names = self.game.definition.decisions
        met = np.zeros(len(names), np.int64)
        states = np.zeros((len(names), KEPT), self.game.definition.dtype)
        chosen = np.zeros((len(names), KEPT), np.int32)
        given = (self.s, self.blank, self.matches, self.actions, met, states, chosen)
        self.kernels["gather"](*given)
        rows = []
        for number, name in enumerate(names):
            here, made = states[number, : met[number]], chosen[number, : met[number]]
            if len(here) == 0:
                continue
            runs = {
                "legal": lambda: self.kernels["legal_in"](here, self.moves),
                "copy": lambda: self.kernels["copy_each"](self.s, here),
                "play": lambda: self.kernels["play_in"](self.s, here, made),
            }
            each = {k: t / len(here) * 1e9 for k, t in best_of(self.rounds, runs).items()}
            times = each["legal"], each["play"] - each["copy"]
            share = f"{100 * met[number] / self.steps:.1f} %"
            rows.append([f"{self.called}: {name}", share, *(f"{t:.0f}" for t in times)])
        return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--games", nargs="+", default=list(tanistry.games()), metavar="GAME[:SEATS]"
    )
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=12)
    given = parser.parse_args()
    taken = [Taken(name, given.matches, given.rounds) for name in given.games]
    causes = [each.causes() for each in taken]
    print(heading())
    rows = [
        [cause, *(f"{c[cause]:.1f} ({100 * c[cause] / c['a step']:.0f} %)" for c in causes)]
        for cause in causes[0]
    ]
    print(markdown(["nanoseconds of a step", *given.games], rows))
    by_decision = [row for each in taken for row in each.decisions()]
    print(markdown(["decision", "of all steps", "legal, ns", "play, ns"], by_decision))


if __name__ == "__main__":
    main()
