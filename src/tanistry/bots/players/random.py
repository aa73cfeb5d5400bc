"""The bot that has no idea: every legal token is as likely as any other."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING, Any

from tanistry.bots import check_settings
from tanistry.errors import IllegalMove
from tanistry.match.game import seed_bytes

if TYPE_CHECKING:
    from tanistry.match import Match

LEVELS: tuple[int, ...] = ()
DEFAULT = None
VERSION = 1


def make(_level: int | None, seed: int | bytes | None, **settings: Any) -> RandomBot:
    check_settings("random", settings, ())
    return RandomBot(seed)


class RandomBot:
    """Chooses evenly among the legal tokens."""

    name = "random"

    def __init__(self, seed: int | bytes | None = None) -> None:
        digest = hashlib.sha256(b"random bot" + seed_bytes(seed)).digest()
        self._random = random.Random(digest)

    def choose(self, match: Match) -> str:
        if match.to_act is None:
            raise IllegalMove("move/over", token="", rule="common.illegal")
        known = match.blind(match.to_act, self._random.randbytes(32))
        return self._random.choice(known.legal())
