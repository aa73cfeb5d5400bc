"""A reel: a record as a row of stills to step through, seen with any seat's eyes or all at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tanistry.match import Event, Match, replay
from tanistry.match.records import read_headers
from tanistry.session.describe import capital
from tanistry.session.language import Misuse, Texts
from tanistry.session.names import names_in
from tanistry.session.session import Player, Session

Eyes = int | Literal["all"] | None
"""A seat, everything (a record holds the seed: nothing in it is secret), or a spectator."""


def read_eyes(text: str, seats: int, say: Texts) -> Eyes:
    """With whose eyes, as people write it."""
    if text == "all":
        return "all"
    if text.isdecimal() and int(text) < seats:
        return int(text)
    allowed = ", ".join(["all", *map(str, range(seats))])
    raise Misuse(say("errors.eyes", value=text, allowed=allowed))


@dataclass(frozen=True)
class Still:
    """The table after a number of choices."""

    match: Match
    choice: tuple[int, str] | None
    """The choice that led here."""
    events: list[Event]
    """What it brought about."""

    def view(self, eyes: Eyes) -> dict[str, Any]:
        return self.match.position() if eyes == "all" else self.match.view(eyes)


class Reel:
    """All stills of a record; RecordError if it does not hold."""

    def __init__(self, text: str, say: Texts) -> None:
        self.say = say
        headers, _ = read_headers(text)
        final = replay(text)
        self.game = final.game
        names = names_in(headers, self.game.seats)
        self.stills = list(_stills(final))
        self.session = Session(self.stills[-1].match, [Player(n) for n in names], say.lang)
        self.words = self.session.words
        self.names = names

    def __len__(self) -> int:
        return len(self.stills)

    def told(self, index: int, eyes: Eyes) -> list[str]:
        """What happened on the way to a still, as seen with these eyes."""
        still = self.stills[index]
        by = still.choice[0] if still.choice else None
        seen = (seen_with(event, eyes) for event in still.events)
        return [line for event in seen if (line := self.words.event(event, self.names, by))]

    def choice_line(self, index: int, eyes: Eyes) -> str:
        """Whose choice it was, and which, if these eyes know that."""
        choice = self.stills[index].choice
        if choice is None:
            return ""
        seat, token = choice
        step = self.say("replay.step", number=index, total=len(self) - 1, name=self.names[seat])
        if eyes not in ("all", seat):
            return f"{step}."
        match = self.stills[index - 1].match
        words = self.words.token(token, match.view(seat), self.names, match.tally(seat))
        return self.say("replay.chosen", step=step, choice=words)

    def lines(self, eyes: Eyes) -> Iterator[str]:
        """The whole record as text: each choice, what it brought about, and the result."""
        title = capital(self.words.text("title"))
        yield self.say("replay.start", title=title, total=len(self) - 1)
        for index in range(1, len(self)):
            yield self.choice_line(index, eyes)
            yield from self.told(index, eyes)
        yield from self.session.result_lines() or [self.say("replay.unfinished")]


def seen_with(event: Event, eyes: Eyes) -> dict[str, Any]:
    """An event for a seat or a spectator, or with everything that anybody saw of it."""
    if eyes != "all":
        return event.seen_by(eyes)
    seen = event.seen_by(None)
    for private in event.private.values():
        seen |= private
    return seen


def _stills(final: Match) -> Iterator[Still]:
    match = final.beginning()
    yield Still(match.copy(), None, [])
    for seat, token in final.history:
        events = match.play(token)
        yield Still(match.copy(), (seat, token), events)
