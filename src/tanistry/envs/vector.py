"""Thousands of matches a step, as a Gymnasium vector environment made for self-play.

    envs = VectorEnv("claim", num_envs=4096)
    observations, infos = envs.reset(seed=1)
    while learning:
        actions = choose(observations["observation"], observations["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)

Every row is a match in which all seats are played by whoever calls `step`: the observation is that
of the seat to act (`infos["to_act"]`), its own seat first, so that one network can play them all.
`rewards` are of the seats that have just acted (`infos["actor"]`); as a match ends for all seats at
once, `infos["rewards"]` has what it was worth to each. A match that ends is dealt anew within the
same step (AutoresetMode.SAME_STEP): the observation is already of the next one.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanistry.arguments import as_whole, whole
from tanistry.envs.drawing import draw_picture, draw_text, known_mode
from tanistry.envs.optional import how_to_get
from tanistry.errors import OptionError
from tanistry.games import registry
from tanistry.match import Game, Match
from tanistry.simulation.batches import batch
from tanistry.simulation.observation import observe
from tanistry.simulation.running import MOST_MATCHES

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    raise how_to_get(missing) from None

Observations = dict[str, NDArray[Any]]


def spaces_of(game: Game) -> tuple[spaces.Dict, spaces.Discrete[Any]]:
    """What a seat sees and may choose, in every environment of ours."""
    from tanistry.envs import observation

    seen = spaces.Box(0, observation(game).most, dtype=np.uint8)
    mask = spaces.Box(0, 1, (len(game.tokens),), np.int8)
    return spaces.Dict(observation=seen, action_mask=mask), spaces.Discrete(len(game.tokens))


def seen_by(match: Match, seat: int) -> Observations:
    """What a seat knows; the mask is empty unless it is to act."""
    mask = np.zeros(len(match.game.tokens), np.int8)
    if seat == match.to_act:
        mask[match.legal_actions()] = 1
    return {"observation": observe(match, seat), "action_mask": mask}


def token_of(game: Game, action: Any) -> str:
    """The token of an action number, an array's or a tensor's too; what is none, as it stands."""
    try:
        number = -1 if isinstance(action, bool) else index(action)
    except TypeError:
        number = -1
    return game.tokens[number] if 0 <= number < len(game.tokens) else str(action)


def one_seed(seed: Any) -> int:
    """The seed of all matches; an OptionError about a list of them, which Gymnasium would take."""
    if as_whole(seed) is None:
        allowed = "0, 1, 2 … (one for all the matches; match i is number i under it)"
        raise OptionError("option/value", name="seed", value=seed, allowed=allowed)
    return whole("seed", seed, 0)


class VectorEnv(gymnasium.vector.VectorEnv[Observations, Any, NDArray[Any]]):
    """Matches of one game side by side.

    Options of the game are given by name, `seats` too. `threads` share the work; they change
    nothing else. With `copy=False` observations, terminations and infos are the arrays the matches
    are played with: the next step changes them, and nobody else may write to them.

    infos, each with an entry for every match:

        to_act     the seat whose choice it is
        actor      the seat that made the choice before, −1 at first
        rewards    (seats) what a match that has just ended was worth to each seat, otherwise 0
        scores     (seats) the points of the match that ended last
        length     choices in the match so far; in all of it, if it has just ended
        refused    whether the choice was not legal: nothing changed in that match
        refusals   (only if there are any) why, with the rule's id; None where there is none
        final_obs  (only if a match has ended) what the actor of each such match knew at the end,
                   an observation of its own; None for the others. `_final_obs` says which ended
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_fps": 1,
    }

    def __init__(
        self,
        name: str,
        num_envs: int = 1024,
        *,
        seats: int | None = None,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = Game(registry.definition(name), seats, options)
        self.num_envs = whole("num_envs", num_envs, 1, MOST_MATCHES)
        self.batch = batch(self.game, self.num_envs, threads=threads, keep_last=True)
        self.render_mode = known_mode(render_mode, self.metadata)
        self.single_observation_space, self.single_action_space = spaces_of(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._copies = copy
        rows = self.batch
        self._seen = {"observation": rows.observations, "action_mask": rows.mask.view(np.int8)}
        self._told = {
            "to_act": rows.to_act,
            "actor": rows.actors,
            "rewards": rows.rewards,
            "scores": rows.scores,
            "length": rows.lengths,
            "refused": rows.refused,
        }
        self._no_choice = np.zeros(self.single_action_space.n, np.int8)
        self._no_choice.flags.writeable = False  # it is handed out again and again
        if not copy:
            self._last = np.array([self._final_observation(row) for row in self.batch.last])
            self._final = np.full(self.num_envs, None, np.object_)  # and which of them
            self._ended = np.zeros(0, np.int64)  # are handed out by now

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal all matches anew: the same ones from the same seed.

        There is one seed for all of them: match i is number i under it, see `Batch.numbers`.
        """
        if seed is not None:
            seed = one_seed(seed)
        super().reset(seed=seed, options=options)
        fresh = int(self.np_random.integers(1 << 62)) if seed is None else seed
        self.batch.reset(fresh)
        return self._handed_out(self._seen), self._handed_out(self._told)

    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make a choice in every match."""
        rows = self.batch
        rows.step(actions)
        infos = self._handed_out(self._told)
        if np.count_nonzero(rows.refused):
            told = np.full(self.num_envs, None, np.object_)
            for row, refusal in rows.refusals(actions).items():
                told[row] = f"{refusal} ({refusal.rule})"
            infos["refusals"], infos["_refusals"] = told, rows.refused.copy()
        if np.count_nonzero(rows.done):
            infos["final_obs"] = self._final_observations()
            infos["_final_obs"] = rows.done.copy()
        return (
            self._handed_out(self._seen),
            rows.earned.copy(),
            self._fresh(rows.done),
            np.zeros(self.num_envs, np.bool_),
            infos,
        )

    def random_actions(self) -> NDArray[np.int64]:
        """A random legal action for every match."""
        actions: NDArray[np.int64] = self.batch.random_actions()
        return self._fresh(actions)

    def render(self) -> tuple[Any, ...] | None:
        """A text or a picture of every match: be patient if there are many."""
        draw = {"ansi": draw_text, "rgb_array": draw_picture}.get(self.render_mode or "")
        if draw is None:
            return None
        return tuple(draw(self.batch.match(row)) for row in range(self.num_envs))

    def _final_observations(self) -> NDArray[np.object_]:
        ended = self.batch.done.nonzero()[0]
        if self._copies:
            found = np.full(self.num_envs, None, np.object_)
            found[ended] = [self._final_observation(row.copy()) for row in self.batch.last[ended]]
            return found
        self._final[self._ended] = None
        self._final[ended] = self._last[ended]
        self._ended = ended
        return self._final

    def _final_observation(self, row: NDArray[np.uint8]) -> Observations:
        return {"observation": row, "action_mask": self._fresh(self._no_choice)}

    def _handed_out(self, arrays: Observations) -> dict[str, Any]:
        return {name: a.copy() for name, a in arrays.items()} if self._copies else dict(arrays)

    def _fresh(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copies else array
