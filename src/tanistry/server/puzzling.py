"""Puzzles that people with an account have tried: the first try of each counts.

A try is a match against the puzzle, rated as Glicko rates one: the surer a rating, the less it
moves. The rating of a puzzle stays as it came; a person's is what the latest try has left.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tanistry.analysis.puzzling import Collection, Puzzle, puzzles
from tanistry.server.clocks import now_ms
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, puzzle_tries
from tanistry.server.store import Store

PUZZLE_DEVIATION = 60.0
"""How far a puzzle's rating may be off."""
SUREST, PROVISIONAL = 50.0, 110.0
"""A person's deviation falls no lower, so that a rating can always move; above the other it is
still a guess."""
Q = math.log(10) / 400


class Skill(NamedTuple):
    """How well somebody solves puzzles, and how sure that is (a standard deviation)."""

    rating: float = 1200.0
    deviation: float = 350.0


def after_try(before: Skill, puzzle: float, solved: bool) -> Skill:
    """The skill after one try, by Glicko."""
    g = 1 / math.sqrt(1 + 3 * (Q * PUZZLE_DEVIATION / math.pi) ** 2)
    expected = 1 / (1 + 10 ** (-g * (before.rating - puzzle) / 400))
    certainty = 1 / before.deviation**2 + (Q * g) ** 2 * expected * (1 - expected)
    rating = before.rating + Q * g * (solved - expected) / certainty
    return Skill(rating, max(SUREST, 1 / math.sqrt(certainty)))


def find(game: str, name: str) -> tuple[Collection, Puzzle]:
    """A puzzle that comes with a game; a refusal if there is none of that name."""
    kept = puzzles(game)
    for puzzle in kept.puzzles if kept else ():
        if kept and puzzle.name == name:
            return kept, puzzle
    raise Refused("puzzle/unknown")


async def attempt(store: Store, player: str, game: str, name: str, token: str | None) -> Data:
    """Try a puzzle; what was tried before is told, and changes nothing."""
    kept, puzzle = find(game, name)
    if token is not None and token not in kept.game.actions:
        raise Refused("puzzle/choice")
    solved = token == puzzle.solution

    async def body(connection: AsyncConnection) -> Data:
        # Whoever tries two at the same time waits here: one is counted after the other.
        own = sa.select(players.c.id).where(players.c.id == player)
        await connection.execute(own.with_for_update(key_share=True))
        mine = (puzzle_tries.c.player == player) & (puzzle_tries.c.game == game)
        rows = list(await connection.execute(sa.select(puzzle_tries).where(mine)))
        latest = max(rows, key=lambda row: row.number, default=None)
        skill = Skill(latest.rating, latest.deviation) if latest else Skill()
        before = next((row for row in rows if row.puzzle == name), None)
        changed = skill
        if before is None:
            changed = after_try(skill, puzzle.rating, solved)
            values = {"player": player, "game": game, "puzzle": name, "number": len(rows) + 1}
            values |= {"solved": solved, "at": now_ms(), **changed._asdict()}
            await connection.execute(sa.insert(puzzle_tries).values(**values))
        return {
            "solved": solved,
            "counts": before is None,
            "before": round(skill.rating),
            "value": round(changed.rating),
        }

    return await store.transaction(body)


async def ratings_of(store: Store, player: str) -> dict[str, Data]:
    """Somebody's ratings at puzzles, by game."""
    return {game: _rating(rows) for game, rows in (await _tries(store, player)).items()}


async def tried_by(store: Store, player: str) -> dict[str, dict[str, bool]]:
    """By game, which puzzles somebody has tried, and whether the first try solved it."""
    return {
        game: {row.puzzle: row.solved for row in rows}
        for game, rows in (await _tries(store, player)).items()
    }


async def _tries(store: Store, player: str) -> dict[str, list[Any]]:
    """By game, in their order."""
    query = sa.select(puzzle_tries).where(puzzle_tries.c.player == player)
    found: dict[str, list[Any]] = {}
    for row in await store.read(query.order_by(puzzle_tries.c.game, puzzle_tries.c.number)):
        found.setdefault(row.game, []).append(row)
    return found


def _rating(rows: list[Any]) -> Data:
    return {
        "value": round(rows[-1].rating),
        "tried": len(rows),
        "solved": sum(row.solved for row in rows),
        "provisional": rows[-1].deviation > PROVISIONAL,
    }
