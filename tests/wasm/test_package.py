"""What leaves this repository for browsers: files that are small, and a package for npm."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tools.web import WEB, node, npm

import tanistry
from tests.wasm.conftest import GAMES

LIMIT = 60_000
"""Bytes of a game, module and description together, as they travel."""
ENGINE = WEB / "engine"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_small_and_needs_nothing_else(name: str, engines: Callable[[str], Path]) -> None:
    files = [engines(name) / f"{name}.{ending}" for ending in ("wasm", "json")]
    weight = sum(len(gzip.compress(file.read_bytes())) for file in files)
    assert weight <= LIMIT, f"{weight:,} bytes, compressed"
    described = json.loads(files[1].read_text("utf-8"))
    assert described["game"] == json.loads(json.dumps(tanistry.game(name).describe()))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory, engines: Callable[[str], Path]) -> Path:
    """The folder of the package as it is packed: compiled, with an engine and a licence."""
    compiler = WEB / "node_modules/typescript/bin/tsc"
    if not compiler.exists():
        pytest.skip("the web client's packages are not installed: make web")
    folder = tmp_path_factory.mktemp("npm") / "node_modules/tanistry-engine"
    kept = shutil.ignore_patterns("node_modules", "dist", "engines", "src", "LICENSE")
    shutil.copytree(ENGINE, folder, ignore=kept)
    command = [node(), str(compiler), "--project", str(ENGINE / "tsconfig.json")]
    subprocess.run([*command, "--outDir", str(folder / "dist")], check=True)
    (folder / "engines").mkdir()
    for ending in ("wasm", "json", "net"):
        shutil.copy(engines("claim") / f"claim.{ending}", folder / "engines")
    shutil.copy(WEB.parent / "LICENSE", folder)
    return folder


def packed(folder: Path) -> dict[str, Any]:
    """What npm would publish of a folder."""
    command, path = npm()
    pack = [*command, "pack", "--dry-run", "--json", "--ignore-scripts", "--offline"]
    said = subprocess.run(
        pack, cwd=folder, env={"PATH": path, "HOME": str(folder)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(said.stdout)[0]
    return found


def test_the_package_holds_what_is_needed_and_no_more(package: Path) -> None:
    found = packed(package)
    assert found["version"] == tanistry.__version__
    names = {file["path"] for file in found["files"]}
    made = {f"dist/{source.stem}" for source in (ENGINE / "src").glob("*.ts")}
    assert names == {
        "LICENSE", "README.md", "package.json", "example/play.mjs",
        "engines/claim.json", "engines/claim.net", "engines/claim.wasm",
        *(name + ending for name in made for ending in (".js", ".d.ts")),
    }  # fmt: skip
    assert found["unpackedSize"] < 1_700_000  # of which the network is 1.3 MB


def run(package: Path, program: Path) -> str:
    done = subprocess.run([node(), str(program)], cwd=package, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_plays_a_match_that_python_replays(package: Path) -> None:
    said = run(package, package / "example/play.mjs")
    assert "Level 1" in said
    record = said[said.index("[Game") :]
    assert tanistry.replay(record).result is not None


EXAMPLE = re.compile(r"```js\n(.*?)```", re.DOTALL)
LOADING = re.compile(r"await load\('claim', '[^']*'(, [^)]*)?\)")


@pytest.mark.parametrize("page", ["web/engine/README.md", "docs/browser.md"])
def test_what_the_documents_show_runs(page: str, package: Path) -> None:
    """Every example in JavaScript, one after the other, with the engine read from a file."""
    shown = EXAMPLE.findall((WEB.parent / page).read_text("utf-8"))
    assert shown
    for number, text in enumerate(shown):
        program = package.parent.parent / f"{Path(page).stem}{number}.mjs"
        program.write_text(LOADING.sub("await fromFiles()", FROM_FILES + _checked(text)), "utf-8")
        run(package, program)


FROM_FILES = """
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { instantiate as made } from 'tanistry-engine'
const file = (name) => readFileSync(new URL(import.meta.resolve(`tanistry-engine/engines/${name}`)))
const fromFiles = async () => {
  const engine = await made(JSON.parse(file('claim.json')), file('claim.wasm'))
  await engine.learn(file('claim.net'))
  return engine
}
"""
SAID = re.compile(r"^(match\.\S+|engine\.\S+) +// (.*)$", re.MULTILINE)


def _checked(text: str) -> str:
    """A line that shows what it is worth is checked; `…` stands for the rest of a list."""
    return SAID.sub(_check, text)


def _check(shown: re.Match[str]) -> str:
    what, worth = shown.groups()
    if "…" in worth:
        begin = worth.partition(", …")[0].lstrip("[")
        return f"assert.equal({what}[0], {begin})"
    return f"assert.deepEqual({what}, {worth})" if worth[0] in "[{'0123456789" else what
