"""Who you are: guests, accounts, devices; your tables; other players."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Query, Response

from tanistry.server import keeping, turns
from tanistry.server.answers.base import Done
from tanistry.server.answers.people import Devices, Player
from tanistry.server.answers.tables import MyTables, MyTurns, Table
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
    at_once,
    gives,
    token,
)
from tanistry.server.routes.devices import Here
from tanistry.server.rows import picked
from tanistry.server.schema import seats, tables
from tanistry.server.sessions import SHOWN

routes = APIRouter(tags=["people"])

PLACE = r"^[0-9]{1,16}(\.[A-Za-z0-9]{1,24})?$"
"""A place in a list of tables, newest first: when one was made, and its id, as many may be made in
one millisecond."""


@routes.get("/me", **gives(Player))
async def who_am_i(worker: Worker, row: Perhaps, here: Here) -> Data:
    """Who you are; you become a guest if you are nobody yet."""
    if row is None:
        row = await worker.people.signed(token(here.request))
        if row is None:
            if worker.config.invited:
                raise Refused("auth/invitation")
            here.take("guests")
            row = await worker.people.new_guest()
        await here.begin_session(row.id)
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
    return await worker.people.own_data(me.id)


@routes.post("/account", **gives(Player, 201))
async def make_account(worker: Worker, me: Me, here: Here, body: Credentials) -> Data:
    """Keep this guest as an account, with a new cookie."""
    here.take("logins")
    await worker.moderation.check_name(body.login)
    await worker.people.make_account(me, body.login, body.password)
    await here.open_only_here(me.id)
    return await worker.people.own_data(me.id)


@routes.put("/account/password", **gives(Player))
async def change_password(worker: Worker, me: Me, here: Here, body: NewPassword) -> Data:
    """Change your password; other devices are signed out."""
    here.take("logins")
    await worker.people.change_password(me, body.password, body.new)
    await here.open_only_here(me.id)
    return await worker.people.own_data(me.id)


@routes.put("/account/mail", **gives(Player))
async def change_mail(worker: Worker, me: Me, here: Here, body: NewMail) -> Data:
    """Name an address, to which a letter goes that confirms it; or null to have none."""
    here.take("logins")
    await worker.people.check_owner(me, body.password)
    if body.mail is None:
        await worker.letters.forget_address(me)
    else:
        worker.letters.check()
        here.take("letters")
        worker.spawn(worker.letters.ask_address(me, body.mail, body.lang))
    return await worker.people.own_data(me.id)


@routes.post("/account/mail/confirmation", **gives(Done))
async def confirm_mail(worker: Worker, here: Here, body: Confirmation) -> Data:
    """Confirm an address by the token of the letter that it got."""
    here.take("logins")
    await worker.letters.confirm(body.token)
    return {"ok": True}


@routes.post("/account/recovery", **gives(Done, 202))
async def forgot_password(worker: Worker, here: Here, body: Forgotten) -> Data:
    """Ask for a letter by which to choose a new password; the answer is the same whoever asks."""
    worker.letters.check()
    here.take("letters")
    worker.spawn(worker.letters.ask_password(body.who, body.lang))
    return {"ok": True}


@routes.put("/account/recovery", **gives(Player))
async def recover(worker: Worker, before: Session, here: Here, body: Recovery) -> Data:
    """Choose a new password by the token of a letter: you are signed in here, and only here."""
    here.take("logins")
    row = await worker.letters.set_password(body.token, body.password)
    await here.sign_in(before, row, *await worker.people.sessions.ids_of(row.id))
    return await worker.people.data(row, own=True)


@routes.post("/session", **gives(Player))
async def sign_in(worker: Worker, before: Session, here: Here, body: SignIn) -> Data:
    """Sign in; what you played as a guest on this device moves to the account."""
    here.take("logins")
    row = await worker.people.sign_in(body.login, body.password, here.cookie)
    await here.sign_in(before, row, password=row.password)
    return await worker.people.data(row, own=True)


@routes.delete("/session", **gives(Done))
async def sign_out(session: Session, here: Here) -> Data:
    """Sign out of this device: you are nobody until you ask who you are."""
    await here.sign_out(session)
    return {"ok": True}


@routes.get("/me/devices", **gives(Devices))
async def my_devices(worker: Worker, me: Me, session: Session) -> Data:
    """Where you are signed in, the latest seen first."""
    here = session.session if session else ""
    return {
        "devices": [
            {
                "id": found.id[:SHOWN],
                **picked(found, ("device", "created", "seen")),
                "this": found.id == here,
            }
            for found in await worker.people.sessions.of(me.id)
        ]
    }


@routes.delete("/me/devices/{device}", **gives(Done))
async def sign_out_device(worker: Worker, me: Me, session: Session, device: str) -> Data:
    """Sign a device of yours out; `others`: all but this one."""
    here = session.session if session else ""
    own = await worker.people.sessions.ids_of(me.id)
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
async def keep_match(worker: Worker, me: Me, here: Here, body: Played) -> Data:
    """Keep a match played against bots elsewhere: replayed and checked first, and never rated."""
    if me.login is None:
        raise Refused("auth/no-account")
    here.take("tables")
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
