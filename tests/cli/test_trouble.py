"""What stops people: odd locales, full disks, taken ports, names that are nearly right."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from tanistry.cli.commands.serve import _warn_of_redis
from tanistry.cli.common import lines
from tanistry.cli.output import ascii_of, wants_ascii
from tanistry.kernel import INTERPRET
from tanistry.session.language import texts
from tests.packages import install

from .conftest import Command

COMMAND = [sys.executable, "-c", "from tanistry.cli import main; main()"]


def call(
    *arguments: str, stdout: int = subprocess.PIPE, **environment: str
) -> tuple[int, str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LC_CTYPE", "LANG")}
    done = subprocess.run(
        [*COMMAND, *arguments], stdout=stdout, stderr=subprocess.PIPE, env={**kept, **environment}
    )
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


@pytest.mark.parametrize(
    "environment", [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_output_without_accents(environment: dict[str, str]) -> None:
    status, out, err = call("rules", "claim", "follow", "--lang", "fr", **environment)
    assert (status, err) == (0, "")
    assert out.isascii()
    assert "la faction demandee" in out


def test_what_stands_for_other_characters() -> None:
    assert ascii_of("Échap… « 3 × 4 – où ? » ▲") == 'Echap... " 3 x 4 - ou ? " ?'


@pytest.mark.parametrize(
    ("environment", "plain"),
    [
        ({}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),  # as Python itself sets it
        ({"LANG": "C.UTF-8"}, False),
        ({"LC_ALL": "fr_FR.UTF-8", "LANG": "C"}, False),
        ({"LC_ALL": "POSIX", "LANG": "fr_FR.UTF-8"}, True),
    ],
)
def test_which_locales_are_plain(environment: dict[str, str], plain: bool) -> None:
    assert wants_ascii(environment) is plain


def test_rules_fit_a_narrow_terminal_and_stay_whole_in_a_pipe() -> None:
    text = "A word after another, " * 9 + "and the last."
    terminal, pipe = StringIO(), StringIO()
    lines(Console(file=terminal, force_terminal=True, width=60), Text(text), indent=2)
    lines(Console(file=pipe, width=60, soft_wrap=True), Text(text), indent=2)
    shown = terminal.getvalue().splitlines()
    assert len(shown) > 2
    assert all(line.startswith("  ") for line in shown)
    assert max(map(len, shown)) <= 60
    assert pipe.getvalue() == f"  {text}\n"


@pytest.mark.parametrize("width", range(20, 40))
def test_no_line_ends_before_a_colon_in_french(width: int) -> None:
    text = "Chacun pose une carte\u00a0: la plus forte gagne\u202f! Puis on pioche\u00a0: une."
    terminal = StringIO()
    lines(Console(file=terminal, force_terminal=True, width=width), Text(text))
    shown = [line.rstrip(" ") for line in terminal.getvalue().splitlines()]
    assert " ".join(shown) == text
    assert not any(line.startswith((":", "!")) for line in shown)


def test_no_colour_is_asked_for() -> None:
    colour = "36m"  # cyan
    assert colour in call("rules", "claim", TERM="xterm", FORCE_COLOR="1")[1]
    assert colour not in call("rules", "claim", TERM="xterm", FORCE_COLOR="1", NO_COLOR="1")[1]


def test_no_home() -> None:
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere", "TANISTRY_CACHE": ""}
    assert call("rules", "claim.follow", **nowhere)[0] == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    status, _, err = call("games", stdout=full)
    os.close(full)
    assert (status, err) == (
        74,
        "tanistry: The output cannot be written: no space is left.\n",
    )


@pytest.mark.skipif(os.name == "nt", reason="a shell there closes nothing")
@pytest.mark.parametrize(
    ("closed", "status", "out", "err"),
    [
        (">&-", 74, "", "tanistry: The output cannot be written: it is closed.\n"),
        ("2>&-", 0, "claim.end", ""),
        ("<&-", 0, "claim.end", ""),
        ("<&- >&- 2>&-", 74, "", ""),
    ],
)
def test_streams_that_the_shell_has_closed(closed: str, status: int, out: str, err: str) -> None:
    command = shlex.join([*COMMAND, "rules", "claim", "end"])
    done = subprocess.run(f"{command} {closed}", shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (status, err)
    assert done.stdout.startswith(out)


def test_a_broken_package_stops_its_own_game_alone(
    tanistry_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("gone", tmp_path, monkeypatch, lambda files: files.pop("words/fr.toml"))
    for arguments in (("play", "gone"), ("simulate", "Gone"), ("rules", "gone")):
        done = tanistry_command("--lang", "fr", *arguments)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith("tanistry: Le jeu du paquet gone ne peut pas être chargé")
    done = tanistry_command("games")
    assert "Schotten Totten" in done.out
    assert done.err.startswith("The game of the package gone cannot be loaded")
    assert done.status == 2
    assert tanistry_command("rules", "claim.follow").status == 0


@pytest.mark.skipif(INTERPRET, reason="nothing is compiled")
def test_rules_that_cannot_be_compiled_are_said_to_be_so_in_one_line(
    tanistry_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the hundred lines, in colours, of a compiler; and where there is more to read."""

    def change(files: dict[str, str]) -> None:
        files["rules.py"] = files["rules.py"].replace("s.to_act = s.first", "begin(s)")

    install("unbegun", tmp_path, monkeypatch, change)
    done = tanistry_command("simulate", "unbegun", "-n", "1")
    assert done.status == 70
    assert done.err == (
        "tanistry: The rules cannot be compiled (TypingError: NameError: name 'begin' is not "
        "defined). TANISTRY_INTERPRET=1 TANISTRY_DEBUG=1 shows the line, if plain Python fails "
        "there too.\n"
    )


def test_an_interrupted_simulation_tells_what_it_has_counted(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def ctrl_c(*_: object) -> Iterator[Callable[[list[int]], None]]:
        def show(done: list[int]) -> None:
            if any(done):
                raise KeyboardInterrupt

        yield show

    monkeypatch.setattr("tanistry.cli.commands.simulate.bars", ctrl_c)
    done = tanistry_command("simulate", "claim", "-n", "1000000000000", "--threads", "1", "--json")
    assert done.status == 130
    assert 0 < json.loads(done.out)["matches"] < 10**12


def test_an_interrupted_contest_tells_what_it_has_counted(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However early: bots are made ready before anything is played."""

    def ctrl_c(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tanistry.arena.runner.warm_up", ctrl_c)
    done = tanistry_command("arena", "claim", "random", "greedy")
    assert done.status == 130
    assert "greedy" in done.out
    assert done.err == "Not all matches were played.\n"


def test_a_rule_by_its_id_alone(tanistry_command: Command) -> None:
    done = tanistry_command("rules", "lords.claim")
    assert done.status == 0
    assert done.lines[0].startswith("lords.claim")


@pytest.mark.parametrize("name", ["Claim", "CLAIM", "King's Kilt"])
def test_games_by_any_capitals_or_title(tanistry_command: Command, name: str) -> None:
    assert tanistry_command("rules", name, "end").status == 0
    done = tanistry_command("play", name, "--plain", "--opponents", "random", typed="q\n")
    assert done.status == 0


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("play", "clam"), "Did you mean claim?"),
        (("simulate", "schoten"), "Did you mean schotten?"),
        (("rules", "lord", "scot"), "Did you mean lords?"),
        (("rules", "claim", "folow"), "Did you mean follow?"),
        (("plya", "claim"), "Did you mean play"),
        (("serve", "--port", "abc"), "--port: not a whole number"),
        (("simulate", "claim", "--jsno"), "Did you mean --json?"),
        (("help", "gmaes"), "Did you mean games?"),
        (("serve", "--bot-pause", "-1"), "--bot-pause cannot be"),
        (("simulate", "claim", "-n", "-5"), "-n cannot be"),
        (("simulate", "claim", "--matches=-5"), "--matches cannot be"),
        (("study", "claim", "--format", "xml"), "--format cannot be"),
        (("serve", "--host", "nosuchhost.invalid"), "nor an address of this machine"),
        (("serve", "--host", "192.0.2.1"), "nor an address of this machine"),
        (("admin",), "WHAT is missing. It is one of: backup, "),
    ],
)
def test_what_was_meant(tanistry_command: Command, arguments: tuple[str, ...], near: str) -> None:
    done = tanistry_command(*arguments)
    assert (done.status, done.out) == (2, "")
    assert near in done.err
    assert len(done.err.splitlines()) == 1


def test_a_variable_is_named_as_it_was_given(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TANISTRY_BOT_PAUSE", "-1")
    assert "TANISTRY_BOT_PAUSE cannot be" in tanistry_command("serve").err


@pytest.mark.parametrize(
    "complaint",
    [
        "No such option: --sede (Possible options: --seats, --seed)",
        "No such option: --sede Did you mean --seed?",
        "No such option '--sede'. Did you mean '--seed'?",
        "No such option '--sede'. (Did you mean one of: '--seats', '--seed'?)",
    ],
)
def test_every_parser_that_may_be_installed_is_understood(complaint: str) -> None:
    said = texts("fr").reworded(complaint)
    assert said.startswith("Il n'y a pas d'option --sede ici. Vouliez-vous dire --se")
    assert said[:-2].endswith("--seed")


def test_what_the_parser_says_is_in_ones_language(tanistry_command: Command) -> None:
    assert "Il manque WHAT" in tanistry_command("--lang", "fr", "admin").err
    assert "Vouliez-vous dire --json" in tanistry_command("simulate", "--lang=fr", "--jsno").err


@pytest.mark.parametrize(
    ("asked", "same"),
    [(("help",), ("--help",)), (("help", "play"), ("play", "--help"))],
)
def test_help_is_a_command_too(
    tanistry_command: Command, asked: tuple[str, ...], same: tuple[str, ...]
) -> None:
    for lang in ("en", "fr"):
        done = tanistry_command(*asked, "--lang", lang)
        assert done.status == 0
        assert done.out.rstrip() == tanistry_command("--lang", lang, *same).out.rstrip()


def test_a_taken_port(tanistry_command: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = tanistry_command("serve", "--port", port)
    assert (done.status, done.out) == (2, "")
    assert port in done.err
    assert len(done.err.splitlines()) == 1


def test_a_database_that_cannot_be(tanistry_command: Command) -> None:
    done = tanistry_command("serve", "--port", "0", "--database", "/no/such/folder/t.db")
    assert (done.status, done.out) == (2, "")
    assert "/no/such/folder/t.db cannot be used: there is no such file or folder." in done.err


def test_a_database_that_does_not_answer_is_missed_at_once(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("asyncpg")
    monkeypatch.setattr("tanistry.server.run.PATIENCE", 0.1)
    nobody = "postgresql://somebody:secret@127.0.0.1:1/games"
    done = tanistry_command("serve", "--port", "0", "--database", nobody)
    first, last = done.err.splitlines()
    assert "127.0.0.1:1/games cannot be used: nothing listens there. Trying again" in first
    assert "127.0.0.1:1/games cannot be used: nothing listens there." in last
    assert "secret" not in done.err


def test_an_address_that_cannot_be_served_is_refused_before_anybody_is_invited(
    tanistry_command: Command, tmp_path: Path
) -> None:
    database = str(tmp_path / "t.db")
    done = tanistry_command("serve", "--port", "0", "--database", database, "--metrics", "nowhere")
    assert (done.status, done.out) == (2, "")
    assert "'nowhere' is no address for metrics: write ADDRESS:PORT" in done.err
    done = tanistry_command("serve", "--port", "0", "--database", database, "--metrics", "x.y:1")
    assert "Metrics cannot be served at x.y:1" in done.err


def test_redis_is_missed_before_anything_else_is_done(tanistry_command: Command) -> None:
    nobody, nowhere = "redis://127.0.0.1:1/0", "/no/such/folder/t.db"
    done = tanistry_command("serve", "--port", "0", "--redis", nobody, "--database", nowhere)
    first, second = done.err.splitlines()
    assert "127.0.0.1:1" in first
    assert nowhere in second


def test_redis_that_does_not_answer(capsys: pytest.CaptureFixture[str]) -> None:
    _warn_of_redis("", texts("en"))
    _warn_of_redis("unix:///run/redis.sock", texts("en"))
    assert capsys.readouterr().err == ""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # nobody listens
        port = unused.getsockname()[1]
        _warn_of_redis(f"redis://:secret@127.0.0.1:{port}/0", texts("fr"))
    said = capsys.readouterr().err
    assert f"127.0.0.1:{port}" in said
    assert "secret" not in said
