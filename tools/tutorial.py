"""The files of examples/heir, whole, in docs/tutorial.md: python -m tools.tutorial [--check].

A block with `title="heir/rules.py"` holds that file. People read the page in the clone too, so
the text stands in it; a test asks whether it is what the files say.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools import generated

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples/heir"
PAGE = ROOT / "docs/tutorial.md"
BLOCK = re.compile(r'^(```\w+ title="([^"]+)"\n).*?^```$', re.MULTILINE | re.DOTALL)


def page() -> str:
    """The tutorial with its files as they are now."""
    text = PAGE.read_text("utf-8")
    return BLOCK.sub(lambda m: f"{m[1]}{(EXAMPLE / m[2]).read_text('utf-8')}```", text)


def shown() -> set[str]:
    """The files on the page."""
    return {name for _, name in BLOCK.findall(PAGE.read_text("utf-8"))}


if __name__ == "__main__":
    generated.main("tools.tutorial", [(PAGE, page())])
