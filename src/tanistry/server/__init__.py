"""The server: tables, seats, secrets, and moves that are never lost. See docs/protocol.md.

settings    what an operator may set
store       the database: group commit, optimistic concurrency; rows: what is in it
info        a table as it is stored: who sits there, what is agreed
tables      a table, pure: rows in, what each seat may be told out; shadows: the same, later
live        a table in memory with those who follow it; registry: all of them
broadcast   what goes out to them; lobby: the list of public tables
timers      what happens by itself: bots and flags; recovery: after a start
sync        what other workers do, heard of from the bus
hall        all that together: rows and changes are stored, then told
verbs       what people do at tables
tournaments what is stored, decided and told of them, and how they go on
people      cookies, passwords, ratings
worker      the parts of a process; routes: HTTP; socket: WebSocket; app: both
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tanistry.server.app import Application, create_app
    from tanistry.server.run import serve
    from tanistry.server.settings import Settings, from_environment

__all__ = ["Application", "Settings", "create_app", "from_environment", "serve"]


def __getattr__(name: str) -> object:
    from importlib import import_module

    homes = {"serve": "run", "Settings": "settings", "from_environment": "settings"}
    if name in __all__:
        return getattr(import_module(f"tanistry.server.{homes.get(name, 'app')}"), name)
    raise AttributeError(name)
