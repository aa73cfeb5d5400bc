"""What an operator does about people, beside the running server or without it.

The server looks into the database: who is banned here is out within seconds, who is erased too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

from pydantic import ValidationError

from tanistry.errors import OptionError
from tanistry.server import belongings, clubs
from tanistry.server.acts import CONSOLE, ROLES, noted
from tanistry.server.admin import reached, schema_of
from tanistry.server.bodies import NewClub, NewTournament
from tanistry.server.info import Data
from tanistry.server.limits import household
from tanistry.server.messages import invalid
from tanistry.server.migrate import newest
from tanistry.server.moderation import MOST_LEFT, Moderation
from tanistry.server.people import People
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.talk import clean_title
from tanistry.server.thinking import read_bot
from tanistry.server.tournaments import deciding

FEW = 32
"""Players for whom there is room, if there are not more bots."""


def one_address(given: str) -> str:
    """Whom an address belongs to; ranges are refused, for nobody would be kept out by them."""
    try:
        return household(str(ip_address(given.strip())))
    except ValueError:
        allowed = "192.0.2.7, 2001:db8::7"
        raise OptionError("option/value", name="address", value=given, allowed=allowed) from None


class Console:
    """The operator's hands: everything is done in the name of the console."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.peace = Moderation(People(store))

    async def role(self, who: str, role: str) -> None:
        if role not in ROLES:
            allowed = ", ".join(ROLES)
            raise OptionError("option/value", name="role", value=role, allowed=allowed)
        await self.peace.set_role(CONSOLE, await self.peace.person(who), role)

    async def mute(self, who: str, hours: int, reason: str) -> None:
        row = await self.peace.person(who)
        await self.peace.sanction(CONSOLE, "mute", row.id, hours, reason)

    async def ban(self, who: str | None, address: str, hours: int, reason: str) -> None:
        """Somebody, an address, or both."""
        if who is not None:
            row = await self.peace.person(who)
            given = [one_address(address)] if address else []
            await self.peace.sanction(CONSOLE, "ban", row.id, hours, reason, given)
        else:
            await self.peace.ban_address(CONSOLE, one_address(address), hours, reason)

    async def lift(self, kind: str, who: str | None, address: str = "") -> None:
        if who is not None:
            await self.peace.lift(CONSOLE, kind, (await self.peace.person(who)).id)
        else:
            await self.peace.lift_address(CONSOLE, one_address(address))

    async def invite(self, about: str, people: int, days: int) -> str:
        """The end of the link by which they come."""
        if not 1 <= people <= MOST_LEFT:
            allowed = f"1–{MOST_LEFT}"
            raise OptionError("option/value", name="people", value=people, allowed=allowed)
        return "/invite#" + await self.peace.invite(CONSOLE, about, people, days)

    async def announce(self, bots: int, bot: str, **given: Any) -> str:
        """A new tournament with so many bots in it (`people:3`); its id."""
        try:
            body = NewTournament(**{"most": max(bots, FEW), **given})
        except ValidationError as error:
            raise invalid(error) from None
        name, level = read_bot(bot)  # or nothing is announced
        id = await deciding.create(self.store, body, "")
        if bots:
            await deciding.add_bots(self.store, id, name, level, bots)
        return id

    async def found_club(self, name: str) -> str:
        """The end of the link by which people join it: who comes first leads."""
        try:
            NewClub(name=name)
        except ValidationError as error:
            raise invalid(error) from None
        await self.peace.check_name(name)
        id = await clubs.found(self.store, clean_title(name), None)
        club = await clubs.load(self.store, id)
        return f"/clubs/{club.row.id}#{club.row.key}"

    async def export(self, who: str) -> Data:
        return await belongings.everything(self.store, await self.peace.person(who))

    async def delete(self, who: str) -> None:
        row = await self.peace.person(who)
        await belongings.erase(self.store, row.id)
        await self.store.execute(noted(CONSOLE, "delete"))


@asynccontextmanager
async def opened(config: Settings) -> AsyncIterator[Console]:
    """The database as the operator finds it; it must be there, and of this version."""
    async with reached(config) as store:
        async with store.engine.connect() as connection:
            found = await schema_of(config, connection)
        if found != newest():
            shown = config.database_shown
            raise OptionError("admin/schema", name=shown, found=found, newest=newest())
        yield Console(store)
