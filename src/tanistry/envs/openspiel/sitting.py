"""A match on its way through an OpenSpiel tree: the record, what was told, and what chance owes.

Between two choices of a player lies at most one run of the rules. If it shuffles, it waits for the
order of the pile, which chance draws from the top: the record stays as it was until then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from functools import cache, cached_property
from importlib import import_module
from typing import Any, NamedTuple

from tanistry.envs.openspiel.chance import Order, Shuffled, Undecided
from tanistry.games import registry
from tanistry.games.contract import MOVE, Definition, Value
from tanistry.kernel import fields
from tanistry.match.game import Game
from tanistry.match.positions import sets
from tanistry.table.bits import indices, members
from tanistry.table.record import copy_record, read_field

Row = tuple[int, ...]
"""An event as the log has it: type, rule, four values, audience. Or one of these:"""
CHOICE = -1  # CHOICE, seat, action: seen by that seat; what others see of it, events tell
DEALT = -2  # DEALT, place, card, audience


class Owed(NamedTuple):
    """A run of the rules that waits for a shuffle."""

    action: int | None  # None: the deal
    orders: tuple[Order, ...]  # of the piles shuffled before
    pile: Order  # the cards yet to be drawn, ascending
    drawn: Order = ()


class Rules:
    """What all sittings of one game share."""

    def __init__(self, game: Game, key: Key) -> None:
        self.game = game
        self.key = key  # by which `rules_of` finds them again
        self.ordered = sum(place.order != "set" for place in game.definition.places)
        self.kernels = game.kernels
        self.shuffled = Shuffled(game.kernels)
        self.everybody = 1 << game.public_row
        self.blank = game.new_record(bytes(32))
        # Twins are one outcome, called by the first of them.
        self.outcome_of = [game.codes.index(code) for code in game.codes]

    @cached_property
    def first_deal(self) -> Owed | None:
        """What the deal waits for first; it is the same every time."""
        try:
            self.shuffled.run(copy_record(self.blank), None, ())
        except Undecided as shuffle:
            return Owed(None, (), shuffle.cards)
        return None

    @property
    def definition(self) -> Definition:
        return self.game.definition

    @cached_property
    def card_columns(self) -> dict[int, list[int]]:
        """Where a row names cards, by its type."""
        columns = {DEALT: [2], CHOICE: []}
        for number, kind in enumerate((MOVE, *self.definition.events)):
            types = [shape.type for _, shape in kind.values]
            columns[number] = [2 + i for i, type_ in enumerate(types) if type_ == "card"]
        return columns

    def sees(self, row: Row, seat: int) -> bool:
        if row[0] == CHOICE:
            return row[1] == seat
        return bool(row[-1] & (self.everybody | 1 << seat))

    def text(self, row: Row, seat: int) -> str:
        """A row as a seat knows it."""
        game, places = self.game, self.definition.places
        seen = self.sees(row, seat)
        if row[0] == CHOICE:
            return f"\n{row[1]}: {game.tokens[row[2]]}" if seen else f"\n{row[1]}:"
        if row[0] == DEALT:
            return f" {places[row[1]].name}={game.codes[row[2]]}" if seen else ""
        kind = MOVE if row[0] == 0 else self.definition.events[row[0] - 1]
        said = [kind.name]
        for (_, shape), value in zip(kind.values, row[2:6], strict=False):
            if shape.type == "card":
                said.append("?" if not seen else game.codes[value] if value >= 0 else "-")
            elif shape.type == "place":
                said.append(places[value].name)
            else:
                said.append(str(value))
        return " [" + " ".join(said) + "]"

    def renamed(self, action: int, codes: dict[str, str]) -> int:
        """The action that names other cards instead of these."""
        return self._by_names.get(self._named(action, codes), action)

    @cached_property
    def _by_names(self) -> dict[Hashable, int]:
        return {self._named(action, {}): action for action in range(len(self.game.tokens))}

    def _named(self, action: int, codes: Mapping[str, str]) -> Hashable:
        """What an action does and names, these cards for those."""
        choice = self.game.notation.vocabulary[action]
        values = choice.values(self.game.notation.terms).values()
        kinds = (part.shape.type for part in choice.action.parts)
        named = (codes.get(v, v) if kind == "card" else v for kind, v in zip(kinds, values))
        return choice.action.token, *named


class Key(NamedTuple):
    """What makes a game: enough to find its rules again in another process."""

    name: str
    seats: int
    options: tuple[tuple[str, Value], ...]
    size: tuple[tuple[str, Value], ...]  # empty, or of a small variant, see `games/contract.py`


@cache
def rules_of(key: Key) -> Rules:
    definition = registry.definition(key.name)
    if key.size:
        definition = import_module(f"{definition.info.package}.small").definition(**dict(key.size))
    return Rules(Game(definition, key.seats, dict(key.options)), key)


class Sitting:
    """One state of a match. Copied often, so it holds little and shares what does not change."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.s = rules.blank  # never changed: every run of the rules makes a new record
        self.to_act = 0  # −1 when the match is over
        self.owed = rules.first_deal
        self.rows: tuple[Row, ...] = ()
        self._told = [(0, str(seat)) for seat in range(rules.game.seats)]  # rows told, and the text
        self._legal: list[int] | None = None
        if self.owed is None:
            self._run(None, ())

    @classmethod
    def at(cls, rules: Rules, s: Any) -> Sitting:
        """A sitting in the midst of a match: what was before it is forgotten."""
        sitting = cls(rules)
        fresh = copy_record(s)
        rules.game.rekey(fresh, bytes(32))  # what it held of its future is chance again
        fresh.block[:] = 0
        sitting.rows = sitting._dealt_rows(fresh, (tuple(range(len(rules.game.codes))),))
        sitting._settle(fresh, None)
        return sitting

    def __deepcopy__(self, _memo: Any) -> Sitting:
        twin = Sitting.__new__(Sitting)
        twin.__dict__.update(self.__dict__)
        twin._told = list(self._told)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "rules": self.rules.key}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        # A record out of a pickle is in no array, and kernels that tell are given an array of one.
        self.__dict__.update(kept, rules=rules_of(kept["rules"]), s=copy_record(kept["s"]))

    def __str__(self) -> str:
        """All cards by place, the facts, and what chance has drawn: for people who debug."""
        game, definition = self.rules.game, self.rules.definition
        said = []
        if self.dealt:
            decision = definition.decisions[int(self.s.decision)] if self.to_act >= 0 else "over"
            said.append(f"{self.to_act} {decision}")
            for number, place in enumerate(definition.places):
                if number < self.rules.ordered:
                    cards = [card for card in self.s.slots[number].tolist() if card >= 0]
                else:
                    cards = members(self.s.place[number])
                if cards:
                    said.append(" ".join([place.name, *(game.codes[card] for card in cards)]))
            facts = game.notation.facts(fields(self.s))
            said += [f"{name} {value}" for name, value in facts.items()]
        if self.owed is not None:
            chosen = "deal" if self.owed.action is None else game.tokens[self.owed.action]
            said.append(" ".join([chosen, *(game.codes[card] for card in self.owed.drawn)]))
        return ", ".join(said)

    # -- whose choice ---------------------------------------------------------------------------

    @property
    def dealt(self) -> bool:
        return self.owed is None or self.owed.action is not None

    def legal_actions(self) -> list[int]:
        if self._legal is None:
            moves = self.rules.game.new_moves()
            self.rules.kernels.legal(self.s, moves)
            self._legal = members(moves)
        return self._legal

    # -- chance ---------------------------------------------------------------------------------

    def outcomes(self) -> list[tuple[int, float]]:
        """The cards that may come next in the pile being shuffled; twins are one outcome."""
        assert self.owed is not None
        pile = self.owed.pile
        found = Counter(self.rules.outcome_of[card] for card in pile)
        return [(outcome, twins / len(pile)) for outcome, twins in found.items()]

    def draw(self, outcome: int) -> None:
        """Chance has drawn a card for the pile."""
        owed = self.owed
        assert owed is not None
        alike = self.rules.outcome_of
        at = [alike[card] for card in owed.pile].index(outcome)
        left = owed.pile[:at] + owed.pile[at + 1 :]
        drawn = (*owed.drawn, owed.pile[at])
        if len(left) > 1:
            self.owed = owed._replace(pile=left, drawn=drawn)
        else:
            self._run(owed.action, (*owed.orders, drawn + left))

    # -- choices --------------------------------------------------------------------------------

    def play(self, action: int) -> None:
        """A legal action, carried out at once if no pile is shuffled by it."""
        fresh = copy_record(self.s)
        self.rules.kernels.play(fresh, action)
        if read_field(fresh, "blocks") == 0:  # no shuffle, since nothing was taken off the stream
            self._settle(fresh, action)
        else:
            self._run(action, ())

    def _run(self, action: int | None, orders: tuple[Order, ...]) -> None:
        fresh = copy_record(self.s)
        try:
            self.rules.shuffled.run(fresh, action, orders)
        except Undecided as shuffle:
            self.owed = Owed(action, orders, shuffle.cards)
        else:
            if action is None:
                self.rows = self._dealt_rows(fresh, orders)
            self._settle(fresh, action)

    def _settle(self, fresh: Any, action: int | None) -> None:
        """Take over a record that the rules have brought to the next choice or the end."""
        told = read_field(fresh, "log")[: int(read_field(fresh, "told"))]
        if action is None:
            fresh.telling = 1  # from now on: a deal is shown, not told
        else:
            self.rows += ((CHOICE, self.to_act, action), *map(tuple, told.tolist()))
            told[:] = 0
            fresh["told"] = 0
        self.s, self.owed, self._legal = fresh, None, None
        self.to_act = int(read_field(fresh, "to_act"))

    def _dealt_rows(self, s: Any, orders: tuple[Order, ...]) -> tuple[Row, ...]:
        """Where the shuffled cards lie, and who knows it."""
        shuffled = set().union(*orders)
        known = [set(members(row)) for row in read_field(s, "known")]
        rows = []
        for place, cards in enumerate(read_field(s, "place")):
            for card in shuffled.intersection(members(cards)):
                audience = sum(1 << row for row, cards in enumerate(known) if card in cards)
                if audience:
                    rows.append((DEALT, place, card, audience))
        return tuple(sorted(rows))

    # -- knowledge ------------------------------------------------------------------------------

    def information(self, seat: int) -> str:
        """All that a seat has seen and done since the deal: an information state."""
        told, text = self._told[seat]
        if told < len(self.rows):
            text += "".join(self.rules.text(row, seat) for row in self.rows[told:])
            self._told[seat] = (len(self.rows), text)
        return text

    def secrets(self, seat: int) -> str:
        """The cards a seat knows and spectators do not, by place."""
        game = self.rules.game
        own = self.s.known[seat] & ~self.s.known[game.public_row]
        return " ".join(
            f"{place.name}={game.codes[card]}"
            for place, cards in zip(self.rules.definition.places, self.s.place, strict=True)
            for card in members(cards & own)
        )

    def resample(self, seat: int, rng: Any) -> Sitting:
        """Another sitting that the seat cannot tell from this one, all it does not know redealt."""
        twin = Sitting.__new__(Sitting)
        twin.rules, twin.owed, twin.to_act, twin._legal = self.rules, None, self.to_act, None
        twin.s = copy_record(self.s)
        self.rules.kernels.resample(twin.s, seat, rng)
        twin.s.scratch[:] = 0
        exchanged = _exchanged(self.s, twin.s, seat, self.rules.ordered)
        twin.rows = self._retold(seat, exchanged)
        twin._told = [(0, str(n)) for n in range(len(self._told))]
        twin._told[seat] = self._told[seat]
        return twin

    def _retold(self, seat: int, fresh: dict[int, int]) -> tuple[Row, ...]:
        """The past with other cards where the seat did not see them and has not since."""
        rules, codes = self.rules, self.rules.game.codes
        rows: list[Row] = []
        shown: set[str] = set()  # of one choice and what came of it, backwards
        changed: dict[str, str] = {}
        for row in reversed(self.rows):
            columns = rules.card_columns[row[0]]
            if row[0] == CHOICE:
                if row[1] != seat and changed:
                    words = {old: new for old, new in changed.items() if old not in shown}
                    row = (CHOICE, row[1], rules.renamed(row[2], words))
                shown, changed = set(), {}
            elif rules.sees(row, seat):
                for column in columns:
                    shown.add(codes[row[column]])
                    fresh.pop(row[column], None)  # until then, whatever came later, it was this one
            else:
                values = list(row)
                for column in columns:
                    values[column] = fresh.get(row[column], row[column])
                    changed[codes[row[column]]] = codes[values[column]]
                row = tuple(values)
            rows.append(row)
        rows.reverse()
        dealt = sum(row[0] == DEALT for row in rows)  # they come first, and in order
        return (*sorted(rows[:dealt]), *rows[dealt:])


def _exchanged(before: Any, after: Any, seat: int, ordered: int) -> dict[int, int]:
    """Which card lies now where a card lay that the seat does not know.

    In an ordered place that is plain. Of a set, cards known to the same others change in ascending
    order: which of two came first, nobody who looks at the table can tell.
    """
    slots, now = read_field(before, "slots"), read_field(after, "slots")
    moved = slots != now
    fresh = dict(zip(slots[moved].tolist(), now[moved].tolist(), strict=True))
    was, known = sets(read_field(before, "place")), sets(read_field(before, "known"))
    is_now, hidden = sets(read_field(after, "place")), ~known[seat]
    changed = [
        (old & hidden, new & hidden)
        for old, new in zip(was[ordered:], is_now[ordered:], strict=True)
        if old != new
    ]
    if changed:
        known_now = sets(read_field(after, "known"))
        for old, new in changed:
            pairs = zip(_by_knowers(old, known), _by_knowers(new, known_now), strict=True)
            fresh.update(pairs)
    return fresh


def _by_knowers(cards: int, known: list[int]) -> list[int]:
    """The cards of a set, those that the same rows know together, each group ascending."""
    groups = [cards]
    for row in known:
        groups = [part for group in groups for part in (group & ~row, group & row) if part]
    return [card for group in groups for card in indices(group)]
