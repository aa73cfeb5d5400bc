"""Bots think in threads of their own (their kernels hold no lock), never on the event loop.

They are handed a copy of the match, which `tanistry.bot` blinds for their seat before the player
sees it: the truth is not reachable from what it gets.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import tanistry
from tanistry.bots import bots, default_level, levels
from tanistry.bots.personas import level_titles, personas
from tanistry.bots.personas import persona as who_plays
from tanistry.bots.spec import parse
from tanistry.errors import OptionError
from tanistry.match.rehearsal import rehearse
from tanistry.server import metrics
from tanistry.server.background import guarded
from tanistry.server.pool import Pool
from tanistry.server.refusals import Refused, server_words
from tanistry.words import LANGUAGES

if TYPE_CHECKING:
    from tanistry.match import Match

log = logging.getLogger("tanistry.bots")

STRENGTH = ("people", "champion", "trained", "ismcts", "greedy", "random")
"""Bots we know, those to be offered first; others come after them."""
MOST_SEATS = 5


class Thinking:
    """The threads in which bots think."""

    def __init__(self, threads: int) -> None:
        self.asked = Pool()  # what people ask for does not keep bots from their turns
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._desk = ThreadPoolExecutor(1, thread_name_prefix="rules")
        self._own = threading.local()
        self._prepared: dict[str, asyncio.Future[None]] = {}

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.asked.close()
        self._desk.shutdown(wait=False, cancel_futures=True)

    async def choose(self, match: Match, bot: str | None, level: int | None) -> str:
        """What a bot plays for the seat to act."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._choose, match.copy(), bot, level)

    async def hint(self, match: Match, who: str) -> dict[str, Any]:
        """What the strongest bot thinks of the seat's choices; a refusal if it cannot think."""
        try:
            return await self.asked.run(who, self._hint, match.copy())
        except Refused:
            raise
        except Exception:
            log.exception("no hint for %r", match.game)
            raise Refused("server/thinking") from None

    async def prepare(self, game: str) -> None:
        """Have a game's rules compiled; nothing is dealt on the event loop before."""
        if game not in self._prepared:
            loop = asyncio.get_running_loop()
            ready = loop.run_in_executor(self._desk, rehearse, tanistry.game(game))
            self._prepared[game] = ready
            ready.add_done_callback(lambda _: self._forget_failure(game))
        await asyncio.shield(self._prepared[game])

    def _forget_failure(self, game: str) -> None:
        """The disk was full, perhaps: whoever asks next tries again."""
        ready = self._prepared[game]
        if ready.cancelled() or ready.exception():
            del self._prepared[game]

    async def warm(self, games: list[str]) -> None:
        """Have every game's rules and search compiled before somebody waits for them."""
        loop = asyncio.get_running_loop()
        ready = []
        for name in games:
            with guarded(f"compiling {name}"):
                await self.prepare(name)
                ready.append(name)
        for name in ready:
            match = tanistry.game(name).deal()
            await loop.run_in_executor(self._pool, self._choose, match, None, None)

    def _bot(self, bot: str | None, level: int | None) -> Any:
        """A bot of this thread: they are not made to be shared, but may be used again."""
        made: dict[Any, Any] = self._own.__dict__.setdefault("bots", {})
        key = (bot or strongest(), level)
        if key not in made:
            made[key] = tanistry.bot(*key)
        return made[key]

    def _choose(self, match: Match, bot: str | None, level: int | None) -> str:
        began = time.perf_counter()
        token: str
        try:
            token = self._bot(bot, level).choose(match)
        except Exception:  # nobody else can play this seat: better anything than a match that hangs
            log.exception("%s could not choose in %r", bot, match.game)
            token = self._bot("random", None).choose(match)
        metrics.thinking_seconds.observe(time.perf_counter() - began)
        return token

    def _hint(self, match: Match) -> dict[str, Any]:
        name = strongest()
        bot = self._bot(name, levels(name)[-1] if levels(name) else None)
        if not hasattr(bot, "analyse"):
            return {"token": bot.choose(match), "considered": []}
        insight = bot.analyse(match)
        spent = sum(judged.visits for judged in insight.tokens) or 1
        considered = [
            {
                "token": judged.token,
                "value": round(judged.win, 4),
                "error": round(judged.error, 4),
                "share": judged.visits / spent,
            }
            for judged in insight.tokens
            if judged.visits  # of what was never tried there is nothing to say
        ]
        return {"token": insight.best, "considered": considered}


def known_bots() -> list[str]:
    """All bots, strongest first."""
    order = {name: place for place, name in enumerate(STRENGTH)}
    return sorted(bots(), key=lambda name: (order.get(name, len(order)), name))


def strongest() -> str:
    return known_bots()[0]


def check_bot(bot: str | None, level: int | None) -> tuple[str, int | None]:
    """A bot and its level, or a refusal."""
    name = bot or strongest()
    if name not in known_bots():
        raise Refused("option/bot", "common.options", allowed=", ".join(known_bots()), name=name)
    allowed = levels(name)
    if level is None:
        return name, default_level(name)
    if level not in allowed:
        if not allowed:
            return name, None
        text = ", ".join(map(str, allowed))
        raise Refused("option/bot", "common.options", allowed=text, name=f"{name} {level}")
    return name, level


def read_bot(text: str) -> tuple[str, int | None]:
    """The same from how it is written (`people:3`); the server's bots have no settings."""
    name, level, settings = parse(text)
    if isinstance(level, str) or settings:
        raise OptionError("option/value", name="bot", value=text, allowed="people, people:3 …")
    return check_bot(name, level)


def bot_title(name: str) -> dict[str, str]:
    found = {}
    for lang in LANGUAGES:
        text = server_words(lang).find(f"bots.{name}")
        found[lang] = text if isinstance(text, str) else name.capitalize()
    return found


def persona(bot: str, level: int | None, seat: int) -> str:
    """The name of a bot at a seat: that of who plays at a level, or anybody's. No two at a table
    are alike; none of them is a guest's, nor a word of one of the games."""
    if bot == "people" and level is not None:
        return who_plays(level, seat)
    return secrets.choice(personas()[seat % MOST_SEATS :: MOST_SEATS])


def bot_list() -> list[dict[str, Any]]:
    return [
        {
            "bot": name,
            "levels": list(levels(name)),
            "default": default_level(name),
            "title": bot_title(name),
            "level_titles": [level_titles(n) for n in levels(name)] if name == "people" else [],
        }
        for name in known_bots()
    ]
