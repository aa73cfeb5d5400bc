"""Workers that hear each other, through Redis or through sockets of their own."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tanistry.server.bus import Bus
from tanistry.server.settings import Settings
from tests.patience import eventually
from tests.server.services import Redis


@pytest.mark.parametrize("through", ["redis", "sockets"])
def test_news_that_cannot_be_handled_keeps_no_other_from_being_heard(
    through: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bug = ArithmeticError(f"a bug, through {through}")
    heard = []

    def hear(news: dict[str, Any]) -> None:
        if news.get("table") == "broken":
            raise bug
        heard.append(news)

    async def run(**more: str) -> None:
        config = Settings(database=str(tmp_path / "test.db"), workers=2, **more)
        one, two = Bus(config, "one", lambda news: None), Bus(config, "two", hear)
        one.open()
        two.open()
        await eventually(lambda: two.connected or not more)
        for table in ("broken", "broken", "sound"):
            one.publish(table=table)
        await eventually(lambda: {"from": "one", "table": "sound"} in heard)
        await one.close()
        await two.close()

    if through == "sockets":
        asyncio.run(run())
    else:
        with closing(Redis().start()) as redis:
            asyncio.run(run(redis=redis.url))
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [bug]
