"""A game's kernels for bots, ready before somebody waits for them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from tanistry.bots.players.champion import ChampionBot
from tanistry.bots.players.trained import TrainedBot
from tanistry.bots.registry import class_of, own_bots
from tanistry.bots.solving import Solver
from tanistry.bots.spec import bot
from tanistry.simulation.network import networks

if TYPE_CHECKING:
    from tanistry.match import Game

EFFORT = ("evaluations", "iterations")
"""Settings of bots that say how much they think: once is enough to have all that they call."""


def warm_up(game: Game) -> None:
    """Have all kernels of our bots compiled, or read from the cache."""
    match = game.deal(seed=0)
    Solver(game).warm_up(match)
    for name in own_bots():
        made = class_of(name)
        if made in (ChampionBot, TrainedBot) and game.name not in networks():
            continue
        effort = {e: 1 for e in EFFORT if e in inspect.signature(made).parameters}
        player = bot(name, seed=0, **effort)
        player.choose(match)
        if effort and hasattr(player, "analyse"):
            player.analyse(match)
