"""Tables: the lobby, new ones, what you may know of one, and records after the end."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import PlainTextResponse

from tanistry.server import blocks, catalogue, replays, verbs
from tanistry.server import messages as m
from tanistry.server.answers.tables import Replay, Table, Tables
from tanistry.server.bodies import NewTable, QuickPlay, SeatChoice
from tanistry.server.broadcast import table_data
from tanistry.server.clocks import now_ms
from tanistry.server.info import Data, Seat, describe
from tanistry.server.live import Live
from tanistry.server.refusals import Refused, wrong_value
from tanistry.server.routes.dependencies import Me, Perhaps, Worker, at_once, gives
from tanistry.server.routes.devices import Here
from tanistry.server.rows import is_id
from tanistry.server.server_messages import StateMessage

routes = APIRouter(tags=["tables"])


async def _live(worker: Worker, table: str, perhaps: Perhaps) -> Live:
    """The table an address names."""
    if not is_id(table):
        raise Refused("table/unknown")
    live = await worker.hall.get(table)
    await blocks.check_look(worker.store, live.info, _id(perhaps))
    return live


TheTable = Annotated[Any, Depends(_live)]


def _id(row: Any) -> str | None:
    return None if row is None else str(row.id)


def _seat(live: Live, row: Any) -> int | None:
    """The seat of who asks for the cards; refused to others where only those who play may look."""
    seat = None if row is None else live.info.seat_of(row.id)
    if seat is None and live.info.status != "waiting" and not live.info.watchable:
        raise Refused("table/no-spectators")
    return seat


@routes.get("/tables", **gives(Tables))
async def public_tables(worker: Worker, perhaps: Perhaps) -> Response:
    """Public tables that wait for players or can be watched."""
    return at_once({"tables": await worker.hall.lobby.tables(_id(perhaps))})


@routes.post("/tables", **gives(Table, 201))
async def create_table(worker: Worker, me: Me, here: Here, body: NewTable) -> Data:
    """Create a table; send its link to friends."""
    await worker.check_tables(me.id, here.address)
    info = verbs.new_info(
        body.game,
        body.options,
        await _seats(worker, body, me),
        me.id,
        clock=body.clock.clock(),
        public=body.public,
        rated=body.rated,
        takebacks=body.takebacks,
        watchable=body.spectators.allowed,
        delay=body.spectators.delay,
    )
    return table_data(await verbs.create(worker.hall, info), me.id)


async def _seats(worker: Worker, body: NewTable, me: Any) -> list[Seat]:
    chosen = body.seats
    if chosen is None:
        fewest = catalogue.game_info(body.game).seats[0]
        chosen = [SeatChoice(kind="me")] + [SeatChoice(kind="open")] * (fewest - 1)
    if sum(seat.kind == "me" for seat in chosen) > 1:
        raise wrong_value("seats", "only_one_me")
    found: list[Seat] = []
    apart = await blocks.apart(worker.store, me.id)
    for number, seat in enumerate(chosen):
        if seat.kind == "bot":
            found.append(verbs.bot_seat(number, seat.bot, seat.level))
        elif seat.kind == "me":
            found.append(Seat(number, "person", me.id, me.name))
        elif seat.kind == "person":
            other = await worker.store.player(seat.player or "")
            if other is None or any(held.player == other.id for held in found):
                raise Refused("player/unknown")
            if other.id in apart:
                raise Refused("table/apart")
            found.append(Seat(number, "open", other.id, other.name))  # it is kept for them
        else:
            found.append(Seat(number))
    return found


@routes.post("/tables/quick", **gives(Table, 201))
async def quick_play(worker: Worker, me: Me, here: Here, body: QuickPlay) -> Data:
    """A match against bots, started."""
    await worker.check_tables(me.id, here.address)
    count = body.seats or catalogue.game_info(body.game).seats[0]
    held = [Seat(0, "person", me.id, me.name, True, nonce=body.nonce)]
    held += [verbs.bot_seat(number, body.bot, body.level) for number in range(1, count)]
    info = verbs.new_info(body.game, body.options, held, me.id, rated=False)
    return table_data(await verbs.create(worker.hall, info, start=True), me.id)


@routes.get("/tables/{table}", **gives(Table))
async def a_table(live: TheTable, perhaps: Perhaps) -> Data:
    """A table, without its cards."""
    return table_data(live, _id(perhaps))


@routes.get("/tables/{table}/state", **gives(StateMessage))
async def a_state(
    live: TheTable,
    perhaps: Perhaps,
    since: Annotated[int, Query(ge=0, le=1_000_000)] | None = None,
    say: m.Lang | None = None,
) -> Response:
    """What you may know of the match now."""
    seat = _seat(live, perhaps)
    return at_once(live.seen_as(seat).state(seat, since, now_ms(), say))


@routes.get(
    "/tables/{table}/record",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"example": '[Game "claim"]\n…'}}}},
)
async def a_record(live: TheTable, perhaps: Perhaps) -> Response:
    """The record, after the end."""
    _seat(live, perhaps)
    name = f"{live.info.game}-{live.info.id}.txt"
    return PlainTextResponse(
        replays.record(live.table),
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@routes.get("/tables/{table}/replay", **gives(Replay))
async def a_replay(
    worker: Worker, live: TheTable, perhaps: Perhaps, here: Here, say: m.Lang | None = None
) -> Response:
    """Every position with all hands open, after the end."""
    _seat(live, perhaps)
    ask = partial(worker.hall.thinking.asked.run, _id(perhaps) or here.address)
    found = await worker.replays.steps(live.table, say, ask)
    about = describe(live.info, None, turn=live.table.turn, resigned=live.table.resigned)
    return at_once({"table": about, "steps": orjson.Fragment(found)})
