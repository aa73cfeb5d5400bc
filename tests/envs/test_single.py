"""One seat of a match as a Gymnasium environment."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tanistry
from tanistry.envs.single import SingleEnv


def play(env: Any, seed: int) -> tuple[list[int], float]:
    """A whole match by the first legal choice: what was chosen, and what it was worth."""
    observation, info = env.reset(seed=seed)
    actions, reward, over = [], 0.0, False
    while not over:
        assert np.flatnonzero(observation["action_mask"]).tolist() == info["legal"]
        actions.append(info["legal"][0])
        observation, reward, over, truncated, info = env.step(actions[-1])
        assert not truncated
        assert over or reward == 0
    return actions, reward


def test_gymnasium_finds_them_through_the_module() -> None:
    """In a process of its own, in which nothing of ours has been imported."""
    made = "import gymnasium; gymnasium.make('tanistry.envs.single:tanistry/claim-v1').reset()"
    subprocess.run([sys.executable, "-c", made], check=True)


@pytest.mark.parametrize("name", tanistry.games())
def test_gymnasium_makes_every_game(name: str) -> None:
    version = tanistry.games()[name].version
    env = gymnasium.make(f"tanistry/{name}-v{version}", opponents="random").unwrapped
    played = play(env, seed=1)
    assert played == play(env, seed=1)
    assert -1 <= played[1] <= 1


def test_gymnasium_finds_nothing_wrong() -> None:
    env = SingleEnv("claim", opponents="random")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.action_space.sample = lambda *_: env.match.legal_actions()[0]  # type: ignore[method-assign]
        check_env(env, skip_render_check=True)


def test_a_vector_of_matches_by_its_id() -> None:
    envs = gymnasium.make_vec("tanistry/kilt-v1", num_envs=8, seats=3, edition="8clans")
    observations, infos = envs.reset(seed=1)
    assert observations["observation"].shape[0] == 8
    assert infos["rewards"].shape == (8, 3)


def test_the_seat_is_kept_or_changes() -> None:
    kept, turning = SingleEnv("claim", opponents="random", seat=1), SingleEnv("claim")
    assert {kept.reset(seed=n)[1]["seat"] for n in range(4)} == {1}
    assert {turning.reset(seed=n)[1]["seat"] for n in range(16)} == {0, 1}


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(tanistry.OptionError, match="0–1"):
        SingleEnv("claim", seat=2)
    with pytest.raises(tanistry.OptionError, match="nobody"):
        SingleEnv("claim", opponents="nobody")
    env = SingleEnv("claim", opponents="random")
    _, info = env.reset(seed=1)
    refused = next(n for n in range(env.action_space.n) if n not in info["legal"])
    legal = info["legal"][0]
    for action in (refused, -1, env.action_space.n, None, legal + 0.5, [legal]):
        with pytest.raises(tanistry.IllegalMove):
            env.step(action)
    assert env._info()["legal"] == info["legal"]
    env.step(np.array(legal))
