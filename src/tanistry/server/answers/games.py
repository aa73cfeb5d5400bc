"""Games, bots and texts; and what is refused."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

from tanistry.server.answers.base import Answer, Options, Said, maybe
from tanistry.server.messages import Lang


class Option(Answer):
    """An option of a game, its values, what they are called and what they mean."""

    name: str
    values: list[bool | int | str]
    default: bool | int | str
    title: Said
    meaning: Said
    say: dict[str, Said]
    meanings: dict[str, Said]


class Preset(Answer):
    """Seats and options that go well together."""

    name: str
    seats: int
    options: Options
    title: Said
    meaning: Said


class Game(Answer):
    """A game in brief."""

    name: str
    version: int
    title: Said
    tagline: Said
    seats: list[int]
    has_draw: bool
    options: list[Option]
    presets: list[Preset]


class Bot(Answer):
    """A bot, with its levels."""

    bot: str
    levels: list[int]
    default: int | None
    title: Said
    level_titles: list[Said] = maybe()


class Games(Answer):
    """All games, and the bots there are, strongest first."""

    games: list[Game]
    bots: list[Bot]


class Place(Answer):
    """Where cards may lie."""

    name: str
    seen: str
    owner: int | None
    order: str
    most: int


class EventKind(Answer):
    """A kind of event, and what its values are: a type, or the codes there are."""

    type: str
    values: dict[str, str | list[str]]


class WholeGame(Game):
    """A game with what a table needs to know before it is drawn, for the options used."""

    options_used: Options
    places: list[Place]
    cards: list[str]
    decisions: list[str]
    events: list[EventKind]
    rules: list[str]


class Rule(Answer):
    """A rule of a game."""

    id: str
    title: str
    text: str


class Description(Answer):
    """What a game is made of, as `game.describe()` gives it, but for its texts and its kernels."""

    model_config = ConfigDict(extra="allow")
    name: str


class Words(Answer):
    """Every text of a game in one language."""

    game: str
    lang: Lang
    words: dict[str, Any]
    cards: dict[str, str]
    places: dict[str, str]
    rules: list[Rule]
