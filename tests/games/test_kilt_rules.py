"""Scenarios for the rules of King's Kilt, each named after the rule it checks."""

from __future__ import annotations

import pytest

import tanistry
from tanistry import IllegalMove, Match
from tests.games.kilt_positions import BASE, FULL, betrayals, cards, fill, pyramid, setup

MEMBERS = {"7clans": 7, "8clans": 6}
EDITIONS = list(MEMBERS)
CELLS = [f"{row}.{column}" for row in range(1, 7) for column in range(7 - row)]


def refused(match: Match, token: str) -> str:
    before = match.position()
    with pytest.raises(IllegalMove) as info:
        match.play(token)
    assert match.position() == before
    return info.value.rule


# -- the deal -------------------------------------------------------------------------------------


@pytest.mark.rule("kilt.family", "kilt.family8")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_families_are_three_members_of_different_clans(edition: str, seats: int) -> None:
    game = tanistry.game("kilt", seats=seats, edition=edition)
    for seed in range(60):
        match = game.deal(seed)
        for seat in range(seats):
            family = cards(match, f"family.{seat}")
            assert len(set(family)) == 3
            assert not any("!" in code for code in family)
        assert not cards(match, "discard"), "what was laid aside has gone back"
        assert not cards(match, "removed")


@pytest.mark.rule("kilt.family")
def test_families_are_not_dealt_around_each_other() -> None:
    """Only within a family the clans differ: four families often leave a clan out."""
    game = tanistry.game("kilt", seats=4)
    left_out = 0
    for seed in range(100):
        match = game.deal(seed)
        dealt = {code for seat in range(4) for code in cards(match, f"family.{seat}")}
        left_out += len(dealt) < 7
    assert 20 < left_out < 80  # about half


@pytest.mark.rule("kilt.family8")
def test_with_eight_clans_the_first_two_cards_come_from_one_of_each() -> None:
    """So with four seats every clan is in some family."""
    game = tanistry.game("kilt", seats=4, edition="8clans")
    thirds = set()
    for seed in range(60):
        match = game.deal(seed)
        dealt = [code for seat in range(4) for code in cards(match, f"family.{seat}")]
        assert len(set(dealt)) == 8
        thirds |= {code for code in dealt if dealt.count(code) > 1}
    assert len(thirds) == 8, "the third card can be of any clan"


@pytest.mark.rule("kilt.family", "kilt.influence", "common.secrecy")
@pytest.mark.parametrize("edition", EDITIONS)
def test_only_the_owner_sees_its_cards(edition: str) -> None:
    match = tanistry.game("kilt", seats=3, edition=edition).deal(5)
    for viewer in (0, 1, 2, None):
        places = match.view(viewer)["places"]
        for seat in range(3):
            for place, size in ((f"family.{seat}", 3), (f"influence.{seat}", 5)):
                if seat == viewer:
                    assert places[place] == cards(match, place)
                else:
                    assert places[place] == [{"card": None}] * size


@pytest.mark.rule("kilt.influence")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("seats", "size"), [(2, 5), (3, 5), (4, 4)])
def test_four_or_five_influence_cards(edition: str, seats: int, size: int) -> None:
    match = tanistry.game("kilt", seats=seats, edition=edition).deal(8)
    for seat in range(seats):
        influence = cards(match, f"influence.{seat}")
        assert len(influence) == size
        assert not any("!" in code for code in influence)


@pytest.mark.rule("kilt.pile", "common.counts")
@pytest.mark.parametrize(("edition", "chiefs"), [("7clans", 8), ("8clans", 10)])
def test_chiefs_lie_on_top_and_only_the_top_card_is_seen(edition: str, chiefs: int) -> None:
    game = tanistry.game("kilt", seats=4, edition=edition)
    match = game.deal(3)
    deck = cards(match, "deck")
    assert len(deck) == len(game.codes) - 4 * 7 - 6
    assert [code.endswith("!") for code in deck] == [True] * chiefs + [False] * (len(deck) - chiefs)
    for viewer in (0, 1, 2, 3, None):
        assert match.view(viewer)["places"]["deck"] == [deck[0]] + [{"card": None}] * len(deck[1:])
    match.play("climb 1.0>")
    assert match.view(None)["places"]["deck"] == [deck[1]] + [{"card": None}] * len(deck[2:])


@pytest.mark.rule("kilt.pile", "kilt.base", "common.shuffle")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_chiefs_are_shuffled_and_so_are_the_members_below(edition: str) -> None:
    """Any clan can come to lie anywhere in the base, and on both ends of the pile."""
    game = tanistry.game("kilt", edition=edition)
    clans = {code.rstrip("!") for code in game.codes}
    left, right, top, bottom = set(), set(), set(), set()
    for seed in range(80):
        match = game.deal(seed)
        deck = cards(match, "deck")
        left |= set(cards(match, "pyramid.1.0"))
        right |= set(cards(match, "pyramid.1.5"))
        top.add(deck[0])
        bottom.add(deck[-1])
    chiefs = {f"{clan}!" for clan in clans}
    assert left == right == top == chiefs
    assert bottom == clans


@pytest.mark.rule("kilt.base", "kilt.turn")
@pytest.mark.parametrize("edition", EDITIONS)
def test_six_chiefs_are_laid_and_first_begins(edition: str) -> None:
    match = tanistry.game("kilt", seats=3, first=2, edition=edition).deal(1)
    (base,) = pyramid(match)
    assert len(base.split()) == 6
    assert base.count("!") == 6
    order = []
    for _ in range(4):
        order.append(match.to_act)
        match.play(next(token for token in match.legal() if token.startswith("climb 1.")))
    assert order == [2, 0, 1, 2]


@pytest.mark.rule("common.sets")
@pytest.mark.parametrize("edition", EDITIONS)
def test_hands_are_listed_in_the_order_of_the_card_list(edition: str) -> None:
    game = tanistry.game("kilt", edition=edition)
    hand = cards(game.deal(2), "influence.1")
    assert hand == sorted(hand, key=game.codes.index)
    clans = len(game.codes) // (2 + MEMBERS[edition])
    assert len(game.twins) == 2 * clans


# -- climbing -------------------------------------------------------------------------------------


@pytest.mark.rule("kilt.climb", "kilt.support")
def test_from_the_base_every_pair_can_raise_either_card() -> None:
    match = setup([BASE])
    right = [f"climb 1.{column}>" for column in range(5)]
    left = [f"climb 1.{column}<" for column in range(1, 6)]
    assert match.legal() == right + left


@pytest.mark.rule("kilt.climb")
@pytest.mark.parametrize(("token", "reached"), [("climb 1.2>", "2.2"), ("climb 1.2<", "2.1")])
def test_a_climb_goes_diagonally_up(token: str, reached: str) -> None:
    match = setup([BASE], deck="WA!")
    events = match.play(token)
    assert cards(match, f"pyramid.{reached}") == ["MB!"]
    assert pyramid(match)[0] == "BR! BU! WA! MK! ML! DO!", "the pile fills the base"
    first = events[0].seen_by(None)
    assert (first["rule"], first["card"]) == ("kilt.climb", "MB!")
    assert (first["from"], first["to"]) == ("pyramid.1.2", f"pyramid.{reached}")
    assert match.to_act == 1


@pytest.mark.rule("kilt.support")
def test_a_card_climbs_only_towards_a_neighbour() -> None:
    match = setup([BASE, "- WA BR - MK"])
    climbs = {token for token in match.legal() if token.startswith("climb 2")}
    assert climbs == {"climb 2.1>", "climb 2.2<"}
    assert refused(match, "climb 2.1<") == "kilt.support"
    assert refused(match, "climb 2.2>") == "kilt.support"
    assert refused(match, "climb 2.4<") == "kilt.support"


@pytest.mark.rule("kilt.climb", "common.illegal")
def test_no_climb_into_a_full_cell_or_from_an_empty_one() -> None:
    match = setup([BASE, "- WA BR - MK"])
    assert refused(match, "climb 1.1>") == "kilt.climb"
    assert refused(match, "climb 1.2<") == "kilt.climb"
    assert refused(match, "climb 2.0>") == "common.illegal"
    assert refused(match, "climb 1.0<") == "common.illegal", "there is no cell there"
    assert refused(match, "climb 6.0>") == "common.illegal"


# -- vacuums --------------------------------------------------------------------------------------


@pytest.mark.rule("kilt.vacuum")
@pytest.mark.parametrize(
    ("sides", "base", "second"),
    [
        ("<<", "WA! BU! MB! MK! ML! DO!", "BR! BR BU - -"),
        ("<>", "BR! WA! MB! MK! ML! DO!", "BU! BR BU - -"),
        ("><", "BR! WA! MB! MK! ML! DO!", "WA BU! BU - -"),
        (">>", "BR! BU! WA! MK! ML! DO!", "WA MB! BU - -"),
    ],
)
def test_a_vacuum_is_filled_down_to_the_pile(sides: str, base: str, second: str) -> None:
    match = setup([BASE, "WA BR BU - -", "ML DO - -"], deck="WA! BU!")
    match.play("climb 3.0>")
    assert match.decision == "reveal"
    match.play("reveal MK")
    for side in sides:
        assert (match.to_act, match.decision) == (0, "fill")
        assert match.legal() == ["fill <", "fill >"]
        match.play(f"fill {side}")
    third = "WA" if sides[0] == "<" else "BR"
    assert pyramid(match) == [base, second, f"{third} DO - -", "ML - -"]
    assert (match.to_act, match.decision) == (1, "turn")
    assert cards(match, "deck")[0] == "BU!"


@pytest.mark.rule("kilt.vacuum", "common.illegal")
def test_while_a_vacuum_is_open_nothing_else_can_be_chosen() -> None:
    match = setup([BASE, "WA BR - - -"], influence=("WA",))
    match.play("climb 2.0>")
    for token in ("climb 1.3>", "betray WA 1.0", "pass", "reveal BR", "fill"):
        assert refused(match, token) == "common.illegal"


@pytest.mark.rule("kilt.pile_empty", "common.shuffle")
def test_an_empty_pile_is_made_from_the_discard_when_a_card_is_needed() -> None:
    match = setup(FULL, influence=("WA", "WA"), discard="BR BU BU", deck="DO", rest="removed")
    events = match.play("betray WA 1.0")
    assert "rebuilt" not in [event.type for event in events], "not before a card is needed"
    assert (cards(match, "deck"), cards(match, "discard")) == ([], ["BR", "BU", "BU", "WA"])
    removed = len(cards(match, "removed"))
    events = match.play("betray WA 1.0")
    rebuilt = next(event for event in events if event.type == "rebuilt")
    assert (rebuilt.rule, rebuilt.public) == ("kilt.pile_empty", {"cards": 5})
    assert cards(match, "discard") == []
    assert len(cards(match, "removed")) == removed + 1, "betrayed cards stay out"
    pile = cards(match, "deck")
    new = cards(match, "pyramid.1.0")
    assert sorted(pile + new) == ["BR", "BU", "BU", "WA", "WA"]
    assert match.view(None)["places"]["deck"] == [pile[0]] + [{"card": None}] * 3
    assert match.position()["facts"]["rebuilt"] is True


@pytest.mark.rule("kilt.pile_empty")
def test_the_card_just_spent_can_be_the_whole_new_pile() -> None:
    match = setup(FULL, influence=("WA",), rest="removed")
    match.play("betray WA 1.0")
    assert cards(match, "pyramid.1.0") == ["WA"]
    assert cards(match, "deck") == []


@pytest.mark.rule("kilt.pile_empty", "common.secrecy")
def test_what_a_new_pile_is_made_of_stays_known() -> None:
    """A blinded match shuffles the new pile, but never trades its cards for those in hands."""
    hands = ("WA WA", "MB MB MB")
    match = setup(FULL, influence=hands, discard="BR BU BU DO", rest="removed")
    match.play("betray WA 1.0")
    pile = sorted(cards(match, "deck"))
    orders = set()
    for seed in range(40):
        blind = match.blind(0, seed)
        assert sorted(cards(blind, "deck")) == pile
        assert cards(blind, "deck")[0] == cards(match, "deck")[0]
        orders.add(tuple(cards(blind, "deck")))
    assert len(orders) > 3


# -- treason --------------------------------------------------------------------------------------


@pytest.mark.rule("kilt.betray")
def test_treason_strikes_in_six_directions() -> None:
    rows = [BASE, "WA BR BU MB WA", "BR MK BU MB", "BU MB WA", "- -"]
    match = setup(rows, influence=("MK",), families=("BR BU MB", "ML DO WA"))
    around = {"3.0", "3.2", "4.0", "4.1", "2.1", "2.2"}
    # the chief in 1.3 betrays as well
    assert betrayals(match, "MK") == around | {"1.2", "1.4", "2.2", "2.3"}


@pytest.mark.rule("kilt.betray")
def test_at_the_edge_there_are_fewer_neighbours() -> None:
    match = setup([BASE, "WA BR - - -"], influence=("BR DO",))
    assert betrayals(match, "DO") == {"1.4"}
    # BR! in 1.0: right 1.1, up 2.0; BR in 2.1: left 2.0, below 1.1 and 1.2
    assert betrayals(match, "BR") == {"1.1", "1.2", "2.0"}


@pytest.mark.rule("kilt.betray")
def test_a_clan_may_betray_its_own() -> None:
    match = setup(["BR! BR! MB! MK! ML! DO!"], influence=("BR",), deck="WA!")
    assert betrayals(match, "BR") == {"1.0", "1.1", "1.2"}
    events = match.play("betray BR 1.0")
    assert cards(match, "removed") == ["BR!"]
    assert cards(match, "discard") == ["BR"]
    assert cards(match, "influence.0") == []
    assert pyramid(match) == ["WA! BR! MB! MK! ML! DO!"]
    treason = events[0].seen_by(None)
    assert (treason["type"], treason["rule"], treason["seat"]) == ("betray", "kilt.betray", 0)
    assert (treason["card"], treason["other"], treason["from"]) == ("BR", "BR!", "pyramid.1.0")
    moves = [event.seen_by(None) for event in events if event.type == "move"]
    assert [(m["card"], m["from"], m["to"]) for m in moves] == [
        ("BR", "influence.0", "discard"),
        ("BR!", "pyramid.1.0", "removed"),
        ("WA!", "deck", "pyramid.1.0"),
    ]


@pytest.mark.rule("kilt.betray")
def test_a_lone_card_cannot_betray_itself() -> None:
    match = setup([BASE], influence=("BR",))
    assert "1.0" not in betrayals(match, "BR")
    assert refused(match, "betray BR 1.0") == "kilt.betray"


@pytest.mark.rule("kilt.betray", "common.illegal")
def test_treason_needs_the_card_the_victim_and_a_traitor_next_to_it() -> None:
    match = setup([BASE], influence=("BR WA",))
    assert refused(match, "betray BR 1.2") == "kilt.betray", "too far"
    assert refused(match, "betray WA 1.2") == "kilt.betray", "no Wallace in the pyramid"
    assert refused(match, "betray BU 1.0") == "common.illegal", "no such influence card"
    assert refused(match, "betray BR 2.0") == "common.illegal", "nobody there"
    assert refused(match, "betray HA 1.0") == "common.illegal", "a clan of the other edition"
    assert betrayals(match, "WA") == set()


@pytest.mark.rule("kilt.betray", "kilt.kings_reach")
@pytest.mark.parametrize(("rows", "cell"), [([BASE], "1.2"), (FULL, "5.0")])
def test_a_refused_treason_is_explained_with_and_without_a_king(rows: list[str], cell: str) -> None:
    match = setup(rows, influence=("ML",))
    with pytest.raises(IllegalMove) as info:
        match.play(f"betray ML {cell}")
    assert str(info.value).endswith("and no Macleod card is King.")
    assert info.value.message("fr").endswith("et aucun Macleod n'est Roi.")


@pytest.mark.rule("kilt.betray", "kilt.vacuum")
def test_the_victims_cell_is_filled_like_any_vacuum() -> None:
    match = setup([BASE, "WA BR BU - -", "ML DO - -"], influence=("ML",), deck="WA!")
    match.play("betray ML 2.0")
    assert (match.to_act, match.decision, match.legal()) == (0, "fill", ["fill <", "fill >"])
    fill(match, ">")
    assert pyramid(match) == ["BR! WA! MB! MK! ML! DO!", "BU! BR BU - -", "ML DO - -"]


@pytest.mark.rule("kilt.betray")
def test_a_fill_gives_no_reward() -> None:
    """A card that rises into a vacuum of row 4 does not climb: nobody reveals."""
    rows = [BASE, "WA BR BU - -", "ML DO - -", "WA - -"]
    match = setup(rows, influence=("ML",), families=("BR BU MB", "MK ML DO"))
    match.play("betray ML 4.0")
    fill(match, "<<<")
    assert (match.to_act, match.decision) == (1, "turn")
    assert match.view(0)["places"]["family.1"] == [{"card": None}] * 3


@pytest.mark.rule("common.twins", "kilt.betray")
def test_of_twins_the_one_others_know_is_spent_first() -> None:
    match = setup([BASE], influence=("BR",), known={"influence.0": [0, 1]})
    position = match.position()
    position["places"]["influence.0"] = ["BR", {"card": "BR", "known": [0, 1]}]
    position["places"]["deck"].remove("BR")
    match = match.game.setup(position)
    match.play("betray BR 1.1")
    assert match.view(1)["places"]["influence.0"] == [{"card": None}]


@pytest.mark.rule("kilt.kings_reach")
def test_the_kings_clan_reaches_everyone_the_king_included() -> None:
    match = setup(FULL, influence=("WA ML",))
    assert betrayals(match, "WA") == set(CELLS)
    around_macleods = (
        {"6.0", "5.1", "4.0", "4.1"} | {"3.1", "2.0", "2.1"} | {"1.3", "1.5", "2.3", "2.4"}
    )
    assert betrayals(match, "ML") == around_macleods
    assert refused(match, "betray ML 5.0") == "kilt.betray"


@pytest.mark.rule("kilt.kings_reach", "kilt.king")
def test_the_king_betrayed_by_his_own_clan() -> None:
    match = setup(FULL, influence=("WA",))
    events = match.play("betray WA 6.0")
    assert {event.rule for event in events} == {"kilt.kings_reach"}
    assert cards(match, "removed") == ["WA"]
    events = match.play("fill >")
    assert [event.type for event in events] == ["move", "king"]
    fill(match, "<<<<")
    assert cards(match, "pyramid.6.0") == ["DO"]
    assert match.to_act == 1


@pytest.mark.rule("kilt.kings_reach")
def test_before_the_crowning_nobody_reaches_far() -> None:
    rows = [BASE, "WA BR BU MB MK", "ML DO WA BR", "BU MB MK", "DO -"]
    match = setup(rows, influence=("DO",))
    assert betrayals(match, "DO") != set(CELLS)
    assert "1.0" not in betrayals(match, "DO")


# -- rewards --------------------------------------------------------------------------------------

NOBLES = [BASE, "WA BR BU - -", "ML DO - -"]
GUARDIANS = [BASE, "WA BR BU MB -", "ML DO WA -", "BU MB -"]


@pytest.mark.rule("kilt.nobles", "kilt.reveal")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_noble_makes_every_opponent_reveal_one(seats: int) -> None:
    match = setup(NOBLES, seats=seats, to_act=1)
    match.play("climb 3.0>")
    for seat in [(1 + i) % seats for i in range(1, seats)]:
        assert (match.to_act, match.decision) == (seat, "reveal"), "clockwise, before the fill"
        family = cards(match, f"family.{seat}")
        assert match.legal() == [f"reveal {code}" for code in family]
        chosen = family[1]
        events = match.play(f"reveal {chosen}")
        assert events[0].seen_by(None) == {
            "n": events[0].number, "type": "reveal", "rule": "kilt.reveal",
            "seat": seat, "card": chosen,
        }  # fmt: skip
        seen = match.view(None)["places"][f"family.{seat}"]
        assert seen == [chosen, {"card": None}, {"card": None}]
    assert (match.to_act, match.decision) == (1, "fill")


@pytest.mark.rule("kilt.nobles")
def test_the_second_noble_is_not_rewarded() -> None:
    match = setup([BASE, "WA BR BU MB -", "ML DO WA -", "BU - -"])
    match.play("climb 3.1>")
    assert (match.to_act, match.decision) == (0, "fill")


@pytest.mark.rule("kilt.guardians")
@pytest.mark.parametrize("seats", [3, 4])
def test_the_first_guardian_makes_every_opponent_reveal_another(seats: int) -> None:
    match = setup(GUARDIANS, seats=seats)
    position = match.position()
    first, *others = position["places"]["family.1"]
    position["places"]["family.1"] = [{"card": first, "known": list(range(seats))}, *others]
    match = match.game.setup(position)
    match.play("climb 4.0>")
    assert match.legal() == [f"reveal {code}" for code in others], "one that is still hidden"
    assert refused(match, f"reveal {first}") == "kilt.reveal"
    for seat in range(1, seats):
        assert (match.to_act, match.decision) == (seat, "reveal")
        match.play(match.legal()[0])
    assert (match.to_act, match.decision) == (0, "fill")
    hidden = [match.view(None)["places"][f"family.{n}"].count({"card": None}) for n in range(seats)]
    assert hidden == [3, 1, *[2] * (seats - 2)]


@pytest.mark.rule("kilt.guardians")
@pytest.mark.parametrize("revealed", [0, 1])
def test_with_two_seats_the_first_guardian_leaves_one_card_hidden(revealed: int) -> None:
    match = setup(GUARDIANS)
    position = match.position()
    for index in range(revealed):
        code = position["places"]["family.1"][index]
        position["places"]["family.1"][index] = {"card": code, "known": [0, 1]}
    match = match.game.setup(position)
    match.play("climb 4.1<")
    for _ in range(2 - revealed):
        assert (match.to_act, match.decision) == (1, "reveal")
        match.play(match.legal()[-1])
    assert (match.to_act, match.decision) == (0, "fill")
    assert match.view(0)["places"]["family.1"].count({"card": None}) == 1


@pytest.mark.rule("kilt.guardians")
def test_the_second_guardian_is_not_rewarded() -> None:
    match = setup([BASE, "WA BR BU MB MK", "ML DO WA BR", "BU MB MK", "ML -"])
    match.play("climb 4.2<")
    assert (match.to_act, match.decision) == (0, "fill")


@pytest.mark.rule("kilt.reveal", "common.illegal")
def test_only_the_owners_own_hidden_cards_can_be_revealed() -> None:
    match = setup(NOBLES)
    match.play("climb 3.0>")
    assert refused(match, "reveal BR") == "common.illegal", "not of seat 1's family"
    assert refused(match, "fill <") == "common.illegal"


# -- the King, passing and the end ----------------------------------------------------------------


@pytest.mark.rule("kilt.king", "kilt.turn")
def test_the_crowning_fills_the_pyramid_and_nobody_climbs_again() -> None:
    rows = [BASE, "WA BR BU MB MK", "ML DO WA BR", "BU MB MK", "ML DO"]
    match = setup(rows, influence=("WA", "WA"))
    assert match.position()["facts"]["crowned"] is False
    events = match.play("climb 5.1<")
    assert [event.type for event in events] == ["move", "king"]
    assert match.position()["facts"]["crowned"] is True
    fill(match, "<><>")
    assert all("-" not in row for row in pyramid(match))
    assert len(pyramid(match)) == 6
    assert {token.split()[0] for token in match.legal()} == {"betray", "pass"}
    assert refused(match, "climb 5.0>") == "kilt.climb"


@pytest.mark.rule("kilt.turn")
def test_nobody_passes_before_the_crowning() -> None:
    match = setup([BASE], influence=("WA",))
    assert refused(match, "pass") == "kilt.turn"


@pytest.mark.rule("kilt.pass")
def test_a_seat_that_cannot_betray_must_pass() -> None:
    rows = [*FULL[:4], "ML DO", "ML"]
    match = setup(rows, influence=("", "ML"))
    assert match.legal() == ["pass"]
    match.play("pass")
    assert set(betrayals(match, "ML")) == set(CELLS)


@pytest.mark.rule("kilt.pass", "kilt.betray")
def test_influence_without_a_clansman_is_of_no_use() -> None:
    rows = ["BR! BU! MB! MK! ML! BR!", "BR BR BU MB MK", "ML BU BR BR", "BU MB MK", "ML BU", "BR"]
    match = setup(rows, influence=("DO WA",), families=("BR BU MB", "MK ML DO"))
    assert match.legal() == ["pass"]
    assert refused(match, "betray DO 1.0") == "kilt.betray"


@pytest.mark.rule("kilt.pass", "kilt.turn", "kilt.end")
def test_who_has_passed_stays_out() -> None:
    match = setup(FULL, seats=3, influence=("ML ML", "WA", "WA WA"))
    match.play("pass")
    assert match.to_act == 1
    match.play("betray WA 1.0")
    match.play("betray WA 1.0")
    assert match.to_act == 1, "seat 0 is passed over"
    match.play("pass")
    assert match.to_act == 2
    match.play("betray WA 1.0")
    assert match.to_act == 2, "the last one plays on alone"
    assert match.result is None
    events = match.play("pass")
    assert match.to_act is None
    assert match.decision == ""
    assert len(cards(match, "influence.0")) == 2
    told = [event for event in events if event.type == "reveal"]
    assert len(told) == 9
    assert {event.rule for event in told} == {"kilt.end"}
    families = match.view(None)["places"]
    assert families["family.2"] == ["BR", "ML", "WA"]
    assert families["influence.0"] == [{"card": None}] * 2, "influence stays secret"


@pytest.mark.rule("kilt.pass")
def test_the_last_seat_to_act_may_be_any() -> None:
    match = setup(FULL, seats=3, influence=("", "", ""), to_act=2, passed=[0])
    match.play("pass")
    assert match.to_act == 1
    match.play("pass")
    assert match.result is not None


# -- points ---------------------------------------------------------------------------------------

THRONE = [BASE, "WA BR BU MB DO", "ML DO WA BR", "MK MB BR", "MK MK", "ML"]


def ended(families: tuple[str, ...], influence: tuple[str, ...], seats: int = 2) -> Match:
    return setup(
        THRONE, seats=seats, families=families, influence=influence, to_act=None, decision=""
    )


@pytest.mark.rule("kilt.example", "kilt.score")
def test_the_rulebooks_example() -> None:
    result = ended(("BU MK MB", "ML MB BR"), ("", "")).result
    assert result is not None
    assert result.scores == [6, 5]
    assert result.ranking == [[0], [1]]


@pytest.mark.rule("kilt.score")
def test_commoners_score_nothing_and_chiefs_score_like_members() -> None:
    base = "WA! WA! BU! DO! DO! MB!"
    rows = [base, "WA BR BU MB DO", "ML DO WA BR", "MK! MB BR!", "MK MK!", "ML!"]
    families = ("WA DO BU", "ML MK BR")
    match = setup(rows, families=families, to_act=None, decision="")
    assert match.result is not None
    assert match.result.scores == [0, 3 + 2 + 2 + 1 + 1]


@pytest.mark.rule("kilt.score")
def test_ten_points_are_a_perfect_score() -> None:
    match = ended(("ML MK BR", "WA DO BU"), ("", ""))
    assert match.result is not None
    assert match.result.scores == [3 + 5 + 1, 0]
    rows = [*THRONE[:3], "MK MB BR", "MK BR", "ML"]
    best = setup(rows, families=("ML MK BR", "WA DO BU"), to_act=None, decision="").result
    assert best is not None
    assert best.scores[0] == 3 + (2 + 1) + (2 + 1)
    rows = [*THRONE[:3], "MK ML BR", "MK BR", "ML"]
    best = setup(rows, families=("ML MK BR", "WA DO BU"), to_act=None, decision="").result
    assert best is not None
    assert best.scores[0] == 10


@pytest.mark.rule("kilt.winner")
def test_ties_go_to_who_has_more_influence_left() -> None:
    match = ended(("ML DO WA", "ML BU WA"), ("BR", "BR BU"))
    assert match.result is not None
    assert match.result.scores == [3, 3]
    assert match.result.ranking == [[1], [0]]


@pytest.mark.rule("kilt.winner")
def test_a_point_more_wins_against_any_influence() -> None:
    match = ended(("MB DO WA", "BR MB WA"), ("BR BU MB MK DO", ""))
    assert match.result is not None
    assert match.result.scores == [1, 2]
    assert match.result.ranking == [[1], [0]]


@pytest.mark.rule("kilt.winner")
def test_the_throne_can_be_shared_and_other_places_too() -> None:
    families = ("ML DO WA", "BU DO WA", "ML BU WA", "BU DO WA")
    match = ended(families, ("BR", "BU", "BU", "MB"), seats=4)
    assert match.result is not None
    assert match.result.scores == [3, 0, 3, 0]
    assert match.result.ranking == [[0, 2], [1, 3]]


@pytest.mark.rule("kilt.winner", "kilt.end")
def test_the_last_pass_tells_who_takes_the_throne() -> None:
    families = ("ML DO WA", "BU DO WA", "ML BU WA")
    told = {}
    for name, influence in {"alone": ("BR", "", ""), "shared": ("", "", "")}.items():
        match = setup(THRONE, seats=3, families=families, influence=influence, passed=[1, 2])
        events = match.play("pass")
        points = [event.public for event in events if event.type == "points"]
        assert [point["points"] for point in points] == [3, 0, 3]
        told[name] = [
            (event.type, event.public["seat"])
            for event in events
            if event.type in ("over", "shared")
        ]
    assert told == {"alone": [("over", 0)], "shared": [("shared", 0), ("shared", 2)]}


@pytest.mark.rule("common.options")
def test_editions_are_named_when_an_unknown_one_is_asked_for() -> None:
    with pytest.raises(tanistry.OptionError, match="7clans, 8clans"):
        tanistry.game("kilt", edition="9clans")
    with pytest.raises(tanistry.OptionError, match="2–4"):
        tanistry.game("kilt", seats=5)
