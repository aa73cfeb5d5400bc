"""A step of the lessons at a table: what leads on, what is answered to anything else."""

from __future__ import annotations

from tanistry.match import Event, Game
from tanistry.match.lessons import Step


class Lesson:
    """One step being played. The choices of other players are made as its line has them."""

    def __init__(self, game: Game, step: Step) -> None:
        self.step = step
        self.match = game.begin(step)
        self.told: list[Event] = []
        self._others()

    @property
    def done(self) -> bool:
        """Whether the line was played to its end."""
        return len(self.match.history) == len(self.step.line)

    def choose(self, token: str) -> str:
        """Make a choice that leads on, or be told why it does not: an answer, nothing changed.

        A choice that is not legal is refused as at any table, by an IllegalMove.
        """
        if token in self.match.legal() and not self._leads_on(token):
            return self.step.answer(token)
        self.told += self.match.play(token)
        self._others()
        return ""

    def _leads_on(self, token: str) -> bool:
        return self.step.leads_on(len(self.match.history), token)

    def _others(self) -> None:
        while not self.done and self.match.to_act != self.step.seat:
            token = next(token for token in self.match.legal() if self._leads_on(token))
            self.told += self.match.play(token)
