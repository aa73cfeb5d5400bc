"""What is written about a study, and what is said when it cannot be."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.studies import Study, files
from tanistry.studies.charts import ticks
from tanistry.studies.checkpoint import NAME
from tanistry.studies.results import TABLES


@pytest.fixture(scope="module")
def claim() -> tanistry.Game:
    return tanistry.game("claim")


@pytest.fixture(scope="module")
def study(claim: tanistry.Game) -> Study:
    return tanistry.study(claim, n=2000, seed=1, policies=["random"], vary={"first": None})


def test_json_holds_every_table(study: Study, tmp_path: Path) -> None:
    (path,) = study.write(tmp_path, ("json",))
    data = json.loads(path.read_text())
    assert (data["game"], data["tanistry"]) == ("claim", tanistry.__version__)
    for setting in data["settings"]:
        assert setting["matches"] == 2000
        assert all(setting[name] for name in TABLES)
    assert data == json.loads(json.dumps(study.data()))


def test_parquet_holds_the_same_rows(study: Study, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    written = study.write(tmp_path, ("parquet",))
    assert {path.stem for path in written} == set(TABLES)
    found = parquet.read_table(tmp_path / "cards.parquet")
    assert json.loads(found.schema.metadata[b"study"])["seed"] == study.plan.key.hex()
    rows = found.to_pylist()
    assert rows == files.table(study, "cards")
    assert {row["bot_version"] for row in rows} == {1}
    assert {row["option_first"] for row in rows} == {0, 1}


class Page(HTMLParser):
    """Sees that every tag is closed, and what is shown."""

    VOID = frozenset({"meta", "br", "link", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for key, value in attrs if key in ("href", "src")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(("lang", "said"), [("en", "Undead 9"), ("fr", "Mort-vivant 9")])
def test_the_page_stands_alone(study: Study, tmp_path: Path, lang: str, said: str) -> None:
    (path,) = study.write(tmp_path, ("html",), lang)
    text = path.read_text("utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert {"svg", "table", "style", "script"} <= page.seen
    assert all(link.startswith("#") for link in page.links)
    assert not re.search(r"https?:|url\(|@import|fetch\(", text)
    assert f'lang="{lang}"' in text
    assert said in text
    assert "{" not in re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)
    assert not re.search(r">[a-z]\w*(\.\w+)+<", text), "a text is missing"


def test_links_lead_somewhere_in_every_setting(study: Study, tmp_path: Path) -> None:
    (path,) = study.write(tmp_path, ("html",))
    text = path.read_text("utf-8")
    ids = re.findall(r'id="([\w-]+)"', text)
    assert len(ids) == len(set(ids))
    linked = re.findall(r'<a href="#([\w-]+)"', text)
    assert "rules" in linked
    assert set(linked) <= set(ids)
    assert {"cards-1", "rules-1"} <= set(ids)  # where the links lead when the second is shown


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.499, 0.501), (-4.8, 7.1), (52, 52), (3, 260)])
def test_ticks_are_round_and_within(low: float, high: float) -> None:
    found = ticks(low, high)
    assert len(found) <= 6
    assert all(low - 1e-6 <= tick <= high + 1e-6 for tick in found)


# -- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"policies": ["clever"]}, "random"),
        ({"policies": ["ismcts:9"]}, "no level 9"),
        ({"policies": ["random+"]}, "random+"),
        ({"policies": []}, "greedy"),
        ({"policies": ["random", "random"]}, "twice"),
        ({"policies": ["random@5", "random@7"]}, "twice"),
        ({"policies": ["ismcts", "ismcts:3"]}, "ismcts:3 appears twice"),
        ({"policies": [1]}, "1 is not a policy"),
        ({"policies": 1}, "1 is not a policy"),
        ({"policies": "rndom"}, "random"),
        ({"game": "claim"}, "tanistry.game(…)"),
        ({"n": "10"}, "n cannot be '10'"),
        ({"vary": {"seats": 3}}, "is for 2 players, not for 3"),
        ({"vary": {"first": "10"}}, "first cannot be '10'"),
        ({"vary": "first"}, "vary cannot be 'first'"),
        ({"vary": {"first": [0, 0]}}, "first=0 appears twice"),
        ({"until": -1}, "until cannot be -1"),
        ({"until": "soon"}, "until cannot be 'soon'"),
        ({"out": ""}, "'' cannot be written"),
        ({"out": 5}, "5 cannot be written"),
        ({"policies": ["greedy@0"]}, "@ cannot be 0"),
        ({"n": 0}, "n cannot be 0"),
        ({"n": 10**11}, "n cannot be"),
        ({"vary": {"edition": None}}, "first"),
        ({"vary": {"first": [2]}}, "first cannot be 2"),
        ({"vary": {"first": []}}, "0, 1"),
        ({"vary": {"seats": [3]}}, "is for 2 players, not for 3"),
        ({"engine": "spark"}, "local, ray"),
        ({"workers": 0}, "workers cannot be 0"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_cannot_be_studied(claim: tanistry.Game, wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(tanistry.TanistryError, match=re.escape(named)):
        tanistry.study(**{"game": claim, "n": 10, "seed": 1, **wrong})


def test_one_is_as_good_as_a_list(claim: tanistry.Game) -> None:
    many = tanistry.study(claim, n=np.int64(20), policies="greedy", vary={"seats": 2})  # type: ignore[arg-type]
    assert [result.label for result in many.results] == ["seats=2"]
    assert many.results[0].setting.policy.text == "greedy"
    assert many.results[0].matches == 20


@pytest.mark.parametrize("formats", [(), "", "pdf", ("json", "pdf")])
def test_formats_there_are_not(study: Study, tmp_path: Path, formats: Any) -> None:
    with pytest.raises(tanistry.OptionError, match="json, parquet, html"):
        study.write(tmp_path, formats)


def test_a_folder_without_a_name(study: Study) -> None:
    with pytest.raises(tanistry.OptionError, match="'' cannot be written"):
        study.write("", ("json",))


def test_a_language_there_is_not(study: Study, tmp_path: Path) -> None:
    with pytest.raises(tanistry.OptionError, match="en, fr"):
        study.write(tmp_path, ("html",), "de")


def test_no_page_without_a_match(claim: tanistry.Game, tmp_path: Path) -> None:
    nothing = tanistry.study(claim, n=10, until=0)
    assert nothing.write(tmp_path, ("html",)) == []


def test_a_folder_that_is_none(claim: tanistry.Game, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(tanistry.OptionError, match="cannot be written"):
        tanistry.study(claim, n=10, out=tmp_path / "file")
    with pytest.raises(tanistry.OptionError, match="cannot be written") as caught:
        tanistry.study(claim, n=10, out=tmp_path / "file" / "below")
    assert "n'est pas un dossier" in caught.value.message("fr")


def test_two_studies_do_not_share_a_folder(claim: tanistry.Game, tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="there is nothing to lock folders with")
    refused = []

    def meanwhile(_done: Any) -> None:
        if not refused:
            with pytest.raises(tanistry.OptionError, match="using the folder") as caught:
                tanistry.study(claim, n=10, out=tmp_path)
            refused.append(caught.value.message("fr"))

    tanistry.study(claim, n=10, out=tmp_path, progress=meanwhile)
    assert refused
    assert tanistry.study(claim, n=20, out=tmp_path).finished


def test_another_version_of_a_bot_is_another_study(
    claim: tanistry.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tanistry.study(claim, n=20, policies="greedy", out=tmp_path)
    monkeypatch.setattr("tanistry.bots.players.greedy.GreedyBot.version", 1000)
    with pytest.raises(tanistry.OptionError, match="older version"):
        tanistry.study(claim, n=20, policies="greedy", out=tmp_path)


def test_a_full_disk(claim: tanistry.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(tanistry.OptionError, match=r"cannot be written: no space is left"):
        tanistry.study(claim, n=10, out=tmp_path)


def test_a_folder_with_another_study(claim: tanistry.Game, tmp_path: Path) -> None:
    tanistry.study(claim, n=20, seed=1, out=tmp_path)
    for other in ({"seed": 2}, {"policies": ["greedy"]}):
        with pytest.raises(tanistry.OptionError, match="contains another study"):
            tanistry.study(claim, **{"n": 20, "seed": 1, "out": tmp_path, **other})
    with pytest.raises(tanistry.OptionError, match="at least as many"):
        tanistry.study(claim, n=10, seed=1, out=tmp_path)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04 cut off"])
def test_a_damaged_state(claim: tanistry.Game, tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(tanistry.OptionError, match="damaged"):
        tanistry.study(claim, n=10, out=tmp_path)


@pytest.mark.parametrize("done", [-5, 10, 21])
def test_a_state_that_contradicts_itself(claim: tanistry.Game, tmp_path: Path, done: int) -> None:
    tanistry.study(claim, n=20, seed=1, out=tmp_path)
    with np.load(tmp_path / NAME) as data:
        arrays = dict(data)
    head = {**json.loads(str(arrays["head"])), "done": [done]}
    np.savez(tmp_path / NAME, **{**arrays, "head": np.array(json.dumps(head))})
    with pytest.raises(tanistry.OptionError, match="damaged"):
        tanistry.study(claim, n=40, seed=1, out=tmp_path)


def test_what_is_not_installed_is_named(
    claim: tanistry.Game, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "find_spec", lambda _name: None)
    with pytest.raises(tanistry.OptionError, match=r"pip install 'tanistry\[study\]'"):
        study.write(tmp_path, ("parquet",))
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(tanistry.OptionError, match=r"pip install 'tanistry\[ray\]'"):
        tanistry.study(claim, n=10, engine="ray")
