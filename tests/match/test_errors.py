"""Bad input gets one clear error that says what is wrong and what is allowed."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import tanistry
from tanistry import OptionError, PositionError, RecordError, SeatError, SeedError, TanistryError
from tanistry.catalogue import catalogue
from tanistry.games import registry
from tests.packages import Change, install

GAME = tanistry.game("claim")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("chess", {}, ["chess", "claim"]),
        (["claim"], {}, ["['claim']", "claim, kilt"]),
        ("claim", {"seats": 5}, ["claim", "5", "2"]),
        ("claim", {"first": 7}, ["first", "7", "0, 1"]),
        ("lords", {"edition": 2010}, ["edition", " 2010", "'2015', '2010'"]),
        ("claim", {"colour": "red"}, ["colour", "seats", "first"]),
    ],
)
def test_unknown_games_options_and_values(
    name: Any, options: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(OptionError) as wrong:
        tanistry.game(name, **options)
    for lang in ("en", "fr"):
        message = wrong.value.message(lang)
        assert all(word in message for word in words), message
    assert isinstance(wrong.value, ValueError)


BROKEN: dict[str, tuple[Change, str]] = {
    "untold": (lambda files: files.pop("words/fr.toml"), "FileNotFoundError: .*words/fr.toml"),
    "unquoted": (
        lambda files: files.update({"words/fr.toml": "title = The Ford"}),
        r"ValueError: .*words/fr.toml: Invalid value \(at line 1, column 9\)",
    ),
    "unsaid": (lambda files: files.update({"__init__.py": "x = = 3"}), "SyntaxError: "),
    "unruled": (lambda files: files.update({"rules.py": "deal = shuffle"}), "NameError: "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_package_whose_game_cannot_be_loaded_is_named_and_stops_no_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, reason = BROKEN[name]
    install(name, tmp_path, monkeypatch, change)
    for _ in range(2):
        with pytest.raises(OptionError, match=f"package {name} cannot be loaded: {reason}"):
            tanistry.game(name)
    assert {"claim", "kilt", "lords", "schotten"} <= set(tanistry.games())
    assert set(registry.broken()) == {name} - set(tanistry.games())


def test_a_file_of_texts_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "unreadable_game"
    (package / "words").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "words/en.toml").write_text("title = = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match=r"en\.toml: Invalid value \(at line 1, column 9\)"):
        catalogue("en", "unreadable_game")


@pytest.mark.parametrize("seed", [-1, 1 << 256, b"short", "42", 1.5, True])
def test_seeds(seed: Any) -> None:
    with pytest.raises(SeedError, match="is not a seed"):
        GAME.deal(seed)


@pytest.mark.parametrize("seat", [2, -1, "0", True])
def test_seats(seat: Any) -> None:
    for look in (GAME.deal(1).view, GAME.deal(1).blind):
        with pytest.raises(SeatError, match="no seat"):
            look(seat)


def change(position: dict[str, Any], what: str) -> Any:
    """One thing wrong with a position that was right."""
    places, facts = position["places"], position["facts"]
    match what:
        case "a card twice":
            places["hand.0"][0] = places["hand.0"][1]
        case "a card missing":
            places["hand.0"].pop()
        case "no such card":
            places["hand.0"][0] = "Q9"
        case "not a card":
            places["hand.0"][0] = 7
        case "seven cards in a trick":
            places["trick.0"] = [places["deck"].pop() for _ in range(7)]
        case "a short hand":
            places["deck"].append(places["hand.0"].pop())
        case "no such place":
            places["pocket"] = [places["deck"].pop()]
        case "no such seat":
            position["to_act"] = 2
        case "no such decision":
            position["decision"] = "bid"
        case "the wrong turn":
            position["to_act"] = 1
        case "a phase too many":
            facts["phase"] = 3
        case "a trick too many":
            facts["trick"] = 14
        case "a trick too late":
            facts["trick"] = 5
        case "a fact missing":
            del facts["leader"]
        case "a fact too many":
            facts["mood"] = "good"
        case "a flag":
            places["hand.0"][0] = {"card": places["hand.0"][0], "up": True}
        case "a stranger who knows":
            places["hand.0"][0] = {"card": places["hand.0"][0], "known": [4]}
        case "a prize nobody sees":
            places["prize"] = [{"card": places["prize"][0], "known": []}]
        case "a hand its seat does not see":
            places["hand.1"] = [{"card": code, "known": [0]} for code in places["hand.1"]]
        case "an option this game does not have":
            position["options"] = {"edition": "2015"}
        case "another game":
            position["game"] = "lords"
        case "another number of seats":
            position["seats"] = 3
        case "other options":
            position["options"] = {"first": 1}
        case "a part too many":
            position["comment"] = "hello"
        case "places as a list":
            position["places"] = []
        case "a place as a text":
            places["hand.0"] = "G0 G1"
        case "no position":
            return ["claim"]
        case "already over":
            position |= {"to_act": None, "decision": ""}
    return position


@pytest.mark.parametrize(
    "what",
    [
        "a card twice", "a card missing", "no such card", "not a card", "seven cards in a trick",
        "a short hand", "no such place", "no such seat", "no such decision", "the wrong turn",
        "a phase too many", "a trick too many", "a trick too late", "a fact missing",
        "a fact too many", "a flag", "a stranger who knows", "a prize nobody sees",
        "a hand its seat does not see", "an option this game does not have", "another game",
        "another number of seats", "other options", "a part too many", "places as a list",
        "a place as a text", "no position", "already over",
    ],
)  # fmt: skip
def test_positions_that_cannot_be(what: str) -> None:
    position = GAME.deal(5).position()
    GAME.setup(copy.deepcopy(position))
    with pytest.raises(PositionError) as wrong:
        GAME.setup(change(copy.deepcopy(position), what))
    for lang in ("en", "fr"):
        assert " " in wrong.value.message(lang)
        assert "{" not in wrong.value.message(lang)


def test_positions_that_can_be() -> None:
    match = GAME.deal(5)
    position = match.position()
    position["options"] = {}
    assert GAME.setup(position).position() == match.position()
    known = copy.deepcopy(match.position())
    known["places"]["hand.0"][0] = {"card": known["places"]["hand.0"][0], "known": [0, 1]}
    assert known["places"]["hand.0"][0]["card"] in GAME.setup(known).view(1)["places"]["hand.0"]


def finished() -> str:
    match = GAME.deal(9)
    while match.to_act is not None:
        match.play(match.legal()[0])
    return match.record(Event="Test", White="no")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('[Game "claim"]\n', "", "lacks the header Game"),
        ('[Game "claim"]', '[Game "chess"]', "no game"),
        ('[Version "1"]\n', "", "lacks the header Version"),
        ('[Version "1"]', '[Version "99"]', "version 99"),
        ('[Seats "2"]', '[Seats "two"]', "cannot be read"),
        ('[Seats "2"]', '[Seats "4"]', "claim is for 2 players, not for 4"),
        ('[Options "first=0"]', '[Options "first=5"]', "first cannot be"),
        ('[Options "first=0"]', '[Options "colour=red"]', "no option"),
        ('[Seed "09', '[Seed "0a', "does not match its commitment"),
        ('[Seed "09', '[Seed "0', "cannot be read"),
        ("\n0: ", "\n1: ", "a choice by seat 1"),
        ("\n0: ", "\n0: ZZ", "is not legal"),
        ("\n0: ", "\nzero: ", "neither a header nor a choice"),
        ("\n0: ", "\n\x01\ufffdPNG: ", "is unreadable: this is no text"),
        ('[Result "', '[Result "9', "claims the result"),
    ],
)
def test_records_that_do_not_hold(old: str, new: str, reason: str) -> None:
    text = finished()
    assert old in text
    with pytest.raises(RecordError, match=reason):
        tanistry.replay(text.replace(old, new, 1))


def test_a_record_keeps_its_further_headers() -> None:
    text = finished()
    assert '[Event "Test"]' in text
    assert tanistry.replay(text).record() == text


@pytest.mark.parametrize("value", ["a\nb", "a\u2028b", "a\x85b", 'a "b" \\', ""])
def test_a_header_is_read_as_it_was_written_on_one_line(value: str) -> None:
    record = GAME.deal(1).record(Seat0=value)
    assert tanistry.replay(record).headers["Seat0"] == " ".join(value.splitlines())


@pytest.mark.parametrize(
    "headers", [{"seat0": "Ann"}, {"Seat 0": "Ann"}, {"Seat0": 7}, {"Salt": "none"}]
)
def test_a_header_that_could_not_be_read_again_is_not_written(headers: Any) -> None:
    with pytest.raises(RecordError):
        GAME.deal(1).record(**headers)


@pytest.mark.parametrize("position", ["[" * 100_000, "9" * 5_000, "nothing"])
def test_a_position_in_a_record_that_is_no_json(position: str) -> None:
    text = GAME.deal(1).record().replace("[Seed", f'[Position "{position}"]\n[Seed')
    with pytest.raises(RecordError, match="cannot be read"):
        tanistry.replay(text)


def test_a_record_that_goes_on_after_the_end() -> None:
    with pytest.raises(RecordError, match="after the end"):
        tanistry.replay(finished() + "0: G0\n")


def test_the_reason_is_told_in_the_same_language() -> None:
    with pytest.raises(RecordError) as wrong:
        tanistry.replay(finished().replace("\n0: ", "\n0: ZZ", 1))
    assert "is not a choice" in wrong.value.message("en")
    assert "n'est pas un choix" in wrong.value.message("fr")


def test_a_record_of_a_position_starts_from_it() -> None:
    match = GAME.setup(GAME.deal(5).position(), seed=3)
    match.play(match.legal()[0])
    again = tanistry.replay(match.record())
    assert again.position() == match.position()
    assert again.record() == match.record()


def test_errors_survive_a_trip_between_processes() -> None:
    with pytest.raises(TanistryError) as wrong:
        tanistry.game("chess")
    again = pickle.loads(pickle.dumps(wrong.value))
    assert (type(again), str(again), again.code) == (OptionError, str(wrong.value), "option/game")
