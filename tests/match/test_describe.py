"""A game as data: the description fits its schema, and a reader needs nothing else."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pytest

import heir
import tanistry
from tanistry.games.registry import definition_of
from tanistry.kernel import interpreted
from tanistry.match.describe import describe
from tanistry.table.record import copy_record

INFOS = {**tanistry.games(), "heir": heir.INFO}
SCHEMA = json.loads(files("tanistry.match").joinpath("description.schema.json").read_text("utf-8"))


def game_of(name: str) -> tanistry.Game:
    return tanistry.Game(definition_of(INFOS[name]), None, {})


@pytest.mark.parametrize("name", INFOS)
def test_the_description_fits_its_schema(name: str) -> None:
    described = describe(definition_of(INFOS[name]))
    assert json.loads(json.dumps(described)) == described
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(described, SCHEMA)


def test_the_schema_refuses_what_is_no_description() -> None:
    described = tanistry.game("claim").describe()
    del described["cards"][0]["suit"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(described, SCHEMA)


@pytest.mark.parametrize("name", INFOS)
def test_the_record_can_be_read_from_its_description(name: str) -> None:
    match = game_of(name).deal(3)
    data, layout = match._s.tobytes(), match.game.describe()["record"]
    assert len(data) == layout["size"]
    for field in layout["fields"]:
        count = int(np.prod(field["shape"]))
        read = np.frombuffer(data, field["type"], count, field["offset"]).reshape(field["shape"])
        assert (read == match._s[field["name"]]).all()


@pytest.mark.parametrize("name", INFOS)
def test_choices_are_the_legal_tokens_with_their_parts(name: str) -> None:
    game = game_of(name)
    match = game.deal(5)
    verbs = {action["verb"] for action in game.describe()["actions"]}
    while match.to_act is not None:
        choices = match.choices()
        assert [choice["token"] for choice in choices] == match.legal()
        assert {choice["verb"] for choice in choices} <= verbs
        match.play(match.legal()[0])
    assert match.choices() == []


@pytest.mark.parametrize("name", INFOS)
def test_a_refusal_is_told_alike_interpreted_and_compiled(name: str) -> None:
    game = game_of(name)
    refuse = game.definition.telling.refuse
    match = game.deal(7)
    for _ in range(6):
        legal = match.legal_actions()
        decision = match.decision
        for action, choice in enumerate(game.notation.vocabulary):
            if action in legal or decision not in choice.action.decisions:
                continue
            logs = []
            for kernel in (refuse, interpreted(refuse)):
                s: Any = copy_record(match._s)
                s.telling = 1
                kernel(s, action)
                logs.append(s.log[: s.told].tolist())
            assert logs[0] == logs[1]
            assert logs[0]
        match.play(match.legal()[-1])


def test_what_claim_tells() -> None:
    match = tanistry.game("claim").deal(1)
    assert match.choices()[0] == {"token": "G1", "verb": "play", "card": "G1"}
    while match.to_act is not None:
        match.play(match.legal()[0])
    tally, result = match.tally(None), match.result
    assert result is not None
    assert tally["score"] == result.scores
    assert [vote["faction"] for vote in tally["votes"]] == list("GKUDX")
    assert all(sum(vote["cards"]) <= 14 for vote in tally["votes"])


def test_a_match_says_where_it_stands() -> None:
    match = tanistry.game("claim").deal(seed=1)
    assert repr(match) == f"<match of {match.game!r}: 0 choices made, seat 0 to act (play)>"
    while match.to_act is not None:
        match.play(match.legal()[0])
    assert repr(match).endswith(": 52 choices made, over>")
