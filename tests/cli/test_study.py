"""`tanistry study`: a folder of results, gone on from, and every mistake one clear line."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from .conftest import Command


def test_a_study_and_going_on_with_it(tanistry_command: Command, tmp_path: Path) -> None:
    folder = str(tmp_path / "claim")
    asked = ("study", "claim", "--out", folder, "--seed", "3", "-p", "random,greedy@100")
    done = tanistry_command(*asked, "-n", "300")
    assert done.status == 0, done.err
    assert "report.html" in done.out
    assert {path.name for path in Path(folder).iterdir()} >= {
        "report.html", "study.json", "cards.parquet", "checkpoint.npz",
    }  # fmt: skip
    more = tanistry_command(*asked, "-n", "500", "--format", "json", "--lang", "fr")
    assert more.status == 0
    assert "une étude" in more.out
    data = json.loads((Path(folder) / "study.json").read_text())
    assert [setting["matches"] for setting in data["settings"]] == [500, 100]


def test_stopped_by_the_clock(
    tanistry_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()  # a clock that goes a second on whenever somebody looks at it
    monkeypatch.setattr("tanistry.studies.running.now", lambda: float(next(ticks)))
    done = tanistry_command(
        "study", "claim", "-n", "1000000000", "--minutes", "0.1", "--out", str(tmp_path),
        "--workers", "1",
    )  # fmt: skip
    assert done.status == 0
    assert "continues where it stopped" in done.err
    assert "Not all matches" in (tmp_path / "report.html").read_text()


def test_options_are_varied(tanistry_command: Command, tmp_path: Path) -> None:
    done = tanistry_command(
        "study", "claim", "-n", "50", "--vary", "first=0,1", "--vary", "seats=2",
        "--out", str(tmp_path),
    )  # fmt: skip
    assert done.status == 0, done.err
    assert "first=1, seats=2" in done.out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("chess",), "claim"),
        (("claim", "-p", "hal"), "random"),
        (("claim", "-p", "ismcts:9"), "no level 9"),
        (("claim", "-p", "a b"), "a b"),
        (("claim", "-n", "0"), "n cannot be 0"),
        (("claim", "-n", "many"), "-n: "),
        (("claim", "-n", "9", "-p", "random@0"), "@ cannot be 0"),
        (("claim", "--vary", "first="), "0, 1"),
        (("claim", "--vary", "first=0", "--vary", "first=0"), "first=0 appears twice"),
        (("lords", "--vary", "seats", "--vary", "edition", "--vary", "target"), "At most 64"),
        (("claim", "-p", "ismcts,ismcts:3"), "ismcts:3 appears twice"),
        (("claim", "--option", "first=1", "--vary", "first"), "--option first"),
        (("claim", "--seats", "2", "--vary", "seats"), "--seats"),
        (("claim", "--out", ""), "'' cannot be written"),
        (("claim", "--format", ""), "json, parquet, html"),
        (("claim", "--vary", "edition"), "first"),
        (("claim", "--vary", "first=7"), "7"),
        (("claim", "--vary", "seats=many"), "seats=many"),
        (("claim", "--format", "pdf"), "json, parquet, html"),
        (("claim", "--engine", "spark"), "local, ray"),
        (("claim", "--workers", "0"), "workers"),
        (("claim", "--seed", "forty"), "forty"),
        (("claim", "--out", "/proc/no/such/folder"), "/proc/no/such/folder"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_one_line_and_status_2(
    tanistry_command: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    named: str,
    lang: str,
) -> None:
    monkeypatch.setenv("LANG", lang)
    monkeypatch.chdir(tmp_path)
    done = tanistry_command("study", *arguments)
    assert done.status == 2
    assert len(done.err.splitlines()) == 1, done.err
    assert named in done.err or lang == "fr"
