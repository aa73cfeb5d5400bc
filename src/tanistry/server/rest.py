"""HTTP: who you are, games, tables, records. What is live goes over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import orjson
import sqlalchemy as sa
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tanistry.server import catalogue, replays, verbs
from tanistry.server import messages as m
from tanistry.server.clocks import Clock
from tanistry.server.people import COOKIE, COOKIE_DAYS, clean_name
from tanistry.server.refusals import Refused, wrong_value
from tanistry.server.schema import players, ratings, seats, tables
from tanistry.server.store import PROVISIONAL, now_ms, shown_rating
from tanistry.server.tables import Data, Seat, describe

if TYPE_CHECKING:
    from tanistry.server.app import Server

MOST_SEATS = 9


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


def example(**values: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


Login = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_.-]{3,32}$")]
Password = Annotated[str, StringConstraints(min_length=8, max_length=200)]
OptionValue = Annotated[bool | int | str, m.either("option_value")]


class NewName(Body):
    model_config = example(name="Ailsa")
    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Credentials(Body):
    model_config = example(login="ailsa", password="a long sentence is good")
    login: Login
    password: Password


class SignIn(Body):
    model_config = example(login="ailsa", password="a long sentence is good")
    login: Annotated[str, Field(max_length=64)]
    password: Annotated[str, Field(max_length=200)]


class NewPassword(Body):
    model_config = example(password="the old one", new="a longer sentence is better")
    password: Annotated[str, Field(max_length=200)]
    new: Password


class ClockChoice(Body):
    kind: Literal["none", "fischer", "days"] = "none"
    seconds: Annotated[int, Field(ge=5, le=86_400)] = 600
    increment: Annotated[int, Field(ge=0, le=600)] = 5
    days: Annotated[int, Field(ge=1, le=30)] = 3

    def clock(self) -> Clock:
        if self.kind == "fischer":
            return Clock("fischer", seconds=self.seconds, increment=self.increment)
        return Clock("days", days=self.days) if self.kind == "days" else Clock()


class SeatChoice(Body):
    kind: Literal["me", "open", "person", "bot"]
    player: Annotated[str, Field(max_length=24)] | None = None
    bot: m.BotName | None = None
    level: m.Level | None = None


class Spectators(Body):
    allowed: bool = True
    delay: Annotated[int, Field(ge=0, le=3600)] = 0


class NewTable(Body):
    model_config = example(
        game="claim", public=True, seats=[{"kind": "me"}, {"kind": "bot", "level": 2}]
    )
    game: Annotated[str, Field(max_length=40)]
    options: Annotated[dict[str, OptionValue], Field(max_length=20)] = {}
    public: bool = False
    rated: bool = True
    clock: ClockChoice = ClockChoice()
    spectators: Spectators = Spectators()
    seats: Annotated[list[SeatChoice], Field(max_length=MOST_SEATS)] | None = None


class QuickPlay(Body):
    model_config = example(game="claim", level=2)
    game: Annotated[str, Field(max_length=40)]
    options: Annotated[dict[str, OptionValue], Field(max_length=20)] = {}
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS)] | None = None
    bot: m.BotName | None = None
    level: m.Level | None = None


class ToVerify(Body):
    model_config = example(record='[Game "claim"]\n[Seats "2"]\n[Seed "…"]\n\n0: K7\n')
    record: Annotated[str, Field(max_length=1_000_000)]


class RefusalShape(BaseModel):
    """A refusal: a stable code, the rule, a sentence in every language."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "code": "table/unknown",
                    "rule": "",
                    "say": {"en": "There is no such table.", "fr": "Cette table n'existe pas."},
                }
            ]
        }
    )
    code: str
    rule: str
    say: dict[str, str]


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": RefusalShape, "description": text}
    for status, text in {
        400: "Unreadable",
        401: "The server does not know you",
        403: "Not allowed",
        404: "Unknown",
        405: "Not done this way",
        409: "Not now",
        413: "Too long",
        422: "Wrong values",
        429: "Too fast",
        503: "The store does not answer",
    }.items()
}
PLAYER = {"id": "p_3v9XzQ", "name": "Ailsa", "guest": True, "login": None, "ratings": {}}


def shows(data: Any, text: str = "As described in the protocol") -> dict[int | str, dict[str, Any]]:
    """An example of a good answer, for the OpenAPI page."""
    return {200: {"description": text, "content": {"application/json": {"example": data}}}}


def address(request: Request) -> str:
    return request.client.host if request.client else "?"


def router(server: Server) -> APIRouter:
    api = APIRouter(prefix="/api/v1", responses=REFUSALS)
    _people(api, server)
    _games(api)
    _tables(api, server)
    return api


async def current(server: Server, request: Request) -> Any:
    """The player who asks; a refusal if nobody."""
    row = await server.people.known(request.cookies.get(COOKIE))
    if row is None:
        raise Refused("auth/nobody")
    return row


async def perhaps(server: Server, request: Request) -> str | None:
    row = await server.people.known(request.cookies.get(COOKIE))
    return None if row is None else str(row.id)


def set_cookie(server: Server, request: Request, response: Response, row: Any) -> None:
    response.set_cookie(
        COOKIE,
        server.people.cookie(row.id, row.session),
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        path="/",
    )


# -- people ---------------------------------------------------------------------------------------


def _people(api: APIRouter, server: Server) -> None:
    people, store = server.people, server.store

    @api.get("/me", tags=["people"], responses=shows(PLAYER))
    async def who_am_i(request: Request, response: Response) -> Data:
        """Who you are; you become a guest if you are nobody yet."""
        row = await people.known(request.cookies.get(COOKIE))
        if row is None:
            server.limits.take("guests", address(request))
            row = await people.new_guest()
            set_cookie(server, request, response, row)
        return await people.data(row, own=True)

    @api.patch("/me", tags=["people"], responses=shows(PLAYER))
    async def change_name(request: Request, body: NewName) -> Data:
        """Change your name."""
        row = await current(server, request)
        await people.rename(row.id, clean_name(body.name))
        for connection in server.connections:
            if connection.player == row.id:
                connection.name = clean_name(body.name)
        return await people.data(await store.player(row.id), own=True)

    @api.post("/account", tags=["people"], status_code=201)
    async def make_account(request: Request, body: Credentials) -> Data:
        """Keep this guest as an account."""
        server.limits.take("logins", address(request))
        row = await current(server, request)
        await people.make_account(row, body.login, body.password)
        return await people.data(await store.player(row.id), own=True)

    @api.put("/account/password", tags=["people"], responses=shows(PLAYER))
    async def change_password(request: Request, response: Response, body: NewPassword) -> Data:
        """Change your password; other devices are signed out."""
        server.limits.take("logins", address(request))
        row = await current(server, request)
        await people.change_password(row, body.password, body.new)
        row = await store.player(row.id)
        set_cookie(server, request, response, row)
        return await people.data(row, own=True)

    @api.post("/session", tags=["people"], responses=shows(PLAYER))
    async def sign_in(request: Request, response: Response, body: SignIn) -> Data:
        """Sign in; what you played as a guest on this device moves to the account."""
        server.limits.take("logins", address(request))
        before = await people.known(request.cookies.get(COOKIE))
        row = await people.sign_in(body.login, body.password)
        if before is not None and before.login is None:
            await server.hall.moved(await people.adopt(before.id, row.id))
        set_cookie(server, request, response, row)
        return await people.data(row, own=True)

    @api.delete("/session", tags=["people"], responses=shows({"ok": True}))
    async def sign_out(request: Request, response: Response) -> Data:
        """Sign out of this device: you are nobody until you ask who you are."""
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
        return {"ok": True}

    @api.get("/me/matches", tags=["people"], responses=shows({"tables": [], "next": None}))
    async def my_matches(
        request: Request,
        status: Literal["waiting", "playing", "over"] | None = None,
        before: Annotated[int, Query(ge=0, le=2**53)] | None = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
    ) -> Data:
        """Your tables, newest first."""
        row = await current(server, request)
        mine = sa.select(seats.c.table_id).where(seats.c.player == row.id)
        where = [tables.c.id.in_(mine), tables.c.status != "closed"]
        if status:
            where.append(tables.c.status == status)
        if before is not None:
            where.append(tables.c.created < before)
        found = await store.infos(*where, limit=limit)
        more = str(found[-1].created) if len(found) == limit else None
        return {"tables": [server.hall._listed(info, row.id) for info in found], "next": more}

    @api.get("/players", tags=["people"], responses=shows({"players": []}))
    async def best_players(
        game: Annotated[str, Query(max_length=40)],
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
    ) -> Data:
        """The best rated at a game, those with a settled rating first."""
        name = catalogue.game_info(game).name
        query = (
            sa.select(players.c.id, players.c.name, ratings)
            .join_from(ratings, players, players.c.id == ratings.c.player)
            .where(ratings.c.game == name)
            .order_by((ratings.c.mu - 3 * ratings.c.sigma).desc())
            .limit(limit)
        )
        return {
            "players": [
                {
                    "id": row.id,
                    "name": row.name,
                    "value": shown_rating(row.mu),
                    "matches": row.matches,
                    "provisional": row.sigma > PROVISIONAL,
                }
                for row in await store.read(query)
            ]
        }

    @api.get("/players/{player}", tags=["people"], responses=shows(PLAYER))
    async def a_player(player: str) -> Data:
        """A player's name and ratings."""
        row = await store.player(player[:24]) if player.isprintable() else None
        if row is None:
            raise Refused("player/unknown")
        return await people.data(row)


# -- games ----------------------------------------------------------------------------------------


def _games(api: APIRouter) -> None:
    @api.get("/games", tags=["games"], responses=shows({"games": [], "bots": []}))
    async def all_games() -> Data:
        """All games in brief, and the bots there are."""
        return catalogue.games()

    @api.get("/games/{game}", tags=["games"], responses=shows({"name": "claim"}))
    async def one_game(game: str, request: Request) -> Data:
        """A game with its places, cards and events; options may be given in the query."""
        return catalogue.whole(game, dict(request.query_params))

    @api.get("/games/{game}/words/{lang}", tags=["games"], responses=shows({"game": "claim"}))
    async def game_words(game: str, lang: str) -> Response:
        """Every text of a game in one language."""
        body = orjson.dumps(catalogue.texts(game, lang))
        return Response(body, media_type="application/json")

    @api.post("/verify", tags=["games"], responses=shows({"holds": True, "game": "claim"}))
    def verify_record(body: ToVerify) -> Data:
        """Play a record again and check its commitment."""
        return replays.verify(body.record)


# -- tables ---------------------------------------------------------------------------------------


def _tables(api: APIRouter, server: Server) -> None:
    hall, store = server.hall, server.store

    @api.get("/tables", tags=["tables"], responses=shows({"tables": []}))
    async def public_tables(request: Request) -> Data:
        """Public tables that wait for players or can be watched."""
        return {"tables": await hall.lobby(await perhaps(server, request))}

    @api.post("/tables", tags=["tables"], status_code=201)
    async def create_table(request: Request, body: NewTable) -> Data:
        """Create a table; send its link to friends."""
        row = await current(server, request)
        server.limits.take("tables", address(request))
        held = await _seats(body, row)
        info = verbs.new_info(
            body.game,
            body.options,
            held,
            row.id,
            clock=body.clock.clock(),
            public=body.public,
            rated=body.rated,
            watchable=body.spectators.allowed,
            delay=body.spectators.delay,
        )
        live = await verbs.create(hall, info)
        return hall.table_data(live, row.id)

    async def _seats(body: NewTable, row: Any) -> list[Seat]:
        chosen = body.seats
        if chosen is None:
            fewest = catalogue.game_info(body.game).seats[0]
            chosen = [SeatChoice(kind="me")] + [SeatChoice(kind="open")] * (fewest - 1)
        if sum(seat.kind == "me" for seat in chosen) > 1:
            raise wrong_value("seats", "only_one_me")
        found = []
        for number, seat in enumerate(chosen):
            if seat.kind == "bot":
                found.append(verbs.bot_seat(number, seat.bot, seat.level))
            elif seat.kind == "me":
                found.append(Seat(number, "person", row.id, row.name))
            elif seat.kind == "person":
                other = await store.player(seat.player or "")
                if other is None or any(held.player == other.id for held in found):
                    raise Refused("player/unknown")
                found.append(Seat(number, "person", other.id, other.name))
            else:
                found.append(Seat(number))
        return found

    @api.post("/tables/quick", tags=["tables"], status_code=201)
    async def quick_play(request: Request, body: QuickPlay) -> Data:
        """A match against bots, started."""
        row = await current(server, request)
        server.limits.take("tables", address(request))
        count = body.seats or catalogue.game_info(body.game).seats[0]
        held = [Seat(0, "person", row.id, row.name, True)]
        held += [verbs.bot_seat(number, body.bot, body.level) for number in range(1, count)]
        info = verbs.new_info(body.game, body.options, held, row.id, rated=False)
        live = await verbs.create(hall, info, start=True)
        return hall.table_data(live, row.id)

    @api.get("/tables/{table}", tags=["tables"], responses=shows({"id": "8dK3"}))
    async def a_table(table: str, request: Request) -> Data:
        """A table, without its cards."""
        live = await hall.get(_id(table))
        return hall.table_data(live, await perhaps(server, request))

    @api.get("/tables/{table}/state", tags=["tables"], responses=shows({"turn": 12}))
    async def a_state(
        table: str,
        request: Request,
        since: Annotated[int, Query(ge=0, le=1_000_000)] | None = None,
        say: m.Lang | None = None,
    ) -> Data:
        """What you may know of the match now."""
        live = await hall.get(_id(table))
        player = await perhaps(server, request)
        seat = live.info.seat_of(player) if player else None
        if seat is None and live.info.status != "waiting" and not live.info.watchable:
            raise Refused("table/no-spectators")
        return live.seen_as(seat).state(seat, since, now_ms(), say)

    @api.get(
        "/tables/{table}/record",
        tags=["tables"],
        response_class=PlainTextResponse,
        responses={200: {"content": {"text/plain": {"example": '[Game "claim"]\n…'}}}},
    )
    async def a_record(table: str) -> Response:
        """The record, after the end."""
        live = await hall.get(_id(table))
        name = f"{live.info.game}-{live.info.id}.txt"
        return PlainTextResponse(
            replays.record(live.table),
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @api.get("/tables/{table}/replay", tags=["tables"], responses=shows({"steps": []}))
    async def a_replay(table: str, say: m.Lang | None = None) -> Response:
        """Every position with all hands open, after the end."""
        live = await hall.get(_id(table))
        found = replays.steps(live.table, say)
        about = describe(live.info, None, turn=live.table.turn, resigned=live.table.resigned)
        body = orjson.dumps({"table": about, "steps": found})
        return Response(body, media_type="application/json")


def _id(table: str) -> str:
    """Ids that cannot be are not looked up."""
    if not (table.isascii() and table.isalnum() and len(table) <= 24):
        raise Refused("table/unknown")
    return table
