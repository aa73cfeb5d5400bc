"""What MkDocs calls while it builds the site (mkdocs.yml names this file).

The notebook and the documents at the root of the repository become pages here, and links to them
lead there; pages that are made from code lie in docs/ (tools/pages.py). The French pages live in
docs/fr under the names of the English ones: each side shows its own navigation, and a switch
leads to the same page on the other side, or to the other front page where there is none.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from tools.docs import notebook, openapi
from tools.docs.tables import with_table
from tools.docs.texts import said

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs/notebook.ipynb"
AT_THE_ROOT = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "reporting.md",
    "README.md": "index.md",
    "README.fr.md": "fr/index.md",
}
"""Documents a code host looks for at the root, and the pages they are here."""
PAGES = {**AT_THE_ROOT, "docs/notebook.ipynb": "notebook.md"}
"""The same for every document that is a page here and lies elsewhere in the repository."""
HOME = {"en": "index.html", "fr": "fr/index.html"}
LINK = re.compile(r"(\]\()([^)\s]+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, "openapi.json", content=openapi.as_json()))
    text, pictures = notebook.page(NOTEBOOK)
    files.append(File.generated(config, "notebook.md", content=text))
    for name, content in pictures.items():
        files.append(File.generated(config, name, content=content))
    for source, name in AT_THE_ROOT.items():
        if name not in files.src_uris:
            text = (ROOT / source).read_text("utf-8")
            files.append(File.generated(config, name, content=_moved(text, "", name)))
    for path in sorted((ROOT / "deploy").iterdir()):
        files.append(File.generated(config, f"deploy/{path.name}", content=path.read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links to what lies elsewhere in the repository lead to the pages made of it; a page about a
    game gets a table to play at."""
    markdown = _anchors(_bars(markdown))
    if page.file.generated_by:
        return markdown
    here = posixpath.join("docs", page.file.src_uri)
    text = _moved(markdown, posixpath.dirname(here), page.file.src_uri)
    return with_table(text, page.url, language(page.file.src_uri))


MARKUP = re.compile(r"(<(code|pre|script|style|svg)\b.*?</\2>|<[^>]*>)", re.DOTALL)
FRENCH = (
    (re.compile(r" (?=[?!;])"), "\u202f"),
    (re.compile(r" (?=:)| (?=[»%])|(?<=«) "), "\u00a0"),
    (re.compile(r"(?<=\d) (?=\d{3}\b)"), "\u202f"),
)
"""Where a French line must not break; what is typed stays as it is."""


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if language(page.file.src_uri) != "fr":
        return html
    return "".join(
        part if n % 3 else _typeset(part)
        for n, part in enumerate(MARKUP.split(html))
        if n % 3 != 2  # the name of an element
    )


def _typeset(text: str) -> str:
    for pattern, sign in FRENCH:
        text = pattern.sub(sign, text)
    return text


def _bars(text: str) -> str:
    """Code in tables, where code hosts want `a\\|b` and the site would show the backslash."""

    def bare(row: re.Match[str]) -> str:
        return re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0])

    return re.sub(r"^\|.*$", bare, text, flags=re.MULTILINE)


def _anchors(text: str) -> str:
    """Headings with a place of their own, which code hosts want before the title."""
    return re.sub(r'^(#+) <a id="(\S+)"></a>(.+)$', r"\1 \3 { #\2 }", text, flags=re.MULTILINE)


def _moved(text: str, folder: str, name: str) -> str:
    """A document of `folder` (in the repository) whose links fit the page `name` (of the site)."""

    def fit(match: re.Match[str]) -> str:
        link, hash_, anchor = match[2].partition("#")
        if not link or re.match(r"[a-z]+:", link):
            return match[0]
        target = posixpath.normpath(posixpath.join(folder, link))
        if target in PAGES:
            target = PAGES[target]
        elif target.startswith("docs/"):
            target = target.removeprefix("docs/")
        found = posixpath.relpath(target, posixpath.dirname(name) or ".")
        return match[1] + found + hash_ + anchor

    fences = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if n % 2 else LINK.sub(fit, part) for n, part in enumerate(fences))


# -- two languages --------------------------------------------------------------------------------


def language(uri: str) -> str:
    return "fr" if uri.startswith("fr/") else "en"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = _spelled_out(config.nav)
    return config


def _spelled_out(nav: Any) -> Any:
    """The navigation with every pattern (`decisions/0*.md`) replaced by the pages that fit it."""
    if isinstance(nav, dict):
        return {title: _spelled_out(item) for title, item in nav.items()}
    if not isinstance(nav, list):
        return nav
    docs = ROOT / "docs"
    found: list[Any] = []
    for item in nav:
        if isinstance(item, str) and "*" in item:
            found += sorted(path.relative_to(docs).as_posix() for path in docs.glob(item))
        else:
            found.append(_spelled_out(item))
    return found


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """The last section of the navigation is the French side."""
    french = nav.items[-1]
    assert isinstance(french, Section)
    for item in french.children:
        item.parent = None
    sides = {"en": nav.items[:-1], "fr": french.children}
    for lang, items in sides.items():
        pages = [page for page in nav.pages if language(page.file.src_uri) == lang]
        config.extra[f"nav_{lang}"] = Navigation(items, pages)
        for before, after in zip([None, *pages], [*pages, None]):
            if before:
                before.next_page = after
            if after:
                after.previous_page = before
    return nav


def on_page_context(
    context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation
) -> dict[str, Any]:
    lang = language(page.file.src_uri)
    config.theme["language"] = lang
    config.copyright = said(lang)["site"]["copyright"]
    config.extra["homepage"] = HOME[lang]
    side = config.extra[f"nav_{lang}"]
    context["nav"] = side
    config.extra["alternate"] = [
        {"name": name, "lang": other, "link": _counterpart(page, other, config)}
        for name, other in (("English", "en"), ("Français", "fr"))
    ]
    return context


def _counterpart(page: Page, lang: str, config: MkDocsConfig) -> str:
    """The same page in a language, or the front page of that language."""
    uri = page.file.src_uri.removeprefix("fr/")
    wanted = uri if lang == "en" else f"fr/{uri}"
    for other in config.extra[f"nav_{lang}"].pages:
        if other.file.src_uri == wanted:
            return str(other.url)
    return HOME[lang]
