"""How a tournament stands, as people are told of it, and as a file."""

from __future__ import annotations

import csv
import io

from tanistry.server.info import Data
from tanistry.server.rows import picked
from tanistry.server.store import Store
from tanistry.server.tournaments.reading import ENTRANT, Game, Tournament, short
from tanistry.tournaments import WIN, Standing
from tanistry.tournaments.standings import COUNTED

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would calculate."""


def _shown(points: int, seats: int) -> float:
    """Points as they are said: a win is one, at tables for several twelve."""
    return points / WIN if seats == 2 else points * 12 / WIN


def describe(cup: Tournament) -> Data:
    """A tournament as everybody is told of it."""
    row, rounds = cup.row, cup.at_boards()
    return {
        **short(row),
        "count": len(cup.entrants),
        "options": row.options,
        "clock": row.clock,
        "grace": row.grace,
        "rounds": cup.total(),
        "round": len(rounds),
        "players": [picked(one, ENTRANT) for one in cup.entrants],
        "standings": [_line(line, row.seats) for line in cup.standings()],
        "boards": [[_board(cup, games) for games in one] for one in rounds],
    }


def personal(store: Store, cup: Tournament, me: str | None, runs: bool) -> Data:
    """What one person is told beyond that; `runs`: whether they may start and end it."""
    return {"runs": runs, "you": _own(store, cup, me)}


def _own(store: Store, cup: Tournament, me: str | None) -> Data | None:
    """What it asks of somebody: where they are wanted now, and until when."""
    mine = cup.of(me)
    if mine is None:
        return None
    called = [
        game
        for game in cup.games
        if game.status in ("waiting", "playing") and mine.number in game.result.present
    ]
    last = called[-1] if called and cup.row.status == "playing" else None
    due = last and store.outages.when_passed(last.since, cup.row.grace * 1000)
    return {
        "number": mine.number,
        "here": mine.here,
        "table": last.table if last else None,
        "due": due if last and last.status == "waiting" else None,
        "left": last is not None and mine.number in last.left,
        "removed": mine.removed,
    }


def _line(line: Standing, seats: int) -> Data:
    return {
        "place": line.place,
        "number": line.player,
        "points": _shown(line.points, seats),
        "won": line.won,
        "drawn": line.drawn,
        "lost": line.lost,
        "breaks": {
            name: value if name in COUNTED else _shown(value, seats)
            for name, value in line.breaks.items()
        },
    }


def _board(cup: Tournament, games: list[Game]) -> Data:
    board, _ = cup.decided(games)
    last = games[-1]
    if last.result.is_bye:
        status = "bye"
    elif last.result.is_over and not last.result.is_played:
        status = "walkover"
    else:
        status = "over" if board.is_over else last.status
    return {
        "status": status,
        "players": list(last.result.players),
        "ranks": board.ranks and list(board.ranks),
        "absent": sorted(last.result.absent),
        "tables": [game.table for game in games if game.table],
    }


def as_csv(cup: Tournament) -> str:
    """Standings, and below them every board."""
    names = {one.number: _cell(one.name) for one in cup.entrants}
    told = [_line(line, cup.row.seats) for line in cup.standings()]
    breaks = list(told[0]["breaks"]) if told else []
    out = io.StringIO()
    write = csv.writer(out).writerow
    write(["place", "number", "name", "points", "won", "drawn", "lost", *breaks])
    for line in told:
        row = [line["place"], line["number"], names[line["number"]]]
        row += [_number(line[name]) for name in ("points", "won", "drawn", "lost")]
        write(row + [_number(line["breaks"][name]) for name in breaks])
    write([])
    write(["round", "board", "game", "seat", "number", "name", "rank", "points", "table"])
    for game in cup.games:
        for seat, number in enumerate(game.result.players):
            over = game.result.is_over
            points = _number(_shown(game.result.points(number), cup.row.seats)) if over else ""
            rank = game.result.rank(number) if over else ""
            place = [game.round, game.board, game.game, seat + 1, number]
            write([*place, names[number], rank, points, game.table or ""])
    return out.getvalue()


def _cell(text: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _number(value: float) -> str:
    return f"{value:g}" if isinstance(value, int) or value == round(value, 3) else f"{value:.3f}"
