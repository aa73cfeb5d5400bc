"""`tanistry build-wasm [GAME…]`: games for browsers."""

import gzip
from pathlib import Path
from typing import Annotated

import typer

from tanistry.cli.common import Lang
from tanistry.session.language import Texts

ORDER = 90


def add(app: typer.Typer, say: Texts) -> None:
    @app.command("build-wasm", help="help.build_wasm")
    def build_wasm(
        games: Annotated[
            list[str] | None, typer.Argument(help="help.build_wasm_games", metavar="GAME…")
        ] = None,
        out: Annotated[
            Path, typer.Option("--out", "-o", help="help.build_wasm_out", metavar="FOLDER")
        ] = Path("engines"),
        _lang: Lang = None,
    ) -> None:
        import tanistry
        from tanistry.browser import build
        from tanistry.kernel import INTERPRET
        from tanistry.kernel.wasm import linker_is_here
        from tanistry.session.language import Misuse

        if INTERPRET:
            raise Misuse(say("build_wasm.interpreted"))
        if not linker_is_here():
            raise Misuse(say("errors.extra", name="ziglang", extra="wasm"))
        names = list(dict.fromkeys(games or tanistry.games()))
        for name in names:
            tanistry.game(name)  # a name that is wrong is refused before anything is compiled
        for name in names:
            for file in build(name, out):
                data = file.read_bytes()
                size, packed = (f"{len(part) / 1000:.1f}" for part in (data, gzip.compress(data)))
                print(say("build_wasm.done", file=file, size=size, packed=packed))
