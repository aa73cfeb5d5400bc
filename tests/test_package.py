"""What people install: wheel and sdist, in a virtual environment that knows nothing of this tree.

Dependencies are those of the environment that runs the tests, lent by a path file; only Tanistry
itself is installed, from the wheel that was built out of the sdist.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

import tanistry
import tanistry.web
from tanistry.simulation.network import networks
from tests.patience import PATIENCE, tries
from tests.server.processes import free_port

pytest.importorskip("build")
pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[1]
CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("PYTHON", "TANISTRY_", "VIRTUAL_ENV", "LC_", "LANG"))
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist, and the wheel made from that sdist."""
    if not tanistry.web.built():
        pytest.skip("the web client is not built: make web")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Installed:
    """A virtual environment with Tanistry installed in it."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        venv.create(folder / "venv", with_pip=False, symlinks=True)
        self.bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        site = Path(self.run("python", "-c", "import site; print(site.getsitepackages()[0])"))
        # A path alone: what lies there is importable, but no path file in it is looked at, and so
        # not the one that points an editable install back into this tree.
        (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.install(str(wheel))

    def install(self, what: str) -> None:
        python = str(self.bin / "python")
        options = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", *options, what]
        done = subprocess.run(pip, env=CLEAN, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self, program: str, *arguments: str, typed: str = "", **more: str) -> str:
        done = subprocess.run(
            [str(self.bin / program), *arguments],
            cwd=self.work,
            env={**CLEAN, **more},
            input=typed,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), next(built.glob("*.whl")))


def test_the_wheel_holds_what_is_needed_and_no_more(built: Path) -> None:
    names = zipfile.ZipFile(next(built.glob("*.whl"))).namelist()
    assert "tanistry/web/dist/index.html" in names
    for game, ending in product(tanistry.games(), ("wasm", "json")):
        assert f"tanistry/web/dist/engines/{game}.{ending}" in names
    learnt = [name for name in names if name.endswith(".net")]
    folder = "tanistry/simulation/networks"
    assert learnt == [f"{folder}/{game}.net" for game in networks()]  # each once
    assert "tanistry/py.typed" in names
    assert "tanistry/games/claim/words/fr.toml" in names
    assert any(re.fullmatch(r"tanistry/web/dist/assets/.*\.js", name) for name in names)
    assert {name.partition("/")[0] for name in names} <= {
        "tanistry",
        f"tanistry-{tanistry.__version__}.dist-info",
    }


def test_the_sdist_holds_the_sources(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    for name in (
        "LICENSE", "README.md", "Makefile", "mkdocs.yml", "docs/index.md", "tests/test_package.py",
        "web/package.json", "web/src/App.svelte", "examples/heir/heir/rules.py",
        "src/tanistry/web/dist/index.html",
    ):  # fmt: skip
        assert name in names, name
    left_over = [name for name in names if "node_modules" in name or name.endswith((".db", ".pyc"))]
    data = "tests/server/data"  # databases of versions before, for upgrades
    assert set(left_over) <= {f"{data}/first.db", f"{data}/letters.db"}


def test_what_is_imported_is_what_was_installed(installed: Installed) -> None:
    where = installed.run("python", "-c", "import tanistry; print(tanistry.__file__)")
    assert Path(where).is_relative_to(installed.folder)
    assert installed.run("tanistry", "--version") == f"tanistry {tanistry.__version__}"


def test_a_match_in_the_terminal(installed: Installed) -> None:
    command = "play claim --plain --opponents random --seed 1 --name Ailsa --save match.txt"
    said = installed.run("tanistry", *command.split(), typed="1\n" * 40, TANISTRY_INTERPRET="1")
    assert "Ailsa" in said
    held = installed.run("tanistry", "verify", "match.txt", TANISTRY_INTERPRET="1")
    assert "52" in held


def test_uvx_plays_from_the_wheel(built: Path, tmp_path: Path) -> None:
    """With nothing lent: its packages come from the index, in the versions of the lock."""
    uv = str(Path(sys.executable).with_name("uv"))
    lock, wheel = str(ROOT / "requirements/server.txt"), str(next(built.glob("*.whl")))
    given = ["--python", sys.executable, "--constraints", lock]
    environment = {**CLEAN, "UV_TOOL_DIR": str(tmp_path / "tools"), "TANISTRY_INTERPRET": "1"}

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [uv, *arguments], cwd=tmp_path, env=environment, input="q\n",
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    packages = str(tmp_path / "packages")
    if call("pip", "install", *given, "--target", packages, wheel).returncode:
        pytest.skip("there is no package index here")
    command = ["play", "claim", "--opponents", "random", "--seed", "1"]
    done = call("tool", "run", *given, "--from", wheel, "tanistry", *command)
    assert done.returncode == 0, done.stderr
    assert "You left the match." in done.stdout


@contextmanager
def serving(installed: Installed) -> Iterator[str]:
    port = free_port()
    command = [str(installed.bin / "tanistry"), "serve", "--port", str(port), "--no-warm"]
    with subprocess.Popen(command, cwd=installed.work, env=CLEAN, stderr=subprocess.PIPE) as server:
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def get(url: str) -> bytes:
    for _ in tries(f"an answer from {url}"):
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError:
            raise
        except OSError:  # not up yet
            continue
    raise AssertionError


@pytest.fixture(scope="module")
def with_a_game(installed: Installed) -> Installed:
    """The same, and in it what `tanistry new-game` writes."""
    assert "pip install --editable thistle" in installed.run("tanistry", "new-game", "thistle")
    installed.install(str(installed.work / "thistle"))
    return installed


def test_a_new_game_is_installed_beside_it(with_a_game: Installed) -> None:
    """It is found by its entry point, with its own tests.

    But for the battery, which the conformance tests ask of Heir, compiled.
    """
    installed = with_a_game
    assert "Thistle" in installed.run("tanistry", "games")
    command = ["-m", "pytest", "-q", "-k", "not battery", "thistle"]
    assert "passed" in installed.run("python", *command, TANISTRY_INTERPRET="1")
    said = installed.run(
        "tanistry", "play", "thistle", "--plain", "--opponents", "random",
        typed="1\n" * 8, TANISTRY_INTERPRET="1",
    )  # fmt: skip
    assert "Claimant" in said
    rules = installed.run("tanistry", "--lang", "fr", "rules", "thistle", "--full")
    assert "neuf cartes" in rules
    learnt = (
        "import tanistry\n"
        "from tanistry.envs import observe\n"
        "match = tanistry.game('thistle').deal(seed=1)\n"
        "match.play(tanistry.bot('ismcts:1', seed=1).choose(match))\n"
        "print(observe(match, 0).shape)"
    )
    assert installed.run("python", "-c", learnt, TANISTRY_INTERPRET="1").startswith("(")


def test_serve_serves_the_web_client(with_a_game: Installed) -> None:
    """With every game that is installed."""
    with serving(with_a_game) as served:
        assert get(f"{served}/healthz")
        assert get(f"{served}/readyz")
        page = get(served + "/").decode()
        scripts = re.findall(r'<script[^>]+src="([^"]+)"', page)
        assert scripts, page
        for script in scripts:
            assert len(get(served + script)) > 1000
        games = get(f"{served}/api/v1/games")
    assert b'"claim"' in games
    assert b'"thistle"' in games
