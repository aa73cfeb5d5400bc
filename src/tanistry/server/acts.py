"""Who may do what by their role, and that it is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tanistry.server.clocks import now_ms
from tanistry.server.refusals import Refused
from tanistry.server.rows import new_id
from tanistry.server.schema import audit

ROLES = ("person", "moderator", "host")
"""Who may do more than who came before."""


@dataclass(frozen=True)
class Actor:
    """Who does something: a moderator, a host, or the operator at the console."""

    id: str = "console"
    role: str = "console"

    def check(self, row: Any) -> None:
        """Nobody is sanctioned by one who may not do more than they."""
        mine = len(ROLES) if self.role == "console" else ROLES.index(self.role)
        if mine <= ROLES.index(row.role or "person"):
            raise Refused("auth/role")


CONSOLE = Actor()


def may(row: Any, setting: str) -> bool:
    """Whether a setting lets somebody do something: hosts, or everybody with an account."""
    if row is None or setting == "none":
        return False
    return row.role == "host" or (setting == "members" and row.login is not None)


def lacks(row: Any, setting: str) -> str | None:
    """What somebody would have to have, or be, for a setting to let them; None if it does."""
    if may(row, setting):
        return None
    return "account" if setting == "members" else "host"


def noted(by: Actor, act: str, player: str | None = None, **details: Any) -> sa.Insert:
    """What writes down what somebody does, for the transaction that does it."""
    values = {"id": new_id(), "by": by.id, "act": act, "player": player, "at": now_ms()}
    return sa.insert(audit).values(**values, details=details)
