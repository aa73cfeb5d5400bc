"""Every command's page, complete in both languages; tests/test_typed.py tries the examples."""

from __future__ import annotations

import re
from dataclasses import astuple
from typing import Any

import pytest
import typer.main

from tanistry.cli.app import build
from tanistry.cli.commands.admin import What
from tanistry.cli.manual import Page, page, shown
from tanistry.session.language import texts
from tanistry.words import LANGUAGES

from .conftest import Command


def pages(lang: str) -> dict[str, Page]:
    say = texts(lang)
    top: Any = typer.main.get_command(build(say))
    found = {"tanistry": page(top, "tanistry", say)}
    for name, command in top.commands.items():
        found[name] = page(command, f"tanistry {name}", say)
    return found


PAGES = {lang: pages(lang) for lang in LANGUAGES}
COMMANDS = [name for name in PAGES["en"] if name != "tanistry"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", PAGES["en"])
def test_nothing_is_left_unsaid(name: str, lang: str) -> None:
    found = PAGES[lang][name]
    assert found.about, "about in the catalogue says how it works"
    assert found.examples
    for _, entries in found.sections:
        for entry in entries:
            assert entry.text.strip(), f"{entry.name} is not explained"
            assert not entry.text.startswith("help."), f"{entry.name} has no text"
            assert "VALUE" not in entry.name.replace("NAME=VALUE", ""), "give it a metavar"


@pytest.mark.parametrize(("lang", "word"), [("en", "EXAMPLES"), ("fr", "EXEMPLES")])
@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_the_page(tanistry_command: Command, name: str, lang: str, word: str) -> None:
    for arguments in ((name, "--lang", lang, "--help"), ("--lang", lang, name, "-h")):
        done = tanistry_command(*arguments)
        assert (done.status, done.err) == (0, "")
        said = " ".join(done.out.split())
        assert said.startswith(f"tanistry {name} — {PAGES[lang][name].summary}")
        assert word in done.lines
        assert done.out.endswith("\n")


def test_help_lists_every_command(tanistry_command: Command) -> None:
    for arguments in ((), ("--help",), ("-h",)):
        done = tanistry_command(*arguments)
        assert done.status == 0
        assert all(f"    {name} " in done.out for name in COMMANDS)


def test_help_fits_a_narrow_terminal(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    explained = tanistry_command("serve", "--help").out.partition("EXAMPLES")[0]
    assert max(map(len, explained.splitlines())) <= 60


@pytest.mark.parametrize("width", [60, 70, 80, 90])
def test_no_line_begins_with_a_mark(width: int) -> None:
    for found in PAGES["fr"].values():
        for line in shown(found, texts("fr"), width).splitlines():
            assert not line.lstrip().startswith((": ", "; ", "»"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_can_be_copied(lang: str) -> None:
    """`study-claim/report.html` is on one line."""
    for found in PAGES[lang].values():
        lines = shown(found, texts(lang), 80).splitlines()
        assert not [line for line in lines if line.endswith("-") and not line.endswith(" -")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_an_administrator_can_do_is_a_list(lang: str) -> None:
    sections = PAGES[lang]["admin"].sections
    entries = dict(astuple(entry) for _, listed in sections for entry in listed)
    assert len(entries["WHAT"].splitlines()) > 10
    assert not [verb for verb in What if not re.search(rf"\b{verb}\b", entries["WHAT"])]


def test_the_language_may_stand_first(tanistry_command: Command) -> None:
    first, last = tanistry_command("--lang", "fr", "games"), tanistry_command("games", "--lang=fr")
    assert first.status == 0
    assert "joueurs" in first.out
    assert first == last
    assert tanistry_command("--lang", "fr", "games", "--lang", "en").out != first.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--lang", "fr"), "Quelle commande ?"),
        (("--lang", "fr", "plya"), "Il n'y a pas de commande plya."),
        (("--lang", "fr", "play"), "Il manque GAME."),
        (("--lang", "fr", "games", "--loud"), "Il n'y a pas d'option --loud ici."),
        (("--lang", "fr", "games", "x"), "Argument inattendu : x."),
        (("--lang", "fr", "simulate", "claim", "-n"), "-n demande une valeur."),
        (("--lang", "fr", "simulate", "claim", "--json=1"), "--json ne prend pas de valeur."),
        (("--lang", "fr", "simulate", "claim", "-n", "x"), "pas un nombre entier."),
        (("--lang", "fr", "play", "claim", "--pace", "11"), "--pace"),
        (("--lang", "fr", "play", "claim", "--pace", "x"), "--pace : ce n'est pas un nombre."),
        (("--lang", "fr", "games", "--lang", "de"), "n'est pas l'une des valeurs"),
    ],
)
def test_the_parser_speaks_french(
    tanistry_command: Command, arguments: tuple[str, ...], said: str
) -> None:
    done = tanistry_command(*arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    for english in ("Invalid", "Input should", "Missing", "No such", "Got"):
        assert english not in done.err
