"""The kernels a game gives the table, with the meaning every caller relies on.

A game's `rules.py` defines functions of these names over its own record. The bodies here are never
run: algorithms written for all games import these names, and `kernel.specialise` puts the game's
own in their place. `games/contract.py` holds the other, descriptive half of the contract.
"""

from __future__ import annotations

from typing import Any

from tanistry.kernel import kernel
from tanistry.table.bits import EMPTY, Word


def deal(s: Any) -> None:
    """Set up a whole match in a record that is zero but for seats, first, options and the stream.

    Afterwards somebody is to act. Everything random comes from the record's stream.
    """
    raise NotImplementedError


def legal(s: Any, moves: Any) -> None:
    """Write the set of legal actions to `moves`, an array of words, all of it.

    There is at least one while the match runs, none when it is over. The set depends only on what
    the seat to act knows.
    """
    raise NotImplementedError


def play(s: Any, action: int) -> None:
    """Carry out a legal action, and whatever follows by itself, up to the next choice or the end.

    An action that is not legal is never passed.
    """
    raise NotImplementedError


def score(s: Any, seat: int) -> int:
    """The points of a seat, as the result shows them."""
    raise NotImplementedError


def standing(s: Any, seat: int) -> int:
    """A number that is higher for the seat that ranks higher at the end, equal for a tie."""
    raise NotImplementedError


def refuse(s: Any, action: int) -> None:
    """Tell why an action is not legal now: `tell(s, refusal, rule, values…)`, once.

    The refusal is a number of the game's refusals, the rule one of its rules or ILLEGAL. It is
    asked only about actions that belong to the decision at hand and are not legal, and it may look
    at nothing that the seat to act does not know.
    """
    raise NotImplementedError


# -- optional: what a position says, and whether it can be ----------------------------------------


@kernel
def facts(s: Any, notes: Any) -> None:
    """Note the facts that are no field of the record, in their order: 1 and its numbers, or 0."""


@kernel
def restore(s: Any, notes: Any) -> None:
    """Take those facts back, in a record whose cards, flags, turn and fields are in place.

    What was left out reads 0: then fill in what the cards say. Tell a problem if they cannot be.
    """


@kernel
def check(s: Any) -> None:
    """Tell a problem if the record could not come up in a match: the first told is reported."""


@kernel
def tally(s: Any, seat: int, notes: Any) -> None:
    """Note how the match stands (strengths, votes, what is owed) as far as a seat can know it.

    In the order of the game's tallies, like `facts`. The last row of `known` is a spectator.
    """


@kernel
def seen_by(s: Any, place: int, card: int) -> int:
    """Who sees a card where its place alone does not say: BY_NOBODY, BY_OWNER or BY_ALL."""
    return 0


# -- optional: what can be told of hidden cards ---------------------------------------------------


@kernel
def of_kind(s: Any, kind: int, word: int) -> Word:
    """The cards (of one word) of a kind: cards whose backs differ, so that they never trade places.

    Optional: by default all cards are of kind 0. Kinds are numbered from 0; each card has one.
    """
    return ~EMPTY


@kernel
def ruled_out(s: Any, place: int, word: int) -> Word:
    """Cards (of one word) that everybody can tell not to be among the hidden ones of a place.

    Optional. Places with such cards come before those without in the game's list of places: they
    are dealt first when the unknown is resampled. With more than one such place at a time a deal
    that comes out wrong is dealt again, and the placements are only nearly even.
    """
    return EMPTY


@kernel
def possible(s: Any) -> bool:
    """Whether a resampled record could be true. Optional; the true one always is possible."""
    return True


@kernel
def open_end(s: Any) -> bool:
    """Whether, from here to the end, every seat can tell where every card is, and nothing is left
    to chance. Optional. What follows is a matter of calculation (`bots.solving`).
    """
    return False
