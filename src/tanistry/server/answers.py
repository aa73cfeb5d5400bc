"""What the server says: a model for every answer over HTTP; server_messages.py adds what goes over
the socket.

They describe and check, they do not send: what goes out is built as plain data (tables.py and its
like) and written by orjson, and the tests hold every byte of it against these models. The OpenAPI
page, the tables of docs/protocol.md and the types of the web client are made from them
(tools/protocol.py).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tanistry.server.messages import Lang

Said = dict[Lang, str]
Options = dict[str, bool | int | str]


def maybe() -> Any:
    """A field that may be left out; if it is there, it is not null."""
    return Field(default=None, json_schema_extra=_without_default)


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


class Answer(BaseModel):
    """What is said, no more and no less."""

    model_config = ConfigDict(extra="forbid", strict=True)


# -- what happens in a match ----------------------------------------------------------------------


class CardEntry(BaseModel):
    """A card with flags that are public; `card` is null where the seat does not know it."""

    model_config = ConfigDict(extra="allow", strict=True)
    card: str | None
    up: bool = maybe()
    back: str = maybe()
    active: str | None = maybe()
    spent: bool = maybe()
    known: list[int] = maybe()


Entry = str | CardEntry | None
"""A code, a card with flags, or a gap."""
Places = dict[str, list[Entry]]
Facts = dict[str, Any]


class Position(Answer):
    """Everything on the table; see docs/architecture.md."""

    game: str
    seats: int
    options: Options
    to_act: int | None
    decision: str
    places: Places
    facts: Facts


class View(Position):
    """What a seat may know; `seat` is null for a spectator, `legal` there when it may choose."""

    seat: int | None
    legal: list[str] = maybe()


class Change(Answer):
    """What a step changed in a view; places that changed are there as a whole."""

    to_act: int | None
    decision: str
    places: Places
    facts: Facts = maybe()
    legal: list[str] = maybe()


class GameEvent(BaseModel):
    """Something that happened, as a seat saw it; `turn` and `by` (after the end left out): the
    choice it came of. The further fields are the game's own."""

    model_config = ConfigDict(extra="allow", strict=True)
    n: int
    type: str
    rule: str = maybe()
    card: str | None = maybe()
    from_: Annotated[str, Field(alias="from")] = maybe()
    to: str = maybe()
    seat: int = maybe()
    turn: int = maybe()
    by: int | None = maybe()
    text: str = maybe()


class Result(Answer):
    """How a match ended; `by`: the seat that resigned or was flagged."""

    scores: list[int] | None
    ranking: list[list[int]]
    ended_by: Literal["play", "resign", "flag", "draw"]
    by: int | None = maybe()


class Clocks(Answer):
    """Milliseconds left per seat at `now`, and the seat whose time passes."""

    left: list[int | None]
    running: int | None


# -- tables ---------------------------------------------------------------------------------------


class RatingChange(Answer):
    """A rating before and after a match."""

    before: int
    after: int


class Seat(Answer):
    """Who sits where; `rating_change` when a rated match is over that counted."""

    seat: int
    kind: Literal["person", "bot", "open"]
    player: str | None
    name: str
    you: bool
    present: bool
    ready: bool
    bot: str | None
    level: int | None
    bot_plays: bool
    rating: int | None
    resigned: bool
    weight: float | None
    rating_change: RatingChange = maybe()


class Clock(Answer):
    """How time is kept."""

    kind: Literal["none", "fischer", "days"]
    seconds: int = maybe()
    increment: int = maybe()
    days: int = maybe()


class Watching(Answer):
    """Who may watch, how many seconds behind, and how many do."""

    allowed: bool
    delay: int
    watching: int


class Fairness(Answer):
    """What the cards come from: the commitment at once (empty where a device dealt), what the seats
    added when it has begun, seed and salt after the end."""

    commitment: str
    seed: str | None
    salt: str | None
    nonces: list[str | None] | None


class UndoOffer(Answer):
    """Who asks to take their last choice back, which of the others have agreed, and whether the
    asker may have seen cards since that they did not know then."""

    seat: int
    agreed: list[int]
    revealed: bool


class Table(Answer):
    """Everything about a table except the cards; `tournament`: of which it is a board."""

    id: str
    game: str
    options: Options
    status: Literal["waiting", "playing", "over", "closed"]
    public: bool
    rated: bool
    solo: bool
    host: str
    created: int
    started: int | None
    ended: int | None
    seats: list[Seat]
    clock: Clock
    spectators: Watching
    draw_offer: int | None
    takebacks: bool
    undo_offer: UndoOffer | None
    rematch: str | None
    rematch_of: str | None
    tournament: str = maybe()
    turn: int | None
    revision: int
    fairness: Fairness
    result: Result | None


class Tables(Answer):
    """Tables, newest first."""

    tables: list[Table]


class MyTables(Tables):
    """Your tables, and where the next page begins."""

    next: str | None


class MyTurn(Answer):
    """A match that you play with others. `mine`: it waits for you; `left`: milliseconds for whoever
    it waits for, null without a clock."""

    table: Table
    mine: bool
    left: int | None


class MyTurns(Answer):
    """Your matches with others, those that wait for you first, the most urgent before the rest;
    `waiting`: how many those are."""

    now: int
    waiting: int
    turns: list[MyTurn]


class ReplayStep(Answer):
    """A choice that stood, what happened by it, and everything on the table after it."""

    turn: int
    seat: int | None
    token: str | None
    label: str = maybe()
    events: list[GameEvent]
    position: Position
    tally: Facts = maybe()


class Replay(Answer):
    """A finished match, all hands open."""

    table: Table
    steps: list[ReplayStep]


class Verified(Answer):
    """A record that holds."""

    holds: Literal[True]
    game: str
    commitment: str | None
    result: str
    choices: int
    players: dict[str, str]


class Line(Answer):
    """Something said at a table. `text`: of an `emote` its code, of `level` who may chat now."""

    n: int
    at: int
    player: str | None
    name: str
    seat: int | None
    kind: Literal["emote", "chat", "level"]
    text: str


# -- people ---------------------------------------------------------------------------------------


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


class Done(Answer):
    """It is done."""

    ok: Literal[True]


# -- games ----------------------------------------------------------------------------------------


class Option(Answer):
    """An option of a game, its values, what they are called and what they mean."""

    name: str
    values: list[bool | int | str]
    default: bool | int | str
    title: Said
    meaning: Said
    say: dict[str, Said]
    meanings: dict[str, Said]


class Preset(Answer):
    """Seats and options that go well together."""

    name: str
    seats: int
    options: Options
    title: Said
    meaning: Said


class Game(Answer):
    """A game in brief."""

    name: str
    version: int
    title: Said
    tagline: Said
    seats: list[int]
    has_draw: bool
    options: list[Option]
    presets: list[Preset]


class Bot(Answer):
    """A bot, with its levels."""

    bot: str
    levels: list[int]
    default: int | None
    title: Said
    level_titles: list[Said] = maybe()


class Games(Answer):
    """All games, and the bots there are, strongest first."""

    games: list[Game]
    bots: list[Bot]


class Place(Answer):
    """Where cards may lie."""

    name: str
    seen: str
    owner: int | None
    order: str
    most: int


class EventKind(Answer):
    """A kind of event, and what its values are: a type, or the codes there are."""

    type: str
    values: dict[str, str | list[str]]


class WholeGame(Game):
    """A game with what a table needs to know before it is drawn, for the options used."""

    options_used: Options
    places: list[Place]
    cards: list[str]
    decisions: list[str]
    events: list[EventKind]
    rules: list[str]


class Rule(Answer):
    """A rule of a game."""

    id: str
    title: str
    text: str


class Description(Answer):
    """What a game is made of, as `game.describe()` gives it, but for its texts and its kernels."""

    model_config = ConfigDict(extra="allow")
    name: str


class Words(Answer):
    """Every text of a game in one language."""

    game: str
    lang: Lang
    words: dict[str, Any]
    cards: dict[str, str]
    places: dict[str, str]
    rules: list[Rule]


class Refusal(Answer):
    """A refusal: a stable code, the rule, a sentence in every language."""

    code: str
    rule: str
    say: Said


# -- tournaments ----------------------------------------------------------------------------------


class TournamentInShort(Answer):
    """A tournament in a list; `count`: players so far, of `most`; `club`: whose members play, null
    if everybody may."""

    id: str
    name: str
    game: str
    system: Literal["robin", "swiss", "knockout", "tables"]
    seats: int
    rated: bool
    status: Literal["open", "playing", "over", "cancelled"]
    created: int
    started: int | None
    ended: int | None
    most: int
    count: int
    club: Named | None


class Tournaments(Answer):
    """The latest tournaments; `may_make`: whether you may announce one; `needs`: what you lack for
    it, if anything: an account, or to be a host."""

    tournaments: list[TournamentInShort]
    may_make: bool
    needs: Literal["account", "host"] | None


class Entrant(Answer):
    """Somebody in a tournament. `entry`: identifies them, to remove them; `number`: the seed, from
    the start on; `here`: whether they are paired in the next round; `removed`: by the organiser."""

    entry: str
    number: int | None
    player: str | None
    name: str
    bot: str | None
    level: int | None
    here: bool
    removed: bool


class Placing(Answer):
    """Where somebody stands. Places are shared by who is level in everything. `points`: of a win 1,
    at tables for several 12; `breaks`: what decides between those with as many, in this order."""

    place: int
    number: int
    points: float
    won: int
    drawn: int
    lost: int
    breaks: dict[str, float]


class Meeting(Answer):
    """A board: numbers in the order of seats, and their ranks from 1 once it is over. `absent`: who
    did not come. `tables`: where it is played; several if draws were played again."""

    status: Literal["none", "bye", "walkover", "waiting", "playing", "over", "closed"]
    players: list[int]
    ranks: list[int] | None
    absent: list[int]
    tables: list[str]


class OwnPart(Answer):
    """What a tournament asks of you: `table`, where you play now, `due`, until when you must have
    said there that you are ready; `left`: you have resigned there, or run out of time, and the
    others go on; `removed`: the organiser removed you."""

    number: int | None
    here: bool
    table: str | None
    due: int | None
    left: bool
    removed: bool


class Tournament(TournamentInShort):
    """A tournament; `round`: the one that is being played, of `rounds` (0: not known yet); `runs`:
    whether you may start and cancel it; `boards`: by round."""

    options: Options
    clock: Clock
    grace: int
    rounds: int
    round: int
    runs: bool
    you: OwnPart | None
    players: list[Entrant]
    standings: list[Placing]
    boards: list[list[Meeting]]


# -- clubs ----------------------------------------------------------------------------------------


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


# -- for moderators -------------------------------------------------------------------------------


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
