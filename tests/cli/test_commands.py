"""`tanistry games`, `rules`, `simulate`, `replay`, the help, and the language."""

from __future__ import annotations

import errno
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import tanistry
from tanistry.session.language import asked_for, from_locale, texts

from .conftest import Command


def test_version(tanistry_command: Command) -> None:
    assert tanistry_command("--version").out.strip() == f"tanistry {tanistry.__version__}"


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from tanistry.cli.app import run; run(['--help']);"
        "heavy = {'numba', 'numpy', 'textual', 'fastapi'} & set(sys.modules);"
        "sys.exit(','.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_games(tanistry_command: Command) -> None:
    done = tanistry_command("games")
    assert done.status == 0
    for name, info in tanistry.games().items():
        assert any(line.startswith(name) and info.title["en"] in line for line in done.lines)
        for meaning in (info.meanings[option.name]["en"] for option in info.options):
            assert meaning in done.out


def test_games_says_each_thing_once_and_every_default(tanistry_command: Command) -> None:
    for lang, first, target in (
        ("en", "0 (default)  Player 1 begins.", "40 (default)  "),
        ("fr", "0 (par défaut)  Le joueur 1 commence.", "40 (par défaut)  "),
    ):
        shown = [line.strip() for line in tanistry_command("games", "--lang", lang).lines]
        assert shown.count(first) == len(tanistry.games())
        assert any(line.startswith(target) for line in shown)


def test_every_option_has_a_meaning_in_every_language() -> None:
    for info in tanistry.games().values():
        named = [option.name for option in info.options]
        assert list(info.meanings) == ["seats", "first", *named]
        for meaning in info.meanings.values():
            assert set(meaning) == {"en", "fr"}
            assert all(" " in text for text in meaning.values()), "a sentence, not a key"


def test_the_command_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tanistry", "--version"], capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == (f"tanistry {tanistry.__version__}", "")


def test_rules_lists_all_ids(tanistry_command: Command) -> None:
    done = tanistry_command("rules", "claim")
    assert [line.split()[0] for line in done.lines] == list(tanistry.info("claim").rules)


@pytest.mark.parametrize("wanted", ["claim.knight", "knight"])
def test_one_rule_by_id(tanistry_command: Command, wanted: str) -> None:
    done = tanistry_command("rules", "claim", wanted)
    assert done.lines[0].startswith("claim.knight")
    assert len(done.lines) == 2


def test_rules_are_searched_without_accents_and_capitals(tanistry_command: Command) -> None:
    done = tanistry_command("rules", "claim", "DOPPELGANGER", "undead")
    assert "claim.undead" in done.out
    assert "claim.phase2" not in done.out


def test_rules_in_french(tanistry_command: Command) -> None:
    done = tanistry_command("rules", "claim", "follow", "--lang", "fr")
    assert "faction" in done.out
    assert "must" not in done.out


def test_simulate(tanistry_command: Command) -> None:
    done = tanistry_command("simulate", "claim", "-n", "200", "--seed", "1")
    assert done.status == 0
    assert "200" in done.out
    assert "Player 1 wins" in done.out
    assert "Player 2 wins" in done.out
    assert "Seat" not in done.out


def test_simulate_shows_the_whole_seed_in_a_narrow_terminal(
    tanistry_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    seed = "7f0b" * 16
    done = tanistry_command("simulate", "claim", "-n", "20", "--seed", seed)
    assert f"Seed: {seed}" in done.lines


def test_simulate_json_is_the_simulation(tanistry_command: Command) -> None:
    done = tanistry_command("simulate", "claim", "-n", "200", "--seed", "1", "--json")
    counts = json.loads(done.out)
    same = tanistry.simulate(tanistry.game("claim"), 200, seed=1)
    assert counts["wins"] == same.wins
    assert counts["steps"] == same.steps
    assert sum(counts["lengths"].values()) == 200


def record(choices: int = 1000) -> str:
    match = tanistry.game("claim").deal(seed=7)
    while match.to_act is not None and len(match.history) < choices:
        match.play(match.legal()[0])
    return match.record(Seat0="Ann", Seat1="Bob")


def test_replay_tells_every_choice_and_the_result(
    tanistry_command: Command, tmp_path: Path
) -> None:
    (tmp_path / "match.txt").write_text(record())
    done = tanistry_command("replay", str(tmp_path / "match.txt"))
    assert done.status == 0
    assert sum(line.split("/")[0].isdecimal() for line in done.lines) == 52
    assert "Ann" in done.lines[-7] + done.lines[-6]
    assert done.lines[-1].startswith("Doppelgängers: ")
    assert "a card" not in done.out


def test_replay_with_one_seats_eyes(tanistry_command: Command) -> None:
    done = tanistry_command("replay", "-", "--eyes", "1", typed=record())
    assert any("Ann takes a card" in line for line in done.lines)
    assert not any("Bob takes a card" in line for line in done.lines)


def test_a_commitment_is_compared_as_it_was_copied(tanistry_command: Command) -> None:
    """With spaces and capitals; what is none accuses nobody."""
    text = record()
    (promised,) = re.findall(r'Commitment "(\w+)"', text)

    def verify(shown: str) -> tuple[int, str]:
        done = tanistry_command("verify", "-", "--commitment", shown, typed=text)
        return done.status, done.err

    assert verify(f" {promised[:32]} {promised[32:].upper()}\n") == (0, "")
    for shown in ("", "zz", promised[:63]):
        status, said = verify(shown)
        assert status == 2
        assert "64 hexadecimal digits" in said
    assert "committed to" in verify(promised[::-1])[1]


def test_replay_of_an_unfinished_match(tanistry_command: Command) -> None:
    done = tanistry_command("replay", "-", typed=record(3))
    assert done.lines[-1] == texts("en")("replay.unfinished")


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB"}, "en"),
        ({"LC_MESSAGES": "fr_CA", "LANG": "C"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR"}, "en"),
    ],
)
def test_language_of_the_locale(environment: dict[str, str], lang: str) -> None:
    assert from_locale(environment) == lang


def test_language_of_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert asked_for(["games", "--lang", "fr"]) == "fr"
    assert asked_for(["games", "--lang=fr"]) == "fr"
    assert asked_for(["games"]) == "en"
    assert asked_for(["games", "--lang"]) == "en"


def test_both_languages_have_the_same_texts() -> None:
    def keys(tree: object, path: str = "") -> set[str]:
        if not isinstance(tree, dict):
            return {path}
        return {key for name, value in tree.items() for key in keys(value, f"{path}.{name}")}

    assert keys(texts("en").tree) == keys(texts("fr").tree)


# -- a new game -----------------------------------------------------------------------------------


def test_new_game_writes_the_example_under_a_name(
    tanistry_command: Command, tmp_path: Path
) -> None:
    done = tanistry_command("new-game", "thistle", "--out", str(tmp_path / "mine"))
    assert (done.status, done.err) == (0, "")
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert {"mine/pyproject.toml", "mine/test_thistle.py", "mine/thistle/rules.py"} <= written
    for name in written:
        text = (tmp_path / name).read_text("utf-8")
        assert "/words/" in name or not re.search("(?<![a-z])heir", text, re.IGNORECASE), name


def test_new_game_named_as_in_the_tutorial_is_the_tutorial() -> None:
    from tanistry.cli.commands.new_game import files

    source = Path(__file__).parents[2] / "examples/heir"
    for name, text in files("heir").items():
        assert text == (source / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("claim", "already"),
        ("numpy", "taken"),
        ("common", "taken"),
        ("class", "cannot name"),
        ("../up", "cannot name"),
        ("Crown", "cannot name"),
        ("", "cannot name"),
        ("a" * 25, "cannot name"),
    ],
)
def test_new_game_refuses_a_bad_name(
    tanistry_command: Command, tmp_path: Path, name: str, why: str
) -> None:
    done = tanistry_command("new-game", name, "--out", str(tmp_path / "mine"))
    assert done.status == 2
    assert why in done.err
    assert not (tmp_path / "mine").exists()


def test_new_game_says_what_its_options_mean() -> None:
    from tanistry.cli.commands.new_game import files

    for lang in ("en", "fr"):
        (said,) = tomllib.loads(files("thistle")[f"thistle/words/{lang}.toml"])["options"].values()
        assert said["values"].keys() == said["meanings"].keys() == {"true", "false"}


def test_a_folder_is_no_module(
    tanistry_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "thistle").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    done = tanistry_command("new-game", "thistle")
    assert done.status == 2
    assert "already exists" in done.err


def test_half_a_new_game_is_not_left_behind(
    tanistry_command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_text

    def until_the_disk_is_full(path: Path, *given: Any, **named: Any) -> int:
        if path.name == "rules.py":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, *given, **named)

    monkeypatch.setattr(Path, "write_text", until_the_disk_is_full)
    done = tanistry_command("new-game", "thistle", "--out", str(tmp_path / "mine"))
    assert (done.status, "no space is left" in done.err) == (2, True)
    assert not (tmp_path / "mine").exists()


def test_new_game_overwrites_nothing(tanistry_command: Command, tmp_path: Path) -> None:
    done = tanistry_command("new-game", "thistle", "--out", str(tmp_path))
    assert done.status == 2
    assert "already exists" in done.err
    done = tanistry_command("--lang", "fr", "new-game", "thistle", "--out", "/proc/nowhere/x")
    assert done.status == 2
    assert done.err.count("\n") == 1


# -- how to be reached ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "network", "opened", "more"),
    [
        ("127.0.0.1", "10.0.0.5", "http://127.0.0.1:8000/", "--host 0.0.0.0"),
        ("0.0.0.0", "10.0.0.5", "http://10.0.0.5:8000/", "on your network"),
        ("0.0.0.0", "", "http://127.0.0.1:8000/", ""),
        ("::1", "", "http://[::1]:8000/", "--host 0.0.0.0"),
        ("games.example", "10.0.0.5", "http://games.example:8000/", ""),
    ],
)
def test_serve_says_how_to_be_reached(
    monkeypatch: pytest.MonkeyPatch, host: str, network: str, opened: str, more: str
) -> None:
    from tanistry.cli.commands import serve

    monkeypatch.setattr(serve, "network_address", lambda: network)
    said = serve.how_to_reach(host, 8000, texts("en"))
    assert f"Open {opened} in a browser" in said
    assert more in said
    assert bool(more) == ("\n" in said)


def test_the_address_in_the_network_is_no_loopback() -> None:
    from tanistry.cli.commands.serve import network_address

    assert not network_address().startswith("127.")
