"""`tanistry arena GAME BOT BOT …`: which bot is better, by how much, and how sure that is."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.app import Misuse
from tanistry.cli.common import (
    Language,
    game_argument,
    game_option,
    lang_option,
    load_game,
    seats_option,
    write_text,
)
from tanistry.cli.language import Texts

if TYPE_CHECKING:
    from tanistry.arena import Contest, Results

ORDER = 60


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help=say("help.arena"))
    def arena(
        game: Annotated[str, game_argument(say)],
        bots: Annotated[
            list[str],
            typer.Argument(help=say("help.arena_bots"), metavar="BOT…", show_default=False),
        ],
        games: Annotated[
            int, typer.Option("--games", "-n", help=say("help.arena_games"), metavar="N")
        ] = 100,
        seats: Annotated[int | None, seats_option(say)] = None,
        option: Annotated[list[str] | None, game_option(say)] = None,
        seed: Annotated[int, typer.Option("--seed", help=say("help.arena_seed"), metavar="N")] = 0,
        ladder: Annotated[bool, typer.Option("--ladder", help=say("help.arena_ladder"))] = False,
        out: Annotated[
            Path | None,
            typer.Option("--out", help=say("help.arena_out"), metavar="FILE", show_default=False),
        ] = None,
        plot: Annotated[
            Path | None,
            typer.Option("--plot", help=say("help.arena_plot"), metavar="FILE", show_default=False),
        ] = None,
        markdown: Annotated[
            str | None,
            typer.Option(
                "--markdown", help=say("help.arena_markdown"), metavar="FILE", show_default=False
            ),
        ] = None,
        json: Annotated[bool, typer.Option("--json", help=say("help.arena_json"))] = False,
        workers: Annotated[
            int | None,
            typer.Option(
                "--workers", help=say("help.arena_workers"), min=1, metavar="N", show_default=False
            ),
        ] = None,
        minutes: Annotated[
            float | None,
            typer.Option(
                "--minutes", help=say("help.arena_minutes"), min=0, metavar="X", show_default=False
            ),
        ] = None,
        _lang: Annotated[Language | None, lang_option(say)] = None,
    ) -> int:
        from tanistry.arena import Contest
        from tanistry.arena.plot import check_plot, draw
        from tanistry.arena.report import markdown as report

        table = load_game(game, seats, option or [], say)
        contest = Contest.of(
            game,
            bots,
            games=games,
            seats=table.seats,
            seed=seed,
            ladder=ladder,
            **table.options,
        )
        if plot:
            check_plot(plot)
        if out and out.is_dir():
            reason = say("reasons.IsADirectoryError")
            raise Misuse(say("errors.file_write", name=str(out), reason=reason))
        results = _with_progress(contest, out, workers, minutes, say)
        if json:
            from json import dumps

            print(dumps(results.data()))
        else:
            _print(results, say)
        if markdown:
            write_text(markdown, report(results), say)
        if plot:
            draw(
                results, plot, f"{table.info.title[say.lang]}, {say('arena.seats', n=table.seats)}"
            )
        unfinished = any(not results.has(encounter) for encounter in contest.encounters())
        if unfinished:
            print(say("arena.go_on" if out else "arena.unfinished"), file=sys.stderr)
        return 130 if results.interrupted else 0


def _with_progress(
    contest: "Contest", out: Path | None, workers: int | None, minutes: float | None, say: Texts
) -> "Results":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from tanistry.arena import run

    until = None if minutes is None else 60 * minutes
    if not sys.stderr.isatty():
        return run(contest, out=out, workers=workers, until=until)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task(say("arena.working"), total=None)

        def show(done: int, of: int, _results: "Results") -> None:
            bar.update(task, completed=2 * done, total=2 * of)

        return run(contest, out=out, workers=workers, until=until, progress=show)


def _print(results: "Results", say: Texts) -> None:
    from rich.console import Console
    from rich.table import Table

    from tanistry.arena.report import percent, rating, span

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 110)
    figures = results.table()
    duels = Table(title=say("arena.duels"))
    for key in ("entrant", "against"):
        duels.add_column(say(f"arena.{key}"))
    for key in ("matches", "won", "interval"):
        duels.add_column(say(f"arena.{key}"), justify="right")
    duels.add_column()
    for duel in figures.duels:
        verdict = "" if duel.decided else say("arena.open")
        row = (duel.a, duel.b, str(duel.matches), percent(duel.rate), span(duel), verdict)
        duels.add_row(*row)
    console.print(duels)
    lines = Table(title=say("arena.entrants"))
    lines.add_column(say("arena.entrant"))
    for key in ("won", "interval", "rating", "speed"):
        lines.add_column(say(f"arena.{key}"), justify="right")
    for line in figures.lines:
        speed = f"{line.milliseconds:.1f}"
        lines.add_row(line.name, percent(line.rate), span(line), rating(line), speed)
    console.print(lines)
