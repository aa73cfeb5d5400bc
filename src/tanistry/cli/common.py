"""What several commands share: their options, files, and the first load of a game."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from tanistry.errors import FileError, OptionError
from tanistry.session.language import Misuse, Texts
from tanistry.words import LANGUAGES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from tanistry.match import Game

Language = Enum("Language", {lang: lang for lang in LANGUAGES}, type=str)  # type: ignore[misc]


def lines(console: "Console", text: "Text", indent: int = 0) -> None:
    """Print an indented text: in a terminal within its width, elsewhere on one line."""
    for line in wrapped(console, text, console.width - indent) if console.is_terminal else [text]:
        console.print(" " * indent, line, sep="")


# French sets spaces before : ; ! ? at which no line may end. Rich breaks lines at every kind of
# space, so letters stand in for these while it does.
_UNBROKEN = str.maketrans("\u00a0\u202f", "\ue000\ue001")
_SPACES = {letter: space for space, letter in _UNBROKEN.items()}


def wrapped(console: "Console", text: "Text", width: int) -> "Iterator[Text]":
    """The lines of a text in a width, broken where its language allows it."""
    unbroken = text.copy()
    unbroken.plain = text.plain.translate(_UNBROKEN)
    for line in unbroken.wrap(console, width):
        line.plain = line.plain.translate(_SPACES)
        yield line


# What several commands take. The help is a key of the catalogue, which `manual` looks up.


def meant(name: str) -> str:
    """The game somebody means: by its name or its title, whatever the capitals."""
    import tanistry
    from tanistry.games.registry import broken
    from tanistry.session.rules import folded

    games = tanistry.games()
    names = {folded(text): game for game, info in games.items() for text in info.title.values()}
    names |= {folded(game): game for game in (*broken(), *games)}
    if folded(name) in names:
        return names[folded(name)]
    near = get_close_matches(folded(name), names, 1)
    if not near:
        tanistry.info(name)  # refuses it
    allowed = ", ".join(games)
    raise OptionError("option/game_near", name=name, near=names[near[0]], allowed=allowed)


GameName = Annotated[str, typer.Argument(help="help.game", metavar="GAME", callback=meant)]
Lang = Annotated[Language | None, typer.Option("--lang", help="help.lang", metavar="fr|en")]
Seats = Annotated[int | None, typer.Option("--seats", help="help.seats", metavar="N")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="help.option", metavar="NAME=VALUE")
]
Seed = Annotated[str | None, typer.Option("--seed", help="help.seed", metavar="SEED")]
Workers = Annotated[int | None, typer.Option("--workers", help="help.workers", min=1, metavar="N")]
Minutes = Annotated[
    float | None, typer.Option("--minutes", help="help.minutes", min=0, metavar="X")
]


def load_game(name: str, seats: int | None, options: Sequence[str], say: Texts) -> "Game":
    """The game of a command line; what is wrong with it is said before anything is compiled."""
    import tanistry
    from tanistry.match.game import read_game

    tanistry.info(name)
    given = []
    for item in options:
        option, equals, value = item.partition("=")
        if not equals:
            raise Misuse(say("errors.option_shape", text=item))
        if option.strip() == "seats":
            raise Misuse(say("errors.option_seats", value=value.strip()))
        given.append((option.strip(), value.strip()))
    return read_game(name, seats, given)


def prepare(game: "Game", work: Callable[[], object], say: Texts) -> None:
    """Do what compiles or loads the rules; if that takes long, say so."""
    from tanistry.cli.prepare import with_patience

    with_patience(work, say("prepare.game", title=game.info.title[say.lang]))


def prepare_match(game: "Game", bots: Sequence[str], say: Texts) -> None:
    """The same for what a match with such bots calls."""
    from tanistry.cli.prepare import warm_up

    prepare(game, lambda: warm_up(game, bots), say)


class Playing(Protocol):
    """A match as lines of text; `run`: was it played out; `ended`: did its input end before."""

    ended: bool

    def run(self) -> bool: ...


def play_lines(table: Playing, say: Texts) -> int:
    """Play a match, and say how it was left if it was; the exit status."""
    if not table.run():
        if table.ended:
            raise Misuse(say("errors.no_input"))
        print(say("play.left"))
    return 0


def read_text(name: str) -> str:
    """The text of a file, or of the input for `-`."""
    try:
        if name == "-":
            return sys.stdin.read()
        return Path(name).read_text("utf-8")
    except OSError as wrong:
        raise FileError("file/read", name, wrong) from None
    except UnicodeDecodeError:
        raise OptionError("file/text", name=name) from None


def write_text(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, "utf-8")
    except OSError as wrong:
        raise FileError("file/write", name, wrong) from None


def check_writable(name: str) -> None:
    """Make the folder of a file and see whether it can be written, before work is done for it."""
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        with Path(name).open("a", encoding="utf-8"):
            pass
    except OSError as wrong:
        raise FileError("file/write", name, wrong) from None


@contextmanager
def bars(totals: Mapping[str, int]) -> Iterator[Callable[[Sequence[int]], None]]:
    """A progress bar for each name, on the error output: to be called with how much is done.

    Where nobody watches, nothing is drawn.
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as drawn:
        tasks = [drawn.add_task(name, total=total) for name, total in totals.items()]

        def show(done: Sequence[int]) -> None:
            for task, number in zip(tasks, done, strict=True):
                drawn.update(task, completed=number)

        yield show


def on_screen() -> bool:
    """Whether there is a terminal to draw on and to read keys from."""
    import os

    from tanistry.cli.output import SAMPLE, can_show

    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return terminal and can_show(SAMPLE)
