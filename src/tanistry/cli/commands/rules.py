"""`tanistry rules GAME [ID]`: the rules, all or one, or those that mention something."""

from typing import Annotated

import typer

from tanistry.cli.common import GameName, Lang
from tanistry.session.language import Misuse, Texts

ORDER = 30


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.rules")
    def rules(
        game: GameName,
        wanted: Annotated[
            list[str] | None,
            typer.Argument(metavar="[ID]", help="help.rules_id", show_default=False),
        ] = None,
        full: Annotated[bool, typer.Option("--full", help="help.rules_full")] = False,
        _lang: Lang = None,
    ) -> None:
        from rich.console import Console
        from rich.text import Text

        import tanistry
        from tanistry.session.rules import find
        from tanistry.words import words

        info = tanistry.info(game)
        known = words(say.lang, info).rules()
        text = " ".join(wanted or [])
        found = find(known, text) if text.strip() else list(known.values())
        if not found:
            raise Misuse(say("errors.no_rule", game=game, text=text))
        console = Console(highlight=False, soft_wrap=True)
        in_full = full or len(found) == 1
        if text and len(found) > 1:
            console.print(say("rules.found", count=len(found), text=text))
        for rule in found:
            console.print(Text(rule.id, "bold cyan").append(f"  {rule.title}", "default"))
            if in_full:
                console.print(Text(f"  {rule.text}"))
