"""`tanistry train GAME`: a network that learns the game by playing itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.common import GameName, Lang, Minutes, bars
from tanistry.session.language import Misuse, Texts

if TYPE_CHECKING:
    from tanistry.learning.training import Training

ORDER = 57


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.train")
    def train(
        game: GameName,
        settings: Annotated[
            Path | None, typer.Option(help="help.train_settings", metavar="FILE")
        ] = None,
        choices: Annotated[
            int | None, typer.Option("-n", "--choices", help="help.train_choices", metavar="N")
        ] = None,
        rows: Annotated[int | None, typer.Option(help="help.train_rows", metavar="N")] = None,
        seed: Annotated[int | None, typer.Option(help="help.train_seed", metavar="N")] = None,
        out: Annotated[Path | None, typer.Option(help="help.train_out", metavar="FOLDER")] = None,
        minutes: Minutes = None,
        device: Annotated[str, typer.Option(help="help.train_device", metavar="cpu|cuda")] = "cpu",
        threads: Annotated[int, typer.Option(help="help.train_threads", min=1, metavar="N")] = 1,
        _lang: Lang = None,
    ) -> None:
        import tanistry

        tanistry.info(game)
        try:
            from tanistry.learning.running import start
        except ModuleNotFoundError as missing:
            raise Misuse(say("errors.extra", name=missing.name, extra="learn")) from None

        given = {"choices": choices, "rows": rows, "seed": seed}
        training = start(game, out or Path(f"train-{game}"), settings, given, device, threads)
        with bars({say("train.working"): training.settings.choices}) as show:

            def report(training: "Training") -> None:
                show([training.progress.choices])

            training.run(float("inf") if minutes is None else 60 * minutes, report)
        _print(training, say)


def _print(training: "Training", say: Texts) -> None:
    found = training.measures
    for opponent in ("random", "greedy", "earlier"):
        if opponent in found:
            low, high = (say.percent(found[f"{opponent} {end}"], 1) for end in ("low", "high"))
            share = say.percent(found[opponent], 1)
            print(say(f"train.{opponent}", share=share, low=low, high=high))
    print(
        say("train.written", folder=training.folder, choices=say.number(training.progress.choices))
    )
