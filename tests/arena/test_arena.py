"""Contests: fair seatings, honest intervals, and a file from which one can go on."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import tanistry
from tanistry.arena import Contest, Results, run, run_all
from tanistry.arena.contest import Encounter
from tanistry.arena.results import Outcome, interval
from tanistry.arena.runner import play_encounter
from tanistry.processes import Workers

pytestmark = pytest.mark.usefixtures("at_once")


def contest(games: int = 8, **more: object) -> Contest:
    return Contest.of("claim", ["greedy", "random"], games=games, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Bots: champion, greedy, ismcts"),
        ("nobody", "Bots: champion, greedy, ismcts"),
        ("ismcts:9", "1, 2, 3, 4, 5"),
        ("ismcts:x", "1, 2, 3, 4, 5"),
        ("ismcts:", "1, 2, 3, 4, 5"),
        ("ismcts,depth", "setting=value"),
        ("ismcts,seed=1", "setting=value"),
        ("ismcts,level=2", "setting=value"),
        ("ismcts,iterations=5,iterations=6", "setting=value"),
        ("ismcts,iterations=1.5", "1, 2, 3"),
        ("ismcts,exploration=nan", "≥ 0"),
        ("random:1", "has no levels"),
        ("random,depth=3", "has no settings"),
    ],
)
def test_unknown_entrants_are_refused(text: str, says: str) -> None:
    with pytest.raises(tanistry.OptionError) as caught:
        Contest.of("claim", ["random", text])
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [{"games": 1}, {"games": "8"}, {"games": True}, {"seats": 3}, {"edition": "2010"}],
)
def test_wrong_contests_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(tanistry.OptionError):
        contest(**wrong)


def test_a_bot_does_not_meet_itself() -> None:
    with pytest.raises(tanistry.OptionError, match="twice"):
        Contest.of("claim", ["random", "random"])
    with pytest.raises(tanistry.OptionError, match="ismcts:3 is listed twice"):
        Contest.of("claim", ["ismcts", "greedy", "ismcts:3"])
    same = ["ismcts,iterations=9,blunder=0", "ismcts:3,blunder=0,iterations=9"]
    with pytest.raises(tanistry.OptionError, match="twice"):
        Contest.of("claim", same)
    with pytest.raises(tanistry.OptionError, match="not 1"):
        Contest.of("claim", "random")
    with pytest.raises(tanistry.OptionError, match="1 does not name"):
        Contest.of("claim", [1, 2])  # type: ignore[list-item]
    with pytest.raises(tanistry.SeedError):
        Contest.of("claim", ["random", "greedy"], seed="7")  # type: ignore[arg-type]
    with pytest.raises(tanistry.OptionError, match="two different bots"):
        Contest.of("claim", ["random"])


def test_everybody_meets_everybody_as_often() -> None:
    full = Contest.of("claim", ["ismcts:1", "greedy", "random"], games=10)
    met = Counter((e.a, e.b) for e in full.encounters())
    assert set(met.values()) == {5}
    assert len(met) == 3
    steps = Contest.of("claim", ["ismcts:1", "greedy", "random"], games=10, ladder=True)
    assert steps.pairs == [("ismcts:1", "greedy"), ("greedy", "random")]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_seats_are_swapped_and_rotated(seats: int) -> None:
    made = Contest("toy", seats, {}, ("a", "b"), 2 * 2 * seats)
    held: dict[str, Counter[int]] = {"a": Counter(), "b": Counter()}
    for encounter in made.encounters():
        one, two = made.seating(encounter, False), made.seating(encounter, True)
        assert all({x, y} == {"a", "b"} for x, y in zip(one, two, strict=True))
        for seating in (one, two):
            assert set(seating) == {"a", "b"}
            for seat, name in enumerate(seating):
                held[name][seat] += 1
    assert held["a"] == held["b"]
    assert len(set(held["a"].values())) == 1


def test_an_encounter_is_two_whole_matches() -> None:
    first, second = play_encounter(contest(2), Encounter("greedy", "random", 0))
    assert first.choices == second.choices == (26, 26)
    assert all(points in (0, 0.5, 1) for points in (first.points, second.points))


def test_mean_and_interval() -> None:
    mean, low, high = interval([0.5, 1.0] * 50)
    assert mean == 0.75
    assert 0.69 < low < 0.71 < 0.79 < high < 0.81
    assert interval([1.0] * 100)[1] > 0.95
    assert interval([1.0] * 100)[1] < 1
    assert interval([]) == (0.5, 0.0, 1.0)


def test_greedy_is_found_better(tmp_path: Path) -> None:
    results = run(contest(60), workers=1)
    duel = results.duel("greedy", "random")
    assert duel.decided
    assert duel.rate > 0.7
    assert results.duel("random", "greedy").rate == pytest.approx(1 - duel.rate)
    table = results.table()
    assert [line.name for line in table.lines] == ["greedy", "random"]
    ratings = results.ratings()
    if ratings:
        assert ratings["greedy"][0] > ratings["random"][0]


def test_the_number_of_workers_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def figures(workers: int) -> list[float]:
        return [d.rate for d in run(contest(12), workers=workers).table().duels]

    here = figures(1)
    monkeypatch.setattr("tanistry.processes.Workers", Workers)
    assert here == figures(2)


def test_interrupted_and_gone_on(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    run(contest(12), workers=1, out=out, until=0.0)
    before = len(json.loads(out.read_text())["encounters"]) if out.exists() else 0
    assert before < 6
    seen: list[tuple[int, int]] = []
    results = run(contest(12), workers=1, out=out, progress=lambda n, of, _: seen.append((n, of)))
    assert seen[0] == (before, 6)
    assert seen[-1] == (6, 6)
    whole = run(contest(12), workers=1)
    assert results.table().duels == whole.table().duels
    more = run(contest(16), workers=1, out=out, progress=lambda n, of, _: seen.append((n, of)))
    assert (6, 8) in seen
    assert more.duel("greedy", "random").matches == 16


def test_many_contests_at_once(tmp_path: Path) -> None:
    every = {tmp_path / f"{seed}.json": contest(4, seed=seed) for seed in (1, 2)}
    found = run_all(every, workers=1)
    for path, made in every.items():
        assert not found[path].missing()
        assert found[path].table().duels == run(made, workers=1).table().duels
        assert Results.load(path, made).table().duels == found[path].table().duels
    again = run_all(every, workers=1, until=0.0)
    assert all(not results.missing() for results in again.values())


def test_an_interruption_keeps_what_was_played(tmp_path: Path) -> None:
    out = tmp_path / "results.json"

    def interrupt(done: int, _of: int, _results: Results) -> None:
        if done == 2:
            raise KeyboardInterrupt

    results = run(contest(40), workers=1, out=out, progress=interrupt)
    assert results.interrupted
    assert len(json.loads(out.read_text())["encounters"]) == 2
    assert run(contest(8), workers=1, out=out).duel("greedy", "random").matches == 8


def test_a_file_of_another_contest_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    made = contest(2)
    results = Results(made)
    results.add(Encounter("greedy", "random", 0), (Outcome(1.0, (3, 2), (0.1, 0.1), (26, 26)),) * 2)
    results.save(out)
    assert Results.load(out, made).duel("greedy", "random").rate == 1
    with pytest.raises(tanistry.OptionError):
        Results.load(out, contest(2, seed=9))
    out.write_text("{}")
    with pytest.raises(tanistry.OptionError):
        Results.load(out, made)


def test_what_is_not_asked_for_stays_in_the_file(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    run(contest(8), workers=1, out=out)
    other = Contest.of("claim", ["random", "ismcts:1"], games=2)
    assert run(other, workers=1, out=out).duel("random", "ismcts:1").matches == 2
    assert len(json.loads(out.read_text())["encounters"]) == 5
    assert not Results.load(out, contest(8)).missing()
    assert Results.load(out, contest(8)).duel("greedy", "random").matches == 8


def test_the_same_two_the_other_way_round_are_known(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    before = run(contest(8), workers=1, out=out)
    turned = Contest.of("claim", ["random", "greedy"], games=8)
    after = Results.load(out, turned)
    assert not after.missing()
    assert after.duel("random", "greedy").rate == 1 - before.duel("greedy", "random").rate
    assert after.table().lines[0].milliseconds == before.table().lines[0].milliseconds
    after.save(out)
    assert Results.load(out, contest(8)).data() == before.data()


def test_versions_of_a_bot_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "results.json"
    run(contest(4), workers=1, out=out)
    data = json.loads(out.read_text())
    assert data.pop("bots") == {"greedy": 1, "random": 1}
    out.write_text(json.dumps(data))  # as files were written before they named versions
    assert not Results.load(out, contest(4)).missing()
    monkeypatch.setattr("tanistry.bots.players.greedy.GreedyBot.version", 2)
    with pytest.raises(tanistry.OptionError, match="version 1 of greedy; this is version 2"):
        Results.load(out, contest(4))
    others = Contest.of("claim", ["random", "ismcts:1"], games=2)
    Results.load(out, others).save(out)  # what greedy won is kept under the version that won it
    assert json.loads(out.read_text())["bots"] == {"greedy": 1, "ismcts": 1, "random": 1}


def command(*arguments: str) -> int:
    from tanistry.cli.app import run as run_command

    return run_command(["arena", *arguments])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, picture, text = tmp_path / "c.json", tmp_path / "c.svg", tmp_path / "c.md"
    pytest.importorskip("matplotlib")
    arguments = ["claim", "greedy", "random", "--games", "4", "--workers", "1", "--out", str(out)]
    drawn = ["--plot", str(picture), "--markdown", str(text), "--lang", "en"]
    assert command(*arguments, *drawn) == 0
    assert "greedy" in capsys.readouterr().out
    assert "<svg" in picture.read_text()
    assert "| greedy | random | 4 |" in text.read_text()
    assert command(*arguments, "--json") == 0
    assert json.loads(capsys.readouterr().out)["duels"][0]["matches"] == 4


def test_numbers_are_written_as_one_reads_them(capsys: pytest.CaptureFixture[str]) -> None:
    played = ("claim", "greedy", "random", "--games", "4", "--workers", "1")
    assert command(*played, "--lang", "en") == 0
    english = capsys.readouterr().out
    assert command(*played, "--lang", "fr") == 0
    french = capsys.readouterr().out
    assert re.search(r"\d\.\d", english)
    assert re.search(r"\d,\d\s%", french)
    assert not re.search(r"\d\.\d", french)


@pytest.mark.parametrize(
    "wrong",
    [
        ["claim", "greedy"],
        ["claim", "greedy", "nobody"],
        ["chess", "greedy", "random"],
        ["claim", "greedy", "random", "--plot", "picture.gif"],
        ["claim", "greedy", "random", "--seats", "3"],
        ["claim", "greedy", "random", "--out", "."],
        ["claim", "greedy", "random", "--out", ""],
        ["claim", "greedy", "random", "--out", "file/x.json"],
        ["claim", "greedy", "random", "--out", "file/deep/x.json"],
        ["claim", "greedy", "random", "--out", "file"],
        ["claim", "greedy", "random", "--plot", "folder.svg"],
        ["claim", "greedy", "random", "--plot", "file/x.svg"],
        ["claim", "greedy", "random", "--markdown", "."],
        ["claim", "greedy", "random", "--markdown", "file/x.md"],
        ["claim", "greedy", "random", "--workers", "0"],
    ],
)
def test_misuse_of_the_command(
    wrong: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder.svg").mkdir()
    assert command(*wrong) == 2
    assert capsys.readouterr().err.startswith("tanistry: ")
