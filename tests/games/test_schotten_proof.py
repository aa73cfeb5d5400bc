"""The claim proof against a naive one that tries every completion and every wild card."""

from __future__ import annotations

import random
from itertools import combinations, pairwise, product
from math import comb, prod

import numpy as np
import pytest

import tanistry
from tanistry.games.schotten.cards import CLAN_CODES, CODES, COLOURS
from tanistry.games.schotten.proof import (
    ANY_SUM,
    COLOUR_RUN,
    FORMATION,
    NOTHING,
    ONE_COLOUR,
    RUN,
    TEAM,
    strongest,
)
from tanistry.games.schotten.stones import claimable_stones
from tanistry.kernel import interpreted
from tanistry.table.bits import EMPTY
from tanistry.table.record import copy_record
from tests.games.schotten_positions import claims, refused, setup

WORK = 2500
"""Cards and wild cards to try out in one position, at most."""

CLANS = [(code[0], int(code[1])) for code in CLAN_CODES]
STANDS_FOR = {
    "farlane": CLANS,
    "gregor": CLANS,
    "support": [(colour, 7) for colour in COLOURS],
    "shield": [(colour, value) for colour in COLOURS for value in (1, 2, 3)],
} | {code: [clan] for code, clan in zip(CLAN_CODES, CLANS, strict=True)}


def naive_formation(side: tuple[tuple[str, int], ...]) -> int:
    values = sorted(value for _, value in side)
    colours = {colour for colour, _ in side}
    run = all(b == a + 1 for a, b in pairwise(values))
    if run and len(colours) == 1:
        return COLOUR_RUN
    if len(set(values)) == 1:
        return TEAM
    if len(colours) == 1:
        return ONE_COLOUR
    return RUN if run else ANY_SUM


def naive_strength(side: tuple[tuple[str, int], ...], fog: bool) -> int:
    formation = ANY_SUM if fog else naive_formation(side)
    return FORMATION * formation + sum(value for _, value in side)


def naive_strongest(side: list[str], needed: int, fog: bool, unseen: list[str]) -> int:
    best = NOTHING
    for filled in combinations(unseen, needed - len(side)):
        for meant in product(*(STANDS_FOR[code] for code in (*side, *filled))):
            best = max(best, naive_strength(meant, fog))
    return best


def word(codes: list[str]) -> np.uint64:
    return np.uint64(sum(1 << CODES.index(code) for code in codes))


def random_case(rng: random.Random) -> tuple[list[str], int, bool, list[str]]:
    """A side, possibly with wild cards, and unseen cards that favour formations."""
    needed = rng.choice([3, 4])
    wild = [rng.choice(["farlane", "gregor"])] if rng.random() < 0.3 else []
    wild += [code for code in ("support", "shield") if rng.random() < 0.25]
    clans = list(CLAN_CODES)
    rng.shuffle(clans)
    like = rng.choice(clans)
    if rng.random() < 0.7:  # cards that go together come up more often
        near = [c for c in clans if c[0] == like[0] or abs(int(c[1]) - int(like[1])) <= 1]
        clans = near + [code for code in clans if code not in near]
    side = wild[: rng.randint(0, needed)]
    side += [clans.pop(rng.randrange(6)) for _ in range(rng.randint(0, needed - len(side)))]
    missing = needed - len(side)
    meanings = prod(len(STANDS_FOR[code]) for code in side)
    unseen = clans[: rng.randint(0, 40)]
    while unseen and comb(len(unseen), missing) * meanings > WORK:
        unseen.pop(rng.randrange(len(unseen)))
    return side, needed, rng.random() < 0.2, unseen


@pytest.mark.rule(
    "schotten.proof", "schotten.formation", "schotten.wild_best", "schotten.fog", "schotten.mud"
)
@pytest.mark.parametrize("seed", range(4))
def test_the_proof_is_exact(seed: int) -> None:
    """3,000 random sides: the best they can become, what it takes, and what is out of reach."""
    rng = random.Random(seed)
    for number in range(750):
        side, needed, fog, unseen = random_case(rng)
        case = f"{side} of {needed}, fog {fog}, unseen {unseen}"
        best = naive_strongest(side, needed, fog, unseen)
        found, taken = strongest(word(side), needed, fog, word(unseen), NOTHING)
        assert found == best, case
        completed = [CODES[card] for card in range(64) if int(taken) >> card & 1]
        if best != NOTHING:
            assert set(completed) <= set(unseen), case
            assert len(side) + len(completed) == needed, case
            assert naive_strongest([*side, *completed], needed, fog, []) == best, case
        above = best + rng.choice([-20, -1, 0, 1, 20])
        limited, _ = strongest(word(side), needed, fog, word(unseen), max(above, NOTHING))
        assert limited == (best if best > above else NOTHING), f"{case} above {above}"
        if number < 100:
            slow = interpreted(strongest)(word(side), needed, fog, word(unseen), NOTHING)
            assert slow == (found, taken), case


@pytest.mark.rule("schotten.formation")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("R1 R2 R3", "B9 Y9 G9"),  # a run of one colour before a team
        ("R1 Y1 G1", "B9 B8 B6"),  # a team before one colour
        ("R1 R2 R4", "R9 Y8 G7"),  # one colour before a run
        ("R1 Y2 G3", "R9 Y9 G8"),  # a run before any sum
        ("R9 R8 R7", "B8 B7 B6"),  # the same formation: the sum
        ("R9 Y9 G7", "R6 Y9 G9"),
        ("R2 Y3 G4", "R9 Y1 G2"),  # 9-1-2 is no run
        ("R3 Y1 G2", "R9 Y9 G7"),  # the order of laying is irrelevant
        ("farlane R7 R9", "B9 Y9 G9"),  # the chief as Red 8
        ("farlane R7 Y7", "B9 B8 B6"),  # as a third 7
        ("farlane R9 R4", "B9 B8 B4"),  # as a second Red 9
        ("support R6 R8", "B9 Y9 G9"),
        ("support R8 R9", "support R5 R6"),
        ("shield R4 R5", "B9 Y9 G9"),  # as Red 3
        ("shield R1 R5", "B5 B2 B1"),  # as Red 3, the most it can be
        ("shield Y2 G2", "B9 B8 B6"),  # as a 2
        ("farlane R8 R7 R6", "B8 B7 B6 B5"),  # four cards in mud
        ("R1 Y1 G1 B1", "R9 R8 R7 R5"),
        ("farlane support shield", "R9 Y8 G7"),  # all of one colour
    ],
)
def test_formations_compared(better: str, worse: str) -> None:
    strengths = []
    for side in (better.split(), worse.split()):
        found, _ = strongest(word(side), len(side), False, EMPTY, NOTHING)
        assert found == naive_strongest(side, len(side), False, [])
        strengths.append(found)
    assert strengths[0] > strengths[1]


@pytest.mark.rule("schotten.proof", "schotten.claim", "schotten.unplayed")
@pytest.mark.parametrize("tactics", [True, False])
@pytest.mark.parametrize("claim", ["after", "before"])
def test_remembered_refutations_change_nothing(tactics: bool, claim: str) -> None:
    """Looked up or worked out anew, the same stones can be claimed, in every state of a match."""
    game = tanistry.game("schotten", tactics=tactics, claim=claim)
    for seed in range(15):
        rng = random.Random(seed)
        match = game.deal(seed)
        while match.to_act is not None:
            for seat in (0, 1):
                remembered, fresh = copy_record(match._s), copy_record(match._s)
                fresh.refuted[:] = 0
                fresh.strength[:] = 0
                stones = claimable_stones(fresh, seat)
                assert claimable_stones(remembered, seat) == stones
                if match.decision == "claim" and seat == match.to_act:
                    assert claims(match) == [n + 1 for n in range(9) if stones >> n & 1]
            match.play(rng.choice(match.legal()))


# -- the proof in a match -------------------------------------------------------------------------

SURE = {1: ("O9 O8 O7", "")}
"""Nothing beats a run of one colour up to 9 that was complete first."""


@pytest.mark.rule("schotten.proof")
def test_the_best_formation_is_proven_against_an_empty_side() -> None:
    match = setup({1: ("R8 R7", "")}, hands=("R9", "B1"))
    match.play("R9@1")
    assert match.legal() == ["claim 1", "done"]
    events = match.play("claim 1")
    assert [event.rule for event in events if event.type == "claim"] == ["schotten.proof"]


@pytest.mark.rule("schotten.proof")
def test_a_refused_claim_shows_what_is_still_possible() -> None:
    match = setup({**SURE, 2: ("Y1 Y2 Y3", "B4")}, hands=("G1", "B1"))
    match.play("G1@9")
    assert claims(match) == [1]
    refusal = refused(match, "claim 2")
    assert refusal.rule == "schotten.proof"
    assert "Blue 4-5-6 is still possible" in refusal.message("en")
    assert "4-5-6 bleu est encore possible" in refusal.message("fr")
    assert "with Blue 5, Blue 6" in refusal.message("en")


@pytest.mark.rule("schotten.proof")
@pytest.mark.parametrize(
    ("side", "env", "says"),
    [
        (("G1 B2 P4", "R9 Y9"), "", "a team of 9s is still possible"),
        (("R1 Y1 G1", "B7 B9"), "", "Blue 7-8-9"),
        (("R2 Y1 G1", "B9 Y8"), "", "the run 7-8-9"),
        (("R1 Y1 G2", "B9 B2"), "", "one colour, sum 19"),
        (("R1 Y1 G1", "B2 Y9"), "fog", "2-9-9 (sum 20)"),
        (("R1 Y2 G3 P4", "B2 B4"), "mud", "Blue 2-3-4-5"),
        (("R1 R2 R3", "B9 farlane"), "", "Blue 7-8-9"),
    ],
)
def test_every_formation_is_named(side: tuple[str, str], env: str, says: str) -> None:
    match = setup({**SURE, 4: side}, env={4: env} if env else {}, hands=("O1", "P1"))
    match.play("O1@9")
    refusal = refused(match, "claim 4")
    assert refusal.rule == "schotten.proof"
    assert says in refusal.message("en")


@pytest.mark.rule("schotten.proof")
def test_a_proof_uses_no_secrets() -> None:
    """The card that would beat the claim is in the claimant's own hand: that is no proof."""
    stones = {**SURE, 2: ("Y9 Y8 Y6", "B9 Y7")}
    for holder in (("G1 B8", "B1"), ("G1", "B1 B8")):
        match = setup(stones, hands=holder)
        assert claims(setup(stones, hands=holder, decision="claim")) == [1, 2]
        match.play("G1@9")
        assert claims(match) == [1, 2]
    close = {**SURE, 2: ("Y4 Y5 Y6", "B7 B8")}
    for holder in (("G1 B9 B6", "B1"), ("G1", "B1 B6 B9")):
        match = setup(close, hands=holder)
        match.play("G1@9")
        assert claims(match) == [1]
        assert refused(match, "claim 2").rule == "schotten.proof"


@pytest.mark.rule("schotten.proof")
def test_cards_on_the_table_are_what_counts() -> None:
    """Red 6 and Red 9 lie open, one of them in the discard: a run of Red 7 and 8 is impossible."""
    stones = {2: ("Y4 Y5", "R7 R8"), 3: ("R6", "")}
    match = setup(stones, hands=("Y6", "B1"), discard="R9")
    match.play("Y6@2")
    assert claims(match) == [2]
    match = setup(stones, hands=("Y6", "B1"))
    match.play("Y6@2")
    assert match.decision == "draw"


@pytest.mark.rule("schotten.proof", "schotten.compare")
def test_equal_is_enough_for_the_claimant() -> None:
    match = setup({2: ("Y7 Y8", "R7 R8")}, hands=("Y9", "B1"))
    match.play("Y9@2")
    assert claims(match) == [2]


@pytest.mark.rule("schotten.proof")
def test_a_side_that_cannot_be_completed_cannot_win() -> None:
    """One unseen clan card is left, and the other side lacks two."""
    stones = {2: ("Y1 B2", "R7")}
    match = setup(stones, hands=("G4", "R8"), deck="", options={"tactics": False})
    match.play("G4@2")
    assert claims(match) == [2]
    match = setup(stones, hands=("G4", "R8 R9"), deck="", options={"tactics": False})
    match.play("G4@2")
    assert match.to_act == 1, "with two, Red 7-8-9 would win"


@pytest.mark.rule("schotten.unplayed")
def test_tactic_cards_in_hand_prevent_no_claim() -> None:
    """A chief would complete Red 7-8-9; a deserter could break the side. Neither matters."""
    stones = {2: ("Y4 Y5", "R7 R8"), 3: ("R6", ""), 4: ("R9", "")}
    match = setup(stones, hands=("Y6", "B1 farlane deserter"))
    match.play("Y6@2")
    assert claims(match) == [2]


@pytest.mark.rule("schotten.wild_best", "schotten.proof")
def test_a_wild_card_makes_no_clan_card_seen() -> None:
    """Seat 0's chief counts as Red 9 at stone 3; the true Red 9 can still complete stone 2."""
    stones = {**SURE, 2: ("Y4 Y5 Y6", "R7 R8"), 3: ("farlane R6 R2", "")}
    match = setup(stones, hands=("P1", "B1"))
    match.play("P1@9")
    assert refused(match, "claim 2").rule == "schotten.proof"
