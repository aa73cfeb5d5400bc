"""Tables to play at, on the pages about games: for a site in which the client lies, too."""

from __future__ import annotations

import os
import posixpath
import re

import tanistry
from tools.docs.texts import said

CLIENT = os.environ.get("TANISTRY_TABLE", "")
"""Where in the site the client is that needs no server (`make site`); "" for none (`make docs`)."""
TO_THE_RULES = re.compile(r"^\[[^]]*\]\(rules/(\w+)\.md\)\{ \.md-button \}", re.MULTILINE)
"""Where a page about a game leads on to the rules."""


def with_table(markdown: str, url: str, lang: str) -> str:
    """A page about a game with a table of it; the page about all, with a way to the client."""
    if not CLIENT:
        return markdown
    client = f"{posixpath.relpath(CLIENT, posixpath.dirname(url))}/index.html?lang={lang}"
    words = said(lang)["site"]
    if found := TO_THE_RULES.search(markdown):
        title = words["table"].format(title=tanistry.info(found[1]).title[lang])
        address = f"{client}#/play/{found[1]}"
        frame = f'<iframe src="{address}" title="{title}" loading="lazy"></iframe>'
        more = f'<a href="{address}" target="_blank">{words["window"]}</a>'
        figure = f'<figure class="table">{frame}<figcaption>{title} {more}</figcaption></figure>'
        return f"{markdown[: found.start()]}{figure}\n\n{markdown[found.start() :]}"
    if url.endswith("play/index.html"):
        button = f'<a class="md-button md-button--primary" href="{client}">{words["play"]}</a>'
        return markdown.replace("\n## ", f"\n{button}\n\n## ", 1)
    return markdown
