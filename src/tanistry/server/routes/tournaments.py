"""Tournaments: what there is, making one, coming and going, results."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from fastapi.responses import PlainTextResponse

from tanistry.server import blocks, clubs
from tanistry.server.acts import Actor, lacks, may
from tanistry.server.answers.base import Done
from tanistry.server.answers.tournaments import Tournament, Tournaments
from tanistry.server.bodies import MoreBots, NewTournament
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import Me, Perhaps, Worker, at_once, gives
from tanistry.server.routes.devices import Here
from tanistry.server.tournaments import deciding, reading, telling


async def _there(worker: Worker) -> None:
    worker.check_tournaments()


routes = APIRouter(tags=["tournaments"], dependencies=[Depends(_there)])


async def _run(worker: Worker, me: Me, tournament: str) -> str:
    """The id of a tournament that whoever asks may start and end."""
    cup = await reading.load(worker.store, tournament)
    if not reading.runs(me, await reading.organisers(worker.store, cup.row)):
        raise Refused("tournament/not-yours")
    return cup.id


Run = Annotated[str, Depends(_run)]


async def _told(worker: Worker, id: str, row: Any) -> Data:
    cup = await reading.load(worker.store, id)
    runs = reading.runs(row, await reading.organisers(worker.store, cup.row))
    me = row.id if row else None
    return telling.describe(cup) | telling.personal(worker.store, cup, me, runs)


async def _changed(worker: Worker, id: str, row: Any) -> Data:
    worker.rounds.news()
    return await _told(worker, id, row)


@routes.get("/tournaments", **gives(Tournaments))
async def tournaments(worker: Worker, perhaps: Perhaps) -> Data:
    """The latest tournaments: those of everybody, and of your clubs."""
    found = await reading.recent(worker.store, reading.listed_for(perhaps))
    needs = lacks(perhaps, worker.config.tournaments)
    return {"tournaments": found, "may_make": needs is None, "needs": needs}


@routes.post("/tournaments", **gives(Tournament, 201))
async def announce(worker: Worker, me: Me, here: Here, body: NewTournament) -> Data:
    """Announce a tournament; nobody is in it yet. For hosts, accounts where the host allows, and
    leaders for their club."""
    await _check_announcer(worker, me, body.club)
    here.take("tables")
    await worker.moderation.check_name(body.name)
    id = await deciding.create(worker.store, body, me.id)
    return await _changed(worker, id, me)


async def _check_announcer(worker: Worker, me: Me, club: str | None) -> None:
    if club is None:
        if not may(me, worker.config.tournaments):
            raise Refused("tournament/not-yours")
        return
    if not worker.config.has_clubs:
        raise Refused("club/off")
    if (await clubs.load(worker.store, club)).part_of(me.id) != "leader" and me.role != "host":
        raise Refused("club/not-yours")


@routes.get("/tournaments/{tournament}", **gives(Tournament))
async def a_tournament(worker: Worker, perhaps: Perhaps, tournament: str) -> Response:
    """A tournament: players, boards, standings."""
    return at_once(await _told(worker, tournament, perhaps))


@routes.post("/tournaments/{tournament}/players", **gives(Tournament, 201))
async def join(worker: Worker, me: Me, tournament: str) -> Data:
    """Play in it; or be paired again, if you did not come to a table."""
    others = await blocks.apart(worker.store, me.id)
    await deciding.join(worker.store, tournament, me, others)
    return await _changed(worker, tournament, me)


@routes.delete("/tournaments/{tournament}/players/me", **gives(Tournament))
async def leave(worker: Worker, me: Me, tournament: str) -> Data:
    """Do not play in it, or no longer: you are not paired again. A match that has begun is yours to
    end; one that has not is forfeited."""
    await deciding.leave(worker.store, tournament, me.id)
    return await _changed(worker, tournament, me)


def _by_role(me: Me) -> Actor | None:
    return Actor(me.id, me.role) if me.role else None


@routes.delete("/tournaments/{tournament}/players/{entry}", **gives(Tournament))
async def put_out(worker: Worker, me: Me, run: Run, entry: str) -> Data:
    """For who runs it: put somebody out, for good. A match that they play is given up."""
    await deciding.remove(worker.store, run, entry, _by_role(me))
    return await _changed(worker, run, me)


@routes.post("/tournaments/{tournament}/bots", **gives(Tournament, 201))
async def add_bots(worker: Worker, me: Me, run: Run, body: MoreBots) -> Data:
    """For who made it: bots as players, before it starts."""
    await deciding.add_bots(worker.store, run, body.bot, body.level, body.count)
    return await _changed(worker, run, me)


@routes.post("/tournaments/{tournament}/start", **gives(Tournament))
async def start(worker: Worker, me: Me, run: Run) -> Data:
    """For who made it: the first round is paired."""
    await deciding.start(worker.store, run)
    return await _changed(worker, run, me)


@routes.post("/tournaments/{tournament}/cancel", **gives(Done))
async def cancel(worker: Worker, me: Me, run: Run) -> Data:
    """For who made it: it is not played, or not to its end. Matches that have begun go on."""
    await worker.hall.moved(await deciding.cancel(worker.store, run, _by_role(me)))
    worker.rounds.news()
    return {"ok": True}


@routes.get(
    "/tournaments/{tournament}/results",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/csv": {"example": "place,number,name,points\n…"}}}},
)
async def results(worker: Worker, tournament: str) -> Response:
    """Standings and all boards as CSV."""
    cup = await reading.load(worker.store, tournament)
    name = f"tournament-{cup.id}.csv"
    return Response(
        telling.as_csv(cup),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
