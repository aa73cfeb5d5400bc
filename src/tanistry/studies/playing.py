"""Playing a share of a study: matches number first … of one setting, counted."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tanistry.kernel import specialise
from tanistry.match import Match
from tanistry.match.seeds import fast_seed
from tanistry.simulation.playouts import APART_WORDS
from tanistry.simulation.policies import RANDOM, choosing, new_thoughts
from tanistry.studies.counting import kernels as templates
from tanistry.studies.counting.layout import Numbers, counts_layout, sheet_layout, tables_of
from tanistry.studies.plan import Setting

if TYPE_CHECKING:
    from tanistry.match import Game


class Share(NamedTuple):
    """A piece of work: the number of the setting, and which of its matches."""

    setting: int
    first: int
    matches: int


def kernels_for(game: Game, policy: str) -> dict[str, Any]:
    """The kernels of `counting` for a game, its choices made by a policy."""
    names = ("deal", "legal", "play", "score", "standing", "start_stream")
    given = {name: getattr(game.kernels, name) for name in names}
    choose, name = choosing(game, policy)
    return specialise(templates, given | choose, name)


class Counter:
    """Everything needed to play matches of a setting, and the counts; not for two threads."""

    def __init__(self, setting: Setting, key: bytes) -> None:
        self.setting = setting
        self.key = key
        self.game = setting.make_game()
        policy = setting.policy.text if setting.is_compiled else RANDOM
        self.kernels = kernels_for(self.game, policy)
        self.notes = new_thoughts(self.game, policy, 2 * APART_WORDS)
        definition = self.game.definition
        self.blank = np.array([self.game.new_record(key)], definition.dtype)
        self.table = self.blank.copy()
        self.sheet = np.zeros(1, sheet_layout(definition, len(self.game.tokens)))
        self.tables = tables_of(self.game)
        self.salt = fast_seed(key)[0]

    def play(self, first: int, n: int) -> Numbers:
        """The counts of matches number first … first + n − 1, as one row of integers."""
        counts = np.zeros(1, counts_layout(self.game.definition))
        if self.setting.is_compiled:
            self.kernels["study"](
                self.table, self.blank, self.sheet, self.tables, self.notes, counts, first, n,
                self.salt,
            )  # fmt: skip
        else:
            for number in range(first, first + n):
                self._play_bots(number, counts)
        return counts.view(np.int64)

    def counts_of(self, numbers: Numbers) -> Any:
        """Such a row with the names of its counters."""
        return numbers.view(counts_layout(self.game.definition))[0]

    def _play_bots(self, number: int, counts: Any) -> None:
        """One match in which every choice is a bot's, asked as at any table."""
        kernels, sheet, tables = self.kernels, self.sheet[0], self.tables[0]
        self.table[:] = self.blank
        s = self.table[0]
        kernels["begin"](s, number, self.salt, sheet, tables)
        match = Match(self.game, s, self.key)
        seats, begins = self.game.seats, int(s.first)
        bots = [
            self.setting.policy.bot((seat - begins) % seats, self._bot_seed(number, seat))
            for seat in range(seats)
        ]
        while match.to_act is not None:
            action = self.game.actions[bots[match.to_act].choose(match)]
            self.game.kernels.legal(s, sheet.moves)
            kernels["step"](s, sheet.moves, action, sheet, tables, counts[0])
        kernels["finish"](s, sheet, tables, counts[0])

    def _bot_seed(self, number: int, seat: int) -> bytes:
        return hashlib.sha256(b"study %d %d " % (number, seat) + self.key).digest()


def warm_up(setting: Setting, key: bytes) -> None:
    """Compile what the setting needs, so that all workers find it; a weak bot will do for that."""
    Counter(replace(setting, policy=setting.policy.weakest()), key).play(0, 1)
