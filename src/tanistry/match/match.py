"""One match: choices go in as tokens, events come out, and each seat sees what it may know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.errors import IllegalMove, SeatError
from tanistry.kernel import fields
from tanistry.match.events import Event, read_log
from tanistry.match.looks import Look, look_at
from tanistry.match.positions import write_position
from tanistry.match.records import write_record
from tanistry.match.seeds import fast_seed, seed_bytes
from tanistry.table.bits import members
from tanistry.table.record import copy_record
from tanistry.words import LANGUAGES, words

if TYPE_CHECKING:
    from tanistry.match.game import Game


@dataclass(frozen=True)
class Result:
    """How a match ended: points per seat, and the seats from best to last, ties together."""

    scores: list[int]
    ranking: list[list[int]]


class Match:
    """A match at the table; made by `Game.deal`, `Game.setup` or `tanistry.replay`."""

    def __init__(self, game: Game, s: Any, key: bytes, set_up: bool = False) -> None:
        self.game = game
        self._set_record(s)
        self._key = key
        self._start = copy_record(s) if set_up else None  # where it began, if not from a deal
        self._tokens: list[tuple[int, str]] = []
        self._told = 0
        self.headers: dict[str, str] = {"Date": date.today().isoformat()}
        """Further lines of the record's header: names, date, event."""

    def _set_record(self, s: Any) -> None:
        self._s = s
        # The same memory as an array of one, by its fields and as bytes: quicker to reach.
        self._cell = cell = s.base
        self._fields, self._bytes = fields(s), cell.view(np.uint8)
        self._to_act, self._decision = cell["to_act"], cell["decision"]
        self._moves = self.game.new_moves()

    def __repr__(self) -> str:
        now = "over" if self.to_act is None else f"seat {self.to_act} to act ({self.decision})"
        return f"<match of {self.game!r}: {len(self._tokens)} choices made, {now}>"

    def __getstate__(self) -> dict[str, Any]:
        seen_from_record = ("_cell", "_fields", "_bytes", "_to_act", "_decision", "_moves")
        return {k: v for k, v in self.__dict__.items() if k not in seen_from_record}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._set_record(copy_record(self._s))

    # -- whose choice ---------------------------------------------------------------------------

    @property
    def to_act(self) -> int | None:
        """The seat that must choose, None when the match is over."""
        seat: int = self._to_act.item()
        return None if seat < 0 else seat

    @property
    def decision(self) -> str:
        """The kind of choice it must make; "" when the match is over."""
        if self.to_act is None:
            return ""
        number: int = self._decision.item()
        return self.game.definition.decisions[number]

    @property
    def history(self) -> list[tuple[int, str]]:
        """All choices so far, as (seat, token)."""
        return list(self._tokens)

    def legal_actions(self) -> list[int]:
        """The legal choices as action numbers, ascending."""
        return [] if self.to_act is None else members(self._legal_set())

    def _legal_set(self) -> Any:
        """The legal choices of the seat to act as a set of actions; good until asked again."""
        self.game.kernels.legal_in(self._cell, self._moves)
        return self._moves

    def legal(self) -> list[str]:
        """The legal tokens in a fixed order."""
        if self.to_act is None:
            return []
        return self.game.token_names.of_bytes(self._legal_set().tobytes())

    def choices(self) -> list[dict[str, Any]]:
        """The legal choices as data: `token`, `verb`, and what each names (card, place …)."""
        seat = self.to_act
        if seat is None:
            return []
        return [self.game.notation.choice(action, seat) for action in self.legal_actions()]

    # -- playing --------------------------------------------------------------------------------

    def play(self, token: str) -> list[Event]:
        """Make a choice for the seat to act. An IllegalMove changes nothing."""
        seat, action = self._check(token)
        self.game.kernels.play_in(self._cell, action)
        events = read_log(self.game, self._fields, self._told)
        self._told += len(events)
        self._tokens.append((seat, token))
        return events

    def ends_with(self, token: str) -> bool:
        """Whether this choice would be the last; nothing changes. It must be legal."""
        _, action = self._check(token)
        trial = self._copied()
        self.game.kernels.play_in(trial, action)
        return bool(trial["to_act"].item() < 0)

    def _copied(self) -> Any:
        """A copy of the record, as an array of one.

        Bytes are copied in a fraction of the time that a copy field by field takes.
        """
        return np.frombuffer(bytearray(self._bytes), self._cell.dtype)

    def _check(self, token: object) -> tuple[int, int]:
        seat = self.to_act
        if seat is None:
            raise IllegalMove("move/over", token=token, rule="common.illegal")
        action = self.game.actions.get(token) if isinstance(token, str) else None
        if action is None:
            raise IllegalMove("move/unreadable", token=token, rule="common.illegal")
        if not int(self._legal_set()[action >> 6]) >> (action & 63) & 1:
            raise self._refusal(str(token), action)
        return seat, action

    def _refusal(self, token: str, action: int) -> IllegalMove:
        why = self.game.notation.refuse(self._s, action)
        sentences = {
            lang: words(lang, self.game.info).refusal(token, why.key, why.values, why.shapes)
            for lang in LANGUAGES
        }
        return IllegalMove("move/illegal", sentences, rule=why.rule, token=token, **why.values)

    # -- looking --------------------------------------------------------------------------------

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may know (None: a spectator), as plain JSON data."""
        self._check_seat(seat)
        return self.look().view(seat)

    def tally(self, seat: int | None) -> dict[str, Any]:
        """The score so far (strengths, votes, what is owed), as far as a seat can know it."""
        self._check_seat(seat)
        return self.game.notation.tally(self._fields, seat)

    def look(self) -> Look:
        """The match as it is now, for several seats at once, or for what changed between looks."""
        return look_at(self)

    def _check_seat(self, seat: object) -> None:
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.game.seats):
            raise SeatError("seat", value=seat, allowed=f"0–{self.game.seats - 1}")

    def position(self) -> dict[str, Any]:
        """Everything, as plain JSON data; `setup` takes it back."""
        return write_position(self.game, self._s)

    @property
    def result(self) -> Result | None:
        """The result, None while the match runs."""
        if self.to_act is not None:
            return None
        seats = range(self.game.seats)
        above = [int(self.game.kernels.rank(self._s, seat)[0]) for seat in seats]
        ranking = [[s for s in seats if above[s] == rank] for rank in sorted(set(above))]
        return Result([int(self.game.kernels.score(self._s, seat)) for seat in seats], ranking)

    # -- keeping --------------------------------------------------------------------------------

    def record(self, **headers: str) -> str:
        """The match as text: a header (you may add lines) and one line per choice."""
        return write_record(self, {**self.headers, **headers})

    def copy(self) -> Match:
        """An independent copy, including hidden cards and the random stream."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin._set_record(self._copied()[0])
        twin._tokens = list(self._tokens)
        twin.headers = dict(self.headers)
        return twin

    def beginning(self) -> Match:
        """The same match before its first choice."""
        if self._start is None:
            return self.game.deal(self._key)
        return Match(self.game, copy_record(self._start), self._key, set_up=True)

    def blind(self, seat: int | None, seed: int | bytes | None = None) -> Match:
        """A copy in which everything the seat cannot know is dealt anew and the stream re-keyed."""
        self._check_seat(seat)
        key = seed_bytes(seed)
        twin = self.copy()
        self.game.kernels.resample(twin._s, self.game.row(seat), fast_seed(key))
        twin._s.scratch[:] = 0
        twin._s.block[:] = 0
        twin._key = sha256(b"blind" + key).digest()
        self.game.rekey(twin._s, twin._key)
        twin._start = copy_record(twin._s)
        twin._tokens = []
        return twin
