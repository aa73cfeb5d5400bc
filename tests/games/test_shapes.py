"""Shapes: what is written can be read back, and what does not fit is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tanistry.games.shapes import (
    BySeat,
    CardCode,
    Code,
    DecisionName,
    Fields,
    Form,
    Letters,
    Line,
    ListOf,
    MapOf,
    Maybe,
    Mismatch,
    Number,
    PlaceName,
    Seat,
    Shape,
    Terms,
    Truth,
)

TERMS = Terms(("SC1", "SC2", "BR97"), ("deck", "hand.0"), ("turn", "claim"), 3)
DIARY = Line(
    (
        Form("{seat} +{card}", (("seat", Seat()), ("card", CardCode()))),
        Form("{seat} +#{shuffle}", (("seat", Seat()), ("shuffle", Number(0, 9999)))),
        Form(
            "{seat} down {army}.{ally}",
            (("seat", Seat()), ("army", Seat()), ("ally", Number(1, 19))),
        ),
    )
)
CASES: list[tuple[Shape, Any, list[int]]] = [
    (Number(1, 5), 3, [3]),
    (Seat(), 2, [2]),
    (Truth(), True, [1]),
    (CardCode(), "BR97", [2]),
    (PlaceName(), "hand.0", [1]),
    (DecisionName(), "claim", [1]),
    (Code(("BR", "CR")), "CR", [1]),
    (Maybe(Code(("BR", "CR"))), None, [-1]),
    (Maybe(Seat()), 0, [0]),
    (ListOf(Seat()), [2, 0], [2, 2, 0]),
    (BySeat(ListOf(CardCode())), [["SC1"], [], ["SC2", "BR97"]], [1, 0, 0, 2, 1, 2]),
    (MapOf(Number(1, 9), Seat()), {"3": 1, "9": 0}, [2, 3, 1, 9, 0]),
    (MapOf(Number(1, 99), ListOf(CardCode())), {"2": ["SC1"]}, [1, 2, 1, 0]),
    (Fields((("seat", Seat()), ("cards", Number()))), {"seat": 1, "cards": 7}, [1, 7]),
    (BySeat(Letters("GKUDX")), ["GX", "", "U"], [2, 0, 4, 0, 1, 2]),
    (ListOf(DIARY), ["0 +SC2", "1 +#12", "2 down 0.19"], [3, 0, 0, 1, 1, 1, 12, 2, 2, 0, 19]),
]


@pytest.mark.parametrize(("shape", "value", "numbers"), CASES)
def test_written_and_read_back(shape: Shape, value: Any, numbers: list[int]) -> None:
    assert shape.read(value, TERMS) == numbers
    assert shape.write(iter(numbers), TERMS) == value
    assert shape.allowed(TERMS)
    assert shape.data()["type"] == shape.type


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (Number(1, 5), 6),
        (Number(1, 5), True),
        (Number(1, 5), "3"),
        (Number(1, 5), None),
        (Seat(), 3),
        (Truth(), 1),
        (CardCode(), "XX1"),
        (CardCode(), None),
        (PlaceName(), ["deck"]),
        (Code(("BR",)), 0),
        (Maybe(Seat()), -1),
        (ListOf(Seat()), {"0": 1}),
        (ListOf(Seat(), distinct=True), [1, 1]),
        (ListOf(Number(), most=2), [1, 2, 3]),
        (BySeat(Number()), [1, 2]),
        (MapOf(Number(1, 9), Seat()), {"03": 1}),
        (MapOf(Number(1, 9), Seat()), {3: 1}),
        (Fields((("seat", Seat()),)), {"seat": 1, "more": 2}),
        (Letters("GK"), "GX"),
        (DIARY, "0 +XX1"),
        (DIARY, "7 +SC1"),
        (DIARY, "0 down 0.20"),
        (DIARY, "0 +SC1 "),
        (DIARY, 5),
    ],
)
def test_what_does_not_fit(shape: Shape, value: Any) -> None:
    with pytest.raises(Mismatch):
        shape.read(value, TERMS)
