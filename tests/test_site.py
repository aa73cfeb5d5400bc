"""The documentation: built strictly, every link leads somewhere, nothing comes from elsewhere."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from tools.web import WEB, node

import tanistry
from tanistry.words import LANGUAGES
from tests.browsers import CHROMIUM
from tests.web.people import DESKTOP, FLAGS, PATIENCE, Person
from tests.workers import made_once

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


def can_play() -> bool:
    """Whether what a client without a server is built from is here: `make web` sees to it."""
    return (WEB / "node_modules/vite").exists() and (WEB / "public/engines/claim.wasm").exists()


@pytest.fixture(scope="module")
def site(shared: Path) -> Path:
    folder = shared / "site"
    built = shared / "site.built"
    made_once(built, lambda: built.write_text(build_site(folder)))
    return folder


def build_site(folder: Path) -> str:
    """Build it as `make site` does, or `make docs`, a warning being an error; what was said."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "NO_MKDOCS_2_WARNING": "1",
        "TANISTRY_TABLE": "table" if can_play() else "",
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    if can_play():
        vite = [node(), str(WEB / "node_modules/vite/bin/vite.js"), "build", "--mode", "static"]
        table = ["--outDir", str(folder / "table"), "--logLevel", "error"]
        subprocess.run([*vite, *table], cwd=WEB, check=True)
    return done.stdout


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
        elif anchor.startswith("/"):
            assert there == site / "table/index.html", link  # the client finds its way from there
        elif anchor and there in pages and anchor not in pages[there].places:
            broken.append(f"{path.relative_to(site)}: no place {link}")
    assert not broken


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Reader], site: Path) -> None:
    loaded = {link for page in pages.values() for link in page.loads if ELSEWHERE.match(link)}
    assert not loaded
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet.name


def test_bars_in_code_are_shown_as_they_are(site: Path) -> None:
    for name, said in {"commands": "--lang fr|en", "protocol": "card: string | null"}.items():
        text = (site / f"{name}.html").read_text("utf-8")
        assert said in text
        assert "\\|" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_sides_speak_their_language(pages: dict[Path, Reader], site: Path, lang: str) -> None:
    side = site / "fr" if lang == "fr" else site / "play"
    for path in side.rglob("*.html"):
        assert pages[path].language == lang, path


def test_french_lines_do_not_break_before_a_sign(site: Path) -> None:
    text = (site / "fr/questions.html").read_text("utf-8")
    assert "Faut-il un compte\u202f?" in text
    assert "l'adresse" in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", tanistry.games())
def test_every_rule_is_on_the_rules_page(
    pages: dict[Path, Reader], site: Path, name: str, lang: str
) -> None:
    page = site / ("fr" if lang == "fr" else "") / f"play/rules/{name}.html"
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


def test_made_pages_are_up_to_date() -> None:
    from tools import generated, pages

    assert not generated.stale(pages.pages()), "run python -m tools.pages"


def test_the_picture_of_imports_is_up_to_date() -> None:
    from tools.picture_of_imports import PICTURE, draw

    assert PICTURE.read_text("utf-8") == draw(), "run make picture"


@pytest.mark.skipif(not can_play(), reason="the web client was not built: make web")
def test_the_figures_show_cards_as_the_tables_do(tmp_path: Path) -> None:
    environment = {**os.environ, "FIGURES": str(tmp_path)}
    subprocess.run([sys.executable, "tools/web.py", "figures"], env=environment, check=True)
    kept = ROOT / "docs/pictures/figures"
    drawn = {figure.name: figure.read_text("utf-8") for figure in tmp_path.iterdir()}
    assert drawn == {figure.name: figure.read_text("utf-8") for figure in kept.iterdir()}


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


# -- playing --------------------------------------------------------------------------------------


@pytest.fixture
def host(site: Path) -> Iterator[ThreadingHTTPServer]:
    """A plain file server, with the site in one of its folders."""
    files = partial(QuietFiles, directory=str(site.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not can_play() or CHROMIUM is None:
        pytest.skip("no engines to play with, or no chromium: make web")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as p:
        found = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
        yield found
        found.close()


@pytest.fixture
def visitor(site: Path, host: ThreadingHTTPServer, browser: Any) -> Iterator[Person]:
    """Somebody who comes to the site."""
    url = f"http://127.0.0.1:{host.server_port}/{site.name}"
    person = Person(browser, url, "en", DESKTOP, service_workers="allow")
    missing: list[str] = []

    def look(answer: Any) -> None:
        # The theme looks for a list of pages beside each; a page can do without.
        if answer.status >= 400 and not answer.url.endswith("sitemap.xml"):
            missing.append(answer.url)

    person.page.on("response", look)
    yield person
    person.leave()
    assert missing == []


class QuietFiles(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def test_a_match_on_a_plain_file_server(visitor: Person, host: ThreadingHTTPServer) -> None:
    """What needs a server is not there; what does not works, is kept, and goes on without a net."""
    page = visitor.open("/table/").page
    page.wait_for_selector("[data-play=claim]")
    assert not page.locator("[data-friends], a[href*=account]").count()
    page.click("[data-play=claim]")
    page.wait_for_selector(".felt [data-card]")
    rng = random.Random(1)
    for _ in range(3):
        assert visitor.wait_for_turn()
        visitor.choose(rng)
    visitor.wait_for_turn()
    turn = visitor.turn
    page.wait_for_function("() => navigator.serviceWorker.controller")
    host.shutdown()
    host.server_close()
    page.reload()  # from here on everything comes from the device
    visitor.wait_for_turn()
    assert visitor.turn == turn
    visitor.choose(rng)
    page.goto(f"{visitor.url}/table/#/rules/claim")
    page.wait_for_selector("main h1")
    page.goto(f"{visitor.url}/table/")
    page.click("[data-play=lords]")
    page.wait_for_selector(".felt [data-card]")
    assert visitor.wait_for_turn()


def test_a_site_in_a_folder_is_searched_without_a_server(site: Path, browser: Any) -> None:
    page = browser.new_page(offline=True)
    page.goto((site / "index.html").as_uri())
    sought = page.locator("[data-md-component=search-query]")
    for word, found in {"restore": "hosting.html", "sauvegarder": "fr/hosting.html"}.items():
        sought.clear()
        sought.press_sequentially(word)  # the page listens to keys
        page.locator(f".md-search-result__link[href*='{found}']").first.wait_for(timeout=PATIENCE)
    page.goto((site / "play/claim.html").as_uri())
    assert not page.locator("figure.table").is_visible()
    page.close()


def test_a_page_about_a_game_has_a_table(visitor: Person) -> None:
    for lang in LANGUAGES:
        page = visitor.open(f"/{'fr/' if lang == 'fr' else ''}play/kilt.html").page
        page.locator("figure.table iframe").scroll_into_view_if_needed()
        table = page.frame_locator("figure.table iframe")
        table.locator("[data-my-turn=true]").wait_for()
        assert table.locator("html").get_attribute("lang") == lang
        table.locator(".card.invites").first.click()
