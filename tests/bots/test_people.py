"""Bots that play like people: six levels from a network, under Scottish names."""

from __future__ import annotations

import numpy as np
import pytest

import tanistry
from tanistry.bots import default_level, levels
from tanistry.bots.imagining import legal_set
from tanistry.bots.personas import CHAMPION, LEVELS, about, level_titles, persona, personas, styles
from tanistry.bots.reading import Reader, exponential
from tanistry.catalogue import LANGUAGES
from tanistry.simulation.network import ONE_X, Evaluator, network_of
from tanistry.simulation.observation import observe


def chances(match: tanistry.Match, evaluator: Evaluator) -> dict[str, float]:
    """What the network itself would choose, and how often."""
    evaluator.choose(observe(match, match.to_act or 0, insights=True), legal_set(match))
    logits = evaluator.logits[match.legal_actions()] / ONE_X
    weights = np.exp(logits - logits.max())
    return dict(zip(match.legal(), weights / weights.sum(), strict=True))


@pytest.mark.parametrize("game", tanistry.games())
@pytest.mark.parametrize("level", LEVELS[:-1])
def test_no_level_plays_what_is_below_its_floor(game: str, level: int) -> None:
    made = tanistry.game(game)
    evaluator, floor = Evaluator(network_of(game), made), styles(game)[level - 1].floor
    match, bot = made.deal(seed=level), tanistry.bot(f"people:{level}", seed=level)
    for _ in range(40):
        if match.to_act is None:
            break
        likely = chances(match, evaluator)
        token = bot.choose(match)
        assert likely[token] >= 0.999 * floor
        match.play(token)


def test_a_seed_makes_the_same_choices() -> None:
    def played(seed: int) -> list[tuple[int, str]]:
        match, bot = tanistry.game("kilt").deal(seed=1), tanistry.bot("people:2", seed=seed)
        while match.to_act is not None:
            match.play(bot.choose(match))
        return match.history

    assert played(1) == played(1) != played(2)


def test_levels_have_names_and_somebody_at_each_seat() -> None:
    assert tuple(levels("people")) == LEVELS
    assert default_level("people") in LEVELS
    assert CHAMPION == LEVELS[-1] == 6
    for lang in LANGUAGES:
        assert len({level_titles(level)[lang] for level in LEVELS}) == len(LEVELS)
    at_a_table = {persona(level, seat) for level in LEVELS for seat in range(5)}
    assert at_a_table == set(personas())
    assert len(at_a_table) == 5 * len(LEVELS)
    for name in personas():
        sentences = about(name)
        assert set(sentences) == set(LANGUAGES)
        assert all(text.endswith(".") for text in sentences.values())
    assert about("Nobody") == {}


def test_sense_grows_with_the_level() -> None:
    for game in tanistry.games():
        floors = [style.floor for style in styles(game)]
        assert floors == sorted(floors)
        for floor in set(floors):
            senses = [style.sense for style in styles(game) if style.floor == floor]
            assert senses == sorted(senses)


def test_the_exponential_is_one() -> None:
    for x in np.linspace(-40, 40, 401):
        assert exponential(float(x)) == pytest.approx(np.exp(x), rel=1e-12)
    assert exponential(-1000.0) == 0.0


def test_a_network_refuses_rows_that_lack_what_it_is_shown() -> None:
    game = tanistry.game("kilt").interpreted()
    reader, n = Reader(Evaluator(network_of("kilt"), game)), 2
    rooms = np.ones(n, np.bool_), np.ones(n), np.zeros(n), np.ones(n, np.uint64)
    with pytest.raises(ValueError, match="insights=True"):
        reader.read(tanistry.batch(game, n, seed=1), *rooms, np.zeros(n, np.int64), np.zeros(n))
