"""People: what is told of them, to others and to themselves."""

from __future__ import annotations

from typing import Any, Literal

from tanistry.server.answers.base import Answer, Options, maybe
from tanistry.server.answers.tables import RatingChange


class Rating(Answer):
    """How well somebody plays a game; everybody begins at 1500."""

    value: int
    matches: int
    provisional: bool


class Player(Answer):
    """Somebody. Only in your own: `login`, the confirmed address `mail`, `letters`, whether this
    server sends any, `turn_mail`, whether some tell you that it is your turn, `push_key`, for
    browsers that are to be told so (null: none are), `people`, whether it shows profiles and lists,
    `tournaments` and `clubs`, whether it has any, `private`, whether your profile is for you alone,
    and your `role`, if you have one; of others with a private profile there are no `ratings`."""

    id: str
    name: str
    guest: bool
    login: str | None = maybe()
    mail: str | None = maybe()
    letters: bool = maybe()
    turn_mail: bool = maybe()
    push_key: str | None = maybe()
    people: bool = maybe()
    tournaments: bool = maybe()
    clubs: bool = maybe()
    private: bool = maybe()
    role: Literal["moderator", "host"] = maybe()
    ratings: dict[str, Rating]


class BestPlayer(Rating):
    """A player in the list of the best."""

    id: str
    name: str


class BestPlayers(Answer):
    """The best rated at a game: accounts with a public profile, at least so many rated matches of
    it (`least`), and a rating that has settled."""

    players: list[BestPlayer]
    least: int


class Opponent(Answer):
    """Who else sat there."""

    seat: int
    kind: Literal["person", "bot"]
    player: str | None
    name: str
    bot: str | None
    level: int | None


class PastMatch(Answer):
    """A match of yours that is over. `outcome`: `won` alone, `drawn` with others in the first
    place, or `lost`, as whoever left early; `place` of `seats`. `kept`: it was played on your
    device."""

    table: str
    game: str
    options: Options
    ended: int
    seat: int
    seats: int
    opponents: list[Opponent]
    outcome: Literal["won", "drawn", "lost"]
    place: int
    scores: list[int] | None
    ended_by: Literal["play", "resign", "flag", "draw"]
    rated: bool
    rating: RatingChange | None
    kept: bool


class History(Answer):
    """Your matches that are over, the latest first, and where the next page begins."""

    matches: list[PastMatch]
    next: str | None


class Tally(Answer):
    """How matches ended for somebody."""

    matches: int
    won: int
    drawn: int
    lost: int


class GameTally(Tally):
    """The same at one game."""

    game: str


class OpponentTally(Tally):
    """The same against one person."""

    player: str
    name: str


class RatingPoint(Answer):
    """A rating at a time."""

    at: int
    value: int


class RatingHistory(Rating):
    """A rating, and how it came about."""

    points: list[RatingPoint]


class PuzzleRating(Answer):
    """How well somebody solves the puzzles of a game: only the first try of each counts."""

    value: int
    tried: int
    solved: int
    provisional: bool


class PuzzleTry(Answer):
    """What came of a try. `counts`: it was the first of this puzzle; `before` and `value`: your
    rating before it and now."""

    solved: bool
    counts: bool
    before: int
    value: int


class PuzzlesTried(Answer):
    """Your ratings at puzzles; by game and name which you have tried, and whether the first try
    was right."""

    ratings: dict[str, PuzzleRating]
    tried: dict[str, dict[str, bool]]


class Profile(Answer):
    """Somebody's ratings and results. `opponents`: in others' profiles only those whose own profile
    is public too. `counted`: how many of the latest matches the results are of."""

    id: str
    name: str
    guest: bool
    you: bool
    private: bool
    since: int
    ratings: dict[str, RatingHistory]
    puzzles: dict[str, PuzzleRating]
    games: list[GameTally]
    opponents: list[OpponentTally]
    counted: int


class Device(Answer):
    """Where one is signed in."""

    id: str
    device: str
    created: int
    seen: int
    this: bool


class Devices(Answer):
    """Where you are signed in."""

    devices: list[Device]


class Named(Answer):
    """Somebody, by name."""

    id: str
    name: str


class Blocked(Answer):
    """Those whom you have blocked, the latest first."""

    players: list[Named]


class Kept(Answer):
    """All that is kept of you."""

    account: dict[str, Any]
    devices: list[dict[str, Any]]
    pushes: list[dict[str, Any]]
    matches: list[dict[str, Any]]
    puzzles: list[dict[str, Any]]
    chat: list[dict[str, Any]]
    blocked: list[dict[str, Any]]
    reports: list[dict[str, Any]]
    sanctions: list[dict[str, Any]]
    tournaments: list[dict[str, Any]]
    clubs: list[dict[str, Any]]
