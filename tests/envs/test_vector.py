"""The vector environment keeps Gymnasium's conventions, and its rows are matches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.envs.vector import VectorEnv

gymnasium = pytest.importorskip("gymnasium")


@pytest.mark.parametrize(
    ("name", "options"), [("claim", {}), ("lords", {"seats": 3}), ("schotten", {}), ("kilt", {})]
)
def test_spaces_hold_what_comes(name: str, options: dict[str, Any]) -> None:
    envs = VectorEnv(name, 6, **options)
    seen, infos = envs.reset(seed=2)
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    for _ in range(80):
        assert envs.observation_space.contains(seen)
        assert envs.single_observation_space.contains({k: v[0] for k, v in seen.items()})
        actions = envs.random_actions()
        assert envs.action_space.contains(actions)
        assert seen["action_mask"][np.arange(6), actions].all()
        before = infos["to_act"]
        seen, earned, ended, cut, infos = envs.step(actions)
        assert np.array_equal(infos["actor"], before)
        assert earned.shape == ended.shape == cut.shape == (6,)
        assert not cut.any()
        assert ((earned == 0) | ended).all()
        assert np.allclose(infos["rewards"].sum(axis=1), 0, atol=1e-6)
        assert np.array_equal(earned, infos["rewards"][np.arange(6), infos["actor"]])


def test_a_match_that_ends_is_dealt_anew_at_once() -> None:
    envs = VectorEnv("claim", 3)
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    seen, infos = envs.reset(seed=1)
    for step in range(1, 53):
        seen, _, ended, _, infos = envs.step(np.argmax(seen["action_mask"], axis=1))
        assert ended.all() == ("final_obs" in infos) == (step == 52)
    assert infos["length"].tolist() == [52] * 3
    assert infos["_final_obs"].all()
    assert (infos["scores"].sum(axis=1) <= 5).all()
    for row, last in enumerate(infos["final_obs"]):
        assert envs.single_observation_space.contains(last)
        assert not np.array_equal(last["observation"], seen["observation"][row])
    assert (seen["action_mask"].sum(axis=1) >= 1).all()
    assert set(np.unique(infos["rewards"])) <= {-1.0, 0.0, 1.0}


def test_seeds() -> None:
    first, second = VectorEnv("claim", 4), VectorEnv("claim", 4)
    a, b = first.reset(seed=9)[0], second.reset(seed=9)[0]
    assert np.array_equal(a["observation"], b["observation"])
    a, b = first.reset()[0], second.reset()[0]
    assert np.array_equal(a["observation"], b["observation"])
    assert not np.array_equal(a["observation"], first.reset()[0]["observation"])


@pytest.mark.parametrize("seed", [[1, 2], [None, 3], "7", 1.5, True, -1])
def test_one_seed_for_all(seed: Any) -> None:
    with pytest.raises(tanistry.OptionError, match=r"seed.*0, 1, 2 …"):
        VectorEnv("claim", 2).reset(seed=seed)


def test_copies_stay_as_they_were() -> None:
    for copy in (True, False):
        envs = VectorEnv("claim", 4, copy=copy)
        seen, _ = envs.reset(seed=1)
        kept = seen["observation"].copy()
        envs.step(envs.random_actions())
        assert np.array_equal(kept, seen["observation"]) == copy


@pytest.mark.parametrize("copy", [True, False])
def test_what_a_learner_writes_to_is_written_anew(copy: bool) -> None:
    """Rewards and truncations are its own: for a cost of every choice, or a limit, in place."""
    envs = VectorEnv("claim", 4, copy=copy)
    envs.reset(seed=1)
    for step in range(1, 60):
        _, earned, ended, cut, infos = envs.step(envs.random_actions())
        assert not cut.any()
        assert ended.all() == (step == 52)
        assert np.array_equal(earned, infos["rewards"][np.arange(4), infos["actor"]])
        earned -= 0.01
        cut |= True


def test_what_was_known_at_the_end_with_and_without_copies() -> None:
    """Lords of Scotland: matches end at different times, so that rows come and go."""
    copied, shared = (VectorEnv("lords", 8, seats=3, copy=each) for each in (True, False))
    copied.reset(seed=4)
    shared.reset(seed=4)
    ended = 0
    for _ in range(400):
        actions = copied.random_actions()
        *_, ours = copied.step(actions)
        *_, theirs = shared.step(actions)
        assert ("final_obs" in ours) == ("final_obs" in theirs)
        for one, other in zip(ours.get("final_obs", ()), theirs.get("final_obs", ()), strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                ended += 1
                assert np.array_equal(one["observation"], other["observation"])
                assert not one["action_mask"].any()
                assert not other["action_mask"].any()
    assert ended > 16


def test_illegal_choices_are_told_and_change_nothing() -> None:
    envs = VectorEnv("claim", 2)
    seen, _ = envs.reset(seed=1)
    legal = np.argmax(seen["action_mask"], axis=1)
    illegal = int(np.argmin(seen["action_mask"][0]))
    after, _, _, _, infos = envs.step(np.array([illegal, legal[1]]))
    assert infos["refused"].tolist() == [True, False]
    assert infos["_refusals"].tolist() == [True, False]
    assert infos["refusals"][1] is None
    assert "(common.illegal)" in infos["refusals"][0]
    assert np.array_equal(after["observation"][0], seen["observation"][0])
    assert not np.array_equal(after["observation"][1], seen["observation"][1])


def test_rendering() -> None:
    envs = VectorEnv("claim", 2, render_mode="ansi")
    envs.reset(seed=1)
    texts = envs.render()
    assert texts is not None
    assert "hand.0" in texts[1]
    assert VectorEnv("claim", 2).render() is None


def test_bad_arguments() -> None:
    with pytest.raises(tanistry.OptionError):
        VectorEnv("clam", 2)
    with pytest.raises(tanistry.OptionError, match="num_envs"):
        VectorEnv("claim", 0)
    with pytest.raises(tanistry.OptionError, match="actions"):
        VectorEnv("claim", 2).step([[0, 1], [2]])
    with pytest.raises(tanistry.OptionError, match="ansi, rgb_array"):
        VectorEnv("claim", 2, render_mode="human")
    with pytest.raises(tanistry.OptionError):
        VectorEnv("claim", 2, seats=3)
