"""Tables: where matches are played, and what becomes of them."""

from __future__ import annotations

from typing import Literal

from tanistry.server.answers.base import Answer, Options, maybe
from tanistry.server.answers.matches import Facts, GameEvent, Position, Result


class RatingChange(Answer):
    """A rating before and after a match."""

    before: int
    after: int


class Seat(Answer):
    """Who sits where; `rating_change` when a rated match is over that counted."""

    seat: int
    kind: Literal["person", "bot", "open"]
    player: str | None
    name: str
    you: bool
    present: bool
    ready: bool
    bot: str | None
    level: int | None
    bot_plays: bool
    rating: int | None
    resigned: bool
    weight: float | None
    rating_change: RatingChange = maybe()


class Clock(Answer):
    """How time is kept."""

    kind: Literal["none", "fischer", "days"]
    seconds: int = maybe()
    increment: int = maybe()
    days: int = maybe()


class Watching(Answer):
    """Who may watch, how many seconds behind, and how many do."""

    allowed: bool
    delay: int
    watching: int


class Fairness(Answer):
    """What the cards come from: the commitment at once (empty where a device dealt), what the seats
    added when it has begun, seed and salt after the end."""

    commitment: str
    seed: str | None
    salt: str | None
    nonces: list[str | None] | None


class UndoOffer(Answer):
    """Who asks to take their last choice back, which of the others have agreed, and whether the
    asker may have seen cards since that they did not know then."""

    seat: int
    agreed: list[int]
    revealed: bool


class Table(Answer):
    """Everything about a table except the cards; `tournament`: of which it is a board."""

    id: str
    game: str
    options: Options
    status: Literal["waiting", "playing", "over", "closed"]
    public: bool
    rated: bool
    solo: bool
    host: str
    created: int
    started: int | None
    ended: int | None
    seats: list[Seat]
    clock: Clock
    spectators: Watching
    draw_offer: int | None
    takebacks: bool
    undo_offer: UndoOffer | None
    rematch: str | None
    rematch_of: str | None
    tournament: str = maybe()
    turn: int | None
    revision: int
    fairness: Fairness
    result: Result | None


class Tables(Answer):
    """Tables, newest first."""

    tables: list[Table]


class MyTables(Tables):
    """Your tables, and where the next page begins."""

    next: str | None


class MyTurn(Answer):
    """A match that you play with others. `mine`: it waits for you; `left`: milliseconds for whoever
    it waits for, null without a clock."""

    table: Table
    mine: bool
    left: int | None


class MyTurns(Answer):
    """Your matches with others, those that wait for you first, the most urgent before the rest;
    `waiting`: how many those are."""

    now: int
    waiting: int
    turns: list[MyTurn]


class ReplayStep(Answer):
    """A choice that stood, what happened by it, and everything on the table after it."""

    turn: int
    seat: int | None
    token: str | None
    label: str = maybe()
    events: list[GameEvent]
    position: Position
    tally: Facts = maybe()


class Replay(Answer):
    """A finished match, all hands open."""

    table: Table
    steps: list[ReplayStep]


class Verified(Answer):
    """A record that holds."""

    holds: Literal[True]
    game: str
    commitment: str | None
    result: str
    choices: int
    players: dict[str, str]


class Line(Answer):
    """Something said at a table. `text`: of an `emote` its code, of `level` who may chat now."""

    n: int
    at: int
    player: str | None
    name: str
    seat: int | None
    kind: Literal["emote", "chat", "level"]
    text: str
