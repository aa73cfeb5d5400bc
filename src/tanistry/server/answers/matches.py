"""What happens in a match."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tanistry.server.answers.base import Answer, Options, maybe


class CardEntry(BaseModel):
    """A card with flags that are public; `card` is null where the seat does not know it."""

    model_config = ConfigDict(extra="allow", strict=True)
    card: str | None
    up: bool = maybe()
    back: str = maybe()
    active: str | None = maybe()
    spent: bool = maybe()
    known: list[int] = maybe()


Entry = str | CardEntry | None
"""A code, a card with flags, or a gap."""
Places = dict[str, list[Entry]]
Facts = dict[str, Any]


class Position(Answer):
    """Everything on the table; see docs/architecture.md."""

    game: str
    seats: int
    options: Options
    to_act: int | None
    decision: str
    places: Places
    facts: Facts


class View(Position):
    """What a seat may know; `seat` is null for a spectator, `legal` there when it may choose."""

    seat: int | None
    legal: list[str] = maybe()


class Change(Answer):
    """What a step changed in a view; places that changed are there as a whole."""

    to_act: int | None
    decision: str
    places: Places
    facts: Facts = maybe()
    legal: list[str] = maybe()


class GameEvent(BaseModel):
    """Something that happened, as a seat saw it; `turn` and `by` (after the end left out): the
    choice it came of. The further fields are the game's own."""

    model_config = ConfigDict(extra="allow", strict=True)
    n: int
    type: str
    rule: str = maybe()
    card: str | None = maybe()
    from_: Annotated[str, Field(alias="from")] = maybe()
    to: str = maybe()
    seat: int = maybe()
    turn: int = maybe()
    by: int | None = maybe()
    text: str = maybe()


class Result(Answer):
    """How a match ended; `by`: the seat that resigned or was flagged."""

    scores: list[int] | None
    ranking: list[list[int]]
    ended_by: Literal["play", "resign", "flag", "draw"]
    by: int | None = maybe()


class Clocks(Answer):
    """Milliseconds left per seat at `now`, and the seat whose time passes."""

    left: list[int | None]
    running: int | None
