"""`tanistry simulate GAME`: many matches, at random or by a policy, counted."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.common import GameName, Lang, Options, Seats, Seed, bars, load_game, prepare
from tanistry.session.language import Texts

if TYPE_CHECKING:
    from tanistry.match import Game
    from tanistry.simulation import Simulation

ORDER = 50


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.simulate")
    def simulate(
        game: GameName,
        n: Annotated[
            int, typer.Option("-n", "--matches", help="help.simulate_n", metavar="N")
        ] = 10_000,
        seats: Seats = None,
        option: Options = None,
        seed: Seed = None,
        threads: Annotated[
            int | None, typer.Option(help="help.simulate_threads", metavar="N")
        ] = None,
        device: Annotated[
            str, typer.Option(help="help.simulate_device", metavar="cpu|cuda")
        ] = "cpu",
        policy: Annotated[
            str,
            typer.Option(
                "--policy", "-p", help="help.simulate_policy", metavar="random|greedy|trained"
            ),
        ] = "random",
        json: Annotated[bool, typer.Option("--json", help="help.simulate_json")] = False,
        _lang: Lang = None,
    ) -> None:
        import tanistry
        from tanistry.cli.reading import read_seed
        from tanistry.match.seeds import seed_bytes
        from tanistry.simulation import Interrupted, check_arguments, check_policy

        table = load_game(game, seats, option or [], say)
        key = seed_bytes(read_seed(seed))
        check_arguments(table, n, device, threads)
        check_policy(table, policy, device)

        prepare(
            table, lambda: tanistry.simulate(table, 0, key, device, threads, policy=policy), say
        )

        def tell(result: "Simulation") -> None:
            if json:
                _print_json(table, result, key, policy)
            else:
                _print_table(table.info.title[say.lang], result, key, policy, say)

        try:
            with bars({say("simulate.working"): n}) as show:
                result = tanistry.simulate(
                    table, n, key, device, threads, lambda done: show([done]), policy
                )
        except Interrupted as stopped:
            tell(stopped.counted)
            raise
        tell(result)


def _print_json(game: "Game", result: "Simulation", key: bytes, policy: str) -> None:
    from json import dumps

    lengths = {str(k): int(count) for k, count in enumerate(result.lengths) if count}
    counts = {
        "game": game.name,
        "seats": game.seats,
        "options": game.options,
        "seed": key.hex(),
        "policy": policy,
        "matches": result.matches,
        "steps": result.steps,
        "seconds": round(result.seconds, 6),
        "wins": result.wins,
        "lengths": lengths,
    }
    print(dumps(counts))


def _print_table(title: str, result: "Simulation", key: bytes, policy: str, say: Texts) -> None:
    from rich.console import Console
    from rich.table import Table

    from tanistry.match.seeds import seed_text

    table = Table(
        title=say(
            f"simulate.title_{policy}",
            title=title,
            count=result.matches,
            n=say.number(result.matches),
        ),
        show_header=False,
    )
    table.add_column(justify="left")
    table.add_column(justify="right")
    for number, wins in enumerate(result.wins, 1):  # as at the table, where seat 0 is Player 1
        table.add_row(say("simulate.wins", number=number), _share(wins, result.matches, say))
    table.add_row(say("simulate.draws"), _share(result.draws, result.matches, say))
    lengths = [k for k, count in enumerate(result.lengths) if count]
    if lengths:
        mean = say.number(result.steps / result.matches, 1)
        value = say("simulate.length_value", mean=mean, low=lengths[0], high=lengths[-1])
        table.add_row(say("simulate.length"), value)
        rates = result.steps_per_second, result.matches / result.seconds
        steps, matches = map(say.number, rates)
        speed = say("simulate.speed_value", steps=steps, matches=matches)
        table.add_row(say("simulate.steps"), say.number(result.steps))
        table.add_row(say("simulate.speed"), speed)
    Console(highlight=False, width=None if sys.stdout.isatty() else 110).print(table)
    print(say("simulate.seed", seed=seed_text(key)))  # below: a cell cuts it off or breaks it


def _share(count: int, total: int, say: Texts) -> str:
    """A count and its percentage with a 95 % interval (Wilson)."""
    if not total:
        return say.number(count)
    from tanistry.simulation.intervals import wilson

    p = count / total
    low, high = wilson(p, total)
    span = f"{say.percent(low, 2)} – {say.percent(high, 2)}"
    return f"{say.number(count)}  {say.percent(p, 2)} ({span})"
