"""`tanistry study GAME`: what a game is like, counted over many matches, as a report to look at."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tanistry.cli.common import GameName, Lang, Minutes, Options, Seats, Workers, bars, load_game
from tanistry.cli.status import INTERRUPTED
from tanistry.session.language import Misuse, Texts

if TYPE_CHECKING:
    from tanistry.match import Game
    from tanistry.studies import Study
    from tanistry.studies.wording import Wording

ORDER = 55


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.study")
    def study(
        game: GameName,
        n: Annotated[
            int, typer.Option("-n", "--matches", help="help.study_n", metavar="N")
        ] = 100_000,
        policy: Annotated[
            list[str] | None,
            typer.Option("--policy", "-p", help="help.study_policy", metavar="POLICY,…"),
        ] = None,
        seats: Seats = None,
        option: Options = None,
        vary: Annotated[
            list[str] | None, typer.Option(help="help.study_vary", metavar="NAME[=V,…]")
        ] = None,
        seed: Annotated[str, typer.Option(help="help.study_seed", metavar="SEED")] = "0",
        out: Annotated[str | None, typer.Option(help="help.study_out", metavar="FOLDER")] = None,
        formats: Annotated[
            str | None, typer.Option("--format", help="help.study_format", metavar="FORMAT,…")
        ] = None,
        engine: Annotated[
            str, typer.Option(help="help.study_engine", metavar="local|ray")
        ] = "local",
        workers: Workers = None,
        minutes: Minutes = None,
        _lang: Lang = None,
    ) -> int:
        import tanistry
        from tanistry.cli.common import prepare
        from tanistry.cli.reading import read_seed
        from tanistry.match.seeds import seed_bytes
        from tanistry.studies import Study
        from tanistry.studies.checkpoint import check_folder, load, read_folder
        from tanistry.studies.engines import check_engine
        from tanistry.studies.files import check_formats, usual_formats
        from tanistry.studies.plan import make_plan
        from tanistry.studies.running import prepare as prepare_plan

        table = load_game(game, seats, option or [], say)
        varied = _read_vary(table, vary or [], say)
        for name in _settled(seats, option or []):
            if name in varied:
                raise Misuse(say("errors.apart", name=f"--vary {name}", other=_given_as(name)))
        wanted = usual_formats() if formats is None else tuple(_listed([formats]))
        check_formats(wanted)
        folder = read_folder(f"study-{game}" if out is None else out)
        policies, key = _read_policies(policy or ["random"]), seed_bytes(read_seed(seed))
        until = None if minutes is None else 60 * minutes
        plan = make_plan(table, n, policies, varied, key)
        check_engine(engine, workers)
        check_folder(folder)
        if not Study(plan, tuple(load(folder, plan))).finished:
            prepare(table, lambda: prepare_plan(plan), say)
        totals = {plan.label(setting): setting.matches for setting in plan.settings}
        with bars(totals) as show:
            found = tanistry.study(
                table, n, policies, varied, key, folder, engine, workers, show, until
            )
        written = found.write(folder, wanted, say.lang)
        _print(found, say)
        for path in written:
            if path.suffix != ".parquet":
                print(say("study.written", name=str(path)))
        if not found.finished:
            print(say("study.go_on"), file=sys.stderr)
        return INTERRUPTED if found.interrupted else 0


def _settled(seats: int | None, options: list[str]) -> list[str]:
    """What the command line settles, and therefore cannot vary."""
    named = [item.partition("=")[0].strip() for item in options]
    return named if seats is None else ["seats", *named]


def _given_as(name: str) -> str:
    return "--seats" if name == "seats" else f"--option {name}"


def _listed(texts: list[str]) -> list[str]:
    """What was given in several options or with commas between."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


def _read_policies(texts: list[str]) -> list[str]:
    """Policies with commas between; what has an equals sign is a setting of the one before."""
    found: list[str] = []
    for part in _listed(texts):
        if "=" in part and found:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def _read_vary(game: "Game", texts: list[str], say: Texts) -> dict[str, Any]:
    """`edition` or `target=20,40`: which options to vary, and through which values."""
    known = {option.name: option for option in game.option_list}
    found: dict[str, Any] = {}
    for text in texts:
        name, given, values = text.partition("=")
        name = name.strip()
        more: list[Any] | None
        if not given:
            more = None
        elif name == "seats":
            more = [_read_number(value, text, say) for value in _listed([values])]
        elif name in known:
            more = [known[name].read(value) for value in _listed([values])]
        else:
            more = _listed([values])
        before = found.get(name, [])
        found[name] = None if more is None or before is None else [*before, *more]
    return found


def _read_number(value: str, text: str, say: Texts) -> int:
    if not value.isdecimal():
        raise Misuse(say("errors.option_shape", text=text))
    return int(value)


def _print(found: "Study", say: Texts) -> None:
    """The most telling figures; the rest is in the files."""
    from rich.console import Console
    from rich.table import Table

    from tanistry.studies.wording import Wording

    results = [result for result in found.results if result.matches]
    if not results:
        return
    words = Wording(say.lang, results[0].game)
    table = Table(title=words("page.title", game=words.words.text("title")))
    table.add_column(words("summary.setting"))
    keys = ("matches", "first", "draws", "choices", "alternatives", "forced")
    for key in keys:
        table.add_column(words(f"summary.{key}"), justify="right")
    for result in results:
        row, first = result.summary()[0], result.seats()[0]
        table.add_row(
            result.label,
            words.number(result.matches),
            words.estimate(first),
            words.percent(row["shared"]),
            words.number(row["choices"], 1),
            words.number(row["alternatives"], 1),
            words.percent(row["forced"]),
        )
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    if rows := found.compared():
        console.print(_differences(rows, words))


def _differences(rows: list[dict[str, Any]], words: "Wording") -> Any:
    """What each setting changes, against the first; what surely differs is marked."""
    from rich.table import Table

    from tanistry.studies.report import difference

    table = Table(title=words("compared.title", against=rows[0]["against"]))
    for key in ("summary.setting", "compared.figure"):
        table.add_column(words(key))
    for key in ("compared.difference", "tables.95"):
        table.add_column(words(key), justify="right")
    for row in rows:
        figure, value, span = difference(row, words)
        table.add_row(row["setting"], figure, value + ("*" if row["sure"] else " "), span)
    return table
