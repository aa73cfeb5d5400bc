"""One schema for what goes over the wire: what is made from it is up to date, and it bites.

That the server keeps to it is checked in every test that starts one (tests/server/checking.py).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from pydantic import ValidationError
from tools import generated, protocol

from tanistry.server.answers.base import Answer
from tanistry.server.messages import KINDS, read_message
from tanistry.server.routes import games, peace, people, tables, tournaments
from tanistry.server.server_messages import SERVER_MESSAGE
from tests.server.checking import UNFIT
from tests.server.processes import Process

SAID = SERVER_MESSAGE.json_schema()["discriminator"]["mapping"].keys()
"""The types of all messages of the server."""


def test_what_is_made_from_the_models_is_up_to_date() -> None:
    assert not generated.stale(protocol.files()), "run python -m tools.protocol"


def test_every_answer_has_a_model() -> None:
    parts = (people, games, tables, tournaments, peace)
    routes: list[Any] = [route for part in parts for route in part.routes.routes]
    assert len(routes) > 20
    for route in routes:
        if not route.path.endswith(("/record", "/results")):  # which are text
            assert issubclass(route.responses[route.status_code]["model"], Answer), route.path


@pytest.mark.parametrize("kind", KINDS)
def test_messages_are_what_the_documents_say(kind: str) -> None:
    """An example is a message, and each of its fields is known; so is what answers it."""
    model = KINDS[kind]
    example = {"type": kind, **model.example}
    assert example.keys() <= model.model_fields.keys()
    example |= {"table": "8dK3"} if "table" in example else {}
    example |= {"nonce": "0f" * 16} if "nonce" in example else {}
    message, _ = read_message(orjson.dumps(example))
    assert type(message) is model
    answers = set(re.findall("`(.+?)`", model.answer)) - {"id"}
    assert answers
    assert answers <= SAID


@pytest.mark.parametrize(
    "message",
    [
        {"type": "pong"},
        {"type": "pong", "now": "soon"},
        {"type": "pong", "now": 1, "more": 2},
        {"type": "what"},
        {"type": "played", "table": "t", "turn": 1, "clocks": {"left": [1]}},
        {"type": "state", "table": "t", "turn": 0, "now": 0, "view": None, "events": [],
         "complete": True, "clocks": None, "result": None, "labels": None},
    ],
)  # fmt: skip
def test_what_does_not_fit_is_found(message: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SERVER_MESSAGE.validate_json(orjson.dumps(message))


def test_a_server_that_says_something_else_fails_its_test(tmp_path: Path) -> None:
    server = Process(tmp_path)
    server.command = (
        "from tanistry.server.answers import people; people.Player.model_fields.pop('name'); "
    )
    server.command += "people.Player.model_rebuild(force=True)\n" + Process.command
    server.start()
    assert server.http().cookie
    with pytest.raises(AssertionError, match=UNFIT):
        server.stop()
