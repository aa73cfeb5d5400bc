"""What clients may say: a model for each message; anything else is refused, naming the field.

The documents and the web client's types are made from them (tools/protocol.py).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import orjson
from fastapi.exceptions import ValidationException
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from tanistry.server.refusals import Refused, wrong_value

VERSION = 1
LONGEST = 16_384
"""Bytes of a message to the server."""


def either(kind: str) -> WrapValidator:
    """For a field that may be one of several types: one error, not one for each of them."""

    def check(value: Any, read: Any) -> Any:
        try:
            return read(value)
        except ValidationError:
            raise PydanticCustomError(kind, "none of what this may be") from None

    return WrapValidator(check)


IdNumber = Annotated[int, Field(ge=-(2**53), le=2**53)]
Id = Annotated[IdNumber | Annotated[str, Field(max_length=64)], either("id_value")]
TableId = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z]{1,24}$")]
SeatNumber = Annotated[int, Field(ge=0, le=9)]
Turn = Annotated[int, Field(ge=0, le=1_000_000)]
GameName = Annotated[str, Field(max_length=40)]
BotName = Annotated[str, Field(max_length=40)]
Level = Annotated[int, Field(ge=0, le=99)]
Lang = Literal["en", "fr"]
Emote = Literal["well_played", "thanks", "good_luck", "oops", "think", "bye"]
Talkers = Literal["everybody", "seated", "nobody", "silent"]
Offer = Literal["offer", "accept", "decline"]
Nonce = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){16,32}$")]


class Message(BaseModel):
    """The base of all: a type, and an id that the answer repeats."""

    model_config = ConfigDict(extra="ignore", strict=True)
    answer: ClassVar[str] = "`ok`"
    """By what it is answered, if it is not refused."""
    example: ClassVar[dict[str, Any]] = {}
    """Its fields beside `type` and `id`, for the documents."""

    id: Id | None = None


class AtTable(Message):
    answer: ClassVar[str] = "`table`"
    example: ClassVar[dict[str, Any]] = {"table": "…"}
    table: TableId


class Hello(Message):
    """First message. `say` (optional): word events and tokens in this language."""

    answer: ClassVar = "`welcome`"
    example: ClassVar = {"v": 1, "say": "fr"}
    type: Literal["hello"]
    v: int = VERSION
    say: Lang | None = None


class Ping(Message):
    """Any message within 60 s keeps you present; the server also sends WebSocket pings."""

    answer: ClassVar = "`pong`"
    type: Literal["ping"]


class Say(Message):
    """Change the language (null: none); every followed table then sends its `state` again."""

    example: ClassVar = {"lang": "en"}
    type: Literal["say"]
    lang: Lang | None = None


class Lobby(Message):
    """Follow the list of public tables."""

    answer: ClassVar = "`lobby`"
    example: ClassVar = {"on": True}
    type: Literal["lobby"]
    on: bool = True


class Seek(Message):
    """Look for opponents; you are seated with the next people who want the same. `clock`:
    `none`, `quick` (5 min + 5 s a choice) or `calm` (15 min + 10 s). `rated` needs an account.
    Sending it again restarts the search; it ends with the connection. More `seeking` messages
    follow."""

    answer: ClassVar = "`seeking`"
    example: ClassVar = {"game": "claim", "seats": 2, "clock": "quick", "rated": True}
    type: Literal["seek"]
    game: GameName
    seats: Annotated[int, Field(ge=2, le=9, strict=True)] | None = None
    clock: Literal["none", "quick", "calm"] = "none"
    rated: bool = False


class Unseek(Message):
    """Stop looking."""

    type: Literal["unseek"]


class Follow(Message):
    """Follow a tournament: more `tournament` messages arrive whenever it changes. `on` false: stop
    following."""

    answer: ClassVar = "`tournament` or `ok`"
    example: ClassVar = {"tournament": "8dK3", "on": True}
    type: Literal["tournament"]
    tournament: TableId
    on: bool = True


class Watch(AtTable):
    """Follow a table: as your seat if you have one, else as a spectator. `since`: the last turn you
    have; you get the events after it. `0`: all from the start; left out: none."""

    answer: ClassVar = "`table`, then `state` (both with your `id`)"
    example: ClassVar = {"table": "…", "since": 12}
    type: Literal["watch"]
    since: Turn | None = None


class Leave(AtTable):
    """Stop following (the seat stays yours)."""

    answer: ClassVar = "`ok`"
    type: Literal["leave"]


class Sit(AtTable):
    """Take an open seat (the one kept for you, else any, if `seat` is left out); you follow the
    table from then on."""

    example: ClassVar = {"table": "…", "seat": 1}
    type: Literal["sit"]
    seat: SeatNumber | None = None


class Stand(AtTable):
    """Give up your seat, before the start; a table that a search brought about is closed by it."""

    type: Literal["stand"]


class SetSeat(AtTable):
    """Host, before the start: make a seat `open` or a `bot`; anyone sitting there has to leave."""

    example: ClassVar = {"table": "…", "seat": 1, "kind": "bot", "bot": "ismcts", "level": 2}
    type: Literal["seat"]
    seat: SeatNumber
    kind: Literal["open", "bot"]
    bot: BotName | None = None
    level: Level | None = None


class Ready(AtTable):
    """Agree to start, at this table and with these options; you follow the table from then on. The
    match starts when all seats are taken and all people are ready and present; with a clock of
    `days` they need not be present, for a week after the table was made. `nonce` (also in
    `start` and `rematch`, always optional): 16 to 32 random bytes in lower-case hex that go
    into the deal; keep it, and the commitment you were shown before. With a `fischer` clock,
    someone who is gone for more than 10 s is no longer ready."""

    example: ClassVar = {"table": "…", "ready": True, "nonce": "…"}
    type: Literal["ready"]
    ready: bool = True
    nonce: Nonce | None = None


class Start(AtTable):
    """Host: be ready and start now. Open seats become bots if `bots` is true; otherwise the start
    is refused, and so it is while a seat is kept for someone. Everyone else must be ready, and
    present as for `ready`."""

    example: ClassVar = {"table": "…", "bots": True}
    type: Literal["start"]
    bots: bool = False
    nonce: Nonce | None = None


class Close(AtTable):
    """Host: close the table before the start."""

    type: Literal["close"]


class Play(AtTable):
    """Your choice at turn 12. Answered only once it is safely stored."""

    answer: ClassVar = "`played`"
    example: ClassVar = {"table": "…", "turn": 12, "token": "K7"}
    type: Literal["play"]
    turn: Turn
    token: Annotated[str, Field(max_length=80)]


class Resign(AtTable):
    """Against one opponent, or against bots alone, it ends the match; otherwise a bot plays on for
    you."""

    answer: ClassVar = "`played` or `table`"
    type: Literal["resign"]


class Draw(AtTable):
    """`offer`, `accept`, `decline` (also takes back your own offer), where the game has draws and
    all seats are people. An offer lapses when the player who was asked makes a choice."""

    answer: ClassVar = "`table` or `played`"
    example: ClassVar = {"table": "…", "do": "offer"}
    type: Literal["draw"]
    do: Offer


class StandIn(AtTable):
    """Let a bot stand in for an absent seat (away as long as `welcome` says; never with a clock of
    `days`), or for your own unless the match is rated."""

    example: ClassVar = {"table": "…", "seat": 1}
    type: Literal["bot"]
    seat: SeatNumber


class Back(AtTable):
    """Take your seat back from the bot."""

    type: Literal["back"]


class Undo(AtTable):
    """Take your last choice back, and what followed it. Solo tables: at once. With others, in
    casual matches that allow it: `offer` asks them, and it happens when every person has said
    `accept`; `decline` also takes back your own offer. It lapses when a person makes a choice that
    is not forced."""

    answer: ClassVar = "`state`, or `table` while others are asked"
    example: ClassVar = {"table": "…", "do": "offer"}
    type: Literal["undo"]
    do: Offer = "offer"


class Hint(AtTable):
    """Solo tables, your turn: what would the bot do?"""

    answer: ClassVar = "`hint`"
    type: Literal["hint"]


class Rematch(AtTable):
    """After the end: offer a rematch with seats rotated, or accept one. `table.rematch` names the
    new table, which has a seat for everyone and which you follow from then on; it starts when
    every person has asked and is present (at once in a solo match). `ready` false: only take the
    seat, so that you see its commitment before you ask with your nonce. `do` `decline`: give up
    your seat there, or take back your own offer; the new table is closed if fewer than two people
    are left."""

    example: ClassVar = {"table": "…", "ready": True, "nonce": "…"}
    type: Literal["rematch"]
    do: Offer = "offer"
    ready: bool = True
    nonce: Nonce | None = None


class Talk(AtTable):
    """What was said at a table that you follow: the last 100 lines, or those after line `since`.
    Later lines arrive without asking."""

    answer: ClassVar = "`talk`"
    example: ClassVar = {"table": "…", "since": 41}
    type: Literal["talk"]
    since: Turn | None = None


class SendEmote(AtTable):
    """Say one of six things; everyone at the table reads it in their own language."""

    answer: ClassVar = "`talk`"
    example: ClassVar = {"table": "…", "emote": "well_played"}
    type: Literal["emote"]
    emote: Emote


class Chat(AtTable):
    """Say a line of at most 200 characters, none of them invisible, to the players at the table;
    also to and from spectators, where the host allows that."""

    answer: ClassVar = "`talk`"
    example: ClassVar = {"table": "…", "text": "Well met!"}
    type: Literal["chat"]
    text: Annotated[str, Field(max_length=1000)]


class SetTalkers(AtTable):
    """Host: who may chat at this table, `everybody`, those who are `seated`, or `nobody`. Emotes
    are left to all."""

    answer: ClassVar = "`talk`"
    example: ClassVar = {"table": "…", "who": "everybody"}
    type: Literal["talkers"]
    who: Literal["everybody", "seated", "nobody"]


KINDS: dict[str, type[Message]] = {
    model.model_fields["type"].annotation.__args__[0]: model  # type: ignore[union-attr]
    for model in (
        Hello, Ping, Say, Lobby, Seek, Unseek, Follow, Watch, Leave, Sit, Stand, SetSeat, Ready,
        Start, Close, Play, Resign, Draw, StandIn, Back, Undo, Hint, Rematch, Talk, SendEmote, Chat,
        SetTalkers,
    )
}  # fmt: skip
READERS = {kind: TypeAdapter(model).validator.validate_python for kind, model in KINDS.items()}


def read_message(text: str | bytes) -> tuple[Message, Any]:
    """A message and its id, or a refusal that says what is wrong with it (with `.id`)."""
    if len(text) > LONGEST:
        raise Refused("message/too-long")
    try:
        data = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeError):
        raise Refused("message/unreadable") from None
    if not isinstance(data, dict):
        raise Refused("message/unreadable")
    id = data.get("id")
    if not (type(id) in (int, str) and len(str(id)) <= 64):
        id = None
    kind = data.get("type")
    reader = READERS.get(kind) if isinstance(kind, str) else None
    try:
        if reader is None:
            raise Refused("message/type", given=str(kind)[:40])
        try:
            return reader(data), id
        except ValidationError as error:
            raise invalid(error) from None
    except Refused as refusal:
        refusal.id = id  # type: ignore[attr-defined]
        raise


def invalid(error: ValidationError | ValidationException) -> Refused:
    """The first thing pydantic found wrong, as a refusal."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body") or "?"
    return wrong_value(place[:80], first["type"], **first.get("ctx", {}))
