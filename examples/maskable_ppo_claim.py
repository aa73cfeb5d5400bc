"""Learn Claim with a published library: MaskablePPO of Stable-Baselines3.

    pip install 'tanistry[examples]'
    python examples/maskable_ppo_claim.py --minutes 4 --out maskable

Stable-Baselines3 knows one learner in an environment, so the other seat is played by what it had
learnt a few rounds ago: a copy of its policy is taken now and then. The environment below is all
that is needed between `tanistry.batch` and the library.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from judging import Judgement, judge, worth
from ppo_claim import Point, draw, write
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

import tanistry
from tanistry.envs import observation

CHOICES = 26
"""Choices of one seat in a match of Claim."""
WAIT = -1
"""No action at all: it is refused, and the row stays as it is."""


class AgainstAnother(VecEnv):
    """Matches side by side; in row i the learner has seat i mod 2, `other` chooses for the rest.

    `other` takes observations and masks; without it the other seat plays at random.
    """

    render_mode = None

    def __init__(self, game: tanistry.Game, rows: int, seed: int) -> None:
        self.batch = tanistry.batch(game, rows, seed)
        self.other: Any = None
        self.seats = np.arange(rows) % 2
        self.actions = np.zeros(rows, np.int64)
        known = spaces.Box(0, 1, (self.batch.layout.size,), np.float32)
        super().__init__(rows, known, spaces.Discrete(len(game.tokens)))

    def reset(self) -> Any:
        self.batch.reset()
        self._let_others_play(np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, bool))
        return self._observations()

    def step_async(self, actions: Any) -> None:
        self.actions = np.asarray(actions, np.int64)

    def step_wait(self) -> Any:
        rewards, done = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, bool)
        self._step(self.actions, rewards, done)
        self._let_others_play(rewards, done)
        observations = self._observations()
        infos: list[dict[str, Any]] = [
            {"terminal_observation": row} if ended else {}
            for row, ended in zip(observations, done, strict=True)
        ]
        return observations, rewards, done, infos

    def _let_others_play(self, rewards: Any, done: Any) -> None:
        """Until the learner is to act in every row."""
        while len(rows := np.flatnonzero(np.array(self.batch.to_act) != self.seats)):
            actions = np.full(self.num_envs, WAIT)
            if self.other is None:
                actions[rows] = self.batch.random_actions()[rows]
            else:
                actions[rows] = self.other(self.batch.observations[rows], self.batch.mask[rows])
            self._step(actions, rewards, done)

    def _step(self, actions: Any, rewards: Any, done: Any) -> None:
        self.batch.step(actions)
        rewards += worth(self.batch)[np.arange(self.num_envs), self.seats]
        done |= self.batch.done

    def _observations(self) -> Any:
        return self.batch.layout.as_floats(self.batch.observations)

    def action_masks(self) -> Any:
        return self.batch.mask.copy()

    # -- what else a VecEnv is asked for ----------------------------------------------------------

    def close(self) -> None:
        pass

    def env_method(self, method_name: str, *_args: Any, **_kwargs: Any) -> list[Any]:
        return list(getattr(self, method_name)())

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


def chooser(policy: Any, best: bool) -> Any:
    """A policy of the library as a function of observations and masks."""
    layout = observation(tanistry.game("claim"))

    def choose(observations: Any, mask: Any) -> Any:
        with torch.no_grad():
            known = torch.from_numpy(layout.as_floats(observations))
            return policy(known, deterministic=best, action_masks=mask)[0].numpy()

    return choose


class Progress(BaseCallback):
    """Judges the learner every few rounds, and lets it play against itself from then on."""

    def __init__(self, env: AgainstAnother, every: int, minutes: float, judged: int) -> None:
        super().__init__()
        self.env, self.every, self.seconds, self.judged = env, every, 60 * minutes, judged
        self.past: Any = None
        self.rounds = 0
        self.curve: list[Point] = []
        self.began = time.process_time()

    def judge(self, matches: int) -> Judgement:
        choose = chooser(self.model.policy, best=True)
        return judge(choose, self.env.batch.game, matches, 1000 + self.rounds)

    def _on_training_start(self) -> None:
        policy = self.model.policy
        spaces_of = self.env.observation_space, self.env.action_space
        self.past = type(policy)(*spaces_of, lambda _: 0.0, **self.model.policy_kwargs)
        self.env.other = chooser(self.past, best=False)

    def _on_rollout_start(self) -> None:
        if self.rounds % self.every == 0:
            self.past.load_state_dict(self.model.policy.state_dict())
            seconds = time.process_time() - self.began
            matches = self.model.num_timesteps // CHOICES
            self.curve.append(Point(matches, seconds, self.judge(self.judged)))
            print(f"{seconds:6.0f} s, {matches:7,} matches: {self.curve[-1].judged}", flush=True)
        self.rounds += 1

    def _on_step(self) -> bool:
        return time.process_time() - self.began < self.seconds


def train(
    seed: int, rows: int, minutes: float, rounds: int | None, every: int, judged: int
) -> Progress:
    env = AgainstAnother(tanistry.game("claim"), rows, seed)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        seed=seed,
        n_steps=CHOICES,
        batch_size=rows * CHOICES // 8,
        n_epochs=3,
        learning_rate=2e-3,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
    )
    progress = Progress(env, every, minutes, judged)
    model.learn(10**9 if rounds is None else rounds * rows * CHOICES, progress)
    return progress


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=512)
    parser.add_argument("--minutes", type=float, default=4, help="of processor time")
    parser.add_argument("--rounds", type=int, help="stop after so many rounds")
    parser.add_argument("--every", type=int, default=10, help="rounds between judgements")
    parser.add_argument("--judged", type=int, default=1000, help="matches of a judgement")
    parser.add_argument("--final", type=int, default=4000, help="matches of the last one")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    parser.add_argument("--out", type=Path, default=Path("maskable"))
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    progress = train(given.seed, given.rows, given.minutes, given.rounds, given.every, given.judged)
    given.out.mkdir(parents=True, exist_ok=True)
    progress.model.save(given.out / "model.zip")
    write(progress.curve, given.out / "curve.csv")
    draw(progress.curve, given.out / "curve.svg", "MaskablePPO learns Claim")
    print(f"at the end: {progress.judge(given.final)}")


if __name__ == "__main__":
    main()
