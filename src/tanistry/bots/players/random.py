"""The bot that has no idea: every legal token is as likely as any other."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tanistry.match import Match


class RandomBot:
    """Chooses evenly among the legal tokens."""

    version = 1

    def __init__(self, *, seed: bytes) -> None:
        self._random = random.Random(hashlib.sha256(b"random bot" + seed).digest())

    def choose(self, match: Match) -> str:
        self._random.randbytes(32)  # it once blinded by itself: version 1 goes on as it did
        return self._random.choice(match.legal())


BOT = RandomBot
