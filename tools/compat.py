"""Run the tests against the lowest and the newest releases that pyproject.toml allows.

    make compat                          # both, everything
    make compat ARGS="lowest tests/kernel"

Kernels lean on private parts of Numba, and a server on some of uvicorn: the bounds in
pyproject.toml are what was seen to work here. Each end gets an environment of its own in
build/compat, made anew every time; packages come from where pip gets them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}


def main(arguments: list[str]) -> int:
    ends = [end for end in RESOLUTIONS if end in arguments] or list(RESOLUTIONS)
    tests = [argument for argument in arguments if argument not in RESOLUTIONS]
    return max(check(end, tests) for end in ends)


def check(end: str, tests: list[str]) -> int:
    """Install one end of what is allowed, say what that is, and run the tests; their status."""
    folder = ROOT / "build/compat" / end
    python = str(folder / "bin/python")
    uv = [str(Path(sys.executable).with_name("uv"))]
    run([*uv, "venv", "-q", "--clear", "--python", sys.executable, str(folder)])
    pip = [*uv, "pip", "install", "-q", "--python", python]
    run([*pip, "--resolution", RESOLUTIONS[end], "--editable", f"{ROOT}[dev]"])
    run([*uv, "pip", "list", "-q", "--python", python])
    environment = {**os.environ, "TANISTRY_CACHE": str(folder / "cache")}
    tested = [python, "-m", "pytest", "-n", "auto", "-p", "no:cacheprovider", *tests]
    print(f"-- {end} --", flush=True)
    return subprocess.run(tested, cwd=ROOT, env=environment, check=False).returncode


def run(command: list[str]) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
