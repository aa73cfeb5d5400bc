"""Games built for browsers, once for all tests, and Node.js to play them in."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tools.web import WEB, node

from tanistry.browser import build
from tanistry.kernel import INTERPRET
from tanistry.kernel.wasm import linker_is_here
from tanistry.match import Game

Ask = Callable[..., Any]
HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for modules and descriptions."""
    if INTERPRET or not linker_is_here():
        pytest.skip("no compiler or no linker for WebAssembly")
    return tmp_path_factory.mktemp("engines")


@pytest.fixture(scope="session")
def ask(engines: Path) -> Ask:
    """Ask a script in Node.js about a game."""

    def answer(script: str, game: Game, **request: Any) -> Any:
        if not (engines / f"{game.name}.json").exists():
            build(game.name, engines)
        given = json.dumps({"folder": str(engines), "game": game.name, **request})
        said = subprocess.run(
            [node(), str(HERE / script)], input=given, capture_output=True, text=True, check=False
        )
        assert said.returncode == 0, said.stderr
        return json.loads(said.stdout)

    return answer


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The engine of web/engine as one file that Node.js runs."""
    esbuild = WEB / "node_modules/.bin/esbuild"
    if not esbuild.exists():
        pytest.skip("the web client's packages are not installed: make web")
    out = tmp_path_factory.mktemp("engine") / "engine.mjs"
    source = WEB / "engine/src/index.ts"
    bundle = ["--bundle", "--format=esm", "--log-level=error", f"--outfile={out}"]
    subprocess.run([str(esbuild), str(source), *bundle], check=True)
    return str(out)
