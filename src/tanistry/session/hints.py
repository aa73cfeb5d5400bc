"""Hints: what a bot that can explain itself thinks of every choice of the person to act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tanistry.bots import bot, bots
from tanistry.match import Match
from tanistry.session.language import Misuse, Texts

ADVISER = "people"
LEVEL = 6


@dataclass(frozen=True)
class Hint:
    """A choice and how good it seems."""

    token: str
    chance: float | None
    """To win, from 0 to 1; None for a choice that was never tried, about which nothing is known."""
    error: float = 0.0
    """How far off that may well be."""

    @property
    def percent(self) -> str:
        if self.chance is None:
            return "–"
        margin = f" ± {100 * self.error:.0f}" if self.error else ""
        return f"{100 * self.chance:.0f} %{margin}"


Adviser = Callable[[Match], list[Hint]]
"""All legal choices of a match, best first. It blinds the match before it looks."""


def adviser(say: Texts) -> Adviser:
    """Somebody to ask; an error in words if nobody here can give hints."""
    if ADVISER not in bots():
        raise Misuse(say("errors.no_hints"))
    player = bot(ADVISER, level=LEVEL)

    def advise(match: Match) -> list[Hint]:
        insight = player.analyse(match)  # type: ignore[attr-defined]
        return [
            Hint(judged.token, judged.win if judged.visits else None, judged.error)
            for judged in insight.tokens
        ]

    return advise
