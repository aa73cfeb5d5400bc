"""What is to be studied: the settings, each a policy and a set of options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import tanistry
from tanistry.arguments import several, whole
from tanistry.bots import BotSpec, version
from tanistry.errors import OptionError
from tanistry.games.contract import Value, written
from tanistry.match.game import check_game, settled
from tanistry.match.seeds import seed_bytes
from tanistry.simulation.policies import policies_of
from tanistry.studies.counting.layout import MOST_MATCHES

if TYPE_CHECKING:
    from tanistry.bots import Bot
    from tanistry.match import Game

POLICY = re.compile(r"(?P<bots>.+?)(@(?P<matches>\d+))?")
AND = re.compile(r"\+(?=[A-Za-z_./])")
"""Between two bots; what is inside a number (1e+3) is not."""
MOST_SETTINGS = 64
"""More than this nobody could look at."""


@dataclass(frozen=True)
class Policy:
    """How the seats play, written `random`, `ismcts:2`, or with a number of matches `greedy@9`.

    One bot plays at all seats; several, `greedy+random`, sit in turn order.
    """

    specs: tuple[BotSpec, ...]
    matches: int | None = None
    """How many matches, if not as many as the study says."""

    @classmethod
    def read(cls, text: object) -> Policy:
        """From what a person wrote; OptionError if there is no such bot or level."""
        written = POLICY.fullmatch(text) if isinstance(text, str) else None
        if written is None:
            raise OptionError("study/policy", text=text)
        matches = _whole_matches(int(written["matches"]), "@") if written["matches"] else None
        return cls(tuple(map(BotSpec.read, AND.split(written["bots"]))), matches)

    @property
    def text(self) -> str:
        return "+".join(spec.text for spec in self.specs)

    def bot(self, turn: int, seed: bytes) -> Bot:
        """The bot of the seat that is so far after the one who begins."""
        return self.specs[turn % len(self.specs)].bot(seed)

    def weakest(self) -> Policy:
        """The same bots at their lowest levels: quick to ask."""
        return Policy(tuple(spec.weakest for spec in self.specs))

    def is_compiled(self, game: Game) -> bool:
        """Whether whole matches are played inside a kernel."""
        return self.text in policies_of(game)

    def check_seats(self, seats: int) -> None:
        """OptionError if there are several bots, but not one for each seat."""
        if len(self.specs) not in (1, seats):
            raise OptionError("study/bots", text=self.text, count=len(self.specs), seats=seats)


@dataclass(frozen=True)
class Setting:
    """One line of a study: a game with its options, a policy, and how many matches."""

    game: str
    seats: int
    options: tuple[tuple[str, Value], ...]
    policy: Policy
    matches: int

    def make_game(self) -> Game:
        return settled(self.game, self.seats, self.options)

    @property
    def is_compiled(self) -> bool:
        return self.policy.is_compiled(self.make_game())

    def versions(self) -> dict[str, int | str]:
        """Of what decides how a match goes: other versions, other matches."""
        bots = [version(spec.name) for spec in self.policy.specs]
        of_bots = bots[0] if len(bots) == 1 else "+".join(map(str, bots))
        return {"version": tanistry.info(self.game).version, "bot_version": of_bots}

    def data(self) -> dict[str, Any]:
        return {"policy": self.policy.text, "seats": self.seats, "options": dict(self.options)}


@dataclass(frozen=True)
class Plan:
    """All settings of a study, and the seed its deals and choices come from.

    Match number i has the same deal under every policy: what differs is how it is played.
    """

    game: str
    settings: tuple[Setting, ...]
    key: bytes
    varied: tuple[str, ...]

    def label(self, setting: Setting) -> str:
        """A setting in few words: what distinguishes it from the others."""
        values = {"seats": setting.seats, **dict(setting.options)}
        parts = [f"{name}={written(values[name])}" for name in self.varied]
        if not parts or len({other.policy for other in self.settings}) > 1:
            parts.insert(0, setting.policy.text)
        return ", ".join(parts)

    def identity(self, setting: Setting) -> dict[str, Any]:
        """What a checkpoint must agree in, but for the number of matches."""
        seed = self.key.hex()
        return {"game": self.game, **setting.versions(), "seed": seed, **setting.data()}


def make_plan(
    game: Game, n: int, policies: str | Iterable[str], vary: Mapping[str, object], seed: int | bytes
) -> Plan:
    """A study with everything checked; OptionError says what is wrong."""
    check_game(game)
    n = _whole_matches(n, "n")
    read = [Policy.read(text) for text in several(policies)]
    if not read:
        raise OptionError("study/policy", text="")
    combinations = varied_options(game, vary)
    if (count := len(combinations) * len(read)) > MOST_SETTINGS:
        raise OptionError("study/settings", count=count, most=MOST_SETTINGS)
    games = [tanistry.game(game.name, **options) for options in combinations]
    for policy, made in product(read, games):
        policy.check_seats(made.seats)
    settings = tuple(
        Setting(made.name, made.seats, tuple(made.options.items()), policy, policy.matches or n)
        for made in games
        for policy in read
    )
    plan = Plan(game.name, settings, seed_bytes(seed), tuple(vary))
    named = Counter(map(plan.label, settings))
    for label, times in named.items():
        if times > 1:
            raise OptionError("study/twice", setting=label)
    return plan


def _whole_matches(n: object, name: str) -> int:
    return whole(name, n, 1, MOST_MATCHES)


def varied_options(game: Game, vary: Mapping[str, object]) -> list[dict[str, Any]]:
    """Seats and options in every combination of the varied ones; None stands for all values."""
    if not isinstance(vary, Mapping):
        allowed = '{"first": [0, 1], …}'
        raise OptionError("option/value", name="vary", value=vary, allowed=allowed)
    given = {option.name: list(option.values) for option in game.option_list}
    given["seats"] = list(game.info.seats)
    choices = []
    for name, values in vary.items():
        if name not in given:
            raise OptionError(
                "option/name",
                game=game.name,
                name=name,
                allowed=", ".join(given),
                rule="common.options",
            )
        choices.append(given[name] if values is None else several(values))
        if not choices[-1]:
            allowed = ", ".join(written(value) for value in given[name])
            raise OptionError("option/value", name=name, value="", allowed=allowed)
    usual = {"seats": game.seats, **game.options}
    return [usual | dict(zip(vary, values, strict=True)) for values in product(*choices)]
