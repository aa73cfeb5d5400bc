"""`tanistry arena GAME BOT BOT …`: which bot is better, by how much, and how sure that is."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.common import (
    GameName,
    Lang,
    Minutes,
    Options,
    Seats,
    Workers,
    bars,
    check_writable,
    load_game,
    write_text,
)
from tanistry.cli.status import INTERRUPTED
from tanistry.session.language import Texts

if TYPE_CHECKING:
    from tanistry.arena import Results

ORDER = 60


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.arena")
    def arena(
        game: GameName,
        bots: Annotated[list[str], typer.Argument(help="help.arena_bots", metavar="BOT…")],
        games: Annotated[
            int, typer.Option("--games", "--matches", "-n", help="help.arena_games", metavar="N")
        ] = 100,
        seats: Seats = None,
        option: Options = None,
        seed: Annotated[int, typer.Option(help="help.arena_seed", metavar="N")] = 0,
        ladder: Annotated[bool, typer.Option("--ladder", help="help.arena_ladder")] = False,
        out: Annotated[Path | None, typer.Option(help="help.arena_out", metavar="FILE")] = None,
        plot: Annotated[Path | None, typer.Option(help="help.arena_plot", metavar="FILE")] = None,
        markdown: Annotated[
            str | None, typer.Option(help="help.arena_markdown", metavar="FILE")
        ] = None,
        json: Annotated[bool, typer.Option("--json", help="help.arena_json")] = False,
        workers: Workers = None,
        minutes: Minutes = None,
        _lang: Lang = None,
    ) -> int:
        from tanistry.arena import Contest, run
        from tanistry.arena.contest import MATCHES_PER_DEAL
        from tanistry.arena.plot import check_plot, draw
        from tanistry.arena.report import markdown as report

        table = load_game(game, seats, option or [], say)
        contest = Contest.of(
            game, bots, games=games, seats=table.seats, seed=seed, ladder=ladder, **table.options
        )
        if plot:
            check_plot(plot)
        if markdown is not None:
            check_writable(markdown)
        until = None if minutes is None else 60 * minutes
        matches = MATCHES_PER_DEAL * contest.deals * len(contest.pairs)
        with bars({say("arena.working"): matches}) as show:

            def progress(done: int, _of: int, _results: "Results") -> None:
                show([MATCHES_PER_DEAL * done])

            results = run(contest, out=out, workers=workers, until=until, progress=progress)
        if json:
            from json import dumps

            print(dumps(results.data()))
        else:
            _print(results, say)
        if markdown:
            write_text(markdown, report(results))
        if plot:
            title = f"{table.info.title[say.lang]}, {say('arena.seats', n=table.seats)}"
            draw(results, plot, title, say.lang)
        if results.missing():
            print(say("arena.go_on" if out else "arena.unfinished"), file=sys.stderr)
        return INTERRUPTED if results.interrupted else 0


def _print(results: "Results", say: Texts) -> None:
    from rich.console import Console
    from rich.table import Table

    from tanistry.arena.report import rating, span

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 110)
    figures = results.table()
    undecided = any(not duel.decided for duel in figures.duels)
    caption = say("arena.open_means") if undecided else None
    duels = Table(title=say("arena.duels"), caption=caption, caption_justify="left")
    for key in ("entrant", "against"):
        duels.add_column(say(f"arena.{key}"))
    for key in ("matches", "won", "interval"):
        duels.add_column(say(f"arena.{key}"), justify="right")
    duels.add_column()
    for duel in figures.duels:
        verdict = "" if duel.decided else say("arena.open")
        won, interval = say.percent(duel.rate), span(duel, say.number)
        duels.add_row(duel.a, duel.b, say.number(duel.matches), won, interval, verdict)
    console.print(duels)
    lines = Table(title=say("arena.entrants"))
    lines.add_column(say("arena.entrant"))
    for key in ("won", "interval", "rating", "speed"):
        lines.add_column(say(f"arena.{key}"), justify="right")
    for line in figures.lines:
        won, interval = say.percent(line.rate), span(line, say.number)
        speed = say.number(line.milliseconds, 1)
        lines.add_row(line.name, won, interval, rating(line, say.number), speed)
    console.print(lines)
