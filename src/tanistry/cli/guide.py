"""Lessons as lines of text: the plain table with a goal, and an answer to what misses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from tanistry.cli.paged import Paged
from tanistry.cli.plain import Lines, Quit
from tanistry.cli.status import INTERRUPTED
from tanistry.match import Game
from tanistry.match.lessons import Step
from tanistry.session.language import Texts
from tanistry.session.lesson import Lesson, LessonSession


class Guide(Paged):
    """One step of the lessons in plain text."""

    def __init__(
        self, lesson: Lesson, lang: str, source: TextIO | None = None, target: TextIO | None = None
    ) -> None:
        super().__init__(LessonSession(lesson, lang), source=source, target=target)
        self.lesson = lesson
        self.rule = lesson.step.rule

    def teach(self) -> None:
        """The step to its end; whoever leaves before it, leaves by Quit."""
        step = self.lesson.step
        self.explain()
        if self.watched:
            self.wait("learn.table")
        self.print(self.say("learn.you", name=self.session.names[step.seat]))
        while not self.lesson.done:
            self.persons_turn()
        self.tell(step.seat)
        self.print(self.say("learn.done", what=step.done))

    def explain(self) -> None:
        self.print(self.lesson.step.text)
        self.show_goal()

    def show_goal(self) -> None:
        self.print(self.say("learn.goal", goal=self.lesson.step.goal))

    def show_choices(self, in_full: bool = False) -> None:
        """With the goal below them: a long list moves the explanation out of sight."""
        super().show_choices(in_full)
        self.show_goal()

    def play(self, token: str) -> bool:
        answer = self.lesson.choose(token)
        self.rule = self.lesson.step.rule  # no longer the one that refused a choice before
        if answer:
            self.print(answer)
        return not answer

    def command(self, answer: str) -> bool:
        if answer == "e":
            self.explain()
        elif answer == "?":
            self.print(self.say("learn.commands", notation=self.notation))
        else:
            return super().command(answer)
        return True

    def hint(self) -> None:
        """What leads on; nobody else is asked."""
        choice = self.words_of({"token": self.lesson.leading_on()})
        self.print(self.say("learn.leads_on", choice=choice))


def lead_through(game: Game, steps: Sequence[Step], first: int, say: Texts) -> int:
    """The lessons from a step on, until they end or are left; the exit status."""
    Lines().print(say("learn.welcome", title=game.info.title[say.lang]))
    number = first
    try:
        for number, step in enumerate(steps[first - 1 :], first):
            guide = Guide(Lesson(game, step), say.lang)
            guide.print()
            guide.print(say("learn.step", number=number, count=len(steps), title=step.title))
            guide.teach()
    except (Quit, KeyboardInterrupt) as left:
        print()
        Lines().print(say("learn.left", game=game.info.name, number=number))
        return INTERRUPTED if isinstance(left, KeyboardInterrupt) else 0
    print()
    Lines().print(say("learn.end", game=game.info.name))
    return 0
