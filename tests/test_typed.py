"""What the documents say to type: every line of every `sh` block is one that would be understood.

Commands of ours are read by the parser itself, to the last value, targets of make and scripts are
looked for. Lines for other programs stand in `OTHERS`, with why no test runs them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import heir as example
import tanistry
from tanistry.games import registry

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^ *```(?:sh|bash|console)\b[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
OTHERS = {
    "pip": "needs a package index; tests/test_package.py installs without one",
    "systemctl": "needs root; tests/server/test_deploy.py reads the unit",
    "source": "of the shell itself",
}
VARIABLE = re.compile(r"[A-Z_]+=\S+")


def typed(document: Path) -> list[list[str]]:
    """The words of each command, without variables in front and comments behind."""
    text = "\n".join(BLOCK.findall(document.read_text("utf-8"))).replace("\\\n", " ")
    lines = [shlex.split(line, comments=True) for line in text.splitlines()]
    words = [[word for word in line if word not in ("…", "$", "sudo", "exec")] for line in lines]
    return [_without_variables(line) for line in words if line]


def _without_variables(words: list[str]) -> list[str]:
    first = next((n for n, word in enumerate(words) if not VARIABLE.fullmatch(word)), len(words))
    return words[first:]


@pytest.fixture(autouse=True)
def heir() -> Iterator[None]:
    """The game of the tutorial, as if it had been installed."""
    tanistry.register(example.INFO)
    yield
    del registry._registered["heir"]


COMMANDS = [
    pytest.param(words, id=f"{document.relative_to(ROOT).as_posix()}: {' '.join(words)}")
    for document in DOCUMENTS
    for words in typed(document)
    if words
]


@pytest.mark.parametrize("words", COMMANDS)
def test_what_is_typed_is_understood(words: list[str]) -> None:
    program, *arguments = words
    if program == "tanistry":
        understood_by_us(_before_pipe(arguments))
    elif program == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        named = [word for word in arguments if "=" not in word]
        assert set(named) <= set(targets)
    elif program in ("python", "python3"):
        if arguments[:1] == ["-m"]:
            assert find_spec(arguments[1]), f"no module {arguments[1]}"
        elif arguments[0] != "-c":
            assert (ROOT / arguments[0]).exists(), f"no file {arguments[0]}"
    else:
        assert program in OTHERS, f"{program}: run it in a test, or say in OTHERS why not"


def _before_pipe(words: list[str]) -> list[str]:
    ends = [n for n, word in enumerate(words) if word in ("|", ">", "&", "&&", "<")]
    return words[: min(ends, default=len(words))]


def understood_by_us(arguments: list[str]) -> None:
    import typer.main

    from tanistry.cli.app import build
    from tanistry.session.language import texts

    top: Any = typer.main.get_command(build(texts("en")))
    context = top.make_context("tanistry", list(arguments))
    called, command, rest = top.resolve_command(context, [*context._protected_args, *context.args])
    assert not command.make_context(called, rest, parent=context).args


def test_there_is_something_to_type() -> None:
    assert len(COMMANDS) > 50
