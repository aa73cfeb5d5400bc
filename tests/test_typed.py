"""What the documents say to type is typed: in order, in a folder of its own for each document.

Commands of ours are carried out in this process with fewer matches, by an argument added behind
them; servers are started and stopped; `make` says what it would do; scripts that measure for
minutes read their arguments and stop there. What no test can run stands in `NOT_RUN`, with why.
"""

from __future__ import annotations

import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import urllib.request
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from tools.web import node

import tanistry
from tanistry.bots.players import ismcts
from tanistry.cli.app import run
from tanistry.client import RefusedByServer
from tanistry.games import registry
from tests.patience import PATIENCE
from tests.server.processes import Process

ROOT = Path(__file__).parents[1]
WEB = [ROOT / "web/README.md", ROOT / "web/engine/README.md"]
FILES = sorted([*ROOT.glob("*.md"), *WEB, *(ROOT / "docs").rglob("*.md")])
DOCUMENTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in FILES}
BLOCK = re.compile(r"^ *```(?:sh|bash|console)\b[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
ANY_BLOCK = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:tanistry|make|python|pipx?|uvx|docker|npm|npx|node|source) [^`\n]+)`")
VARIABLES = re.compile(r"^([A-Z_]+=\S+ +)+")
EXAMPLE = str(ROOT / "examples/heir")
STANDS_FOR = {
    r"\b(GAME|JEU)\b": "claim",
    r"\bNAME\b": "thistle",
    r"\bCOMMANDE?\b": "play",
    # Rules with a network compile for a while: those of one table will do.
    r"\w+ -n 2000 --policy trained --vary \w+": "claim -n 2000 --policy trained --vary first",
    # So do those that count other cards.
    r"study schotten --vary tactics": "study schotten --vary claim",
}
NAMES = re.compile(r"tanistry (admin )?[a-z-]+( --[a-z]+)?")
"""Within a text, a command that is only named."""

SHORTER = {
    "simulate": ["-n", "100"],
    "study": ["-n", "20", "--workers", "1"],
    "arena": ["--games", "2", "--workers", "1"],
    "play": ["--pace", "0"],
    "analyse": ["--deals", "2"],
    "admin": ["--database", "tanistry.db"],
}
"""What is added to a command so that it takes a moment; the last of two values counts."""

PEOPLE = ("ailsa", "blair", "calum")

COUNTING = ("simulate", "study", "arena", "analyse")
COUNTED: set[tuple[str, ...]] = set()
"""Commands that only count, and need not do it again for another document."""

SERVED: dict[tuple[str, ...], Path] = {}
"""The servers that were started, and the database of each."""

NOT_RUN = {
    r"tanistry train": "needs PyTorch and minutes; tests/learning",
    r"tanistry .*--device cuda": "needs a GPU; tests/simulation/test_gpu.py where there is one",
    r"tanistry .*--engine ray": "starts a cluster; tests/studies/test_running.py",
    r"tanistry puzzles .*(-n|--explain)": "searches for minutes; tests/analysis/test_puzzles.py",
    r"tanistry build-wasm": "compiles for a minute; tests/wasm",
    r"tanistry play .*--server": "needs a server at that address; tests/server/test_terminal.py",
    r"(create|drop)(user|db) |pg_|tanistry serve .*--redis": "tests/server/test_deploy.py",
    r"docker ": "tests/server/test_deploy.py reads it, the workflow `check` runs it",
    r"tanistry admin (tournament|club) .*(ID|NUMÉRO)": "`new` tells it; test_at_the_console",
    r"tanistry \S+ .*…": "what to type there is known only at a table",
    r"tanistry play heir": "compiles a new game; tests/test_package.py plays one",
    r"tanistry simulate heir": "compiles a new game; tests/test_package.py plays one",
    r"(pip|pipx|uvx) ": "needs a package index; tests/test_package.py does without one",
    r"python3? -m venv": "tests/test_package.py makes one",
    r"python -m pytest": "the tests of a new game; tests/test_package.py runs them",
    r"python -m http\.server": "Python's own; tests/test_site.py serves the site",
    r"python -m benchmarks\.wasm": "needs the linker; tests/wasm",
    r"python -m tools\.": "writes into the tree; other tests compare what it would write",
    r"python examples/": "needs PyTorch; tests/examples reads and runs what does not",
    r"python tools/release\.py prepare": "writes into the tree; test_a_release_is_prepared",
    r"npm |npx |node ": "builds for a minute; tests/wasm/test_package.py, tests/test_site.py",
    r"source ": "a word of the shell's",
    r"systemctl |useradd |install |cp deploy/": "needs root; test_the_unit_starts_a_server",
}


def typed(text: str) -> list[str]:
    """The commands of a document, in order: every line of a block, and those within the text.

    Without variables in front of them and comments behind."""
    found = []
    for part in re.split(f"({ANY_BLOCK.pattern})", text, flags=re.MULTILINE | re.DOTALL):
        if block := BLOCK.fullmatch(part):
            found += block[1].replace("\\\n", " ").splitlines()
        elif not part.lstrip().startswith("```"):
            found += [line for line in INLINE.findall(part) if not NAMES.fullmatch(line)]
    lines = (re.sub(r"(^|\s)#.*$", "", line).strip() for line in found)
    return list(dict.fromkeys(VARIABLES.sub("", line) for line in lines if line))


TYPED = {name: typed(text) for name, text in DOCUMENTS.items() if typed(text)}


def words_of(line: str) -> list[str]:
    """The words of a command, with fewer matches and names for what stands in capitals."""
    for pattern, value in STANDS_FOR.items():
        line = re.sub(pattern, value, line)
    return shlex.split(re.sub(r"@\d+", "@2", line))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: None) -> Path:
    """A folder with the files that documents speak of."""
    for name, block in {"mine.py": r"python\n(class ", "player.js": r"js\n(#!"}.items():
        found = re.search(rf"```{block}.*?)```", DOCUMENTS["docs/bots.md"], re.DOTALL)
        assert found
        (tmp_path / name).write_text(found[1])
    (tmp_path / "player.js").chmod(0o755)
    path = os.pathsep.join([str(Path(node()).parent), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    (tmp_path / "match.txt").write_text(played())
    for game in ("claim", "schotten"):
        network = ROOT / f"src/tanistry/simulation/networks/{game}.net"
        (tmp_path / f"train-{game}").mkdir()
        shutil.copy(network, tmp_path / f"train-{game}/network.net")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(ismcts.STYLES, 5, ismcts.Style("master", 50))  # thinks for a moment
    monkeypatch.setattr("sys.path", [path for path in sys.path if path != EXAMPLE])
    for name in [name for name in sys.modules if name.partition(".")[0] == "heir"]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def install(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """As `pip install --editable` would, for the rest of the document."""
    patch.syspath_prepend(str(folder))
    patch.setitem(sys.modules, folder.name, import_module(folder.name))
    tanistry.register(sys.modules[folder.name].INFO)


def played() -> str:
    """The record of a whole match, as a server hands it out."""
    match = tanistry.game("claim").deal(seed=1)
    while match.to_act is not None:
        match.play(match.legal()[0])
    return match.record()


@pytest.mark.parametrize("document", TYPED)
def test_what_is_typed_works(
    document: str, desk: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8" if "fr" in re.split(r"\W+", document) else "C.UTF-8")
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    for line in TYPED[document]:
        if line.startswith("pip install --editable"):
            install(desk / words_of(line)[3], monkeypatch)
        if any(re.match(pattern, line) for pattern in NOT_RUN):
            continue
        program, *arguments = words_of(line)
        if program == "tanistry":
            status = ours(arguments, desk)
        elif program == "make":
            status = rehearsed(arguments)
        else:
            assert program == "python", f"{line}: run it in a test, or say in NOT_RUN why not"
            status = started(arguments, monkeypatch)
        said = capfd.readouterr()
        assert status == 0, f"{line}: {said.out[-2000:]}{said.err[-2000:]}"


def ours(arguments: list[str], desk: Path) -> int:
    """Carry a command out, but for what takes long in it."""
    flags = arguments[:2] if arguments[0] == "--lang" else []
    command, *rest = arguments[len(flags) :]
    if command == "serve" and "--help" not in rest:
        return serve([*flags, command, *rest], desk)
    if command == "admin" and not (desk / "tanistry.db").exists():
        serve([*flags, "serve"], desk)
    if command in ("analyse", "verify"):  # a whole one, and not what has just been left
        (desk / rest[0]).write_text(played())
    if command in COUNTING and tuple(arguments) in COUNTED:
        return 0
    COUNTED.add(tuple(arguments))
    if "--help" not in rest:
        rest += SHORTER.get(command, [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("q\n"))
        return run([*flags, command, *rest])


def serve(arguments: list[str], desk: Path) -> int:
    """Start a server, see that it is ready, and stop it; once for each way to start it."""
    if tuple(arguments) in SERVED:
        shutil.copy(SERVED[tuple(arguments)], desk / "tanistry.db")
        return 0
    kept = SERVED[tuple(arguments)] = desk / f"served-{len(SERVED)}.db"
    server = Process(desk, database=desk / "tanistry.db")
    arguments = [*arguments, "--port", str(server.port)]
    server.command = f"import sys; from tanistry.cli.app import run; sys.exit(run({arguments!r}))"
    server.start()
    try:
        with urllib.request.urlopen(f"{server.url}/readyz", timeout=PATIENCE) as answer:
            move_in(server)
            return int(answer.status != 200)
    finally:
        server.stop()
        shutil.copy(desk / "tanistry.db", kept)


def move_in(server: Process) -> None:
    """The people of whom documents speak have accounts, where everybody may come."""
    for login in PEOPLE:
        with suppress(RefusedByServer):  # they are there, or are not invited
            account = {"login": login, "password": "rain on the glen"}
            server.http().request("POST", "/account", account)


def rehearsed(arguments: list[str]) -> int:
    """What make would do, all the way down."""
    command = ["make", "--dry-run", "--always-make", "--directory", str(ROOT), *arguments]
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode


def started(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Start a script; what measures reads its arguments and is stopped by asking for help."""
    flag, *rest = arguments
    if not flag.startswith("tools/"):
        rest.append("--help")
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.setattr(sys, "argv", ["", *(rest[1:] if flag == "-m" else rest)])
    try:
        if flag == "-m":
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(str(ROOT / flag), run_name="__main__")
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_there_is_something_to_type() -> None:
    lines = [line for found in TYPED.values() for line in found]
    assert len(lines) > 150
    skipped = {p for p in NOT_RUN if not any(re.match(p, line) for line in lines)}
    assert not skipped, "nothing is written like that any more"


@pytest.mark.parametrize("new", [tanistry.__version__, "1.2.0"])
def test_a_release_is_prepared(tmp_path: Path, new: str) -> None:
    """The first one, too, whose number the package has had from the beginning."""
    for name in ("tools/release.py", "src/tanistry/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n- A game.\n")

    def release(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "tools/release.py", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert release("check", f"v{new}").returncode
    assert release("prepare", new).returncode == 0
    assert release("check", f"v{new}").returncode == 0
    assert release("notes").stdout == "- A game.\n"
    assert release("prepare", new).returncode, "nothing has changed since"
