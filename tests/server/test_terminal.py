"""`tanistry play --server` and `tanistry verify`: the terminal on a server."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tanistry.cli.app import run
from tanistry.client import Client
from tests.server.processes import Process


def test_play_on_a_server(
    server: Process, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\nK99\n" + "1\n" * 40))
    command = ["play", "claim", "--server", server.url, "--opponents", "random", "--lang", "fr"]
    assert run(command) == 0
    said = capsys.readouterr().out
    assert "n'est pas un choix de ce jeu" in said
    assert "\n1. " in said
    assert "{" not in said


def test_an_unreachable_server(capsys: pytest.CaptureFixture[str]) -> None:
    for url, lang, said in (
        ("http://127.0.0.1:9", "en", "No Tanistry server answers at http://127.0.0.1:9."),
        ("http://127.0.0.1:9", "fr", "Aucun serveur Tanistry ne répond à l'adresse http://"),
        ("ftp://here", "fr", "n'est pas l'adresse d'un serveur"),
    ):
        assert run(["play", "claim", "--server", url, "--lang", lang]) == 2
        err = capsys.readouterr().err
        assert said in err
        assert "Errno" not in err


def test_an_input_that_ends_ends_the_match_as_it_does_without_a_server(
    server: Process, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    command = ["play", "claim", "--server", server.url, "--opponents", "random", "--lang", "en"]
    assert run(command) == 2
    assert "The input ended before the match did." in capsys.readouterr().err


def test_what_the_client_needs_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "websockets", None)
    monkeypatch.delitem(sys.modules, "websockets.asyncio.client", raising=False)
    assert run(["play", "claim", "--server", "http://127.0.0.1:9", "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "(websockets is missing): pip install 'tanistry[client]'." in said


def test_verify_a_record(
    server: Process, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Client(server.url) as client:
        table = client.quick("claim", bot="random")
        shown = table.data["fairness"]["commitment"]
        while not table.over:
            table.play(table.legal[0])
        table.ended()
        record = client.request("GET", f"/tables/{table.id}/record")
    file = tmp_path / "match.txt"
    file.write_text(record)
    assert run(["verify", str(file), "--commitment", shown, "--lang", "en"]) == 0
    assert "All correct: claim, 52 choices" in capsys.readouterr().out
    assert run(["verify", str(file), "--commitment", "0" * 64]) == 2
    seed = record.partition('[Seed "')[2][:64]
    file.write_text(record.replace(seed, seed[:-1] + ("0" if seed[-1] != "0" else "1")))
    assert run(["verify", str(file), "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "not the seed that was committed to" in said
    assert "does not follow from the server's seed" in said
