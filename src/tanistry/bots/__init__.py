"""Players that choose a token from what a seat knows: `tanistry.bot("random").choose(match)`.

A bot is a class with a method `choose(match)`. Ours are modules of `tanistry.bots.players`, found
by their names; others come from packages (entry point group `tanistry.bots`) or from a file
(`mine.py:MyBot`). Whoever wrote it: what `bot` hands out blinds every match for the seat to act
before the class sees it, and the truth is not within its reach.
"""

from tanistry.bots.blinding import BlindBot, Bot
from tanistry.bots.registry import bots, default_level, levels, version
from tanistry.bots.spec import BotSpec, bot

__all__ = ["BlindBot", "Bot", "BotSpec", "bot", "bots", "default_level", "levels", "version"]
