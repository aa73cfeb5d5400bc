"""One seat of a match as a Gymnasium environment; bots play the others.

    import tanistry.envs.single  # makes the ids known to Gymnasium

    env = gymnasium.make("tanistry/claim-v1", opponents="greedy")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)

It is the learner's turn whenever `reset` or `step` returns, until the match is over. Observations,
action numbers and rewards are those of every environment of ours; `info["legal"]` lists the legal
action numbers. A choice that is not legal raises IllegalMove, and nothing changes.
"""

from __future__ import annotations

from typing import Any

from tanistry.bots import bot
from tanistry.envs.drawing import draw_picture, draw_text, known_mode
from tanistry.envs.optional import how_to_get
from tanistry.envs.rewarding import rewards
from tanistry.envs.vector import Observations, seen_by, spaces_of, token_of
from tanistry.errors import OptionError
from tanistry.games import registry
from tanistry.match import Game

try:
    import gymnasium
except ImportError as missing:
    raise how_to_get(missing) from None


class SingleEnv(gymnasium.Env[Observations, Any]):
    """A match that the learner plays from one seat.

    `seat` is a number, or None: then it changes from match to match, by the seed. `opponents` is a
    bot by its name, with level and settings as everywhere (`ismcts:3`). Options of the game are
    given by name, `seats` too.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 1,
    }

    def __init__(
        self,
        name: str,
        *,
        opponents: str = "greedy",
        seat: int | None = None,
        seats: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = Game(registry.definition(name), seats, options)
        if seat is not None and seat not in range(self.game.seats):
            allowed = f"0–{self.game.seats - 1}, None"
            raise OptionError("option/value", name="seat", value=seat, allowed=allowed)
        bot(opponents)  # an unknown one is refused here, not in the middle of a match
        self._opponents, self._wanted_seat = opponents, seat
        self.render_mode = known_mode(render_mode, self.metadata)
        seen, chosen = spaces_of(self.game)
        self.observation_space: gymnasium.spaces.Space[Any] = seen
        self.action_space: gymnasium.spaces.Space[Any] = chosen

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal a match: the same one, with the same opponents, from the same seed."""
        super().reset(seed=seed, options=options)
        draw = self.np_random.integers
        self.match = self.game.deal(int(draw(1 << 62)))
        turned = int(draw(self.game.seats))
        self.seat = turned if self._wanted_seat is None else self._wanted_seat
        self._bot = bot(self._opponents, seed=int(draw(1 << 62)))
        self._let_others_play()
        return seen_by(self.match, self.seat), self._info()

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Make the learner's choice, and let the others answer."""
        self.match.play(token_of(self.game, action))
        self._let_others_play()
        over, reward = self.match.to_act is None, rewards(self.match)[self.seat]
        if self.render_mode == "human":
            print(draw_text(self.match))
        return seen_by(self.match, self.seat), reward, over, False, self._info()

    def render(self) -> Any:
        """The whole table, as text or as a picture."""
        if self.render_mode == "ansi":
            return draw_text(self.match)
        if self.render_mode == "rgb_array":
            return draw_picture(self.match)
        return None

    def _let_others_play(self) -> None:
        while self.match.to_act not in (self.seat, None):
            self.match.play(self._bot.choose(self.match))

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "legal": self.match.legal_actions()}


def register() -> None:
    """Make the games known to `gymnasium.make` and `make_vec`: `tanistry/claim-v1` and so on.

    The number is the version of the game. Importing this module does it, and so does
    `gymnasium.make("tanistry.envs.single:tanistry/claim-v1")`. A game that is registered later is
    made known by calling this again.
    """
    for name, info in registry.games().items():
        identity = f"tanistry/{name}-v{info.version}"
        if identity not in gymnasium.registry:
            gymnasium.register(
                identity,
                entry_point="tanistry.envs.single:SingleEnv",
                vector_entry_point="tanistry.envs.vector:VectorEnv",
                kwargs={"name": name},
            )


register()
