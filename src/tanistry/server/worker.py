"""One worker: the parts that HTTP and the socket share."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Coroutine
from typing import Any

import orjson

from tanistry.games import registry
from tanistry.server import blocks, tidying
from tanistry.server.acts import Actor
from tanistry.server.clocks import DAY, now_ms
from tanistry.server.hall import Hall
from tanistry.server.info import Data
from tanistry.server.letters import Letters
from tanistry.server.limits import SHARE, Limits, household
from tanistry.server.live import Watcher
from tanistry.server.moderation import Moderation
from tanistry.server.notices import Notices
from tanistry.server.pairing import Pairing
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.replays import Shelf
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.talk import Talk
from tanistry.server.tournaments.rounds import Rounds

log = logging.getLogger("tanistry.worker")

LOOK = 5.0
"""Seconds between looks for sessions that another worker has ended."""
SOON = 0.3
"""Seconds for the answer with the new cookie to arrive before the old one's sockets end."""
MOST_WAITING = 20
"""Tables that have not begun at which one person may sit, or be the host."""


class Worker:
    """The parts of one worker process, opened and closed together."""

    def __init__(self, config: Settings) -> None:
        self.config = config
        self.limits = Limits(config.limits, config.proxies, config.alone)
        self.store = Store(config)
        self.hall = Hall(config, self.store)
        for kind in ("taken", "open"):
            self.hall.sync.listeners[kind] = self.limits.heard
        self.people = People(self.store)
        self.pairing = Pairing(self.hall)
        self.rounds = Rounds(self.hall)
        self.letters = Letters(config, self.people)
        self.notices = Notices(self.hall, self.people, self.letters.post)
        self.talk = Talk(self.hall)
        self.moderation = Moderation(self.people)
        self._kept_out: dict[str, int] = {}  # addresses, and until when
        self.hall.sync.listeners["banned"] = lambda news: self.spawn(self._heard_of_ban(news))
        self.hall.sync.listeners["apart"] = lambda news: blocks.part_watchers(
            self.hall, *news["apart"]
        )
        self.replays = Shelf()
        self.connections: set[Watcher] = set()
        self.draining = False
        self.ready = False

    async def open(self) -> None:
        await self.store.open()
        secret = await self.store.secret()
        self.people.set_secret(secret)
        await self.notices.open(secret)
        self._kept_out = await self.moderation.addresses()
        self.hall.open()
        background = self.hall.background
        for wrong in registry.broken().values():
            log.error("%s", wrong)
        if self.config.warm:
            background.spawn(self.hall.thinking.warm(list(registry.games())))
        if self.config.guest_days:
            background.every(DAY / 1000, self._forget_guests, first=0)
        background.every(LOOK, self._look_for_ended)
        if self.config.people:
            background.spawn(self.pairing.pair_forever())
        if self.config.has_tournaments:
            background.spawn(self.rounds.go_on_forever())
        tidying.begin()
        background.spawn(tidying.tidy_forever(lambda: self.store.stored_at))
        if not self.config.alone:
            background.every(SHARE, self._share_limits)
        sys.setswitchinterval(0.001)  # threads in which bots think give way soon
        self.ready = True

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Begin something that whoever asked for it does not wait for."""
        self.hall.background.spawn(work)

    async def check_tables(self, player: str, address: str) -> None:
        """Before somebody makes a table or sits down at one: not at too many that wait."""
        self.limits.take("tables", address)
        if self.limits.on and await self.store.waiting_tables(player) >= MOST_WAITING:
            raise Refused("rate/tables")

    def check_tournaments(self) -> None:
        """Refuse whoever asks for tournaments where there are none."""
        if not self.config.has_tournaments:
            raise Refused("tournament/off")

    async def end_sessions(self, *ids: str) -> None:
        """Sign devices out: their cookies are worth nothing any more, their sockets end."""
        if ids:
            await self.people.sessions.end(*ids)
            self.end_sockets(*ids)

    # -- bans -----------------------------------------------------------------------------------

    def check_address(self, address: str) -> None:
        """Refuse whoever comes from an address that is kept out."""
        if self._kept_out and self._kept_out.get(household(address), 0) > now_ms():
            raise Refused("auth/address")

    def addresses_of(self, player: str) -> set[str]:
        """Where somebody is connected from, here; what many share is not held against one."""
        found = {one.address for one in self.connections if one.player == player}
        return {household(one) for one in found if not self.limits.is_proxy(one)}

    async def ban(self, by: Actor, player: str, hours: int, reason: str, address: bool) -> None:
        """Ban somebody: their sockets end at once, everywhere."""
        found = self.addresses_of(player) if address else ()
        await self.moderation.sanction(by, "ban", player, hours, reason, found)
        await self.look_for_bans(player)
        news = {"hours": hours, "by": by.id, "role": by.role} if address else {}
        self.hall.sync.bus.publish(banned=player, **news)

    async def _heard_of_ban(self, news: Data) -> None:
        """Another worker has banned somebody, and if it says so the addresses they come from."""
        for address in self.addresses_of(news["banned"]) if "hours" in news else ():
            by = Actor(news["by"], news["role"])
            await self.moderation.ban_address(by, address, news["hours"], "")
        await self.look_for_bans(news["banned"])

    async def look_for_bans(self, player: str | None = None) -> None:
        """Let in who may come again, and end the sockets of who may not."""
        self._kept_out = await self.moderation.addresses()
        banned = await self.people.sessions.ban_of(player) if player else None
        for connection in list(self.connections):
            if connection.player == player:
                connection.cut_off(banned or Refused("auth/nobody"))
            elif self._kept_out.get(household(connection.address), 0) > now_ms():
                connection.cut_off(Refused("auth/address"))

    def end_sockets(self, *ids: str) -> None:
        """Of sessions that have ended."""
        self.hall.background.spawn(self._end_sockets(set(ids)))

    async def _end_sockets(self, ids: set[str]) -> None:
        await asyncio.sleep(SOON)
        for connection in list(self.connections):
            if connection.session in ids:
                connection.cut_off(Refused("auth/nobody"))

    async def _look_for_ended(self) -> None:
        """Sessions may also be ended by another worker."""
        if ids := {connection.session for connection in self.connections}:
            await self._end_sockets(await self.people.sessions.ended(ids))
        await self.look_for_bans()

    async def _forget_guests(self) -> None:
        days = self.config.guest_days
        if count := await self.people.forget_guests(days):
            log.info("forgot %s guests who had not been here for %s days", count, days)

    async def _share_limits(self) -> None:
        self.limits.share(self.hall.sync.bus.publish)

    async def close(self) -> None:
        """In order: no new connections, a word to those there are, nothing unfinished."""
        self.draining = True
        self.ready = False
        bye = orjson.dumps({"type": "bye", "why": "restart"})
        for connection in list(self.connections):
            connection.send(bye)
        await asyncio.sleep(0.05 if self.connections else 0)
        await self.hall.close()
        self.letters.close()
        self.notices.close()
        await self.store.close()
