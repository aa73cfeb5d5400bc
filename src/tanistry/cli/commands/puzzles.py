"""`tanistry puzzles GAME`: finds puzzles, or tells one of those that come with a game."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.common import (
    GameName,
    Lang,
    Minutes,
    Options,
    Seats,
    Workers,
    bars,
    load_game,
)
from tanistry.session.language import Misuse, Texts

if TYPE_CHECKING:
    from tanistry.analysis.puzzling import Collection

ORDER = 62


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.puzzles")
    def puzzles(
        game: GameName,
        n: Annotated[
            int | None,
            typer.Option("-n", help="help.puzzles_n", min=1, metavar="N", show_default=False),
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option("--out", help="help.puzzles_out", metavar="FILE", show_default=False),
        ] = None,
        first: Annotated[
            int, typer.Option("--first", help="help.puzzles_first", min=0, metavar="N")
        ] = 0,
        show: Annotated[
            int | None,
            typer.Option("--show", help="help.puzzles_show", metavar="N", show_default=False),
        ] = None,
        solve: Annotated[bool, typer.Option("--solve", help="help.puzzles_solve")] = False,
        seats: Seats = None,
        option: Options = None,
        workers: Workers = None,
        minutes: Minutes = None,
        _lang: Lang = None,
    ) -> None:
        from tanistry.analysis.puzzling import puzzles
        from tanistry.analysis.seeking import seek
        from tanistry.simulation.running import cores

        if n is None:
            kept = puzzles(game)
            if kept is None:
                raise Misuse(say("puzzles.none", game=game))
            _tell(kept, show, solve, say)
            return
        target = out or Path(f"puzzles-{game}.json")
        table = load_game(game, seats, option or [], say)
        until = None if minutes is None else 60 * minutes
        with bars({say("puzzles.working"): n}) as drawn:
            found = seek(
                target,
                table,
                n,
                first=first,
                workers=workers or cores(),
                until=until,
                progress=lambda done: drawn([done]),
            )
        said = {"count": len(found.puzzles), "name": target, "next": found.next}
        print(say("puzzles.written", **said), file=sys.stderr)


def _tell(kept: "Collection", number: int | None, solve: bool, say: Texts) -> None:
    """One puzzle, that of the day if no other is asked for, and its solution if that is."""
    from tanistry.analysis.puzzling import of_the_day
    from tanistry.catalogue import catalogue
    from tanistry.session.describe import table_lines
    from tanistry.session.names import NAMES
    from tanistry.session.session import Player, Session

    count = len(kept.puzzles)
    if number is not None and not 1 <= number <= count:
        raise Misuse(say("puzzles.number", value=number, most=count))
    index = of_the_day(count) if number is None else number - 1
    puzzle = kept.puzzles[index]
    match, names = kept.match(puzzle), NAMES[: kept.game.seats]
    seat = match.to_act
    assert seat is not None
    company = Session(match, [Player(name) for name in names], say.lang)
    telling = company.words
    themes = ", ".join(telling.rules()[rule].title for rule in puzzle.themes)
    print(say("puzzles.head", number=index + 1, count=count, rating=puzzle.rating, themes=themes))
    view = match.view(seat)
    for line in table_lines(company, view, say):
        print(line)
    print(catalogue(say.lang, "tanistry.analysis").text("puzzle.asked", {"name": names[seat]}))
    for token in match.legal():
        print(f"  {telling.token(token, view, names)}")
    if solve:
        for sentence in kept.explained(puzzle, say.lang):
            print(sentence)
