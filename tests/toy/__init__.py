"""Heir: a toy game of six cards. It shows how little a game needs, and that no file changes.

Each of two seats holds two cards, two lie face down. In turn each plays a card openly; the seat
whose two cards add up to more is the heir.
"""

from tanistry.games.contract import GameInfo, Option

INFO = GameInfo(
    name="heir",
    package=__name__,
    version=1,
    seats=range(2, 3),
    options=(Option("low", (False, True), False),),
    has_draw=True,
)
