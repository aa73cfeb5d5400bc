"""What clients may say: a model for each message; anything else is refused, naming the field."""

from __future__ import annotations

from typing import Annotated, Any, Literal

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


IdNumber = Annotated[int, Field(ge=-(2**53), le=2**53, strict=True)]
Id = Annotated[IdNumber | Annotated[str, Field(max_length=64)], either("id_value")]
TableId = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z]{1,24}$")]
SeatNumber = Annotated[int, Field(ge=0, le=9, strict=True)]
Turn = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
BotName = Annotated[str, Field(max_length=40)]
Level = Annotated[int, Field(ge=0, le=99, strict=True)]
Lang = Literal["en", "fr"]
Nonce = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){16,32}$")]


class Message(BaseModel):
    """The base of all: a type, and an id that the answer repeats."""

    model_config = ConfigDict(extra="ignore")

    id: Id | None = None


class AtTable(Message):
    table: TableId


class Hello(Message):
    type: Literal["hello"]
    v: Annotated[int, Field(strict=True)] = VERSION
    say: Lang | None = None


class Ping(Message):
    type: Literal["ping"]


class Say(Message):
    type: Literal["say"]
    lang: Lang | None = None


class Lobby(Message):
    type: Literal["lobby"]
    on: bool = True


class Watch(AtTable):
    type: Literal["watch"]
    since: Turn | None = None


class Leave(AtTable):
    type: Literal["leave"]


class Sit(AtTable):
    type: Literal["sit"]
    seat: SeatNumber | None = None


class Stand(AtTable):
    type: Literal["stand"]


class SetSeat(AtTable):
    type: Literal["seat"]
    seat: SeatNumber
    kind: Literal["open", "bot"]
    bot: BotName | None = None
    level: Level | None = None


class Ready(AtTable):
    type: Literal["ready"]
    ready: bool = True
    nonce: Nonce | None = None


class Start(AtTable):
    type: Literal["start"]
    bots: bool = False
    nonce: Nonce | None = None


class Close(AtTable):
    type: Literal["close"]


class Play(AtTable):
    type: Literal["play"]
    turn: Turn
    token: Annotated[str, Field(max_length=80)]


class Resign(AtTable):
    type: Literal["resign"]


class Draw(AtTable):
    type: Literal["draw"]
    do: Literal["offer", "accept", "decline"]


class StandIn(AtTable):
    type: Literal["bot"]
    seat: SeatNumber


class Back(AtTable):
    type: Literal["back"]


class Undo(AtTable):
    type: Literal["undo"]


class Hint(AtTable):
    type: Literal["hint"]


class Rematch(AtTable):
    type: Literal["rematch"]
    nonce: Nonce | None = None


KINDS: dict[str, type[Message]] = {
    model.model_fields["type"].annotation.__args__[0]: model  # type: ignore[union-attr]
    for model in (
        Hello, Ping, Say, Lobby, Watch, Leave, Sit, Stand, SetSeat, Ready, Start, Close, Play,
        Resign, Draw, StandIn, Back, Undo, Hint, Rematch,
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
