"""A finished match analysed: `tanistry.analyse(record)`."""

from __future__ import annotations

from collections.abc import Callable

from tanistry.analysis.curve import chances, expected
from tanistry.analysis.judging import DEALS, judge, known_ends
from tanistry.analysis.mind import Mind
from tanistry.analysis.outcome import FORCED, Analysis, Judged, ended_early, verdict
from tanistry.arguments import whole
from tanistry.errors import RecordError
from tanistry.match import Match, replay
from tanistry.session.names import names_in

MOST_DEALS = 10_000


def analyse(
    record: str | Match, deals: int = DEALS, progress: Callable[[int, int], None] | None = None
) -> Analysis:
    """Analyse a finished match, given as a record or as the match itself.

    `deals` is the number of deals imagined for each choice: more are slower and more accurate.
    The same match gets the same analysis. A RecordError says why a record cannot be analysed, an
    OptionError that the game has no network.
    """
    deals = whole("deals", deals, 1, MOST_DEALS)
    match = record if isinstance(record, Match) else replay(record)
    ended = ended_early(match)
    if match.to_act is not None and ended is None:
        raise RecordError("record/running")
    mind = Mind(match.game)
    at, history = match.beginning(), match.history
    curve, undrawn, choices = [tuple(chances(mind, at))], [], []
    for number, (_, token) in enumerate(history):
        choices.append(judged(mind, at, token, deals))
        before_the_draw = expected(mind, at, match.game.actions[token])
        at.play(token)
        curve.append(tuple(chances(mind, at)))
        undrawn.append(tuple(before_the_draw or curve[-1]))
        if progress:
            progress(number + 1, len(history))
    if ended:
        curve.append(ended.result(match.game.seats))
    names = names_in(match.headers, match.game.seats)
    return Analysis(match, tuple(names), tuple(curve), tuple(undrawn), tuple(choices), ended)


def judged(mind: Mind, match: Match, token: str, deals: int = DEALS) -> Judged:
    """A choice of the seat to act judged by what that seat knows."""
    number, seat = len(match.history), int(match._s.to_act)
    legal = match.legal_actions()
    if len(legal) == 1:
        mind.ask(match)
        ends = mind.solved(match) or known_ends(mind, match, legal, mind.observed.tobytes())
        win = ends.get(legal[0], mind.stretched())
        line = ((seat, token),)
        return Judged(number, seat, token, FORCED, win, 0.0, token, line, ((token, win),))
    opinion = judge(mind, match, token, deals)
    best, mine = opinion.worths[0], opinion.worth(token)
    cost = best.win - mine.win
    return Judged(
        number=number,
        seat=seat,
        token=token,
        verdict=verdict(cost),
        win=mine.win,
        cost=cost,
        best=best.token,
        line=best.line,
        tried=tuple((worth.token, worth.win) for worth in opinion.worths),
    )
