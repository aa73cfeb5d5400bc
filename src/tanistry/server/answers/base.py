"""What answers are made of, and the shortest of them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tanistry.server.messages import Lang

Said = dict[Lang, str]
Options = dict[str, bool | int | str]


def maybe() -> Any:
    """A field that may be left out; if it is there, it is not null."""
    return Field(default=None, json_schema_extra=_without_default)


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


class Answer(BaseModel):
    """What is said, no more and no less."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Done(Answer):
    """It is done."""

    ok: Literal[True]


class Refusal(Answer):
    """A refusal: a stable code, the rule, a sentence in every language."""

    code: str
    rule: str
    say: Said
