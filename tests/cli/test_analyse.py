"""`tanistry analyse`: on a terminal, as data, as a page, in both languages."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tanistry

from .conftest import Command

QUICK = ("--deals", "1")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with names in it that a page must not take for its own."""
    match = tanistry.game("claim").deal(seed=3)
    bot = tanistry.bot("people:1", seed=3)
    while match.to_act is not None:
        match.play(bot.choose(match))
    file = tmp_path_factory.mktemp("records") / "match.txt"
    names = {"Seat0": "<b>Ann</b>", "Seat1": "Angus of the very long name " * 3}
    file.write_text(match.record(**names), "utf-8")
    return file


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", ("accuracy", "luck", "Key moments")), ("fr", ("précision", "hasard", "Moments clés"))],
)
def test_on_a_terminal(
    record: Path,
    tanistry_command: Command,
    monkeypatch: pytest.MonkeyPatch,
    lang: str,
    said: tuple[str, ...],
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    done = tanistry_command("analyse", str(record), *QUICK, "--lang", lang)
    assert done.status == 0
    assert all(word in done.out for word in said)
    assert max(map(len, done.lines)) <= 60
    assert "\x1b" not in done.out
    assert "{" not in done.out


def test_every_choice_is_listed(record: Path, tanistry_command: Command) -> None:
    done = tanistry_command("analyse", str(record), *QUICK, "--all")
    numbers = [int(found[1]) for line in done.lines if (found := re.match(r"(\d+)\. ", line))]
    assert numbers == list(range(1, 53))


def test_as_data(record: Path, tanistry_command: Command) -> None:
    found = json.loads(tanistry_command("analyse", str(record), *QUICK, "--json").out)
    assert (found["game"], found["seats"], found["names"][0]) == ("claim", 2, "<b>Ann</b>")
    assert len(found["curve"]) == len(found["choices"]) + 1 == 53
    for player in found["players"]:
        parts = (player[name] for name in ("start", "own", "others", "luck"))
        assert sum(parts) == pytest.approx(player["result"], abs=3e-4)  # each is rounded


class Links(HTMLParser):
    """Notes all that a page would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.found += [f"{k}={v}" for k, v in attrs if k in ("src", "href") or k.startswith("on")]


def test_as_a_page_that_needs_nothing_else(
    record: Path, tanistry_command: Command, tmp_path: Path
) -> None:
    page = tmp_path / "match.html"
    done = tanistry_command("analyse", str(record), *QUICK, "--html", str(page), "--lang", "fr")
    assert (done.status, done.out) == (0, "")
    text = page.read_text("utf-8")
    links = Links()
    links.feed(text)
    assert not links.found
    assert {"svg", "polyline", "table"} <= links.tags
    assert not {"script", "link", "b"} & links.tags
    assert "url(" not in text
    assert "&lt;b&gt;Ann" in text
    assert '<html lang="fr">' in text


@pytest.mark.parametrize(
    ("lang", "ended", "said", "part"),
    [
        ("en", "flag 1", "(Angus ran out of time)", "end +"),
        ("fr", "resign 0", "(Ailsa a abandonné)", "fin +"),
        ("en", "draw", "(a draw was agreed)", "end "),
    ],
)
def test_a_match_that_was_not_played_out(
    tanistry_command: Command, tmp_path: Path, lang: str, ended: str, said: str, part: str
) -> None:
    match = tanistry.game("claim").deal(seed=3)
    for _ in range(3):
        match.play(match.legal()[0])
    file, page = tmp_path / "match.txt", tmp_path / "match.html"
    file.write_text(match.record(Seat0="Ailsa", Seat1="Angus", EndedBy=ended), "utf-8")
    done = tanistry_command("analyse", str(file), *QUICK, "--lang", lang)
    assert done.status == 0
    assert said in done.lines[0]
    assert part in " ".join(done.lines)
    tanistry_command("analyse", str(file), *QUICK, "--lang", lang, "--html", str(page))
    text = page.read_text("utf-8")
    assert said in text
    assert ">End<" in text or ">Fin<" in text
    assert re.search("(luck|hasard) \\+ (end|fin) = ", text)
    assert not re.search("(luck|hasard) = ", text)


def test_names_in_a_record_do_not_steer_the_terminal(
    tanistry_command: Command, tmp_path: Path
) -> None:
    file = tmp_path / "match.txt"
    match = tanistry.game("claim").deal(seed=3)
    file.write_text(match.record(Seat0="\x1b[31mred", Seat1="\u202e\x07", EndedBy="draw"), "utf-8")
    done = tanistry_command("analyse", str(file), *QUICK, "--lang", "en")
    assert done.status == 0
    assert "[31mred" in done.lines[0]
    assert "Angus" in done.lines[0]
    assert all(line.isprintable() for line in done.lines)


def test_what_cannot_be_analysed(record: Path, tanistry_command: Command, tmp_path: Path) -> None:
    running = tmp_path / "running.txt"
    running.write_text(tanistry.game("claim").deal(seed=1).record(), "utf-8")
    done = tanistry_command("analyse", str(running))
    assert (done.status, done.out) == (2, "")
    assert "not played to its end" in done.err
    assert "jusqu'au bout" in tanistry_command("analyse", str(running), "--lang", "fr").err
    missing = tanistry_command("analyse", str(tmp_path / "none.txt"))
    assert missing.status == 2
    unwritable = running / "page.html"  # in a file, not in a folder
    assert tanistry_command("analyse", str(record), "--html", str(unwritable)).status == 2


@pytest.mark.parametrize("deals", ["0", "10001"])
def test_deals_have_one_limit(record: Path, tanistry_command: Command, deals: str) -> None:
    """The command and the function refuse the same numbers, in the same sentence."""
    done = tanistry_command("analyse", str(record), "--deals", deals)
    assert (done.status, done.out) == (2, "")
    with pytest.raises(tanistry.OptionError) as wrong:
        tanistry.analyse(record.read_text("utf-8"), deals=int(deals))
    assert wrong.value.message("en") in done.err
