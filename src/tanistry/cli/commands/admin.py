"""`tanistry admin`: back up, restore and check a server's database."""

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tanistry.cli.common import Lang
from tanistry.server.settings import PREFIX, Settings
from tanistry.session.language import Misuse, Texts

ORDER = 65
WRONG = 1


class What(StrEnum):
    backup = "backup"
    restore = "restore"
    check = "check"
    downgrade = "downgrade"


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.admin")
    def admin(
        what: Annotated[
            What,
            typer.Argument(
                help="help.admin_what", metavar="backup|restore|check|downgrade", show_default=False
            ),
        ],
        file: Annotated[
            Path | None,
            typer.Argument(help="help.admin_file", metavar="FILE", show_default=False),
        ] = None,
        database: Annotated[
            str,
            typer.Option(
                "--database", help="help.serve_database", metavar="TEXT", envvar=f"{PREFIX}DATABASE"
            ),
        ] = Settings.database,
        replay: Annotated[bool, typer.Option("--replay", help="help.admin_replay")] = False,
        _lang: Lang = None,
    ) -> int:
        try:
            from tanistry.server import admin as work
        except ImportError as missing:
            raise Misuse(say("errors.extra", extra="server", name=missing.name or "?")) from None
        config = Settings(database=database)
        if what is What.check:
            return _check(config, replay, say)
        if file is None:
            raise Misuse(say("errors.admin_file", what=what.value))
        if what is What.downgrade:
            asyncio.run(work.downgrade(config, str(file)))
            print(say("admin.went_back", database=database, schema=file))
            return 0
        if what is What.backup:
            work.backup(config, file)
            print(say("admin.backed_up", database=database, file=file))
            return 0
        aside = work.restore(config, file)
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
