"""Who you are: guests, accounts, devices; your tables; other players."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Query, Request, Response

from tanistry.server import catalogue
from tanistry.server.bodies import Credentials, NewName, NewPassword, SignIn
from tanistry.server.people import COOKIE, COOKIE_DAYS, clean_name
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import Me, Perhaps, Worker, address, shows
from tanistry.server.schema import players, ratings, seats, tables
from tanistry.server.store import PROVISIONAL, shown_rating
from tanistry.server.tables import Data

routes = APIRouter(tags=["people"])

PLAYER = {"id": "p_3v9XzQ", "name": "Ailsa", "guest": True, "login": None, "ratings": {}}


def set_cookie(worker: Worker, request: Request, response: Response, row: Any) -> None:
    response.set_cookie(
        COOKIE,
        worker.people.cookie(row.id, row.session),
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        path="/",
    )


@routes.get("/me", responses=shows(PLAYER))
async def who_am_i(worker: Worker, row: Perhaps, request: Request, response: Response) -> Data:
    """Who you are; you become a guest if you are nobody yet."""
    if row is None:
        worker.limits.take("guests", address(request))
        row = await worker.people.new_guest()
        set_cookie(worker, request, response, row)
    return await worker.people.data(row, own=True)


@routes.patch("/me", responses=shows(PLAYER))
async def change_name(worker: Worker, me: Me, body: NewName) -> Data:
    """Change your name."""
    name = clean_name(body.name)
    await worker.people.rename(me.id, name)
    for connection in worker.connections:
        if connection.player == me.id:
            connection.name = name
    return await worker.people.data(await worker.store.player(me.id), own=True)


@routes.post("/account", status_code=201)
async def make_account(worker: Worker, me: Me, request: Request, body: Credentials) -> Data:
    """Keep this guest as an account."""
    worker.limits.take("logins", address(request))
    await worker.people.make_account(me, body.login, body.password)
    return await worker.people.data(await worker.store.player(me.id), own=True)


@routes.put("/account/password", responses=shows(PLAYER))
async def change_password(
    worker: Worker, me: Me, request: Request, response: Response, body: NewPassword
) -> Data:
    """Change your password; other devices are signed out."""
    worker.limits.take("logins", address(request))
    await worker.people.change_password(me, body.password, body.new)
    row = await worker.store.player(me.id)
    set_cookie(worker, request, response, row)
    return await worker.people.data(row, own=True)


@routes.post("/session", responses=shows(PLAYER))
async def sign_in(
    worker: Worker, before: Perhaps, request: Request, response: Response, body: SignIn
) -> Data:
    """Sign in; what you played as a guest on this device moves to the account."""
    worker.limits.take("logins", address(request))
    row = await worker.people.sign_in(body.login, body.password)
    if before is not None and before.login is None:
        await worker.hall.moved(await worker.people.adopt(before.id, row.id))
    set_cookie(worker, request, response, row)
    return await worker.people.data(row, own=True)


@routes.delete("/session", responses=shows({"ok": True}))
async def sign_out(response: Response) -> Data:
    """Sign out of this device: you are nobody until you ask who you are."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    return {"ok": True}


@routes.get("/me/matches", responses=shows({"tables": [], "next": None}))
async def my_matches(
    worker: Worker,
    me: Me,
    status: Literal["waiting", "playing", "over"] | None = None,
    before: Annotated[int, Query(ge=0, le=2**53)] | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Data:
    """Your tables, newest first."""
    mine = sa.select(seats.c.table_id).where(seats.c.player == me.id)
    where = [tables.c.id.in_(mine), tables.c.status != "closed"]
    if status:
        where.append(tables.c.status == status)
    if before is not None:
        where.append(tables.c.created < before)
    found = await worker.store.infos(*where, limit=limit)
    more = str(found[-1].created) if len(found) == limit else None
    return {"tables": [worker.hall.lobby.listed(info, me.id) for info in found], "next": more}


@routes.get("/players", responses=shows({"players": []}))
async def best_players(
    worker: Worker,
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
            for row in await worker.store.read(query)
        ]
    }


@routes.get("/players/{player}", responses=shows(PLAYER))
async def a_player(worker: Worker, player: str) -> Data:
    """A player's name and ratings."""
    row = await worker.store.player(player[:24]) if player.isprintable() else None
    if row is None:
        raise Refused("player/unknown")
    return await worker.people.data(row)
