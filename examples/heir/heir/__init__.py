"""Heir: a game of nine cards for two."""

from tanistry.games.contract import GameInfo, Option

INFO = GameInfo(
    name="heir",
    package=__name__,
    version=1,
    seats=range(2, 3),
    options=(Option("low", (False, True), False),),
    has_draw=True,
)
