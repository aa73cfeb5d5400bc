"""Clubs."""

from __future__ import annotations

from typing import Literal

from tanistry.server.answers.base import Answer
from tanistry.server.answers.tournaments import TournamentInShort


class ClubInShort(Answer):
    """A club in a list; `count`: its members; `you`: what you are in it."""

    id: str
    name: str
    count: int
    you: Literal["leader", "member"] | None


class Clubs(Answer):
    """Your clubs, or all for moderators and hosts; `may_found`: whether you may found one; `needs`:
    what you lack for it, if anything: an account, or to be a host."""

    clubs: list[ClubInShort]
    may_found: bool
    needs: Literal["account", "host"] | None


class ClubMember(Answer):
    """Somebody in a club, since `at`."""

    player: str
    name: str
    leader: bool
    at: int


class Club(ClubInShort):
    """A club. `members` are told to members; `leads`: whether you may do what its leaders may, and
    only then `key`, for the link by which people join: `/clubs/ID#KEY`."""

    created: int
    leads: bool
    key: str | None
    members: list[ClubMember]
    tournaments: list[TournamentInShort]
