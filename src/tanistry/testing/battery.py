"""What must hold in every game: random matches, looked at from all sides."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from tanistry.arguments import as_whole
from tanistry.catalogue import LANGUAGES
from tanistry.errors import IllegalMove, PositionError
from tanistry.kernel import fields, interpreted, specialise, unwatched
from tanistry.match import Event, Game, Match, replay
from tanistry.match.game import kernels_of
from tanistry.match.positions import knowing
from tanistry.match.seeds import seed_bytes
from tanistry.session.names import NAMES
from tanistry.simulation import audit
from tanistry.table.bits import members
from tanistry.table.notes import new_notes
from tanistry.table.record import copy_record
from tanistry.testing.swapping import align, spot_of
from tanistry.testing.tables import begun_later
from tanistry.testing.texts import check_words
from tanistry.words import words

LONGEST = 20_000
"""A match with more choices than this does not end, as far as we are concerned."""
PROMISES = (
    "words",
    "conservation",
    "totality",
    "determinism",
    "onlookers",
    "telling",
    "secrecy",
    "non-interference",
    "non-interference later",
    "resampling",
    "refusal",
    "positions",
    "records",
)
OF_SECRETS = ("non-interference later", "resampling")
"""What cannot be compared where nothing is ever hidden."""
SENTENCE = re.compile(r"[^a-zà-ÿ][^{}]*[.!?]")
"""What a line about an event must be."""
REDEALS = 400
"""So often what a seat does not know is dealt anew, until every hidden card was elsewhere."""


def check_game(game: Game, matches: int = 20, seed: int = 0, audited: int = 2_000) -> Counter[str]:
    """Check every promise on `matches` random matches (and those marked * on `audited` more):

    - words: what people read is there in every language (`check_words`), and what happens is told
      in sentences;
    - conservation*: every card is in exactly one place, and ordered places agree with their sets;
    - totality*: whoever is first can act, then somebody can or the match is over, and it ends; the
      result ranks every seat;
    - determinism: the same seed and tokens give the same bytes, interpreted and compiled;
    - onlookers: without what is `for_onlookers` the same choices are there and the end is the same;
    - telling: facts, tallies, refusals, `restore` and `check` say the same in both;
    - secrecy: a view shows a face only where the seat knows it, lengths are right, order tells
      nothing, and `legal` is there for the seat to act alone;
    - non-interference: what a seat does not know changes neither its view nor its tally nor its
      tokens nor, later, the events it is told and what it sees after the same choice;
    - resampling: the result is a possible state, every hidden card can turn up elsewhere; blinding
      also hides the stream;
    - refusal: a token that is not legal changes nothing, and it is said why;
    - positions and records give back the same match; copies are independent.

    The first of the matches is begun by the `first` of the game, the others by each seat in turn.
    The answer counts the comparisons by promise; each must have been made once a match at least.
    """
    if matches < 1:
        raise ValueError(f"matches: {matches}; at least 1")
    checks: Counter[str] = Counter(dict.fromkeys(PROMISES, 0))
    checks["words"] = check_words(game)
    course = _in_plain_python(game, seed)
    if audited:
        audit_game(game, audited, seed)
    for number in range(matches):
        begun = begun_later(game, number)
        _Battery(begun, seed + number, checks, course if number == 0 else None).run()
    for promise in PROMISES:
        least = 1 if promise == "resampling" else matches
        if promise in OF_SECRETS and not checks["hidden"]:
            continue
        made = checks[promise]
        assert made >= least, f"{game!r}: compared {made} times, not {least} or more ({promise})"
    return checks


def _in_plain_python(game: Game, seed: int) -> list[tuple[str, bytes]]:
    """A match before anything is compiled: its choices, and the record after each.

    Of what is wrong with a kernel Python tells file and line; a compiler tells of itself.
    """
    match, rng = game.interpreted().deal(seed), random.Random(seed)
    course: list[tuple[str, bytes]] = []
    while (legal := match.legal()) and len(course) < LONGEST:
        if not course or rng.random() < 0.1:
            match.view(match.to_act)
            match.tally(match.to_act)
        token = rng.choice(legal)
        match.play(token)
        course.append((token, match._s.tobytes()))
    _ = match.result
    return course


def audit_game(game: Game, matches: int, seed: int = 0) -> None:
    """Play many random matches at full speed; at every step all cards are there, and it goes on.

    Every seat begins as many of them.
    """
    ordered = sum(place.order != "set" for place in game.definition.places)
    given = {name: getattr(game.kernels, name) for name in ("deal", "legal", "play")}
    kernels = specialise(audit, {**given, "ORDERED": ordered}, game.name)
    records = np.zeros(2, game.definition.dtype)
    report = np.zeros(3, np.int64)
    for by in range(game.seats):
        begun = begun_later(game, by)
        records[1] = begun.new_record(seed_bytes(seed))
        kernels["audit"](
            records[:1], records[1:], game.new_moves(), len(game.codes), -(-matches // game.seats),
            np.uint64(seed), np.zeros(1, np.uint64), report,
        )  # fmt: skip
        fault, number, step = (int(value) for value in report)
        where = f"{begun!r}, match {number} under seed {seed}, choice {step}"
        assert fault == audit.SOUND, f"{where}: {audit.FAULTS[fault]}"


# -- one match ------------------------------------------------------------------------------------


class _Battery:
    """One random match, looked at from all sides; thoroughly if its `course` is known."""

    def __init__(
        self,
        game: Game,
        seed: int,
        checks: Counter[str],
        course: Sequence[tuple[str, bytes]] | None,
    ) -> None:
        self.game = game
        self.seed = seed
        self.checks = checks
        self.course = course
        self.rng = random.Random(seed)
        self.onlookers = [*range(game.seats), None]
        self.where = f"{game!r}, seed {seed}"

    def expect(self, promise: str, kept: bool, otherwise: str) -> None:
        """One comparison."""
        self.checks[promise] += 1
        assert kept, f"{self.where}: {otherwise} ({promise})"

    def expect_data(self, promise: str, data: Any, what: str) -> None:
        self.expect(promise, json.loads(json.dumps(data)) == data, f"{what} is not plain data")

    def run(self) -> None:
        game, rng = self.game, self.rng
        match, twin = game.deal(self.seed), game.deal(self.seed)
        alone = _unwatched(game).deal(self.seed)
        again = game.interpreted().deal(self.seed) if self.course else twin
        same = match._s.tobytes() == again._s.tobytes()
        self.expect("determinism", same, "the deal is not deterministic")
        begins = match.to_act == game.options["first"]
        self.expect("totality", begins, f"seat {match.to_act} is to act, and not the first")
        if self.course:
            self.check_resampling(match)
        while match.to_act is not None:
            number, who = len(match.history), f"{match.decision} of seat {match.to_act}"
            self.where = f"{game!r}, seed {self.seed}, choice {number} ({who})"
            self.expect("totality", number < LONGEST, "the match does not end")
            self.check_state(match)
            self.check_legal(match)
            self.check_onlookers(match, alone)
            token = self.course[number][0] if self.course else rng.choice(match.legal())
            for seat in self.onlookers:
                if number == 0 or rng.random() < 0.5:
                    self.check_interference(match, seat, token)
            if number == 0 or rng.random() < 0.15:
                self.check_telling(match)
                self.check_position(match)
                self.check_refusals(match)
            self.check_events(match, match.to_act, match.play(token))
            twin.play(token)
            alone.play(token)
            left = self.course[number][1] if self.course else twin._s.tobytes()
            same = match._s.tobytes() == left
            self.expect("determinism", same, f"{token} is not deterministic")
        self.where = f"{game!r}, seed {self.seed}, at the end"
        self.check_state(match)
        self.check_onlookers(match, alone)
        self.check_end(match)
        self.check_record(match)

    # -- what is there --------------------------------------------------------------------------

    def check_state(self, match: Match) -> None:
        """Conservation, and views that hold only what a seat knows."""
        game, s = match.game, fields(match._s)
        places = len(game.definition.places)
        cards = [card for number in range(places) for card in members(s.place[number])]
        whole = sorted(cards) == list(range(len(game.codes)))
        self.expect("conservation", whole, "a card is lost or doubled")
        for number, place in enumerate(game.definition.places):
            if place.order != "set":
                row = [int(card) for card in s.slots[number] if card >= 0]
                in_step = sorted(row) == members(s.place[number])
                self.expect("conservation", in_step, f"{place.name} out of step")
        for seat in self.onlookers:
            self.check_view(match, seat)

    def check_view(self, match: Match, seat: int | None) -> None:
        game, s = match.game, fields(match._s)
        view = match.view(seat)
        self.expect_data("secrecy", view, "the view")
        chooses = seat is not None and seat == match.to_act
        self.expect("secrecy", ("legal" in view) == chooses, f"who is given legal tokens: {seat}")
        public, known = self._known(s, game.public_row), self._known(s, game.row(seat))
        self.expect("secrecy", public <= known, f"seat {seat} does not know what everybody knows")
        for number, place in enumerate(game.definition.places):
            entries = [entry for entry in view["places"].get(place.name, []) if entry is not None]
            here = members(s.place[number])
            same = len(entries) == len(here)
            self.expect("secrecy", same, f"{place.name} has another length for {seat}")
            shown = sorted(filter(None, (_code(entry) for entry in entries)))
            expected = sorted(game.codes[card] for card in here if card in known)
            self.expect("secrecy", shown == expected, f"seat {seat} sees {shown} in {place.name}")

    def _known(self, s: Any, row: int) -> set[int]:
        return {card for card in range(len(self.game.codes)) if knowing(fields(s), card, row)}

    def check_legal(self, match: Match) -> None:
        legal = match.legal()
        self.expect("totality", bool(legal), "nobody can act")
        named = [choice["token"] for choice in match.choices()]
        self.expect("totality", named == legal, "the choices are not the legal tokens")
        self.expect("totality", len(set(legal)) == len(legal), "a token twice")

    def check_events(self, match: Match, by: int, events: list[Event]) -> None:
        """Events are numbered, are plain data, and are told in sentences, if at all."""
        for event, seat in product(events, self.onlookers):
            self.expect_data("totality", event.seen_by(seat), "an event")
            for lang in LANGUAGES if self.course else ():
                line = words(lang, match.game.info).event(event.seen_by(seat), NAMES, by)
                told = not line or SENTENCE.fullmatch(line)
                self.expect("words", bool(told), f"{event.type} is told {line!r}")
        numbers = [event.number for event in events]
        counted = numbers == list(range(match._told - len(events), match._told))
        self.expect("totality", counted, "the numbering of events")

    def check_end(self, match: Match) -> None:
        """The result ranks every seat once; nothing can be played."""
        result = match.result
        assert result is not None
        for kernel in ("score", "standing"):
            told = [
                getattr(match.game.kernels, kernel)(match._s, n) for n in range(match.game.seats)
            ]
            whole = None not in map(as_whole, told)
            self.expect("totality", whole, f"{kernel} is not an integer: {told}")
        ranked = sorted(seat for tied in result.ranking for seat in tied)
        self.expect("totality", ranked == list(range(match.game.seats)), "the ranking")
        self.expect("totality", len(result.scores) == match.game.seats, "the scores")
        over = match.legal() == [] and match.decision == ""
        self.expect("totality", over, "something can be chosen after the end")
        refused = self._refused(match, match.game.tokens[0])
        by_rule = refused.rule == "common.illegal"
        self.expect("refusal", by_rule, f"after the end, refused by {refused.rule}")

    # -- the same again -------------------------------------------------------------------------

    def check_onlookers(self, match: Match, alone: Match) -> None:
        """Whether anybody looks on decides nothing: who acts, with what choice, how it ends."""
        same = (alone.to_act, alone.legal()) == (match.to_act, match.legal())
        self.expect("onlookers", same, "with nobody looking on there are other choices")
        same = alone.result == match.result
        self.expect("onlookers", same, "with nobody looking on the end is another")

    def check_record(self, match: Match) -> None:
        text = match.record()
        try:
            again = replay(text)
        except ValueError as error:
            raise AssertionError(
                f"{self.where}: the record is refused: {error} (records)"
            ) from error
        self.expect("records", again.record() == text, "the record does not replay")
        self.expect("records", again._s.tobytes() == match._s.tobytes(), "the replay differs")

    def check_position(self, match: Match) -> None:
        """A position gives back the same match, as far as the random stream is not asked."""
        position = match.position()
        self.expect_data("positions", position, "the position")
        try:
            again = match.game.setup(position, self.rng.getrandbits(64))
        except PositionError as error:
            raise AssertionError(
                f"{self.where}: a position is refused: {error} (positions)"
            ) from error
        self.expect("positions", again.position() == position, "setup gives another position")
        for seat in self.onlookers:
            same = again.view(seat) == match.view(seat)
            self.expect("positions", same, f"setup gives another view to {seat}")
        original = match.copy()
        match.game.rekey(original._s, again._key)
        for _ in range(12):  # both continue alike, on the same stream
            if original.to_act is None:
                break
            legal = original.legal()
            self.expect("totality", bool(legal), "nobody can act")
            same = again.legal() == legal
            self.expect("positions", same, "setup continues with other choices")
            token = self.rng.choice(legal)
            ours, theirs = original.play(token), again.play(token)
            for seat in self.onlookers:
                told = [event.seen_by(seat) | {"n": 0} for event in ours]
                same = told == [event.seen_by(seat) | {"n": 0} for event in theirs]
                self.expect("positions", same, f"setup tells {seat} something else")
            same = again.position() == original.position()
            self.expect("positions", same, "setup continues differently")

    def check_telling(self, match: Match) -> None:
        """Kernels that tell leave the same bytes, and say the same, interpreted and compiled."""
        game, s = match.game, match._s
        for row in [game.row(seat) for seat in self.onlookers]:
            self._both("tally", s, row, new_notes())
        notes = new_notes()
        interpreted(game.kernels.facts)(copy_record(s), notes)
        self._both("facts", s, new_notes())
        notes[0] = 0
        self._both("restore", s, notes)
        self._both("check", s)
        legal = match.legal_actions()
        for action, choice in enumerate(game.notation.vocabulary):
            asked = action not in legal and match.decision in choice.action.decisions
            if asked and self.rng.random() < 0.1:
                self._both("refuse", s, action)
        for number in range(len(game.definition.places)):
            for card in members(s.place[number])[:2]:
                self._both("seen_by", s, number, card)

    def _both(self, name: str, s: Any, *given: Any) -> None:
        runs = (interpreted(getattr(self.game.kernels, name)), self._compiled(name))
        told = [self._told(run, s, given) for run in runs]
        self.expect("telling", told[0] == told[1], f"{name} tells something else when compiled")

    def _compiled(self, name: str) -> Callable[..., Any]:
        """A kernel as matches call it: some with the record in an array (`match.entry`)."""
        kernels = vars(self.game.kernels)
        entry = kernels.get(f"{name}_in")
        return (lambda s, *given: entry(s.base, *given)) if entry else kernels[name]

    @staticmethod
    def _told(kernel: Callable[..., Any], s: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
        trial = np.frombuffer(bytearray(s.tobytes()), s.dtype)[0]  # gaps between fields included
        trial.telling = 1
        given = tuple(value.copy() if isinstance(value, np.ndarray) else value for value in given)
        answer = kernel(trial, *given)
        noted = [v[: int(v[0]) + 1].tolist() for v in given if isinstance(v, np.ndarray)]
        return trial.tobytes(), noted, None if answer is None else int(answer)

    # -- refusals -------------------------------------------------------------------------------

    def check_refusals(self, match: Match) -> None:
        """Whatever is not legal changes nothing, and it is said why."""
        legal = match.legal()
        wrong = [token for token in match.game.tokens if token not in legal]
        chosen = self.rng.sample(wrong, min(25, len(wrong)))
        for token in [*chosen, "", "nonsense", "0", " " + legal[0]]:
            refused = self._refused(match, token)
            for lang in LANGUAGES:
                text = refused.message(lang)
                worded = " " in text and "{" not in text
                self.expect("refusal", worded, f"{token!r} refused with {text!r}")

    def _refused(self, match: Match, token: str) -> IllegalMove:
        """The refusal of a token that is not legal; it must leave no trace."""
        before = match._s.tobytes()
        try:
            match.play(token)
        except IllegalMove as refused:
            left = match._s.tobytes() == before
            self.expect("refusal", left, f"{token!r} was refused and left a trace")
            return refused
        raise AssertionError(f"{self.where}: {token!r} is not legal, but was played (refusal)")

    # -- secrets --------------------------------------------------------------------------------

    def check_interference(self, match: Match, seat: int | None, token: str) -> None:
        """Deal what the seat does not know anew: it must not be able to tell the difference."""
        game = match.game
        other = match.blind(seat, self.rng.getrandbits(64))
        other._tokens, other._told, other._start = list(match._tokens), match._told, match._start
        self._possible(other)
        same = other.view(seat) == match.view(seat)
        self.expect("non-interference", same, f"resampling changed seat {seat}'s view")
        same = other.tally(seat) == match.tally(seat)
        self.expect("non-interference", same, f"the tally tells {seat} a secret")
        hidden = other._s.key.tobytes() != match._s.key.tobytes()
        self.expect("resampling", hidden, "blinding keeps the stream")
        ours = match.copy()
        game.rekey(ours._s, other._key)  # both worlds draw on from the same stream
        told = ours.play(token)
        row = game.row(seat)
        align(game, match._s, ours._s, other._s, row)
        if token not in other.legal():
            return  # the other hand cannot do the same
        told_other = other.play(token)
        if ours._s.known[row].tobytes() != other._s.known[row].tobytes():
            return  # the play showed this seat different cards: then it may see a difference
        same = ours.view(seat) == other.view(seat)
        self.expect("non-interference later", same, f"{token} shows seat {seat} a secret")
        seen = [event.seen_by(seat) for event in told]
        same = seen == [event.seen_by(seat) for event in told_other]
        self.expect("non-interference later", same, f"{token} tells {seat} a secret")

    def _possible(self, match: Match) -> None:
        """Compiled, whether it could be; now and then interpreted, as positions are read."""
        if self.rng.random() > 0.1:
            trial = copy_record(match._s)
            trial.telling, trial.told = 1, 0
            self.game.kernels.check(trial)
            if trial.told == 0:
                self.checks["resampling"] += 1
                return
        try:
            match.game.notation.check(match._s)
        except PositionError as error:
            raise AssertionError(
                f"{self.where}: dealt anew, it cannot be: {error} (resampling)"
            ) from error
        self.checks["resampling"] += 1

    def check_resampling(self, match: Match) -> None:
        """At the beginning, whatever a seat does not know can be somewhere else."""
        for seat in self.onlookers:
            still = self._hidden(match, seat)
            self.checks["hidden"] += len(still)
            for _ in range(REDEALS):
                if not still:
                    break
                other = match.blind(seat, self.rng.getrandbits(64))
                moved = {card for card, spot in still.items() if spot_of(other._s, card) != spot}
                self.checks["resampling"] += len(moved)
                still = {card: spot for card, spot in still.items() if card not in moved}
            codes = [self.game.codes[card] for card in still]
            self.expect("resampling", not still, f"for seat {seat} these lie still: {codes}")

    def _hidden(self, match: Match, seat: int | None) -> dict[int, tuple[int, int]]:
        """The cards a seat does not know, each with its spot; the only one of its back lies where
        it must."""
        known = self._known(match._s, self.game.row(seat))
        hidden = [card for card in range(len(self.game.codes)) if card not in known]
        backs = Counter(str(self.game.notation.back(card)) for card in hidden)
        several = [card for card in hidden if backs[str(self.game.notation.back(card))] > 1]
        return {card: spot_of(match._s, card) for card in several}


def _unwatched(game: Game) -> Game:
    """The same game for nobody to look on at: interpreted, less what is `for_onlookers`."""
    twin = game.interpreted()
    kernels = vars(kernels_of(game.definition)).items()
    alone = {name: interpreted(unwatched(kernel, compiled=False)) for name, kernel in kernels}
    twin.kernels = SimpleNamespace(**alone)
    return twin


def _code(entry: Any) -> str | None:
    return entry if isinstance(entry, str) else entry["card"]
