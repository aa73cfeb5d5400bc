"""What `tanistry admin` does about people: roles, reports, mutes, bans, names, invitations, clubs,
tournaments."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tanistry.session.language import Misuse, Texts

if TYPE_CHECKING:
    from tanistry.server.console import Console
    from tanistry.server.settings import Settings


@dataclass(frozen=True)
class Asked:
    """What the operator said after the verb."""

    who: str | None = None
    more: str | None = None
    hours: int = 24
    days: int = 30
    people: int = 1
    reason: str = ""
    address: str = ""
    remove: bool = False
    yes: bool = False
    game: str = "claim"
    system: str = "swiss"
    rounds: int = 0
    seats: int | None = None
    wait: int = 120
    bots: int = 0
    bot: str = "people:3"


def keep(what: str, asked: Asked, config: Settings, say: Texts) -> int:
    """Do it, and say what was done."""
    from tanistry.server.console import opened
    from tanistry.server.refusals import Refused

    async def run() -> None:
        async with opened(config) as console:
            await VERBS[what](console, asked, say)

    try:
        asyncio.run(run())
    except Refused as refusal:
        raise Misuse(refusal.say[say.lang]) from None
    return 0


def _named(asked: Asked, what: str, say: Texts) -> str:
    if asked.who is None:
        raise Misuse(say("errors.admin_who", what=what))
    return asked.who


def when(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


async def role(console: Console, asked: Asked, say: Texts) -> None:
    who = _named(asked, "role", say)
    await console.role(who, asked.more or "person")
    print(say("admin.role", name=who, role=asked.more or "person"))


async def reports(console: Console, _asked: Asked, say: Texts) -> None:
    found = await console.peace.reports()
    if not found:
        print(say("admin.no_reports"))
    for report in found:
        told = {**report, "at": when(report["at"]), "by_name": report["by_name"] or "—"}
        print(say("admin.report", **told))
        for line in report["evidence"]:
            print(f"    {when(line['at'])}  {line['name']}: {line['text']}")


async def close(console: Console, asked: Asked, say: Texts) -> None:
    from tanistry.server.acts import CONSOLE

    if asked.who is None:
        raise Misuse(say("errors.admin_report"))
    await console.peace.close(CONSOLE, asked.who)
    print(say("admin.closed", report=asked.who))


async def mute(console: Console, asked: Asked, say: Texts) -> None:
    await console.mute(_named(asked, "mute", say), asked.hours, asked.reason)
    print(say("admin.muted", name=asked.who, hours=asked.hours))


async def unmute(console: Console, asked: Asked, say: Texts) -> None:
    await console.lift("mute", _named(asked, "unmute", say))
    print(say("admin.unmuted", name=asked.who))


async def ban(console: Console, asked: Asked, say: Texts) -> None:
    if not asked.address:
        _named(asked, "ban", say)
    await console.ban(asked.who, asked.address, asked.hours, asked.reason)
    print(say("admin.banned", name=asked.who or asked.address, hours=asked.hours))


async def unban(console: Console, asked: Asked, say: Texts) -> None:
    if not asked.address:
        _named(asked, "unban", say)
    await console.lift("ban", asked.who, asked.address)
    print(say("admin.unbanned", name=asked.who or asked.address))


async def names(console: Console, asked: Asked, say: Texts) -> None:
    from tanistry.server.acts import CONSOLE

    if asked.who is not None:
        change = console.peace.allow_name if asked.remove else console.peace.refuse_name
        await change(CONSOLE, asked.who)
    found = await console.peace.names()
    print("\n".join(found) if found else say("admin.no_names"))


async def audit(console: Console, _asked: Asked, say: Texts) -> None:
    for act in await console.peace.acts():
        by, about = act["by_name"] or act["by"], act["name"] or act["player"] or ""
        details = ", ".join(f"{name}: {value}" for name, value in act["details"].items())
        print(f"{when(act['at'])}  {by}  {act['act']}  {about}  {details}".rstrip())


def _address(console: Console, path: str) -> str:
    return console.store.config.site.rstrip("/") + path


async def invite(console: Console, asked: Asked, say: Texts) -> None:
    link = await console.invite(asked.who or "", asked.people, asked.days)
    print(_address(console, link))
    print(say("admin.invited", people=asked.people, days=asked.days))


async def export(console: Console, asked: Asked, say: Texts) -> None:
    print(json.dumps(await console.export(_named(asked, "export", say)), ensure_ascii=False))


TOURNAMENT = ("list", "new", "start", "cancel", "results")


async def tournament(console: Console, asked: Asked, say: Texts) -> None:
    from tanistry.server.acts import CONSOLE
    from tanistry.server.tournaments import deciding, reading, telling

    if asked.who not in TOURNAMENT:
        raise Misuse(say("errors.admin_tournament", allowed=", ".join(TOURNAMENT)))
    if asked.who == "list":
        for one in await reading.recent(console.store):
            about = f"{one['game']}  {one['system']}  {one['count']}/{one['most']}"
            print(f"{one['id']}  {one['status']}  {about}  {one['name']}")
        return
    if asked.more is None:
        raise Misuse(say("errors.admin_which", what=asked.who))
    if asked.who == "new":
        given: dict[str, Any] = {"game": asked.game, "system": asked.system, "grace": asked.wait}
        given |= {"name": asked.more, "rounds": asked.rounds, "seats": asked.seats}
        print(await console.announce(asked.bots, asked.bot, **given))
    elif asked.who == "results":
        print(telling.as_csv(await reading.load(console.store, asked.more)), end="")
    else:
        do = deciding.start if asked.who == "start" else deciding.cancel
        await do(console.store, asked.more, CONSOLE)
        print(say(f"admin.tournament.{asked.who}", id=asked.more))


CLUB = ("list", "new", "close")


async def club(console: Console, asked: Asked, say: Texts) -> None:
    from tanistry.server import clubs
    from tanistry.server.acts import CONSOLE

    if asked.who not in CLUB:
        raise Misuse(say("errors.admin_club", allowed=", ".join(CLUB)))
    if asked.who == "list":
        for one in await clubs.listed(console.store, "", everything=True):
            print(f"{one['id']}  {one['count']}  {one['name']}")
        return
    if asked.more is None:
        raise Misuse(say("errors.admin_which_club", what=asked.who))
    if asked.who == "new":
        print(_address(console, await console.found_club(asked.more)))
        print(say("admin.club.new"))
    else:
        await clubs.dissolve(console.store, asked.more, CONSOLE)
        print(say("admin.club.close", id=asked.more))


async def delete(console: Console, asked: Asked, say: Texts) -> None:
    who = _named(asked, "delete", say)
    if not asked.yes:
        raise Misuse(say("errors.admin_yes", name=who))
    await console.delete(who)
    print(say("admin.deleted", name=who))


_VERBS = (
    role, reports, close, mute, unmute, ban, unban, names, audit, invite, club, tournament, export,
    delete,
)  # fmt: skip
VERBS: dict[str, Callable[[Any, Asked, Texts], Awaitable[None]]] = {
    verb.__name__: verb for verb in _VERBS
}
