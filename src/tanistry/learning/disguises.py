"""Matches as they would look if things that are all alike had changed places.

The colours of Schotten Totten are all alike, and so are the two ends of its row of stones. Who
always sees them as they are agrees with himself where to begin which colour, and is lost in
matches that others have begun. So every choice can be shown in a disguise, drawn anew each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from tanistry.learning.alike import all_orders
from tanistry.learning.brain import fused

if TYPE_CHECKING:
    from torch import Tensor


class Disguises:
    """All ways to exchange what is alike, and what stands in whose place then."""

    def __init__(
        self, inputs: Sequence[str], tokens: Sequence[str], alike: dict[str, str], device: str
    ) -> None:
        shown, done = all_orders(inputs, tokens, alike)
        self.inputs = torch.tensor(shown, dtype=torch.int16, device=device)
        self.actions = torch.tensor(done, dtype=torch.int16, device=device)
        self.count = len(shown)

    def draw(self, rows: int) -> Tensor:
        """A disguise for every row."""
        return torch.randint(self.count, (rows,), device=self.inputs.device)

    def show(self, which: Tensor, observed: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """What is observed and legal in each row, in its disguise."""
        if self.count == 1:
            return observed, legal
        return disguised(observed, self.inputs, which), disguised(legal, self.actions, which)

    def meant(self, which: Tensor, chosen: Tensor) -> Tensor:
        """The actions that were chosen in disguise, as they are."""
        return chosen if self.count == 1 else self.actions[which, chosen].long()

    def undisguised(self, which: Tensor, logits: Tensor) -> Tensor:
        """What was thought of the actions in disguise, told of them as they are."""
        return torch.empty_like(logits).scatter_(1, self.actions[which].long(), logits)


@fused
def disguised(rows: Tensor, orders: Tensor, which: Tensor) -> Tensor:
    return rows.gather(1, orders[which].long())
