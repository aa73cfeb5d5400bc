"""Finding puzzles in matches that a game's network plays against itself.

Most positions are none, so what costs little is asked first: is the match still open, does the
network prefer one choice by far, and would weaker levels miss it? Then a few imagined deals, then
more. What is left is asked anew, longer and in other deals, with more choices tried; only what
keeps its solution each time is a puzzle. Where nothing is hidden any more it is calculated: one
choice alone must get the most.

A deal gives the same puzzles on every machine, and a file holds those of all deals up to one, from
which the same call goes on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from tanistry.analysis import themes
from tanistry.analysis.judging import Line, Opinion, after_each, judge
from tanistry.analysis.mind import Mind
from tanistry.analysis.outcome import rounded
from tanistry.analysis.puzzling import Collection, Puzzle, load_puzzles
from tanistry.bots.imagining import legal_set
from tanistry.bots.personas import styles
from tanistry.bots.reading import Reader
from tanistry.errors import OptionError
from tanistry.games.contract import Value
from tanistry.match import Game, Match
from tanistry.match.game import settled
from tanistry.match.seeds import fast_seed
from tanistry.processes import spread
from tanistry.simulation.network import ONE_X
from tanistry.simulation.observation import observe
from tanistry.storage import check_replaceable, replacing

FEWEST_CHOICES = 3
OPEN = 0.1, 0.9
"""A match must not be decided already."""
PREFERRED = 0.5
"""So likely the network must be to make the choice."""
MISSED_BY, MISSED = 3, 0.5
"""The weakest so many levels must find the solution less often than this, on average."""
CLEARLY = 0.06
"""So much more than any other choice tried the solution must leave, of the chance to win."""
GLANCES, MOST_GLANCED = ((4, 0.05), (16, CLEARLY)), 4
"""At first it is asked in so few imagined deals, with so few choices tried."""
CHECKS = ((24, b"first check"), (96, b"second check"))
"""Then anew, in other deals each time."""
MOST_TRIED = 12
"""Choices that a check tries."""
APART = 6
"""Choices between two puzzles of one match."""
FLOOR = 0.001
"""What the network would choose less often than this is never chosen."""
WEAKEST, STEP = 800, 200
"""The ratings that stand for the levels, for the rating of a puzzle."""
CERTAIN = 20.0
"""So much sense, and more, is as good as certainty."""
ANSWERED = 8
"""Deals in which it is seen what others answer to each choice."""
CALCULATED = 300_000
"""Positions that may be looked at to calculate an end."""
SAVE_EVERY = 2.0
"""Seconds between two writings of the file."""

Settled = tuple[str, int, tuple[tuple[str, Value], ...], bool]
"""A game, its seats and its options, and whether something must be hidden, for a worker."""


def seek(
    out: Path,
    game: Game,
    n: int,
    *,
    first: int = 0,
    hidden: bool = False,
    workers: int = 1,
    until: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Collection:
    """Look through deal after deal until a file holds n puzzles, or for so many seconds; where
    something is hidden, or anywhere.

    A file that is there is gone on with; a new one begins with the deal `first`. After Ctrl-C, too,
    it holds what was found.
    """
    check_replaceable(out)
    kept = load_puzzles(out) if out.exists() else Collection(game, (), first)
    if repr(kept.game) != repr(game):
        raise OptionError("puzzles/other", name=str(out))
    if progress:
        progress(len(kept.puzzles))
    if len(kept.puzzles) >= n:
        return kept
    which: Settled = (game.name, game.seats, tuple(game.options.items()), hidden)
    Seeker(game).warm_up()
    jobs = ((which, deal) for deal in count(kept.next))
    done: dict[int, list[Puzzle]] = {}
    saved = time.monotonic()
    try:
        with closing(spread(look_through, jobs, workers, until, patient=False)) as found:
            for (_, deal), puzzles in found:
                done[deal] = puzzles
                kept = _taken(kept, done, n)
                if progress:
                    progress(len(kept.puzzles))
                if len(kept.puzzles) >= n:
                    break
                if time.monotonic() - saved > SAVE_EVERY:
                    _save(out, kept)
                    saved = time.monotonic()
    except KeyboardInterrupt:
        pass
    finally:
        _save(out, kept)
    return kept


def _taken(kept: Collection, done: dict[int, list[Puzzle]], n: int) -> Collection:
    """With the puzzles of the deals that come next, in their order: the same however many look."""
    puzzles, deal = list(kept.puzzles), kept.next
    while deal in done and len(puzzles) < n:
        puzzles += done.pop(deal)
        deal += 1
    return replace(kept, puzzles=_easiest_first(puzzles[:n]), next=deal)


def _easiest_first(puzzles: list[Puzzle]) -> tuple[Puzzle, ...]:
    return tuple(sorted(puzzles, key=lambda puzzle: puzzle.rating))


def _save(out: Path, kept: Collection) -> None:
    with replacing(out) as fresh:
        fresh.write_text(kept.to_json(), "utf-8")


def look_through(which: Settled, deal: int) -> list[Puzzle]:
    """The puzzles of a deal, for a worker."""
    return list(_seeker(*which).look_through(deal))


@cache
def _seeker(name: str, seats: int, options: tuple[tuple[str, Value], ...], hidden: bool) -> Seeker:
    return Seeker(settled(name, seats, options), hidden)


class Seeker:
    """Looks for puzzles in the matches of a game, if one likes only where something is hidden.
    Not for two threads at once."""

    def __init__(self, game: Game, hidden: bool = False) -> None:
        self.game, self.hidden, self.mind = game, hidden, Mind(game, CALCULATED)
        self.reader = Reader(self.mind.evaluator)
        self.signs = themes.Reader(self.mind)

    def warm_up(self) -> None:
        """Have everything compiled once: workers find it done."""
        match = self.game.deal(0)
        judge(self.mind, match, match.legal()[0], deals=1, least_likely=0.0)
        match.play(self._drawn(match, fast_seed(0)))

    def look_through(self, deal: int) -> Iterator[Puzzle]:
        """The puzzles of the match that is dealt from a number."""
        match, rng, since = self.game.deal(deal), fast_seed(deal), APART
        while match.to_act is not None and not (self.hidden and self.mind.solver.is_open(match)):
            since += 1
            if since > APART and (puzzle := self._puzzle(match, deal)):
                yield puzzle
                since = 0
            match.play(self._drawn(match, rng))

    def _drawn(self, match: Match, rng: Any) -> str:
        """What the network chooses, drawn as it likes each choice."""
        observed = observe(match, int(match._s.to_act), insights=True)
        drawn, _ = self.reader.choose(observed, legal_set(match), 1.0, FLOOR, rng)
        return self.game.tokens[drawn]

    def _puzzle(self, match: Match, deal: int) -> Puzzle | None:
        """A puzzle of what the seat to act must choose, if it is one."""
        solution = self._preferred(match)
        if solution is None:
            return None
        chances = self._levels(match)
        if sum(level[solution] for level in chances[:MISSED_BY]) / MISSED_BY >= MISSED:
            return None
        for deals, margin in GLANCES:
            if not stands_out(
                judge(self.mind, match, solution, deals, most=MOST_GLANCED), solution, margin
            ):
                return None
        for deals, salt in CHECKS:
            opinion = checked(self.mind, match, solution, deals, salt)
            if not stands_out(opinion, solution, CLEARLY):
                return None
        worths = tuple((worth.token, rounded(worth.win)) for worth in opinion.worths)
        wrong = [token for token, _ in worths[1:]]
        return Puzzle(
            seed=deal,
            choices=tuple(token for _, token in match.history),
            solution=solution,
            worth=worths,
            mistake=max(wrong, key=lambda token: sum(level[token] for level in chances)),
            line=opinion.worths[0].line,
            answers=answers(self.mind, match, solution),
            themes=self.signs.themes(match, solution, wrong),
            rating=rating_of([level[solution] for level in chances]),
        )

    def explained_anew(self, kept: Collection, puzzle: Puzzle) -> Puzzle:
        """The same puzzle: what it turns on, what follows a choice and its rating found again."""
        match, wrong = kept.match(puzzle), [token for token, _ in puzzle.worth[1:]]
        chances = self._levels(match)
        return replace(
            puzzle,
            answers=answers(self.mind, match, puzzle.solution),
            themes=self.signs.themes(match, puzzle.solution, wrong),
            rating=rating_of([level[puzzle.solution] for level in chances]),
        )

    def _preferred(self, match: Match) -> str | None:
        """The choice that the network prefers by far, in a match that is still open; where nothing
        is hidden, the one that alone gets the most."""
        legal = match.legal_actions()
        if len(legal) < FEWEST_CHOICES:
            return None
        favourite = self.mind.ask(match)
        if not OPEN[0] < self.mind.chance() < OPEN[1]:
            return None
        if self.mind.solver.is_open(match):
            exact = self.mind.solved(match) or {}
            best = [action for action in exact if exact[action] == max(exact.values())]
            return self.game.tokens[best[0]] if len(best) == 1 else None
        sure = self.mind.liking(legal)[legal.index(favourite)] >= PREFERRED
        return self.game.tokens[favourite] if sure else None

    def _levels(self, match: Match) -> list[dict[str, float]]:
        """How likely each level but the champion's is to make each choice, the weakest first."""
        self.mind.ask(match)
        legal = match.legal_actions()
        logits = [int(self.mind.evaluator.logits[action]) / ONE_X for action in legal]
        best, liking = max(logits), self.mind.liking(legal)
        found = []
        for style in styles(self.game.name):
            sense = min(style.sense, CERTAIN)
            weights = [
                math.exp(sense * (logit - best)) if liked >= style.floor else 0.0
                for logit, liked in zip(logits, liking, strict=True)
            ]
            total = sum(weights)
            tokens = (self.game.tokens[action] for action in legal)
            found.append({token: w / total for token, w in zip(tokens, weights, strict=True)})
        return found


def answers(mind: Mind, match: Match, solution: str) -> dict[str, Line]:
    """What is expected after every choice but the solution."""
    wrong = [token for token in match.legal() if token != solution]
    found = after_each(mind, match, wrong, ANSWERED)
    return {token: line[1:] for token, line in found.items() if line[1:]}


def explain_anew(out: Path, progress: Callable[[int], None] | None = None) -> Collection:
    """Find again what the puzzles of a file turn on, what follows each choice, and how hard they
    are; their solutions stay."""
    kept = load_puzzles(out)
    seeker = Seeker(kept.game)
    puzzles: list[Puzzle] = []
    for puzzle in kept.puzzles:
        puzzles.append(seeker.explained_anew(kept, puzzle))
        if progress:
            progress(len(puzzles))
    kept = replace(kept, puzzles=_easiest_first(puzzles))
    _save(out, kept)
    return kept


def checked(mind: Mind, match: Match, solution: str, deals: int, salt: bytes) -> Opinion:
    """The choices of a puzzle asked about anew: longer, in other deals, with more of them tried."""
    return judge(mind, match, solution, deals, salt, most=MOST_TRIED, least_likely=0.0)


def stands_out(opinion: Opinion, solution: str, margin: float) -> bool:
    """Whether a choice is better than all others that were tried by so much."""
    if len(opinion.worths) < 2:
        return False
    best, second = opinion.worths[:2]
    return best.token == solution and best.win - second.win >= margin


def rating_of(found: list[float]) -> int:
    """Where somebody would solve it every other time, by how often each level does."""
    each = []
    for level, chance in enumerate(found):
        chance = min(0.98, max(0.02, chance))
        each.append(WEAKEST + STEP * level + 400 * math.log10((1 - chance) / chance))
    return 10 * round(sum(each) / len(each) / 10)
