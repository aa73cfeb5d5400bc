"""A table: a match, and what each seat may be told. Knows neither socket nor database.

Everything that happened is a list of rows (choices, resignations, take-backs); a table is what
comes out of them, so that any worker can build it from the database at any time. What goes out is
built here and nowhere else, from `match.look()` and `event.seen_by(seat)` alone.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import tanistry
from tanistry.errors import IllegalMove
from tanistry.server.clocks import Outages
from tanistry.server.info import Data, Info, describe
from tanistry.server.refusals import Refused, refused
from tanistry.words import words

if TYPE_CHECKING:
    from tanistry.match import Event, Match
    from tanistry.match.looks import Look


@dataclass(frozen=True, slots=True)
class Row:
    """Something that happened, as it is stored."""

    ply: int
    seat: int | None
    kind: str  # play, resign, flag, draw, undo
    token: str | None
    at: int
    stamp: int = 0


class Table:
    """One table, live. Methods that begin with `check` refuse or return the row to store."""

    def __init__(
        self, info: Info, rows: Sequence[Row] = (), outages: Outages | None = None
    ) -> None:
        self.info = info
        self.outages = Outages() if outages is None else outages  # shared, and may grow
        self.match: Match | None = None
        self.rows: list[Row] = []
        self.events: list[list[Event]] = []  # per row; empty for those that were taken back
        self.standing: list[int] = []  # the rows whose choices stand
        self.resigned: set[int] = set()
        self.ended: Data | None = None
        self.left: list[int] = []
        self.since = 0
        self._look: tuple[int, Look] | None = None  # the last look, and at which turn
        self._before: Look | None = None  # the one a turn before it
        self.reset = 0  # rows before this one were taken back in part
        self.lag = 0  # milliseconds this one is behind, for spectators who see later
        if info.status in ("playing", "over") and info.started is not None:
            self.deal()
        for row in rows:
            self.apply(row)

    # -- reading --------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return len(self.rows)

    @property
    def over(self) -> bool:
        return self.ended is not None

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, None when nobody has to."""
        return self.match.to_act if self.match and not self.over else None

    def bot_plays(self, seat: int) -> bool:
        held = self.info.seats[seat]
        return held.kind == "bot" or held.stand_in or seat in self.resigned

    # -- what happens ---------------------------------------------------------------------------

    def deal(self) -> None:
        """Start: from here on there is a match."""
        self.match = self.info.deal()
        self.left = [self.info.clock.start] * len(self.info.seats)
        self.since = self.info.started or 0

    def check_play(self, seat: int, turn: int, token: str, now: int) -> Row | None:
        """The row of a choice; None if this very choice is stored already."""
        if self.match is None:
            raise Refused("table/not-started")
        if turn < self.turn:
            row = self.rows[turn] if turn >= 0 else None
            if row and (row.seat, row.kind, row.token) == (seat, "play", token):
                return None
            raise Refused("move/stale")
        if self.over:
            raise Refused("move/over", "common.illegal")
        if turn > self.turn:
            raise Refused("move/stale")
        if seat != self.match.to_act:
            raise Refused("move/not-your-turn", "common.illegal")
        if token not in self.look().legal:
            try:
                self.match.copy().play(token)
            except IllegalMove as error:
                raise refused(error) from None
            raise Refused("move/stale")  # not reached: what is not legal is refused
        return Row(self.turn, seat, "play", token, now)

    def check_end(self, kind: str, seat: int | None, now: int) -> Row:
        """The row of a resignation, a flag or a draw."""
        self._running()
        return Row(self.turn, seat, kind, None, now)

    def _running(self) -> Match:
        if self.match is None:
            raise Refused("table/not-started")
        if self.over:
            raise Refused("table/over")
        return self.match

    def check_undo(self, seat: int, now: int) -> Row:
        """The row that takes back the last choice that was one, and what followed it; for somebody
        who plays alone."""
        return Row(self.turn, seat, "undo", str(self._undone(seat)[0]), now)

    def _undone(self, seat: int) -> tuple[int, Match]:
        """How many choices remain if a seat takes back its last, and the match as it was then. What
        was forced is none: a single card is played for people, and would be so again; what a bot
        chooses for who has left stands."""
        self._running()
        again = iter(()) if self.bot_plays(seat) else self._again()
        chosen = [
            (number, match.copy())
            for number, row, match in again
            if row.seat == seat and _is_choice(match)
        ]
        if not chosen:
            raise Refused("table/no-undo")
        return chosen[-1]

    def _again(self) -> Iterator[tuple[int, Row, Match]]:
        """What stands, choice by choice: how many came before, and the match as it was then."""
        match = self.info.deal()
        for number, ply in enumerate(self.standing):
            row = self.rows[ply]
            yield number, row, match
            match.play(row.token or "")

    # -- what others are asked for --------------------------------------------------------------

    @property
    def draw_offer(self) -> int | None:
        """Who offers a draw, while that holds: until the other makes a choice, or a bot does for
        them. Like a take-back it follows from what is stored: all workers see it the same."""
        seat, turn = self.info.draw_offer, self.info.draw_turn or 0
        if seat is None or self.over:
            return None
        others = (row.kind == "play" and row.seat != seat for row in self.rows[turn:])
        return None if any(others) else seat

    def asked(self, seat: int) -> set[int]:
        """The seats whose word is needed if a seat wants to take a choice back. Refused where they
        cannot be asked, or where it would not be right."""
        if self.info.rated and not self.info.solo:
            raise Refused("table/rated-undo")
        if not self.info.takebacks:
            raise Refused("table/no-takebacks")
        others = {held.seat for held in self.info.persons} - {seat} - self.resigned
        if not others or any(self.info.seats[other].stand_in for other in others):
            raise Refused("table/nobody-asked")
        return others

    def check_undo_offer(self, seat: int) -> Data:
        """What is stored when a seat asks the others to let it take back its last choice: how far
        that goes back, and whether it has seen cards since that it did not know then."""
        self.asked(seat)
        remain, then = self._undone(seat)
        revealed = _unknown(self._running().view(seat)) < _unknown(then.view(seat))
        return {
            "seat": seat, "turn": self.turn, "remain": remain, "revealed": revealed, "agreed": []
        }  # fmt: skip

    @property
    def undo_offer(self) -> Data | None:
        """Who asks for a take-back, while that holds: until a person makes a choice among several,
        or leaves. It follows from what is stored alone, so that all workers see it the same."""
        offer = self.info.undo_offer
        if offer is None or self.match is None or self.over or self._moved_on(offer["turn"]):
            return None
        return offer

    def _moved_on(self, turn: int) -> bool:
        """Whether a person has decided anything since a turn; a single card is played for people,
        and bots do not wait for them."""
        since = self.rows[turn:]
        if any(row.kind != "play" for row in since):
            return True
        if all(self._is_bots(row.seat or 0) for row in since):
            return False
        return any(
            row.ply >= turn and not self._is_bots(row.seat or 0) and _is_choice(match)
            for _, row, match in self._again()
        )

    def _is_bots(self, seat: int) -> bool:
        """Whether a seat is a bot's for good; one that stands in speaks for a person."""
        return self.info.seats[seat].kind == "bot" or seat in self.resigned

    def check_agreed(self, offer: Data, now: int) -> Row:
        """The row of a take-back that everybody has agreed to."""
        return Row(self.turn, offer["seat"], "undo", str(offer["remain"]), now)

    def outcome(self, row: Row) -> Data | None:
        """The result, if the match would be over with a row; nothing happens yet."""
        assert self.match is not None
        if row.kind != "play":
            return self._ended_by(row)
        if not self.match.ends_with(row.token or ""):
            return None
        match = self.match.copy()
        match.play(row.token or "")
        return _played_out(match)

    def after(self, row: Row) -> Table:
        """The table as it will be once a row has been stored; this one stays as it is."""
        ahead = copy.copy(self)
        ahead.rows, ahead.events = list(self.rows), list(self.events)
        ahead.standing, ahead.left = list(self.standing), list(self.left)
        ahead.resigned = set(self.resigned)
        if self.match is not None:
            ahead.match = self.match.copy()
        ahead.apply(row)
        return ahead

    def apply(self, row: Row) -> None:
        """Let a stored row happen."""
        assert self.match is not None
        if row.ply != self.turn or (row.kind == "play" and row.seat != self.match.to_act):
            raise Refused("table/damaged")
        events: list[Event] = []
        if row.kind == "play":
            actor = self.match.to_act
            events = self.match.play(row.token or "")
            self.standing.append(row.ply)
            self._tick(actor, row.at)
            self.ended = _played_out(self.match)
        elif row.kind == "undo":
            self._take_back(int(row.token or 0), row)
        else:
            self.ended = self._ended_by(row)
            if self.ended is None and row.seat is not None:
                self.resigned.add(row.seat)  # others play, and a bot plays on
        self.rows.append(row)
        self.events.append(events)

    def _tick(self, seat: int | None, at: int) -> None:
        clock = self.info.clock
        if clock.kind != "none" and seat is not None:
            self.left[seat] = clock.after(self.left[seat], self._passed(at))
        self.since = at

    def _passed(self, at: int) -> int:
        """Milliseconds since the last choice, as they count for clocks."""
        return max(0, at - self.since - self.outages.between(self.since, at))

    def _take_back(self, remain: int, row: Row) -> None:
        """Everybody keeps the time that is left to them; where it is for a choice, it begins anew.
        The cards come from the same seed: nothing is dealt that was not there."""
        stay = self.standing[:remain]
        left = self._left_at(row.at)
        self.standing = []
        self.events = [[] for _ in self.events]
        self.deal()
        assert self.match is not None
        for index in stay:
            self.events[index] = self.match.play(self.rows[index].token or "")
            self.standing.append(index)
        if self.info.clock.kind == "fischer":
            self.left = left
        self.since = row.at
        self.reset = row.ply + 1
        self._look = None

    def _ended_by(self, row: Row) -> Data | None:
        """The result of a row that is not a choice, if it ends the match."""
        seats = list(range(len(self.info.seats)))
        if row.kind == "draw":
            return _ended(row.kind, [seats])
        alone = len(seats) == 2 or self.info.solo
        if row.kind in ("resign", "flag") and alone and row.seat is not None:
            others = [seat for seat in seats if seat != row.seat]
            return _ended(row.kind, [others, [row.seat]], by=row.seat)
        return None

    # -- clocks ---------------------------------------------------------------------------------

    def flag_at(self) -> int | None:
        """When the seat to act runs out of time, if it can."""
        seat = self.to_act
        if seat is None or self.info.clock.kind == "none" or self.bot_plays(seat):
            return None
        return self.outages.when_passed(self.since, self.left[seat])

    def clocks(self, now: int) -> Data | None:
        if self.info.clock.kind == "none" or self.match is None:
            return None
        left = self._left_at(now - self.lag)
        shown = [None if held.kind == "bot" else left[held.seat] for held in self.info.seats]
        return {"left": shown, "running": self.to_act}

    def _left_at(self, at: int) -> list[int]:
        """What is left to each seat at a moment."""
        left = list(self.left)
        if (running := self.to_act) is not None:
            left[running] = max(0, left[running] - self._passed(at))
        return left

    # -- what goes out --------------------------------------------------------------------------

    def look(self) -> Look:
        """The match as it is now; looked at once a turn."""
        assert self.match is not None
        now = len(self.rows)
        if self._look is None or self._look[0] != now:
            turn, look = self._look or (0, None)
            self._before = look if turn == now - 1 else None
            self._look = now, self.match.look()
        return self._look[1]

    def _offered(self, seat: int | None, view: Data) -> Data:
        """A view, or what changed in it: a choice is only offered where no bot makes it."""
        if "legal" in view and seat is not None and (self.over or self.bot_plays(seat)):
            del view["legal"]
        if self.over:
            view["to_act"], view["decision"] = None, ""
        return view

    def whole(self, seat: int | None, now: int, lang: str | None) -> Data:
        """The state from the start on, to replace what a client has."""
        return {**self.state(seat, 0, now, lang), "complete": False}

    def state(self, seat: int | None, since: int | None, now: int, lang: str | None = None) -> Data:
        """Everything a seat may know, and the events after a turn."""
        view = self._offered(seat, self.look().view(seat)) if self.match else None
        complete = since is None or self.reset <= since <= self.turn
        first = self.turn if since is None else since if complete else 0
        found: Data = {
            "type": "state",
            "table": self.info.id,
            "turn": self.turn,
            "now": now,
            "view": view,
            "events": self.told(seat, first, self.turn, lang),
            "complete": complete,
            "clocks": self.clocks(now),
            "result": self.ended,
        }
        if lang and view is not None:
            found["labels"] = self.labels(seat, view, lang)
            found["tally"] = self.look().tally(seat)
        return found

    def told(self, seat: int | None, first: int, last: int, lang: str | None) -> list[Data]:
        """The events of rows `first` to `last` − 1, as a seat sees them; in a language with their
        text, and with the turn and the seat they came of, so that a log can be told in turns."""
        if not lang:
            return [event.seen_by(seat) for row in range(first, last) for event in self.events[row]]
        texts, names = words(lang, tanistry.info(self.info.game)), self.names()
        return [
            {**seen, "text": texts.event(seen, names, by), "turn": row + 1, "by": by}
            for row in range(first, last)
            for by in (self.rows[row].seat,)
            for seen in (event.seen_by(seat) for event in self.events[row])
        ]

    def labels(self, seat: int | None, told: Data, lang: str) -> Data:
        return {token: self.label(seat, token, lang) for token in told.get("legal", ())}

    def label(self, seat: int | None, token: str, lang: str) -> str:
        """What a choice does, in the words of a seat at this table."""
        texts = words(lang, tanistry.info(self.info.game))
        return texts.token(token, self.look().view(seat), self.names())

    def names(self) -> list[str]:
        return [held.name for held in self.info.seats]

    def change(self, seat: int | None) -> Data | None:
        """What the last row changed for a seat; None if it was not shown the table before it."""
        look = self.look()
        if self._before is None or not self._before.has_shown(seat):
            return None
        return self._offered(seat, look.change(seat, self._before))

    def played(self, seat: int | None, change: Data, now: int, lang: str | None) -> Data:
        """The last row as a seat is told of it."""
        row = self.rows[-1]
        found: Data = {
            "type": "played",
            "table": self.info.id,
            "turn": self.turn,
            "seat": row.seat,
            "kind": row.kind,
            "now": now,
            "events": self.told(seat, self.turn - 1, self.turn, lang),
            "change": change,
        }
        if self.info.clock.kind != "none":
            found["clocks"] = self.clocks(now)
        if self.ended:
            found["result"] = self.ended
        if lang and "legal" in change:
            found["labels"] = self.labels(seat, change, lang)
        if lang:
            found |= self._tally_news(seat)
        return found

    def _tally_news(self, seat: int | None) -> Data:
        """How the match stands now, unless the seat was told just that."""
        before, tally = self._before, self.look().tally(seat)
        same = before and before.has_tallied(seat) and before.tally(seat) == tally
        return {} if same else {"tally": tally}

    def data(self, player: str | None, present: set[int], watching: int = 0) -> Data:
        """The table itself, as a player is told of it: everything except the cards."""
        found = describe(self.info, player, present, watching, self.turn, self.resigned)
        found["draw_offer"] = self.draw_offer
        if offer := self.undo_offer:
            revealed = offer["revealed"] or self.turn > offer["turn"]
            shown = {"seat": offer["seat"], "agreed": offer["agreed"], "revealed": revealed}
            found["undo_offer"] = shown
        return found


def _is_choice(match: Match) -> bool:
    return len(match.legal()) > 1


def _unknown(view: Data) -> int:
    """How many cards a seat sees the backs of. Their number, not their names: it says nothing that
    the others may not know."""
    cards = (card for place in view["places"].values() for card in place)
    return sum(isinstance(card, dict) and card.get("card", "") is None for card in cards)


def _played_out(match: Match) -> Data | None:
    result = match.result
    return None if result is None else _ended("play", result.ranking, scores=result.scores)


def _ended(
    how: str, ranking: list[list[int]], scores: list[int] | None = None, by: int | None = None
) -> Data:
    """A result, as it is stored and told."""
    return {"scores": scores, "ranking": ranking, "ended_by": how, "by": by}
