"""Clubs: yours, founding one, joining it by its link, and what its leaders do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from tanistry.server import clubs as work
from tanistry.server.acts import Actor, lacks, may
from tanistry.server.answers.base import Done
from tanistry.server.answers.clubs import Club, Clubs
from tanistry.server.bodies import ChangedClub, ClubKey, ClubLeader, NewClub
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import Me, Perhaps, Worker, gives
from tanistry.server.routes.devices import Here
from tanistry.server.schema import tournaments as cups
from tanistry.server.talk import clean_title
from tanistry.server.tournaments import reading


async def _there(worker: Worker) -> None:
    if not worker.config.has_clubs:
        raise Refused("club/off")


routes = APIRouter(tags=["clubs"], dependencies=[Depends(_there)])


@dataclass(frozen=True)
class Led:
    """A club that whoever asks may change; `by`: if they do so by their role."""

    id: str
    by: Actor | None


async def _leads(worker: Worker, me: Me, club: str) -> Led:
    found = await work.load(worker.store, club)
    if found.part_of(me.id) == "leader":
        return Led(found.row.id, None)
    if me.role is None:
        raise Refused("club/not-yours")
    return Led(found.row.id, Actor(me.id, me.role))


Leads = Annotated[Led, Depends(_leads)]


async def _told(worker: Worker, id: str, row: Any) -> Data:
    club = await work.load(worker.store, id)
    part = club.part_of(row.id if row else None)
    leads = part == "leader" or (row is not None and row.role is not None)
    found = await reading.recent(worker.store, cups.c.club == id) if part or leads else []
    return work.describe(club, row, leads) | {"tournaments": found}


async def _clean(worker: Worker, name: str) -> str:
    await worker.moderation.check_name(name)
    return clean_title(name)


@routes.get("/clubs", **gives(Clubs))
async def clubs(worker: Worker, me: Me) -> Data:
    """Your clubs; all there are, for moderators and hosts."""
    found = await work.listed(worker.store, me.id, everything=me.role is not None)
    needs = lacks(me, worker.config.clubs)
    return {"clubs": found, "may_found": needs is None, "needs": needs}


@routes.post("/clubs", **gives(Club, 201))
async def found_club(worker: Worker, me: Me, here: Here, body: NewClub) -> Data:
    """Found a club, which you lead. For hosts, and accounts where the host allows."""
    if not may(me, worker.config.clubs):
        raise Refused("club/not-yours")
    here.take("tables")
    name = await _clean(worker, body.name)
    return await _told(worker, await work.found(worker.store, name, me.id), me)


@routes.get("/clubs/{club}", **gives(Club))
async def a_club(worker: Worker, perhaps: Perhaps, club: str) -> Data:
    """A club: its name, and for members who is in it and what they play."""
    return await _told(worker, club, perhaps)


@routes.patch("/clubs/{club}", **gives(Club))
async def change_club(worker: Worker, me: Me, led: Leads, body: ChangedClub) -> Data:
    """For leaders: another name, or another link."""
    name = None if body.name is None else await _clean(worker, body.name)
    await work.edit(worker.store, led.id, name, body.new_key, led.by)
    return await _told(worker, led.id, me)


@routes.delete("/clubs/{club}", **gives(Done))
async def dissolve_club(worker: Worker, led: Leads) -> Data:
    """For leaders: the club is no more. What is being played goes on."""
    await work.dissolve(worker.store, led.id, led.by)
    worker.rounds.news()
    return {"ok": True}


@routes.post("/clubs/{club}/members", **gives(Club, 201))
async def join_club(worker: Worker, me: Me, club: str, body: ClubKey) -> Data:
    """Join a club by what stands after the `#` of its link."""
    found = await work.load(worker.store, club)
    await work.join(worker.store, found.row.id, body.key, me.id)
    return await _told(worker, club, me)


@routes.delete("/clubs/{club}/members/me", **gives(Done))
async def leave_club(worker: Worker, me: Me, club: str) -> Data:
    """Be in a club no longer, nor in its tournaments. If you were the last who led it, whoever is
    in it longest does."""
    found = await work.load(worker.store, club)
    await work.leave(worker.store, found.row.id, me.id)
    worker.rounds.news()
    return {"ok": True}


@routes.delete("/clubs/{club}/members/{player}", **gives(Club))
async def put_out(worker: Worker, me: Me, led: Leads, player: str) -> Data:
    """For leaders: put somebody out, of its tournaments too; the link is another from now on."""
    if not player.isprintable():
        raise Refused("club/nobody")
    await work.remove(worker.store, led.id, player, led.by)
    worker.rounds.news()
    return await _told(worker, led.id, me)


@routes.put("/clubs/{club}/leaders", **gives(Club))
async def set_leader(worker: Worker, me: Me, led: Leads, body: ClubLeader) -> Data:
    """For leaders: let a member lead too, or no longer. Somebody must."""
    await work.set_leader(worker.store, led.id, body.player, body.leader, led.by)
    worker.rounds.news()
    return await _told(worker, led.id, me)
