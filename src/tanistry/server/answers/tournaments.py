"""Tournaments."""

from __future__ import annotations

from typing import Literal

from tanistry.server.answers.base import Answer, Options
from tanistry.server.answers.people import Named
from tanistry.server.answers.tables import Clock


class TournamentInShort(Answer):
    """A tournament in a list; `count`: players so far, of `most`; `club`: whose members play, null
    if everybody may."""

    id: str
    name: str
    game: str
    system: Literal["robin", "swiss", "knockout", "tables"]
    seats: int
    rated: bool
    status: Literal["open", "playing", "over", "cancelled"]
    created: int
    started: int | None
    ended: int | None
    most: int
    count: int
    club: Named | None


class Tournaments(Answer):
    """The latest tournaments; `may_make`: whether you may announce one; `needs`: what you lack for
    it, if anything: an account, or to be a host."""

    tournaments: list[TournamentInShort]
    may_make: bool
    needs: Literal["account", "host"] | None


class Entrant(Answer):
    """Somebody in a tournament. `entry`: identifies them, to remove them; `number`: the seed, from
    the start on; `here`: whether they are paired in the next round; `removed`: by the organiser."""

    entry: str
    number: int | None
    player: str | None
    name: str
    bot: str | None
    level: int | None
    here: bool
    removed: bool


class Placing(Answer):
    """Where somebody stands. Places are shared by who is level in everything. `points`: of a win 1,
    at tables for several 12; `breaks`: what decides between those with as many, in this order."""

    place: int
    number: int
    points: float
    won: int
    drawn: int
    lost: int
    breaks: dict[str, float]


class Meeting(Answer):
    """A board: numbers in the order of seats, and their ranks from 1 once it is over. `absent`: who
    did not come. `tables`: where it is played; several if draws were played again."""

    status: Literal["none", "bye", "walkover", "waiting", "playing", "over", "closed"]
    players: list[int]
    ranks: list[int] | None
    absent: list[int]
    tables: list[str]


class OwnPart(Answer):
    """What a tournament asks of you: `table`, where you play now, `due`, until when you must have
    said there that you are ready; `left`: you have resigned there, or run out of time, and the
    others go on; `removed`: the organiser removed you."""

    number: int | None
    here: bool
    table: str | None
    due: int | None
    left: bool
    removed: bool


class Tournament(TournamentInShort):
    """A tournament; `round`: the one that is being played, of `rounds` (0: not known yet); `runs`:
    whether you may start and cancel it; `boards`: by round."""

    options: Options
    clock: Clock
    grace: int
    rounds: int
    round: int
    runs: bool
    you: OwnPart | None
    players: list[Entrant]
    standings: list[Placing]
    boards: list[list[Meeting]]
