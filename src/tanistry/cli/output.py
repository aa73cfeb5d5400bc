"""Where output goes: terminals that know no accents, closed pipes, full disks."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from collections.abc import Mapping
from io import TextIOWrapper
from typing import Literal, TextIO

ALIKE = {
    "–": "-", "—": "-", "−": "-", "…": "...", "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"',
    "»": '"', "×": "x", "·": "-", "→": "->", "←": "<-", "↑": "^", "↓": "v", "œ": "oe", "Œ": "OE",
    "≥": ">=", "≤": "<=", "±": "+-", "\u00a0": " ", "\u202f": " ",
}  # fmt: skip
"""What to write instead, where a terminal cannot."""
SAMPLE = "é…▲›"
"""Characters without which a table is not drawn."""


def approximate(failed: UnicodeError) -> tuple[str, int]:
    """An error handler for codecs: the nearest text in ASCII."""
    assert isinstance(failed, UnicodeEncodeError)
    return ascii_of(failed.object[failed.start : failed.end]), failed.end


def ascii_of(text: str) -> str:
    return "".join(_ascii(character) for character in text)


def _ascii(character: str) -> str:
    if character.isascii():
        return character
    if character in ALIKE:
        return ALIKE[character]
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(character) else "?")


def wants_ascii(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the locale is the plain one, by name.

    Python sets LC_CTYPE itself where only LANG=C is given, so that one does not count beside it.
    """
    if plain := environment.get("LC_ALL"):
        return plain in ("C", "POSIX")
    return environment.get("LANG") in ("C", "POSIX")


def fill_gaps() -> None:
    """Open what the shell has closed (`>&-`), lest a file of ours take its place.

    What is written to a closed output fails as it does elsewhere: the file in its place is open for
    reading. Who closes the input has nothing to say, who closes the errors does not want to know.
    """
    if sys.stdin is None:
        sys.stdin = _nothing(os.O_RDONLY, "r")
    if sys.stdout is None:
        sys.stdout = _nothing(os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _nothing(os.O_WRONLY, "w")


def _nothing(flags: int, mode: Literal["r", "w"]) -> TextIO:
    return os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8")


def set_up() -> None:
    """Let output never fail for a character."""
    fill_gaps()
    codecs.register_error("approximate", approximate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = "ascii" if wants_ascii() else stream.encoding
            stream.reconfigure(encoding=encoding, errors="approximate")


def can_show(text: str) -> bool:
    """Whether the output has these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii", "strict")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def let_go() -> None:
    """Whatever is still in the buffer has nowhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
