"""Thousands of malformed and hostile messages: every one is answered, nothing breaks."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import orjson
import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tanistry.client import Client
from tanistry.client.http import Http
from tanistry.server.bodies import NewTable, QuickPlay
from tanistry.server.messages import KINDS, LONGEST, invalid, read_message
from tanistry.server.refusals import Refused, wrong_value
from tests.patience import PATIENCE
from tests.server.processes import Process

connect = partial(websockets.connect, open_timeout=PATIENCE, ping_interval=None)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
FIELDS = sorted({name for model in KINDS.values() for name in model.model_fields} - {"type"})
"""Whatever any message may hold."""
EXAMPLES = {
    name: [model.example[name] for model in KINDS.values() if name in model.example]
    for name in FIELDS
}
HOSTILE = st.sampled_from(
    [
        "",
        "\0",
        "K7",
        "K7\n",
        "' or 1=1 --",
        "../../etc/passwd",
        "{}",
        "\ud83d\ude00" * 20,
        "<img src=x onerror=alert(1)>",
        "\u202egnp.exe",
        "A" * 500,
    ]
)
VALUES = JSON | HOSTILE | st.sampled_from([0, 1, -1, 2**31, 2**63, 1e308, "0"])


def values_of(field: str) -> st.SearchStrategy[Any]:
    """Often what the documents give as an example."""
    return st.sampled_from(EXAMPLES[field]) | VALUES if EXAMPLES[field] else VALUES


def shaped_like(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Messages with fields of this kind, of which all or none may be right."""
    fields = {name: values_of(name) for name in KINDS[kind].model_fields if name != "type"}
    return st.fixed_dictionaries({"type": st.just(kind)}, optional=fields)


MESSAGES = st.sampled_from(sorted(KINDS)).flatmap(shaped_like) | st.tuples(
    st.fixed_dictionaries({"type": st.sampled_from(sorted(KINDS)) | VALUES}),
    st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6),
).map(lambda both: {**both[1], **both[0]})
"""What looks right from afar."""


def text(message: Any) -> bytes:
    return json.dumps(message, allow_nan=True).encode("utf-8", "surrogatepass")


@settings(max_examples=1000, deadline=None)
@given(MESSAGES.map(text) | JSON.map(text) | st.binary(max_size=200))
def test_any_message_is_read_or_refused(data: bytes) -> None:
    refusal = None
    try:
        message, _ = read_message(data)
    except Refused as found:
        refusal = found
    if refusal is None:
        assert message.type in KINDS
    else:
        assert set(refusal.say) == {"en", "fr"}
        assert refusal.say["en"] != refusal.say["fr"]
        assert "not possible" not in refusal.say["en"], "this error has no words of its own"
        assert refusal.code.startswith("message/")


@pytest.mark.parametrize(
    ("message", "english", "french"),
    [
        (
            {"type": "watch"},
            "table: this field is required.",
            "table\u00a0: ce champ est nécessaire.",
        ),
        (
            {"type": "draw", "table": "x", "do": "beg"},
            "do: this must be one of: 'offer', 'accept', 'decline'.",
            "do\u00a0: il faut une de ces valeurs\u00a0: 'offer', 'accept', 'decline'.",
        ),
        (
            {"type": "play", "table": "x", "turn": -1, "token": "K7"},
            "turn: too small: the minimum is 0.",
            "turn\u00a0: trop petit\u00a0: 0 au moins.",
        ),
        (
            {"type": "ready", "table": "x", "ready": []},
            "ready: this must be true or false.",
            "ready\u00a0: il faut vrai ou faux (true, false).",
        ),
        (
            {"type": "ping", "id": 1.5},
            "id: this must be an integer or text of at most 64 characters.",
            "id\u00a0: il faut un nombre entier ou un texte de 64 caractères au plus.",
        ),
    ],
)
def test_what_is_wrong_is_said_in_both_languages(
    message: dict[str, Any], english: str, french: str
) -> None:
    with pytest.raises(Refused) as refused:
        read_message(text(message))
    assert refused.value.say == {"en": english, "fr": french}


@pytest.mark.parametrize("lax", ["yes", "true", "1", 1, 0, 1.0])
def test_only_true_is_true(lax: Any) -> None:
    for message in (
        {"type": "ready", "table": "x", "ready": lax},
        {"type": "start", "table": "x", "bots": lax},
        {"type": "lobby", "on": lax},
    ):
        with pytest.raises(Refused, match="message/value"):
            read_message(text(message))
    for body in ({"public": lax}, {"rated": lax}, {"spectators": {"allowed": lax}}):
        with pytest.raises(ValidationError):
            NewTable.model_validate({"game": "claim", **body})


@pytest.mark.parametrize("lax", ["1", True, 1.0])
def test_only_a_number_is_a_number(lax: Any) -> None:
    for message in (
        {"type": "hello", "v": lax},
        {"type": "sit", "table": "x", "seat": lax},
        {"type": "watch", "table": "x", "since": lax},
    ):
        with pytest.raises(Refused, match="message/value"):
            read_message(text(message))
    clock = {"kind": "fischer", "seconds": 60, "increment": lax}
    for body in ({"clock": clock}, {"spectators": {"delay": lax}}):
        with pytest.raises(ValidationError):
            NewTable.model_validate({"game": "claim", **body})
    with pytest.raises(ValidationError):
        QuickPlay.model_validate({"game": "claim", "seats": lax})


def test_an_option_may_be_one_of_several_kinds() -> None:
    with pytest.raises(ValidationError) as wrong:
        NewTable(game="claim", options={"first": 1.5})  # type: ignore[dict-item]
    assert invalid(wrong.value).say == {
        "en": "options.first: this must be true, false, an integer or text.",
        "fr": "options.first\u00a0: "
        "il faut vrai, faux (true, false), un nombre entier ou un texte.",
    }


def test_an_error_without_words_of_its_own_is_worded_still() -> None:
    assert wrong_value("when", "date_type").say == {
        "en": "when: this value is not possible here (date_type).",
        "fr": "when\u00a0: cette valeur n'est pas possible ici (date_type).",
    }


def test_what_is_too_long_is_refused() -> None:
    with pytest.raises(Refused, match="message/too-long"):
        read_message(b" " * (LONGEST + 1))


@pytest.fixture(scope="module")
def victim(server: Process) -> Any:
    """A match that goes on while its table is shot at, and a tournament that is announced."""
    host = server.http()
    login = f"host.{host.request('GET', '/me')['id'][2:].lower()}"
    host.request("POST", "/account", {"login": login, "password": "rain on the glen"})
    new = {"name": "<b>Cup</b>", "game": "claim", "system": "swiss"}
    cup = host.request("POST", "/tournaments", new)["id"]
    with Client(server.url, name="Victim") as client:
        yield client, client.quick("claim", bot="random"), cup


async def shoot(url: str, cookie: str, frames: list[bytes]) -> list[dict[str, Any]]:
    """Send frames and a ping; everything that comes back before the pong."""
    found = []
    async with connect(url, additional_headers={"Cookie": cookie}, max_size=None) as socket:
        await socket.send('{"type": "hello", "v": 1}')
        for frame in frames:
            await socket.send(frame)
        await socket.send('{"type": "unseek"}')  # nobody else is to meet who is gone
        await socket.send('{"type": "ping", "id": "the end"}')
        async for answer in socket:
            found.append(orjson.loads(answer))
            if found[-1].get("id") == "the end" and found[-1]["type"] == "pong":
                return found
    raise AssertionError("the connection was closed")


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(MESSAGES, min_size=10, max_size=40), st.booleans())
def test_a_hostile_client(
    server: Process, victim: Any, messages: list[dict[str, Any]], seated: bool
) -> None:
    """At the victim's table and in the victim's name: answers, no harm, no closed connection."""
    client, table, cup = victim
    harmless = [m for m in messages if not (seated and m["type"] in ("resign", "bot", "undo"))]
    for message in harmless:
        message |= {"table": table.id, "tournament": cup}
        if seated and message["type"] in ("play", "rematch"):
            message["turn"] = -1
        message.pop("id", None)
    cookie = client.cookie if seated else server.http().cookie
    url = server.url.replace("http", "ws") + "/ws"
    turn = table.turn
    answers = asyncio.run(shoot(url, f"tanistry={cookie}", [text(m) for m in harmless]))
    refused = [answer for answer in answers if answer["type"] == "refused"]
    assert not [answer for answer in refused if answer["code"] == "server/error"]
    kinds = {
        "welcome",
        "refused",
        "pong",
        "ok",
        "table",
        "state",
        "lobby",
        "hint",
        "played",
        "talk",
        "seeking",
        "tournament",
    }
    assert {answer["type"] for answer in answers} <= kinds
    if not seated:
        for answer in answers:
            if answer["type"] == "state" and answer["view"]:
                assert answer["view"]["seat"] is None
                hand = answer["view"]["places"]["hand.0"]
                assert all(card == {"card": None} for card in hand)
    assert table.turn == turn
    if turn < 20 and table.legal:
        table.play(table.legal[0])


def test_garbage_instead_of_a_connection(server: Process) -> None:
    url = server.url.replace("http", "ws") + "/ws"

    async def run() -> None:
        async with connect(url) as socket:  # nobody
            answer = orjson.loads(await socket.recv())
            assert answer["code"] == "auth/nobody"
        cookie = {"Cookie": f"tanistry={server.http().cookie}"}
        async with connect(url, additional_headers=cookie, origin="https://evil.example") as socket:
            assert orjson.loads(await socket.recv())["code"] == "auth/origin"
        async with connect(url, additional_headers=cookie) as socket:
            await socket.send(b"\x00\xff\xfe")
            assert orjson.loads(await socket.recv())["code"] == "message/unreadable"
            await socket.send('{"type": "ping"}')
            assert orjson.loads(await socket.recv())["code"] == "message/hello"
        forged = server.http().cookie
        assert forged is not None
        wrong = forged[:-3] + ("AAA" if forged[-3:] != "AAA" else "BBB")
        async with connect(url, additional_headers={"Cookie": f"tanistry={wrong}"}) as socket:
            assert orjson.loads(await socket.recv())["code"] == "auth/nobody"

    asyncio.run(run())


def test_http_from_elsewhere(server: Process) -> None:
    import http.client

    cookie = server.http().cookie
    place = server.url.removeprefix("http://")
    for headers, expected in (
        ({"Origin": "https://evil.example", "Content-Type": "application/json"}, 403),
        ({"Content-Type": "text/plain"}, 400),
        ({"Content-Type": "application/json", "Content-Length": "99999999"}, 413),
    ):
        connection = http.client.HTTPConnection(place, timeout=PATIENCE)
        given = {"Cookie": f"tanistry={cookie}", **headers}
        connection.request("POST", "/api/v1/tables", b'{"game": "claim"}', given)
        assert connection.getresponse().status == expected
        connection.close()


def test_security_headers(server: Process) -> None:
    import http.client

    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=PATIENCE)
    connection.request("GET", "/api/v1/me")
    response = connection.getresponse()
    assert "default-src 'none'" in (response.getheader("Content-Security-Policy") or "")
    assert response.getheader("X-Content-Type-Options") == "nosniff"
    cookie = response.getheader("Set-Cookie") or ""
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    connection.close()


def test_passwords(server: Process) -> None:
    from tanistry.client import RefusedByServer

    http = server.http()
    login = f"ailsa.{http.request('GET', '/me')['id'][2:].lower()}"
    account = http.request("POST", "/account", {"login": login, "password": "rain on the glen"})
    assert account["login"] == login
    for wrong in ({"login": login, "password": "x"}, {"login": "nobody.here", "password": "x"}):
        with pytest.raises(RefusedByServer) as refused:
            Http(server.url).request("POST", "/session", wrong)
        assert refused.value.code == "auth/wrong"
    guest = server.http()
    table = guest.request("POST", "/tables/quick", {"game": "claim"})
    good = {"login": login, "password": "rain on the glen"}
    assert guest.request("POST", "/session", good)["id"] == account["id"]
    mine = guest.request("GET", "/me/matches?status=playing")["tables"]
    assert [found["id"] for found in mine] == [table["id"]]
    change = {"password": "rain on the glen", "new": "sun on the glen"}
    guest.request("PUT", "/account/password", change)
    with pytest.raises(RefusedByServer) as refused:
        http.request("GET", "/me/matches")
    assert refused.value.code == "auth/nobody"
