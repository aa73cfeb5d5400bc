"""`tanistry rules GAME [ID]`: the rules, all or one, or those that mention something."""

from difflib import get_close_matches
from typing import Annotated

import typer

from tanistry.cli.common import Lang, lines, meant
from tanistry.session.language import Misuse, Texts

ORDER = 30


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.rules")
    def rules(
        game: Annotated[str, typer.Argument(help="help.rules_game", metavar="GAME")],
        wanted: Annotated[
            list[str] | None, typer.Argument(metavar="[ID]", help="help.rules_id")
        ] = None,
        full: Annotated[bool, typer.Option("--full", help="help.rules_full")] = False,
        _lang: Lang = None,
    ) -> None:
        from rich.console import Console
        from rich.text import Text

        import tanistry
        from tanistry.session.rules import find
        from tanistry.words import words

        text = " ".join(wanted or [])
        whose = [] if text else [i for i in tanistry.games().values() if game in i.rules]
        if not text:  # an id alone says which game it is of
            game, _, text = game.partition(".")
        info = whose[0] if whose else tanistry.info(meant(game))
        known = words(say.lang, info).rules()
        found = find(known, text) if text.strip() else list(known.values())
        if not found:
            near = get_close_matches(text, [rule.name for rule in known.values()], 1)
            key = "errors.no_rule_near" if near else "errors.no_rule"
            title = info.title[say.lang]
            raise Misuse(say(key, game=info.name, title=title, text=text, near="".join(near)))
        console = Console(highlight=False, soft_wrap=True)
        in_full = full or len(found) == 1
        if text and len(found) > 1:
            console.print(say("rules.found", count=len(found), text=text))
        for rule in found:
            lines(console, Text(rule.id, "bold cyan").append(f"  {rule.title}", "default"))
            if in_full:
                lines(console, Text(rule.text), indent=2)
