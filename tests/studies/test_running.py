"""The same result however a study is cut up, interrupted, killed or moved elsewhere."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.studies import Study, running
from tanistry.studies.checkpoint import NAME, Tally
from tanistry.studies.counting.layout import counts_layout
from tanistry.studies.engines import play_elsewhere
from tanistry.studies.playing import Counter, Share
from tests.patience import PATIENCE, until

N = 2000
SEED = 11


@pytest.fixture(scope="module")
def claim() -> tanistry.Game:
    return tanistry.game("claim")


@pytest.fixture(scope="module")
def whole(claim: tanistry.Game) -> Study:
    return tanistry.study(claim, n=N, seed=SEED, workers=1)


def same(one: Study, other: Study) -> bool:
    return same_tallies(one.tallies, other.tallies)


def same_tallies(one: Sequence[Tally], other: Sequence[Tally]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(a.done == b.done and np.array_equal(a.numbers, b.numbers) for a, b in pairs)


@pytest.mark.parametrize("workers", [2, 5])
def test_workers_change_nothing(claim: tanistry.Game, whole: Study, workers: int) -> None:
    assert same(whole, tanistry.study(claim, n=N, seed=SEED, workers=workers))


def test_shares_change_nothing(
    claim: tanistry.Game, whole: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LARGEST_SHARE", 7)
    assert same(whole, tanistry.study(claim, n=N, seed=SEED, workers=3))


def test_another_seed_is_another_study(claim: tanistry.Game, whole: Study) -> None:
    assert not same(whole, tanistry.study(claim, n=N, seed=SEED + 1))


class Interrupt:
    """Ctrl-C after so many looks at the progress."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, _done: Any) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_interrupted_and_gone_on(
    claim: tanistry.Game, whole: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LARGEST_SHARE", 100)
    done = -1
    for _ in range(2):  # one worker, for in how many looks more of them are done nobody knows
        half = tanistry.study(claim, n=N, seed=SEED, out=tmp_path, workers=1, progress=Interrupt(4))
        assert half.interrupted
        assert not half.finished
        assert done < half.tallies[0].done < N
        done = half.tallies[0].done
    rest = tanistry.study(claim, n=N, seed=SEED, out=tmp_path)
    assert rest.finished
    assert same(whole, rest)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_more_matches_go_on_from_fewer(claim: tanistry.Game, whole: Study, tmp_path: Path) -> None:
    tanistry.study(claim, n=N // 2, seed=SEED, out=tmp_path)
    seen: list[int] = []
    more = tanistry.study(
        claim, n=N, seed=SEED, out=tmp_path, progress=lambda done: seen.append(done[0])
    )
    assert seen[0] == N // 2
    assert same(whole, more)


def test_until_stops_in_time(
    claim: tanistry.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()  # a clock that goes a second on whenever somebody looks at it
    monkeypatch.setattr(running, "now", lambda: float(next(ticks)))
    stopped = tanistry.study(claim, n=10**9, seed=SEED, out=tmp_path, workers=1, until=6)
    assert not stopped.finished
    assert not stopped.interrupted
    assert stopped.results[0].matches > 0


CHILD = """
import sys, tanistry
from tanistry.studies import running
running.SAVE_EVERY = 0.05
study = tanistry.study(tanistry.game("claim"), n=10**9, seed={seed}, out=sys.argv[1], workers=2)
print("interrupted", study.interrupted)
"""


@contextmanager
def python(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of its own, which does not outlive the test."""
    path = os.pathsep.join(p for p in sys.path if p)
    with subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def matches_kept(folder: Path) -> int:
    if not (folder / NAME).exists():
        return 0
    with np.load(folder / NAME) as data:
        return int(json.loads(str(data["head"]))["done"][0])


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_what_a_dead_study_leaves_can_be_gone_on_from(
    claim: tanistry.Game, tmp_path: Path, how: signal.Signals
) -> None:
    with python("-c", CHILD.format(seed=SEED), str(tmp_path)) as child:
        until(lambda: matches_kept(tmp_path) > 0, "a checkpoint with matches")
        child.send_signal(how)
        out, _ = child.communicate(timeout=PATIENCE)
    if how == signal.SIGINT:
        assert out.strip() == "interrupted True"
    kept = matches_kept(tmp_path)
    assert kept > 0
    (tmp_path / f"{NAME}.half.new").touch()  # as if it had been writing
    rest = tanistry.study(claim, n=kept + 500, seed=SEED, out=tmp_path)
    assert same(rest, tanistry.study(claim, n=kept + 500, seed=SEED))
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def peak_memory(game: tanistry.Game, n: int, folder: Path) -> int:
    tracemalloc.start()
    try:
        tanistry.study(game, n=n, seed=SEED, out=folder, workers=2)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_flat(
    claim: tanistry.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LARGEST_SHARE", 64)
    short = peak_memory(claim, 2_000, tmp_path / "short")
    long = peak_memory(claim, 40_000, tmp_path / "long")
    share = counts_layout(claim.definition).itemsize
    assert long < short + running.MOST_WAITING * share + 1_000_000 < 40_000 / 64 * share / 4


# -- policies and engines -------------------------------------------------------------------------


def test_policies_play_the_same_deals_their_own_way(claim: tanistry.Game) -> None:
    found = tanistry.study(claim, n=400, policies=["random", "greedy@300"], seed=SEED)
    one, two = found.results
    assert (one.matches, two.matches) == (400, 300)
    assert (one.label, two.label) == ("random", "greedy")
    assert one.summary() != two.summary()


def test_bots_play_in_processes_as_they_would_here(claim: tanistry.Game) -> None:
    found = tanistry.study(claim, n=4, policies=["ismcts:1"], seed=SEED, workers=2)
    here = Counter(found.plan.settings[0], found.plan.key)
    numbers = here.play(0, 2) + here.play(2, 2)
    assert np.array_equal(found.tallies[0].numbers, numbers)
    assert found.results[0].summary()[0]["choices"] == 52


def test_options_vary(claim: tanistry.Game) -> None:
    found = tanistry.study(claim, n=50, seed=SEED, vary={"first": None})
    assert [result.label for result in found.results] == ["first=0", "first=1"]
    assert [dict(result.setting.options)["first"] for result in found.results] == [0, 1]


def test_a_machine_with_other_versions_is_refused(whole: Study) -> None:
    setting = whole.plan.settings[0]
    share = Share(0, 0, 2)
    assert play_elsewhere(setting, setting.versions(), whole.plan.key, share).share == share
    other = {**setting.versions(), "bot_version": 1000}
    with pytest.raises(tanistry.OptionError, match="another version"):
        play_elsewhere(setting, other, whole.plan.key, share)


def test_a_ray_cluster_that_does_not_answer(
    claim: tanistry.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install tanistry[ray]")
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(tanistry.OptionError, match="No Ray cluster answers"):
            tanistry.study(claim, n=20, engine="ray")


BOTS = """
if __name__ == "__main__":
    from tanistry.processes import Workers
    import os, time
    workers = Workers(1)
    print(workers.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_workers_leave_with_a_study_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    with python(str(tmp_path / "bots.py")) as child:
        assert child.stdout is not None
        assert int(child.stdout.readline()) != child.pid
        child.kill()
        child.communicate(timeout=PATIENCE)  # until nobody holds its output any more


@pytest.mark.flaky(reruns=2)  # Ray needs its processes to answer within a time that it sets
def test_on_a_ray_cluster(whole: Study, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install tanistry[ray]")
    kept = tmp_path / "tallies"
    with python("-m", "tests.studies.ray_cluster", str(kept), str(N), str(SEED)) as child:
        said, _ = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0, said
    assert same_tallies(whole.tallies, pickle.loads(kept.read_bytes()))
