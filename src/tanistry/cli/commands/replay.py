"""`tanistry replay FILE`: a record, step by step."""

from typing import Annotated

import typer

from tanistry.cli.common import Lang, on_screen, read_text
from tanistry.session.language import Texts

ORDER = 40


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.replay")
    def replay(
        file: Annotated[str, typer.Argument(help="help.replay_file", metavar="FILE")],
        plain: Annotated[bool, typer.Option("--plain", help="help.replay_plain")] = False,
        eyes: Annotated[str, typer.Option(help="help.replay_eyes", metavar="N|all")] = "all",
        _lang: Lang = None,
    ) -> None:
        from tanistry.cli.prepare import with_patience
        from tanistry.session.replay import Reel, read_eyes

        text = read_text(file)
        reel: Reel = with_patience(lambda: Reel(text, say), say("prepare.record"))
        seat = read_eyes(eyes, reel.game.seats, say)
        if plain or not on_screen():
            for line in reel.lines(seat):
                print(line)
        else:
            from tanistry.tui import show_reel

            show_reel(reel, seat)
