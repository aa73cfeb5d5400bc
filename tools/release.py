"""What a release needs beside the build: its version, its changes, what it is made of.

    python tools/release.py prepare 1.2.0     # version and changelog, ready to be reviewed
    python tools/release.py check v1.2.0      # does the tag fit what the tree says?
    python tools/release.py notes             # what the changelog says of it
    python tools/release.py materials         # a software bill of materials (CycloneDX JSON)
    python tools/release.py licences          # the table of docs/licences.md

docs/releasing.md tells the policy and the whole way.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from importlib import metadata
from inspect import signature
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
VERSION_FILE = ROOT / "src/tanistry/__init__.py"
CHANGES = ROOT / "CHANGELOG.md"
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
UNRELEASED = "## [Unreleased]\n"


def version() -> str:
    found = VERSION.search(VERSION_FILE.read_text("utf-8"))
    assert found
    return found[1]


def prepare(new: str) -> None:
    """Name what is unreleased after the new version."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", new):
        sys.exit(f"{new} is no version: three numbers with dots between them, such as 1.2.0")
    changes = CHANGES.read_text("utf-8")
    if as_numbers(new) < as_numbers(version()) or f"## [{new}]" in changes:
        sys.exit(f"{new} does not come after {version()}")
    _, _, after = changes.partition(UNRELEASED)
    if not after.partition("\n## ")[0].strip():
        sys.exit("CHANGELOG.md has nothing under Unreleased")
    heading = f"{UNRELEASED}\n## [{new}] - {date.today().isoformat()}\n"
    CHANGES.write_text(changes.replace(UNRELEASED, heading, 1), "utf-8")
    source = VERSION_FILE.read_text("utf-8")
    VERSION_FILE.write_text(VERSION.sub(f'__version__ = "{new}"', source), "utf-8")
    print(f"Version {new} is ready for review: git diff, then commit, and tag it v{new}.")


def as_numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(".")]


def check(tag: str) -> None:
    """The tag, the package and the changelog name one version."""
    if tag != f"v{version()}":
        sys.exit(f"The tag is {tag}, the package says {version()}")
    if f"## [{version()}]" not in CHANGES.read_text("utf-8"):
        sys.exit(f"CHANGELOG.md has no section for {version()}")


def notes() -> None:
    """The changelog's section of this version."""
    _, _, after = CHANGES.read_text("utf-8").partition(f"## [{version()}]")
    print(after.partition("\n")[2].partition("\n## ")[0].strip())


# -- what it is made of ---------------------------------------------------------------------------


def shipped() -> Iterator[tuple[str, str, str, str]]:
    """Ecosystem, name, version and licence of all that runs with or inside a release."""
    lock = (ROOT / "requirements/server.txt").read_text("utf-8")
    pinned = dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", lock, re.MULTILINE))
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name in sorted(pinned.keys() | needed(extras["optional-dependencies"]["push"])):
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:  # for another system than this one
            yield "pypi", name, pinned[name], ONLY_ELSEWHERE[name]
        else:
            yield "pypi", name, about["Version"], licence(about)
    packages = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    for name in IN_THE_CLIENT:
        package = packages[f"node_modules/{name}"]
        yield "npm", name, package["version"], package["license"]


ONLY_ELSEWHERE = {"async-timeout": "Apache-2.0", "colorama": "BSD"}
"""Licences of packages that the machine that makes releases does not need: `async-timeout` is for
Python before 3.11.3, such as Debian 12's, `colorama` for Windows."""


def needed(asked: list[str]) -> set[str]:
    """The packages that are asked for, and what these ask for themselves."""
    names: set[str] = set()
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        if name not in names and (not requirement.marker or requirement.marker.evaluate()):
            names |= {name} | needed(metadata.requires(name) or [])
    return names


IN_THE_CLIENT = (
    "@fontsource-variable/fraunces",
    "@fontsource-variable/source-sans-3",
    "clsx",
    "esm-env",
    "svelte",
    "uqr",
)
"""npm packages of which something is in the built client; all others only build or check it."""


def licence(about: Any) -> str:
    """A package's licence as its metadata tells it, in one of three ways."""
    if expression := about.get("License-Expression"):
        return str(expression)
    classified = [
        entry.rpartition(" :: ")[2].removesuffix(" License")
        for entry in about.get_all("Classifier", [])
        if entry.startswith("License :: ") and not entry.endswith("OSI Approved")
    ]
    text = str(about.get("License") or "").strip()
    return ", ".join(classified) or (text if text and "\n" not in text else "see the package")


def materials() -> None:
    components = [
        {
            "type": "library",
            "name": name,
            "version": release,
            "purl": f"pkg:{ecosystem}/{name.replace('@', '%40')}@{release}",
            "licenses": [{"license": {"name": licence}}],
        }
        for ecosystem, name, release, licence in shipped()
    ]
    product = {"type": "application", "name": "tanistry", "version": version()}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
    }
    print(json.dumps(document, indent=2))


def licences() -> None:
    print("| package | from | licence |\n|---|---|---|")
    for ecosystem, name, _, licence in shipped():
        print(f"| {name} | {'PyPI' if ecosystem == 'pypi' else 'npm'} | {licence} |")


COMMANDS: dict[str, Callable[..., None]] = {
    "prepare": prepare,
    "check": check,
    "materials": materials,
    "licences": licences,
    "notes": notes,
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(f"usage: python tools/release.py {'|'.join(COMMANDS)} [VERSION]")
    command, given = COMMANDS[sys.argv[1]], sys.argv[2:]
    if len(given) != len(signature(command).parameters):
        sys.exit(f"usage: python tools/release.py {sys.argv[1]} {'VERSION' if not given else ''}")
    command(*given)
