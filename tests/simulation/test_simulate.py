"""Simulation: the same counts whatever the threads, and matches that are the rules' own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.match.seeds import seed_bytes
from tanistry.simulation import Interrupted
from tanistry.simulation.intervals import wilson
from tanistry.studies.plan import make_plan
from tanistry.studies.playing import Counter


@pytest.fixture(scope="module")
def claim() -> tanistry.Game:
    return tanistry.game("claim")


def test_counts_fit_together(claim: tanistry.Game) -> None:
    result = tanistry.simulate(claim, n=500, seed=3)
    assert result.matches == 500
    assert result.lengths.sum() == 500
    assert result.steps == int((result.lengths * np.arange(len(result.lengths))).sum())
    assert sum(result.wins) + result.draws == 500
    assert len(result.wins) == 2
    assert result.seconds > 0
    assert result.steps_per_second > 0


def test_threads_change_nothing(claim: tanistry.Game) -> None:
    results = [tanistry.simulate(claim, n=777, seed=9, threads=t) for t in (1, 2, 5)]
    assert len({(r.steps, tuple(r.wins), tuple(r.lengths)) for r in results}) == 1
    other = tanistry.simulate(claim, n=777, seed=10, threads=1)
    assert other.wins != results[0].wins


def test_an_interpreted_game_plays_the_same(claim: tanistry.Game) -> None:
    runs = (tanistry.simulate(game, 5, seed=1) for game in (claim, claim.interpreted()))
    assert len({(run.steps, tuple(run.wins)) for run in runs}) == 1


def test_first_match_is_dealt_from_the_seed(claim: tanistry.Game) -> None:
    """Match 0 of a simulation has the same deal as `game.deal(seed)`: nonce 0 under that key."""
    from tanistry.simulation.running import _Run

    run = _Run(claim, seed_bytes(4))
    claim.kernels.start_stream(run.blank[0], 0)
    claim.kernels.deal(run.blank[0])
    assert run.blank[0].place.tolist() == claim.deal(seed=4)._s.place.tolist()


def test_progress_reaches_the_end(claim: tanistry.Game) -> None:
    seen: list[int] = []
    tanistry.simulate(claim, n=1000, seed=1, threads=2, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1000


def test_no_matches(claim: tanistry.Game) -> None:
    result = tanistry.simulate(claim, n=0, seed=1)
    assert (result.matches, result.steps, result.wins) == (0, 0, [0, 0])


def test_an_interruption_loses_nothing(claim: tanistry.Game) -> None:
    """One thread plays the matches in turn: so many came of it, and no others."""

    def stop(done: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        tanistry.simulate(claim, n=10**12, seed=5, threads=1, progress=stop)
    counted = stopped.value.counted
    again = tanistry.simulate(claim, n=counted.matches, seed=5, threads=1)
    assert counted.matches > 0
    assert (counted.wins, counted.steps) == (again.wins, again.steps)


def test_an_error_in_progress_stops_it(claim: tanistry.Game) -> None:
    def interrupt(_done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tanistry.simulate(claim, n=10_000_000, seed=1, threads=2, progress=interrupt)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": -1}, {"n": 1.5}, {"n": True}, {"n": 1 << 60}, {"device": "cudda"}, {"threads": 0},
        {"threads": 100_000}, {"threads": "2"}, {"game": "claim"}, {"game": None},
        {"policy": "ismcts"}, {"policy": "greedy", "device": "cuda"}, {"policy": None},
        {"policy": "trained", "device": "cuda"},
    ],
)  # fmt: skip
def test_bad_arguments_name_what_is_allowed(claim: tanistry.Game, wrong: dict[str, Any]) -> None:
    with pytest.raises(tanistry.OptionError) as caught:
        tanistry.simulate(**{"game": claim, "n": 10, "seed": 1, **wrong})
    assert caught.value.values["allowed"]


def test_a_policy_that_no_gpu_plays(claim: tanistry.Game) -> None:
    for policy in ("greedy", "trained"):
        with pytest.raises(tanistry.OptionError, match="On a GPU"):
            tanistry.simulate(claim, n=10, policy=policy, device="cuda")


def test_a_share_lies_within_its_interval() -> None:
    for n in range(1, 2000):
        for share in (0.0, 1 / n, 1.0):
            low, high = wilson(share, n)
            assert 0 <= low <= share <= high <= 1


def test_by_the_games_own_policy(claim: tanistry.Game) -> None:
    """The same matches as those of a study, whatever the number of threads."""
    found = tanistry.simulate(claim, n=3000, seed=4, policy="greedy", threads=3)
    assert found.wins == tanistry.simulate(claim, n=3000, seed=4, policy="greedy", threads=1).wins
    assert found.wins != tanistry.simulate(claim, n=3000, seed=4).wins
    counted = tanistry.study(claim, n=3000, seed=4, policies="greedy").results[0].counts
    assert found.wins == counted["alone"].tolist()
    assert found.steps == int(counted["steps"][0])


def test_by_the_network(claim: tanistry.Game) -> None:
    """The same matches as those of the bot, choice by choice, whatever the number of threads."""
    found = tanistry.simulate(claim, n=40, seed=4, policy="trained", threads=2)
    assert found.wins == tanistry.simulate(claim, n=40, seed=4, policy="trained", threads=1).wins
    plan = make_plan(claim, 40, ["trained", "trained+trained"], {}, seed=4)
    inside, asked = (Counter(setting, plan.key) for setting in plan.settings)
    assert inside.setting.is_compiled
    assert not asked.setting.is_compiled
    counts = inside.play(0, 40)
    assert counts.tobytes() == asked.play(0, 40).tobytes()
    assert found.wins == inside.counts_of(counts).alone.tolist()


def test_by_the_network_at_three_seats() -> None:
    game, bot = tanistry.game("kilt", seats=3, edition="8clans"), tanistry.bot("trained")
    match = game.deal(seed=9)
    while match.to_act is not None:
        match.play(bot.choose(match))
    found = tanistry.simulate(game, n=1, seed=9, policy="trained")
    assert found.steps == len(match.history)
    assert match.result is not None
    assert [found.wins[seat] for seat in match.result.ranking[0]] == [1]


def test_numbers_of_numpy_are_numbers(claim: tanistry.Game) -> None:
    one, ten = np.int64(1), np.uint16(10)
    mine: Any = tanistry.simulate(claim, n=ten, seed=one, threads=one)  # type: ignore[arg-type]
    assert mine.wins == tanistry.simulate(claim, n=10, seed=1).wins
    assert type(mine.matches) is int
    assert tanistry.game("claim", seats=np.int8(2)).seats == 2  # type: ignore[arg-type]


def test_bad_seed(claim: tanistry.Game) -> None:
    with pytest.raises(tanistry.SeedError):
        tanistry.simulate(claim, n=10, seed=-1)
