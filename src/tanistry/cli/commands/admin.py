"""`tanistry admin`: look after a server's database, and after the people on it."""

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tanistry.cli.common import Lang
from tanistry.cli.keeper import VERBS, Asked, keep
from tanistry.server.settings import PREFIX, Settings
from tanistry.session.language import Misuse, Texts

ORDER = 65
WRONG = 1
ALONE = ("check", "reports", "audit", "tournament list", "club list")
"""What takes no further argument."""
WITH_TWO = ("role", "club", "tournament")
CONTEST = ("game", "system", "rounds", "seats", "wait", "bots", "bot")
BELONGS = {
    **dict.fromkeys(("hours", "reason"), ("mute", "ban")),
    **dict.fromkeys(("people", "days"), ("invite",)),
    **dict.fromkeys(CONTEST, ("tournament new",)),
    "address": ("ban", "unban"),
    "remove": ("names WHO",),
    "replay": ("check",),
    "yes": ("delete",),
}
"""What each option is for; those not named here are for everything."""
What = StrEnum("What", ["backup", "restore", "check", "downgrade", *VERBS])  # type: ignore[misc]


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.admin")
    def admin(
        context: typer.Context,
        what: Annotated[What, typer.Argument(help="help.admin_what", metavar="WHAT")],
        file: Annotated[
            str | None, typer.Argument(help="help.admin_file", metavar="[FILE|WHO]")
        ] = None,
        more: Annotated[
            str | None, typer.Argument(help="help.admin_role", metavar="[ROLE|NAME]")
        ] = None,
        database: Annotated[
            str,
            typer.Option(help="help.serve_database", metavar="TEXT", envvar=f"{PREFIX}DATABASE"),
        ] = Settings.database,
        replay: Annotated[bool, typer.Option("--replay", help="help.admin_replay")] = False,
        hours: Annotated[
            int, typer.Option(help="help.admin_hours", metavar="N", min=1, max=87_600)
        ] = Asked.hours,
        reason: Annotated[str, typer.Option(help="help.admin_reason", metavar="TEXT")] = "",
        address: Annotated[str, typer.Option(help="help.admin_address", metavar="TEXT")] = "",
        people: Annotated[
            int, typer.Option(help="help.admin_people", metavar="N", min=1, max=1000)
        ] = Asked.people,
        days: Annotated[
            int, typer.Option(help="help.admin_days", metavar="N", min=1, max=365)
        ] = Asked.days,
        game: Annotated[str, typer.Option(help="help.admin_game", metavar="GAME")] = Asked.game,
        system: Annotated[
            str, typer.Option(help="help.admin_system", metavar="SYSTEM")
        ] = Asked.system,
        rounds: Annotated[
            int, typer.Option(help="help.admin_rounds", metavar="N", min=0, max=30)
        ] = Asked.rounds,
        seats: Annotated[int | None, typer.Option(help="help.admin_seats", metavar="N")] = None,
        wait: Annotated[
            int, typer.Option(help="help.admin_wait", metavar="N", min=10, max=604_800)
        ] = Asked.wait,
        bots: Annotated[
            int, typer.Option(help="help.admin_bots", metavar="N", min=0, max=64)
        ] = Asked.bots,
        bot: Annotated[str, typer.Option(help="help.admin_bot", metavar="BOT")] = Asked.bot,
        remove: Annotated[bool, typer.Option("--remove", help="help.admin_remove")] = False,
        yes: Annotated[bool, typer.Option("--yes", help="help.admin_yes")] = False,
        site: Annotated[
            str, typer.Option(help="help.serve_site", metavar="TEXT", envvar=f"{PREFIX}SITE")
        ] = "",
        _lang: Lang = None,
    ) -> int:
        try:
            from tanistry.server import admin as work
        except ImportError as missing:
            raise Misuse(say("errors.extra", extra="server", name=missing.name or "?")) from None
        verb = f"{what} {file}"
        may_have_more = what in WITH_TWO and verb not in ALONE
        too_many = file if what in ALONE else None if may_have_more else more
        if too_many is not None:
            raise Misuse(say("errors.admin_more", value=too_many))
        meant = {what.value, verb, f"{what} WHO" if file else ""}
        for option, allowed in BELONGS.items():
            source = context.get_parameter_source(option)
            if meant.isdisjoint(allowed) and source and source.name == "COMMANDLINE":
                those = say("errors.admin_and").join(allowed)
                raise Misuse(say("errors.admin_option", name=option, allowed=those))
        config = Settings(database=database, site=site)
        if what in VERBS:
            asked = Asked(
                who=file, more=more, hours=hours, days=days, people=people, reason=reason,
                address=address, remove=remove, yes=yes, game=game, system=system, rounds=rounds,
                seats=seats, wait=wait, bots=bots, bot=bot,
            )  # fmt: skip
            return keep(what.value, asked, config, say)
        if what == "check":
            return _check(config, replay, say)
        if file is None:
            raise Misuse(say("errors.admin_file", what=what.value))
        if what == "downgrade":
            asyncio.run(work.downgrade(config, file))
            print(say("admin.went_back", database=database, schema=file))
            return 0
        if what == "backup":
            work.backup(config, Path(file))
            print(say("admin.backed_up", database=database, file=file))
            return 0
        aside = work.restore(config, Path(file))
        print(say("admin.restored", database=database, file=file))
        if aside is not None:
            print(say("admin.aside", file=aside))
        return 0


def _check(config: Settings, replay: bool, say: Texts) -> int:
    from tanistry.server.admin import check

    tables, wrong = asyncio.run(check(config, replay))
    for kind, values in wrong:
        print(say(f"admin.found.{kind}", **values))
    if wrong:
        print(say("admin.wrong", count=len(wrong)))
        return WRONG
    print(say("admin.sound", tables=tables))
    return 0
