"""How bots are written, and bots from outside: in a file, or in another package."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nowhere.py:Bot", "There is no Python file"),
        ("{file}:Nobody", "no class Nobody"),
        ("{file}:Silent", "no class Silent"),
        ("{file}:Last:3", "Allowed: 1, 2"),
        ("{file}:Last,depth=1", "Settings: pace, mood"),
        ("{broken}:Last", "SyntaxError"),
        ("ismcts,iterations=many", "1, 2, 3"),
        (None, "no way to write a bot"),
    ],
)
def test_refusals(mine: str, tmp_path: Path, text: str | None, says: str) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def choose(:")
    if text is not None:
        text = text.format(file=mine.rpartition(":")[0], broken=broken)
    with pytest.raises(tanistry.OptionError) as caught:
        BotSpec.read(text)
    assert says in str(caught.value)
