"""A step of the lessons at a table: what leads on, what is answered to anything else."""

from __future__ import annotations

from tanistry.match import Event, Game
from tanistry.match.lessons import Step
from tanistry.session.names import NAMES
from tanistry.session.session import Player, Session


class Lesson:
    """One step being played. The choices of other players are made as its line has them."""

    def __init__(self, game: Game, step: Step) -> None:
        self.step = step
        self.match = game.begin(step)
        self.told: list[Event] = []
        self.acted: list[int] = []
        """For each event that was told, the number of the choice that brought it about."""
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
        self._play(token)
        self._others()
        return ""

    def leading_on(self) -> str:
        """A choice that leads on from here."""
        return next(token for token in self.match.legal() if self._leads_on(token))

    def _leads_on(self, token: str) -> bool:
        return self.step.leads_on(len(self.match.history), token)

    def _others(self) -> None:
        while not self.done and self.match.to_act != self.step.seat:
            self._play(self.leading_on())

    def _play(self, token: str) -> None:
        events = self.match.play(token)
        self.told += events
        self.acted += [len(self.match.history) - 1] * len(events)


class LessonSession(Session):
    """The table of a lesson: one person who learns, and others who do as the line has it."""

    def __init__(self, lesson: Lesson, lang: str) -> None:
        names = NAMES[: lesson.match.game.seats]
        super().__init__(lesson.match, [Player(name) for name in names], lang)
        self.lesson = lesson
        self.told, self.acted = lesson.told, lesson.acted

    @property
    def people(self) -> list[int]:
        return [self.lesson.step.seat]
