"""What a bot that fails means to the people at the table."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

import tanistry
from tanistry.server import catalogue, replays
from tanistry.server.pool import EACH
from tanistry.server.refusals import Refused
from tanistry.server.thinking import Thinking
from tests.packages import install
from tests.patience import PATIENCE, eventually


class Broken:
    """A bot whose search raises."""

    def choose(self, _match: Any) -> str:
        raise ArithmeticError("a bug")

    analyse = choose


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Thinking:
    thinking = Thinking(1)
    real = thinking._bot

    def bot(name: str | None, level: int | None) -> Any:
        return real(name, level) if name == "random" else Broken()

    monkeypatch.setattr(thinking, "_bot", bot)
    return thinking


def test_a_hint_that_cannot_be_had_is_refused(broken: Thinking) -> None:
    with pytest.raises(Refused) as refused:
        asyncio.run(broken.hint(tanistry.game("claim").deal(seed=1), "p_1"))
    assert refused.value.code == "server/thinking"
    assert "bot" in refused.value.say["en"]


def test_a_game_that_cannot_be_loaded_keeps_no_other_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does the list of games; whoever asks for it is not told where the server keeps it."""
    install("cold", tmp_path, monkeypatch, lambda files: files.update({"rules.py": "x = = 3"}))
    thinking, warmed = Thinking(1), []
    monkeypatch.setattr(thinking, "_choose", lambda match, *_: warmed.append(match.game.name))
    asyncio.run(thinking.warm(["cold", "claim"]))
    assert warmed == ["claim"]
    with pytest.raises(Refused, match="game/unknown") as refused:
        catalogue.whole("cold", {})
    assert str(tmp_path) not in refused.value.say["en"]
    install("lost", tmp_path, monkeypatch, lambda files: files.pop("words/fr.toml"))
    assert {"claim", "kilt"} <= {game["name"] for game in catalogue.games()["games"]}
    for ask in (
        lambda: catalogue.brief("lost"),
        lambda: replays.verify(tanistry.game("claim").deal(1).record().replace("claim", "lost")),
    ):
        with pytest.raises(Refused, match="game/unknown"):
            ask()


def test_hints_wait_in_a_queue_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for one more is told at once to come later, and no bot thinks later for it."""

    async def run() -> None:
        thinking, match, go_on = Thinking(1), tanistry.game("claim").deal(seed=1), threading.Event()
        monkeypatch.setattr(thinking, "_hint", lambda _match: {"token": str(go_on.wait(PATIENCE))})
        asked = [asyncio.create_task(thinking.hint(match, "p_1")) for _ in range(EACH)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="rate/later"):
            await thinking.hint(match, "p_1")
        assert await thinking.choose(match, "random", None) in match.legal()
        go_on.set()
        assert await asyncio.gather(*asked) == [{"token": "True"}] * EACH
        thinking.close()

    asyncio.run(run())


def test_a_game_that_could_not_be_compiled_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[Any] = []

    def rehearse(game: Any) -> None:
        tries.append(game)
        if len(tries) <= 2:
            raise OSError("no space left on device")

    async def run() -> None:
        thinking = Thinking(1)
        with pytest.raises(OSError, match="no space"):
            await thinking.prepare("claim")
        impatient = asyncio.create_task(thinking.prepare("claim"))
        await eventually(lambda: len(tries) == 2)
        impatient.cancel()
        await eventually(lambda: not thinking._prepared)
        for _ in range(2):
            await thinking.prepare("claim")
        thinking.close()

    monkeypatch.setattr("tanistry.server.thinking.rehearse", rehearse)
    asyncio.run(run())
    assert len(tries) == 3


def test_a_seat_whose_bot_fails_plays_on(broken: Thinking) -> None:
    match = tanistry.game("claim").deal(seed=1)
    assert asyncio.run(broken.choose(match, "ismcts", 3)) in match.legal()
