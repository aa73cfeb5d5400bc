"""A game with its options settled: deals matches and sets up positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from tanistry.arguments import as_whole
from tanistry.errors import OptionError
from tanistry.games import registry
from tanistry.games.contract import Definition, Option, Part, Preset, Value
from tanistry.kernel import interpreted, specialise
from tanistry.match import entry
from tanistry.match.describe import describe
from tanistry.match.events import Parts
from tanistry.match.lessons import Step, lessons
from tanistry.match.match import Match
from tanistry.match.names import Names
from tanistry.match.notation import Notation
from tanistry.match.positions import read_position
from tanistry.match.rehearsal import COMPILED_FOR, rehearse
from tanistry.match.seeds import fast_seed as fast_seed  # where it was, for one release more
from tanistry.match.seeds import seed_bytes as seed_bytes
from tanistry.table import contract, ranking, resample, stream
from tanistry.table.record import new_record

HOOKS = ("of_kind", "ruled_out", "possible", "open_end")
TELLING = ("refuse", "facts", "restore", "check", "tally", "seen_by")
"""Kernels a game may leave to the table."""


class Game:
    """A game, its seats and its options; make one with `tanistry.game`."""

    def __init__(
        self, definition: Definition, seats: int | None, options: Mapping[str, object]
    ) -> None:
        self.definition = definition
        self.info = definition.info
        self.name = self.info.name
        self.seats = self._check_seats(seats)
        self.options = self._check_options(options)
        self.kernels = kernels_of(definition)
        self.notation = Notation(self)
        self.cards = tuple(self.notation.cards)
        self.codes, self.tokens = self.notation.codes, self.notation.tokens
        self.card_names, self.token_names = Names(self.codes), Names(self.tokens)
        self.parts_of: dict[tuple[int, ...], Parts] = {}
        """What entries of the log say, by entry."""

    def __repr__(self) -> str:
        options = "".join(f", {k}={v!r}" for k, v in self.options.items())
        return f"tanistry.game({self.name!r}, seats={self.seats}{options})"

    def __reduce__(self) -> Any:
        """For pickles and deep copies: made again from its name and options."""
        if (known := registry.definition(self.name)) is not self.definition:
            raise TypeError(f"{self!r} is not the game of that name: it cannot be pickled")
        if self.kernels is not kernels_of(known):
            raise TypeError(f"{self!r} is interpreted: it cannot be pickled")
        return _again, (self.name, self.seats, self.options)

    # -- options --------------------------------------------------------------------------------

    def _check_seats(self, seats: int | None) -> int:
        if seats is None:
            return self.info.seats[0]
        number = as_whole(seats)
        if number is None or number not in self.info.seats:
            low, high = self.info.seats[0], self.info.seats[-1]
            allowed = str(low) if low == high else f"{low}–{high}"
            raise OptionError(
                "option/seats", game=self.name, value=seats, allowed=allowed, rule="common.options"
            )
        return number

    def _check_options(self, given: Mapping[str, object]) -> dict[str, Value]:
        known = {option.name: option for option in self.option_list}
        if "seats" in given:
            raise OptionError("option/apart", game=self.name, value=given["seats"])
        for name in given:
            if name not in known:
                raise OptionError(
                    "option/name",
                    game=self.name,
                    name=name,
                    allowed=", ".join(["seats", *known]),
                    rule="common.options",
                )
        return {
            name: option.check(given.get(name, option.default)) for name, option in known.items()
        }

    @property
    def option_list(self) -> tuple[Option, ...]:
        """All options of this game: `first` (who begins), then its own."""
        return (Option("first", tuple(range(self.seats)), 0), *self.info.options)

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Seats and options that the game suggests; `words` has a title and a sentence for each."""
        return self.info.presets

    def describe(self) -> dict[str, Any]:
        """The game as plain JSON data: cards, places, actions, all that is told, the record."""
        return describe(self.definition)

    def lessons(self, lang: str = "en") -> tuple[Step, ...]:
        """The game's step-by-step lessons in one language; empty if it has none."""
        return lessons(self.definition, lang)

    def begin(self, step: Step, seed: int | bytes | None = 0) -> Match:
        """A match that starts at a step of the lessons, with its seats and options."""
        position = step.position
        game = Game(self.definition, position["seats"], position["options"])
        return game.setup(position, seed)

    # -- derived tables -------------------------------------------------------------------------

    @cached_property
    def public_row(self) -> int:
        """The row of `known` that holds what everybody knows, spectators included."""
        return int(self.definition.dtype["known"].shape[0]) - 1

    def row(self, seat: int | None) -> int:
        return self.public_row if seat is None else seat

    @cached_property
    def actions(self) -> dict[str, int]:
        """Action numbers by token."""
        return {token: number for number, token in enumerate(self.tokens)}

    def parts(self, token: str) -> tuple[Part, ...]:
        """What a token names: the parts of the action it is written for."""
        return self.notation.vocabulary[self.actions[token]].action.parts

    @cached_property
    def twins(self) -> dict[str, list[int]]:
        """Card numbers by code."""
        found: dict[str, list[int]] = {}
        for card, code in enumerate(self.codes):
            found.setdefault(code, []).append(card)
        return found

    @cached_property
    def place_numbers(self) -> dict[str, int]:
        return {place.name: number for number, place in enumerate(self.definition.places)}

    def new_moves(self) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """An empty set of actions."""
        return np.zeros((len(self.tokens) + 63) // 64, np.uint64)

    # -- matches --------------------------------------------------------------------------------

    def new_record(self, key: bytes) -> Any:
        """A record with seats, options and stream in it, nothing dealt yet."""
        s = new_record(self.definition.dtype)
        s.slots[:] = -1
        s.seats = self.seats
        for option in self.option_list:
            s[option.name] = option.encode(self.options[option.name])
        self.rekey(s, key)
        return s

    def rekey(self, s: Any, key: bytes) -> None:
        """Start the record's stream anew under another key."""
        s.key[:] = np.frombuffer(key, "<u4")
        self.kernels.start_stream(s, 0)

    def deal(self, seed: int | bytes | None = None) -> Match:
        """Start a match. The same seed gives the same match, everywhere."""
        key = seed_bytes(seed)
        s = self.new_record(key)
        self.kernels.deal(s)
        return Match(self, s, key)

    def setup(self, position: Mapping[str, Any], seed: int | bytes | None = None) -> Match:
        """Start a match from a position; a PositionError says what is wrong with it."""
        key = seed_bytes(seed)
        s = self.new_record(key)
        read_position(self, s, position)
        return Match(self, s, key, set_up=True)

    def compile(self) -> None:
        """Have every kernel compiled that playing this game calls, or read from the cache.

        Those of its matches, and of all that plays them: simulations, batches, bots. Afterwards
        nobody waits for a compiler. For a table alone `match.rehearsal` is enough, and quicker.
        """
        rehearse(self)
        for module in COMPILED_FOR:
            import_module(module).warm_up(self)

    def interpreted(self) -> Game:
        """The same game with its rules interpreted by Python, for debugging and comparison."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.kernels = SimpleNamespace(
            **{name: interpreted(f) for name, f in vars(self.kernels).items()}
        )
        twin.notation = Notation(twin)
        return twin


def _again(name: str, seats: int, options: Mapping[str, object]) -> Game:
    return Game(registry.definition(name), seats, options)


@lru_cache(256)
def settled(name: str, seats: int, options: tuple[tuple[str, Value], ...]) -> Game:
    """The game of that name with its options, made once: for whoever keeps them as plain data."""
    return _again(name, seats, dict(options))


def read_game(name: str, seats: int | None, given: Iterable[tuple[str, str]]) -> Game:
    """A game from its options as people write them; OptionError names what is allowed."""
    usual = Game(registry.definition(name), seats, {})
    known = {option.name: option for option in usual.option_list}
    values = {key: known[key].read(text) if key in known else text for key, text in given}
    return _again(name, usual.seats, values)


@cache
def _kernels(name: str, rules: Any, telling: Any, ordered: int) -> SimpleNamespace:
    given = {hook: getattr(rules, hook, getattr(contract, hook)) for hook in HOOKS}
    told = {hook: getattr(telling, hook, getattr(contract, hook)) for hook in TELLING}
    found = {key: getattr(rules, key) for key in ("deal", "legal", "play", "score", "standing")}
    table = specialise(resample, {**given, "ORDERED": ordered}, name)
    found["resample"] = getattr(rules, "resample", table["resample"])
    noting = {hook: told[hook] for hook in ("facts", "tally")}
    own = specialise(entry, {"legal": rules.legal, "play": rules.play, **noting}, name)
    ranks = specialise(ranking, {"standing": rules.standing}, name)
    return SimpleNamespace(
        **found, **given, **told, **own, **ranks, start_stream=stream.start_stream
    )


def kernels_of(definition: Definition) -> SimpleNamespace:
    """A game's kernels by name, its own and those made for it from templates."""
    ordered = sum(place.order != "set" for place in definition.places)
    return _kernels(definition.info.name, definition.rules, definition.telling, ordered)


def check_game(game: object) -> None:
    """OptionError unless it is a game with its options settled: a name alone is none."""
    if not isinstance(game, Game):
        allowed = "tanistry.game(…)"
        raise OptionError("option/value", name="game", value=game, allowed=allowed)
