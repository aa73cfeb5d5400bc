"""The documentation: built strictly, every link leads somewhere, nothing comes from elsewhere."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import tanistry
from tanistry.words import LANGUAGES

pytest.importorskip("material")
ROOT = Path(__file__).parents[1]
ELSEWHERE = re.compile(r"(?:https?:)?//")
LOADING = {"img", "script", "link", "iframe", "source", "video", "audio", "embed"}


class Reader(HTMLParser):
    """The links of a page, what it loads, and the places in it that one can link to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.language = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "html":
            self.language = given.get("lang", "")
        for name in ("href", "src"):
            if name in given:
                (self.loads if tag in LOADING else self.links).append(given[name])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "NO_MKDOCS_2_WARNING": "1",
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Reader]:
    found = {path: Reader(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    assert len(found) > 40
    return found


def inside(pages: dict[Path, Reader], loads: bool) -> Iterator[tuple[Path, str]]:
    for path, page in pages.items():
        for link in page.loads if loads else page.links:
            if (
                not ELSEWHERE.match(link)
                and not re.match(r"[a-z]+:", link)
                and path.name != "404.html"
            ):
                yield path, link


def target(page: Path, link: str) -> Path:
    found = (page.parent / unquote(urlsplit(link).path)).resolve() if urlsplit(link).path else page
    return found / "index.html" if found.is_dir() else found


def test_every_link_leads_somewhere(pages: dict[Path, Reader], site: Path) -> None:
    """Files and anchors, as a browser would follow them."""
    broken = []
    for path, link in [*inside(pages, loads=False), *inside(pages, loads=True)]:
        there, anchor = target(path, link), unquote(urlsplit(link).fragment)
        if not there.exists() or not there.is_relative_to(site):
            broken.append(f"{path.relative_to(site)}: {link}")
        elif anchor and there in pages and anchor not in pages[there].places:
            broken.append(f"{path.relative_to(site)}: no place {link}")
    assert not broken


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Reader], site: Path) -> None:
    loaded = {link for page in pages.values() for link in page.loads if ELSEWHERE.match(link)}
    assert not loaded
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet.name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_sides_speak_their_language(pages: dict[Path, Reader], site: Path, lang: str) -> None:
    side = site / "fr" if lang == "fr" else site / "play"
    for path in side.rglob("*.html"):
        assert pages[path].language == lang, path


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", tanistry.games())
def test_every_rule_is_on_the_rules_page(
    pages: dict[Path, Reader], site: Path, name: str, lang: str
) -> None:
    page = site / ("fr" if lang == "fr" else "") / f"play/rules/{name}/index.html"
    assert set(tanistry.info(name).rules) <= pages[page].places


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", tanistry.games())
def test_every_ruling_is_listed(name: str, lang: str) -> None:
    """Languages agree on which rules are rulings, and the list at the top has them all."""
    from tools.docs import rules

    from tanistry.words import words

    info = tanistry.info(name)
    marked = {
        each: [r.id for r in words(each, info).rules().values() if rules.rulings(r, each)]
        for each in LANGUAGES
    }
    assert marked["en"] == marked["fr"]
    head = rules.page(info, lang).split("\n## ")[1]
    assert marked[lang]
    assert all(f"(#{rule})" in head for rule in marked[lang])


def test_examples_on_made_pages_run() -> None:
    from tools.docs.hooks import generated

    pages = {name: make() for name, make in generated().items() if name.endswith(".md")}
    with_examples = {name: text for name, text in pages.items() if ">>>" in text}
    assert with_examples
    for name, text in with_examples.items():
        code = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
        test = doctest.DocTestParser().get_doctest(code, {}, name, name, 0)
        assert doctest.DocTestRunner().run(test).failed == 0, name


def test_the_tutorial_shows_the_whole_game() -> None:
    from tools import tutorial

    files = [path for path in tutorial.EXAMPLE.rglob("*") if path.suffix in (".py", ".toml")]
    assert tutorial.shown() == {p.relative_to(tutorial.EXAMPLE).as_posix() for p in files}
    assert tutorial.PAGE.read_text("utf-8") == tutorial.page(), "python -m tools.tutorial"


def test_the_notebook_says_what_it_computes() -> None:
    """Run anew. What bots answer changes as they get better: those cells need only run."""
    import nbformat
    from tools.notebook import NOTEBOOK, run

    kept, fresh = nbformat.read(NOTEBOOK, as_version=4), run(NOTEBOOK)
    for old, new in zip(kept.cells, fresh.cells, strict=True):
        if old.cell_type != "code":
            continue
        said = ["".join(o.get("text", "")) for o in old.outputs]
        says = ["".join(o.get("text", "")) for o in new.outputs]
        assert bool("".join(said)) == bool("".join(says)), old.source
        if "drifts" not in old.metadata.get("tags", []):
            assert said == says, old.source
