"""Batched stepping: every row is a match by the rules, whatever happens in the others."""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.envs import observe, rewards
from tanistry.match import Match
from tanistry.match.seeds import seed_bytes
from tests.patience import PATIENCE

SETS: list[tuple[str, dict[str, Any]]] = [
    ("claim", {}),
    ("kilt", {"seats": 3, "edition": "8clans"}),
    ("lords", {"seats": 3, "edition": "2010", "target": 20}),
    ("schotten", {"claim": "before"}),
]


def dealt(game: tanistry.Game, seed: int, number: int) -> Match:
    """Match number so-and-so under a seed."""
    key = seed_bytes(seed)
    s = game.new_record(key)
    game.kernels.start_stream(s, number)
    game.kernels.deal(s)
    return Match(game, s, key)


@pytest.mark.parametrize(("name", "options"), SETS)
def test_rows_are_matches(name: str, options: dict[str, Any]) -> None:
    """Play three rows for two matches and more; beside them the same matches by tokens."""
    game = tanistry.game(name, **options)
    batch = tanistry.batch(game, 3, seed=7, keep_last=True)
    twins = [dealt(game, 7, row) for row in range(3)]
    assert twins[0].position() == game.deal(7).position()
    ended = [0, 0, 0]
    while min(ended) < 2:
        for row, match in enumerate(twins):
            assert batch.to_act[row] == match.to_act
            assert np.flatnonzero(batch.mask[row]).tolist() == match.legal_actions()
            assert np.array_equal(batch.observations[row], observe(match, match.to_act or 0))
            assert batch.match(row).position() == match.position()
        actions = batch.random_actions()
        batch.step(actions)
        assert not batch.refused.any()
        for row, match in enumerate(twins):
            actor = match.to_act
            match.play(game.tokens[actions[row]])
            assert batch.actors[row] == actor
            assert batch.done[row] == (match.to_act is None)
            assert batch.lengths[row] == len(match.history)
            assert np.allclose(batch.rewards[row], rewards(match))
            if match.result is not None:
                assert batch.scores[row].tolist() == match.result.scores
                assert np.array_equal(batch.last[row], observe(match, actor or 0))
                ended[row] += 1
                assert batch.numbers[row] == row + 3 * ended[row]
                twins[row] = dealt(game, 7, row + 3 * ended[row])


def state(batch: Any) -> list[Any]:
    names = ("observations", "mask", "to_act", "rewards", "scores", "done", "numbers", "lengths")
    return [getattr(batch, name).tolist() for name in names]


def test_threads_change_nothing() -> None:
    game = tanistry.game("claim")
    batches = [tanistry.batch(game, 50, seed=3, threads=threads) for threads in (1, 2, 7)]
    for _ in range(60):
        for batch in batches:
            batch.step(batch.random_actions())
        assert state(batches[0]) == state(batches[1]) == state(batches[2])
    assert batches[0].done.sum() + (batches[0].numbers >= 50).sum() > 0


def test_without_observations_it_is_the_same_play() -> None:
    game = tanistry.game("claim")
    seeing, blind = (tanistry.batch(game, 9, seed=3, observing=seen) for seen in (True, False))
    assert blind.observations.shape == (0, seeing.layout.size)
    for _ in range(60):
        seeing.step(seeing.random_actions())
        blind.step(blind.random_actions())
        assert state(seeing)[1:] == state(blind)[1:]


def test_a_reset_begins_again() -> None:
    batch = tanistry.batch(tanistry.game("claim"), 5, seed=3)
    first = state(batch)
    for _ in range(70):
        batch.step(batch.random_actions())
    assert state(batch) != first
    batch.reset()
    assert state(batch) == first
    batch.reset(seed=4)
    assert state(batch) != first


def test_refusals_name_the_rule_and_leave_the_others_alone() -> None:
    game = tanistry.game("claim")
    batch = tanistry.batch(game, 4, seed=42)
    batch.step([game.actions["G8"], *np.argmax(batch.mask[1:], axis=1)])
    before = state(batch)
    actions = np.argmax(batch.mask, axis=1)
    actions[0] = game.actions["D9"]  # seat 1 holds a Goblin
    actions[2] = 4711
    actions[3] = -1
    batch.step(actions)
    assert batch.refused.tolist() == [True, False, True, True]
    after = state(batch)
    assert after[0][0] == before[0][0]
    assert after[0][1] != before[0][1]
    refusals = batch.refusals(actions)
    assert list(refusals) == [0, 2, 3]
    assert refusals[0].rule == "claim.follow"
    assert "must follow" in str(refusals[0])
    assert refusals[2].code == refusals[3].code == "move/unreadable"
    batch.step(np.argmax(batch.mask, axis=1))
    assert not batch.refused.any()


def test_more_rows_than_there_is_memory() -> None:
    with pytest.raises(tanistry.OptionError, match="not enough memory"):
        tanistry.batch(tanistry.game("claim"), 1 << 53)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, ">i8"])
def test_actions_may_lie_anyhow_in_memory(kind: Any) -> None:
    game = tanistry.game("claim")
    one, two = (tanistry.batch(game, 6, seed=2) for _ in range(2))
    for number in range(20):
        actions = one.random_actions()
        scattered = np.zeros((6, 3), kind)[:, number % 3]
        scattered[:] = actions
        scattered.flags.writeable = number % 2 == 0
        one.step(actions)
        two.step(scattered)
        assert state(one) == state(two)


def test_no_mask_makes_a_choice_legal() -> None:
    """Whoever plays may write into the arrays; the rules do not ask them."""
    batch = tanistry.batch(tanistry.game("claim"), 2, seed=42)
    actions = np.argmin(batch.mask, axis=1)
    batch.mask[:] = True
    batch.step(actions)
    assert batch.refused.all()


def test_arrays_are_taken_without_copying() -> None:
    batch = tanistry.batch(tanistry.game("claim"), 8, seed=1)
    for name in ("observations", "mask", "to_act", "rewards", "done"):
        array = getattr(batch, name)
        assert np.shares_memory(np.from_dlpack(array), array)
        assert array.ctypes.data % 64 == 0  # anything else JAX copies
    seen = batch.observations
    batch.step(batch.random_actions())
    assert seen is batch.observations or np.shares_memory(seen, batch.observations)


@pytest.mark.parametrize(
    "actions", [[0, 0], np.zeros(3), np.zeros((3, 1), int), ["G1", "G2", "G3"]], ids=str
)
def test_actions_are_one_number_for_each_row(actions: Any) -> None:
    batch = tanistry.batch(tanistry.game("claim"), 3, seed=1)
    with pytest.raises(tanistry.OptionError, match=r"int64 \(3,\)"):
        batch.step(actions)


@pytest.mark.parametrize(
    "wrong", [{"n": 0}, {"n": 1.5}, {"device": "tpu"}, {"threads": 0}, {"game": "claim"}]
)
def test_bad_arguments_name_what_is_allowed(wrong: dict[str, Any]) -> None:
    with pytest.raises(tanistry.OptionError) as caught:
        tanistry.batch(**{"game": tanistry.game("claim"), "n": 2, "seed": 1, **wrong})
    assert caught.value.values["allowed"]


@pytest.mark.parametrize("row", ["x", 1.5, -1, 3, None, True, [0]])
def test_rows_there_are_not(row: Any) -> None:
    batch = tanistry.batch(tanistry.game("claim"), 3, seed=1)
    with pytest.raises(tanistry.OptionError, match=r"row.*0–2"):
        batch.match(row)
    assert batch.match(np.uint8(2)).to_act == 0


def test_threads_after_a_fork() -> None:
    """A process that is forked has none of its parent's threads."""
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    batch = tanistry.batch(tanistry.game("claim"), 4, seed=1, threads=2)
    batch.step(batch.random_actions())
    if (child := os.fork()) == 0:
        status = 1
        try:  # nothing but the step: the rest of the tests is the parent's
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(int(PATIENCE))
            batch.step(batch.random_actions())
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("actions", [None, [1], [[1], [2]], [1.5, 2.0], ["a", "b"], [[1], [2, 3]]])
def test_refusals_want_the_actions_of_the_step(actions: Any) -> None:
    rows = tanistry.batch(tanistry.game("claim"), 2, seed=1)
    rows.step([-1, -1])
    with pytest.raises(tanistry.OptionError, match="actions"):
        rows.refusals(actions)


def test_rows_play_several_sets_of_options_by_turns() -> None:
    """Each row is what it is in a batch of its options alone."""
    games = [tanistry.game("schotten", claim=claim) for claim in ("after", "before")]
    mixed = tanistry.batch(games[0], 6, seed=5, also=games[1:])
    alone = [tanistry.batch(game, 6, seed=5) for game in games]
    assert [mixed.match(row).game.options["claim"] for row in range(3)] == [
        "after", "before", "after",
    ]  # fmt: skip
    for _ in range(100):
        actions = mixed.random_actions()
        mixed.step(actions)
        for number, batch in enumerate(alone):
            given = np.where(np.arange(6) % 2 == number, actions, -1)
            batch.step(given)
            rows = slice(number, None, 2)
            assert np.array_equal(mixed.observations[rows], batch.observations[rows])
            assert np.array_equal(mixed.rewards[rows], batch.rewards[rows])


def test_rows_play_only_what_has_one_shape() -> None:
    game = tanistry.game("kilt")
    for other in (tanistry.game("kilt", seats=3), tanistry.game("kilt", edition="8clans"), "kilt"):
        with pytest.raises(tanistry.OptionError):
            tanistry.batch(game, 2, also=[other])  # type: ignore[list-item]


def test_masks_as_bits_say_the_same() -> None:
    rows = tanistry.batch(tanistry.game("schotten"), 5, seed=4)
    for _ in range(20):
        rows.step(rows.random_actions())
    bits = np.unpackbits(rows.mask_words.view(np.uint8), axis=1, bitorder="little")
    assert np.array_equal(bits[:, : rows.mask.shape[1]], rows.mask)
    assert not bits[:, rows.mask.shape[1] :].any()
    with pytest.raises(ValueError, match="read-only"):
        rows.mask_words[0, 0] = 0
