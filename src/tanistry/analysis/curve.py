"""The chances of all seats at one moment, for somebody who sees every hand but not the deck.

Each seat has its own idea of its chances, by what it knows; the network has it for whoever is to
act. So the match is played on, a few times with what nobody can know dealt anew, until every other
seat has been asked too. The odds of all are then put together, in the proportion that holds over
many matches (`calibration.toml`). Where the end can be calculated, it is.

What was to be expected of a choice is the mean of the chances after it over other decks: by as much
as the real ones differ from it, its seat was lucky in what was drawn.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from tanistry.analysis.mind import LONGEST, Mind, odds
from tanistry.match.seeds import fast_seed
from tanistry.simulation.observation import observe

if TYPE_CHECKING:
    from tanistry.match import Match

LOOKS = 3
"""How often the deck is shuffled to look ahead."""
DRAWS = 6
"""In how many other decks a choice is made to see what was to be expected of what is drawn."""
ONE_LINE = 0.03
"""A match that was played on to its end says no more than one line can."""


def chances(mind: Mind, match: Match) -> list[float]:
    """The chance of every seat to win; of a match that is over, what it has won."""
    if match.to_act is None:
        return mind.result(match)
    return mind.settled(match) or together(believed(mind, match), mind.calibration.together)


def expected(mind: Mind, match: Match, action: int) -> list[float] | None:
    """The chance of every seat after a choice, before anything is drawn; None: nothing was."""
    mind.ask(match)
    key = hashlib.sha256(b"draws" + mind.observed.tobytes()).digest()
    decks = (hashlib.sha256(key + bytes([deck])).digest() for deck in range(DRAWS))
    after = [match.copy(), *(deck_dealt_anew(match, deck) for deck in decks)]
    for one in after:
        mind.play(one, action)
    seen = {tuple(observe(one, s).tobytes() for s in range(mind.game.seats)) for one in after}
    if len(seen) == 1:
        return None
    every = [chances(mind, one) for one in after[1:]]
    return [sum(column) / DRAWS for column in zip(*every, strict=True)]


def together(believed: list[float], share: float) -> list[float]:
    """What all believe as one set of chances that add up to 1."""
    weights = [math.exp(share * odds(chance)) for chance in believed]
    total = sum(weights)
    return [weight / total for weight in weights]


def believed(mind: Mind, match: Match) -> list[float]:
    """The chance of every seat by what it knows itself at its next turn."""
    seats = range(mind.game.seats)
    acting = int(match._s.to_act)
    action, own = mind.ask(match), mind.chance()
    key = hashlib.sha256(b"curve" + mind.observed.tobytes()).digest()
    decks = (hashlib.sha256(key + bytes([look])).digest() for look in range(LOOKS))
    looks = [_look_ahead(mind, deck_dealt_anew(match, deck), action, own) for deck in decks]
    return [own if seat == acting else sum(look[seat] for look in looks) / LOOKS for seat in seats]


def _look_ahead(mind: Mind, match: Match, action: int, own: float) -> list[float]:
    """Play on until every seat has been asked for its chance, as the one to act was: it sees the
    same in every deck."""
    found = {int(match._s.to_act): own}
    for _ in range(LONGEST):
        mind.play(match, action)
        actor = match.to_act
        if actor is None:
            break
        action = mind.ask(match)
        found.setdefault(actor, mind.chance())
        if len(found) == mind.game.seats:
            break
    return completed(mind, match, found)


def completed(mind: Mind, match: Match, found: Mapping[int, float]) -> list[float]:
    """What the seats that were asked on the way believe, and of the others what its end says."""
    seats = range(mind.game.seats)
    if match.to_act is not None:
        return [found.get(seat, 1 / mind.game.seats) for seat in seats]
    over = [min(1 - ONE_LINE, max(ONE_LINE, chance)) for chance in mind.result(match)]
    return [found.get(seat, over[seat]) for seat in seats]


def deck_dealt_anew(match: Match, key: bytes) -> Match:
    """A copy in which what no seat knows is dealt anew and the stream re-keyed."""
    twin = match.copy()
    s, public = twin._s, match.game.public_row
    before = s.known[public].copy()
    s.known[public] = np.bitwise_or.reduce(s.known[: match.game.seats], axis=0)
    match.game.kernels.resample(s, public, fast_seed(key))
    s.known[public] = before  # what everybody knows has not moved
    s.scratch[:] = 0
    match.game.rekey(s, hashlib.sha256(b"deck" + key).digest())
    return twin
