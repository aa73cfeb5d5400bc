"""Finished matches understood: who could have known what, what each choice cost, what was luck."""

from tanistry.analysis.analysing import analyse as analyse
from tanistry.analysis.outcome import Analysis as Analysis
from tanistry.analysis.outcome import Judged as Judged
from tanistry.analysis.outcome import Player as Player
