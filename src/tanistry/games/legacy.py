"""Games that still word their numbers by functions of their own; gone when all are converted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tanistry.games.contract import Card, EventType, GameInfo, Options, Place, Seen

if TYPE_CHECKING:
    import numpy as np


CODE = re.compile(r"(?P<stem>.*?)(?P<tail>\d+|!)")


def guessed_card(code: str) -> Card:
    """Suit and value from the code."""
    match = CODE.fullmatch(code)
    if match is None or not match["stem"]:
        return Card(code, code)
    tail = match["tail"]
    return Card(code, match["stem"], int(tail) if tail.isdigit() else None)


@dataclass(frozen=True)
class Refusal:
    """Why a token is not legal: the rule, the key of the sentence, and what the sentence names."""

    rule: str
    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


def no_flags(_s: Any, _place: Place, _card: int) -> dict[str, Any]:
    return {}


def no_flags_read(_s: Any, _place: Place, _card: int, _flags: Mapping[str, Any]) -> None:
    return None


def no_back(_s: Any, _card: int) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Definition:
    """A game by callables, see `contract.Definition` for what takes their place."""

    info: GameInfo
    rules: ModuleType
    dtype: np.dtype[Any]
    places: tuple[Place, ...]
    cards: Callable[[Options], Sequence[str]]
    tokens: Callable[[Options], Sequence[str]]
    decisions: tuple[str, ...]
    rule_ids: tuple[str, ...]
    events: tuple[EventType, ...]
    facts: Callable[[Any], dict[str, Any]]
    restore: Callable[[Any, dict[str, Any]], None]
    check: Callable[[Any], None]
    refuse: Callable[[Any, int], Refusal]
    flags: Callable[[Any, Place, int], dict[str, Any]] = no_flags
    read_flags: Callable[[Any, Place, int, Mapping[str, Any]], None] = no_flags_read
    back: Callable[[Any, int], dict[str, Any]] = no_back
    seen: Callable[[Any, Place, int], Seen] | None = None
    secret_from_public: frozenset[str] = frozenset()
