"""The conformance battery: what must hold in every game, ours and yours.

    tanistry.testing.check_game(tanistry.game("claim"))

raises an AssertionError that says which promise was broken, by which seed, after which choice.
There are no exemptions. `playthrough` and `count_choices` are for snapshots kept as files.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from tanistry.errors import IllegalMove
from tanistry.games.contract import GameInfo
from tanistry.kernel import specialise
from tanistry.match import Event, Game, Match, replay
from tanistry.match.positions import knowing
from tanistry.match.seeds import seed_bytes
from tanistry.simulation import audit
from tanistry.table.bits import members

LONGEST = 20_000
"""A match with more choices than this does not end, as far as we are concerned."""


def check_game(game: Game, matches: int = 20, seed: int = 0, audited: int = 2_000) -> None:
    """Check every promise on `matches` random matches (and those marked * on `audited` more):

    - conservation*: every card is in exactly one place, and ordered places agree with their sets;
    - totality*: somebody can act or the match is over, and it ends; the result ranks every seat;
    - determinism: the same seed and tokens give the same bytes, interpreted and compiled;
    - secrecy: a view shows a face only where the seat knows it, lengths are right, order tells
      nothing, and `legal` is there for the seat to act alone;
    - non-interference: what a seat does not know changes neither its view nor its tally nor its
      tokens nor the events it is told, now and after the same choice;
    - resampling: the seat's view stays, the result is a possible state, every hidden card can turn
      up elsewhere; blinding also hides the stream;
    - refusal: a token that is not legal changes nothing and names a rule that exists;
    - round trips: positions and records give back the same match; copies are independent.
    """
    audit_game(game, audited, seed)
    for number in range(matches):
        _check_match(game, seed + number, slow=number == 0)


def option_sets(info: GameInfo, limit: int = 5) -> Iterator[dict[str, Any]]:
    """Every combination of seats and options of a game (options with many values: a few)."""
    names = [option.name for option in info.options]
    values = [_some(option.values, option.default, limit) for option in info.options]
    for seats in info.seats:
        for chosen in product(*values):
            yield {"seats": seats, **dict(zip(names, chosen, strict=True))}


def _some(values: Any, default: Any, limit: int) -> list[Any]:
    listed = list(values)
    return listed if len(listed) <= limit else list(dict.fromkeys([listed[0], default]))


def audit_game(game: Game, matches: int, seed: int = 0) -> None:
    """Play many random matches at full speed; at every step all cards are there, and it goes on."""
    ordered = sum(place.order != "set" for place in game.definition.places)
    given = {name: getattr(game.kernels, name) for name in ("deal", "legal", "play")}
    kernels = specialise(audit, {**given, "ORDERED": ordered}, game.name)
    records = np.zeros(2, game.definition.dtype)
    records[1] = game.new_record(seed_bytes(seed))
    report = np.zeros(3, np.int64)
    kernels["audit"](
        records[:1], records[1:], game.new_moves(), len(game.codes), matches,
        np.uint64(seed), np.zeros(1, np.uint64), report,
    )  # fmt: skip
    fault, number, step = (int(value) for value in report)
    where = f"{game!r}, match {number} under seed {seed}, choice {step}"
    assert fault == audit.SOUND, f"{where}: {audit.FAULTS[fault]}"


# -- one match ------------------------------------------------------------------------------------


def _check_match(game: Game, seed: int, slow: bool) -> None:
    rng = random.Random(seed)
    match = game.deal(seed)
    twin = (game.interpreted() if slow else game).deal(seed)
    where = f"{game!r}, seed {seed}"
    while match.to_act is not None:
        step = f"{where}, choice {len(match.history)} ({match.decision} of seat {match.to_act})"
        assert len(match.history) < LONGEST, f"{where}: the match does not end"
        check_state(match, step)
        if rng.random() < 0.15:
            check_round_trip(match, step, rng)
            check_refusals(match, step, rng)
        legal = match.legal()
        assert legal, f"{step}: nobody can act"
        named = [choice["token"] for choice in match.choices()]
        assert named == legal, f"{step}: the choices are not the legal tokens"
        assert len(set(legal)) == len(legal), f"{step}: a token twice"
        token = rng.choice(legal)
        for seat in [*range(game.seats), None]:
            if rng.random() < 0.5:
                check_interference(match, seat, token, step, rng)
        events = match.play(token)
        check_events(match, events, step)
        twin.play(token)
        assert match._s.tobytes() == twin._s.tobytes(), f"{step}: {token} is not deterministic"
    check_state(match, where)
    check_end(match, where)


def check_state(match: Match, where: str) -> None:
    """Conservation, and views that hold only what a seat knows."""
    game, s = match.game, match._s
    places = len(game.definition.places)
    cards = [card for number in range(places) for card in members(s.place[number])]
    assert sorted(cards) == list(range(len(game.codes))), f"{where}: a card is lost or doubled"
    for number, place in enumerate(game.definition.places):
        if place.order != "set":
            row = [int(card) for card in s.slots[number] if card >= 0]
            assert sorted(row) == members(s.place[number]), f"{where}: {place.name} out of step"
    for seat in [*range(game.seats), None]:
        _check_view(match, seat, where)


def _check_view(match: Match, seat: int | None, where: str) -> None:
    game, s = match.game, match._s
    view = match.view(seat)
    assert json.loads(json.dumps(view)) == view, f"{where}: the view is not plain data"
    assert ("legal" in view) == (seat is not None and seat == match.to_act), f"{where}: legal"
    row = game.row(seat)
    public = {card for card in range(len(game.codes)) if knowing(s, card, game.public_row)}
    known = {card for card in range(len(game.codes)) if knowing(s, card, row)}
    assert public <= known, f"{where}: seat {seat} does not know what everybody knows"
    for number, place in enumerate(game.definition.places):
        entries = [entry for entry in view["places"].get(place.name, []) if entry is not None]
        here = members(s.place[number])
        assert len(entries) == len(here), f"{where}: {place.name} has another length for {seat}"
        shown = sorted(filter(None, (_code(entry) for entry in entries)))
        expected = sorted(game.codes[card] for card in here if card in known)
        assert shown == expected, f"{where}: seat {seat} sees {shown} in {place.name}"


def _code(entry: Any) -> str | None:
    return entry if isinstance(entry, str) else entry["card"]


def check_events(match: Match, events: list[Event], where: str) -> None:
    """Events are numbered, name a rule that exists, and are plain data."""
    rules = set(match.game.info.rules)
    for event in events:
        assert event.rule in rules, f"{where}: event {event.type} names no rule: {event.rule}"
        for seat in [*range(match.game.seats), None]:
            seen = event.seen_by(seat)
            assert json.loads(json.dumps(seen)) == seen, f"{where}: event is not plain data"
    numbers = [event.number for event in events]
    assert numbers == list(range(match._told - len(events), match._told)), f"{where}: numbering"


def check_end(match: Match, where: str) -> None:
    """The result ranks every seat once; nothing can be played; the record replays."""
    result = match.result
    assert result is not None
    assert sorted(seat for tied in result.ranking for seat in tied) == list(range(match.game.seats))
    assert len(result.scores) == match.game.seats
    assert match.legal() == []
    assert match.decision == ""
    refused = _refused(match, match.game.tokens[0], where)
    assert refused.rule == "common.illegal", f"{where}: after the end, refused by {refused.rule}"
    text = match.record()
    again = replay(text)
    assert again.record() == text, f"{where}: the record does not replay"
    assert again._s.tobytes() == match._s.tobytes(), f"{where}: the replay differs"


def check_round_trip(match: Match, where: str, rng: random.Random) -> None:
    """A position gives back the same match, as far as the random stream is not asked."""
    position = match.position()
    assert json.loads(json.dumps(position)) == position, f"{where}: the position is not plain data"
    seed = rng.getrandbits(64)
    again = match.game.setup(position, seed)
    assert again.position() == position, f"{where}: setup gives another position"
    for seat in [*range(match.game.seats), None]:
        assert again.view(seat) == match.view(seat), f"{where}: setup gives another view to {seat}"
    original = match.copy()
    match.game.rekey(original._s, again._key)
    for _ in range(12):  # both continue alike, on the same stream
        if original.to_act is None:
            break
        assert again.legal() == original.legal(), f"{where}: setup continues differently"
        token = rng.choice(original.legal())
        ours, theirs = original.play(token), again.play(token)
        for seat in [*range(match.game.seats), None]:
            seen = [event.seen_by(seat) | {"n": 0} for event in ours]
            assert seen == [event.seen_by(seat) | {"n": 0} for event in theirs], where
        assert again.position() == original.position(), f"{where}: setup continues differently"


def check_refusals(match: Match, where: str, rng: random.Random) -> None:
    """Whatever is not legal is refused by a rule that exists, and changes nothing."""
    rules = set(match.game.info.rules)
    legal = set(match.legal())
    wrong = [token for token in match.game.tokens if token not in legal]
    for token in [
        *rng.sample(wrong, min(25, len(wrong))),
        "",
        "nonsense",
        "0",
        " " + match.legal()[0],
    ]:
        refused = _refused(match, token, where)
        assert refused.rule in rules, f"{where}: {token!r} refused by {refused.rule!r}"
        for lang in ("en", "fr"):
            text = refused.message(lang)
            worded = " " in text and "{" not in text
            assert worded, f"{where}: {token!r} refused with {text!r}"


def _refused(match: Match, token: str, where: str) -> IllegalMove:
    """The refusal of a token that is not legal; it must leave no trace."""
    before = match._s.tobytes()
    try:
        match.play(token)
    except IllegalMove as refused:
        assert match._s.tobytes() == before, f"{where}: {token!r} was refused and left a trace"
        return refused
    raise AssertionError(f"{where}: {token!r} is not legal, but was played")


# -- secrets --------------------------------------------------------------------------------------


def check_interference(
    match: Match, seat: int | None, token: str, where: str, rng: random.Random
) -> None:
    """Deal what the seat does not know anew: it must not be able to tell the difference."""
    game = match.game
    other = match.blind(seat, rng.getrandbits(64))
    other._tokens, other._told, other._start = list(match._tokens), match._told, match._start
    game.notation.check(other._s)
    assert other.view(seat) == match.view(seat), f"{where}: resampling changed seat {seat}'s view"
    assert other.tally(seat) == match.tally(seat), f"{where}: the tally tells {seat} a secret"
    assert other._s.key.tobytes() != match._s.key.tobytes(), f"{where}: blinding keeps the stream"
    ours = match.copy()
    game.rekey(ours._s, other._key)  # both worlds draw on from the same stream
    told = ours.play(token)
    _align(game, match._s, ours._s, other._s, game.row(seat))
    if token not in other.legal():
        return
    told_other = other.play(token)
    row = game.row(seat)
    if ours._s.known[row].tobytes() != other._s.known[row].tobytes():
        return  # the play showed this seat different cards: then it may see a difference
    assert ours.view(seat) == other.view(seat), f"{where}: {token} shows seat {seat} a secret"
    seen = [event.seen_by(seat) for event in told]
    assert seen == [event.seen_by(seat) for event in told_other], f"{where}: {token} tells {seat}"


def _align(game: Game, before: Any, after: Any, other: Any, row: int) -> None:
    """Put the cards that a play will show the seat where they truly are, so that it shows the same.

    `before` and `after` are the true record around the play, `other` the redealt one.
    """
    for card in range(len(game.codes)):
        if knowing(after, card, row) and not knowing(before, card, row):
            number, slot = _spot(before, card)
            stranger = _stranger(game, before, other, number, slot, card, row)
            if stranger is not None:
                _swap(other, card, stranger)


def _spot(s: Any, card: int) -> tuple[int, int]:
    """The place of a card and its slot there, −1 in a set."""
    for number in range(s.place.shape[0]):
        if card in members(s.place[number]):
            if number < s.slots.shape[0] and card in s.slots[number]:
                return number, list(s.slots[number]).index(card)
            return number, -1
    raise AssertionError(f"card {card} is nowhere")


def _stranger(
    game: Game, before: Any, other: Any, number: int, slot: int, card: int, row: int
) -> int | None:
    """What lies in the redealt record where `card` truly lies; None if it is the card itself."""
    if slot >= 0:
        there = int(other.slots[number, slot])
        return None if there == card else there
    if card in members(other.place[number]):
        return None
    rightly = members(before.place[number])  # several cards of a set may be shown at once
    back = game.notation.back
    for there in members(other.place[number]):
        alike = back(there) == back(card)
        if alike and not knowing(other, there, row) and there not in rightly:
            return there
    return None


def _swap(s: Any, a: int, b: int) -> None:
    """Exchange two cards everywhere in a record."""
    for sets in (s.place, s.known):
        for words in sets:
            held = [bool(int(words[c >> 6]) >> (c & 63) & 1) for c in (a, b)]
            if held[0] != held[1]:
                for c in (a, b):
                    words[c >> 6] ^= words.dtype.type(1 << (c & 63))
    for slots in s.slots:
        for index, card in enumerate(slots):
            if card in (a, b):
                slots[index] = b if card == a else a


# -- snapshots ------------------------------------------------------------------------------------


def playthrough(game: Game, seed: int, lines: int = 300) -> str:
    """A random match with every choice, event and view, for a file that reviewers read."""
    from tanistry.words import words

    rng = random.Random(seed)
    match = game.deal(seed)
    texts = words("en", game.info)
    names = [f"Seat {seat}" for seat in range(game.seats)]
    written = [repr(game), f"seed {seed}", json.dumps(match.position(), ensure_ascii=False)]
    while match.to_act is not None and len(written) < lines - 1:
        seat, legal = match.to_act, match.legal()
        token = rng.choice(legal)
        written.append(f"{seat}: {token}  ({match.decision}, {len(legal)} legal)")
        for event in match.play(token):
            if text := texts.event(event.seen_by(None), names):
                written.append(f"    {text}  [{event.rule}]")
    if match.result:
        written.append(f"{match.result.scores} {match.result.ranking}")
    return "\n".join(written[:lines]) + "\n"


def count_choices(match: Match, depth: int) -> int:
    """How many sequences of `depth` choices there are from here (fewer where a match ends)."""
    if depth == 0 or match.to_act is None:
        return 1
    if depth == 1:
        return len(match.legal())
    total = 0
    for token in match.legal():
        after = match.copy()
        after.play(token)
        total += count_choices(after, depth - 1)
    return total
