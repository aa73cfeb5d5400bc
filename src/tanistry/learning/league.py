"""Opponents of other kinds than the learner of today.

Who only ever meets themselves learns to beat themselves. In some rows all seats but one are played
by the league: a third of them by an earlier self or a rival (`Settings.rivals`), a third by one
with a taste of its own (`Settings.styles`), a third by `greedy`, if the game has a policy of its
own. Who looks for the best response to a network (`Settings.against`) meets that network alone, in
every row.
"""

from __future__ import annotations

import copy
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from tanistry.learning.brain import Brain, masked, noise_for, sample
from tanistry.learning.settings import SHIPPED
from tanistry.simulation.advising import Greedy
from tanistry.simulation.network import Network, network_of, read_network_file
from tanistry.simulation.policy import policy_of

if TYPE_CHECKING:
    from tanistry.learning.rollouts import Rollout
    from tanistry.learning.settings import Settings, Style
    from tanistry.match import Game


class League:
    """Earlier selves, and who of them sits where."""

    def __init__(self, brain: Brain, settings: Settings) -> None:
        self.settings = settings
        self.chance = random.Random(settings.seed)
        self.members: list[dict[str, Tensor]] = []
        self.opponent = copy.deepcopy(brain).requires_grad_(False)
        """Today's earlier self, or always the one that is played against."""
        if settings.against:
            self.opponent.recall(named_network(settings.against, settings.game))
        self.rivals = [_state(brain, name, settings.game) for name in settings.rivals]
        self._tastes: dict[Rollout, Tensor] = {}
        self._greedy: dict[Rollout, Greedy] = {}
        self.lessons = 0

    def update(self, brain: Brain) -> None:
        """After every lesson: now and then a new member, and others who play."""
        if self.lessons % self.settings.league_every == 0 and not self.settings.against:
            self.members.append({k: v.detach().clone() for k, v in brain.state_dict().items()})
            if len(self.members) > self.settings.league_size:
                del self.members[self.chance.randrange(len(self.members) - 1)]
            self.opponent.load_state_dict(self._drawn_member())
            for rollout, tastes in self._tastes.items():
                tastes.copy_(self._drawn(rollout, len(tastes)))
        self.lessons += 1

    def _drawn_member(self) -> dict[str, Tensor]:
        """An earlier self, or one time in two a rival, if there are any."""
        among = self.rivals if self.rivals and self.chance.random() < 0.5 else self.members
        return self.chance.choice(among)

    @torch.no_grad()
    def choose(self, rollout: Rollout, chosen: Tensor) -> Tensor:
        """Put the league's choices in place of the learner's; whose choices were the learner's."""
        if self.settings.against:
            return self._answer(rollout, chosen)
        ours = torch.ones_like(chosen, dtype=torch.bool)
        usual = rollout.seats == rollout.games[0].info.seats[0]
        share = self.settings.league_share if usual else self.settings.crowd_league_share
        n = int(rollout.n * share)
        if n == 0 or not self.members:
            return ours
        theirs = rollout.to_act[:n] != rollout.own_seat[:n]
        ours[:n] = ~theirs
        able = policy_of(rollout.games[0].info) is not None
        selves = n * 2 // 3 if able else n
        logits, _ = self.opponent(
            rollout.observed[:selves], rollout.game_number[:selves], rollout.reading
        )
        logits = logits + self._taste(rollout, selves)
        taken, _ = sample(logits, rollout.legal[:selves], noise_for(logits))
        chosen[:selves] = torch.where(theirs[:selves], taken, chosen[:selves])
        if able:
            if rollout not in self._greedy:
                self._greedy[rollout] = Greedy(rollout.batch, self.settings.seed)
            self._greedy[rollout].choose(theirs, selves, n, chosen)
        return ours

    def _answer(self, rollout: Rollout, chosen: Tensor) -> Tensor:
        """All other seats choose as the network does that is played against."""
        theirs = rollout.to_act != rollout.own_seat
        logits, _ = self.opponent(rollout.observed, rollout.game_number, rollout.reading)
        chosen.copy_(torch.where(theirs, masked(logits, rollout.legal).argmax(-1), chosen))
        return ~theirs

    def _taste(self, rollout: Rollout, rows: int) -> Tensor:
        """What is added to the logits of each row: always in the same place, for a graph's sake."""
        if rollout not in self._tastes:
            kind = torch.bfloat16 if rollout.device == "cuda" else torch.float32
            self._tastes[rollout] = self._drawn(rollout, rows).to(kind)
        return self._tastes[rollout]

    def _drawn(self, rollout: Rollout, rows: int) -> Tensor:
        """Tastes for the rows of a rollout; the first half plays straight."""
        tastes = [torch.zeros(len(rollout.games[0].tokens))]
        styles = self.settings.styles
        if styles:
            drawn = self.chance.sample(styles, min(4, len(styles)))
            tastes += [taste_of(rollout.games[0], style) for style in drawn]
        number = torch.zeros(rows, dtype=torch.int64)
        if len(tastes) > 1:
            odd = torch.arange(rows - rows // 2)
            number[rows // 2 :] = 1 + odd // len(rollout.games) % (len(tastes) - 1)
        return torch.stack(tastes).to(rollout.device)[number.to(rollout.device)]


def _state(brain: Brain, name: str, game: str) -> dict[str, Tensor]:
    """What another network knows, as the learner's own kind of network."""
    other = copy.deepcopy(brain)
    other.recall(named_network(name, game))
    return other.state_dict()


def named_network(name: str, game: str) -> Network:
    """The network of a file, or the package's own."""
    return network_of(game) if name == SHIPPED else read_network_file(Path(name))


def taste_of(game: Game, style: Style) -> Tensor:
    """What a style adds to the logits of a game's tokens."""
    return torch.tensor(
        [
            sum(more for pattern, more in style.items() if re.fullmatch(pattern, token))
            for token in game.tokens
        ]
    )
