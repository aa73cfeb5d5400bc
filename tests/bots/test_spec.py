"""How bots are written, and bots from outside: in a file, or in another package."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import tanistry
from tanistry.arena import Contest, run
from tanistry.bots import BotSpec, bots, registry

MINE = '''
class Last:
    """Plays the last legal token, and boasts of what it was given."""

    levels = (1, 2)
    default_level = 2
    version = 7
    given = []

    def __init__(self, *, seed, level, pace=1.0, mood="calm"):
        self.level, self.pace, self.mood = level, pace, mood

    def choose(self, match):
        self.given.append(match)
        return match.legal()[-1]


class Silent:
    pass
'''


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine,too.py"
    path.write_text(MINE)
    return f"{path}:Last"


def test_a_spec_is_read() -> None:
    spec = BotSpec.read("ismcts:4,exploration=0.5,iterations=30")
    assert (spec.name, spec.level) == ("ismcts", 4)
    assert dict(spec.settings) == {"exploration": 0.5, "iterations": 30}
    assert BotSpec.read(spec.text) == spec
    assert BotSpec.read("ismcts,iterations=30,exploration=0.5") == BotSpec.read(
        "ismcts:3,exploration=0.5,iterations=30"
    )


def test_one_way_to_write_a_bot() -> None:
    match = tanistry.game("claim").deal(seed=1)
    ways = [
        tanistry.bot("ismcts:4,iterations=30", seed=1),
        tanistry.bot("ismcts", level=4, seed=1, iterations=30),
        tanistry.bot("ismcts:4", seed=1, iterations=30),
    ]
    assert {way.name for way in ways} == {"ismcts:4,iterations=30"}
    assert len({way.choose(match) for way in ways}) == 1


@pytest.mark.parametrize("text", ["ismcts,", "ismcts:3,", "ismcts:3,,blunder=0"])
def test_a_setting_is_not_left_empty(text: str) -> None:
    with pytest.raises(tanistry.OptionError, match="setting=value"):
        tanistry.bot(text)


def test_a_bot_in_a_file(mine: str) -> None:
    bot = tanistry.bot(f"{mine}:1,pace=2,mood=bold")
    assert (bot.player.level, bot.player.pace, bot.player.mood) == (1, 2, "bold")
    match = tanistry.game("claim").deal(seed=1)
    assert bot.choose(match) == match.legal()[-1]
    given = type(bot.player).given[-1]
    assert given.view(0) == match.view(0)
    assert given.position() != match.position()


def test_a_bot_in_a_file_enters_a_contest(mine: str) -> None:
    contest = Contest.of("claim", [mine, f"{mine}:1", "random"], games=2)
    results = run(contest, workers=1)
    assert results.duel(mine, "random").matches == 2
    assert contest.versions() == {mine: 7, "random": 1}


def test_a_bot_of_another_package(mine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = registry.class_of(mine)
    point = EntryPoint("last", f"{found.__module__}:Last", registry.GROUP)
    monkeypatch.setattr(registry, "_installed", lambda: {"last": point})
    assert {"greedy", "last"} <= set(bots())
    assert tanistry.bot("last").name == "last:2"


PROGRAM = """#!{python}
import json, sys
for line in sys.stdin:
    with open({log!r}, "a") as log:
        log.write(line)
    view = json.loads(line)["view"]
    print(json.dumps({{"type": "play", "token": view["legal"][-1]}}), flush=True)
"""


def program(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(os.name == "nt", reason="scripts are run by their first line")
def test_a_program_of_any_language(tmp_path: Path) -> None:
    """It hears what a client would at its seat, and two contestants may be programs."""
    log = tmp_path / "log"
    text = PROGRAM.format(python=sys.executable, log=str(log))
    name = program(tmp_path / "player", text)
    bot = tanistry.bot(name, seed=1)
    match = tanistry.game("claim").deal(seed=1)
    assert bot.choose(match) == match.legal()[-1]
    match.play(match.legal()[0])
    assert bot.choose(match) == match.legal()[-1]
    heard = [json.loads(line) for line in log.read_text().splitlines()]
    assert [one["type"] for one in heard] == ["state", "state"]
    assert heard[1]["view"] == json.loads(json.dumps(match.view(1)))
    changed = program(tmp_path / "other", text + "# another one\n")
    assert registry.version(name) != registry.version(changed)


@pytest.mark.skipif(os.name == "nt", reason="scripts are run by their first line")
@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("pass", "but with ''"),
        ("print('G1', flush=True)", "but with 'G1'"),
        ('print(\'{"type": "play", "token": "Z9"}\', flush=True)', "Z9"),
    ],
)
def test_a_program_that_does_not_answer(tmp_path: Path, does: str, says: str) -> None:
    name = program(tmp_path / "player", f"#!{sys.executable}\ninput()\n{does}\n")
    with pytest.raises(tanistry.OptionError) as caught:
        tanistry.bot(name).choose(tanistry.game("claim").deal(seed=1))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nowhere.py:Bot", "There is no Python file"),
        ("{file}:Nobody", "no class Nobody"),
        ("{file}:Nobody", "Classes that have one: Last."),
        ("{file}:Silent", "no class Silent"),
        ("{file}:Last:3", "Allowed: 1, 2"),
        ("{file}:Last,depth=1", "Settings: pace, mood"),
        ("{broken}:Last", "SyntaxError"),
        ("./nowhere", "There is no program"),
        ("{broken}", "SyntaxError"),
        ("nowhere.py", "There is no Python file"),
        ("{program}", "If it is a program, make it executable"),
        ("./nowhere.py", "There is no Python file"),
        ("ismcts,iterations=many", "1, 2, 3"),
        (None, "does not name a bot"),
    ],
)
def test_refusals(mine: str, tmp_path: Path, text: str | None, says: str) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def choose(:")
    program = tmp_path / "program.py"
    program.write_text("raise SystemExit(0)")  # it is read, not run
    if text is not None:
        text = text.format(file=mine.rpartition(":")[0], broken=broken, program=program)
    with pytest.raises(tanistry.OptionError) as caught:
        BotSpec.read(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(("name", "helped"), [("player.pt", True), ("net", True), ("hal", False)])
def test_a_file_by_itself_is_no_bot_and_it_is_said_how_one_is_written(
    name: str, helped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net").touch()
    with pytest.raises(tanistry.OptionError) as caught:
        tanistry.bot(name)
    for part in ("mine.py:MyBot", "trained,network=FILE", "./program"):
        assert (part in str(caught.value)) is helped
    assert "ismcts" in str(caught.value)


FAULTY = """import sys
from tanistry.bots.players.random import BOT as Imported

class Unseeded:
    def choose(self, match):
        return match.legal()[0]

class Unlevelled:
    levels = (1,)
    default_level = 1
    def __init__(self, *, seed): ...
    def choose(self, match): ...

class Unmade:
    def __init__(self, *, seed):
        self.depth = seed["depth"]
    def choose(self, match): ...

class Failing:
    def __init__(self, *, seed): ...
    def choose(self, match):
        return self.best(match)
    def best(self, match):
        return match.legal()[1 // 0]

class Cheating(Failing):
    def best(self, match):
        return "Z9"

class Leaving(Failing):
    def best(self, match):
        sys.exit(3)

class Absent(Unmade):
    def __init__(self, *, seed):
        raise SystemExit

class Stopped(Failing):
    def best(self, match):
        raise KeyboardInterrupt

class Late(Failing):
    def best(self, match):
        if len(match.view(match.to_act)["legal"]) < 6:
            raise KeyError("late")
        return match.legal()[0]
"""


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY)
    return str(path)


@pytest.mark.parametrize(
    ("called", "says"),
    [
        (":Unseeded", "__init__(self, *, seed),"),
        (":Unlevelled", "__init__(self, *, seed, level),"),
        (":Unmade", "failed at {file}:16: TypeError"),
        (":Failing", "failed at {file}:24: ZeroDivisionError: "),
        (":Cheating", "chose 'Z9', which is not legal"),
        (":Leaving", "failed at {file}:32: SystemExit: 3"),
        (":Absent", "failed at {file}:36: SystemExit"),
        ("", "faulty.py:Late."),
        ("", "choose(match): faulty.py:Unseeded,"),
    ],
)
def test_a_fault_of_a_bot_is_told_to_who_wrote_it(faulty: str, called: str, says: str) -> None:
    with pytest.raises(tanistry.OptionError) as caught:
        tanistry.bot(faulty + called, seed=1).choose(tanistry.game("claim").deal(seed=1))
    for lang in ("en", "fr"):
        assert faulty + called in caught.value.message(lang)
    assert says.format(file=faulty) in str(caught.value)


def test_a_file_that_leaves_when_it_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "leaving.py"
    path.write_text("import sys\nsys.exit('bye')\n")
    with pytest.raises(tanistry.OptionError, match=r"leaving\.py:2 .*SystemExit: bye"):
        tanistry.bot(f"{path}:MyBot")


def test_ctrl_c_is_no_fault_of_a_bot(faulty: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        tanistry.bot(f"{faulty}:Stopped").choose(tanistry.game("claim").deal(seed=1))


def test_a_fault_in_a_worker_process(faulty: str) -> None:
    with pytest.raises(tanistry.OptionError, match="KeyError: 'late'"):
        run(Contest.of("claim", [f"{faulty}:Late", "random"], games=2), workers=1)


def test_a_fault_of_ours_is_not_somebody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise RuntimeError("no idea")

    monkeypatch.setattr(registry.class_of("random"), "choose", fail)
    with pytest.raises(RuntimeError):
        tanistry.bot("random").choose(tanistry.game("claim").deal(seed=1))


def test_a_package_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("lost", "no_such_package:Bot", registry.GROUP)
    monkeypatch.setattr(registry, "_installed", lambda: {"lost": point})
    with pytest.raises(tanistry.OptionError, match="no_such_package:Bot cannot be loaded"):
        tanistry.bot("lost")
