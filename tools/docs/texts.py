"""The words around what is made from code."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def said(lang: str) -> dict[str, dict[str, str]]:
    """The catalogue `words/LANG.toml` beside this file."""
    return tomllib.loads((Path(__file__).parent / f"words/{lang}.toml").read_text("utf-8"))
