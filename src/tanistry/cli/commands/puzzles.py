"""`tanistry puzzles GAME -n N`: finds puzzles in matches of trained players."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tanistry.cli.common import GameName, Lang, Minutes, Options, Seats, Workers, bars, load_game
from tanistry.session.language import Texts

ORDER = 62


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.puzzles")
    def puzzles(
        game: GameName,
        n: Annotated[int, typer.Option("-n", help="help.puzzles_n", min=1, metavar="N")] = 20,
        out: Annotated[Path | None, typer.Option(help="help.puzzles_out", metavar="FILE")] = None,
        first: Annotated[int, typer.Option(help="help.puzzles_first", min=0, metavar="N")] = 0,
        hidden: Annotated[bool, typer.Option("--hidden", help="help.puzzles_hidden")] = False,
        anew: Annotated[bool, typer.Option("--explain", help="help.puzzles_explain")] = False,
        seats: Seats = None,
        option: Options = None,
        workers: Workers = None,
        minutes: Minutes = None,
        _lang: Lang = None,
    ) -> None:
        from tanistry.analysis.puzzling import load_puzzles
        from tanistry.analysis.seeking import explain_anew, seek
        from tanistry.simulation.running import cores

        target = out or Path(f"puzzles-{game}.json")
        table = load_game(game, seats, option or [], say)
        if anew:
            with bars({say("puzzles.explaining"): len(load_puzzles(target).puzzles)}) as drawn:
                explain_anew(target, lambda done: drawn([done]))
            return
        until = None if minutes is None else 60 * minutes
        with bars({say("puzzles.working"): n}) as drawn:
            found = seek(
                target,
                table,
                n,
                first=first,
                hidden=hidden,
                workers=workers or cores(),
                until=until,
                progress=lambda done: drawn([done]),
            )
        said = {"count": len(found.puzzles), "name": target, "next": found.next}
        print(say("puzzles.written", **said), file=sys.stderr)
