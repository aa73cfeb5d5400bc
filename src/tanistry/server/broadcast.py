"""What goes out to those who follow a table, each told what their seat may know, and when."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson

from tanistry.server.clocks import now_ms
from tanistry.server.info import Data, Info
from tanistry.server.live import Live, Watcher
from tanistry.server.tables import Table

Frames = dict[tuple[int | None, str | None], bytes]
"""Messages as they are sent, by seat and language."""


def table_data(live: Live, player: str | None) -> Data:
    """A table without its cards, as a player may know it now."""
    seat = live.info.seat_of(player) if player else None
    return live.seen_as(seat).data(player, live.present(), live.watching())


def table_message(live: Live, who: Watcher) -> Data:
    told: Data = {"type": "table", "table": table_data(live, who.player)}
    if live.info.status == "playing" and live.info.seat_of(who.player) is not None:
        away = [live.away(held.seat) for held in live.info.seats]
        if any(away):
            told["away"] = away
    return told


def send_table(live: Live, skip: Watcher | None = None) -> None:
    """Tell everybody at a table how it stands, after anything but the cards changed."""
    for who, seat in list(live.watchers.items()):
        now_at = live.info.seat_of(who.player)
        if now_at != seat:
            live.watchers[who] = now_at
    for who, _ in live.followers(behind=False):
        if who is not skip:
            who.send(orjson.dumps(table_message(live, who)))
    _send_behind(live, skip)
    if live.info.hidden:  # the last that others hear of it
        live.watchers = {who: at for who, at in live.watchers.items() if at is not None}


def _send_behind(live: Live, skip: Watcher | None = None) -> None:
    """The same for spectators who see later; not when it would only tell them that something
    happened. How far the cards have come they hear by and by."""
    if live.shadow is None:
        return
    shown = orjson.dumps({**table_data(live, None), "turn": None})
    if shown != live.shown:
        live.shown = shown
        for who, _ in live.followers(behind=True):
            if who is not skip:
                who.send(orjson.dumps(table_message(live, who)))


def set_info(live: Live, info: Info) -> None:
    """A table has changed, other than by its cards; who sees later hears of it later."""
    live.change(info)
    catch_up(live)


def send_states(live: Live, skip: Watcher | None = None, behind: bool = False) -> None:
    """Replace what everybody has: at the start, after a take-back, after any doubt."""
    now = now_ms()
    for who, seat in live.followers(behind):
        if who is not skip:
            who.send(orjson.dumps(live.seen_as(seat).whole(seat, now, who.say)))


def send_deal(live: Live) -> None:
    """The match has begun."""
    send_table(live)
    send_states(live)
    send_states(live, behind=True)
    catch_up(live)


def send_row(
    live: Live, answer: Watcher | None = None, id: Any = None, frames: Frames | None = None
) -> None:
    """Tell everybody what has just happened; `answer` asked for it, by a message with that id.
    `frames`: what has been written down for that already."""
    if live.table.rows[-1].kind == "undo":
        send_states(live, skip=answer)
    else:
        _send_played(live, answer, id, frames=frames)
    catch_up(live)


def _send_played(
    live: Live,
    answer: Watcher | None = None,
    id: Any = None,
    behind: bool = False,
    frames: Frames | None = None,
) -> None:
    """Tell everybody the last row, each as their seat may know it."""
    now = now_ms()
    table = live.shadow.table if behind and live.shadow else live.table
    frames = {} if frames is None else frames
    for who, seat in _others_first(live, table, behind):
        frame = frames.get((seat, who.say)) or _write_played(table, seat, who.say, now)
        frames[seat, who.say] = frame
        answered = who is answer and id is not None
        who.send(_with_id(frame, id) if answered else frame)


def write_played(live: Live, table: Table, frames: Frames) -> None:
    """Write down the last row of a table for all who follow it, before they may be told."""
    now = now_ms()
    if table.rows[-1].kind != "undo":
        for who, seat in _others_first(live, table, behind=False):
            if (seat, who.say) not in frames:
                frames[seat, who.say] = _write_played(table, seat, who.say, now)


def _write_played(table: Table, seat: int | None, say: str | None, now: int) -> bytes:
    """The last row as a seat may know it."""
    change = table.change(seat)
    if change is None:  # not shown the turn before: replace
        return orjson.dumps(table.state(seat, None, now, say))
    return orjson.dumps(table.played(seat, change, now, say))


def _others_first(live: Live, table: Table, behind: bool) -> list[tuple[Watcher, int | None]]:
    """Whoever chose knows what; the others hear of it first."""
    mover = table.rows[-1].seat
    return sorted(live.followers(behind), key=lambda one: one[1] == mover)


def catch_up(live: Live) -> None:
    """Show spectators who see later what is due for them, and come back when there is more."""
    if (shadow := live.shadow) is None:
        return
    now = now_ms()
    changed = shadow.news(now)
    for row in shadow.rows(now):
        if row.kind == "undo":
            send_states(live, behind=True)
        else:
            _send_played(live, behind=True)
        changed |= row.kind != "play"
    if changed:
        _send_behind(live)
    if shadow.timer:
        shadow.timer.cancel()
    if (due := shadow.next_at()) is not None:
        loop = asyncio.get_running_loop()
        shadow.timer = loop.call_later((due - now) / 1000 + 0.01, catch_up, live)


def _with_id(frame: bytes, id: Any) -> bytes:
    """A message as the answer to one that carried an id."""
    return b'{"id":' + orjson.dumps(id) + b"," + frame[1:]
