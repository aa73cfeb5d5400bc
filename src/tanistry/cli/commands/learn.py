"""`tanistry learn GAME`: the lessons of a game, step by step in the terminal."""

from typing import Annotated

import typer

from tanistry.cli.common import GameName, Lang, load_game, prepare_match
from tanistry.session.language import Misuse, Texts

ORDER = 5


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.learn")
    def learn(
        game: GameName,
        step: Annotated[int, typer.Option(help="help.learn_step", metavar="N")] = 1,
        _lang: Lang = None,
    ) -> int:
        from tanistry.cli.guide import lead_through

        table = load_game(game, None, [], say)
        steps = table.lessons(say.lang)
        title = table.info.title[say.lang]
        if not steps:
            raise Misuse(say("learn.none", game=game, title=title, allowed=_taught(say.lang)))
        if not 1 <= step <= len(steps):
            raise Misuse(say("learn.number", title=title, value=step, most=len(steps)))
        prepare_match(table, [], say)
        return lead_through(table, steps, step, say)


def _taught(lang: str) -> str:
    """The games that have lessons."""
    import tanistry

    return ", ".join(name for name in tanistry.games() if tanistry.game(name).lessons(lang))
