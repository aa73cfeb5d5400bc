"""Tournaments: who meets whom, and who stands where. No server, no clock, no chance.

Players are numbers from 1, in the order of their seeds. What has been played is a list of rounds,
each a list of boards; everything else follows from it, so that whoever asks gets the same answer.
"""

from __future__ import annotations

from tanistry.tournaments.boards import WIN, Board, walkover
from tanistry.tournaments.standings import BREAKS, Standing, standings
from tanistry.tournaments.systems import SYSTEMS, Plan, next_round, replay

__all__ = [
    "BREAKS",
    "SYSTEMS",
    "WIN",
    "Board",
    "Plan",
    "Standing",
    "next_round",
    "replay",
    "standings",
    "walkover",
]
