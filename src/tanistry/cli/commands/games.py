"""`tanistry games`: what there is to play."""

import sys

import typer

from tanistry.cli.common import Lang, lines
from tanistry.cli.status import MISUSED
from tanistry.session.language import Texts

ORDER = 20
FEW = 5
"""Values of an option that are explained one by one; of more only the default."""


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.games")
    def games(_lang: Lang = None) -> int:
        from rich.console import Console
        from rich.text import Text

        import tanistry
        from tanistry.games.contract import Option, written
        from tanistry.games.registry import broken
        from tanistry.words import words

        console = Console(highlight=False, soft_wrap=True)
        for info in tanistry.games().values():
            texts = words(say.lang, info)
            low, high = info.seats[0], info.seats[-1]
            seats = say("games.seats_one" if low == high else "games.seats", low=low, high=high)
            line = Text(f"{info.name:<10}", "bold")
            console.print(line.append(f"{texts.text('title')}, {seats}", "default"))
            if isinstance(texts.find("tagline"), str):
                lines(console, Text(texts.text("tagline")), indent=10)
            for option in (Option("first", range(high), 0), *info.options):
                title, meaning = texts.option(option.name)
                line = Text(f"--option {option.name}={option.allowed()}", "cyan")
                line.append(f"  {title}{say('card.colon')}{meaning}", "default")
                lines(console, line, indent=10)
                few = len(option.values) <= FEW
                for value in option.values if few else (option.default,):
                    label, sense = texts.value(option.name, value)
                    default = f" ({say('games.default')})" if value == option.default else ""
                    shown = Text(written(value), "cyan").append(f"{default}  ", "default")
                    if label == sense or label.casefold() not in sense.casefold():
                        shown.append(f"{label}. ", "default")
                    lines(console, shown.append(sense if sense != label else "", "dim"), indent=14)
        for wrong in broken().values():
            print(wrong.message(say.lang), file=sys.stderr)
        return MISUSED if broken() else 0
