"""Every game and option set goes through the same battery; Heir shows how one is added."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

import heir as example
import tanistry
from tanistry.games import registry
from tanistry.testing import audit_game, check_game, count_choices, option_sets

SETS = {name: list(option_sets(info, limit=3)) for name, info in tanistry.games().items()}
Values = dict[str, Any]


def pairs_of(options: Values) -> set[Any]:
    """Which values meet in an option set."""
    return set(combinations(options.items(), 2)) or {tuple(options.items())}


def covering(sets: list[Values]) -> list[Values]:
    """As few sets as let every two values meet: faults that need three are for the audit."""
    open_pairs = set[Any]().union(*map(pairs_of, sets))
    chosen = []
    while open_pairs:
        best = max(sets, key=lambda options: len(pairs_of(options) & open_pairs))
        open_pairs -= pairs_of(best)
        chosen.append(best)
    return chosen


CASES = [
    pytest.param(name, options, id=f"{name}-" + "-".join(str(value) for value in options.values()))
    for name, sets in SETS.items()
    for options in covering(sets)
]


def seed_of(options: Values) -> int:
    """Another one in each case."""
    return zlib.crc32(repr(options).encode()) % 1000


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_whole_battery(name: str, options: Values) -> None:
    """One match looked at from all sides."""
    check_game(tanistry.game(name, **options), matches=1, seed=seed_of(options), audited=0)


@pytest.mark.parametrize("name", SETS)
def test_hundreds_of_matches_in_every_option_set(name: str) -> None:
    for options in SETS[name]:
        audit_game(tanistry.game(name, **options), 400, seed_of(options))


@pytest.mark.parametrize("name", tanistry.games())
def test_the_default_game_more_often(name: str) -> None:
    check_game(tanistry.game(name), matches=3, seed=2000, audited=10_000)


@pytest.mark.parametrize("name", tanistry.games())
def test_whoever_is_first(name: str) -> None:
    seats = tanistry.info(name).seats[-1]
    check_game(tanistry.game(name, seats=seats, first=seats - 1), matches=1, seed=50, audited=200)


# -- adding a game edits no existing file ---------------------------------------------------------


@pytest.fixture
def heir() -> Iterator[str]:
    tanistry.register(example.INFO)
    yield "heir"
    del registry._registered["heir"]


def test_a_registered_game_is_there_with_everything(heir: str) -> None:
    assert heir in tanistry.games()
    assert tanistry.info(heir).title == {"en": "Heir", "fr": "L'héritier"}
    for options in option_sets(tanistry.info(heir)):
        check_game(tanistry.game(heir, **options), matches=10)
    simulated = tanistry.simulate(tanistry.game(heir), n=1000, seed=1)
    assert (simulated.matches, simulated.steps) == (1000, 8000)
    match = tanistry.game(heir).deal(1)
    assert tanistry.bot("random", seed=1).choose(match) in match.legal()
    assert count_choices(match, 2) == 4 * len(match.legal())  # any card answers any lead
