"""`tanistry puzzle GAME`: the puzzle of the day, or another, to be solved at the terminal."""

from contextlib import suppress
from typing import Annotated

import typer

from tanistry.cli.common import GameName, Lang, prepare_match
from tanistry.session.language import Misuse, Texts

ORDER = 6


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.puzzle")
    def puzzle(
        game: GameName,
        number: Annotated[
            int | None, typer.Argument(help="help.puzzle_number", metavar="[N]")
        ] = None,
        solve: Annotated[bool, typer.Option("--solve", help="help.puzzle_solve")] = False,
        _lang: Lang = None,
    ) -> int:
        from tanistry.analysis.puzzling import of_the_day, puzzles
        from tanistry.cli.plain import Quit
        from tanistry.cli.riddle import Riddle, ask_riddles, headline
        from tanistry.simulation.network import networks

        kept = puzzles(game)
        if kept is None:
            raise Misuse(say("puzzles.none", game=game, allowed=", ".join(networks())))
        count = len(kept.puzzles)
        if number is not None and not 1 <= number <= count:
            raise Misuse(say("puzzles.number", value=number, most=count))
        index = of_the_day(count) if number is None else number - 1
        prepare_match(kept.game, [], say)
        if not solve:
            return ask_riddles(kept, index, say, today=number is None)
        riddle = Riddle(kept, kept.puzzles[index], say.lang)
        riddle.print(headline(kept, index, say, today=number is None))
        with suppress(Quit):
            riddle.show()
        return 0
