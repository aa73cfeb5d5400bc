"""`tanistry new-game NAME`: a package with a game that plays, to be made into one of your own."""

import keyword
import re
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from typing import Annotated

import typer

from tanistry.cli.common import Lang
from tanistry.session.language import Misuse, Texts

ORDER = 85
EXAMPLE = "heir"
NAME = re.compile(r"[a-z][a-z0-9_]{1,23}")


def add(app: typer.Typer, say: Texts) -> None:
    @app.command("new-game", help="help.new_game")
    def new_game(
        name: Annotated[str, typer.Argument(help="help.new_game_name", metavar="NAME")],
        out: Annotated[str | None, typer.Option(help="help.new_game_out", metavar="FOLDER")] = None,
        _lang: Lang = None,
    ) -> None:
        from tanistry.errors import FileError

        check_name(name, say)
        folder = Path(out or name)
        if folder.exists():
            raise Misuse(say("new_game.exists", folder=folder))
        try:
            for path, text in files(name).items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text, "utf-8", newline="\n")
        except OSError as wrong:
            rmtree(folder, ignore_errors=True)  # half a game would be in the way of the next try
            raise FileError("file/write", folder, wrong) from None
        print(say("new_game.done", folder=folder, name=name))


def check_name(name: str, say: Texts) -> None:
    """A game's name is its package's too, and stands in front of its rules' ids."""
    import tanistry

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Misuse(say("new_game.name", name=name))
    if name in tanistry.games():
        raise Misuse(say("new_game.game", name=name))
    found = find_spec(name)  # a folder that only happens to be here has no origin
    if name == "common" or (found and found.origin):  # rules of all games are called common.…
        raise Misuse(say("new_game.taken", name=name))


def files(name: str) -> dict[str, str]:
    """The files of the example by path, under another name."""
    source = _example()
    found = {}
    for path in sorted(source.rglob("*")):
        if path.suffix in (".py", ".toml") and "__pycache__" not in path.parts:
            text = path.read_text("utf-8")
            where = path.relative_to(source).as_posix().replace(EXAMPLE, name)
            found[where] = text if name == EXAMPLE else _renamed(text, where, name)
    return found


def _renamed(text: str, path: str, name: str) -> str:
    title = name.replace("_", " ").capitalize()
    if "/words/" in path:  # heirs are spoken of there
        text = re.sub(r'^title = ".*"', f'title = "{title}"', text)
        return text.replace(f"[rules.{EXAMPLE}.", f"[rules.{name}.")
    return re.sub(rf"(?<![a-z]){EXAMPLE}(?![a-z])", name, text).replace(EXAMPLE.title(), title)


def _example() -> Path:
    """In a wheel it is beside us, in the sources among the examples."""
    import tanistry

    here = Path(tanistry.__file__).parent
    packed = here / "example"
    return packed if packed.is_dir() else here.parents[1] / "examples" / EXAMPLE
