"""One choice judged by what the seat could know when it made it.

The choices that a trained player would think of, and the one that was made, are tried in the same
imagined deals: what the seat cannot know is dealt anew, the choice is made, all others answer as
the network would, each by what it knows itself, and when it is the seat's turn again the network
says what its position is worth. Differences are then weighed against what the network liked from
the start, each by how sure it is, as the champion does.

Chance comes from what the seat knows: two matches that differ only in what it could not know are
judged alike.

A choice that ends the match, with a result that every imagined deal agrees on, has that result,
and where the end can be calculated all choices have theirs: what is known needs no opinion.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tanistry.analysis.mind import LEAST, LONGEST, Mind, left_open
from tanistry.bots.players.champion import DOUBT, MODEL_ERROR, TRUST
from tanistry.simulation.network import ONE_X

if TYPE_CHECKING:
    from tanistry.match import Match

DEALS, FEWER = 12, 3
"""Deals that are imagined for a choice; so many times fewer where only one is worth a thought."""
MOST_CANDIDATES, LEAST_LIKELY = 5, 0.02
"""Choices that are tried: so many at most, each of which the network would make so often."""
STRANGE = -4.0
"""Of a choice that it likes so much less than the best, the network's liking says nothing more."""
LINE = 3
"""Choices that an expected line shows at most."""
SURE = 64
"""Deals that must agree on how a match ends."""

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
    known: bool = False
    """Whether their results are calculated."""

    def worth(self, token: str) -> Worth:
        return next(worth for worth in self.worths if worth.token == token)


def judge(
    mind: Mind,
    match: Match,
    token: str | None = None,
    deals: int = DEALS,
    salt: bytes = b"",
    most: int = MOST_CANDIDATES,
    least_likely: float = LEAST_LIKELY,
) -> Opinion:
    """Judge the choices of the seat to act that are worth a thought, and that of `token`.

    With another `salt` it is asked anew, in other deals; `most` choices are tried, each of which
    the network would make with a chance of `least_likely`.
    """
    legal = match.legal_actions()
    mind.ask(match)
    key = hashlib.sha256(b"analysis" + salt + mind.observed.tobytes()).digest()
    liking = dict(zip(legal, mind.liking(legal), strict=True))
    logits = {action: int(mind.evaluator.logits[action]) / ONE_X for action in legal}
    exact = mind.solved(match)
    if exact:
        actions = sorted(legal, key=lambda action: (-exact[action], -liking[action]))[:most]
    else:
        actions = sorted(legal, key=lambda action: -liking[action])[:most]
        actions = [action for action in actions if liking[action] >= least_likely] or actions[:1]
    if token is not None and (chosen := match.game.actions[token]) not in actions:
        actions.append(chosen)
    if exact:
        deals = 1
    elif len(actions) == 1:  # nothing is to be compared
        deals = -(-deals // FEWER)
    own = mind.stretched()
    tried = _imagine(mind, match, actions, deals, key, calculating=bool(exact))
    if exact:
        worth = [exact[action] for action in actions]
    else:
        behind = [logits[action] - logits[actions[0]] for action in actions]
        wins = [[win for win, _ in row] for row in tried]
        worth = _weighed(wins, behind, (match.game.seats - 1) / match.game.seats)
        ends = known_ends(mind, match, actions, key)
        if token is not None and (end := mind.solved_after(match, chosen)) is not None:
            ends[chosen] = end
        if ends:
            worth = [ends.get(a, left_open(win)) for a, win in zip(actions, worth, strict=True)]
        else:
            worth = anchored(worth, [liking[action] for action in actions], own)
    found = (
        Worth(match.game.tokens[action], worth[k], _expected([row[k][1] for row in tried]))
        for k, action in enumerate(actions)
    )
    return Opinion(tuple(sorted(found, key=lambda one: -one.win)), known=bool(exact))


def anchored(wins: list[float], likings: list[float], own: float) -> list[float]:
    """What choices leave, all moved alike so that a trained player's choice leaves on average the
    chance there was before, as far as there is room for it.

    Imagined deals are dealt evenly, although what others chose made some of them likelier. Not
    where an end is known: the chance there was before is the network's, who does not see it.
    """
    usual = sum(a * win for a, win in zip(likings, wins, strict=True)) / sum(likings)
    up = max(0.0, 1 - LEAST - max(wins))
    down = min(0.0, LEAST - min(wins))
    shift = min(up, max(down, own - usual))
    return [win + shift for win in wins]


def known_ends(mind: Mind, match: Match, actions: list[int], key: bytes) -> dict[int, float]:
    """Of choices after which nobody has anything left to choose, the result that the seat to act
    knows they bring it."""
    seat = int(match._s.to_act)
    ends: dict[int, float] = {}
    left = actions
    for deal in range(SURE):
        known = match.blind(seat, hashlib.sha256(key + b"end" + bytes([deal])).digest())
        sure = []
        for action in left:
            end = _end(mind, known.copy(), seat, action)
            if end is not None and ends.setdefault(action, end) == end:
                sure.append(action)
        left = sure
        if not left:
            break
    return {action: ends[action] for action in left}


def _end(mind: Mind, match: Match, seat: int, action: int) -> float | None:
    """The result of a match in which only one choice is left to make; None if there are more."""
    mind.play(match, action)
    while match.to_act is not None:
        forced = match.legal_actions()
        if len(forced) > 1:
            return None
        mind.play(match, forced[0])
    return mind.result(match)[seat]


def after_each(mind: Mind, match: Match, tokens: list[str], deals: int) -> dict[str, Line]:
    """What is to be expected after each of some choices."""
    mind.ask(match)
    key = hashlib.sha256(b"after" + mind.observed.tobytes()).digest()
    calculating = mind.solved(match) is not None
    actions = [match.game.actions[token] for token in tokens]
    tried = _imagine(mind, match, actions, 1 if calculating else deals, key, calculating)
    return {token: _expected([row[k][1] for row in tried]) for k, token in enumerate(tokens)}


def _imagine(
    mind: Mind, match: Match, actions: list[int], deals: int, key: bytes, calculating: bool = False
) -> list[list[tuple[float, Line]]]:
    """All choices in the same deals, by deal and action."""
    seat = int(match._s.to_act)
    found = []
    for deal in range(deals):
        known = match.blind(seat, hashlib.sha256(key + deal.to_bytes(2, "little")).digest())
        found.append([_try(mind, known.copy(), seat, a, calculating) for a in actions])
    return found


def _try(mind: Mind, match: Match, seat: int, action: int, calculating: bool) -> tuple[float, Line]:
    """Make a choice in an imagined deal and play on until the others have answered."""
    tokens, line, answered = match.game.tokens, [(seat, match.game.tokens[action])], False
    mind.play(match, action)
    for _ in range(LONGEST):
        actor = match.to_act
        if actor is None or (actor == seat and answered):
            break
        answered = answered or actor != seat
        line.append((actor, tokens[mind.play_on(match, calculating)]))
    return _in_the_end(mind, match, seat), tuple(line[:LINE])


def _in_the_end(mind: Mind, match: Match, seat: int) -> float:
    """The chance of a seat where an imagined match was left."""
    if match.to_act is None:
        return mind.result(match)[seat]
    actor = match.to_act
    mind.ask(match)
    win = mind.stretched()
    return win if actor == seat else (1 - win) / (match.game.seats - 1)


def _weighed(wins: list[list[float]], behind: list[float], scale: float) -> list[float]:
    """What each choice leaves.

    What the network liked and what was imagined are each weighed by how sure they are; `scale`
    turns the champion's constants, which are of results from −1 to 1, into those of chances. A
    choice that no trained player makes is judged by what was imagined alone.
    """
    gains = []
    for k, logit in enumerate(behind):
        differences = [deal[k] - deal[0] for deal in wins]
        mean = sum(differences) / len(wins)
        spread = sum((d - mean) ** 2 for d in differences) / max(1, len(wins) - 1)
        blur = spread / len(wins) + (scale * MODEL_ERROR) ** 2
        doubt = (scale * DOUBT) ** 2
        expected = scale * TRUST * logit
        weight = doubt / (doubt + blur) if logit >= STRANGE else 1.0
        gains.append(expected + weight * (mean - expected) if k else 0.0)
    base = sum(deal[0] for deal in wins) / len(wins)
    return [min(1.0, max(0.0, base + gain)) for gain in gains]


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
