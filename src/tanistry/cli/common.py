"""What several commands share: their options, files, and the first load of a game."""

import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tanistry.cli.app import Misuse
from tanistry.cli.language import Texts
from tanistry.words import LANGUAGES

if TYPE_CHECKING:
    from tanistry.match import Game

Language = Enum("Language", {lang: lang for lang in LANGUAGES}, type=str)  # type: ignore[misc]


def game_argument(say: Texts) -> Any:
    return typer.Argument(help=say("help.game"), metavar="GAME", show_default=False)


def lang_option(say: Texts) -> Any:
    return typer.Option("--lang", help=say("help.lang"), metavar="fr|en", show_default=False)


def seats_option(say: Texts) -> Any:
    return typer.Option("--seats", help=say("help.seats"), metavar="N", show_default=False)


def game_option(say: Texts) -> Any:
    return typer.Option(
        "--option", "-o", help=say("help.option"), metavar="NAME=VALUE", show_default=False
    )


def seed_option(say: Texts) -> Any:
    return typer.Option("--seed", help=say("help.seed"), metavar="SEED", show_default=False)


def load_game(name: str, seats: int | None, options: Sequence[str], say: Texts) -> "Game":
    """The game of a command line; what is wrong with it is said before anything is compiled."""
    import tanistry
    from tanistry.cli.sitting import read_options

    tanistry.info(name)
    for item in options:
        if "=" not in item:
            raise Misuse(say("errors.option_shape", text=item))
    return read_options(name, seats, options)


def prepare(game: "Game", bots: Sequence[str], say: Texts) -> None:
    """Compile or load the rules; if that takes long, say so."""
    from tanistry.cli.prepare import warm_up, with_patience
    from tanistry.words import words

    title = words(say.lang, game.info).text("title")
    with_patience(lambda: warm_up(game, bots), say("prepare.game", title=title))


def _reason(wrong: OSError, say: Texts) -> str:
    """Why a file could not be had: in our words for the usual reasons, else the system's."""
    ours = say.find(f"reasons.{type(wrong).__name__}")
    return str(ours or wrong.strerror or type(wrong).__name__)


def read_text(name: str, say: Texts) -> str:
    """The text of a file, or of the input for `-`."""
    try:
        if name == "-":
            return sys.stdin.read()
        return Path(name).read_text("utf-8")
    except OSError as wrong:
        raise Misuse(say("errors.file", name=name, reason=_reason(wrong, say))) from None
    except UnicodeDecodeError:
        raise Misuse(say("errors.file_text", name=name)) from None


def write_text(name: str, text: str, say: Texts) -> None:
    try:
        Path(name).write_text(text, "utf-8")
    except OSError as wrong:
        raise Misuse(say("errors.file_write", name=name, reason=_reason(wrong, say))) from None


def check_writable(name: str, say: Texts) -> None:
    """Whether a file can be written, found out before a match is played for it."""
    try:
        with Path(name).open("a", encoding="utf-8"):
            pass
    except OSError as wrong:
        raise Misuse(say("errors.file_write", name=name, reason=_reason(wrong, say))) from None


def on_screen() -> bool:
    """Whether there is a terminal to draw on and to read keys from."""
    import os

    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
