"""What a choice turns on: what comes up after it and not after others, or the other way round.

Nothing here knows a game. What comes up is read off what games declare: the rules that events name,
the words of codes in events and tallies (a formation, what decides a vote), where on the table a
choice points, and how it plays a card; each with whose it is. A theme is the id of a rule, or where
the game's words have it: `formations.team`, `regions.pyramid.6`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tanistry.games.contract import MOVE
from tanistry.games.shapes import BySeat, Code, Fields, ListOf, Maybe, Shape
from tanistry.words import words

if TYPE_CHECKING:
    from tanistry.analysis.mind import Mind
    from tanistry.match import Event, Match

DEALS = 24
TURNS = 0.3
"""In so much more of the imagined deals something comes up after one choice than after others."""
AHEAD = (1, 3)
"""Turns to look ahead; further only if nothing is found before."""
MOST = 3
LONGEST = 60

Sign = tuple[str, bool | None]
"""What comes up, and whether it is one's own (None: nobody's)."""


class Theme(NamedTuple):
    """What a puzzle turns on."""

    name: str
    """The id of a rule, or where the game's words name it."""
    seat: int | None
    """Whose it is."""
    often: Mapping[str, float]
    """In which share of the imagined deals it comes up after each choice; empty: it is only what
    the solution is."""

    def sets_apart(self, token: str, other: str) -> bool:
        """Whether it comes up much more often after one of two choices."""
        known = token in self.often and other in self.often
        return known and abs(self.often[token] - self.often[other]) >= TURNS


class Reader:
    """Reads signs off the matches of a game."""

    def __init__(self, mind: Mind) -> None:
        self.mind, self.game = mind, mind.game
        self.definition = self.game.definition
        self.words = words("en", self.game.info)

    def themes(self, match: Match, solution: str, others: Sequence[str]) -> tuple[Theme, ...]:
        """What sets the solution apart from some other choices, the most telling first; if nothing
        does, what it is itself."""
        seat = match.to_act
        assert seat is not None
        own = _rule(match, solution)
        shared = any(_rule(match, token) == own for token in others)
        plain = {own} if shared else set()
        for ahead in AHEAD:
            often, order = self._counted(match, (solution, *others), ahead)
            found = self._turning(often, order, solution, plain)
            if found:
                themes = tuple(self._theme(sign, seat, often) for sign in found)
                rules = any(theme.name in self.definition.rule_ids for theme in themes)
                return themes if rules else (*themes, Theme(own, None, {}))
        region = (Theme(name, None, {}) for name, _ in self._chosen(match, solution))
        return (Theme(own, None, {}), *region)

    def _counted(
        self, match: Match, tokens: Sequence[str], ahead: int
    ) -> tuple[dict[str, Counter[Sign]], list[Sign]]:
        """How often each sign comes up after each choice in the same deals, and what came first."""
        often = {token: Counter[Sign]() for token in tokens}
        order: dict[Sign, None] = {}
        for deal in range(DEALS):
            known = match.blind(match.to_act, deal)
            for token, counter in often.items():
                signs = list(self._signs(known.copy(), token, ahead))
                order.update(dict.fromkeys(signs))
                counter.update(set(signs))
        return often, list(order)

    def _turning(
        self,
        often: Mapping[str, Counter[Sign]],
        order: Sequence[Sign],
        solution: str,
        plain: set[str],
    ) -> list[Sign]:
        """Signs that come up more often, or else less often, after the solution: what cards can do
        first, then what differs most, then what came first. Each name once."""
        others = [counter for token, counter in often.items() if token != solution]
        ahead: dict[Sign, float] = {}
        for sign in order:
            usual = sum(counter[sign] for counter in others) / len(others)
            by = (often[solution][sign] - usual) / DEALS
            if abs(by) >= TURNS and sign[0] not in plain:
                ahead[sign] = by
        ranked = sorted(ahead, key=lambda s: (s[0] not in self._powers, -round(4 * ahead[s])))
        found: dict[str, Sign] = {}
        for sign in ranked:
            found.setdefault(sign[0], sign)
        gained = [sign for sign in found.values() if ahead[sign] > 0]
        denied = [sign for sign in found.values() if ahead[sign] < 0 and sign[1] is False]
        return (gained or denied)[:MOST]

    def _theme(self, sign: Sign, seat: int, often: Mapping[str, Counter[Sign]]) -> Theme:
        name, mine = sign
        theirs = 1 - seat if self.game.seats == 2 else None
        whose = None if mine is None else seat if mine else theirs
        share = {token: round(counter[sign] / DEALS, 2) for token, counter in often.items()}
        return Theme(name, whose, share)

    # -- signs ------------------------------------------------------------------------------------

    def _signs(self, match: Match, token: str, ahead: int) -> Iterator[Sign]:
        """What comes up from a choice until the others have answered so many times."""
        seat, answered = match.to_act, 0
        assert seat is not None
        yield from self._chosen(match, token)
        before = Counter(self._standing(match, seat))
        for _ in range(LONGEST):
            actor = match.to_act
            events = match.play(token)
            for event in events:
                # What a choice itself moves is its player's doing, whoever's cards they are.
                by = actor if event.rule == events[0].rule else None
                yield from self._told(event, seat, by)
            answered += actor != seat and match.to_act == seat
            if match.to_act is None or answered >= ahead:
                break
            token = self.game.tokens[self.mind.ask(match)]
        yield from Counter(self._standing(match, seat)) - before

    def _chosen(self, match: Match, token: str) -> Iterator[Sign]:
        """Where a choice points, and how it plays a card."""
        choice = next(one for one in match.choices() if one["token"] == token)
        parts = self.game.parts(token)
        places = [choice[part.name] for part in parts if part.shape.type == "place"]
        for place in places[-1:]:
            named = self._places[place]
            if named.index and self.words.find(f"regions.{named.kind}.{named.index[0]}"):
                yield f"regions.{named.kind}.{named.index[0]}", None
        if any(part.shape.type == "card" for part in parts):
            for part in parts:
                shape, value = part.shape, choice[part.name]
                if isinstance(shape, Code) and shape.words and value != shape.codes[0]:
                    yield f"{shape.words}.{value}", None

    def _told(self, event: Event, seat: int, by: int | None) -> Iterator[Sign]:
        """The rule that an event names, if it is worth a line; of cards that merely go where they
        must, only what single cards do."""
        said = event.seen_by(None)
        if event.type == MOVE.name and event.rule not in self._powers:
            return
        if not self.words.event(said, [""] * self.game.seats):
            return
        owners = (self._places[said[key]].owner for key in ("to", "from") if key in said)
        whose = said.get("seat", next((owner for owner in owners if owner >= 0), None))
        if event.type == MOVE.name and by is not None:
            whose = by
        mine = None if whose is None or whose < 0 else whose == seat
        yield event.rule, mine
        for name, shape in self._events[event.type].items():
            yield from self._codes(said.get(name), shape, seat, mine, owned=True)

    def _standing(self, match: Match, seat: int) -> Iterator[Sign]:
        """The codes of the tally."""
        tally = match.tally(seat)
        for fact in self.definition.tally:
            yield from self._codes(tally.get(fact.name), fact.shape, seat, None)

    def _codes(
        self, value: Any, shape: Shape, seat: int, mine: bool | None, owned: bool = False
    ) -> Iterator[Sign]:
        """The codes that a value holds, and whose they are. What comes first in a list is the usual
        thing and says nothing; suits do where an entry says who has them."""
        if value is None:
            return
        match shape:
            case Maybe():
                yield from self._codes(value, shape.of, seat, mine, owned)
            case BySeat():
                for n, item in enumerate(value):
                    yield from self._codes(item, shape.of, seat, n == seat)
            case ListOf():
                for item in value:
                    yield from self._codes(item, shape.of, seat, mine)
            case Fields():
                has = value.get("seat")
                whose = mine if has is None else has == seat
                for name, of in shape.fields:
                    yield from self._codes(value[name], of, seat, whose, has is not None)
            case Code() if shape.words and mine is not None:
                suits = set(shape.codes) <= self._suits
                if owned if suits else value != shape.codes[0]:
                    yield f"{shape.words}.{value}", mine

    @cached_property
    def _events(self) -> dict[str, dict[str, Shape]]:
        return {kind.name: dict(kind.values) for kind in (MOVE, *self.definition.events)}

    @cached_property
    def _places(self) -> dict[str, Any]:
        return {place.name: place for place in self.definition.places}

    @cached_property
    def _suits(self) -> set[str]:
        return {card.suit for card in self.definition.cards}

    @cached_property
    def _powers(self) -> set[str]:
        """The rules of single cards."""
        return {card.rule for card in self.definition.cards if card.rule}


def _rule(match: Match, token: str) -> str:
    """The rule of what a choice does; if it is only half of a choice, of what the whole does."""
    match = match.copy()
    events = match.play(token)
    while not events:
        events = match.play(match.legal()[0])
    return events[0].rule
