"""The games as PettingZoo environments (AEC): `env("lords", seats=3)`.

Agents are `player_0`, `player_1` …; an observation is a dict with `observation` (see
`tanistry.simulation.observation`) and `action_mask`, which is empty for whoever is not to act.
Rewards come when the match ends: 1 for the winner, shared if several are first, and in all 0. A
choice that is not legal ends the match with −1 for who made it, as PettingZoo has it; `infos` names
the rule.
"""

from __future__ import annotations

from typing import Any

from tanistry.envs.drawing import draw_picture, draw_text, known_mode
from tanistry.envs.optional import how_to_get
from tanistry.envs.rewarding import rewards
from tanistry.envs.vector import Observations, seen_by, spaces_of, token_of
from tanistry.errors import IllegalMove
from tanistry.games import registry
from tanistry.match import Game

try:
    import gymnasium
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError as missing:
    raise how_to_get(missing) from None

ILLEGAL_REWARD = -1.0


def env(
    name: str, *, seats: int | None = None, render_mode: str | None = None, **options: Any
) -> Any:
    """A game as an environment with PettingZoo's usual wrappers around it."""
    made: Any = raw_env(name, seats=seats, render_mode=render_mode, **options)
    made = RefusalWrapper(made, illegal_reward=ILLEGAL_REWARD)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801  PettingZoo calls it so
    """The environment itself; a choice that is not legal raises IllegalMove."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "tanistry_v1",
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, name: str, *, seats: int | None = None, render_mode: str | None = None, **options: Any
    ) -> None:
        EzPickle.__init__(self, name, seats=seats, render_mode=render_mode, **options)
        super().__init__()
        self.game = Game(registry.definition(name), seats, options)
        self.metadata = {
            **type(self).metadata,
            "name": f"tanistry_{name}_v{self.game.info.version}",
        }
        self.render_mode = known_mode(render_mode, self.metadata)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        both = {agent: spaces_of(self.game) for agent in self.possible_agents}
        self.observation_spaces = {agent: both[agent][0] for agent in both}
        self.action_spaces = {agent: both[agent][1] for agent in both}
        self.np_random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    # -- playing ----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a match: the same one from the same seed, a new one without."""
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        self.match = self.game.deal(int(self.np_random.integers(1 << 62)) if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.match.to_act or 0]

    def step(self, action: int | None) -> None:
        """Make a choice for the agent selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match.play(self.token(action))
        if self.match.to_act is None:
            self.rewards = dict(zip(self.possible_agents, rewards(self.match), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.match.to_act]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def token(self, action: Any) -> str:
        """The token of an action number; a number without one stands for itself."""
        return token_of(self.game, action)

    def refusal(self, action: Any) -> IllegalMove | None:
        """Why an action is not legal now; None if it is."""
        if action in self.match.legal_actions():
            return None
        try:
            self.match.copy().play(self.token(action))
        except IllegalMove as refused:
            return refused
        return None

    # -- looking ----------------------------------------------------------------------------------

    def observe(self, agent: str) -> Observations:
        """What an agent knows; its mask is empty unless it is to act."""
        return seen_by(self.match, self.possible_agents.index(agent))

    def render(self) -> Any:
        """The whole table, as text (`human` prints it) or as a picture."""
        if self.render_mode == "human":
            print(draw_text(self.match))
        elif self.render_mode == "ansi":
            return draw_text(self.match)
        elif self.render_mode == "rgb_array":
            return draw_picture(self.match)
        else:
            gymnasium.logger.warn("render() needs a render_mode: human, ansi or rgb_array")
        return None

    def close(self) -> None:
        """There is nothing to close."""


class RefusalWrapper(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """PettingZoo's rule for illegal actions, with the reason in `infos` and in the log."""

    def step(self, action: Any) -> None:
        agent, inner = self.agent_selection, self.env.unwrapped
        running = not (self.terminations[agent] or self.truncations[agent])
        refused = inner.refusal(action) if running else None
        super().step(action)
        if refused is not None:
            inner.infos[agent] = {"rule": refused.rule, "refusal": str(refused)}
            text = f"{inner.token(action)}: {refused} ({refused.rule})"
            EnvLogger.get_logger().warning(text)
