"""The games at a glance, for whoever picks one to learn: sizes, lengths, choices."""

from __future__ import annotations

import numpy as np

from tanistry.games import registry
from tanistry.match import Game
from tanistry.simulation.batches import batch

HEADINGS = ("game", "seats", "observation", "actions", "length", "branching")
MATCHES = 1000


def random_matches(game: Game, matches: int, seed: int = 1) -> tuple[float, float]:
    """The mean number of choices in random matches, and of legal actions at a choice."""
    rows = batch(game, matches, seed, observing=False)
    lengths = np.zeros(matches, np.int64)
    choices = legal = 0
    first = np.ones(matches, np.bool_)  # rows that are still at their first match
    while first.any():
        choices += int(first.sum())
        legal += int(rows.mask[first].sum())
        rows.step(rows.random_actions())
        ended = first & rows.done
        lengths[ended] = rows.lengths[ended]
        first &= ~rows.done
    return float(lengths.mean()), legal / choices


def table(matches: int = MATCHES) -> str:
    """All games with their default options, as a Markdown table."""
    from tanistry.envs import observation

    lines = ["| " + " | ".join(HEADINGS) + " |", "|---|--:|--:|--:|--:|--:|"]
    for info in registry.games().values():
        for seats in info.seats:
            game = Game(registry.definition(info.name), seats, {})
            length, branching = random_matches(game, matches)
            size, actions = observation(game).size, len(game.tokens)
            cells = (info.name, seats, size, actions, f"{length:.0f}", f"{branching:.1f}")
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)
