"""Learn Claim with a published library: MaskablePPO of Stable-Baselines3.

    pip install 'tanistry[examples]'
    python examples/maskable_ppo_claim.py --minutes 4 --out maskable

Stable-Baselines3 knows one learner in an environment, so the other seat is played by what it had
learnt a few rounds ago: a copy of its policy is taken now and then. The environment below is all
that is needed between `tanistry.batch` and the library.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from curve import Curve, Plan, read_plan
from gymnasium import spaces
from judging import worth
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from summary import ForCards, Summary
from torch import Tensor, nn

import tanistry

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
        known = spaces.Box(0, self.batch.layout.most, dtype=np.uint8)
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
        return self.batch.observations.copy()

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


class Shown(BaseFeaturesExtractor):
    """What the library chooses from: what a network makes of a summary, and the very cards."""

    def __init__(self, known: spaces.Box, width: int = 128) -> None:
        super().__init__(known, width + known.shape[0])
        self.summary = Summary(tanistry.game("claim"))
        self.body = nn.Sequential(
            nn.Linear(self.summary.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )

    def forward(self, known: Tensor) -> Tensor:
        return torch.cat([self.body(self.summary(known)), known / self.summary.most], 1)


class CardPolicy(MaskableActorCriticPolicy):
    """The library's policy, but its last layer knows what cards have in common."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = ForCards(tanistry.game("claim"), self.features_dim)
        self.optimizer = torch.optim.Adam(self.parameters(), lr_schedule(1), eps=1e-5)


def chooser(policy: Any, best: bool) -> Any:
    """A policy of the library as a function of observations and masks."""

    def choose(observations: Any, mask: Any) -> Any:
        with torch.no_grad():
            known = torch.from_numpy(observations)
            return policy(known, deterministic=best, action_masks=mask)[0].numpy()

    return choose


class Progress(BaseCallback):
    """Judges the learner now and then, and lets it play against what it was a few rounds ago."""

    def __init__(self, env: AgainstAnother, curve: Curve, every: int) -> None:
        super().__init__()
        self.env, self.curve, self.every = env, curve, every
        self.past: Any = None

    def _on_training_start(self) -> None:
        policy = self.model.policy
        spaces_of = self.env.observation_space, self.env.action_space
        self.past = type(policy)(*spaces_of, lambda _: 0.0, **self.model.policy_kwargs)
        self.env.other = chooser(self.past, best=False)

    def _on_rollout_start(self) -> None:
        if self.curve.rounds % self.every == 0:
            self.past.load_state_dict(self.model.policy.state_dict())
        self.curve.next_round(chooser(self.model.policy, best=True), self.matches)

    def _on_step(self) -> bool:
        return self.curve.plan.rounds is not None or self.curve.part < 1

    def _on_training_end(self) -> None:
        self.curve.end(chooser(self.model.policy, best=True), self.matches)

    @property
    def matches(self) -> int:
        return int(self.model.num_timesteps) // CHOICES


def train(plan: Plan, rows: int = 512) -> tuple[MaskablePPO, Curve]:
    game = tanistry.game("claim")
    env = AgainstAnother(game, rows, plan.seed)
    curve = Curve(plan, game)
    model = MaskablePPO(
        CardPolicy,
        env,
        seed=plan.seed,
        n_steps=CHOICES,
        batch_size=rows * CHOICES // 16,
        n_epochs=2,
        learning_rate=lambda _: 2e-3 * max(0.05, 1 - curve.part),
        gamma=1.0,
        gae_lambda=0.85,
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": Shown, "net_arch": []},
    )
    steps = 10**9 if plan.rounds is None else plan.rounds * rows * CHOICES
    model.learn(steps, Progress(env, curve, every=10))
    return model, curve


def main() -> None:
    plan = read_plan(__doc__, minutes=4, out=Path("maskable"))
    torch.set_num_threads(plan.threads)
    plan.out.mkdir(parents=True, exist_ok=True)
    model, curve = train(plan)
    model.save(plan.out / "model.zip")
    curve.write(plan.out / "curve.csv")
    curve.draw(plan.out / "curve.svg", "MaskablePPO learns Claim")


if __name__ == "__main__":
    main()
