"""What happens in a match, in words: cards, places, choices, events and refusals.

Kernels never contain text; whatever they report is a number that a game declares the meaning of
and that is worded here, by what it is and never by what it is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from tanistry.catalogue import LANGUAGES, Catalogue, Rule, catalogue, common, filled
from tanistry.games.contract import MOVE, Card, GameInfo, Place, Value, written
from tanistry.games.registry import definition_of
from tanistry.games.shapes import NONE, BySeat, Fields, ListOf, MapOf, Maybe, Shape, Simple, Terms
from tanistry.games.vocabulary import Choice, every_choice

__all__ = ["LANGUAGES", "Catalogue", "Label", "Rule", "Words", "common", "words"]


class Label(NamedTuple):
    """What people are offered: a title, and a sentence that says what it means."""

    title: str
    meaning: str


class Words(Catalogue):
    """The texts of one game in one language, and what they say of a match."""

    def __init__(self, lang: str, info: GameInfo) -> None:
        own = catalogue(lang, info.package)
        super().__init__(lang, own.tree, own.fallback)
        self.info = info

    # -- what there is, by name -----------------------------------------------------------------

    @cached_property
    def _definition(self) -> Any:
        return definition_of(self.info)

    @cached_property
    def _cards(self) -> dict[str, Card]:
        return {card.code: card for card in self._definition.cards}

    @cached_property
    def _places(self) -> dict[str, Place]:
        return {place.name: place for place in self._definition.places}

    @cached_property
    def _choices(self) -> dict[str, tuple[Choice, Terms]]:
        return every_choice(self._definition)

    @cached_property
    def _events(self) -> dict[str, dict[str, Shape]]:
        return {kind.name: dict(kind.values) for kind in (MOVE, *self._definition.events)}

    # -- what a host chooses --------------------------------------------------------------------

    def option(self, name: str) -> Label:
        """An option: what it is called, and what it decides."""
        return Label(self.text(f"options.{name}.name"), self.text(f"options.{name}.meaning"))

    def value(self, name: str, value: Value) -> Label:
        """A value of an option; `any` has the texts of numbers, with {value} and {nth}."""
        numbers = {"value": value, "nth": value + 1} if isinstance(value, int) else {}
        keys = (f"options.{name}.values", f"options.{name}.meanings")
        one, every = written(value), "any"
        return Label(
            *(
                self.text(f"{key}.{one if self.find(f'{key}.{one}') else every}", numbers)
                for key in keys
            )
        )

    def preset(self, name: str) -> Label:
        return Label(self.text(f"presets.{name}.title"), self.text(f"presets.{name}.meaning"))

    # -- wording --------------------------------------------------------------------------------

    def card(self, code: str | None) -> str:
        """The name of a card: `cards` has it by code, or by suit with {value}."""
        if code is None:
            return self.text("hidden_card")
        if exact := self.phrase(f"cards.{code}"):
            return exact
        card = self._cards.get(code)
        return self.phrase(f"cards.{card.suit}", code).format(value=card.value) if card else code

    def the_card(self, code: str | None) -> str:
        """The same within a sentence: `the_cards` has it by code or kind, or for all."""
        card = self._cards.get(code or "")
        keys = (code, card.kind if card else "", "default")
        pattern = next(filter(None, (self.find(f"the_cards.{key}") for key in keys if key)), None)
        named = self.card(code)
        return pattern.format(card=named) if code and isinstance(pattern, str) else named

    def either(self, several: Sequence[str]) -> str:
        """One of several, in a sentence: the last after an "or"."""
        if len(several) < 2:
            return "".join(several)
        return self.text("either", {"others": ", ".join(several[:-1]), "last": several[-1]})

    def asked(self, decision: str, legal: Iterable[str]) -> str:
        """What a player is to decide: `decisions` has it by decision, or by decision and a verb
        that may be chosen (`turn_pass`)."""
        verbs = {self._choices[token][0].action.verb for token in legal}
        keys = [f"decisions.{decision}_{verb}" for verb in sorted(verbs)]
        found = next(filter(self.find, keys), f"decisions.{decision}")
        return self.text(found)

    def place(self, name: str, names: Sequence[str] | None = None) -> str:
        """The name of a place: `places` has it by kind, with {0} … its index and its owner.

        Where it is known who sits at the seats, `owned` goes first: it has the owner's {name}.
        """
        place = self._places.get(name)
        if place is None:
            return name
        owned = self.find(f"owned.{place.kind}") if names and place.owner >= 0 else None
        if names and isinstance(owned, str) and place.owner < len(names):
            return filled(owned, {"name": names[place.owner]}, self.lang)
        pattern = self.find(f"places.{place.kind}")
        owner = (place.owner,) if place.owner >= 0 else ()
        return pattern.format(*place.index, *owner) if isinstance(pattern, str) else name

    def region(self, name: str) -> str:
        """Where about a place is: `regions` has it by kind and by the first number of its index."""
        place = self._places.get(name)
        if place is None or not place.index:
            return self.place(name)
        return self.phrase(f"regions.{place.kind}.{place.index[0]}", self.place(name))

    def spot(self, name: str) -> str:
        """A place told from others of its kind: `spots` has it by kind, with its {region}, and
        {nth[0]} … is its index as people count, from one."""
        place = self._places.get(name)
        pattern = self.phrase(f"spots.{place.kind}") if place else ""
        if place is None or not pattern:
            return self.place(name)
        nth = [number + 1 for number in place.index]
        return pattern.format(region=self.region(name), nth=nth)

    def token(
        self,
        token: str,
        view: Mapping[str, Any] | None = None,
        names: Sequence[str] | None = None,
        tally: Mapping[str, Any] | None = None,
        form: str = "",
    ) -> str:
        """What a token does, in a few words.

        `actions` has the sentence by verb; where a verb has several, by what one of its parts is.
        Of a place it can also say where it is ({from_spot}). With a view it can say more:
        `at_table` has sentences that name the card that lies there ({from_card}); and with a tally,
        `pointed` has some about the places that it names ({gap_left_card}, {gap_left_spot}).

        Sentences want another form where there is one: `doing` is what they speak of (“playing …”,
        which needs a view), `does` follows a name (“plays …”).
        """
        if token not in self._choices:
            return token
        choice, terms = self._choices[token]
        values = choice.values(terms)
        ways = [*(["pointed"] if tally else []), *(["at_table"] if view else []), "actions"]
        if form:
            ways.insert(0, form)
        found = (self.find(f"{way}.{choice.action.verb}") for way in ways)
        sentence = next(filter(None, found), None)
        if isinstance(sentence, Mapping):
            named = (sentence.get(str(value)) for value in values.values())
            sentence = next(filter(None, named), sentence.get("default"))
        said = self.said(values, choice.shapes(), names)
        if view:
            said |= self._lying(choice, values, view)
        if view and tally:
            said |= self._pointed(tally, view)
        return filled(sentence, said, self.lang) if isinstance(sentence, str) else token

    def _lying(
        self, choice: Choice, values: Mapping[str, Any], view: Mapping[str, Any]
    ) -> dict[str, str]:
        """What lies at the places that a choice names."""
        shapes = choice.shapes()
        slot = next((values[name] for name, of in shapes.items() if of.type == "slot"), 0)
        said: dict[str, str] = {}
        for name, shape in shapes.items():
            if shape.type == "place":
                lying = self._lies_at(values[name], view, slot)
                covered = None if lying else self.text("covered_card")
                said[f"{name}_card"] = covered or self.card(lying)
                said[f"the_{name}_card"] = covered or self.the_card(lying)
        return said

    def _pointed(self, tally: Mapping[str, Any], view: Mapping[str, Any]) -> dict[str, str]:
        """The places that the tally names, and what lies there."""
        said: dict[str, str] = {}
        for fact in self._definition.tally:
            shape = fact.shape.of if isinstance(fact.shape, Maybe) else fact.shape
            found = tally.get(fact.name)
            if isinstance(shape, Fields) and found:
                for name, place in found.items():
                    if place in self._places:
                        said[f"{fact.name}_{name}_spot"] = self.spot(place)
                        said[f"{fact.name}_{name}_card"] = self.card_at(place, view)
        return said

    def card_at(self, place: str, view: Mapping[str, Any]) -> str:
        """The name of the card that lies there."""
        return self.card(self._lies_at(place, view, 0))

    def _lies_at(self, place: str, view: Mapping[str, Any], slot: int) -> str | None:
        entries = view["places"].get(place, ())
        entry = entries[slot] if slot < len(entries) else None
        return entry.get("card") if isinstance(entry, Mapping) else entry

    def event(self, event: Mapping[str, Any], names: Sequence[str], by: int | None = None) -> str:
        """One line about an event as a seat sees it; empty if it is not worth a line.

        `events.TYPE` has it by rule, or by rule and where a card went (`scout_hand`). Where it is
        known whose choice it came of, a sentence in `told` that is as precise goes first: it says
        so, with {by}. Where its seat is nobody, `nobody` goes before all of them.
        """
        said = self.said(event, self._events.get(event["type"], {}), names)
        parts = ["events"]
        if by is not None:
            said["by"] = names[by]
            parts = ["told", "events"]
        rule = str(event.get("rule", "")).partition(".")[2]
        to = self._places.get(event.get("to", ""))
        names_of = [f"{rule}_{to.kind}" if to else rule, rule, "default"]
        if event.get("seat") == NONE:
            names_of.insert(0, "nobody")
        for key in (f"{part}.{event['type']}.{name}" for name in names_of for part in parts):
            if isinstance(self.find(key), str):
                return self.text(key, said)
        return ""

    def refusal(
        self, token: str, key: str, values: Mapping[str, Any], shapes: Mapping[str, Shape]
    ) -> str:
        """Why a token is not legal."""
        if key == "not_now" and self.find(f"refusals.not_now_{values['decision']}"):
            key = f"not_now_{values['decision']}"
        return self.text(f"refusals.{key}", {"token": token, **self.said(values, shapes)})

    def said(
        self,
        values: Mapping[str, Any],
        shapes: Mapping[str, Shape],
        names: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Values as a sentence shows them; a card also brings along what it is called within a
        sentence and where one begins (`{the_card}`, `{The_card}`), a place where about it is, and
        the name of its owner."""
        said: dict[str, Any] = {}
        for key, value in values.items():
            shape = shapes.get(key)
            said[key] = self._word(value, shape, names) if shape else value
            if shape and shape.type == "card":
                said[f"the_{key}"] = named = self.the_card(value)
                said[f"The_{key}"] = named[:1].upper() + named[1:]
            if isinstance(shape, ListOf) and shape.of.type == "card":
                said[f"the_{key}"] = self.either([self.the_card(code) for code in value])
            if shape and shape.type == "place":
                said |= {f"{key}_region": self.region(value), f"{key}_spot": self.spot(value)}
                owner = self._places[value].owner
                if owner >= 0:
                    said[f"{key}_seat"] = names[owner] if names else owner
        return said

    def worded(self, value: Any, shape: Shape, names: Sequence[str]) -> str:
        """Anything that is told, in words; empty if it says nothing, or is for machines."""
        match shape:
            case BySeat():
                told = zip(names, value, strict=True)
                several = [(name, self.worded(item, shape.of, names)) for name, item in told]
                return ", ".join(f"{name} {text}" for name, text in several if text)
            case MapOf():
                texts = (f"{key} {self.worded(of, shape.of, names)}" for key, of in value.items())
                return ", ".join(texts) if shape.of.type != "list" else ""
            case ListOf():
                return ", ".join(filter(None, (self.worded(of, shape.of, names) for of in value)))
            case Simple() if value is not None:
                return str(self._word(value, shape, names))
        return ""

    def _word(self, value: Any, shape: Shape, names: Sequence[str] | None) -> Any:
        if isinstance(shape, ListOf) and isinstance(value, list):
            several = [str(self._word(item, shape.of, names)) for item in value]
            return ("-" if shape.of.type == "number" else ", ").join(several)
        if isinstance(shape, Maybe):
            return self._word(value, shape.of, names) if value is not None else None
        match shape.type:
            case "card":
                return self.card(value)
            case "place":
                return self.place(value, names)
            case "seat" if names is not None:
                return names[value] if 0 <= value < len(names) else self.text("nobody")
            case "code":
                return self.phrase(f"{shape.words}.{value}", value)  # type: ignore[attr-defined]
            case "slot":
                return value + 1  # people count from one
            case "decision":
                return self.text(f"decisions.{value}")
        return value


@cache
def words(lang: str, info: GameInfo) -> Words:
    """The texts of a game, the shared ones behind them."""
    return Words(lang, info)
