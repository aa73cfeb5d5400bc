"""What moderators see."""

from __future__ import annotations

from typing import Any, Literal

from tanistry.server.answers.base import Answer
from tanistry.server.answers.tables import Line


class Report(Answer):
    """What somebody told of somebody, and what had been said there."""

    id: str
    at: int
    player: str
    name: str
    by: str | None
    by_name: str | None
    table_id: str | None
    why: Literal["talk", "name", "play", "other"]
    note: str
    evidence: list[Line]
    closed: int | None


class Sanction(Answer):
    """A mute or a ban that holds."""

    id: str
    kind: Literal["mute", "ban"]
    player: str
    name: str | None
    reason: str
    at: int
    until: int


class Invitation(Answer):
    """A link by which so many people may still come."""

    id: str
    note: str
    left: int
    until: int


class Peace(Answer):
    """What moderators look at; `invited`: whether the server is by invitation."""

    reports: list[Report]
    sanctions: list[Sanction]
    names: list[str]
    invitations: list[Invitation]
    invited: bool


class NewInvitation(Answer):
    """The token of a new invitation, for a link to `/invite#…`; it is nowhere else."""

    token: str


class Act(Answer):
    """What somebody did; `by` is a player, or the console."""

    at: int
    by: str
    by_name: str | None
    act: str
    player: str | None
    name: str | None
    details: dict[str, Any]


class Acts(Answer):
    """What moderators and hosts did, the latest first."""

    acts: list[Act]
