"""Games built for browsers, once for all tests, and one Node.js to ask them all in."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tools.web import WEB, node

import heir
import tanistry
from tanistry.browser import build
from tanistry.games import registry
from tanistry.kernel import INTERPRET
from tanistry.kernel.wasm import linker_is_here
from tanistry.match import Game
from tests.workers import made_once

Ask = Callable[..., Any]
HERE = Path(__file__).parent
GAMES = sorted({*tanistry.games(), heir.INFO.name})
"""Ours, and one of another package."""


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    known = heir.INFO.name in tanistry.games()
    tanistry.register(heir.INFO)
    yield
    if not known:
        del registry._registered[heir.INFO.name]


@pytest.fixture(scope="session")
def engines(shared: Path) -> Callable[[str], Path]:
    """The folder in which a game's module and description are, made when first asked for."""
    if INTERPRET or not linker_is_here():
        pytest.skip("no compiler or no linker for WebAssembly")
    shared = shared / "wasm"
    shared.mkdir(exist_ok=True)

    def folder(game: str) -> Path:
        made_once(shared / f"{game}.json", lambda: build(game, shared))
        return shared

    return folder


@pytest.fixture(scope="session")
def engine(shared: Path) -> str:
    """The engine of web/engine as one file that Node.js runs."""
    esbuild = WEB / "node_modules/.bin/esbuild"
    if not esbuild.exists():
        pytest.skip("the web client's packages are not installed: make web")
    out = shared / "engine.mjs"
    source = WEB / "engine/src/index.ts"
    bundle = ["--bundle", "--format=esm", "--log-level=error", f"--outfile={out}"]
    made_once(out, lambda: subprocess.run([str(esbuild), str(source), *bundle], check=True))
    return str(out)


@pytest.fixture(scope="session")
def ask(engines: Callable[[str], Path]) -> Iterator[Ask]:
    """Ask a script in Node.js about a game."""
    command = [node(), str(HERE / "node.mjs")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        said, heard = process.stdin, process.stdout

        def answer(script: str, game: Game, **request: Any) -> Any:
            folder = str(engines(game.name))
            print(json.dumps({"script": script, "folder": folder, "game": game.name, **request}),
                  file=said, flush=True)  # fmt: skip
            found = json.loads(heard.readline())
            assert "wrong" not in found, found["wrong"]
            return found["answer"]

        yield answer
        said.close()
