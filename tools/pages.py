"""The pages of docs/ that are made from code: commands, rules, tensors, the HTTP API.

    python -m tools.pages            # write them
    python -m tools.pages --check    # only say whether they are what they should be

People read the documents in the clone too, so the pages are kept there; a test asks whether they
are what the code says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import tanistry
from tanistry.words import LANGUAGES
from tools import generated
from tools.docs import commands, openapi, rules, tensors

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
HEAD = "<!-- Made by python -m tools.pages: do not edit. -->\n\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Each page, and what it should say."""
    for path, text in _texts():
        yield path, f"{HEAD}{text.rstrip()}\n"


def _texts() -> Iterator[tuple[Path, str]]:
    yield DOCS / "openapi.md", openapi.page()
    yield DOCS / "tensors.md", tensors.page()
    for lang in LANGUAGES:
        folder = DOCS if lang == "en" else DOCS / lang
        yield folder / "commands.md", commands.page(lang)
        for name, info in tanistry.games().items():
            yield folder / f"play/rules/{name}.md", rules.page(info, lang)


if __name__ == "__main__":
    generated.main("tools.pages", pages())
