"""What the server writes to its log, at its most talkative: no seed, card, cookie or password."""

from __future__ import annotations

import re
from pathlib import Path

import tanistry
from tanistry.client import Client, RefusedByServer
from tests.server.processes import Process

PASSWORD = "correct-horse-battery"


def test_logs_hold_no_secrets(tmp_path: Path) -> None:
    process = Process(tmp_path, log_level="debug", access_log=True).start()
    try:
        with Client(process.url, name="Ailsa") as client:
            client.request("POST", "/account", {"login": "ailsa", "password": PASSWORD})
            cookie = client.cookie
            table = client.quick("claim", bot="random")
            refused_once = False
            while not table.over:
                try:
                    table.play(table.legal[0] if refused_once else "Z9")
                except RefusedByServer:
                    refused_once = True
            table.ended()
            record = client.request("GET", f"/tables/{table.id}/record")
    finally:
        process.stop()
    log = process.log.read_text()
    match = tanistry.replay(record)
    assert "/api/v1/account" in log, "it was not talkative at all"
    assert cookie
    assert PASSWORD not in log
    assert cookie not in log
    assert cookie.partition(".")[0] not in log
    assert match._key.hex() not in log
    assert repr(match._key) not in log
    cards = {code for _, code in match.history}
    assert not cards & set(re.findall(r"\b[GKUDX]\d\b", log))
