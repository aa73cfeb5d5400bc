"""What may stand before the command: `tanistry --version`, `tanistry --lang fr games`."""

from typing import Annotated

import typer

import tanistry
from tanistry.cli.common import Lang
from tanistry.session.language import Texts


def add(app: typer.Typer, say: Texts) -> None:
    def show_version(wanted: bool) -> None:
        if wanted:
            typer.echo(f"tanistry {tanistry.__version__}")
            raise typer.Exit

    @app.callback()
    def front(
        version: Annotated[
            bool,
            typer.Option("--version", callback=show_version, is_eager=True, help="help.version"),
        ] = False,
        _lang: Lang = None,
    ) -> None:
        pass
