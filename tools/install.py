"""Install Tanistry from this folder, with every other package just as a lock file names it.

    python tools/install.py requirements/dev.txt

The lock file pins versions and hashes, so that a fresh clone gets the same packages every day;
`make lock` makes it anew. Progress goes to the terminal; what pip says is shown if it fails.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PIP = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
MINUTES = {"play": "less than a minute", "dev": "one to three minutes"}
"""How long it takes on a usual line."""


def packages(lock: Path) -> int:
    """How many packages a lock file names, each once."""
    return len(set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", lock.read_text("utf-8"), re.MULTILINE)))


def run(arguments: list[str], count: int = 0) -> None:
    """Run pip and count what it collects; its output is told only if it fails."""
    said: list[str] = []
    collected = 0
    with subprocess.Popen(
        [*PIP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        assert pip.stdout
        for line in pip.stdout:
            said.append(line)
            if line.startswith("Collecting "):
                collected += 1
                show(f"  {collected} of about {count} packages")
            elif line.startswith("Installing collected"):
                show("  unpacking …")
    show("")
    if pip.returncode:
        sys.stderr.writelines(said[-40:])
        sys.exit("The packages could not be installed; what pip said last stands above.")


def show(text: str) -> None:
    """A line that the next one replaces; nothing where nobody looks."""
    if sys.stdout.isatty():
        print(f"\r{text:<40}", end="\r", flush=True)


def main(lock: Path) -> None:
    count = packages(lock)
    print(
        f"Installing {count} packages into {Path(sys.prefix).name} "
        f"({MINUTES.get(lock.stem, 'some minutes')}) …",
        flush=True,
    )
    run(["--require-hashes", "--requirement", str(lock)], count)
    run(["--no-deps", "--no-build-isolation", "--editable", str(Path(__file__).parents[1])])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
