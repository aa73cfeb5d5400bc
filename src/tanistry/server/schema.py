"""What is stored. A match is its seed, its options and its choices; the rest is around it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

metadata = sa.MetaData()

BIG = sa.BigInteger()


def _table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, metadata, *parts)


settings = _table(
    "settings",
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

players = _table(
    "players",
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("login", sa.String(32), unique=True),
    sa.Column("password", sa.Text),  # Argon2id; null for guests
    sa.Column("session", sa.Integer, nullable=False),  # raised to end what older servers signed
    sa.Column("created", BIG, nullable=False),
    sa.Column("mail", sa.String(254)),  # an address that was confirmed, in small letters
    sa.Column("turn_mail", sa.String(2)),  # the language of letters about turns; null: none
    # whether the profile is for its owner alone
    sa.Column("private", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    sa.Column("role", sa.String(10)),  # moderator, host; null for everybody else
    sa.Column("muted", BIG),  # until when
    sa.Column("banned", BIG),
    sa.Index("players_mail", "mail"),
)

letters = _table(
    "letters",
    sa.Column("id", sa.String(64), primary_key=True),  # SHA-256 of the token in its link
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),  # confirm, reset
    sa.Column("mail", sa.String(254), nullable=False),  # where it was sent
    sa.Column("until", BIG, nullable=False),
    sa.Index("letters_player", "player"),
)

sessions = _table(
    "sessions",
    sa.Column("id", sa.String(64), primary_key=True),  # SHA-256 of the cookie
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("device", sa.String(80), nullable=False),  # in words
    sa.Column("created", BIG, nullable=False),
    sa.Column("seen", BIG, nullable=False),
    sa.Index("sessions_player", "player"),
)

pushes = _table(
    "pushes",
    sa.Column("id", sa.String(64), primary_key=True),  # SHA-256 of the address
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("session", sa.String(64), nullable=False),  # of the device: nothing after its end
    sa.Column("endpoint", sa.String(1000), nullable=False),
    sa.Column("p256dh", sa.String(88), nullable=False),
    sa.Column("auth", sa.String(24), nullable=False),
    sa.Column("lang", sa.String(2), nullable=False),
    sa.Column("at", BIG, nullable=False),
    sa.Index("pushes_player", "player"),
)

tries = _table(
    "tries",
    sa.Column("login", sa.String(64), primary_key=True),  # SHA-256 of it, or of what else is tried
    sa.Column("left", sa.Float, nullable=False),  # tries that are left
    sa.Column("at", BIG, nullable=False),
)

tables = _table(
    "tables",
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the game's rules
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("status", sa.String(8), nullable=False),  # waiting, playing, over, closed
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("host", sa.String(24), nullable=False),
    sa.Column("clock", sa.JSON, nullable=False),
    sa.Column("watchable", sa.Boolean, nullable=False),
    sa.Column("delay", sa.Integer, nullable=False),  # seconds spectators are behind
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("salt", sa.LargeBinary, nullable=False),
    sa.Column("created", BIG, nullable=False),
    sa.Column("started", BIG),
    sa.Column("ended", BIG),
    sa.Column("revision", sa.Integer, nullable=False),  # raised with every change of this row
    sa.Column("draw_offer", sa.Integer),
    sa.Column("draw_turn", sa.Integer),  # when it was made
    # whether those who play may ask each other for take-backs, and who has done so (tables.Table)
    sa.Column("takebacks", sa.Boolean, nullable=False, default=True, server_default=sa.true()),
    sa.Column("undo_offer", sa.JSON(none_as_null=True)),
    sa.Column("rematch", sa.String(24)),
    sa.Column("rematch_of", sa.String(24)),
    sa.Column("result", sa.JSON),
    sa.Column("tournament", sa.String(24)),  # of which it is a board
    sa.Index("tables_open", "public", "status", "created"),
    sa.Index("tables_status", "status"),
    sa.Index("tables_rematch_of", "rematch_of", unique=True),
)

seats = _table(
    "seats",
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),  # open, person, bot
    sa.Column("player", sa.String(24)),  # of an open seat: for whom it is kept
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("ready", sa.Boolean, nullable=False),
    sa.Column("bot", sa.String(40)),
    sa.Column("level", sa.Integer),
    sa.Column("stand_in", sa.Boolean, nullable=False),  # a bot plays for the person
    sa.Column("bound", sa.String(24)),  # for whom a rated match counts, from its start
    sa.Column("weight", sa.Float),  # how much it counted, after its end
    sa.Column("nonce", sa.String(64)),  # what the player's device adds to the seed, in hex
    sa.Index("seats_player", "player", "table_id"),
    sa.Index("seats_bound", "bound"),
)

moves = _table(
    "moves",
    # The primary key is what makes it impossible to play a turn twice.
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True),  # from 0, without gaps
    sa.Column("seat", sa.Integer),
    sa.Column("kind", sa.String(8), nullable=False),  # play, resign, flag, draw, undo
    sa.Column("token", sa.String(80)),  # for undo: how many choices remain
    sa.Column("at", BIG, nullable=False),
    sa.Column("stamp", BIG, nullable=False),  # random: tells our row from another's after a doubt
)

stamps = _table(
    "stamps",
    # One of each transaction, for an hour: after a doubt it tells whether that was stored.
    sa.Column("at", BIG, primary_key=True, autoincrement=False),
    sa.Column("stamp", BIG, primary_key=True, autoincrement=False),  # random
)

notices = _table(
    "notices",
    # Of which turn somebody was told last: at most once of each.
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("turn", sa.Integer, nullable=False),
)

ratings = _table(
    "ratings",
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Index("ratings_best", "game", "mu"),
)

rating_changes = _table(
    "rating_changes",
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("at", BIG, nullable=False),
    sa.Column("before", sa.Float, nullable=False),  # the mean before the match
    sa.Column("mu", sa.Float, nullable=False),  # and after it
    sa.Index("rating_changes_player", "player", "game", "at"),
)

puzzle_tries = _table(
    "puzzle_tries",
    # One a person and puzzle: the first counts.
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("puzzle", sa.String(24), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # of this person's tries at the game, from 1
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("rating", sa.Float, nullable=False),  # after it
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("at", BIG, nullable=False),
    sa.Index("puzzle_tries_number", "player", "game", "number", unique=True),
)

seeks = _table(
    "seeks",
    # One a person: nobody is looked for twice, and nobody meets themselves.
    sa.Column("player", sa.String(24), primary_key=True),
    sa.Column("holder", sa.String(24), nullable=False),  # which of their connections waits
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("clock", sa.String(8), nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("rating", sa.Integer, nullable=False),
    sa.Column("since", BIG, nullable=False),
    sa.Column("seen", BIG, nullable=False),  # when the worker last said that they are here
    sa.Column("table_id", sa.String(24)),  # at which they were seated
    sa.Column("seated", BIG),
    sa.Index("seeks_table", "table_id"),
)

outages = _table(
    "outages",
    sa.Column("began", BIG, primary_key=True, autoincrement=False),
    sa.Column("ended", BIG, nullable=False),
)

talk = _table(
    "talk",
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),  # from 0
    sa.Column("player", sa.String(24)),
    sa.Column("name", sa.String(24), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("kind", sa.String(8), nullable=False),  # emote, chat, level
    sa.Column("text", sa.String(200), nullable=False),
    sa.Column("open", sa.Boolean, nullable=False),  # whether spectators may read it
    sa.Column("at", BIG, nullable=False),
    sa.Index("talk_player", "player", "at"),
)

blocks = _table(
    "blocks",
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("blocked", sa.String(24), sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("at", BIG, nullable=False),
    sa.Index("blocks_blocked", "blocked"),
)

reports = _table(
    "reports",
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("by", sa.String(24)),
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), nullable=False),  # about whom
    sa.Column("table_id", sa.String(24)),
    sa.Column("why", sa.String(8), nullable=False),  # talk, name, play, other
    sa.Column("note", sa.String(500), nullable=False),
    sa.Column("evidence", sa.JSON, nullable=False),  # the last lines at the table
    sa.Column("at", BIG, nullable=False),
    sa.Column("closed", BIG),
    sa.Column("closed_by", sa.String(24)),
    sa.Index("reports_open", "closed", "at"),
    sa.Index("reports_player", "player"),
)

sanctions = _table(
    "sanctions",
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),  # mute, ban, address
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id")),
    sa.Column("address", sa.String(64)),  # whom it belongs to, if an address is banned
    sa.Column("reason", sa.String(200), nullable=False),
    sa.Column("by", sa.String(24), nullable=False),
    sa.Column("at", BIG, nullable=False),
    sa.Column("until", BIG, nullable=False),
    sa.Index("sanctions_player", "player"),
    sa.Index("sanctions_until", "until"),
)

refused_names = _table(
    "refused_names",
    sa.Column("name", sa.String(24), primary_key=True),  # as names are compared
    sa.Column("by", sa.String(24), nullable=False),
    sa.Column("at", BIG, nullable=False),
)

invitations = _table(
    "invitations",
    sa.Column("id", sa.String(64), primary_key=True),  # SHA-256 of the token in its link
    sa.Column("by", sa.String(24), nullable=False),
    sa.Column("note", sa.String(80), nullable=False),
    sa.Column("left", sa.Integer, nullable=False),  # people it still lets in
    sa.Column("at", BIG, nullable=False),
    sa.Column("until", BIG, nullable=False),
)

audit = _table(
    "audit",
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("by", sa.String(24), nullable=False),  # a player, or the console
    sa.Column("act", sa.String(16), nullable=False),
    sa.Column("player", sa.String(24)),  # to whom it was done
    sa.Column("details", sa.JSON, nullable=False),
    sa.Column("at", BIG, nullable=False),
    sa.Index("audit_at", "at"),
)

clubs = _table(
    "clubs",
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("key", sa.String(24), nullable=False),  # in the link by which people join
    sa.Column("created", BIG, nullable=False),
)

club_members = _table(
    "club_members",
    sa.Column("club_id", sa.String(24), sa.ForeignKey("clubs.id"), primary_key=True),
    sa.Column("player", sa.String(24), sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("leader", sa.Boolean, nullable=False),
    sa.Column("at", BIG, nullable=False),
    sa.Index("club_members_player", "player"),
)

tournaments = _table(
    "tournaments",
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("system", sa.String(8), nullable=False),  # robin, swiss, knockout, tables
    sa.Column("seats", sa.Integer, nullable=False),  # wanted at a table
    sa.Column("rounds", sa.Integer, nullable=False),  # 0: as many as it takes
    sa.Column("clock", sa.JSON, nullable=False),
    sa.Column("grace", sa.Integer, nullable=False),  # seconds to come to a table
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("most", sa.Integer, nullable=False),  # players
    sa.Column("host", sa.String(24), nullable=False),  # who made it
    sa.Column("club", sa.String(24)),  # whose members play; null: everybody may
    sa.Column("status", sa.String(10), nullable=False),  # open, playing, over, cancelled
    sa.Column("created", BIG, nullable=False),
    sa.Column("started", BIG),
    sa.Column("ended", BIG),
    # Whatever is decided raises it from the number it was decided at: only once, whoever decides.
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Index("tournaments_status", "status"),
    sa.Index("tournaments_created", "created"),
    sa.Index("tournaments_club", "club"),
)

entrants = _table(
    "entrants",
    sa.Column("tournament_id", sa.String(24), sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("entry", sa.String(24), primary_key=True),
    sa.Column("number", sa.Integer),  # the seed, from the start on
    sa.Column("player", sa.String(24)),  # null for bots, and for who has been erased
    sa.Column("name", sa.String(40), nullable=False),  # if there is no player who has one
    sa.Column("bot", sa.String(40)),
    sa.Column("level", sa.Integer),
    sa.Column("here", sa.Boolean, nullable=False),  # whether they are paired in the next round
    # put out by who runs it: they do not come back
    sa.Column("removed", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    sa.Column("at", BIG, nullable=False),
    sa.Index("entrants_player", "player"),
    sa.Index("entrants_once", "tournament_id", "player", unique=True),
)

boards = _table(
    "boards",
    # The primary key is what makes it impossible to pair a round twice.
    sa.Column("tournament_id", sa.String(24), sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),  # from 1
    sa.Column("board", sa.Integer, primary_key=True),  # from 1
    sa.Column("game", sa.Integer, primary_key=True),  # from 1: draws of a knockout are replayed
    sa.Column("players", sa.JSON, nullable=False),  # their numbers, in the order of seats
    sa.Column("absent", sa.JSON, nullable=False),  # those who did not come
    sa.Column("ranks", sa.JSON),  # where no match tells them
    sa.Column("table_id", sa.String(24)),  # at which those who came sit, in the same order
    sa.Column("since", BIG, nullable=False),  # when they were called
    sa.Index("boards_table", "table_id"),
)

END = (
    "UPDATE tables SET status = 'over', ended = :at, result = :how, draw_offer = NULL,"
    " undo_offer = NULL, revision = revision + 1 WHERE id = :table AND status = 'playing'"
)
"""How a match ends: once, whoever says so."""
Ended = dict[str, Any]
"""When it ended (`at`), how, and at which table."""
