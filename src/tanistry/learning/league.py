"""Opponents of other kinds than the learner of today.

Who only ever meets themselves learns to beat themselves. In some rows all seats but one are played
by the league: a third of them by an earlier self, a third by an earlier self with a taste of its
own (`Settings.styles`), a third by `greedy`, if the game has a policy of its own.
"""

from __future__ import annotations

import copy
import random
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from tanistry.kernel import specialise, template
from tanistry.kernel.cuda import import_cuda
from tanistry.learning.brain import Brain, masked, sample
from tanistry.match.seeds import fast_seed
from tanistry.simulation.gpu import BLOCK
from tanistry.simulation.playouts import APART
from tanistry.simulation.policy import NOTES, advise, new_notes, policy_kernels, policy_of

if TYPE_CHECKING:
    from tanistry.learning.settings import Settings, Style
    from tanistry.learning.tables import Table
    from tanistry.match import Game
    from tanistry.simulation.batch import Batch


class League:
    """Earlier selves, and who of them sits where."""

    def __init__(self, brain: Brain, settings: Settings) -> None:
        self.settings = settings
        self.chance = random.Random(settings.seed)
        self.members: list[dict[str, Tensor]] = []
        self.opponent = copy.deepcopy(brain).requires_grad_(False)
        self._act: Any = None
        self._tastes: dict[int, Tensor] = {}
        self._greedy: dict[int, Greedy] = {}
        self.lessons = 0

    def update(self, brain: Brain) -> None:
        """After every lesson: now and then a new member, and others who play."""
        if self.lessons % self.settings.league_every == 0:
            self.members.append({k: v.detach().clone() for k, v in brain.state_dict().items()})
            if len(self.members) > self.settings.league_size:
                del self.members[self.chance.randrange(len(self.members) - 1)]
            self.opponent.load_state_dict(self.chance.choice(self.members))
            self._tastes.clear()
        self.lessons += 1

    @torch.no_grad()
    def choose(self, table: Table, chosen: Tensor) -> Tensor:
        """Put the league's choices in place of the learner's; whose choices were the learner's."""
        ours = torch.ones_like(chosen, dtype=torch.bool)
        n = int(table.n * self.settings.league_share)
        if n == 0 or not self.members:
            return ours
        theirs = table.to_act[:n] != table.own_seat[:n]
        ours[:n] = ~theirs
        able = policy_of(table.games[0].info) is not None
        selves = n * 2 // 3 if able else n
        logits, _ = self.opponent(
            table.observed[:selves], table.game_number[:selves], table.reading
        )
        logits = masked(logits + self._taste(table, selves), table.legal[:selves])
        chosen[:selves] = torch.where(theirs[:selves], sample(logits), chosen[:selves])
        if able:
            if id(table) not in self._greedy:
                self._greedy[id(table)] = Greedy(table.batch, self.settings.seed)
            self._greedy[id(table)].choose(theirs, selves, n, chosen)
        return ours

    def _taste(self, table: Table, rows: int) -> Tensor:
        """What is added to the logits of each row; the first half plays straight."""
        if id(table) not in self._tastes:
            tastes = [torch.zeros(len(table.games[0].tokens))]
            styles = self.settings.styles
            if styles:
                drawn = self.chance.sample(styles, min(4, len(styles)))
                tastes += [taste_of(table.games[0], style) for style in drawn]
            number = torch.zeros(rows, dtype=torch.int64)
            if len(tastes) > 1:
                odd = torch.arange(rows - rows // 2)
                number[rows // 2 :] = 1 + odd // len(table.games) % (len(tastes) - 1)
            kind = torch.bfloat16 if table.device == "cuda" else torch.float32
            self._tastes[id(table)] = torch.stack(tastes)[number].to(table.device, kind)
        return self._tastes[id(table)]


def taste_of(game: Game, style: Style) -> Tensor:
    """What a style adds to the logits of a game's tokens."""
    return torch.tensor(
        [
            sum(more for pattern, more in style.items() if re.fullmatch(pattern, token))
            for token in game.tokens
        ]
    )


# -- greedy, in all rows at once ------------------------------------------------------------------


@template
def advise_rows(
    first: int, end: int, records: Any, sets: Any, wanted: Any, notes: Any, rng: Any, actions: Any
) -> None:
    words = sets.shape[0] // records.shape[0]
    for i in range(first, end):
        if wanted[i]:
            moves = sets[i * words : (i + 1) * words]
            actions[i] = advise(records[i], moves, notes, rng[i : i + 1])


class Greedy:
    """The game's own policy for the rows of a batch, wherever they lie."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self.batch = batch
        numbers = np.arange(batch.n, dtype=np.uint64)
        self.rng = fast_seed(seed) + numbers * APART
        self.notes = new_notes()
        advise = policy_kernels(batch.game.info).advise
        self.on_gpu = batch.device == "cuda"
        if self.on_gpu:
            self.rng = import_cuda().to_device(self.rng)
            self.kernel = _launchable(advise, len(batch.game.new_moves()))
        else:
            module = import_module(__name__)
            self.kernel = specialise(module, {"advise": advise}, batch.game.name)["advise_rows"]

    def choose(self, wanted: Tensor, first: int, end: int, actions: Tensor) -> None:
        """Write the choices of those rows in a range where one is wanted."""
        rows = self.batch._rows
        if self.on_gpu:
            grid = -(-(end - first) // BLOCK)
            as_array = import_cuda().as_cuda_array
            given = rows.records, rows.moves, as_array(wanted), self.rng, as_array(actions)
            self.kernel[grid, BLOCK](first, end, *given)
        else:
            self.kernel(
                first, end, rows.records, rows.moves, wanted.numpy(), self.notes, self.rng,
                actions.numpy(),
            )  # fmt: skip


def _launchable(advise: Any, words: int) -> Any:
    cuda, int32 = import_cuda(), import_module("numba").int32
    room = NOTES

    def advise_all(
        first: int, end: int, records: Any, sets: Any, wanted: Any, rng: Any, actions: Any
    ) -> None:
        i = first + cuda.grid(1)
        if i < end and wanted[i]:
            notes = cuda.local.array(room, int32)
            for k in range(room):
                notes[k] = 0
            moves = sets[i * words : (i + 1) * words]
            actions[i] = advise(records[i], moves, notes, rng[i : i + 1])

    return cuda.jit(advise_all)
