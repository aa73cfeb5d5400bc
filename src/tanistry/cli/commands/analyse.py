"""`tanistry analyse FILE`: a finished match understood."""

import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.common import Lang, bars, check_writable, read_text, write_text
from tanistry.session.language import Texts

if TYPE_CHECKING:
    from tanistry.analysis.telling import Telling

ORDER = 42
WIDEST = 100


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.analyse")
    def analyse(
        file: Annotated[str, typer.Argument(help="help.analyse_file", metavar="FILE")],
        every: Annotated[bool, typer.Option("--all", help="help.analyse_all")] = False,
        json: Annotated[bool, typer.Option("--json", help="help.analyse_json")] = False,
        html: Annotated[str | None, typer.Option(help="help.analyse_html", metavar="PAGE")] = None,
        deals: Annotated[int, typer.Option(help="help.analyse_deals", metavar="N")] = 12,
        _lang: Lang = None,
    ) -> None:
        import tanistry
        from tanistry.analysis.telling import Telling
        from tanistry.cli.prepare import with_patience

        match = with_patience(lambda: tanistry.replay(read_text(file)), say("prepare.record"))
        if html is not None:
            check_writable(html)
        with bars({say("analyse.working"): len(match.history)}) as show:
            found = tanistry.analyse(match, deals, lambda done, _of: show([done]))
        if json:
            from json import dumps

            print(dumps(found.data(), ensure_ascii=False))
        elif html is None or every:
            for line in _lines(Telling(found, say.lang), every):
                print(line)
        if html is not None:
            from tanistry.analysis.report import report

            write_text(html, report(found, say.lang))
            print(say("analyse.written", name=html), file=sys.stderr)


def _lines(telling: "Telling", every: bool) -> Iterator[str]:
    """The analysis for a terminal, no line wider than it."""
    from tanistry.analysis.telling import BARS, PLAIN_BARS
    from tanistry.cli.output import can_show

    found = telling.analysis
    wide = min(WIDEST, shutil.get_terminal_size().columns)
    yield from textwrap.wrap(telling.title, wide)
    ends = [telling.percent(chance) for chance in found.curve[-1]]
    names = min(wide // 3, max(map(len, found.names)))
    room = wide - names - max(map(len, ends)) - 2
    for seat, name in enumerate(found.names):
        drawn = telling.bars(seat, room, BARS if can_show(BARS) else PLAIN_BARS)
        yield f"{name[:names]:{names}} {drawn} {ends[seat]}"
    for player in found.players:
        yield from textwrap.wrap(telling.player(player), wide, subsequent_indent="  ")
        account = telling.account(player)
        yield from textwrap.wrap(account, wide, initial_indent="  ", subsequent_indent="  ")
    chosen = range(len(found.choices)) if every else found.moments
    yield ""
    yield telling("page.choices" if every else "page.moments")
    if not chosen:
        yield telling("page.no_moments")
    for number in chosen:
        choice = found.choices[number]
        told = [telling.choice(choice), telling.better(choice)]
        if not every:
            told.insert(1, telling.moved(choice))
        yield from textwrap.wrap(" · ".join(filter(None, told)), wide, subsequent_indent="  ")
