"""Puzzles as lines of text: the plain table, an answer to every wrong choice, and the solution."""

from __future__ import annotations

from typing import TextIO

from tanistry.analysis.puzzling import Collection, Puzzle
from tanistry.cli.paged import Paged
from tanistry.cli.plain import Quit
from tanistry.cli.status import INTERRUPTED
from tanistry.session.language import Texts
from tanistry.session.names import NAMES
from tanistry.session.session import Player, Session

RECENT = 12
"""Events that are told at most before one's own last choice, to begin with a trick or a round."""


class PuzzleSession(Session):
    """The table of a puzzle: one person, and others who have chosen already."""

    def __init__(self, kept: Collection, puzzle: Puzzle, lang: str) -> None:
        names = NAMES[: kept.game.seats]
        super().__init__(kept.game.deal(puzzle.seed), [Player(name) for name in names], lang)
        begun = [0]
        for token in puzzle.choices:
            before = self._counted()
            self.play(token)
            if self._counted() != before:
                begun.append(len(self.told))
        self.seat = self.match.to_act
        own = [number for number, (who, _) in enumerate(self.match.history) if who == self.seat]
        last = self.acted.index(own[-1]) if own else 0
        near = (start for start in begun if last - RECENT <= start <= last)
        self.since = max(near, default=last)
        """The event from which a trick or a round is told, the seat's own last choice in it."""

    def _counted(self) -> list[int]:
        """Which trick or round it is."""
        facts = self.match.view(None)["facts"]
        return [value for value in facts.values() if type(value) is int]

    @property
    def people(self) -> list[int]:
        return [] if self.seat is None else [self.seat]


class Riddle(Paged):
    """One puzzle in plain text."""

    def __init__(
        self,
        kept: Collection,
        puzzle: Puzzle,
        lang: str,
        source: TextIO | None = None,
        target: TextIO | None = None,
    ) -> None:
        self.sitting = PuzzleSession(kept, puzzle, lang)
        super().__init__(self.sitting, source=source, target=target)
        self.kept, self.puzzle = kept, puzzle
        self.heard[self.sitting.seat] = self.sitting.since

    def solve(self) -> None:
        """Until the solution is found or asked for; whoever leaves before it, leaves by Quit."""
        self.introduce()
        self.persons_turn()
        self.explain()

    def show(self) -> None:
        """The puzzle and its solution."""
        self.introduce()
        self.tell(self.sitting.seat)
        self.show_table()
        self.explain()

    def introduce(self) -> None:
        """Whose place one takes."""
        seat = self.sitting.seat
        assert seat is not None
        self.print(self.say("puzzles.you", name=self.session.names[seat]))

    def explain(self) -> None:
        self.print_all(self.kept.explained(self.puzzle, self.session.lang))

    def play(self, token: str) -> bool:
        if token not in self.session.match.legal():
            return super().play(token)  # refused in the words of its rule
        if answer := self.kept.answer(self.puzzle, token, self.session.lang):
            self.print(answer)
        return not answer

    def command(self, answer: str) -> bool:
        if answer == "b":
            self.print_all(self.session.lines(self.sitting.seat, 0))
        elif answer == "h":
            self.explain()
        elif answer == "?":
            self.print(self.say("puzzles.commands", notation=self.notation))
        else:
            return super().command(answer)
        return True


def ask_riddles(kept: Collection, first: int, say: Texts, today: bool = False) -> int:
    """Puzzle after puzzle, from one on, until somebody has had enough; the exit status."""
    count = len(kept.puzzles)
    try:
        for number in range(first, first + count):
            index = number % count
            riddle = Riddle(kept, kept.puzzles[index], say.lang)
            riddle.print(headline(kept, index, say, today and number == first))
            riddle.solve()
            riddle.print(say("puzzles.more"))
            if riddle.ask() == "q":
                break
    except (Quit, KeyboardInterrupt) as left:
        print()
        return INTERRUPTED if isinstance(left, KeyboardInterrupt) else 0
    return 0


def headline(kept: Collection, index: int, say: Texts, today: bool = False) -> str:
    """Which puzzle it is, and how hard; what it turns on would say too much."""
    said = {"number": index + 1, "count": len(kept.puzzles), "rating": kept.puzzles[index].rating}
    return say("puzzles.today" if today else "puzzles.head", **said)
