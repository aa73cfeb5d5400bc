"""Check the spelling of everything French; codespell looks after the English.

    python tools/spelling.py

The dictionary is Hunspell's (the npm package dictionary-fr), read by spylls: no program of the
system is needed. Words it lacks and we mean, names above all, stand in tools/spelling.txt.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from spylls.hunspell import Dictionary

ROOT = Path(__file__).parents[1]
DICTIONARY = ROOT / "web/node_modules/dictionary-fr/index"
MEANT = ROOT / "tools/spelling.txt"
SOURCES = [
    "README.fr.md",
    "docs/fr/**/*.md",
    "src/**/fr.toml",
    "examples/**/fr.toml",
    "tools/docs/words/fr.toml",
    "web/src/texts/[!e]*.ts",  # all but en.ts, which is English
]
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
NOT_PROSE = {
    ".md": [
        r"^ *```.*?^ *```",  # code
        r"^---$.*?^---$",  # the head of a page
        r"`[^`]*`",
        r"\]\([^)]*\)",  # where a link leads
        r"\{[^}]*\}",  # attributes
        r"<[^>]*>",
    ],
    ".toml": [
        r"^\s*#.*?$",
        r"^\[.*?\]$",  # names of tables
        r"^\s*(?:match|command|title_en) *=.*?$",
        r"^\s*(?:[\w./-]+|\"[^\"\n]*\") *= *",  # keys
        r"`[^`]*`",
        r"\{[^}|]*:([^}]*)\}|\{[^}]*\}",  # values; the forms that go with a number stay
    ],
    ".ts": [
        r"//.*?$|/\*.*?\*/",
        r"\A.*?^(?:export )?const fr\b[^\n]*$|^\}.*\Z",  # all but the French texts
        r"^\s*'?[\w./-]+'?: ?",  # keys
        r"\$?\{[^}|]*:([^}]*)\}|\$?\{[^}]*\}",
        r"^\s*\w+$",  # what a condition asks
        r"\([a-z][\w:, ]*\) =>|\w+ (?:===?|<|>) (?:null|\d+)|\b\w+\(\w+, |\b[a-z]+[A-Z]\w*",  # code
    ],
}


def prose(path: Path) -> str:
    """A file without what is not French: line for line, so that places can be told."""

    def blank(found: re.Match[str]) -> str:
        kept = next((group for group in found.groups() if group), "") if found.groups() else ""
        return kept.replace("|", " ") + "\n" * found[0].count("\n") + " "

    text = path.read_text("utf-8")
    for pattern in NOT_PROSE[path.suffix]:
        text = re.sub(pattern, blank, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\\[nt]|\S+://\S+|\S+@\S+|--\w[\w-]*|\b\w+(?:[./_]\w+)+", " ", text)


def misspelt() -> Iterator[str]:
    """Each word that is unknown, with its place."""
    dictionary = Dictionary.from_files(str(DICTIONARY))
    known = {word.lower() for word in MEANT.read_text("utf-8").split()}
    judged: dict[str, bool] = {}

    def right(word: str) -> bool:
        if word not in judged:
            parts = re.split(r"['’-]", word)
            judged[word] = (
                word.isupper()  # codes of cards, abbreviations
                or word.lower() in known
                or bool(dictionary.lookup(word))
                or bool(dictionary.lookup(word.lower()))
                or (len(parts) > 1 and all(right(part) for part in parts))
            )
        return judged[word]

    for path in (path for source in SOURCES for path in sorted(ROOT.glob(source))):
        if path.read_text("utf-8").startswith("<!-- Made by"):
            continue  # what it is made of is checked
        for number, line in enumerate(prose(path).splitlines(), 1):
            for word in WORD.findall(line):
                if not right(word):
                    yield f"{path.relative_to(ROOT).as_posix()}:{number}: {word}"


if __name__ == "__main__":
    if not DICTIONARY.with_suffix(".dic").exists():
        sys.exit("The French dictionary is not installed: python tools/web.py lint fetches it.")
    found = list(misspelt())
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
