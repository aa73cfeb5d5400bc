"""PettingZoo's own tests on every game and number of seats, and what they do not look at."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.envs import observe, rewards
from tanistry.envs.pettingzoo import env, raw_env

api = pytest.importorskip("pettingzoo.test")

TABLES = [(name, seats) for name, info in tanistry.games().items() for seats in info.seats]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_api(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Masks in dicts are what PettingZoo's own card games have; it warns about ours alone, by
        # name. Whoever is not to act may choose nothing: an empty mask is the truth.
        for text in (
            "Observation space for each agent",
            "Observation is not a NumPy",
            "Action mask",
        ):
            warnings.filterwarnings("ignore", text)
        api.api_test(env(name, seats=seats), num_cycles=300)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_seeds(name: str, seats: int) -> None:
    api.seed_test(lambda: env(name, seats=seats), num_cycles=200)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_rendering(name: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    api.render_test(lambda render_mode: env(name, seats=seats, render_mode=render_mode))
    assert f"{name}, " in capsys.readouterr().out


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_is_the_match(name: str, seats: int) -> None:
    """What agents get step by step is what the match says, and the sum of rewards is nothing."""
    game = tanistry.game(name, seats=seats)
    made: Any = env(name, seats=seats)
    rng = np.random.default_rng(1)
    made.reset(seed=5)
    match = game.deal(seed=5)
    for agent in made.agent_iter():
        seen, reward, over, cut, _ = made.last()
        seat = made.possible_agents.index(agent)
        assert np.array_equal(seen["observation"], observe(match, seat))
        assert made.observation_space(agent).contains(seen)
        assert not cut
        if over:
            assert reward == pytest.approx(rewards(match)[seat])
            assert not seen["action_mask"].any()
            made.step(None)
            continue
        assert (seat, reward) == (match.to_act, 0)
        assert np.flatnonzero(seen["action_mask"]).tolist() == match.legal_actions()
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        made.step(action)
        match.play(game.tokens[action])
    assert match.to_act is None


def test_an_illegal_choice_ends_it_and_names_the_rule() -> None:
    made: Any = env("claim")
    made.reset(seed=42)
    actions = made.unwrapped.game.actions
    made.step(actions["G8"])
    made.step(actions["D9"])
    assert made.terminations == {"player_0": True, "player_1": True}
    assert made.rewards == {"player_0": 0, "player_1": -1}
    assert made.infos["player_1"]["rule"] == "claim.follow"
    assert "must follow" in made.infos["player_1"]["refusal"]
    for _ in range(2):
        made.step(None)
    assert made.agents == []


def test_without_wrappers_an_illegal_choice_is_refused() -> None:
    made = raw_env("claim")
    made.reset(seed=42)
    before = made.match.position()
    for action in (made.game.actions["D9"], 4711):
        with pytest.raises(tanistry.IllegalMove):
            made.step(action)
    assert made.match.position() == before


def test_resets_without_a_seed_go_on() -> None:
    first, second = raw_env("claim"), raw_env("claim")
    decks = []
    for made in (first, second):
        made.reset(seed=1)
        made.reset()
        decks.append(made.match.position())
        made.reset()
        assert made.match.position() != decks[-1]
    assert decks[0] == decks[1]


def test_pickled_and_options() -> None:
    made = pickle.loads(pickle.dumps(raw_env("lords", seats=3, bruce=True)))
    assert made.game.options["bruce"] is True
    assert made.metadata["name"] == "tanistry_lords_v1"
    with pytest.raises(tanistry.OptionError):
        env("lords", seats=9)
    with pytest.raises(tanistry.OptionError, match="human, ansi, rgb_array"):
        env("lords", render_mode="film")


def test_pictures_show_the_cards() -> None:
    made = raw_env("kilt", render_mode="rgb_array")
    made.reset(seed=1)
    before = made.render()
    assert before.shape == (720, 960, 3)
    made.step(int(np.argmax(made.observe("player_0")["action_mask"])))
    assert (made.render() != before).any()


def test_actions_as_arrays_without_axes() -> None:
    made = env("claim")
    made.reset(seed=1)
    before = made.agent_selection
    made.step(np.array(int(np.argmax(made.last()[0]["action_mask"]))))
    assert made.agent_selection != before
