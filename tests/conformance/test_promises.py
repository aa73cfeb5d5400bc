"""The battery bites: for each promise a game that breaks it and nothing else is caught by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import heir as example
import tanistry
from tanistry.games import registry
from tanistry.games.contract import Definition, EventType, Fact, RefusalType
from tanistry.games.registry import definition_of
from tanistry.games.shapes import Number
from tanistry.kernel import INTERPRET
from tanistry.match.game import TELLING
from tanistry.testing import PROMISES, battery, check_game
from tests.conformance import mutants

ROOT = Path(__file__).parents[2]
HEIR = definition_of(example.INFO)
LEAK = EventType("leak", (("n", Number()),))
SECRET = Fact("leader", Number(), "slots", unsaid=-2)

MUTANTS: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    # the promise, what is said, kernels changed, declarations changed
    (
        "words",
        "en: no words at rules.heir.nothing.title",
        {},
        {"rule_ids": (*HEIR.rule_ids, "heir.nothing")},
    ),
    (
        "words",
        "trick is told '{seat} wins the trick with {card}",
        {},
        {"events": (EventType("trick"), *HEIR.events[1:])},
    ),
    ("conservation", "lost or doubled", {"play": mutants.loses_a_card}, {}),
    ("totality", "nobody can act", {"legal": mutants.leaves_nothing_to_do}, {}),
    ("totality", "seat 0 is to act, and not the first", {"deal": mutants.begins_with_seat_0}, {}),
    ("totality", "score is not an integer", {"score": mutants.counts_halves}, {}),
    ("totality", "standing is not an integer", {"standing": mutants.counts_halves}, {}),
    ("determinism", "the deal is not", {"deal": mutants.deals_as_who_runs_it}, {}),
    ("determinism", "not deterministic", {"play": mutants.depends_on_who_runs_it}, {}),
    ("onlookers", "other choices", {"legal": mutants.asks_who_has_seen_a_card}, {}),
    ("onlookers", "the end is another", {"standing": mutants.ranks_by_what_was_seen}, {}),
    ("telling", "tally tells something else", {"tally": mutants.counts_in_64_bits}, {}),
    ("secrecy", "what everybody knows", {"deal": mutants.tells_spectators_more}, {}),
    ("secrecy", "first=1", {"deal": mutants.tells_spectators_more_if_seat_1_begins}, {}),
    ("non-interference", "'s view", {}, {"facts": (SECRET,)}),
    ("non-interference", "a secret", {"tally": mutants.counts_what_lies_face_down}, {}),
    (
        "non-interference later",
        "tells . a secret",
        {"play": mutants.tells_what_lies_face_down},
        {"events": (*HEIR.events, LEAK)},
    ),
    ("resampling", "these lie still", {"resample": mutants.deals_nothing_anew}, {}),
    (
        "refusal",
        "refused with 'You do not hold {card}.'",
        {},
        {"refusals": (RefusalType("not_held"), *HEIR.refusals[1:])},
    ),
    (
        "positions",
        "setup gives another position",
        {"restore": mutants.restores_another_leader, "check": mutants.forgets_to_check},
        {},
    ),
    ("records", "the record", {"deal": mutants.deals_the_other_way_round}, {}),
]
COMPILED = ("determinism", "telling")
"""What differs only between interpreted and compiled."""


@pytest.fixture(autouse=True)
def heir() -> Iterator[None]:
    tanistry.register(example.INFO)
    yield
    del registry._registered["heir"]


def with_kernels(module: ModuleType, changed: dict[str, Any]) -> ModuleType:
    """The same kernels but for some."""
    if not changed:
        return module
    twin = ModuleType(module.__name__)
    vars(twin).update({**vars(module), **changed})
    return twin


def mutant(kernels: dict[str, Any], declared: dict[str, Any]) -> Definition:
    telling = {name: k for name, k in kernels.items() if name in TELLING}
    rules = {name: k for name, k in kernels.items() if name not in telling}
    return replace(
        HEIR,
        rules=with_kernels(HEIR.rules, rules),
        telling=with_kernels(HEIR.telling, telling),
        **declared,
    )


def test_every_promise_has_a_mutant() -> None:
    assert {promise for promise, *_ in MUTANTS} == set(PROMISES)


def test_the_game_itself_keeps_every_promise() -> None:
    checks = check_game(tanistry.game("heir"), matches=3, audited=100)
    assert all(checks[promise] >= 3 for promise in PROMISES), checks


@pytest.mark.parametrize(
    ("promise", "said", "kernels", "declared"), MUTANTS, ids=[f"{m[0]}: {m[1]}" for m in MUTANTS]
)
def test_a_mutant_is_caught(
    promise: str, said: str, kernels: dict[str, Any], declared: dict[str, Any]
) -> None:
    game = tanistry.Game(mutant(kernels, declared), None, {})
    if promise in COMPILED:
        if INTERPRET:
            pytest.skip("nothing is compiled")
    else:
        game = game.interpreted()
    with pytest.raises(AssertionError, match=rf"{said}.*\({promise}\)$"):
        check_game(game, matches=5, audited=0)


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("deal", mutants.misspells_a_field, "no attribute 'laeder'"),
        ("tally", mutants.misspells_a_name, "name 'laeder' is not defined"),
    ],
)
def test_what_python_can_say_is_said_before_anything_is_compiled(
    name: str, wrong: Any, said: str
) -> None:
    """It ends at the line of the mistake; what a compiler says ends inside the compiler."""
    with pytest.raises((AttributeError, NameError), match=said) as caught:
        check_game(tanistry.Game(mutant({name: wrong}, {}), None, {}), matches=1)
    assert caught.traceback[-1].path == Path(mutants.__file__)


def test_the_tutorial_says_what_a_trick_kept_secret_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its reader leaves `show_all` out of `play`."""
    lines = Path(HEIR.rules.__file__ or "").read_text("utf-8").splitlines(True)
    secretive = "".join(line for line in lines if "show_all(" not in line)
    (tmp_path / "secretive.py").write_text(secretive, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    play = import_module("secretive").play
    game = tanistry.Game(mutant({"play": play}, {}), None, {}).interpreted()
    with pytest.raises(AssertionError) as caught:
        check_game(game, matches=5, audited=0)
    tutorial = (ROOT / "docs/tutorial.md").read_text("utf-8")
    assert f"AssertionError: {caught.value}" in " ".join(tutorial.split())


@pytest.mark.parametrize(
    ("left_out", "promise"),
    [
        ("check_state", "conservation"),
        ("check_view", "secrecy"),
        ("check_onlookers", "onlookers"),
        ("check_telling", "telling"),
        ("check_position", "positions"),
        ("check_record", "records"),
        ("check_interference", "non-interference"),
    ],
)
def test_what_is_not_compared_is_not_promised(
    left_out: str, promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(battery._Battery, left_out, lambda *_: None)
    with pytest.raises(AssertionError, match=rf"compared 0 times.*\({promise}\)$"):
        check_game(tanistry.game("heir"), matches=1, audited=0)


def test_no_match_is_no_check() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        check_game(tanistry.game("heir"), matches=0)
