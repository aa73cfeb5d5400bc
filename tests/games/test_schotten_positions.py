"""Positions of Schotten Totten: whatever can come up can be set up, and goes on the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tanistry
from tanistry import PositionError
from tanistry.words import words
from tests.games.schotten_positions import position, setup

TOKENS = tanistry.game("schotten").tokens
SURE = {1: ("O9 O8 O7", "")}


@pytest.mark.parametrize("tactics", [True, False])
@pytest.mark.parametrize("claim", ["after", "before"])
def test_every_decision_can_be_set_up_and_goes_on_the_same(tactics: bool, claim: str) -> None:
    """In the middle of a scout, a ruse or claims as well; interpreted and compiled."""
    game = tanistry.game("schotten", tactics=tactics, claim=claim)
    slow = game.interpreted()
    seen: dict[str, int] = {}
    for seed in range(8):
        rng = random.Random(seed)
        match = game.deal(seed)
        while match.to_act is not None:
            seen[match.decision] = seen.get(match.decision, 0) + 1
            if match.decision != "play" or rng.random() < 0.05:
                again = slow.setup(match.position(), seed)
                assert again.position() == match.position()
                assert [again.view(seat) for seat in (0, 1, None)] == [
                    match.view(seat) for seat in (0, 1, None)
                ]
                copied, limit = match.copy(), 6
                while copied.to_act is not None and limit:
                    assert copied.legal() == again.legal()
                    token = rng.choice(copied.legal())
                    told = [event.seen_by(0) | {"n": 0} for event in copied.play(token)]
                    assert told == [event.seen_by(0) | {"n": 0} for event in again.play(token)]
                    limit -= 1
                assert copied.position() == again.position()
            legal = match.legal()
            ruses = [token for token in legal if "@" not in token]
            match.play(rng.choice(ruses if ruses and rng.random() < 0.5 else legal))
    every = {"play", "claim"} | (
        {"draw", "scout_draw", "scout_return", "take", "put"} if tactics else set()
    )
    assert set(seen) == every


@pytest.mark.rule("schotten.draw_choice", "common.options")
def test_the_basic_game_has_no_tactics_in_its_vocabulary() -> None:
    basic = tanistry.game("schotten", tactics=False)
    assert len(basic.codes) == 54
    assert basic.tokens == TOKENS[: len(basic.tokens)]
    assert not any(word in token for token in basic.tokens for word in ("draw", "take", "scout"))
    assert len(set(TOKENS)) == len(TOKENS)
    with pytest.raises(tanistry.OptionError, match="after, before"):
        tanistry.game("schotten", claim="never")


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("stray", {"stones": {2: ("scout", "")}}),
    ("stray", {"stones": {}, "discard": "fog"}),
    ("stray", {"stones": {}, "played": ("farlane", "")}),
    ("stray", {"stones": {}, "env": {2: "scout"}}),
    ("side", {"stones": {2: ("R1 R2 R3 R4", "")}}),
    ("tactics", {"stones": {}, "env": {2: "fog mud"}, "tactics": [2, 0]}),
    ("tactics", {"stones": {}, "env": {2: "fog"}, "tactics": [1, 1]}),
    ("tactics_seat", {"stones": {2: ("support", "")}, "tactics": [0, 1]}),
    ("two_chiefs", {"stones": {2: ("farlane gregor", "")}, "env": {3: "fog"}, "tactics": [2, 1]}),
    ("chief", {"stones": {2: ("farlane", "")}, "chiefs": [1]}),
    ("chiefs", {"stones": {}, "discard": "farlane"}),
    ("claimed_incomplete", {"stones": {2: ("R1", "")}, "claimed": {"2": 0}}),
    ("claimed_lost", {"stones": {2: ("R1 R2 R3", "B4 B5 B6")}, "claimed": {"2": 0}}),
    ("claimed_lost", {"stones": {2: ("R1 R2 R3", "B4")}, "claimed": {"2": 0}}),
    ("first_complete", {"stones": {2: ("R1 R2 R3", "")}, "first_complete": {"2": 1}}),
    ("not_over", {"stones": {}, "to_act": None}),
    ("over", {"stones": {}, "idle": 2}),
    ("no_claim", {"stones": {}, "decision": "claim"}),
    ("basic", {"stones": {}, "decision": "draw", "options": {"tactics": False}}),
    ("one_pile", {"stones": {}, "decision": "draw", "deck": ""}),
    ("no_draw", {"stones": {}, "decision": "draw", "hands": ("R1 R2 R3 R4 R5 R6 R7", "")}),
    ("crowded", {"stones": {}, "hands": ("R1 R2 R3 R4 R5 R6 R7 R8", "")}),
    ("no_scout", {"stones": {}, "decision": "scout_draw"}),
    ("no_ruse", {"stones": {}, "decision": "take"}),
    ("no_target", {"stones": {}, "decision": "take", "played": ("traitor", "")}),
    (
        "not_taken",
        {"stones": {2: ("", "B1")}, "decision": "put", "played": ("traitor", ""), "taken": "B2"},
    ),
    ("not_pending", {"stones": {}, "passed": True}),
    ("not_pending", {"stones": {}, "ruse": "traitor"}),
    ("not_pending", {"stones": {}, "draws": 2}),
    ("fact_value", {"stones": {}, "claimed": {"10": 0}}),
    ("fact_value", {"stones": {}, "idle": -1}),
    ("fact_value", {"stones": {}, "ruse": "scout"}),
    ("fact_value", {"stones": {}, "passed": 1}),
    ("fact", {"stones": {}, "colour": "R"}),
    ("unknown", {"stones": {2: ("R1", "")}, "known": {"R1": [0]}}),
    # only the seat that has played the scout knows cards of the piles, the two it returned
    ("returned", {"stones": {}, "known": {"R9": [1]}}),
    ("returned", {"stones": {}, "hands": ("R1", "B1"), "known": {"B1": [0, 1]}}),
    ("returned", {"stones": {}, "played": ("scout", ""), "known": {"R9": [1]}}),
    (
        "returned",
        {"stones": {}, "played": ("scout", ""), "known": {"R7": [0], "R8": [0], "R9": [0]}},
    ),
    ("scout_chief", {"stones": {}, "played": ("scout", ""), "scout_after_chief": True}),
    # it could have played a clan card; it has claimed nothing
    ("not_pending", {"stones": SURE, "hands": ("R1", ""), "decision": "claim", "passed": True}),
    ("not_pending", {"stones": SURE, "decision": "claim", "claimed_now": True}),
]


@pytest.mark.parametrize(("reason", "settings"), WRONG)
def test_what_cannot_be_is_refused_with_a_reason(reason: str, settings: dict[str, Any]) -> None:
    with pytest.raises(PositionError) as info:
        setup(**settings)
    assert info.value.code == f"position/{reason}"
    for lang in ("en", "fr"):
        text = info.value.message(lang)
        assert " " in text
        assert "{" not in text.replace('{"1–9": 0–1 …}', "").replace("{'10': 0}", "")


def test_facts_may_be_left_out_where_the_cards_tell_enough() -> None:
    match = setup({2: ("farlane", "support")}, env={3: "fog"}, hands=("R1", "B1"))
    facts = match.position()["facts"]
    assert facts == {"tactics": [1, 2], "chiefs": [0]}
    assert "facts" in position({})


def test_both_languages_have_the_same_keys_and_every_rule() -> None:
    info = tanistry.info("schotten")
    trees = [words(lang, info).tree for lang in ("en", "fr")]
    assert _keys(trees[0]) == _keys(trees[1])
    assert len([rule for rule in info.rules if rule.startswith("schotten.")]) == 33
    for lang in ("en", "fr"):
        for token in TOKENS:
            assert words(lang, info).token(token) != token or token in ("pass", "discard")


def _keys(tree: Any, stem: str = "") -> set[str]:
    if isinstance(tree, list):
        return {f"{stem}[{i}].{key}" for i, entry in enumerate(tree) for key in _keys(entry)}
    if not isinstance(tree, dict):
        return {stem}
    return {key for name, branch in tree.items() for key in _keys(branch, f"{stem}.{name}")}


@pytest.mark.rule("schotten.formation", "schotten.complete")
def test_the_tally_tells_the_formations_at_the_stones() -> None:
    match = setup({1: ("O9 O8 O7", "R1 Y1 G1"), 2: ("R2 Y3", "B4 B6 B9")}, hands=("G9", "B1"))
    stones = match.tally(None)["stones"]
    assert [stone["stone"] for stone in stones] == list(range(1, 10))
    assert stones[0]["sides"] == [
        {"laid": 3, "formation": "colour_run", "total": 24},
        {"laid": 3, "formation": "team", "total": 3},
    ]
    assert stones[1]["sides"] == [
        {"laid": 2, "formation": None, "total": None},
        {"laid": 3, "formation": "colour", "total": 19},
    ]
    assert not any(stone["claimable"] for stone in stones)
    match.play("G9@9")
    assert [stone["stone"] for stone in match.tally(0)["stones"] if stone["claimable"]] == [1]


@pytest.mark.rule("schotten.win")
def test_the_tally_tells_what_wins() -> None:
    seen = set()
    for seed in range(40):
        match = tanistry.game("schotten", tactics=False).deal(seed)
        while match.to_act is not None:
            legal = match.legal()
            match.play(legal[(7 * seed + len(match.history)) % len(legal)])
        for seat, told in enumerate(match.tally(None)["seats"]):
            seen.add(told["won_by"])
            claimed = match.position()["facts"].get("claimed", {})
            own = [int(stone) for stone, owner in claimed.items() if owner == seat]
            assert told["stones"] == len(own)
            assert set(told["adjacent"]) <= set(own)
            won = len(told["adjacent"]) >= 3 or told["stones"] >= 5
            assert (told["won_by"] is not None) == won
    assert seen == {None, "adjacent", "stones"}
