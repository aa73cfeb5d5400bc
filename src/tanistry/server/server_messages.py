"""What the server says over the socket: a model for every message.

Like the answers, they describe and check, and send nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from tanistry.server.answers.base import Answer, Refusal, maybe
from tanistry.server.answers.matches import Change, Clocks, Facts, GameEvent, Result, View
from tanistry.server.answers.people import Player
from tanistry.server.answers.tables import Line, Table
from tanistry.server.answers.tournaments import Tournament
from tanistry.server.messages import Id, Lang, Talkers


class Message(Answer):
    """An answer repeats the `id` of what it answers; other messages have none."""

    id: Id = maybe()


class WelcomeMessage(Message):
    """The answer to `hello`. `absent`: seconds away after which a bot may stand in for a player."""

    type: Literal["welcome"]
    v: int
    now: int
    you: Player
    say: Lang | None
    server: str
    absent: float


class OkMessage(Message):
    """It is done."""

    type: Literal["ok"]


class PongMessage(Message):
    """The answer to `ping`."""

    type: Literal["pong"]
    now: int


class RefusedMessage(Message, Refusal):
    """It is not done; nothing has changed."""

    type: Literal["refused"]
    table: str = maybe()


class LobbyMessage(Message):
    """The list of public tables; replaces the one before."""

    type: Literal["lobby"]
    tables: list[Table]


class SeekingMessage(Message):
    """How the search for somebody to play with stands; replaces. `table`: you are seated there with
    the others: follow it and say `ready`, or after 20 s your place is another's; null again:
    somebody has gone, and you wait where you were. `on` false: you are looked for no longer (the
    match began, or it was asked for elsewhere). `waiting`: how many want the same, you included;
    `range`: how far another's rating may be from yours by now, null: any."""

    type: Literal["seeking"]
    on: bool
    table: str | None
    now: int
    game: str = maybe()
    seats: int = maybe()
    clock: Literal["none", "quick", "calm"] = maybe()
    rated: bool = maybe()
    since: int = maybe()
    waiting: int = maybe()
    range: int | None = maybe()


class TableMessage(Message):
    """A table has changed; replaces what you knew of it. `away`, where you play and somebody is not
    there: for how many seconds each seat has been away."""

    type: Literal["table"]
    table: Table
    away: list[float] = maybe()


class StateMessage(Message):
    """Everything you may know of a match; replaces."""

    type: Literal["state"]
    table: str
    turn: int
    now: int
    view: View | None
    labels: dict[str, str] = maybe()
    tally: Facts = maybe()
    events: list[GameEvent]
    complete: bool
    clocks: Clocks | None
    result: Result | None


class PlayedMessage(Message):
    """One step of a match; `again`: it was stored before, and there is nothing to change."""

    type: Literal["played"]
    table: str
    turn: int
    seat: int | None = maybe()
    kind: Literal["play", "resign", "flag", "draw"] = maybe()
    now: int = maybe()
    events: list[GameEvent] = maybe()
    change: Change = maybe()
    labels: dict[str, str] = maybe()
    tally: Facts = maybe()
    clocks: Clocks | None = maybe()
    result: Result = maybe()
    again: Literal[True] = maybe()


class Considered(Answer):
    """What a bot thinks of a choice: from 0 (all lost) to 1, and how much thought it took."""

    token: str
    value: float
    error: float = maybe()
    share: float


class HintMessage(Message):
    """What the strongest bot would do."""

    type: Literal["hint"]
    table: str
    turn: int
    token: str
    label: str = maybe()
    considered: list[Considered]


class TalkMessage(Message):
    """What was said at a table: lines to add to those you have, by `n`; who may chat there
    (`silent`: not even emotes), and what you may say."""

    type: Literal["talk"]
    table: str
    who: Talkers
    may: Literal["chat", "emotes", "nothing"]
    lines: list[Line]


class TournamentMessage(Message):
    """How a tournament that you follow stands; replaces."""

    type: Literal["tournament"]
    now: int
    tournament: Tournament


class ByeMessage(Message):
    """The server goes down; come back in a moment."""

    type: Literal["bye"]
    why: str


ServerMessage = Annotated[
    WelcomeMessage
    | OkMessage
    | PongMessage
    | RefusedMessage
    | LobbyMessage
    | SeekingMessage
    | TableMessage
    | StateMessage
    | PlayedMessage
    | HintMessage
    | TalkMessage
    | TournamentMessage
    | ByeMessage,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
