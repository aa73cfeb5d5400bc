"""Scenarios for the rules of Claim, each named after the rule it checks."""

from __future__ import annotations

from typing import Any

import pytest

import tanistry
from tanistry import IllegalMove, Match, PositionError
from tests.games.claim_positions import phase1, phase2

GAME = tanistry.game("claim")


def codes(match: Match, place: str) -> list[str]:
    entries = match.position()["places"].get(place, [])
    return [entry if isinstance(entry, str) else entry["card"] for entry in entries]


def trick_winner(position: dict[str, Any], *tokens: str) -> int:
    match = GAME.setup(position)
    for token in tokens:
        events = match.play(token)
    won = [event.public["seat"] for event in events if event.type == "trick"]
    assert len(won) == 1
    return int(won[0])


# -- the deal -------------------------------------------------------------------------------------


@pytest.mark.rule("claim.setup", "claim.prize", "common.counts")
def test_thirteen_cards_each_and_the_first_prize_turned() -> None:
    match = GAME.deal(1)
    sizes = {name: len(cards) for name, cards in match.view(None)["places"].items()}
    assert sizes == {"deck": 25, "hand.0": 13, "hand.1": 13, "prize": 1}
    assert match.decision == "play"


@pytest.mark.rule("common.shuffle")
def test_same_seed_same_deal_and_other_seed_other_deal() -> None:
    assert GAME.deal(7).position() == GAME.deal((7).to_bytes(32, "little")).position()
    assert GAME.deal(7).position() != GAME.deal(8).position()


@pytest.mark.rule("common.sets")
def test_sets_are_listed_in_the_order_of_the_card_list() -> None:
    order = "GKUDX"
    hand = codes(GAME.deal(3), "hand.0")
    assert hand == sorted(hand, key=lambda code: (order.index(code[0]), code[1]))


@pytest.mark.rule("claim.leader")
@pytest.mark.parametrize("first", [0, 1])
def test_first_leads_the_first_trick(first: int) -> None:
    match = tanistry.game("claim", first=first).deal(1)
    assert match.to_act == first
    assert match.position()["facts"]["leader"] == first


@pytest.mark.rule("claim.leader")
def test_the_winner_of_a_trick_leads_the_next_one() -> None:
    match = GAME.setup(phase1("G3 D1", "G9 D2", prize="K2"))
    match.play("G3")
    match.play("G9")
    assert match.to_act == 1
    match.play("D2")
    match.play("D1")
    assert match.position()["facts"] == {"phase": 2, "trick": 1, "leader": 1}
    assert match.to_act == 1, "across the change of phase too"


@pytest.mark.rule("claim.leader", "claim.lead", "claim.phase2")
def test_the_winner_of_a_trick_of_phase_2_leads_the_next_one_with_any_card() -> None:
    match = GAME.setup(phase2("G3 D4 K5", "G9 D2 K6"))
    match.play("G3")
    match.play("G9")
    assert (match.to_act, match.position()["facts"]["leader"]) == (1, 1)
    assert match.legal() == ["K6", "D2"]
    match.play("D2")
    match.play("D4")
    assert (match.to_act, match.position()["facts"]["leader"]) == (0, 0)


@pytest.mark.rule("claim.prize")
def test_every_trick_of_phase_1_turns_a_prize() -> None:
    match = GAME.setup(phase1("G3 D1", "G9 D2", prize="K2", deck="K3 K4 K5"))
    match.play("G3")
    match.play("G9")  # the loser takes K3
    assert codes(match, "prize") == ["K4"]


# -- leading and following ------------------------------------------------------------------------


@pytest.mark.rule("claim.lead")
def test_the_leader_may_play_any_card() -> None:
    match = GAME.setup(phase1("G3 K4 U5 D6 X7", "G9 K9 U9 D9 X9", prize="K2"))
    assert match.legal() == ["G3", "K4", "U5", "D6", "X7"]


@pytest.mark.rule("claim.follow", "claim.doppel")
def test_following_is_a_duty_with_a_doppelganger_as_the_way_out() -> None:
    match = GAME.setup(phase1("D1 D2 D3 D4", "G2 G9 K9 X3 U4", prize="K2", led="G5"))
    assert match.legal() == ["G2", "G9", "X3"]


@pytest.mark.rule("claim.follow")
def test_without_the_led_faction_any_card_goes() -> None:
    match = GAME.setup(phase1("D1 D2 D3", "K9 X3 U4 G1", prize="K2", led="D5"))
    assert match.legal() == ["G1", "K9", "U4", "X3"]


@pytest.mark.rule("claim.follow", "claim.knight")
def test_a_knight_does_not_excuse_from_following_a_goblin() -> None:
    match = GAME.setup(phase1("D1", "G0 K9", prize="K2", led="G5"))
    assert match.legal() == ["G0"]
    with pytest.raises(IllegalMove) as refused:
        match.play("K9")
    assert refused.value.rule == "claim.follow"
    assert refused.value.code == "move/illegal"
    assert "Goblin 5" in str(refused.value)
    assert "Gobelin 5" in refused.value.message("fr")


@pytest.mark.rule("claim.doppel", "claim.follow")
def test_a_led_doppelganger_must_be_followed_by_one() -> None:
    match = GAME.setup(phase1("D1 D2", "X0 G9 K9", prize="K2", led="X5"))
    assert match.legal() == ["X0"]
    with pytest.raises(IllegalMove, match=r"you must follow with Doppelgänger 0\.$"):
        match.play("K9")


@pytest.mark.rule("common.illegal")
@pytest.mark.parametrize("token", ["K7", "Z1", "", "play K9", "k9", "K9 "])
def test_what_is_not_held_or_cannot_be_read_is_refused(token: str) -> None:
    match = GAME.setup(phase1("D1", "G0 K9", prize="K2", led="G5"))
    before = match.position()
    with pytest.raises(IllegalMove) as refused:
        match.play(token)
    assert refused.value.rule == "common.illegal"
    assert match.position() == before


@pytest.mark.rule("common.illegal")
def test_nothing_is_played_after_the_end() -> None:
    match = GAME.setup(phase2("G3", "G9"))
    match.play("G3")
    match.play("G9")
    assert match.to_act is None
    assert match.decision == ""
    with pytest.raises(IllegalMove) as refused:
        match.play("G3")
    assert (refused.value.rule, refused.value.code) == ("common.illegal", "move/over")


# -- who wins a trick -----------------------------------------------------------------------------


@pytest.mark.rule("claim.win")
@pytest.mark.parametrize(
    ("led", "answer", "winner"),
    [
        ("D3", "D4", 1),  # higher of the led faction
        ("D4", "D3", 0),
        ("D0", "K9", 0),  # another faction loses, however high
        ("K9", "G9", 0),  # a Knight led does nothing special, and a Goblin is no answer to it
        ("U0", "D9", 0),
    ],
)
def test_the_higher_card_of_the_led_faction_wins(led: str, answer: str, winner: int) -> None:
    assert trick_winner(phase1("", answer, prize="X2", led=led), answer) == winner


@pytest.mark.rule("claim.win")
def test_equal_values_go_to_the_leader() -> None:
    assert trick_winner(phase1("", "G0", prize="X2", led="G0"), "G0") == 0
    assert trick_winner(phase1("", "X5", prize="X2", led="D5"), "X5") == 0


@pytest.mark.rule("claim.knight")
@pytest.mark.parametrize(
    ("led", "answer", "winner"),
    [
        ("G9", "K2", 1),
        ("G0", "K9", 1),
        ("X9", "K2", 0),  # a led Doppelgänger is no Goblin
        ("K2", "G9", 0),
        ("D1", "K9", 0),
    ],
)
def test_a_knight_beats_a_real_goblin_only(led: str, answer: str, winner: int) -> None:
    assert trick_winner(phase1("", answer, prize="X2", led=led), answer) == winner


@pytest.mark.rule("claim.doppel", "claim.knight")
@pytest.mark.parametrize(
    ("led", "answer", "winner"),
    [
        ("D4", "X5", 1),  # counts as the led faction, value for value
        ("D6", "X5", 0),
        ("G9", "X8", 0),  # copies a Goblin, is no Knight
        ("K2", "X3", 1),
        ("X4", "X5", 1),
        ("X4", "D9", 0),  # Doppelgänger led: only Doppelgängers answer
    ],
)
def test_a_doppelganger_counts_as_the_led_faction(led: str, answer: str, winner: int) -> None:
    assert trick_winner(phase1("", answer, prize="U2", led=led), answer) == winner


# -- spoils of phase 1 ----------------------------------------------------------------------------


@pytest.mark.rule("claim.spoils1", "common.secrecy")
def test_prize_to_the_winner_top_of_the_deck_to_the_loser() -> None:
    match = GAME.setup(phase1("D1", "D9 G1", prize="K2", led="D3", deck="K7"))
    events = match.play("D9")
    assert "K2" in codes(match, "followers.1")
    assert "K7" in codes(match, "followers.0")
    assert "K2" in match.view(0)["places"]["followers.1"], "the prize was seen by both"
    assert "K7" in match.view(0)["places"]["followers.0"]
    assert "K7" not in str(match.view(1)["places"]), "the loser alone has seen the card"
    assert "K7" not in str(match.view(None)["places"])
    assert "K7" not in str([event.seen_by(1) for event in events])
    assert "K7" not in str([event.seen_by(None) for event in events])
    assert "K7" in str([event.seen_by(0) for event in events])


@pytest.mark.rule("claim.undead")
@pytest.mark.parametrize(
    ("led", "answer", "winner"),
    [("U3", "U5", 1), ("U5", "U3", 0), ("U3", "D5", 0), ("D5", "U9", 0)],
)
def test_played_undead_go_to_the_winners_score(led: str, answer: str, winner: int) -> None:
    match = GAME.setup(phase1("D1", f"{answer} G1", prize="K2", led=led))
    match.play(answer)
    for card in (led, answer):
        home = f"score.{winner}" if card[0] == "U" else "discard"
        assert card in codes(match, home)


@pytest.mark.rule("claim.undead")
def test_an_undead_prize_is_an_ordinary_prize() -> None:
    match = GAME.setup(phase1("D1", "D9 G1", prize="U2", led="D3"))
    match.play("D9")
    assert "U2" in codes(match, "followers.1")


@pytest.mark.rule("claim.undead", "claim.discard1")
def test_a_doppelganger_that_copied_an_undead_is_discarded() -> None:
    match = GAME.setup(phase1("D1", "X9 G1", prize="K2", led="U3"))
    match.play("X9")
    assert "X9" in codes(match, "discard")
    assert "U3" in codes(match, "score.1")


@pytest.mark.rule("claim.discard1")
def test_all_other_played_cards_are_discarded() -> None:
    match = GAME.setup(phase1("D1", "D9 G1", prize="K2", led="D3"))
    match.play("D9")
    assert {"D3", "D9"} <= set(codes(match, "discard"))


# -- phase 2 --------------------------------------------------------------------------------------


@pytest.mark.rule("claim.phase2", "common.secrecy")
def test_followers_become_the_hand_and_prizes_stay_known() -> None:
    match = GAME.setup(phase1("", "D9", prize="K2", led="D3", deck="K7"))
    mine, theirs = set(codes(match, "followers.0")), set(codes(match, "followers.1"))
    match.play("D9")
    assert match.position()["facts"] == {"phase": 2, "trick": 1, "leader": 1}
    assert set(codes(match, "hand.0")) == mine | {"K7"}
    assert set(codes(match, "hand.1")) == theirs | {"K2"}
    assert "deck" not in match.position()["places"]
    assert "prize" not in match.position()["places"]
    assert match.view(0)["places"]["hand.1"] == ["K2"] + 12 * [{"card": None}]
    assert {"card": "K2", "known": [0, 1]} in match.position()["places"]["hand.1"]


@pytest.mark.rule("claim.phase2", "claim.follow")
def test_what_a_seat_did_not_hold_in_phase_1_it_may_hold_in_phase_2() -> None:
    position = phase1("", "D9", prize="G7", led="D3")
    position["facts"]["void"] = ["", "G"]
    match = GAME.setup(position)
    match.play("D9")
    assert "G7" in codes(match, "hand.1")
    assert "void" not in match.position()["facts"]


@pytest.mark.rule("claim.spoils2")
def test_the_winner_scores_both_cards() -> None:
    match = GAME.setup(phase2("G1", "K3 U1", led="G9"))
    match.play("K3")
    assert {"G9", "K3"} <= set(codes(match, "score.1"))
    assert match.position()["facts"]["trick"] == 13


@pytest.mark.rule("claim.undead", "claim.discard1")
def test_only_undead_outlive_phase_1_in_a_score_pile() -> None:
    position = phase2("G3", "G9")
    position["places"]["score.0"].append(position["places"]["discard"].pop())
    GAME.setup(position)  # one Undead was scored in phase 1
    position["places"]["score.0"] += position["places"]["discard"][-10:]
    del position["places"]["discard"][-10:]
    with pytest.raises(PositionError, match="11 cards played in phase 1"):
        GAME.setup(position)


@pytest.mark.rule("claim.spoils2")
def test_undead_have_no_power_in_phase_2() -> None:
    match = GAME.setup(phase2("G1", "U3 G2", led="U1"))
    match.play("U3")
    assert {"U1", "U3"} <= set(codes(match, "score.1"))


@pytest.mark.rule("claim.dwarf")
def test_the_loser_takes_the_dwarves() -> None:
    match = GAME.setup(phase2("G1", "D9 G2", led="D3"))
    match.play("D9")  # both are Dwarves: seat 1 wins, seat 0 takes both
    assert {"D3", "D9"} <= set(codes(match, "score.0"))
    assert match.to_act == 1


@pytest.mark.rule("claim.dwarf")
def test_the_other_card_still_goes_to_the_winner() -> None:
    match = GAME.setup(phase2("G1", "G9 G2", led="D3"))
    match.play("G9")  # seat 0 wins with the Dwarf
    assert "D3" in codes(match, "score.1")
    assert "G9" in codes(match, "score.0")


@pytest.mark.rule("claim.dwarf", "claim.doppel")
def test_a_doppelganger_that_copied_a_dwarf_goes_to_the_winner() -> None:
    match = GAME.setup(phase2("G1", "X9 G2", led="D3"))
    match.play("X9")
    assert "X9" in codes(match, "score.1")
    assert "D3" in codes(match, "score.0")


# -- votes ----------------------------------------------------------------------------------------


def final(score0: str, score1: str) -> Match:
    """The match at its end with exactly these cards in the score piles; the rest discarded."""
    scores = [score0.split(), score1.split()]
    position = GAME.setup(phase2("G3", "G9")).position()
    everything = [
        entry if isinstance(entry, str) else entry["card"]
        for cards in position["places"].values()
        for entry in cards
    ]
    for code in scores[0] + scores[1]:
        everything.remove(code)
    position["places"] = {"score.0": scores[0], "score.1": scores[1], "discard": everything}
    position |= {"to_act": None, "decision": ""}
    position["facts"] = {"phase": 2, "trick": 13, "leader": 0}
    return GAME.setup(position)


def ended(split: dict[str, tuple[str, str]]) -> list[int]:
    """Votes when the factions are split as given (cards of seat 0, cards of seat 1)."""
    score0 = " ".join(cards[0] for cards in split.values())
    score1 = " ".join(cards[1] for cards in split.values())
    result = final(score0, score1).result
    assert result is not None
    return result.scores


ALL_UNDEAD = {"U": ("U0 U1 U2 U3 U4 U5", "U6 U7 U8 U9")}
REST = {
    "K": ("K2 K3 K4 K5 K6", "K7 K8 K9"),
    "D": ("D0 D1 D2 D3 D4 D5", "D6 D7 D8 D9"),
}


@pytest.mark.rule("claim.vote")
def test_more_cards_of_a_faction_win_its_vote() -> None:
    split = {**ALL_UNDEAD, **REST, "G": ("G1", "G0 G0"), "X": ("", "X0")}
    assert ended(split) == [3, 2]


@pytest.mark.rule("claim.vote")
def test_equal_numbers_go_to_the_highest_card() -> None:
    split = {**ALL_UNDEAD, **REST, "G": ("G0 G3", "G1 G2"), "X": ("X1 X9", "X2 X8")}
    assert ended(split) == [5, 0]
    split |= {"G": ("G0 G3", "G1 G4"), "X": ("", "X0")}
    assert ended(split) == [3, 2]


@pytest.mark.rule("claim.vote")
def test_still_equal_goes_to_nobody() -> None:
    split = {**ALL_UNDEAD, **REST, "G": ("G0", "G0"), "X": ("", "")}
    assert ended(split) == [3, 0]


@pytest.mark.rule("claim.end")
def test_more_votes_win_even_below_three() -> None:
    dwarves = ("D0 D1 D2 D3", "D4 D5 D6 D7 D8 D9")
    split = {**ALL_UNDEAD, **REST, "D": dwarves, "G": ("G0 G0", "G0 G0"), "X": ("", "")}
    result = final(*(" ".join(c[n] for c in split.values()) for n in (0, 1))).result
    assert result is not None
    assert result.scores == [2, 1]
    assert result.ranking == [[0], [1]]


@pytest.mark.rule("claim.end")
def test_equal_votes_are_a_draw() -> None:
    split = {**ALL_UNDEAD, **REST, "D": ("D0", "D4 D5 D6 D7 D8"), "G": ("G1", "G9"), "X": ("", "")}
    result = final(*(" ".join(c[n] for c in split.values()) for n in (0, 1))).result
    assert result is not None
    assert result.scores == [2, 2]
    assert result.ranking == [[0, 1]]


@pytest.mark.rule("claim.vote", "claim.end")
@pytest.mark.parametrize(
    ("knights", "doppelgangers", "scores", "crowned"),
    [((2, 3), (1, 0), [2, 2], -1), ((2, 3), (0, 1), [1, 3], 1), ((3, 2), (1, 0), [3, 1], 0)],
)
def test_the_last_card_tells_each_vote_and_who_is_king(
    knights: tuple[int, int], doppelgangers: tuple[int, int], scores: list[int], crowned: int
) -> None:
    """A vote is told with the cards of its winner first; the tally says what decided it."""
    score0 = f"G0 G0 K{knights[0]} D0 D1 D2 D3 X{doppelgangers[0]}"
    score1 = f"G0 G0 K{knights[1]} D4 D5 D6 D7 X{doppelgangers[1]}"
    match = GAME.setup(phase2("U3", "U9", score0=score0, score1=score1))
    match.play("U3")
    *_, goblins, knight, undead, dwarves, doppel, over = (e.public for e in match.play("U9"))
    assert goblins == {"faction": "G", "seat": -1, "cards": 2, "against": 2}
    assert undead == {"faction": "U", "seat": 0, "cards": 8, "against": 2}
    assert dwarves == {"faction": "D", "seat": 1, "cards": 4, "against": 4}
    assert [knight["seat"], doppel["seat"]] == [
        int(pair[1] > pair[0]) for pair in (knights, doppelgangers)
    ]
    assert over == {"seat": crowned}
    tally = match.tally(None)
    assert tally["score"] == scores
    decided = {vote["faction"]: vote["by"] for vote in tally["votes"]}
    assert decided == {"G": None, "K": "highest", "U": "cards", "D": "highest", "X": "highest"}


# -- memory ---------------------------------------------------------------------------------------


@pytest.mark.rule("common.twins")
def test_of_twins_the_one_the_opponent_knows_is_played_first() -> None:
    position = phase2("G3 G4", "G0 G0")
    position["places"]["hand.1"] = ["G0", {"card": "G0", "known": [0, 1]}]
    match = GAME.setup(position)
    assert match.view(0)["places"]["hand.1"] == ["G0", {"card": None}]
    match.play("G3")
    match.play("G0")
    assert match.view(0)["places"]["hand.1"] == [{"card": None}]


@pytest.mark.rule("claim.follow", "claim.doppel")
@pytest.mark.parametrize(("answer", "void"), [("X3", None), ("K9", ["", "D"])])
def test_a_doppelganger_does_not_tell_what_a_seat_holds(answer: str, void: Any) -> None:
    match = GAME.setup(phase1("D1 D2 D3", "K9 X3 U4 G1", prize="K2", led="D5"))
    match.play(answer)
    assert match.position()["facts"].get("void") == void


@pytest.mark.rule("claim.follow", "common.secrecy")
def test_a_seat_that_did_not_follow_is_never_dealt_that_faction_again() -> None:
    match = GAME.deal(4)
    game_over_guard = 0
    while not match.position()["facts"].get("void"):
        match.play(match.legal()[-1])
        game_over_guard += 1
        assert game_over_guard < 26
    void = match.position()["facts"]["void"]
    for seat in (0, 1):
        for number in range(30):
            blind = match.blind(1 - seat, number)
            held = codes(blind, f"hand.{seat}")
            assert not {code[0] for code in held} & set(void[seat])


@pytest.mark.rule("common.options")
def test_options_are_checked() -> None:
    for options in ({"first": 2}, {"first": True}, {"first": "0"}, {"seats": 3}, {"edition": "x"}):
        with pytest.raises(tanistry.OptionError) as refused:
            tanistry.game("claim", **options)
        assert refused.value.rule == "common.options"
