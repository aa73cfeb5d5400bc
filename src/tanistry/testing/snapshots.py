"""Matches as text, and counts of choices: snapshots kept as files."""

from __future__ import annotations

import json
import random

from tanistry.match import Game, Match
from tanistry.words import words


def playthrough(game: Game, seed: int, lines: int = 300) -> str:
    """A random match with every choice, event and view, for a file that reviewers read."""
    rng = random.Random(seed)
    match = game.deal(seed)
    texts = words("en", game.info)
    names = [f"Seat {seat}" for seat in range(game.seats)]
    written = [repr(game), f"seed {seed}", json.dumps(match.position(), ensure_ascii=False)]
    while match.to_act is not None and len(written) < lines - 1:
        seat, legal = match.to_act, match.legal()
        token = rng.choice(legal)
        written.append(f"{seat}: {token}  ({match.decision}, {len(legal)} legal)")
        for event in match.play(token):
            if text := texts.event(event.seen_by(None), names):
                written.append(f"    {text}  [{event.rule}]")
    if match.result:
        written.append(f"{match.result.scores} {match.result.ranking}")
    return "\n".join(written[:lines]) + "\n"


def count_choices(match: Match, depth: int) -> int:
    """How many sequences of `depth` choices there are from here (fewer where a match ends)."""
    if depth == 0 or match.to_act is None:
        return 1
    if depth == 1:
        return len(match.legal())
    total = 0
    for token in match.legal():
        after = match.copy()
        after.play(token)
        total += count_choices(after, depth - 1)
    return total
