"""Learning itself, in small: only where PyTorch is installed."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import tanistry

torch = pytest.importorskip("torch")

from tanistry.learning.brain import Brain, Reading  # noqa: E402
from tanistry.learning.curve import Board  # noqa: E402
from tanistry.learning.disguises import Disguises  # noqa: E402
from tanistry.learning.running import start  # noqa: E402
from tanistry.learning.settings import ALIKE  # noqa: E402
from tanistry.learning.training import disagreement  # noqa: E402
from tanistry.simulation.network import (  # noqa: E402
    ONE_X,
    Evaluator,
    input_names,
    network_of,
    read_network_file,
)
from tanistry.simulation.observation import observation  # noqa: E402

SMALL = {
    "rows": 64, "steps": 8, "width": 16, "blocks": 1, "minibatch": 256, "choices": 2048,
    "judge_matches": 16,
}  # fmt: skip


def test_a_run_is_kept_and_goes_on(tmp_path: Path) -> None:
    training = start("claim", tmp_path, given={**SMALL, "choices": 1024})
    training.run(600, lambda _: None)
    assert training.progress.choices == 1024
    again = start("claim", tmp_path, given={"choices": 2048})
    assert again.progress == training.progress
    assert again.settings.width == SMALL["width"]
    again.run(600, lambda _: None)
    assert again.progress.choices == 2048
    with (tmp_path / "curve.csv").open(newline="", encoding="utf-8") as file:
        assert [row["choices"] for row in csv.DictReader(file)] == ["1024", "2048"]
    bot = tanistry.bot("trained", network=str(tmp_path / "network.net"))
    match = tanistry.game("claim").deal(seed=1)
    assert bot.choose(match) in match.legal()
    assert read_network_file(tmp_path / "network.net").game == "claim"


def test_a_run_stays_as_deep_as_it_is(tmp_path: Path) -> None:
    start("claim", tmp_path, given={**SMALL, "choices": 512}).run(600, lambda _: None)
    kept = (tmp_path / "settings.json").read_text(encoding="utf-8")
    with pytest.raises(tanistry.OptionError, match="≤ 1"):
        start("claim", tmp_path, given={"blocks": 2})
    assert (tmp_path / "settings.json").read_text(encoding="utf-8") == kept


def test_tensorboard_shows_the_curve(tmp_path: Path) -> None:
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    found = {"value": 0.25, "greedy": 0.5, "greedy low": 0.4, "greedy high": 0.6}
    for choices in (1024, 2048):  # each from a run that was taken up again
        assert Board(tmp_path / "board").add(choices, found)
    shown = events.EventAccumulator(str(tmp_path / "board")).Reload()
    assert sorted(shown.Tags()["scalars"]) == [
        "lesson/value", "won against greedy/high", "won against greedy/low",
        "won against greedy/share",
    ]  # fmt: skip
    seen = [(event.step, event.value) for event in shown.Scalars("won against greedy/share")]
    assert seen == [(1024, 0.5), (2048, 0.5)]


def test_whole_numbers_agree_with_pytorch() -> None:
    torch.manual_seed(1)
    game = tanistry.game("claim")
    brain = Brain(game.info, 64, 2)
    batch = tanistry.batch(game, 32, seed=1)
    for _ in range(20):
        batch.step(batch.random_actions())
    with torch.no_grad():
        brain.out.mul_(10)
        observed = torch.as_tensor(batch.observations)
        which = torch.zeros(batch.n, dtype=torch.int64)
        logits, values = brain(observed, which, Reading(brain, [game], "cpu"))
    evaluator = Evaluator(brain.quantised(), game)
    for row in range(batch.n):
        evaluator.choose(batch.observations[row], batch._rows.moves[row : row + 1])
        legal = batch.mask[row]
        found = evaluator.logits[legal] / ONE_X
        assert np.allclose(found, logits[row].numpy()[legal], atol=0.06)
        assert abs(evaluator.value() - float(values[row])) < 0.06


def test_a_run_may_begin_with_a_network(tmp_path: Path) -> None:
    training = start("claim", tmp_path, given={"rows": 64, "begin": "shipped"})
    again, shipped = training.brain.quantised(), network_of("claim")
    assert training.began_with["game"] == "claim"
    assert np.abs(again.first.astype(int) - shipped.first).max() <= 1
    assert np.abs(again.out.astype(int) - shipped.out).max() <= 1
    assert np.abs(again.blocks.astype(int) - shipped.blocks).max() <= 1
    kilt = Path(tanistry.__file__).parent / "simulation/networks/kilt.net"
    with pytest.raises(tanistry.OptionError, match="kilt"):
        start("claim", tmp_path, given={"rows": 64, "begin": str(kilt)})
    with pytest.raises(tanistry.OptionError, match="512 × ≥ 4"):
        start("claim", tmp_path, given={**SMALL, "begin": "shipped"})


def test_a_deeper_network_begins_with_what_another_knows(tmp_path: Path) -> None:
    """Blocks that are new pass on what they get, so it judges as the other does."""
    game = tanistry.game("kilt")
    shipped = network_of("kilt")
    training = start("kilt", tmp_path, given={"rows": 64, "blocks": 3, "begin": "shipped"})
    deeper = training.brain.quantised()
    assert (len(shipped.blocks), len(deeper.blocks)) == (2, 3)
    batch = tanistry.batch(game, 16, seed=1, insights=True)
    for _ in range(20):
        batch.step(batch.random_actions())
    one, other = Evaluator(shipped, game), Evaluator(deeper, game)
    for row in range(batch.n):
        moves = batch._rows.moves[row : row + 1]
        for evaluator in (one, other):
            evaluator.choose(batch.observations[row], moves)
        assert np.allclose(one.logits, other.logits, atol=0.02 * ONE_X)


def test_a_run_is_as_deep_as_the_networks_it_is_to_know(tmp_path: Path) -> None:
    depth = len(network_of("claim").blocks)
    for name in ("begin", "against"):
        training = start("claim", tmp_path / name, given={"rows": 64, name: "shipped"})
        assert len(training.brain.blocks) == training.settings.blocks == depth > 2
    file = tmp_path / "response.toml"
    file.write_text('begin = "shipped"\nagainst = "shipped"\n')
    little = {"rows": 64, "steps": 4, "choices": 512, "judge_matches": 16}
    start("claim", tmp_path / "run", file, given=little).run(600, lambda _: None)
    for settings in (file, None):  # the same command, and one without it
        again = start("claim", tmp_path / "run", settings, given=little)
        assert len(again.brain.blocks) == again.settings.blocks == depth
    shallow = {"rows": 64, "blocks": 1, "width": 16}
    assert len(start("claim", tmp_path / "none", given=shallow).brain.blocks) == 1


def test_a_best_response_meets_one_network_alone(tmp_path: Path) -> None:
    alone = {"rows": 64, "begin": "shipped", "against": "shipped", "first_share": 1.0}
    small = {"steps": 4, "choices": 512, "judge_matches": 16, "default_share": 1.0}
    training = start("kilt", tmp_path, given={**alone, **small})
    (rollout,) = training.rollouts
    assert {game.seats for game in rollout.games} == {2}
    assert len({tuple(game.options.items()) for game in rollout.games}) == 2, "by who begins"
    before = {name: part.clone() for name, part in training.league.opponent.state_dict().items()}
    training.run(600, lambda _: None)
    assert not training.league.members
    after = training.league.opponent.state_dict()
    assert all(torch.equal(part, after[name]) for name, part in before.items())
    played = slice(rollout.seats, -1)
    assert torch.equal(rollout.ours[rollout.seats :], rollout.actors[played] == rollout.own_seat)
    assert 0 <= training.measures["against"] <= 1
    start("kilt", tmp_path).lesson()  # taken up again


def test_a_seats_gains_follow_its_own_choices(tmp_path: Path) -> None:
    """With λ = 1 what a seat gains by a choice is the outcome less what was expected."""
    training = start("claim", tmp_path, given={**SMALL, "steps": 60})
    (rollout,) = training.rollouts
    rollout.play(training.brain, training.league, 1.0)
    gains, sure = rollout.advantages(1.0)
    ends = torch.argmax(rollout.done.int(), 0)
    for row in range(8):
        end = int(ends[row])
        assert bool(rollout.done[end, row])
        for step in range(rollout.seats, end + 1):
            seat = int(rollout.actors[step, row])
            outcome = float(rollout.rewards[end, row, seat]) - float(rollout.values[step, row])
            assert bool(sure[step, row])
            assert float(gains[step, row]) == pytest.approx(outcome, abs=1e-4)


def test_every_choice_is_learnt_from_once(tmp_path: Path) -> None:
    """However long a seat that has passed must wait for the end: what only counted short ends would
    think too well of passing."""
    training = start("kilt", tmp_path, given={**SMALL, "steps": 4, "first_share": 0.0})
    rollout = training.rollouts[-1]
    assert rollout.seats == 4
    passed = rollout.batch.game.tokens.index("pass")
    made = learnt = late = 0
    for _ in range(40):
        rollout.play(training.brain, training.league, 0.95)
        carried, played = slice(rollout.seats), slice(rollout.seats, None)
        made += int(rollout.ours[played].sum())
        learnt += int(rollout.counts.sum())
        late += int(rollout.counts[carried][rollout.actions[carried] == passed].sum())
        assert learnt + int((rollout.ours & ~rollout.sure).sum()) == made
    assert late, "some waited for longer than a lesson"


@pytest.mark.parametrize("minibatch", [32, 4096])
def test_minibatches_hold_what_counts(tmp_path: Path, minibatch: int) -> None:
    """All of it; to fill the last, some a second time."""
    training = start("kilt", tmp_path, given={**SMALL, "minibatch": minibatch})
    rollout = training.rollouts[0]
    assert rollout.parts() == [], "nothing was played"
    rollout.play(training.brain, training.league, 0.95)
    counted = set(rollout.counts.flatten().nonzero()[:, 0].tolist())
    parts = rollout.parts()
    assert (
        {len(part) for part in parts} == {len(rollout.picked)} == {min(minibatch, rollout.choices)}
    )
    drawn = [number for part in parts for number in part.tolist()]
    assert set(drawn) == counted
    assert len(drawn) - len(counted) < len(rollout.picked)


def test_what_is_chosen_in_a_disguise_is_meant_as_it_is() -> None:
    """Shown what is legal in any disguise, whoever chooses it means what is legal."""
    game = tanistry.game("schotten")
    names = input_names(observation(game, insights=True))
    disguises = Disguises(names, game.tokens, ALIKE["schotten"], "cpu")
    batch = tanistry.batch(game, 64, seed=1, insights=True)
    for _ in range(30):
        batch.step(batch.random_actions())
    observed, legal = torch.as_tensor(batch.observations), torch.as_tensor(batch.mask)
    which = disguises.draw(batch.n)
    shown, allowed = disguises.show(which, observed, legal)
    assert (which > 0).any()
    assert (shown != observed).any()
    for chosen in (allowed.int().argmax(1), allowed.shape[1] - 1 - allowed.flip(1).int().argmax(1)):
        meant = disguises.meant(which, chosen)
        assert legal[torch.arange(batch.n), meant].all()
    as_it_is = disguises.show(torch.zeros_like(which), observed, legal)
    assert (as_it_is[0] == observed).all()
    assert (as_it_is[1] == legal).all()


def test_what_is_thought_in_a_disguise_is_told_of_actions_as_they_are() -> None:
    game = tanistry.game("schotten")
    disguises = Disguises((), game.tokens, ALIKE["schotten"], "cpu")
    thought = torch.rand(64, len(game.tokens))
    which = disguises.draw(len(thought))
    _, shown = disguises.show(which, torch.zeros(64, 0), thought)
    assert (shown != thought).any()
    assert (disguises.undisguised(which, shown) == thought).all()


def test_looks_that_agree_cost_nothing_and_others_do() -> None:
    logits, mask, value = torch.rand(8, 5), torch.ones(8, 5, dtype=torch.bool), torch.rand(8)
    mask[:, 3] = False
    elsewhere = logits.clone()
    elsewhere[:, 3] = 9.0  # what is not legal is nobody's concern
    assert disagreement(logits, mask, value, elsewhere, value) < 1e-6
    assert disagreement(logits, mask, value, logits.flip(1), value) > 1e-3
    assert disagreement(logits, mask, value, logits, value + 1.0) == pytest.approx(0.25)


def test_a_second_look_is_at_the_same_positions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first disguise, which is none, it sees what it saw before; in others it does not."""
    training = start("schotten", tmp_path, given=SMALL)
    training.play()
    for rollout in training.rollouts:
        observed, mask, game, *_ = rollout.minibatch()
        logits, value = training.brain(observed, game, rollout.reading)
        apart = []
        for which in (0, 700):
            drawn = torch.full((len(observed),), which)
            monkeypatch.setattr(rollout.disguises, "draw", lambda _rows, drawn=drawn: drawn)
            again, worth = rollout.second_look(training.brain, observed, game)
            apart.append(disagreement(logits, mask, value, again, worth).item())
        assert apart[0] < 1e-9 < apart[1]


def test_agreement_counts_where_it_is_asked_for(tmp_path: Path) -> None:
    told = {}
    for weight in (0.0, 1.0):
        folder = tmp_path / str(weight)
        asked = {**SMALL, "begin": "shipped", "width": 512, "agreement": weight, "rate": 3e-4}
        training = start("schotten", folder, given=asked)
        training.lesson()
        told[weight] = training.sums.tolist()[-1]
    assert told[0.0] == 0.0
    assert told[1.0] > 0.0


def test_a_table_of_an_older_run_keeps_its_columns(tmp_path: Path) -> None:
    training = start("claim", tmp_path, given=SMALL)
    (tmp_path / "curve.csv").write_text("choices,random\n100,0.5\n", "utf-8")
    training.judge()
    with (tmp_path / "curve.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [set(row) for row in rows] == [{"choices", "random"}] * 2
    assert 0.0 <= float(rows[1]["random"]) <= 1.0


def test_an_empty_table_is_begun_anew(tmp_path: Path) -> None:
    training = start("claim", tmp_path, given=SMALL)
    (tmp_path / "curve.csv").touch()
    training.judge()
    with (tmp_path / "curve.csv").open(newline="", encoding="utf-8") as file:
        assert [row["choices"] for row in csv.DictReader(file)] == ["0"]


def test_a_game_where_nothing_is_alike_has_no_disguises() -> None:
    game = tanistry.game("claim")
    disguises = Disguises(input_names(observation(game)), game.tokens, {}, "cpu")
    assert disguises.count == 1
    which, legal = disguises.draw(4), torch.ones(4, len(game.tokens), dtype=torch.bool)
    assert disguises.show(which, legal, legal) == (legal, legal)
