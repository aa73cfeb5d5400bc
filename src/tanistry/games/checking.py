"""Whether the declarations of a game go together, asked where it is loaded.

Whoever writes a game reads a sentence then, and not what comes of it later: a record with too few
columns is written past its end.
"""

from __future__ import annotations

from itertools import product
from string import Formatter

from tanistry.games.contract import (
    DECLARED_AS,
    Action,
    Card,
    Definition,
    EventType,
    Fact,
    Flag,
    Place,
    ProblemType,
    RefusalType,
    used_with,
)
from tanistry.games.shapes import CardCode, PlaceName, Simple

KINDS = {
    "cards": Card,
    "places": Place,
    "actions": Action,
    "decisions": str,
    "rule_ids": str,
    "events": EventType,
    "refusals": RefusalType,
    "problems": ProblemType,
    "facts": Fact,
    "flags": Flag,
    "tally": Fact,
}
PLAYING = ("deal", "legal", "play", "score", "standing")


def check_declared(game: Definition) -> None:
    """ValueError about the first things that do not go together."""
    for name, kind in KINDS.items():
        given = getattr(game, name)
        if not isinstance(given, tuple) or not all(isinstance(each, kind) for each in given):
            declared = DECLARED_AS.get(name, name.upper())
            raise ValueError(f"{declared} must be a tuple of {kind.__name__}: (…,)")
    for module, kernels in ((game.rules, PLAYING), (game.telling, ("refuse",))):
        for name in kernels:
            if not hasattr(module, name):
                raise ValueError(f"{module.__name__} has no kernel {name}")
    _check_record(game)
    _check_places(game)
    for action in game.actions:
        _check_action(action, game)
    most = game.dtype["log"].shape[1] - 3  # what an entry has beside its values
    for event in game.events:
        simple = all(isinstance(shape, Simple) for _, shape in event.values)
        if len(event.values) > most or not simple:
            raise ValueError(f"the event {event.name} may have {most} values, each of one number")


def _check_record(game: Definition) -> None:
    """The record has the rows and columns that are needed, and the fields that are named."""
    ordered = [place.order != "set" for place in game.places]
    if ordered != sorted(ordered, reverse=True):
        raise ValueError("PLACES must begin with those that keep an order")
    tables = {name: game.dtype[name].shape for name in ("place", "known", "slots")}
    for what, laid_out, needed in (
        ("places", tables["place"][0], len(game.places)),
        ("seats", tables["known"][0] - 1, game.info.seats[-1]),
        ("ordered places", tables["slots"][0], max(sum(ordered), 1)),
        ("cards", tables["slots"][1], _most_cards(game)),
    ):
        if laid_out != needed:
            raise ValueError(f"STATE is laid out for {laid_out} {what}, and there are {needed}")
    names = [option.name for option in game.info.options]
    names += [fact.field for fact in game.facts if fact.field] + [flag.field for flag in game.flags]
    for name in names:
        if name not in (game.dtype.names or ()):
            raise ValueError(f"the record has no field {name!r}")


def _check_places(game: Definition) -> None:
    """Places are somebody's who can be there, and flags are of places that there are."""
    for place in game.places:
        if place.owner >= game.info.seats[-1]:
            raise ValueError(f"{place.name} belongs to seat {place.owner}, and there is none")
    kinds = list(dict.fromkeys(place.kind for place in game.places))
    for flag in game.flags:
        for kind in flag.kinds:
            if kind not in kinds:
                allowed = ", ".join(kinds)
                raise ValueError(f"{flag.name}: no kind of place {kind!r}. There are: {allowed}")


def _most_cards(game: Definition) -> int:
    """How many cards there are with the options that bring most of them into play."""
    whens = [card.when for card in game.cards] + [action.when for action in game.actions]
    named = set().union(*whens)
    known = {option.name: option.values for option in game.info.options}
    if not named <= set(known):
        raise ValueError(f"a `when` names {', '.join(named - set(known))}: there is no such option")
    counts = []
    for values in product(*(known[name] for name in named)):
        options = dict(zip(named, values, strict=True))
        counts.append(sum(used_with(card.when, options) for card in game.cards))
    return max(counts)


def _check_action(action: Action, game: Definition) -> None:
    written = [name for _, name, _, _ in Formatter().parse(action.token) if name is not None]
    parts = tuple(part.name for part in action.parts)
    for what, named, known in (
        ("decision", action.decisions, game.decisions),
        ("part", written, parts),
    ):
        for name in named:
            if name not in known:
                allowed = ", ".join(known)
                raise ValueError(f"{action.verb}: no {what} {name!r}. There are: {allowed}")
    there = {CardCode.type: game.dtype["slots"].shape[1], PlaceName.type: len(game.places)}
    for part in action.parts:
        count = there.get(part.shape.type)
        if count is not None and max(part.values, default=0) >= count:
            what = f"{action.verb}: no {part.shape.type} {max(part.values)}"
            raise ValueError(f"{what}. There are {count}, counted from 0")
