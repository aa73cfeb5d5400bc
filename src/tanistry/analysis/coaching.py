"""A coach beside somebody who plays: what a position holds, and how good a choice was.

Both are judged as an analysis of the match will judge them, by what the seat to act knows.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from tanistry.analysis.analysing import judged
from tanistry.analysis.judging import judge
from tanistry.analysis.mind import Mind
from tanistry.analysis.outcome import points
from tanistry.analysis.telling import FLAWLESS, Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tanistry.match import Game, Match

LEADS = (("even", 0), ("close", 3), ("clear", 12))
"""Up to how many points of lead over the next choice how much is said to depend on the best."""
MOST = 3
"""Choices that are told of a position; more, if they leave as much as the best."""


class Coach:
    """What there is to say of a person's choices, in lines; OptionError without a network."""

    def __init__(self, game: Game, names: Sequence[str], lang: str) -> None:
        self.mind = Mind(game)
        self.voice = Voice(game.info, names, lang)
        self._one_at_a_time = Lock()

    def idea(self, match: Match) -> list[str]:
        """How much depends on the choice, what the best ones leave, and what is expected then."""
        with self._one_at_a_time:
            worths = judge(self.mind, match).worths
        say, view = self.voice, match.view(match.to_act)
        lines = [say(f"leads.{lead([worth.win for worth in worths])}")]
        best = worths[0].win
        for worth in (w for k, w in enumerate(worths) if k < MOST or not points(best - w.win)):
            choice = say.chosen_in(view, worth.token)
            lines.append(say("coach.leaves", choice=choice, win=say.percent(worth.win)))
        if line := say.line(worths[0].line):
            lines.append(say("coach.expected", line=line))
        return lines

    def verdict(self, match: Match, token: str) -> list[str]:
        """How good a choice is that is about to be made; nothing if it is none."""
        if len(match.legal_actions()) == 1:
            return []
        with self._one_at_a_time:
            choice = judged(self.mind, match, token)
        say, view = self.voice, match.view(choice.seat)
        key = "coach.choice" if choice.verdict in FLAWLESS else "coach.cost"
        chosen, cost = say.chosen_in(view, token), say.cost(choice.cost)
        said = say(key, choice=chosen, verdict=say.verdict(choice), cost=cost)
        better = say.better_in(view, choice)
        return [said, say("coach.better", better=better)] if better else [said]


def lead(wins: Sequence[float]) -> str:
    """How much depends on a choice, by what the best ones leave."""
    if len(wins) == 1:
        return "one"
    ahead = points(wins[0] - wins[1])
    return next((name for name, most in LEADS if ahead <= most), "key")
