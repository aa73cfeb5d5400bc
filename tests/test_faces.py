"""Whatever shows a game takes no code, token or place's name apart: the rules tell what these mean.

Each place where a face of the product takes a text apart is listed below, with what that text is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import tanistry

ROOT = Path(tanistry.__file__).parent
FACES = ("tui", "cli", "session", "envs", "studies", "client", "arena")
BEHIND = ("server", "analysis", "tournaments", "bots", "simulation", "learning", "browser")
"""These read addresses, cookies and settings: only what is called a code, a token or a place is
looked at. (In the browser `web/eslint.config.js` says the same of every table and page.)"""
CUTS = {"split", "rsplit", "partition", "rpartition", "startswith", "endswith", "removeprefix",
        "removesuffix"}  # fmt: skip
STRIPS = {"strip", "lstrip", "rstrip"}  # harmless, unless they are told what to strip
PATTERNS = {
    "compile",
    "sub",
    "subn",
    "split",
    "match",
    "fullmatch",
    "search",
    "findall",
    "finditer",
}
NAMES_OF_CODES = {"code", "token", "card", "place", "stone"}

ALLOWED = {
    "session/session.py _joined": "a sentence that is counted ends after its number",
    "arena/plot.py draw": "the ending of a file",
    "arena/results.py _first_versions": "how a bot is written",
    "cli/app.py _complain": "a sentence, brought to one line",
    "cli/app.py _first_words": "what an error says",
    "cli/app.py _is_of_compiler": "the name of a module",
    "cli/commands/new_game.py ": "what somebody typed",
    "cli/commands/new_game.py _renamed": "the source of the game that a new one is made from",
    "cli/commands/rules.py rules": "what somebody typed",
    "cli/commands/serve.py network_address": "an address",
    "cli/commands/study.py _listed": "what somebody typed",
    "cli/commands/study.py _read_vary": "what somebody typed",
    "cli/commands/study.py _settled": "what somebody typed",
    "cli/commands/verify.py verify": "what somebody typed",
    "cli/common.py load_game": "what somebody typed",
    "cli/keeper.py _address": "an address",
    "cli/manual.py _flag": "the names of flags",
    "cli/manual.py _option": "the names of flags",
    "cli/manual.py as_typed": "the names of flags",
    "cli/manual.py page": "the path of a command; paragraphs",
    "cli/manual.py parse_args": "what somebody typed",
    "cli/manual.py resolve_command": "what somebody typed",
    "cli/manual.py wrap": "prose",
    "cli/plain.py command": "what somebody typed",
    "cli/reading.py read_players": "what somebody typed",
    "cli/remote.py play_remote": "an address",
    "client/http.py is_passing": "a refusal's code",
    "session/describe.py _counted": "the words for a card that is not known",
    "session/describe.py card_meant": "what somebody typed",
    "session/describe.py question": "a sentence",
    "session/language.py asked_for": "what somebody typed",
    "session/language.py from_locale": "a locale",
    "session/language.py reworded": "what the parser of the command line says",
    "session/rules.py find": "what somebody typed",
    "session/session.py _folded": "what somebody typed",
    "session/session.py game_token": "what somebody typed",
    "studies/engines.py _check_answers": "an address",
    "studies/plan.py ": "what somebody typed",
    "studies/plan.py read": "what somebody typed",
    "studies/wording.py signed": "a number that was written",
}  # fmt: skip
CALLED_A_TOKEN = {
    "learning/league.py taste_of": "a pattern that somebody wrote into a setting",
    "server/messages.py invalid": "where in a message a value stands",
    "server/notices.py stop": "what a letter's link holds",
    "server/refusals.py status": "a refusal's code",
}


def cuts(source: str) -> Iterator[tuple[str, Any, str]]:
    """Where a text is taken apart: the function, the node, and how."""

    def look(node: ast.AST, inside: str) -> Iterator[tuple[str, Any, str]]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside = node.name
        how = cut(node)
        if how:
            yield inside, node, how
        for child in ast.iter_child_nodes(node):
            yield from look(child, inside)

    yield from look(ast.parse(source), "")


def cut(node: ast.AST) -> str:
    """How a node takes a text apart; empty if it does not."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        method, given = node.func.attr, node.func.value
        if isinstance(given, ast.Name) and given.id == "re" and method in PATTERNS:
            return f"re.{method}"
        if method in CUTS or (method in STRIPS and node.args):
            return method
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        by_number = isinstance(node.slice, (ast.Slice, ast.UnaryOp)) or (
            isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
        )
        if name_of(node.value) in NAMES_OF_CODES and by_number:
            return "a piece of it"
    return ""


def is_of_a_code(node: ast.AST) -> bool:
    """Whether what is taken apart, by whatever means, goes by the name of a code."""
    taken = [node.func, *node.args] if isinstance(node, ast.Call) else [node]
    return any(name_of(part) in NAMES_OF_CODES for one in taken for part in ast.walk(one))


def name_of(node: ast.AST) -> str | None:
    return getattr(node, "id", None) or getattr(node, "attr", None)


def found(packages: Sequence[str], wanted: Callable[[ast.AST], bool]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for package in packages:
        for file in sorted((ROOT / package).rglob("*.py")):
            for function, node, how in cuts(file.read_text("utf-8")):
                if wanted(node):
                    key = f"{file.relative_to(ROOT).as_posix()} {function}"
                    places.setdefault(key, []).append(f"{how} in line {node.lineno}")
    return places


@pytest.mark.parametrize(
    ("packages", "wanted", "allowed"),
    [(FACES, lambda _: True, ALLOWED), (BEHIND, is_of_a_code, CALLED_A_TOKEN)],
    ids=["faces", "behind them"],
)
def test_nobody_takes_codes_apart(
    packages: Sequence[str], wanted: Callable[[ast.AST], bool], allowed: dict[str, str]
) -> None:
    places = found(packages, wanted)
    assert {key: how for key, how in places.items() if key not in allowed} == {}
    assert set(allowed) - set(places) == set(), "no longer there"


@pytest.mark.parametrize(
    "source",
    [
        "def f(code): return code[1:]",
        "def f(token): return token.split('@')",
        "def f(place): return place.name.rpartition('.')[2]",
        "def f(code): return code.rstrip('0123456789')",
        "def f(event): return event['to'].startswith('trick.')",
        "import re\ndef f(token): return re.fullmatch(r'climb (.*)', token)",
        "class A:\n    def f(self): return self.code[0]",
    ],
)
def test_it_would_be_noticed(source: str) -> None:
    assert [function for function, _, _ in cuts(source)] == ["f"]


@pytest.mark.parametrize(
    ("source", "noticed"),
    [
        ("def f(token): return token.split('@')", True),
        ("def f(move): return move.token.partition(' ')[0]", True),
        ("import re\ndef f(card): return re.match('[A-Z]+', card)", True),
        ("def f(place): return place.name.split('.')", True),
        ("def f(code): return code[0]", True),
        ("def f(address): return address.rpartition(':')", False),
    ],
)
def test_it_would_be_noticed_behind_them(source: str, noticed: bool) -> None:
    assert [is_of_a_code(node) for _, node, _ in cuts(source)] == [noticed]


def test_what_is_harmless_is_left_alone() -> None:
    source = (
        "def f(codes, text, rows): return codes[0], text.strip(), rows[1:], {'code': 1}['code']"
    )
    assert list(cuts(source)) == []
