"""Whatever a person types: one clear line on the error output, status 2, never a traceback."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import heir
from tanistry.cli.prepare import with_patience
from tanistry.games import registry
from tanistry.kernel import INTERPRET
from tests.patience import PATIENCE

from .conftest import Command

PLAY = ("play", "claim", "--plain")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("play", "chess"), "claim"),
        (("rules", "chess"), "claim"),
        (("simulate", "chess"), "claim"),
        (("rules", "claim", "zzz"), "zzz"),
        (("rules", "claim.folow"), "'folow' or mentions it. Did you mean follow?"),
        ((*PLAY, "--seats", "3"), "2"),
        ((*PLAY, "--seats", "many"), "--seats"),
        ((*PLAY, "--option", "first=7"), "0, 1"),
        ((*PLAY, "--option", "frist=0"), "first"),
        ((*PLAY, "--option", "seats=2"), "write --seats 2."),
        ((*PLAY, "--option", "first"), "name=value"),
        ((*PLAY, "--seed", "-1"), "-1"),
        ((*PLAY, "--seed", "forty"), "64 hexadecimal digits"),
        ((*PLAY, "--seed", "g" * 64), "ggg"),
        ((*PLAY, "--seed", str(1 << 256)), "seed"),
        ((*PLAY, "--opponents", "hal"), "random"),
        ((*PLAY, "--opponents", "random:2"), "no levels"),
        ((*PLAY, "--opponents", "random:x"), "x"),
        ((*PLAY, "--seat", "5=random"), "0–1"),
        ((*PLAY, "--seat", "x=random"), "0–1"),
        ((*PLAY, "--seat", "1=hal"), "random"),
        ((*PLAY, "--name", "A", "--name", "B"), "2 times, but 1 person plays"),
        ((*PLAY, "--name", "A", "--name", "B", "--server", "http://127.0.0.1:9"), "2 times"),
        ((*PLAY, "--pace", "nan"), "--pace must be a number, at most 10."),
        ((*PLAY, "--join", "8dK3"), "--server"),
        ((*PLAY, "--server", "http://127.0.0.1:9", "--save", "match.txt"), "--save"),
        ((*PLAY, "--save", ""), "'' cannot be written"),
        ((*PLAY, "--lang", "de"), "--lang: 'de' is not one of en, fr."),
        (("play",), "GAME"),
        (("plya", "claim"), "plya"),
        (("play", "claim", "--loud"), "--loud"),
        (("puzzle", "claim", "x"), "tanistry: N: not a whole number"),
        (("replay", "no/such/file"), "no/such/file"),
        (("replay", "."), "."),
        (("replay", "-", "--eyes", "9"), "empty"),
        (("simulate", "claim", "-n", "-5"), "-5"),
        (("simulate", "claim", "-n", "x"), " -n: not a whole number"),
        (("simulate", "claim", "-n", str(1 << 60)), str(1 << 53)),
        (("simulate", "claim", "--device", "toaster"), "cpu"),
        (("simulate", "claim", "--threads", "0"), "threads"),
        (("simulate", "claim", "--policy", "ismcts"), "random, greedy, trained"),
        (("serve", "--database", ":memory:"), "':memory:'"),
        (("serve", "--bot-pause", "-1"), "0–60"),
        (("serve", "--grace", "nan"), "0–3600"),
        (("serve", "--origins", "https://a.example, foo"), "https://name:port"),
        (("serve", "--origins", "https://a.example/"), "https://name:port"),
        (("serve", "--hosts", "https://a.example"), "name:port"),
        (("serve", "--proxies", "127.0.0.1, caddy"), "'caddy'. Allowed: 192.0.2.7, 192.0.2.0/24"),
        (("serve", "--proxies", "*, 127.0.0.1"), "192.0.2.0/24"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_one_line_and_status_2(
    tanistry_command: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    named: str,
    lang: str,
) -> None:
    monkeypatch.setenv("LANG", lang)
    done = tanistry_command(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1, done.err
    assert named in done.err or lang == "fr"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("simulate", "heir", "-p", "greedy"), "heir has no policy.py, by which 'greedy' would"),
        (("simulate", "heir", "-p", "trained"), "heir has no network. These games have one: claim"),
        (("puzzle", "heir"), "finds some in games that have a network: claim, kilt"),
    ],
)
def test_what_a_game_lacks_is_said_at_once(
    tanistry_command: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.setitem(registry._registered, "heir", heir.INFO)
    done = tanistry_command(*arguments)
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert said in done.err


@pytest.mark.skipif(INTERPRET, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["chess"], "claim"), (["--loud"], "--loud")],
)
def test_engines_that_cannot_be_built(
    tanistry_command: Command, arguments: list[str], named: str
) -> None:
    done = tanistry_command("build-wasm", *arguments)
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert named in done.err


@pytest.mark.skipif(INTERPRET, reason="nothing is compiled")
def test_engines_where_no_folder_can_be(tanistry_command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in ("file", "file/deeper"):
        done = tanistry_command("build-wasm", "claim", "--out", str(tmp_path / folder))
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
        assert "cannot be written" in done.err


@pytest.mark.skipif(INTERPRET, reason="nothing is compiled")
def test_without_the_linker_it_is_said_what_to_install(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tanistry.kernel.wasm.linker_is_here", lambda: False)
    done = tanistry_command("build-wasm", "--out", str(tmp_path / "engines"))
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "pip install 'tanistry[wasm]'" in done.err
    assert not (tmp_path / "engines").exists()


def test_binary_file(tanistry_command: Command, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    done = tanistry_command("replay", str(tmp_path / "x"))
    assert done.status == 2
    assert "not a text file" in done.err


def test_broken_record(tanistry_command: Command) -> None:
    done = tanistry_command("replay", "-", typed='[Game "claim"]\n\n0: K7\n')
    assert done.status == 2
    assert "lacks the header" in done.err


def test_file_that_cannot_be_written(tanistry_command: Command) -> None:
    done = tanistry_command(
        *PLAY, "--opponents", "random", "--save", "/proc/no/such/folder/x", typed="q\n"
    )
    assert done.status == 2
    assert len(done.err.splitlines()) == 1


def test_where_one_may_not_even_look(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when somebody looks for the database of the server's own user."""

    def look(_path: Path) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "locked/x")

    monkeypatch.setattr(Path, "is_file", look)
    done = tanistry_command("--lang", "en", "admin", "check", "--database", "locked/x")
    assert done.status == 2
    assert done.err == "tanistry: locked/x cannot be used: not permitted.\n"


def test_a_folder_that_is_missing_is_made(tanistry_command: Command, tmp_path: Path) -> None:
    """For every file that is asked for, whatever the command."""
    kept = tmp_path / "some/folder/match.txt"
    done = tanistry_command(*PLAY, "--opponents", "random", "--save", str(kept), typed="q\n")
    assert done.status == 0
    assert kept.is_file()


def test_long_work_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it takes until something is said."""
    said = threading.Event()

    class Heard(io.StringIO):
        def flush(self) -> None:
            said.set()

    monkeypatch.setattr("sys.stderr", Heard())
    monkeypatch.setattr("tanistry.cli.prepare.PATIENCE", 0.01)
    assert with_patience(lambda: said.wait(PATIENCE) and 3, "Preparing…") == 3
    assert sys.stderr.getvalue() == "Preparing…\n"  # type: ignore[attr-defined]
    with pytest.raises(ZeroDivisionError):
        with_patience(lambda: 1 // 0, "Preparing…")


def test_a_fault_of_ours_is_one_line_too(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("a\nb")

    monkeypatch.setattr("tanistry.games.registry.games", fail)
    done = tanistry_command("games")
    assert done.status == 70
    assert len(done.err.splitlines()) == 1
    assert "RuntimeError" in done.err


COMMAND = [sys.executable, "-c", "from tanistry.cli import main; main()"]


@pytest.mark.parametrize("arguments", [("rules", "claim", "--full"), ("games",)])
def test_closed_pipe_is_quiet(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*COMMAND, *arguments], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141  # what a shell reports; rich and the parser would end with 1


LOADING = """
import os, signal, sys
_, wanted, *sys.argv[1:] = sys.argv
class Interrupted:
    def find_spec(self, name, *_):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupted())
from tanistry.cli import main
main()
"""


@pytest.mark.parametrize(
    "module", ["tanistry.errors", "tanistry.cli.app", "typer", "tanistry.cli.front", "numpy"]
)
def test_interrupt_while_loading_is_quiet(module: str) -> None:
    command = [sys.executable, "-c", LOADING, module, "simulate", "claim", "-n", "10"]
    done = subprocess.run(command, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_interrupt_is_quiet() -> None:
    command = [*COMMAND, "play", "claim", "--plain", "--opponents", "random"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert any(line.startswith(b"1. ") for line in process.stdout)  # it asks for a choice
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in errors
