"""What people do at tables: one short function a verb, named as in the protocol."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import IntegrityError

import tanistry
from tanistry.errors import TanistryError
from tanistry.games import registry
from tanistry.match import Game
from tanistry.server import blocks, broadcast
from tanistry.server import messages as m
from tanistry.server.broadcast import table_message
from tanistry.server.clocks import now_ms
from tanistry.server.endings import is_rated
from tanistry.server.hall import Hall
from tanistry.server.info import Data, Info, Seat
from tanistry.server.live import Live, Watcher
from tanistry.server.refusals import Refused, refused
from tanistry.server.rows import new_id, picked
from tanistry.server.schema import tables
from tanistry.server.tables import Table
from tanistry.server.thinking import check_bot, persona
from tanistry.server.waiting import begin_if_all_agree

# -- making tables --------------------------------------------------------------------------------


def new_info(game: str, options: Data, seats: list[Seat], host: str, **more: Any) -> Info:
    """A table that waits for players; `more`: what else is said of it (`Info`). Its seed is drawn
    here, and committed to from now on."""
    try:
        made = Game(registry.definition(game), len(seats), options)
    except TanistryError as error:
        raise refused(error) from None
    return Info(
        id=new_id(),
        game=made.name,
        version=made.info.version,
        options=dict(made.options),
        host=host,
        seed=secrets.token_bytes(32),
        salt=secrets.token_bytes(16),
        created=now_ms(),
        seats=seats,
        **{"takebacks": "tournament" not in more, **more},
    )


def bot_seat(seat: int, bot: str | None, level: int | None) -> Seat:
    bot, level = check_bot(bot, level)
    return Seat(seat, "bot", None, persona(bot, level, seat), True, bot, level)


async def create(hall: Hall, info: Info, start: bool = False) -> Live:
    """Store a new table, and start it if asked."""
    await hall.thinking.prepare(info.game)
    if start:
        info.begin(now_ms())
    await hall.store.see_ratings(info)
    await hall.store.insert_table(info)
    live = hall.registry.add(Table(info, outages=hall.store.outages))
    if start:
        hall.begin(live)
    else:
        hall.tell_lobby(info)
    return live


# -- around the start -----------------------------------------------------------------------------


def _waiting(info: Info) -> None:
    if info.status == "closed":
        raise Refused("table/over")
    if info.status != "waiting":
        raise Refused("table/started")


def _playing(info: Info) -> None:
    if info.status != "playing":
        raise Refused("table/not-started" if info.status == "waiting" else "table/over")


def _host(info: Info, who: Watcher) -> None:
    if info.host != who.player:
        raise Refused("table/not-host")


def _free(info: Info) -> None:
    """Who sits at a board of a tournament is not theirs to change."""
    if info.tournament is not None:
        raise Refused("table/tournament")


def _own_seat(info: Info, who: Watcher) -> int:
    seat = info.seat_of(who.player)
    if seat is None:
        raise Refused("table/not-seated")
    return seat


async def sit(hall: Hall, live: Live, who: Watcher, message: m.Sit) -> None:
    apart = await blocks.apart(hall.store, who.player)

    def edit(info: Info) -> None:
        _waiting(info)
        _free(info)
        if info.seat_of(who.player) is not None:
            raise Refused("table/seated")
        if info.paired:
            raise Refused("table/paired")
        blocks.check(info, who.player, apart)
        free = [held for held in info.seats if held.kind == "open"]
        own = [held for held in free if held.player == who.player]
        free = own or [held for held in free if held.player is None]
        if message.seat is not None:
            if message.seat >= len(info.seats):
                raise Refused("table/seat")
            free = [held for held in free if held.seat == message.seat]
        if not free:
            raise Refused("table/seat-taken")
        info.seats[free[0].seat] = Seat(free[0].seat, "person", who.player, who.name)

    await hall.change(live, edit)
    hall.arrive(live, who)
    hall.tell(live)


async def stand(hall: Hall, live: Live, who: Watcher, _message: m.Stand) -> None:
    def edit(info: Info) -> None:
        _waiting(info)
        _free(info)
        seat = _own_seat(info, who)
        info.seats[seat] = Seat(seat)
        if info.paired:  # the others are looked for again
            info.close(now_ms())

    await hall.change(live, edit)
    hall.tell(live)


async def set_seat(hall: Hall, live: Live, who: Watcher, message: m.SetSeat) -> None:
    def edit(info: Info) -> None:
        _host(info, who)
        _waiting(info)
        if message.seat >= len(info.seats):
            raise Refused("table/seat")
        if message.kind == "bot" and info.seats[message.seat].kept:
            raise Refused("table/kept")
        if message.kind == "bot":
            info.seats[message.seat] = bot_seat(message.seat, message.bot, message.level)
        else:
            info.seats[message.seat] = Seat(message.seat)

    await hall.change(live, edit)
    if not await begin_if_all_agree(hall, live):
        hall.tell(live)


async def ready(hall: Hall, live: Live, who: Watcher, message: m.Ready) -> None:
    def edit(info: Info) -> None:
        _waiting(info)
        held = info.seats[_own_seat(info, who)]
        held.ready, held.nonce = message.ready, message.nonce or held.nonce

    await hall.change(live, edit)
    await _come_and_begin(hall, live, who)


async def start(hall: Hall, live: Live, who: Watcher, message: m.Start) -> None:
    def edit(info: Info) -> None:
        _host(info, who)
        _waiting(info)
        if not info.full and not message.bots:
            raise Refused("table/not-full")
        if any(held.kept for held in info.seats):
            raise Refused("table/kept")
        for held in info.seats:
            if held.kind == "open":
                info.seats[held.seat] = bot_seat(held.seat, None, None)
        if (own := info.seat_of(who.player)) is not None:
            info.seats[own].ready = True  # who starts is ready
            info.seats[own].nonce = message.nonce or info.seats[own].nonce
        if not live.may_begin(info):
            raise Refused("table/not-ready")
        info.begin(now_ms())

    if live.info.seat_of(who.player) is not None:
        hall.arrive(live, who)
    await hall.change(live, edit)
    hall.begin(live)


async def close(hall: Hall, live: Live, who: Watcher, _message: m.Close) -> None:
    def edit(info: Info) -> None:
        _host(info, who)
        _waiting(info)
        info.close(now_ms())

    await hall.change(live, edit)
    hall.tell(live)


async def _come_and_begin(hall: Hall, live: Live, who: Watcher) -> None:
    """Somebody is ready, and follows the table from now on; perhaps it begins by that."""
    hall.arrive(live, who)
    if not await begin_if_all_agree(hall, live):
        hall.tell(live)


# -- in the match ---------------------------------------------------------------------------------


async def play(hall: Hall, live: Live, who: Watcher, message: m.Play) -> Data | None:
    seat = _own_seat(live.info, who)
    if live.info.seats[seat].stand_in or seat in live.table.resigned:
        raise Refused("move/not-your-turn", "common.illegal")
    again = {"type": "played", "table": live.info.id, "turn": message.turn + 1, "again": True}
    row = live.table.check_play(seat, message.turn, message.token, now_ms())
    if row is None:
        return again
    answer = who if who in live.watchers else None
    try:
        await hall.store_row(live, row, answer, message.id)
    except Refused as refusal:  # another worker has stored it for this very player meanwhile
        if refusal.code != "move/stale" or live.table.turn <= message.turn:
            raise
        live.table.check_play(seat, message.turn, message.token, now_ms())
        return again
    if answer is None:  # plays without watching: told that it is stored
        return {"type": "played", "table": live.info.id, "turn": message.turn + 1}
    return None


async def resign(hall: Hall, live: Live, who: Watcher, _message: m.Resign) -> Data:
    seat = _own_seat(live.info, who)
    if seat in live.table.resigned:
        raise Refused("table/over")
    await hall.store_row(live, live.table.check_end("resign", seat, now_ms()))
    return table_message(live, who)


async def draw(hall: Hall, live: Live, who: Watcher, message: m.Draw) -> None:
    seat = _own_seat(live.info, who)
    info = live.info
    _playing(info)
    persons = all(held.kind == "person" and not held.stand_in for held in info.seats)
    if not (tanistry.info(info.game).has_draw and len(info.seats) == 2 and persons):
        raise Refused("table/no-draw")

    def agreed() -> bool:
        return live.table.draw_offer == 1 - seat and message.do in ("accept", "offer")

    def edit(info: Info) -> None:
        _playing(info)  # another worker may have ended it meanwhile, or stored the other's offer
        if message.do == "decline":
            info.draw_offer = None
        elif live.table.draw_offer is None:
            info.draw_offer, info.draw_turn = seat, live.table.turn

    if not agreed():
        if message.do == "accept" or (message.do == "decline" and live.table.draw_offer is None):
            raise Refused("table/no-offer")
        await hall.change(live, edit)
    if agreed():
        await hall.store_row(live, live.table.check_end("draw", None, now_ms()))
    else:
        broadcast.send_table(live)


async def stand_in(hall: Hall, live: Live, who: Watcher, message: m.StandIn) -> None:
    own = _own_seat(live.info, who)
    if message.seat >= len(live.info.seats):
        raise Refused("table/seat")
    held = live.info.seats[message.seat]
    _playing(live.info)
    if held.kind != "person":
        raise Refused("table/seat")
    if message.seat == own and is_rated(live.info):
        raise Refused("table/rated")
    if message.seat != own and live.info.by_days:
        raise Refused("table/by-days")
    if message.seat != own and live.away(message.seat) < hall.config.absent:
        raise Refused("table/present")

    def edit(info: Info) -> None:
        _playing(info)
        info.seats[message.seat].stand_in = True

    await hall.change(live, edit)
    live.ours = True
    _refresh(hall, live)


async def back(hall: Hall, live: Live, who: Watcher, _message: m.Back) -> None:
    seat = _own_seat(live.info, who)

    def edit(info: Info) -> None:
        _playing(info)
        info.seats[seat].stand_in = False

    await hall.change(live, edit)
    _refresh(hall, live)


def _refresh(hall: Hall, live: Live) -> None:
    """Who chooses has changed, and with it whose view has legal tokens: replace them all."""
    broadcast.send_table(live)
    broadcast.send_states(live)
    hall.timers.set(live)


async def undo(hall: Hall, live: Live, who: Watcher, message: m.Undo) -> Data | None:
    seat = _own_seat(live.info, who)
    if live.info.solo and live.info.clock.kind == "none":
        row = live.table.check_undo(seat, now_ms())
    elif await _may_take_back(hall, live, seat, message.do):
        offer = live.table.undo_offer
        assert offer is not None
        row = live.table.check_agreed(offer, now_ms())
    else:
        broadcast.send_table(live)
        return None
    await hall.store_row(live, row, answer=who)
    return live.table.whole(seat, now_ms(), who.say)


async def _may_take_back(hall: Hall, live: Live, seat: int, do: str) -> bool:
    """Ask the others, or be one who is asked; whether all have agreed."""
    table = live.table

    def agreed() -> bool:
        offer = table.undo_offer
        if do != "accept" or offer is None or offer["seat"] == seat:
            return False
        return table.asked(offer["seat"]) <= {*offer["agreed"], seat}

    def edit(info: Info) -> None:
        _playing(info)
        offer = table.undo_offer  # anew: another worker may have stored somebody's word meanwhile
        if do == "offer":
            if offer is not None and offer["seat"] != seat:
                raise Refused("table/undo-asked")
            info.undo_offer = table.check_undo_offer(seat)
        elif offer is None or seat in table.resigned or (do, offer["seat"]) == ("accept", seat):
            raise Refused("table/no-undo-offer")
        elif do == "decline":
            info.undo_offer = None
        else:
            info.undo_offer = {**offer, "agreed": sorted({*offer["agreed"], seat})}

    if agreed():
        return True
    await hall.change(live, edit)
    return agreed()


async def hint(hall: Hall, live: Live, who: Watcher, _message: m.Hint) -> Data:
    """Not under the table's lock: thinking takes a while."""
    table = live.table
    seat = _own_seat(live.info, who)
    if not live.info.solo:
        raise Refused("table/not-solo")
    if table.match is None or table.to_act != seat:
        raise Refused("move/not-your-turn", "common.illegal")
    if live.hinting:
        raise Refused("rate/thinking")
    live.hinting = True
    try:
        turn = table.turn
        found = await hall.thinking.hint(table.match, who.player)
    finally:
        live.hinting = False
    if who.say:
        found["label"] = table.label(seat, found["token"], who.say)
    return {"type": "hint", "table": live.info.id, "turn": turn, **found}


# -- afterwards -----------------------------------------------------------------------------------


async def rematch(hall: Hall, live: Live, who: Watcher, message: m.Rematch) -> Data:
    """Offer the same again, or accept or decline the offer that there is."""
    _own_seat(live.info, who)
    _free(live.info)
    if live.info.status != "over":
        raise Refused("table/running")
    if message.do == "decline":
        await _decline_rematch(hall, live.info.rematch, who)
        return table_message(live, who)
    apart = await blocks.apart(hall.store, who.player)
    if any(held.player in apart for held in live.info.seats):
        raise Refused("table/apart")
    following = await hall.get(live.info.rematch or await _offer_rematch(hall, live, who))
    async with following.lock:
        await _accept_rematch(hall, following, who, message)
    broadcast.send_table(live)
    return table_message(live, who)


async def _accept_rematch(hall: Hall, following: Live, who: Watcher, message: m.Rematch) -> None:
    """Take the seat that is kept, and be ready unless that is to wait."""

    def edit(info: Info) -> None:
        if info.status != "waiting":
            raise Refused("table/rematch")
        kept = [held for held in info.seats if held.player == who.player]
        free = [held for held in info.seats if held.kind == "open" and not held.kept]
        if not (kept or free):
            raise Refused("table/given")
        seat, nonce = (kept or free)[0].seat, message.nonce or (kept or free)[0].nonce
        info.seats[seat] = Seat(seat, "person", who.player, who.name, message.ready, nonce=nonce)

    if following.info.status == "waiting" or following.info.seat_of(who.player) is None:
        await hall.change(following, edit)
        await _come_and_begin(hall, following, who)


async def _decline_rematch(hall: Hall, id: str | None, who: Watcher) -> None:
    """Give back the seat that is kept. Where nobody is left to play with, or it is taken back by
    who asked, the table is closed."""
    if id is None:
        raise Refused("table/no-rematch")
    following = await hall.get(id)

    def edit(info: Info) -> None:
        if info.status != "waiting":
            raise Refused("table/rematch")
        kept = [held.seat for held in info.seats if held.player == who.player]
        if not kept:
            raise Refused("table/given")  # what becomes of the table is not theirs to say
        info.seats[kept[0]] = Seat(kept[0])
        left = sum(held.player is not None for held in info.seats)
        if left < 2 or who.player == info.host:
            info.close(now_ms())

    async with following.lock:
        await hall.change(following, edit)
        hall.tell(following)


async def _offer_rematch(hall: Hall, live: Live, who: Watcher) -> str:
    """A table for the same again, its seats kept for those who played; its id."""
    old = live.info
    seats = []
    for number in range(len(old.seats)):
        held = old.seats[number - 1]  # everybody moves on by one seat
        if held.kind == "bot":
            seats.append(replace(held, seat=number))
        else:
            kind = "person" if held.player == who.player else "open"
            seats.append(Seat(number, kind, held.player, held.name))
    same = picked(old, ("clock", "public", "rated", "takebacks", "watchable", "delay"))
    info = new_info(old.game, old.options, seats, who.player, **same, rematch_of=old.id)
    try:
        await create(hall, info)
    except IntegrityError:  # another worker was quicker
        (info,) = await hall.store.infos(tables.c.rematch_of == old.id)
    await hall.change(live, lambda table: setattr(table, "rematch", info.id))
    return info.id


LOCKED = {
    "sit": sit,
    "stand": stand,
    "seat": set_seat,
    "ready": ready,
    "start": start,
    "close": close,
    "play": play,
    "resign": resign,
    "draw": draw,
    "bot": stand_in,
    "back": back,
    "undo": undo,
    "rematch": rematch,
}
"""Verbs that change a table; they run one at a time at each."""


async def do(hall: Hall, who: Watcher, message: Any) -> Data | None:
    """Do a verb; what it returns is the answer, else the table is. None: already answered."""
    live = await hall.get(message.table)
    if message.type == "hint":
        return await hint(hall, live, who, message)
    async with live.lock:
        verb = LOCKED[message.type]
        found = await verb(hall, live, who, message)  # type: ignore[operator]
        if found is None and message.type != "play":
            return table_message(live, who)
        answer: Data | None = found
        return answer
