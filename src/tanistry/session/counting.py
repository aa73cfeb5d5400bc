"""How a match stands or ended, in sentences: the tally, worded by the game's own templates.

`counted.FACT` in a game's words is a sentence for each entry of a list, or for each seat. Where a
fact has several sentences, the entry's own values choose among them (`cards`, `highest`); `nobody`
is for entries that are nobody's. Facts without a sentence are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tanistry.catalogue import filled
from tanistry.games.shapes import BySeat, Fields, ListOf, Maybe, Shape
from tanistry.session.describe import Company

NOBODY = "nobody"


def count_lines(company: Company, tally: Mapping[str, Any]) -> list[str]:
    """What the tally says, a line each."""
    lines: list[str] = []
    for fact in company.game.definition.tally:
        if company.words.find(f"counted.{fact.name}") and fact.name in tally:
            lines += _fact(company, fact.name, fact.shape, tally[fact.name])
    return lines


def _fact(company: Company, name: str, shape: Shape, value: Any) -> Iterator[str]:
    match shape:
        case ListOf(of=Fields() as fields):
            for item in value:
                yield from _sentence(company, name, dict(fields.fields), item)
        case BySeat(of=of):
            fields_of = dict(of.fields) if isinstance(of, Fields) else {"n": of}
            for seat, item in enumerate(value):
                values = item if isinstance(of, Fields) else {"n": item}
                named = {"seat": company.names[seat]}
                yield from _sentence(company, name, fields_of, values, named)


def _sentence(
    company: Company,
    name: str,
    shapes: Mapping[str, Shape],
    values: Mapping[str, Any],
    named: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """The sentence for an entry, if there is one and it says something."""
    sentence = company.words.find(f"counted.{name}")
    if isinstance(sentence, Mapping):
        sentence = sentence.get(_kind(shapes, values, sentence), "")
    numbers = [values[key] for key, shape in shapes.items() if shape.type == "number"]
    if not isinstance(sentence, str) or not sentence or (numbers and not any(numbers)):
        return
    said = {key: _word(company, key, shapes[key], value) for key, value in values.items()}
    yield filled(sentence, said | dict(named or {}), company.words.lang)


def _kind(shapes: Mapping[str, Shape], values: Mapping[str, Any], known: Any) -> str:
    """Which of several sentences."""
    for key, shape in shapes.items():
        if values[key] is None and isinstance(shape, Maybe) and shape.of.type == "seat":
            return NOBODY
    return next((str(value) for value in values.values() if str(value) in known), "default")


def _word(company: Company, name: str, shape: Shape, value: Any) -> Any:
    if isinstance(shape, BySeat):
        if isinstance(shape.of, Fields):
            return " – ".join(_fact(company, name, shape, value))
        return " – ".join("0" if item is None else str(item) for item in value)
    if type(value) is int and shape.type == "number":
        return value
    return company.words.worded(value, shape, company.names)
