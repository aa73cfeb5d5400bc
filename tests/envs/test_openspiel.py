"""The games in OpenSpiel: its own tests, and that what it gets is the game that we play."""

from __future__ import annotations

import json
import pickle
import random
import re
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from absl.testing import absltest  # noqa: E402
from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    evaluate_bots,
    external_sampling_mccfr,
    generate_playthrough,
    ismcts,
    mcts,
)
from open_spiel.python.bots import uniform_random  # noqa: E402

import tanistry  # noqa: E402
import tanistry.envs.openspiel  # noqa: E402
from tanistry.envs import Recall, observe  # noqa: E402
from tanistry.envs.openspiel.chance import Shuffle, with_shuffle  # noqa: E402
from tanistry.kernel import interpreted  # noqa: E402
from tanistry.table.stream import shuffle_slots  # noqa: E402

GAMES = (
    "tanistry_claim",
    "tanistry_claim_small",
    "tanistry_schotten",
    "tanistry_kilt(players=3)",
    "tanistry_kilt(players=2,edition=8clans)",
    "tanistry_lords(players=3,edition=2010,bruce=true,target=20)",
)
TIMES = 1000
FEW_TWINS = "tanistry_claim_small(deck=G0+G0+G0+K3+K5+U4+D2+X1)"


def chance(state: Any, rng: np.random.RandomState) -> None:
    while state.is_chance_node():
        outcomes, shares = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choice(outcomes, p=shares))


def matches(name: str, seed: int) -> Any:
    """The states at which somebody chooses in a random match, and the end."""
    rng = np.random.RandomState(seed)
    state = pyspiel.load_game(name).new_initial_state()
    chance(state, rng)
    while not state.is_terminal():
        yield state
        state = state.child(rng.choice(state.legal_actions()))
        chance(state, rng)
    yield state


def test_every_game_is_registered() -> None:
    registered = set(pyspiel.registered_names())
    assert {f"tanistry_{name}" for name in tanistry.games()} | {
        "tanistry_claim_small"
    } <= registered


# -- OpenSpiel's own tests ------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_random_simulations(name: str) -> None:
    """Copies, histories, masks, observations and serialised states, at every choice."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("sampled", ["by OpenSpiel", "of a match"])
def test_api(name: str, sampled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel's tests of the API. The states it samples itself are all from the first cards of a
    deal, so they are run on the states of a match as well."""
    if sampled == "of a match":
        of_match = SimpleNamespace(
            sample_some_states=lambda _game, **_: list(matches(name, 1))[:60]
        )
        monkeypatch.setattr(api_test, "sample_some_states", of_match)
    random.seed(1)  # from which it takes its samples
    case = type("Api", (api_test.EnforceAPIOnPartialTreeBase,), {})
    case.game, case.game_name = pyspiel.load_game(name), name
    result = absltest.unittest.TestResult()
    absltest.unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.failures, result.failures
    assert not result.errors, result.errors


def test_perfect_recall_on_the_whole_tree() -> None:
    """OpenSpiel walks through all histories of a small game and compares what led to a choice."""
    game = pyspiel.load_game("tanistry_claim_small(deck=G0+G0+G0+G0+G0+K3+U4+X1)")
    found = api_test._assert_is_perfect_recall(game)
    assert len(found) > 500


@pytest.mark.parametrize("name", ["tanistry_claim", "tanistry_lords(players=3,target=10)"])
def test_playthrough(name: str) -> None:
    text = generate_playthrough.playthrough(name, action_sequence=None, seed=3)
    assert "IsTerminal() = True" in text
    assert "ObservationTensor(0)" in text


# -- it is the game we play -----------------------------------------------------------------------


class Recording(Shuffle):
    """Our own shuffle, which writes down the orders it makes."""

    def __call__(self, s: Any, place: int, n: int, start: int = 0) -> None:
        interpreted(shuffle_slots)(s, place, n, start)
        if n > 1:
            self.orders.append(tuple(s.slots[place, start : start + n].tolist()[::-1]))


@pytest.mark.parametrize(
    ("name", "game", "least"),
    [
        ("tanistry_claim(first=1)", tanistry.game("claim", first=1), 1),
        ("tanistry_schotten", tanistry.game("schotten"), 2),
        ("tanistry_kilt(players=4)", tanistry.game("kilt", seats=4), 4),
        ("tanistry_lords(players=5,target=99)", tanistry.game("lords", seats=5, target=99), 2),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_same_shuffles_same_match(name: str, game: Any, least: int) -> None:
    """A match of ours, its shuffles handed to OpenSpiel as outcomes of chance: all is the same.

    What it shows and what a seat can tell apart, too; new decks made on the way included.
    """
    recording = Recording()
    record = game.new_record(bytes([7]) * 32)
    with_shuffle(game.kernels.deal, recording, {})(record)
    play = with_shuffle(game.kernels.play, recording, {})
    match = game.deal(bytes([7]) * 32)
    state = pyspiel.load_game(name).new_initial_state()
    rng = np.random.RandomState(5)
    shuffles = 0
    while True:
        shuffles += len(recording.orders)
        hand_over(state, recording.orders)
        recording.orders = []
        assert not state.is_chance_node()
        assert state.match().position() == match.position()
        if match.to_act is None:
            break
        for seat in range(game.seats):
            shown = tanistry.envs.observation(game).as_floats(observe(match, seat))
            assert np.array_equal(np.array(state.observation_tensor(seat), np.float32), shown)
        assert state.legal_actions() == match.legal_actions()
        assert [state.action_to_string(a) for a in state.legal_actions()] == match.legal()
        action = int(rng.choice(state.legal_actions()))
        play(record, action)
        match.play(game.tokens[action])
        state.apply_action(action)
    assert shuffles >= least
    assert state.returns() == tanistry.envs.rewards(match)


def hand_over(state: Any, orders: list[tuple[int, ...]]) -> None:
    for order in orders:
        for drawn, card in enumerate(order):
            owed = state.sitting.owed
            if owed is None or len(owed.drawn) != drawn:
                break  # the rest was settled
            state.apply_action(state.sitting.rules.outcome_of[card])


def test_chance_is_exact() -> None:
    """Four of eight cards are Goblin zeros: the chances of a first hand are counted."""
    hands: Counter[str] = Counter()

    def deal(state: Any, share: float) -> None:
        if state.is_chance_node():
            for outcome, part in state.chance_outcomes():
                deal(state.child(outcome), share * part)
        else:
            hands[" ".join(state.match().view(0)["places"]["hand.0"])] += share

    deal(pyspiel.load_game("tanistry_claim_small").new_initial_state(), 1)
    assert hands["G0 G0"] == pytest.approx(6 / 28)
    assert hands["G0 K3"] == pytest.approx(4 / 28)
    assert hands["K3 U4"] == pytest.approx(1 / 28)
    assert sum(hands.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", GAMES)
def test_information_states_tell_apart_what_recall_does(name: str) -> None:
    """Our `Recall` and OpenSpiel's strings draw the same line, for every seat and choice."""
    state = next(matches(name, 1))
    recall = Recall(state.match())
    seats = range(state.num_players())
    for _ in range(6):
        if state.is_terminal():
            break
        ours, theirs = [], []
        for action in state.legal_actions()[:12]:
            child = state.child(action)
            if child.is_chance_node():
                continue
            twin = recall.copy()
            twin.play(state.action_to_string(action))
            ours.append([twin.text(seat) for seat in seats])
            theirs.append([child.information_state_string(seat) for seat in seats])
        for seat in seats:
            lines = [row[seat] for row in ours], [row[seat] for row in theirs]
            same = [[a == b for a in line for b in line] for line in lines]
            assert same[0] == same[1]
        acted = state.current_player()
        assert len({row[acted] for row in theirs}) == len(theirs)  # it remembers its own choice
        action = state.legal_actions()[-1]
        recall.play(state.action_to_string(action))
        state.apply_action(action)
        if state.is_chance_node():
            break


# -- what a player may assume ---------------------------------------------------------------------


@pytest.mark.parametrize("player", [-1, 2, 5])
def test_only_players_know_something(player: int) -> None:
    sampler = pyspiel.UniformProbabilitySampler(11, 0.0, 1.0)
    state = next(iter(matches("tanistry_claim", 2)))
    with pytest.raises(pyspiel.SpielError, match=f"no player {player}: they go from 0 to 1"):
        state.resample_from_infostate(player, sampler)


@pytest.mark.parametrize("name", GAMES)
def test_resampling_keeps_what_the_player_knows(name: str) -> None:
    sampler = pyspiel.UniformProbabilitySampler(11, 0.0, 1.0)
    differ = 0
    for number, state in enumerate(matches(name, 2)):
        if number % 7:
            continue
        for player in range(state.num_players()):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.current_player() == state.current_player()
            assert other.history() == []  # which would tell what was dealt
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            if not state.is_terminal():
                seen = [state.match(), other.match()]
                differ += seen[0].position() != seen[1].position()
                for seat in range(state.num_players()):
                    alike = seen[0].view(seat) == seen[1].view(seat)
                    told = [s.information_state_string(seat) for s in (state, other)]
                    assert alike or told[0] != told[1]
                other.apply_action(other.legal_actions()[0])
    assert differ


def test_resampled_states_are_states_of_the_tree() -> None:
    """All information states of a small game are known; those of resampled states are of them."""
    game = pyspiel.load_game("tanistry_claim_small(tricks=1,deck=G0+K3+U4+X1)")
    told, states, waiting = set(), [], [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_chance_node():
            told.add(tuple(map(state.information_state_string, range(2))))
            states.append(state)
        waiting += [state.child(action) for action in state.legal_actions()]
    sampler = pyspiel.UniformProbabilitySampler(3, 0.0, 1.0)
    for state in states[::3]:
        for player in range(2):
            other = state.resample_from_infostate(player, sampler)
            assert tuple(map(other.information_state_string, range(2))) in told


def test_observers_there_are_not() -> None:
    game = pyspiel.load_game("tanistry_claim")
    kinds = pyspiel.PrivateInfoType
    for recall, private in ((True, kinds.NONE), (False, kinds.ALL_PLAYERS)):
        kind = pyspiel.IIGObservationType(
            public_info=True, perfect_recall=recall, private_info=private
        )
        with pytest.raises(pyspiel.SpielError, match="no observer of this kind"):
            game.make_py_observer(kind)


def test_games_are_pickled() -> None:
    game = pyspiel.load_game("tanistry_lords", {"players": 3})
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_others_remember_the_cards_they_were_dealt_anew() -> None:
    """In a resampled match of Claim the other player's past fits the hand it has now."""
    sampler = pyspiel.UniformProbabilitySampler(4, 0.0, 1.0)
    for state in list(matches("tanistry_claim", 3))[:24]:
        for player in (0, 1):
            other = state.resample_from_infostate(player, sampler)
            text = other.information_state_string(1 - player)
            dealt = Counter(w[7:] for w in text.splitlines()[0].split() if w.startswith("hand."))
            for card, place in re.findall(r"\[move (\S+) (\S+)", text):
                if place == f"hand.{1 - player}":
                    dealt[card] -= 1
            held = other.match().view(1 - player)["places"].get(f"hand.{1 - player}", [])
            assert +dealt == Counter(held)


def test_resampling_is_even() -> None:
    """After the first lead: how often each answer hand comes up, against a count of all deals."""
    state = next(matches(FEW_TWINS, 8))
    sampler = pyspiel.UniformProbabilitySampler(5, 0.0, 1.0)
    found = Counter(
        " ".join(state.resample_from_infostate(0, sampler).match().view(1)["places"]["hand.1"])
        for _ in range(TIMES)
    )
    seen = state.match().view(0)["places"]
    left = Counter(FEW_TWINS[26:-1].split("+")) - Counter(seen["hand.0"] + seen["prize"])
    cards = list(left.elements())
    pairs = [(a, b) for i, a in enumerate(cards) for b in cards[i + 1 :]]
    expected = Counter(" ".join(sorted(pair, key="GKUDX".find)) for pair in pairs)
    order = {tuple(sorted(hand.split())): n for hand, n in expected.items()}
    for hand, times in found.items():
        share = order[tuple(sorted(hand.split()))] / len(pairs)
        assert times / TIMES == pytest.approx(share, abs=4 * (share * (1 - share) / TIMES) ** 0.5)
    assert len(found) == len(order)


# -- misuse and keeping ---------------------------------------------------------------------------


def test_illegal_actions_name_the_rule() -> None:
    def refused(state: Any, action: int, said: str) -> None:
        before = str(state)
        with pytest.raises(pyspiel.SpielError, match=said):
            state.apply_action(action)
        assert str(state) == before

    for state in list(matches("tanistry_claim", 1))[:-1]:
        tokens = state.sitting.rules.game.tokens
        seat = state.current_player()
        hand = state.match().view(seat)["places"][f"hand.{seat}"]
        held = {action for action, token in enumerate(tokens) if token in hand}
        if wrong := held.difference(state.legal_actions()):
            break
    refused(state, min(wrong), r"claim\.follow")
    refused(state, min(set(range(len(tokens))) - held), r"common\.illegal")
    refused(state, 4711, "no action 4711")
    refused(pyspiel.load_game("tanistry_claim").new_initial_state(), 1, "no outcome 1")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tanistry_lords(players=6)", "2–5"),
        ("tanistry_lords(edition=1999)", "2015, 2010"),
        ("tanistry_schotten(claim=never)", "after, before"),
        ("tanistry_claim_small(tricks=2,deck=G0+K3)", "8"),
        ("tanistry_claim_small(deck=G0+K3+K3+K3+K3+K3+K3+K3)", "K3"),
    ],
)
def test_wrong_parameters_are_explained(name: str, said: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=said):
        pyspiel.load_game(name)


def test_states_of_positions_and_matches() -> None:
    game = tanistry.game("lords", seats=3, bruce=True)
    match = game.deal(seed=1)
    match.play(match.legal()[0])
    theirs = tanistry.envs.openspiel.load(game)
    assert theirs.get_parameters()["bruce"]
    state = theirs.state_of(match)
    again = theirs.new_initial_state(json.dumps(match.position()))
    for found in (state, again):
        assert found.match().position() == match.position()
        assert found.current_player() == match.to_act
        found.apply_action(found.legal_actions()[0])
    with pytest.raises(pyspiel.SpielError, match="places"):
        theirs.new_initial_state("{}")
    with pytest.raises(pyspiel.SpielError, match="the position is not JSON"):
        theirs.new_initial_state("{")
    with pytest.raises(tanistry.OptionError, match=r"tanistry\.game"):
        tanistry.envs.openspiel.load("claim")
    for other in (tanistry.game("lords", seats=3), tanistry.game("claim")):
        with pytest.raises(pyspiel.SpielError, match="not of"):
            theirs.state_of(other.deal(seed=1))


def test_pickled_in_the_middle_of_a_deal() -> None:
    state = pyspiel.load_game("tanistry_kilt").new_initial_state()
    for _ in range(70):  # in the second of three shuffles
        state.apply_action(state.legal_actions()[-1])
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.chance_outcomes() == state.chance_outcomes()


# -- OpenSpiel's algorithms -----------------------------------------------------------------------


def test_information_set_search_plays() -> None:
    game = pyspiel.load_game("tanistry_schotten")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    search = ismcts.ISMCTSBot(game, evaluator, 1.4, 4, random_state=rng)
    state = list(matches("tanistry_schotten", 6))[-30]
    while not state.is_terminal():
        chance(state, rng)
        search_turn = state.current_player() == 0
        legal = state.legal_actions()
        state.apply_action(search.step(state) if search_turn else rng.choice(legal))
    assert sum(state.returns()) == 0


def test_bots_are_evaluated() -> None:
    rng = np.random.RandomState(1)
    bots = [uniform_random.UniformRandomBot(seat, rng) for seat in (0, 1, 2)]
    state = pyspiel.load_game("tanistry_kilt(players=3)").new_initial_state()
    assert sum(evaluate_bots.evaluate_bots(state, bots, rng)) == pytest.approx(0)


def test_sampled_regrets_on_a_whole_game() -> None:
    """A few choices before the end of a real match, since external sampling branches at each."""
    np.random.seed(2)
    solver = external_sampling_mccfr.ExternalSamplingSolver(pyspiel.load_game("tanistry_claim"))
    near_the_end = list(matches("tanistry_claim", 4))[-9]
    solver._update_regrets(near_the_end, 0)
    assert solver._infostates
