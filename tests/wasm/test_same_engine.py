"""The engine in TypeScript tells of a match what Python tells: every seat, both languages."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import tanistry
from tanistry.bots.imagining import legal_set
from tanistry.bots.reading import weigh
from tanistry.errors import TanistryError
from tanistry.match import Game, Match
from tanistry.simulation.network import (
    KIND,
    ONE_X,
    Evaluator,
    network_bytes,
    network_of,
    networks,
    read_network,
)
from tanistry.simulation.observation import observe
from tanistry.testing import option_sets
from tanistry.words import LANGUAGES, words
from tests.bots.test_network import from_another_version, misfits, oddly_written
from tests.wasm.conftest import GAMES, Ask

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
PLAYED = re.compile(r"^\d+: (.*?)  \(", re.MULTILINE)
DATE = "2026-01-01"
AGAIN = 4
"""Every so many choices the position is set up again, which in Python takes a while."""
NOTE = 'a "quoted"\nline'


def in_both(text: Any) -> dict[str, str]:
    return {lang: text(lang) for lang in LANGUAGES}


def attempt(run: Any) -> dict[str, Any] | None:
    try:
        run()
    except TanistryError as wrong:
        return {"code": wrong.code, "rule": wrong.rule, "text": in_both(wrong.message)}
    return None


def told(game: Game, seed: int, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """What Python tells of a match; `steps` say what is chosen, and tried in vain before."""
    seats: list[int | None] = [*range(game.seats), None]
    names = names_of(game)
    match = game.deal(seed)
    found = []
    for number, step in enumerate(steps):
        seen = look(match, seats, step["tries"])
        if step["token"] is not None:
            by = None if number % 2 else match.to_act  # told with and without who did it
            seen["events"] = [
                [
                    [event.seen_by(seat), lines(game, event.seen_by(seat), names, by)]
                    for seat in seats
                ]
                for event in match.play(step["token"])
            ]
            if number % AGAIN == 0:
                again = game.setup(match.position(), 5)
                seen["again"] = [again.position() == match.position(), again.record(Date=DATE)]
            if match.to_act is not None:
                seen["blind"] = match.blind(match.to_act, 9).position()
        found.append(seen)
    record = match.record(Date=DATE, Note=NOTE)
    return {"steps": found, "record": record, "replayed": True}


def names_of(game: Game) -> list[str]:
    return [f"N{seat}" for seat in range(game.seats)]


def look(match: Match, seats: list[int | None], tries: list[str]) -> dict[str, Any]:
    view, names = match.view(match.to_act), names_of(match.game)
    said = {
        lang: [words(lang, match.game.info).token(token, view, names) for token in match.legal()]
        for lang in LANGUAGES
    }
    result = match.result
    return {
        "legal": match.legal(),
        "choices": match.choices(),
        "said": said,
        "views": [match.view(seat) for seat in seats],
        "tallies": [match.tally(seat) for seat in seats],
        "position": match.position(),
        "refused": [attempt(lambda: match.play(token)) for token in tries],
        "result": result and {"scores": result.scores, "ranking": result.ranking},
    }


def lines(game: Game, seen: dict[str, Any], names: list[str], by: int | None) -> dict[str, str]:
    return in_both(lambda lang: words(lang, game.info).event(seen, names, by))


def plan(game: Game, seed: int, tokens: list[str] | None) -> list[dict[str, Any]]:
    """What is chosen, and which illegal tokens are tried: all of the vocabulary in turn."""
    match = game.deal(seed)
    steps: list[dict[str, Any]] = []
    turn = 0
    while match.to_act is not None and (tokens is None or len(steps) < len(tokens)):
        legal = match.legal()
        tries = [game.tokens[(turn + i) % len(game.tokens)] for i in range(8)] + ["nonsense"]
        turn += 8
        token = tokens[len(steps)] if tokens else legal[(seed + 7 * len(steps)) % len(legal)]
        steps.append({"token": token, "tries": [t for t in tries if t not in legal]})
        match.play(token)
    return [*steps, {"token": None, "tries": [game.tokens[0]]}]


def compare(ask: Ask, engine: str, game: Game, seed: int, steps: list[dict[str, Any]]) -> None:
    options = {"seats": game.seats, **game.options}
    theirs = ask(
        "engine", game, ask="play", engine=engine, options=options, seed=seed, steps=steps,
        again=AGAIN,
    )  # fmt: skip
    ours = json.loads(json.dumps(told(game, seed, steps)))
    for number, (step, other) in enumerate(zip(ours["steps"], theirs["steps"], strict=True)):
        for what in step:
            assert other[what] == step[what], f"step {number}: {what}"
        assert json.dumps(other["position"]) == json.dumps(step["position"])  # the order of keys
    assert theirs["record"] == ours["record"]
    assert theirs["replayed"]


@pytest.mark.parametrize("name", [name for name in GAMES if (SNAPSHOTS / f"{name}.txt").exists()])
def test_snapshots_are_told_the_same(name: str, ask: Ask, engine: str) -> None:
    tokens = PLAYED.findall((SNAPSHOTS / f"{name}.txt").read_text("utf-8"))
    assert len(tokens) > 20
    game = tanistry.game(name)
    compare(ask, engine, game, 2026, plan(game, 2026, tokens))


def spread(name: str) -> Iterator[dict[str, Any]]:
    """Few option sets in which every number of seats and every value of an option occurs."""
    sets, seen = list(option_sets(tanistry.info(name), limit=3)), set[Any]()

    def fresh(options: dict[str, Any]) -> int:
        return len(options.items() - seen)

    while fresh(options := max(sets, key=fresh)):
        seen.update(options.items())
        yield options


@pytest.mark.parametrize("name", GAMES)
def test_other_options_are_told_the_same(name: str, ask: Ask, engine: str) -> None:
    """Whole matches, cut short where they are long."""
    for seed, options in enumerate(spread(name)):
        game = tanistry.game(name, **options)
        compare(ask, engine, game, seed, plan(game, seed, None)[:40])


def test_what_nobody_wins_is_told_the_same(ask: Ask, engine: str) -> None:
    game, seed = tanistry.game("claim"), 1066  # a draw
    steps = plan(game, seed, None)
    last = told(game, seed, steps)["steps"][-2]["events"][-1]
    assert all("nobody takes the crown" in said["en"] for _, said in last)
    compare(ask, engine, game, seed, steps)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("bot", "settings", "choices"),
    [
        ("greedy", {}, 12), ("ismcts", {"iterations": 60}, 12), ("ismcts", {"level": 2}, 12),
        ("people", {"level": 1}, 12), ("people", {"level": 4}, 12), ("people", {"level": 6}, 4),
    ],
)  # fmt: skip
def test_bots_choose_the_same(
    name: str, bot: str, settings: dict[str, Any], choices: int, ask: Ask, engine: str
) -> None:
    choose_alike(name, bot, settings, choices, ask, engine)


@pytest.mark.parametrize("name", networks())
def test_what_was_trained_chooses_the_same(name: str, ask: Ask, engine: str) -> None:
    choose_alike(name, "trained", {}, 40, ask, engine)


def choose_alike(
    name: str, bot: str, settings: dict[str, Any], choices: int, ask: Ask, engine: str
) -> None:
    """A bot plays the beginning of a match by itself, here and there."""
    game = tanistry.game(name)
    match, player = game.deal(3), tanistry.bot(bot, seed=7, **settings)
    while match.to_act is not None and len(match.history) < choices:
        match.play(player.choose(match))
    theirs = ask(
        "engine", game, ask="bots", engine=engine, options={}, seed=3, bot=bot,
        settings=settings, choices=choices,
    )  # fmt: skip
    assert theirs == [token for _, token in match.history]


def opinion(evaluator: Evaluator, match: Match) -> list[Any]:
    """What the network sees, the value, and of each legal token the logit and the chance."""
    assert match.to_act is not None
    observed, moves = observe(match, match.to_act, insights=True), legal_set(match)
    best, legal = evaluator.choose(observed, moves), match.legal_actions()
    total = weigh(evaluator.weights, moves, best, 0.0, 1.0)
    chances = evaluator.weights.chances[legal] / total
    logits = evaluator.logits[legal] / ONE_X
    return [observed.tobytes().hex(), evaluator.value(), logits.tolist(), chances.tolist()]


@pytest.mark.parametrize("name", networks())
def test_networks_say_the_same_to_the_last_bit(name: str, ask: Ask, engine: str) -> None:
    for seed, options in enumerate(spread(name)):
        game = tanistry.game(name, **options)
        match, evaluator = game.deal(seed), Evaluator(network_of(name), game)
        ours: list[Any] = []
        while match.to_act is not None and len(ours) < 60:
            ours.append(opinion(evaluator, match))
            legal = match.legal()
            match.play(legal[(seed + 7 * len(ours)) % len(legal)])
        tokens = [token for _, token in match.history]
        theirs = ask(
            "engine", game, ask="opinions", engine=engine, seed=seed, tokens=tokens,
            options={"seats": game.seats, **game.options},
        )  # fmt: skip
        for number, (here, there) in enumerate(zip(ours, theirs, strict=True)):
            assert there == here, f"{options}, choice {number}"


@pytest.mark.parametrize(
    ("name", "options", "deals"),
    [
        ("claim", {}, 12),
        ("kilt", {"seats": 3, "first": 1}, 1),
        ("lords", {"seats": 3, "target": 1}, 2),
        ("schotten", {}, 1),
    ],
    ids=["claim", "kilt of three", "lords of three", "schotten"],
)
def test_matches_are_understood_the_same(
    ask: Ask, engine: str, name: str, options: dict[str, Any], deals: int
) -> None:
    """A whole analysis, to the last digit it tells, of a match that was given up, too; and who
    refuses a match that still runs."""
    match, bot = tanistry.game(name, **options).deal(3), tanistry.bot("people:2", seed=3)
    running = match.record()
    while len(match.history) < 5:
        match.play(bot.choose(match))
    ended = [match.record(EndedBy=how) for how in ("resign 1", "flag 0", "draw")]
    while match.to_act is not None:
        match.play(bot.choose(match))
    finished = [match.record(), *ended]
    *theirs, refused = ask(
        "engine", match.game, ask="analyses", engine=engine, records=[*finished, running],
        deals=deals,
    )  # fmt: skip
    measured = tomllib.loads(files("tanistry.analysis").joinpath("calibration.toml").read_text())
    for record, there in zip(finished, theirs, strict=True):
        assert there.pop("calibration") == measured
        ours = tanistry.analyse(record, deals=deals).data()
        for name in ("game", "version", "options", "names"):
            del ours[name]
        for player in ours["players"]:
            del player["name"]
        assert there == ours
    assert refused == attempt(lambda: tanistry.analyse(running))


def test_networks_multiply_four_numbers_at_a_time(engines: Callable[[str], Path]) -> None:
    """A device has thousands of questions for them in each analysis."""
    multiply_four = b"\xfd\xb5\x01"  # i32x4.mul
    assert multiply_four in (engines("claim") / "claim.wasm").read_bytes()


def test_what_is_no_network_is_refused_the_same(ask: Ask, engine: str) -> None:
    good = network_bytes("claim")
    harmed = good[: len(KIND)] + bytes(32) + good[len(KIND) + 32 :]
    damaged, fine = [good[:-9], harmed, *misfits()], [good, *oddly_written()]
    files = [b"", b"nonsense", *damaged, from_another_version(), network_bytes("kilt"), *fine]
    theirs = ask(
        "engine", tanistry.game("claim"), ask="networks", engine=engine,
        files=[file.hex() for file in files],
    )  # fmt: skip
    read = [attempt(lambda: Evaluator(read_network(file, "claim.net"), tanistry.game("claim")))
            for file in files]  # fmt: skip
    assert theirs == read
    assert [wrong and wrong["code"] for wrong in read] == [
        "network/foreign", "network/foreign", *["network/damaged"] * len(damaged),
        "network/version", "network/game", *[None] * len(fine),
    ]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_what_cannot_be_is_refused_the_same(name: str, ask: Ask, engine: str) -> None:
    game = tanistry.game(name)
    match = game.deal(1)
    position = match.position()
    places: dict[str, list[Any]] = position["places"]
    first, second = list(places)[:2]
    moved = {**places, first: places[first][1:], second: [places[first][0], *places[second]]}
    positions: list[Any] = [
        None,
        {**position, "places": {}},
        {**position, "game": "chess"},
        {**position, "colour": 1},
        {**position, "to_act": 17},
        {**position, "decision": "dance"},
        {**position, "to_act": None, "decision": ""},
        {**position, "places": {**places, "moon": []}},
        {**position, "places": {**places, first: "all"}},
        {**position, "places": {**places, first: [*places[first], places[first][0]]}},
        {**position, "places": {**places, first: [{"card": places[first][0], "upside": 1}]}},
        {**position, "places": moved},
        {**position, "facts": {**position["facts"], "weather": "fine"}},
        {**position, "facts": {}},
        *({**position, "facts": {**position["facts"], fact: "?"}} for fact in position["facts"]),
    ]
    theirs = ask("engine", game, ask="positions", engine=engine, options={}, positions=positions)
    for number, (given, other) in enumerate(zip(positions, theirs, strict=True)):
        assert other == attempt(lambda: game.setup(given, 1)), f"position {number}"
    text = match.record(Date=DATE)
    records = [
        "",
        "nonsense",
        text.replace("[Seats", "[Chairs"),
        text.replace("[Seed", '[Salt "00"]\n[Seed'),
        text.replace('[Version "', '[Version "9'),
        text.replace("first=0", "first=9"),
        text.replace("first=0", "last=9"),
        text.replace('[Result "*"', '[Result "9-9"'),
        text + "1: nonsense\n",
        text + "0: nonsense\n",
        text.replace("[Seed", "\x1f [Seed"),
    ]
    theirs = ask("engine", game, ask="records", engine=engine, options={}, records=records)
    for number, (record, other) in enumerate(zip(records, theirs, strict=True)):
        assert other == attempt(lambda: tanistry.replay(record)), f"record {number}"
