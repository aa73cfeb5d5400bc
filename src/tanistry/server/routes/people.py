"""Who you are: guests, accounts, devices; your tables; other players."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Query, Request, Response

from tanistry.server import keeping, turns
from tanistry.server.answers import Devices, Done, MyTables, MyTurns, Player, Table
from tanistry.server.bodies import (
    Confirmation,
    Credentials,
    Forgotten,
    NewMail,
    NewName,
    NewPassword,
    Played,
    Recovery,
    SignIn,
)
from tanistry.server.info import Data
from tanistry.server.people import clean_name
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import (
    Me,
    Perhaps,
    Session,
    Worker,
    address,
    at_once,
    gives,
    is_secure,
    token,
)
from tanistry.server.schema import seats, tables
from tanistry.server.sessions import COOKIE_DAYS, SHOWN, cookie_name, device_cookie_name

routes = APIRouter(tags=["people"])

PLACE = r"^[0-9]{1,16}(\.[A-Za-z0-9]{1,24})?$"
"""A place in a list of tables, newest first: when one was made, and its id, as many may be made in
one millisecond."""


async def begin_session(
    worker: Worker,
    request: Request,
    response: Response,
    player: str,
    *ended: str,
    password: str | None = None,
) -> None:
    """A new cookie for this device; the sessions that end by it take their sockets along."""
    agent = request.headers.get("user-agent", "")
    fresh = await worker.people.sessions.begin(player, agent, ended, password)
    set_cookie(request, response, cookie_name(is_secure(request)), fresh)
    worker.end_sockets(*ended)


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
        path="/",
    )


def know_device(worker: Worker, request: Request, response: Response, player: str) -> None:
    """An account has been opened from this device."""
    name = device_cookie_name(is_secure(request))
    set_cookie(request, response, name, worker.people.devices.cookie(player))


@routes.get("/me", **gives(Player))
async def who_am_i(worker: Worker, row: Perhaps, request: Request, response: Response) -> Data:
    """Who you are; you become a guest if you are nobody yet."""
    if row is None:
        row = await worker.people.signed(token(request))
        if row is None:
            if worker.config.invited:
                raise Refused("auth/invitation")
            worker.limits.take("guests", address(request))
            row = await worker.people.new_guest()
        await begin_session(worker, request, response, row.id)
    return await worker.people.data(row, own=True)


@routes.patch("/me", **gives(Player))
async def change_name(worker: Worker, me: Me, body: NewName) -> Data:
    """Change your name."""
    name = clean_name(body.name)
    await worker.moderation.check_name(name)
    await worker.people.rename(me.id, name)
    for connection in worker.connections:
        if connection.player == me.id:
            connection.name = name
    return await worker.people.data(await worker.store.player(me.id), own=True)


@routes.post("/account", **gives(Player, 201))
async def make_account(
    worker: Worker, me: Me, request: Request, response: Response, body: Credentials
) -> Data:
    """Keep this guest as an account, with a new cookie."""
    worker.limits.take("logins", address(request))
    await worker.moderation.check_name(body.login)
    await worker.people.make_account(me, body.login, body.password)
    await _only_here(worker, request, response, me.id)
    return await worker.people.data(await worker.store.player(me.id), own=True)


@routes.put("/account/password", **gives(Player))
async def change_password(
    worker: Worker, me: Me, request: Request, response: Response, body: NewPassword
) -> Data:
    """Change your password; other devices are signed out."""
    worker.limits.take("logins", address(request))
    await worker.people.change_password(me, body.password, body.new)
    await _only_here(worker, request, response, me.id)
    return await worker.people.data(await worker.store.player(me.id), own=True)


@routes.put("/account/mail", **gives(Player))
async def change_mail(worker: Worker, me: Me, request: Request, body: NewMail) -> Data:
    """Name an address, to which a letter goes that confirms it; or null to have none."""
    worker.limits.take("logins", address(request))
    await worker.people.check_owner(me, body.password)
    if body.mail is None:
        await worker.letters.forget_address(me)
    else:
        worker.letters.check()
        worker.limits.take("letters", address(request))
        worker.spawn(worker.letters.ask_address(me, body.mail, body.lang))
    return await worker.people.data(await worker.store.player(me.id), own=True)


@routes.post("/account/mail/confirmation", **gives(Done))
async def confirm_mail(worker: Worker, request: Request, body: Confirmation) -> Data:
    """Confirm an address by the token of the letter that it got."""
    worker.limits.take("logins", address(request))
    await worker.letters.confirm(body.token)
    return {"ok": True}


@routes.post("/account/recovery", **gives(Done, 202))
async def forgot_password(worker: Worker, request: Request, body: Forgotten) -> Data:
    """Ask for a letter by which to choose a new password; the answer is the same whoever asks."""
    worker.letters.check()
    worker.limits.take("letters", address(request))
    worker.spawn(worker.letters.ask_password(body.who, body.lang))
    return {"ok": True}


@routes.put("/account/recovery", **gives(Player))
async def recover(
    worker: Worker, before: Session, request: Request, response: Response, body: Recovery
) -> Data:
    """Choose a new password by the token of a letter: you are signed in here, and only here."""
    worker.limits.take("logins", address(request))
    row = await worker.letters.set_password(body.token, body.password)
    ended = [session.id for session in await worker.people.sessions.of(row.id)]
    await _sign_in(worker, before, request, response, row, *ended)
    return await worker.people.data(row, own=True)


async def _only_here(worker: Worker, request: Request, response: Response, player: str) -> None:
    before = [session.id for session in await worker.people.sessions.of(player)]
    await begin_session(worker, request, response, player, *before)
    know_device(worker, request, response, player)


@routes.post("/session", **gives(Player))
async def sign_in(
    worker: Worker, before: Session, request: Request, response: Response, body: SignIn
) -> Data:
    """Sign in; what you played as a guest on this device moves to the account."""
    worker.limits.take("logins", address(request))
    device = request.cookies.get(device_cookie_name(is_secure(request)))
    row = await worker.people.sign_in(body.login, body.password, device)
    await _sign_in(worker, before, request, response, row, password=row.password)
    return await worker.people.data(row, own=True)


async def _sign_in(
    worker: Worker,
    before: Session,
    request: Request,
    response: Response,
    row: Any,
    *ended: str,
    password: str | None = None,
) -> None:
    """Somebody is now this account, with what they played as a guest on this device."""
    if before is not None:
        if before.row.login is None:
            await worker.hall.moved(await worker.people.adopt(before.row.id, row.id))
        ended = (*ended, before.session)
    await begin_session(worker, request, response, row.id, *ended, password=password)
    know_device(worker, request, response, row.id)


@routes.delete("/session", **gives(Done))
async def sign_out(worker: Worker, session: Session, request: Request, response: Response) -> Data:
    """Sign out of this device: you are nobody until you ask who you are."""
    if session:
        await worker.end_sessions(session.session)
    secure = is_secure(request)
    response.delete_cookie(
        cookie_name(secure), path="/", httponly=True, samesite="lax", secure=secure
    )
    return {"ok": True}


@routes.get("/me/devices", **gives(Devices))
async def my_devices(worker: Worker, me: Me, session: Session) -> Data:
    """Where you are signed in, the latest seen first."""
    here = session.session if session else ""
    return {
        "devices": [
            {
                "id": found.id[:SHOWN],
                "device": found.device,
                "created": found.created,
                "seen": found.seen,
                "this": found.id == here,
            }
            for found in await worker.people.sessions.of(me.id)
        ]
    }


@routes.delete("/me/devices/{device}", **gives(Done))
async def sign_out_device(worker: Worker, me: Me, session: Session, device: str) -> Data:
    """Sign a device of yours out; `others`: all but this one."""
    here = session.session if session else ""
    own = [found.id for found in await worker.people.sessions.of(me.id)]
    if device == "others":
        ended = [id for id in own if id != here]
    elif not (ended := [id for id in own if id[:SHOWN] == device]):
        raise Refused("auth/device")
    await worker.end_sessions(*ended)
    return {"ok": True}


@routes.get("/me/matches", **gives(MyTables))
async def my_matches(
    worker: Worker,
    me: Me,
    status: Literal["waiting", "playing", "over"] | None = None,
    before: Annotated[str, Query(pattern=PLACE)] | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """Your tables, newest first; `before`: the `next` of the page before, or a time."""
    mine = sa.select(seats.c.table_id).where(seats.c.player == me.id)
    where = [tables.c.id.in_(mine), tables.c.status != "closed"]
    if status:
        where.append(tables.c.status == status)
    if before is not None:
        created, _, id = before.partition(".")  # a time alone is before all tables of it
        where.append(sa.tuple_(tables.c.created, tables.c.id) < (int(created), id))
    key = tables.c.created, tables.c.id
    newest = sa.select(*key).where(*where).order_by(*(column.desc() for column in key))
    page = await worker.store.read(newest.limit(limit))
    found = await worker.store.infos(tables.c.id.in_([row.id for row in page]), limit=limit)
    more = f"{page[-1].created}.{page[-1].id}" if len(page) == limit else None
    listed = [worker.hall.lobby.listed(info, me.id) for info in found]
    return at_once({"tables": listed, "next": more})


@routes.get("/me/turns", **gives(MyTurns))
async def my_turns(worker: Worker, me: Me) -> Response:
    """Your matches with others, those that wait for you first."""
    return at_once(await turns.turns(worker.hall, me.id))


@routes.post("/me/matches", **gives(Table, 201))
async def keep_match(worker: Worker, me: Me, request: Request, body: Played) -> Data:
    """Keep a match played against bots elsewhere: replayed and checked first, and never rated."""
    if me.login is None:
        raise Refused("auth/no-account")
    worker.limits.take("tables", address(request))
    asked = worker.hall.thinking.asked
    info, rows = await asked.run(me.id, keeping.read, body.record, me.id, me.name)
    with suppress(sa.exc.IntegrityError):  # it is there already
        await worker.store.insert_table(info, rows)
    return worker.hall.lobby.listed(info, me.id)


@routes.get("/players/{player}", **gives(Player))
async def a_player(worker: Worker, player: str) -> Data:
    """A player's name and ratings."""
    row = await worker.store.player(player[:24]) if player.isprintable() else None
    if row is None:
        raise Refused("player/unknown")
    return await worker.people.data(row)
