"""`tanistry rules GAME [ID]`: the rules, all or one, or those that mention something."""

import unicodedata
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.app import Misuse
from tanistry.cli.common import GameName, Lang
from tanistry.cli.language import Texts

if TYPE_CHECKING:
    from tanistry.words import Rule

ORDER = 30


def folded(text: str) -> str:
    """Without accents and capitals, so that people find what they mean."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def find(rules: "dict[str, Rule]", wanted: str) -> "list[Rule]":
    """The rule of that id or of that name in a game, else all that mention the words."""
    for rule in rules.values():
        if wanted in (rule.id, rule.id.partition(".")[2]):
            return [rule]
    needles = folded(wanted).split()
    texts = {rule.id: folded(f"{rule.id} {rule.title} {rule.text}") for rule in rules.values()}
    return [rules[i] for i, text in texts.items() if all(needle in text for needle in needles)]


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
