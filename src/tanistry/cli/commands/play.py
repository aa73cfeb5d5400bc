"""`tanistry play GAME`: a match in the terminal."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tanistry.cli.common import (
    GameName,
    Lang,
    Options,
    Seats,
    Seed,
    check_writable,
    load_game,
    on_screen,
    play_lines,
    prepare_match,
    write_text,
)
from tanistry.session.language import Misuse, Texts

if TYPE_CHECKING:
    from tanistry.analysis.coaching import Coach
    from tanistry.match import Game
    from tanistry.session.session import Session

ORDER = 10


def add(app: typer.Typer, say: Texts) -> None:
    @app.command(help="help.play")
    def play(
        game: GameName,
        seats: Seats = None,
        option: Options = None,
        opponents: Annotated[
            str | None, typer.Option(help="help.play_opponents", metavar="BOT[:LEVEL]|human")
        ] = None,
        seat: Annotated[
            list[str] | None, typer.Option(help="help.play_seat", metavar="N=WHO")
        ] = None,
        name: Annotated[
            list[str] | None, typer.Option(help="help.play_name", metavar="NAME")
        ] = None,
        seed: Seed = None,
        plain: Annotated[bool, typer.Option("--plain", help="help.play_plain")] = False,
        hint: Annotated[bool, typer.Option("--hint", help="help.play_hint")] = False,
        coach: Annotated[bool, typer.Option("--coach", help="help.play_coach")] = False,
        save: Annotated[str | None, typer.Option(help="help.play_save", metavar="FILE")] = None,
        pace: Annotated[
            float, typer.Option(help="help.play_pace", metavar="X", min=0.0, max=10.0)
        ] = 0.6,
        server: Annotated[str | None, typer.Option(help="help.play_server", metavar="URL")] = None,
        join: Annotated[str | None, typer.Option(help="help.play_join", metavar="TABLE")] = None,
        _lang: Lang = None,
    ) -> int:
        from tanistry.cli.reading import read_players, read_seed
        from tanistry.session.hints import adviser
        from tanistry.session.session import Session

        table = load_game(game, seats, option or [], say)
        if join and not server:
            raise Misuse(say("errors.needs", name="--join", other="--server"))
        if server:
            here: dict[str, object] = {"--seed": seed, "--save": save, "--hint": hint}
            here |= {"--coach": coach, "--seat": seat}
            for given in (flag for flag, value in here.items() if value):
                raise Misuse(say("errors.apart", name=given, other="--server"))
            _check_names(name or [], 1, say)
            return _remote(server, join, table, opponents, name[0] if name else None, say)
        dealt = read_seed(seed)
        players = read_players(table, seat or [], opponents, name or [], dealt)
        _check_names(name or [], sum(player.bot is None for player in players), say)
        advice = adviser(say) if hint else None
        if save is not None:
            check_writable(save)
        prepare_match(table, [p.bot.name for p in players if p.bot], say)
        session = Session(table.deal(dealt), players, say.lang)
        beside = _coach(session, say) if coach else None
        try:
            if plain or not on_screen():
                from tanistry.cli.plain import Plain

                return play_lines(Plain(session, advice, beside), say)
            from tanistry.tui import play_session

            play_session(session, advice, pace, beside)
            for line in session.result_lines():
                print(line)
            return 0
        finally:
            if save:
                write_text(save, session.record())
                print(say("play.saved", name=save), file=sys.stderr)


def _check_names(names: list[str], people: int, say: Texts) -> None:
    """A name for nobody was meant for somebody."""
    if len(names) > people:
        raise Misuse(say("errors.names", count=len(names), people=people))


def _coach(session: "Session", say: Texts) -> "Coach":
    """Somebody beside the only person: what is said to one must not be read by another."""
    from tanistry.analysis.coaching import Coach

    if not session.can_take_back:
        raise Misuse(say("errors.coach_alone"))
    return Coach(session.game, session.names, say.lang)


def _remote(
    url: str, join: str | None, table: "Game", level: str | None, name: str | None, say: Texts
) -> int:
    try:
        import websockets.asyncio.client  # noqa: F401  the client needs it only once it connects

        from tanistry.cli.remote import play_remote
    except ImportError as missing:
        raise Misuse(say("errors.extra", extra="client", name=missing.name or "?")) from None
    return play_remote(url, join, table, level, name, say)
