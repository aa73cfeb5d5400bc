"""Which language to speak, the terminal's own texts in it, and errors worded by them."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from tanistry.catalogue import LANGUAGES, Catalogue, common

DEFAULT = "en"


def from_locale(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the locale, English if it is none of ours."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            lang = value.partition(".")[0].partition("_")[0].lower()
            return lang if lang in LANGUAGES else DEFAULT
    return DEFAULT


def asked_for(arguments: Sequence[str]) -> str:
    """The language of a command line: `--lang`, or else the locale's.

    It is needed before the command line is read, because help and errors are worded in it. Of
    several the last counts.
    """
    lang = from_locale()
    for index, argument in enumerate(arguments):
        value = ""
        if argument == "--lang" and index + 1 < len(arguments):
            value = arguments[index + 1]
        elif argument.startswith("--lang="):
            value = argument.partition("=")[2]
        if value in LANGUAGES:
            lang = value
    return lang


class Misuse(Exception):
    """Something the person asked for cannot be done; the message is already in their language."""


class Texts(Catalogue):
    """The texts of the terminal: `say("play.quit", seat=1)`."""

    def __call__(self, key: str, /, **values: Any) -> str:
        return self.text(key, values)

    def reworded(self, complaint: str) -> str:
        """What the parser of the command line says, in our words where we have some for it."""
        for entry in self.find("parser"):
            if match := re.fullmatch(entry["match"], complaint, re.DOTALL):
                found = match.groupdict(default="")
                names = {key: re.sub("' / '|', '", ", ", text) for key, text in found.items()}
                return str(entry["say"]).format(**names)
        return complaint


@cache
def texts(lang: str) -> Texts:
    text = files("tanistry.session").joinpath(f"words/{lang}.toml").read_text("utf-8")
    return Texts(lang, tomllib.loads(text), common(lang))
