"""Layers that know the cards of Claim: what they see in a place, and how they speak for a card."""

from __future__ import annotations

import torch
from torch import Tensor, nn

import tanistry
from tanistry.envs import observation

FACTIONS = "GKUDX"
HIGHEST = 9


def kinds(game: tanistry.Game) -> Tensor:
    """What the cards have in common, a column for each card: its faction, and how high it is there.

    Five rows say which faction, 0 or 1; five more the value, −1 for a 0 and 1 for a 9.
    """
    table = torch.zeros(2, len(FACTIONS), len(game.tokens))
    for card, code in enumerate(game.tokens):
        faction, value = FACTIONS.index(code[0]), int(code[1:])
        table[:, faction, card] = torch.tensor([1, 2 * value / HIGHEST - 1])
    return table.flatten(0, 1)


class Summary(nn.Module):
    """An observation with the cards of each place added up: how many of a faction, how high.

    A network that is shown 48 flags for each place has to learn of every card by itself that it is
    a Goblin, and higher than another one. It learns several times as fast where it is told.
    """

    def __init__(self, game: tanistry.Game) -> None:
        super().__init__()
        layout = observation(game)
        places = [section for section in layout.sections if section.columns == tuple(game.tokens)]
        first, end = places[0].offset, places[-1].offset + places[-1].size
        self.cards, self.others = slice(first, end), (slice(first), slice(end, None))
        self.shape = sum(len(section.rows) for section in places), len(game.tokens)
        self.register_buffer("kinds", kinds(game).T.contiguous())
        self.register_buffer("most", torch.tensor(layout.most, dtype=torch.float32))
        self.size = layout.size - self.shape[0] * (self.shape[1] - self.kinds.shape[1])

    def forward(self, known: Tensor) -> Tensor:
        cards = known[:, self.cards].unflatten(1, self.shape) @ self.kinds
        others = [known[:, part] / self.most[part] for part in self.others]
        return torch.cat([*others, cards.flatten(1)], 1)


class ForCards(nn.Linear):
    """What speaks for each card: for itself, for its faction, for the high ones of the faction.

    So what is learnt of one card helps with the others.
    """

    def __init__(self, game: tanistry.Game, width: int) -> None:
        shared = kinds(game)
        super().__init__(width, sum(shared.shape), bias=False)
        nn.init.zeros_(self.weight)  # at first, every legal choice is as likely
        self.register_buffer("kinds", shared)

    def forward(self, known: Tensor) -> Tensor:
        of_kind, each = super().forward(known).split(list(self.kinds.shape), 1)
        return each + of_kind @ self.kinds
