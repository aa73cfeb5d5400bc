"""A match: a game at the table, played by tokens, told in events, kept in records."""

from tanistry.match.events import Event
from tanistry.match.game import Game
from tanistry.match.match import Match, Result
from tanistry.match.replaying import replay

__all__ = ["Event", "Game", "Match", "Result", "replay"]
