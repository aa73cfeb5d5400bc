"""One choice judged by what the seat could know when it made it.

The choices that a trained player would think of, and the one that was made, are tried in the same
imagined deals: what the seat cannot know is dealt anew, the choice is made, all others answer as
the network would, each by what it knows itself, and when it is the seat's turn again the network
says what its position is worth. Differences are then weighed against what the network liked from
the start, each by how sure it is, as the champion does.

Chance comes from what the seat knows: two matches that differ only in what it could not know are
judged alike.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tanistry.analysis.mind import LONGEST, Mind
from tanistry.bots.network import ONE_X
from tanistry.bots.players.champion import DOUBT, MODEL_ERROR, TRUST

if TYPE_CHECKING:
    from tanistry.match import Match

DEALS = 12
"""Deals that are imagined for a choice."""
MOST_CANDIDATES, LEAST_LIKELY = 5, 0.02
"""Choices that are tried: so many at most, each of which the network would make so often."""
LINE = 3
"""Choices that an expected line shows at most."""

Line = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Worth:
    """A choice, the chance to win it left as far as the seat could know, and the line expected."""

    token: str
    win: float
    line: Line


@dataclass(frozen=True)
class Opinion:
    """What there is to say of a seat's choices at one moment."""

    worths: tuple[Worth, ...]
    """Of those that were tried, best first."""
    usual: float
    """The chance to win that a trained player's choice leaves on average."""


def judge(mind: Mind, match: Match, token: str, deals: int = DEALS, salt: bytes = b"") -> Opinion:
    """Judge the choices of the seat to act, that of `token` among them."""
    legal = match.legal_actions()
    mind.ask(match)
    key = hashlib.sha256(b"analysis" + salt + mind.observed.tobytes()).digest()
    liking = dict(zip(legal, mind.liking(legal), strict=True))
    logits = {action: int(mind.evaluator.logits[action]) / ONE_X for action in legal}
    actions = sorted(legal, key=lambda action: -liking[action])[:MOST_CANDIDATES]
    actions = [action for action in actions if liking[action] >= LEAST_LIKELY] or actions[:1]
    if (chosen := match.game.actions[token]) not in actions:
        actions.append(chosen)
    if len(actions) == 1:
        win = mind.stretched(mind.chance())
        return Opinion((Worth(token, win, ((int(match._s.to_act), token),)),), win)
    wins, lines = _imagine(mind, match, actions, deals, key)
    behind = [logits[action] - logits[actions[0]] for action in actions]
    gains = _weighed(wins, behind, (match.game.seats - 1) / match.game.seats)
    base = sum(deal[0] for deal in wins) / deals
    worth = [min(1.0, max(0.0, base + gain)) for gain in gains]
    total = sum(liking[action] for action in actions)
    usual = sum(liking[a] * w for a, w in zip(actions, worth, strict=True)) / total
    order = sorted(range(len(actions)), key=lambda k: -worth[k])
    tokens = match.game.tokens
    worths = (Worth(tokens[actions[k]], worth[k], _expected(lines[k])) for k in order)
    return Opinion(tuple(worths), usual)


def _imagine(
    mind: Mind, match: Match, actions: list[int], deals: int, key: bytes
) -> tuple[list[list[float]], list[list[Line]]]:
    """By deal and action the chance to win; by action and deal what was played."""
    seat = int(match._s.to_act)
    wins: list[list[float]] = []
    lines: list[list[Line]] = [[] for _ in actions]
    for deal in range(deals):
        known = match.blind(seat, hashlib.sha256(key + bytes([deal])).digest())
        row = []
        for k, action in enumerate(actions):
            win, line = _try(mind, known.copy(), seat, action)
            row.append(win)
            lines[k].append(line)
        wins.append(row)
    return wins, lines


def _try(mind: Mind, match: Match, seat: int, action: int) -> tuple[float, Line]:
    """Make a choice in an imagined deal and play on until the others have answered."""
    tokens, line, answered = match.game.tokens, [(seat, match.game.tokens[action])], False
    mind.play(match, action)
    for _ in range(LONGEST):
        actor = match.to_act
        if actor is None:
            return mind.result(match)[seat], tuple(line[:LINE])
        if actor == seat and answered:
            break
        answered = answered or actor != seat
        line.append((actor, tokens[mind.play_on(match)]))
    if match.to_act is None:
        return mind.result(match)[seat], tuple(line[:LINE])
    actor = match.to_act
    mind.ask(match)
    win = mind.stretched(mind.chance())
    if actor != seat:  # a match that never comes back to the seat
        win = (1 - win) / (match.game.seats - 1)
    return win, tuple(line[:LINE])


def _weighed(wins: list[list[float]], behind: list[float], scale: float) -> list[float]:
    """By how much each choice is worth more than the first.

    What the network liked and what was imagined are each weighed by how sure they are; `scale`
    turns the champion's constants, which are of results from −1 to 1, into those of chances.
    """
    gains = []
    for k, logit in enumerate(behind):
        differences = [deal[k] - deal[0] for deal in wins]
        mean = sum(differences) / len(wins)
        spread = sum((d - mean) ** 2 for d in differences) / max(1, len(wins) - 1)
        blur = spread / len(wins) + (scale * MODEL_ERROR) ** 2
        doubt = (scale * DOUBT) ** 2
        expected = scale * TRUST * logit
        gains.append(expected + doubt / (doubt + blur) * (mean - expected) if k else 0.0)
    return gains


def _expected(lines: list[Line]) -> Line:
    """What was played most often, step by step; of equals what came first."""
    found: list[tuple[int, str]] = []
    while len(found) < LINE:
        going_on = [line for line in lines if line[: len(found)] == tuple(found)]
        following = Counter(line[len(found)] for line in going_on if len(line) > len(found))
        if not following:
            break
        found.append(max(following, key=lambda step: following[step]))
    return tuple(found)
