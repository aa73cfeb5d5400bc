"""The learning examples run, with few matches. They need PyTorch, which is no part of `dev`."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.envs import observe

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Load an example as it loads itself: with its own folder in the path."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    if find_spec("torch"):
        import_module("torch").set_num_threads(1)  # more only wait for each other on a busy machine
    yield import_module
    for name in ("judging", "curve", "summary", "ppo_claim", "maskable_ppo_claim"):
        sys.modules.pop(name, None)


def test_random_against_random_is_even(example: Any) -> None:
    judging = example("judging")
    rng = np.random.default_rng(1)

    def at_random(_observations: Any, mask: Any) -> Any:
        return (mask * rng.random(mask.shape)).argmax(1)

    found = judging.judge(at_random, tanistry.game("claim"), 2000, seed=3)
    assert found.low < 0.5 < found.high
    assert found.matches == 2000


def test_a_lead_is_worth_something_too(example: Any) -> None:
    judging = example("judging")
    batch = tanistry.batch(tanistry.game("claim"), 50, seed=1)
    for _ in range(52):
        assert not judging.worth(batch).any()
        batch.step(batch.random_actions())
    worth = judging.worth(batch)
    assert np.allclose(worth.sum(1), 0)
    assert np.array_equal(np.sign(worth), np.sign(batch.rewards))
    assert np.abs(worth).max() <= 1


def test_ppo(example: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    ppo, curves = example("ppo_claim"), example("curve")
    plan = curves.Plan(rounds=2, every=1, judged=20, final=30)
    settings = ppo.Settings(rows=16, width=16, minibatch=416)
    player, curve = ppo.train(plan, settings)
    again, same = ppo.train(plan, settings)
    assert [point.judged.matches for point in curve.points] == [20, 20, 30]
    assert [point.matches for point in curve.points] == [0, 16, 32]
    assert [p.judged for p in curve.points] == [p.judged for p in same.points]  # seeds are fixed
    assert all((a == b).all() for a, b in zip(player.parameters(), again.parameters(), strict=True))
    curve.write(tmp_path / "curve.csv")
    curve.draw(tmp_path / "curve.svg", "")
    assert len((tmp_path / "curve.csv").read_text().splitlines()) == 4


def test_a_plan_ends(example: Any) -> None:
    curves = example("curve")
    game = tanistry.game("claim")
    assert curves.Curve(curves.Plan(minutes=1e-9), game).part > 1
    assert curves.Curve(curves.Plan(rounds=2, minutes=1e-9), game).part == 0  # rounds come first


def test_a_summary_adds_up_the_cards(example: Any) -> None:
    torch = pytest.importorskip("torch")
    summary = example("summary")
    game = tanistry.game("claim")
    match = game.deal(seed=1)
    hand = match.view(0)["places"]["hand.0"]
    found = summary.Summary(game)(torch.from_numpy(observe(match, 0)[None]).float())[0]
    cards = found[-11 * 10 :].reshape(11, 2, 5)  # places, count and height, factions
    for faction, (count, height) in enumerate(cards[0].T.tolist()):
        values = [int(code[1:]) for code in hand if code[0] == "GKUDX"[faction]]
        assert count == len(values)
        assert height == pytest.approx(sum(2 * value / 9 - 1 for value in values), abs=1e-5)


def test_advantages_change_sides(example: Any) -> None:
    """The seat that wins was better than expected at its choices, the other worse at its own."""
    torch = pytest.importorskip("torch")
    ppo = example("ppo_claim")
    batch = tanistry.batch(tanistry.game("claim"), 16, seed=1)
    rollout = ppo.Rollout(batch)
    with torch.no_grad():
        rollout.play(batch, ppo.Player(batch.game, 8))
    rollout.values.zero_()
    advantages = rollout.advantages(1.0)
    ended = rollout.rewards[-1]
    for t in range(ppo.CHOICES):
        assert torch.allclose(advantages[t], ended.gather(1, rollout.to_act[t][:, None])[:, 0])


def test_a_published_library(example: Any) -> None:
    pytest.importorskip("sb3_contrib")
    maskable, curves = example("maskable_ppo_claim"), example("curve")
    _, curve = maskable.train(curves.Plan(rounds=2, every=1, judged=20, final=30), rows=16)
    assert [point.judged.matches for point in curve.points] == [20, 20, 30]
    assert [point.matches for point in curve.points] == [0, 16, 32]
