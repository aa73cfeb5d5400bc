"""What people read of a game is there in every language, or the battery says what is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tanistry
from tanistry.testing import check_game, check_words
from tests.packages import install

EN, FR = ["words/en.toml"], ["words/fr.toml"]
BOTH = EN + FR

ODD: list[tuple[list[str], str, str, str]] = [
    # in which files, instead of what, what stands there, and what is said
    (
        FR,
        '[decisions]\nplay = "Jouez une carte"',
        "",
        "decisions.play is in en.toml, and not in fr",
    ),
    (BOTH, "[decisions]", "[decided]", "en: no words at decisions.play"),
    (EN, "[rules.mute2.deal]", "[rules.mute2.dealt]", "is in en.toml, and not in fr.toml"),
    (BOTH, "[rules.mute3.deal]", "[rules.mute3.dealt]", "en: no words at rules.mute3.deal.title"),
    (BOTH, '\ntext = "', '\ntold = "', "en: no words at rules.mute4.deal.text"),
    (EN, "{seat} wins", "{saet} wins", "events.trick.default in en.toml and fr.toml: '{saet} wins"),
    (EN, "{seat} wins", "seat} wins", "Single '}' encountered in format string"),
    (BOTH, "{0}", "{1}", "en: hand.0 cannot be said: IndexError"),
    (BOTH, "{value}", "{valeu}", "en: H1 cannot be said: KeyError('valeu')"),
    (BOTH, "H = ", "S = ", "en: no words at cards.H1"),
    (BOTH, "[actions]", "[acts]", "en: no words at actions.play"),
    (BOTH, ' {card}"\n\n[', '"\n\n[', "en: 9 choices read 'play'"),
    (BOTH, "not_held", "unheld", "en: no words at refusals.not_held"),
    (BOTH, "turn = ", "turned = ", "en: no words at errors.position.turn"),
    (BOTH, "leader = ", "led = ", "en: no words at facts.leader"),
    (BOTH, "sums = ", "sum = ", "en: no words at tally.sums"),
    (BOTH, "true = ", "yes = ", "en: no words at options.low.values.true"),
    (BOTH, "[options.low]", "[options.lower]", "en: no words at options.low.name"),
    (EN, "Whether the lower sum wins.", "low", "not a title and a sentence: 'Low game', 'low'"),
    (EN, 'title = "', "title = 1 # ", "title is neither a text nor a table"),
]


@pytest.mark.parametrize("number", range(len(ODD)), ids=[odd[3] for odd in ODD])
def test_what_is_not_worded_is_said(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths, old, new, said = ODD[number]

    def change(files: dict[str, str]) -> None:
        for path in paths:
            assert old in files[path]
            files[path] = files[path].replace(old, new)

    install(f"mute{number}", tmp_path, monkeypatch, change)
    with pytest.raises(AssertionError, match=rf"{re.escape(said)}.*\(words\)$"):
        check_words(tanistry.game(f"mute{number}"))


@pytest.mark.parametrize(("name", "new"), [("ownerless", "{to_seat} plays"), ("small", "leads")])
def test_what_happens_is_told_in_sentences(
    name: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move to a place that is nobody's has no {to_seat}."""

    def change(files: dict[str, str]) -> None:
        for path, old in (*EN, "{from_seat} leads"), (*FR, "{from_seat} entame"):
            files[path] = files[path].replace(old, new)
        files["cards.py"] = files["cards.py"].replace('trick.0", "all", owner=0', 'trick.0", "all"')

    install(name, tmp_path, monkeypatch, change)
    with pytest.raises(AssertionError, match=rf"move is told '{new}.*\(words\)$"):
        check_game(tanistry.game(name).interpreted(), matches=1, audited=0)
