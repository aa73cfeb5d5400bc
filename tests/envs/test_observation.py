"""Observations: all that a seat knows and nothing else, the same interpreted and compiled."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.envs import observation, observe
from tanistry.simulation.observation import features_of, longest_match, telling_of
from tanistry.simulation.playouts import LONGEST
from tanistry.testing import option_sets

GAMES = list(tanistry.games())
SETS = [(name, options) for name in GAMES for options in option_sets(tanistry.info(name), limit=3)]
NOT_SHOWN = {"lords": {"shuffles", "shuffled", "history"}}
"""Facts of a view that observations leave to the information state."""


def random_play(game: tanistry.Game, seed: int) -> Iterator[tanistry.Match]:
    """A match at every point of random play, the end too."""
    rng = random.Random(seed)
    match = game.deal(seed)
    yield match
    while match.to_act is not None:
        match.play(rng.choice(match.legal()))
        yield match


@pytest.mark.parametrize(("name", "options"), SETS, ids=str)
def test_what_a_seat_cannot_know_changes_nothing(name: str, options: dict[str, Any]) -> None:
    rng = random.Random(1)
    for match in random_play(tanistry.game(name, **options), 3):
        if match.to_act is None or rng.random() < 0.15:
            for seat in range(match.game.seats):
                blind = match.blind(seat, rng.randrange(1 << 32))
                seen = observe(match, seat, insights=True)
                assert np.array_equal(seen, observe(blind, seat, insights=True))


@pytest.mark.parametrize("name", GAMES)
def test_other_cards_are_another_observation(name: str) -> None:
    """The truth is not the same row for a seat that knows more, and rows tell views apart."""
    views: dict[tuple[int, bytes], str] = {}
    game = tanistry.game(name)
    for seed in range(6):
        for match in random_play(game, seed):
            for seat in range(game.seats):
                row, view = observe(match, seat).tobytes(), comparable(match, seat)
                assert views.setdefault((seat, row), view) == view
    assert len(views) > 200


def comparable(match: tanistry.Match, seat: int) -> str:
    """A view without what observations do not tell."""
    view = match.view(seat)
    view.pop("legal", None)
    for fact in NOT_SHOWN.get(match.game.name, ()):
        view["facts"].pop(fact, None)
    if match.game.name == "schotten":  # the order of the cards at a stone
        for place, entries in view["places"].items():
            if place.startswith("stone"):
                entries.sort(key=str)
    return json.dumps(view, sort_keys=True)


@pytest.mark.parametrize(("name", "options"), SETS[::5], ids=str)
def test_places_are_those_of_the_view(name: str, options: dict[str, Any]) -> None:
    """Read a row back by its layout and compare it with the view, place by place."""
    game = tanistry.game(name, **options)
    layout = observation(game)
    for number, match in enumerate(random_play(game, 5)):
        if number % 4 == 0:
            seat = number % game.seats
            check_places(match, seat, layout.read(observe(match, seat)))


def check_places(match: tanistry.Match, seat: int, read: dict[str, Any]) -> None:
    game, layout = match.game, observation(match.game)
    view = match.view(seat)
    known: dict[str, dict[str, int]] = {}
    for section in layout.sections:
        first = section.rows[0].partition(".")[0]
        if section.name == first and first in {
            p.name.split(".")[0] for p in game.definition.places
        }:
            for row, numbers in zip(section.rows, read[section.name], strict=True):
                found = known.setdefault(row, {})
                for column in numbers.nonzero()[0]:
                    code = section.columns[column].partition(" in ")[0]
                    found[code] = found.get(code, 0) + int(numbers[column])
    hidden = dict(zip(layout["hidden"].rows, read["hidden"][:, 0].tolist(), strict=True))
    for place in game.definition.places:
        if place.owner >= game.seats:
            continue
        title = relative(place, seat, game.seats)
        entries = [e for e in view["places"].get(place.name, []) if e is not None]
        codes = [e if isinstance(e, str) else e["card"] for e in entries]
        shown = {code: codes.count(code) for code in codes if code is not None}
        assert hidden.get(title, 0) == codes.count(None)
        if title in known:
            assert known[title] == shown


def relative(place: Any, seat: int, seats: int) -> str:
    if place.owner < 0:
        return str(place.name)
    off = (place.owner - seat) % seats
    return f"{place.name.rpartition('.')[0]}.{f'+{off}' if off else 'own'}"


@pytest.mark.parametrize("name", GAMES)
def test_layout_is_whole(name: str) -> None:
    info = tanistry.info(name)
    for insights, options in product((False, True), option_sets(info, limit=2)):
        game = tanistry.game(name, **options)
        layout = observation(game, insights)
        names = [section.name for section in layout.sections]
        assert len(set(names)) == len(names)
        ends = [section.offset + section.size for section in layout.sections]
        assert [section.offset for section in layout.sections] == [0, *ends[:-1]]
        assert layout.size == ends[-1] == len(layout.most)
        for section in layout.sections:
            assert f"| {section.offset} | {section.name} |" in layout.table()


@pytest.mark.parametrize("name", GAMES)
def test_numbers_stay_in_their_sections(name: str) -> None:
    """No number is above its `most`, and facts fill their sections to the last."""
    features: Any = features_of(tanistry.info(name))
    for seats in tanistry.info(name).seats:
        game = tanistry.game(name, seats=seats)
        layout = observation(game)
        first = layout[features.FACTS[0].name].offset
        deep = observation(game, insights=True)
        assert deep.sections[: len(layout.sections)] == layout.sections
        for match in random_play(game, 8):
            for seat in range(seats):
                row = observe(match, seat, insights=True)
                assert (row <= deep.most).all()
                assert np.array_equal(row[: layout.size], observe(match, seat))
                floats = deep.as_floats(row)
                assert floats.dtype == np.float32
                assert floats.max() <= 1
            out = np.full(layout.size - first, 255, np.uint8)
            features.features(match._s, 0, out)
            assert (out <= layout.most[first:]).all()
            if hasattr(features, "INSIGHTS"):
                out = np.full(deep.size - layout.size, 255, np.uint8)
                features.insights(match._s, 0, out)
                assert (out <= deep.most[layout.size :]).all()


@pytest.mark.parametrize("name", GAMES)
def test_interpreted_and_compiled_are_the_same(name: str) -> None:
    game = tanistry.game(name, seats=max(tanistry.info(name).seats))
    plain = game.interpreted()
    for number, match in enumerate(random_play(game, 2)):
        if number % 20 == 0:
            twin = match.copy()
            twin.game = plain
            for seat in range(game.seats):
                seen = observe(match, seat, insights=True)
                assert np.array_equal(seen, observe(twin, seat, insights=True))


@pytest.mark.parametrize("name", GAMES)
def test_no_match_is_longer_than_the_rules_allow(name: str) -> None:
    for options in option_sets(tanistry.info(name), limit=1):
        game = tanistry.game(name, **options)
        lengths = tanistry.simulate(game, 2000, seed=3, threads=1).lengths
        assert np.flatnonzero(lengths)[-1] <= longest_match(game) < LONGEST
    if name == "claim":
        assert longest_match(game) == 52


def test_own_seat_comes_first() -> None:
    match = tanistry.game("claim").deal(seed=42)
    layout = observation(match.game)
    for seat in (0, 1):
        read = layout.read(observe(match, seat))
        codes = [layout["hand"].columns[i] for i in read["hand"][0].nonzero()[0]]
        assert codes == list(dict.fromkeys(match.view(seat)["places"][f"hand.{seat}"]))
        assert read["to act"][:, 0].tolist() == ([1, 0] if seat == 0 else [0, 1])


def test_a_seat_that_is_not_there() -> None:
    with pytest.raises(tanistry.SeatError):
        observe(tanistry.game("claim").deal(seed=1), 2)
    with pytest.raises(tanistry.SeatError, match="no seat None"):
        observe(tanistry.game("claim").deal(seed=1), None)  # type: ignore[arg-type]


def test_what_a_layout_does_not_have() -> None:
    layout = observation(tanistry.game("claim"))
    with pytest.raises(tanistry.OptionError, match=r"'hands'\. Allowed: seat, to act, .*hand"):
        layout["hands"]
    with pytest.raises(tanistry.OptionError, match=r"\(561,\)"):
        layout.read(np.zeros((2, layout.size)))
    with pytest.raises(tanistry.OptionError, match=r"tanistry\.game"):
        observation("claim")  # type: ignore[arg-type]


def test_a_misspelt_way_to_tell_a_place_is_an_error() -> None:
    deck = next(place for place in tanistry.game("claim").definition.places if place.name == "deck")
    assert telling_of(deck, {"d*": "count"}) == "count"
    with pytest.raises(ValueError, match="'d\\*' as 'counts'; allowed: 'open', 'cards'"):
        telling_of(deck, {"d*": "counts"})
