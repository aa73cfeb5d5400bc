"""What always holds in King's Kilt, on random matches, and the rules told a second time.

`rulebook` works out the legal tokens from a position by looking at one cell after the other, as a
person would; the kernels, which shift whole sets of cells, must agree with it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, permutations, product
from typing import Any

import pytest

import tanistry
from tanistry import Match
from tanistry.testing import option_sets
from tests.games.kilt_positions import FULL, cards, setup

CASES = [
    pytest.param(options, id="-".join(str(value) for value in options.values()))
    for options in option_sets(tanistry.info("kilt"))
]
CELLS = [(row, column) for row in range(1, 7) for column in range(7 - row)]
Cells = dict[tuple[int, int], str]


def code(entry: Any) -> str:
    return str(entry if isinstance(entry, str) else entry["card"])


def cells_of(position: dict[str, Any]) -> Cells:
    places = position["places"]
    names = {(r, c): f"pyramid.{r}.{c}" for r, c in CELLS}
    return {cell: code(places[name][0]) for cell, name in names.items() if name in places}


def neighbours(row: int, column: int) -> set[tuple[int, int]]:
    return {
        (row, column - 1),
        (row, column + 1),
        (row + 1, column - 1),
        (row + 1, column),
        (row - 1, column),
        (row - 1, column + 1),
    }


def rulebook(position: dict[str, Any]) -> set[str]:
    """The legal tokens, from the rules as they are written."""
    seat = position["to_act"]
    places, facts = position["places"], position["facts"]
    if position["decision"] == "fill":
        return {"fill <", "fill >"}
    if position["decision"] == "reveal":
        hidden = [e for e in places[f"family.{seat}"] if isinstance(e, str)]
        return {f"reveal {entry}" for entry in hidden}
    cells = cells_of(position)
    tokens = {"pass"} if facts["crowned"] else set()
    for row, column in cells:
        if (row, column - 1) in cells and row < 6 and (row + 1, column - 1) not in cells:
            tokens.add(f"climb {row}.{column}<")
        if (row, column + 1) in cells and row < 6 and (row + 1, column) not in cells:
            tokens.add(f"climb {row}.{column}>")
    king = cells.get((6, 0), "")[:2]
    for influence in {code(entry) for entry in places.get(f"influence.{seat}", [])}:
        for victim in cells:
            near = any(cells.get(cell, "")[:2] == influence for cell in neighbours(*victim))
            if near or king == influence:
                tokens.add(f"betray {influence} {victim[0]}.{victim[1]}")
    return tokens


def fierce(match: Match, rng: random.Random) -> str:
    """A random choice that betrays as long as it can: this empties the pile."""
    legal = match.legal()
    return rng.choice([token for token in legal if token.startswith("betray")] or legal)


def steps(match: Match, rng: random.Random, style: Any = None) -> Iterator[str]:
    while match.to_act is not None:
        token = style(match, rng) if style else rng.choice(match.legal())
        yield token
        match.play(token)


# -- the rules told twice -------------------------------------------------------------------------


@pytest.mark.rule("kilt.climb", "kilt.support", "kilt.betray", "kilt.kings_reach", "kilt.turn")
@pytest.mark.rule("kilt.vacuum", "kilt.king", "kilt.pile_empty", "kilt.pass")
@pytest.mark.parametrize("options", CASES)
def test_legal_tokens_are_those_of_the_rulebook(options: dict[str, Any]) -> None:
    game = tanistry.game("kilt", **options)
    for seed in range(12):
        match = game.deal(seed)
        for _ in steps(match, random.Random(seed), fierce if seed % 4 == 0 else None):
            position = match.position()
            assert set(match.legal()) == rulebook(position)
            check_invariants(position)


def check_invariants(position: dict[str, Any]) -> None:
    facts, cells = position["facts"], cells_of(position)
    if position["decision"] == "turn":
        assert facts["vacuum"] is None
        for row, column in cells:
            assert row == 1 or {(row - 1, column), (row - 1, column + 1)} <= set(cells)
        assert {cell for cell in CELLS if cell[0] == 1} <= set(cells)
        assert facts["crowned"] == (len(cells) == 21)
        assert position["to_act"] == facts["active"]
        assert position["to_act"] not in facts["passed"]
    else:
        assert facts["vacuum"] not in {f"{row}.{column}" for row, column in cells}
    assert facts["crowned"] or not facts["passed"]
    assert not facts["guardians"] or facts["nobles"]
    sizes = Counter({name: len(entries) for name, entries in position["places"].items()})
    assert sizes["deck"] + sizes["discard"] >= 21 - len(cells)
    dealt = 4 if position["seats"] == 4 else 5
    held = sum(sizes[f"influence.{seat}"] for seat in range(position["seats"]))
    spent = dealt * position["seats"] - held
    assert sizes["removed"] == spent
    assert sizes["discard"] == spent or facts["rebuilt"]


# -- whole matches --------------------------------------------------------------------------------


@pytest.mark.rule("kilt.nobles", "kilt.guardians", "kilt.reveal")
@pytest.mark.parametrize("options", CASES)
def test_rewards_are_taken_once_each(options: dict[str, Any]) -> None:
    game = tanistry.game("kilt", **options)
    seats = game.seats
    for seed in range(20):
        match = game.deal(seed)
        reveals: dict[str, list[int]] = {"kilt.nobles": [], "kilt.guardians": []}
        takers = {}
        rng = random.Random(seed)
        while match.to_act is not None:
            chooser, decision = match.to_act, match.decision
            for event in match.play(rng.choice(match.legal())):
                if event.type == "reward":
                    assert event.rule not in takers
                    takers[event.rule] = event.public["seat"]
                    last = event.rule
            if decision == "reveal":
                reveals[last].append(chooser)
        assert set(takers) == set(reveals)
        for rule, taker in takers.items():
            clockwise = [(taker + i) % seats for i in range(1, seats)]
            if seats == 2 and rule == "kilt.guardians":
                again = takers["kilt.nobles"] == taker
                assert reveals[rule] == clockwise * (1 if again else 2)
            else:
                assert reveals[rule] == clockwise


@pytest.mark.rule("kilt.pile_empty")
@pytest.mark.parametrize("edition", ["7clans", "8clans"])
def test_four_fierce_seats_exhaust_the_pile_and_play_on(edition: str) -> None:
    game = tanistry.game("kilt", seats=4, edition=edition)
    rebuilt = 0
    for seed in range(60):
        match = game.deal(seed)
        for _ in steps(match, random.Random(seed), fierce):
            pass
        rebuilt += match.position()["facts"]["rebuilt"]
    assert rebuilt > 10


@pytest.mark.rule("kilt.score", "kilt.winner", "kilt.end")
@pytest.mark.parametrize("options", CASES)
def test_results_by_hand(options: dict[str, Any]) -> None:
    game = tanistry.game("kilt", **options)
    for seed in range(30):
        match = game.deal(seed)
        for _ in steps(match, random.Random(seed)):
            pass
        position = match.position()
        cells = cells_of(position)
        worth = {6: 3, 5: 2, 4: 1}
        scores = [
            sum(
                worth.get(row, 0)
                for relative in cards(match, f"family.{seat}")
                for (row, _), there in cells.items()
                if there[:2] == relative
            )
            for seat in range(game.seats)
        ]
        assert match.result is not None
        assert match.result.scores == scores
        keys = [
            (scores[n], len(position["places"].get(f"influence.{n}", [])))
            for n in range(game.seats)
        ]
        ranking = [
            [n for n in range(game.seats) if keys[n] == key]
            for key in sorted(set(keys), reverse=True)
        ]
        assert match.result.ranking == ranking
        for seat in range(game.seats):
            assert match.view(None)["places"][f"family.{seat}"] == cards(match, f"family.{seat}")


@pytest.mark.rule("kilt.end")
@pytest.mark.parametrize("options", CASES)
def test_thousands_of_matches_end_soon(options: dict[str, Any]) -> None:
    """15 climbs, all influence cards and a pass each: no match has more turns than that."""
    game = tanistry.game("kilt", **options)
    simulated = tanistry.simulate(game, n=5_000, seed=3)
    assert simulated.matches == 5_000
    influence = (4 if game.seats == 4 else 5) * game.seats
    turns = 15 + influence + game.seats
    fills = sum((7 - row) * (row - 2) for row in range(2, 7)) + 5 * influence
    assert len(simulated.lengths) - 1 <= turns + fills + 2 * game.seats


# -- what a seat may assume -----------------------------------------------------------------------


@pytest.mark.rule("kilt.family", "kilt.family8", "common.secrecy")
@pytest.mark.parametrize("options", CASES)
def test_blinded_families_have_three_clans_and_chiefs_stay_on_top(options: dict[str, Any]) -> None:
    game = tanistry.game("kilt", **options)
    rng = random.Random(9)
    for seed in range(8):
        match = game.deal(seed)
        for _ in range(rng.randrange(40)):
            match.play(rng.choice(match.legal()))
        for viewer in (*range(game.seats), None):
            blind = match.blind(viewer, rng.getrandbits(64))
            assert blind.view(viewer) == match.view(viewer)
            for seat in range(game.seats):
                assert len(set(cards(blind, f"family.{seat}"))) == 3
            kinds = [entry.endswith("!") for entry in cards(match, "deck")]
            assert [entry.endswith("!") for entry in cards(blind, "deck")] == kinds


def could_be_dealt(families: list[list[str]]) -> bool:
    """kilt.family8: without one card of each, the families are all of different clans."""
    pairs = [list(combinations(family, 2)) for family in families]
    return any(len(set(chain(*way))) == 2 * len(families) for way in product(*pairs))


@pytest.mark.rule("kilt.family8", "common.secrecy")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_blinded_families_of_the_other_edition_could_have_been_dealt(seats: int) -> None:
    game = tanistry.game("kilt", seats=seats, edition="8clans")
    for seed in range(20):
        match = game.deal(seed)
        for dealt in (match, match.blind(0, seed), match.blind(None, seed)):
            assert could_be_dealt([cards(dealt, f"family.{seat}") for seat in range(seats)])


@pytest.mark.rule("kilt.family", "common.secrecy")
def test_every_possible_deal_is_as_likely_as_any_other() -> None:
    """Few cards unknown: count the deals by hand, and compare with blinded matches."""
    match = setup(
        FULL,
        influence=("ML", "BR"),
        families=("DO WA BU", "MB MK BR"),
        deck="ML MB",
        rest="removed",
    )
    unknown = ["BR", "BR", "MB", "MB", "MK"]  # a family of three, an influence card, the pile
    expected: Counter[tuple[Any, ...]] = Counter()
    for deal in permutations(range(5)):
        first, second, third, influence, pile = (unknown[n] for n in deal)
        if len({first, second, third}) == 3:
            expected[tuple(sorted((first, second, third))), influence, pile] += 1
    tries = 1000
    found: Counter[tuple[Any, ...]] = Counter()
    for seed in range(tries):
        places = match.blind(0, seed).position()["places"]
        family = tuple(sorted(places["family.1"]))
        found[family, places["influence.1"][0], places["deck"][1]] += 1
    assert set(found) == set(expected)
    for deal, weight in expected.items():
        share = weight / sum(expected.values())
        assert abs(found[deal] / tries - share) < 0.06


@pytest.mark.rule("kilt.reveal", "common.secrecy")
def test_what_is_revealed_is_not_assumed_again() -> None:
    match = tanistry.game("kilt", seats=3).deal(4)
    rng = random.Random(4)
    while match.decision != "fill" or not match.position()["facts"]["guardians"]:
        match.play(rng.choice(match.legal()))
    for seed in range(30):
        blind = match.blind(0, seed)
        for seat in (1, 2):
            shown = [e for e in match.view(0)["places"][f"family.{seat}"] if isinstance(e, str)]
            family = cards(blind, f"family.{seat}")
            assert set(shown) <= set(family)
            assert len(set(family)) == 3


# -- round trips ----------------------------------------------------------------------------------


@pytest.mark.rule("kilt.vacuum", "kilt.reveal", "kilt.pile_empty")
@pytest.mark.parametrize("options", CASES)
def test_a_position_plays_on_like_the_match_it_came_from(options: dict[str, Any]) -> None:
    """From every decision to the very end, in the middle of fills and reveals as well."""
    game = tanistry.game("kilt", **options)
    for seed in range(2):
        style = fierce if seed else None
        match = game.deal(seed)
        tokens = list(steps(match, random.Random(seed), style))
        original = game.deal(seed)
        for number, token in enumerate(tokens):
            again = game.setup(original.position(), seed=77)
            twin = original.copy()
            game.rekey(twin._s, again._key)
            for later in tokens[number : number + 3]:
                if later not in twin.legal():
                    break  # a pile was rebuilt in another order
                ours, theirs = twin.play(later), again.play(later)
                for viewer in (*range(game.seats), None):
                    assert [e.seen_by(viewer) | {"n": 0} for e in ours] == [
                        e.seen_by(viewer) | {"n": 0} for e in theirs
                    ]
                    assert twin.view(viewer) == again.view(viewer)
            assert twin.position() == again.position()
            original.play(token)


@pytest.mark.rule("kilt.score")
def test_the_tally_counts_what_a_seat_knows_and_at_the_end_all() -> None:
    match = tanistry.game("kilt", seats=3).deal(seed=4)
    start = match.tally(0)
    assert start["points"] == [0, 0, 0]
    assert start["hidden"] == [0, 3, 3]
    assert match.tally(None)["hidden"] == [3, 3, 3]
    while match.to_act is not None:
        match.play(match.legal()[0])
    for seat in (None, 0, 1, 2):
        assert match.tally(seat)["points"] == match.result.scores
    worth = {clan["card"]: clan["points"] for clan in match.tally(None)["clans"]}
    family = match.position()["places"]["family.1"]
    assert sum(worth[card] for card in family) == match.result.scores[1]


@pytest.mark.rule("kilt.score", "kilt.vacuum", "kilt.climb")
def test_the_tally_tells_rows_relatives_and_the_gap() -> None:
    match = tanistry.game("kilt", seats=2).deal(seed=4)
    rows = match.tally(None)["rows"]
    assert [(row["rank"], row["points"]) for row in rows[:4]] == [
        ("king", 3), ("guardians", 2), ("nobles", 1), ("commoners", 0),
    ]  # fmt: skip
    gaps = 0
    while match.to_act is not None:
        tally, choices = match.tally(0), match.choices()
        for clan in tally["clans"]:
            worth = sum(row["points"] * clan.get(row["rank"], 0) for row in rows)
            assert clan["points"] == worth
        assert ("gap" in tally) == (match.position()["facts"]["vacuum"] is not None)
        if match.decision == "fill":
            gaps += 1
            for choice in choices:  # the side it names is a card that can move up
                token, source = choice["token"], tally["gap"][choice["side"]]
                trial = match.copy()
                told = [event.seen_by(None) for event in trial.play(token)]
                assert (source, tally["gap"]["cell"]) in {
                    (event.get("from"), event.get("to")) for event in told
                }
        for choice in choices:
            if choice["verb"] == "climb":
                row, column = (int(n) for n in choice["from"].split(".")[1:])
                to = f"pyramid.{row + 1}.{column - (choice['side'] == 'left')}"
                assert choice["to"] == to
        match.play(match.legal()[0])
    assert gaps
