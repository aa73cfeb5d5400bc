"""What a training run is made of: a file kept with the result, so that it can be made again."""

from __future__ import annotations

import json
import math
import re
import tomllib
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tanistry.errors import FileError, OptionError

Style = dict[str, float]
"""By pattern of tokens: how much more (or less) an opponent likes them than the network does."""

STYLES: dict[str, list[Style]] = {
    "schotten": [
        {r"draw tactic": -4.0},
        {r"draw tactic": 3.0},
        {r"pass": -5.0},
        {r"pass|done": -4.0},
        {r"done": 2.0},
        {r"(farlane|gregor|support|shield|fog|mud|scout|redeploy|deserter|traitor).*": -3.0},
        {r"(farlane|gregor|support|shield|fog|mud|scout|redeploy|deserter|traitor).*": 3.0},
        {r".*@[456]": 1.0},
        {r".*@[12389]": 1.0},
    ],
    "kilt": [{r"betray .*": -1.5}, {r"betray .*": 1.5}, {r"climb .*": 1.0}, {r"pass": -3.0}],
    "lords": [{r".* down": 2.0}, {r".* up": 2.0}, {r"recruit .*": 1.5}, {r"recruit .*": -2.0}],
    "claim": [],
}  # fmt: skip
"""Tastes that opponents of some games have."""


ANY, REVERSED = "any order", "reversed"
ALIKE: dict[str, dict[str, str]] = {
    "schotten": {
        r"\b[RYGBPO](?=[1-9]\b)": ANY,  # the colours of cards
        r"(?<![+=])(?<!seat\|\|)\b[1-9]\b": REVERSED,  # the stones
    },
}
"""What is all alike in some games: things that a pattern finds in the names of inputs and tokens,
and in which orders they can stand for one another."""


SHIPPED = "shipped"
"""Says to begin with the network of the package."""


@dataclass(frozen=True)
class Settings:
    """All that decides how a run goes, beside the game."""

    game: str
    begin: str = ""
    """The file of a network to begin with, or "shipped" for the one of the package; or none."""
    loosen: float = 1.0
    """What its likings are divided by: above 1, it tries again what it had given up."""
    against: str = ""
    """The same, of a network that has all other seats, playing its favourite choices: then this run
    looks for the best response to it, and nobody else is met."""
    seed: int = 1
    choices: int = 1_000_000_000
    """How many choices are learnt from in all: learning slows down towards the end."""
    seconds: float = 0.0
    """If it is not 0: a run of so many seconds ends then, wherever it has come to."""
    rows: int = 65_536
    """Matches side by side, all seats and options together."""
    steps: int = 32
    """Choices in each of them between two lessons."""
    width: int = 512
    blocks: int = 2
    """At least; as many as a network has that it begins with or meets."""
    epochs: int = 2
    """How often a choice is learnt from."""
    minibatch: int = 65_536
    rate: float = 1e-3
    """The rate of learning at the beginning; at the end it is a twentieth."""
    entropy: float = 0.03
    entropy_end: float = 0.003
    """The bonus for not making up one's mind, at the beginning and at the end."""
    trace: float = 0.95
    """λ: how far a surprise counts for the choices before it."""
    clip: float = 0.2
    value_weight: float = 0.5
    longest_gradient: float = 1.0
    first_share: float = 0.5
    """The part of the rows that play with the fewest seats; the others share the rest."""
    default_share: float = 0.5
    """The part of the rows, seats apart, that play with default options."""
    league_share: float = 0.3
    """The part of the rows where the other seats are the league's."""
    crowd_league_share: float = 0.3
    """The same at tables with more than the fewest seats."""
    rivals: list[str] = field(default_factory=list)
    """Files of networks that belong to the league from beginning to end: best responses, say."""
    league_every: int = 10
    """Lessons after which the league's opponents change."""
    league_size: int = 12
    """Earlier selves that are kept."""
    styles: list[Style] = field(default_factory=list)
    alike: dict[str, str] = field(default_factory=dict)
    """What changes places at random whenever the learner chooses, so that there is nothing to rely
    on."""
    agreement: float = 0.0
    """How much it counts that the learner thinks the same of a position in another disguise; in a
    new run 1, unless something else is asked for."""
    judge_every: float = 60.0
    """Seconds between two judgements."""
    judge_matches: int = 2048

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")


ON_CPU = {"rows": 512, "minibatch": 4096}
"""What a CPU does with, unless something else is asked for."""


def read_settings(
    game: str, path: Path | None, given: dict[str, Any], device: str = "cuda",
    kept: Path | None = None,
) -> Settings:  # fmt: skip
    """Settings from a file, JSON or TOML, if there is one, and from what else was given. `kept`:
    those of a run that goes on, if there is no other file; it does without what came later."""
    found: dict[str, Any] = {}
    if path or not kept:
        found = {"styles": STYLES.get(game, []), "alike": ALIKE.get(game, {}), "agreement": 1.0}
    if device == "cpu":
        found |= ON_CPU
    if file := path or kept:
        found |= _read(file)
    found |= {name: value for name, value in given.items() if value is not None}
    known = {f.name: f.type for f in fields(Settings)}
    for name in found:
        if name not in known:
            raise OptionError("learn/setting", name=name, allowed=", ".join(known))
    if found.get("game", game) != game:
        raise OptionError("option/value", name="game", value=found["game"], allowed=game)
    return _checked(replace(Settings(game), **found))


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as wrong:
        raise FileError("learn/settings", path, wrong) from None
    try:
        found = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except ValueError as wrong:
        raise OptionError("learn/unreadable", name=str(path), reason=str(wrong)) from None
    if not isinstance(found, dict):
        raise OptionError("learn/unreadable", name=str(path), reason=type(found).__name__)
    return found


def _checked(settings: Settings) -> Settings:
    """Refuse numbers of the wrong kind, and none that learning could start with."""
    for each in fields(Settings):
        value, default = getattr(settings, each.name), each.default
        if isinstance(default, int | float):
            kind = int if isinstance(default, int) else (int, float)
            fits = isinstance(value, kind) and not isinstance(value, bool)
            counts = isinstance(default, int) and each.name != "seed"
            least = 1 if counts or each.name == "loosen" else 0
            if not fits or not least <= value < math.inf:
                raise OptionError("option/value", name=each.name, value=value, allowed=f"≥ {least}")
    for name in ("begin", "against"):
        if not isinstance(value := getattr(settings, name), str):
            raise OptionError("option/value", name=name, value=value, allowed=f"{SHIPPED}, *.net")
    for name in settings.rivals:
        if not isinstance(name, str):
            raise OptionError("option/value", name="rivals", value=name, allowed="*.net")
    if not isinstance(settings.alike, dict):
        allowed = f'{{"…": "{ANY}" / "{REVERSED}"}}'
        raise OptionError("option/value", name="alike", value=settings.alike, allowed=allowed)
    in_styles = (pattern for style in settings.styles for pattern in style)
    for pattern in (*in_styles, *settings.alike):
        try:
            re.compile(pattern)
        except re.error as wrong:
            raise OptionError("learn/unreadable", name=pattern, reason=str(wrong)) from None
    for how in settings.alike.values():
        if how not in (ANY, REVERSED):
            raise OptionError("option/value", name="alike", value=how, allowed=f"{ANY}, {REVERSED}")
    return settings
