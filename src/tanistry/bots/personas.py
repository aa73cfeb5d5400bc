"""Six levels that play like people, under the same names in all games, and who plays at each.

A level is data. The first five draw their choices from what the game's network likes, with more or
less `sense` (see `bots.reading`), the fifth only from those that the network itself makes now and
then; the sixth is the champion, who thinks ahead. How much sense each has was measured, so that a
step is about as high as the next: `python benchmarks/levels.py ladder`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tanistry.bots.reading import SURE
from tanistry.catalogue import LANGUAGES, Catalogue, catalogue

LEVELS = (1, 2, 3, 4, 5, 6)
CHAMPION = LEVELS[-1]
DEFAULT = 3


class Style(NamedTuple):
    """How a level draws its choices, see `bots.reading`."""

    sense: float
    floor: float


STYLES: dict[str, tuple[Style, ...]] = {
    "claim": (
        Style(0.01, 0.0), Style(0.045, 0.0), Style(0.096, 0.0), Style(0.178, 0.0),
        Style(SURE, 0.001),
    ),
    "kilt": (
        Style(0.016, 0.0), Style(0.064, 0.0), Style(0.112, 0.0), Style(0.166, 0.0),
        Style(0.09, 0.0001),
    ),
    "lords": (
        Style(0.036, 0.0), Style(0.079, 0.0), Style(0.126, 0.0), Style(0.189, 0.0),
        Style(0.12, 0.001),
    ),
    "schotten": (
        Style(0.045, 0.0), Style(0.13, 0.0), Style(0.197, 0.0), Style(0.288, 0.0),
        Style(0.4, 0.001),
    ),
}  # fmt: skip
"""By game, all levels but the champion's, the weakest first."""
USUAL = STYLES["kilt"]
"""The same for games that were not measured."""


def styles(game: str) -> tuple[Style, ...]:
    """How each level but the last plays a game, the weakest first."""
    return STYLES.get(game, USUAL)


def level_titles(level: int) -> dict[str, str]:
    """What a level is called, by language."""
    return {lang: _words(lang).text(f"levels.{level}") for lang in LANGUAGES}


def persona(level: int, seat: int) -> str:
    """Who plays at a level in a seat: no two at a table have the same name."""
    names = list(_words("en").find(f"personas.{level}"))
    return str(names[seat % len(names)])


def personas() -> tuple[str, ...]:
    """All of them, the weakest first."""
    return tuple(name for level in LEVELS for name in _words("en").find(f"personas.{level}"))


def people_at(level: int) -> dict[str, dict[str, str]]:
    """Who plays at a level: a sentence about each, by language."""
    return {
        name: {lang: _words(lang).text(f"personas.{level}.{name}") for lang in LANGUAGES}
        for name in _words("en").find(f"personas.{level}")
    }


def about(name: str) -> dict[str, str]:
    """A sentence about a persona, by language; empty if there is none of that name."""
    return next((who[name] for who in map(people_at, LEVELS) if name in who), {})


@cache
def _words(lang: str) -> Catalogue:
    return catalogue(lang, "tanistry.bots")
