"""From a seed to the cards, by the program of the document; and what is never called fair."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

import tanistry
from tanistry.client import AsyncClient, RefusedByServer
from tanistry.errors import RecordError
from tanistry.match.records import commitment, deal_seed, read_headers
from tanistry.server import replays
from tanistry.server.refusals import Refused
from tests.server.processes import ROOT, Process

PAGE = (ROOT / "docs/fairness.md").read_text("utf-8")
SEED, SALT = bytes(range(32)), b"salt"


def program() -> dict[str, Any]:
    """What a reader of the page would run."""
    (text,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if line.strip()]
    assert len(lines) <= 60, "in fifty lines, or a few more"
    found: dict[str, Any] = {}
    exec(text, found)  # our own page
    return found


@pytest.mark.parametrize("nonces", [(), (b"\x01" * 16, b"\x02" * 32), (b"", b"\x03" * 16)])
def test_the_page_deals_as_the_engine_does(nonces: tuple[bytes, ...]) -> None:
    recomputed = program()
    game = tanistry.game("claim")
    for number in range(20):
        seed = commitment(bytes([number]), SALT)
        key = bytes.fromhex(seed)
        dealt = recomputed["deal_claim"](key, nonces)
        places = game.deal(deal_seed(key, nonces)).position()["places"]
        assert dealt["hands"] == [sorted(places[f"hand.{seat}"]) for seat in range(2)]
        assert [dealt["prize"]] == places["prize"]
        assert dealt["deck"] == places["deck"]


def a_record(**headers: str) -> str:
    nonces = [b"\x05" * 16, b""]
    match = tanistry.game("claim").deal(deal_seed(SEED, nonces))
    listed = ",".join(nonce.hex() for nonce in nonces)
    given = {"Salt": SALT.hex(), "ServerSeed": SEED.hex(), "Nonces": listed, **headers}
    return match.record(**given)


def test_a_record_tells_what_its_seed_was_made_of() -> None:
    text = a_record()
    assert read_headers(text)[0]["Commitment"] == commitment(SEED, SALT)
    assert tanistry.replay(text).record(**tanistry.replay(text).headers) == text
    with pytest.raises(RecordError, match="players' numbers"):
        tanistry.replay(text.replace("05" * 16, "06" * 16))
    with pytest.raises(RecordError, match="commitment"):
        tanistry.replay(text.replace(SEED.hex(), bytes(32).hex()))


def test_a_record_without_a_commitment_is_not_called_fair() -> None:
    text = re.sub(r'\[Commitment "\w+"\]\n', "", a_record())
    assert tanistry.replay(text)
    with pytest.raises(Refused, match="record/lacks"):
        replays.verify(text)


def test_devices_add_to_the_deal(server: Process) -> None:
    async def run() -> None:
        async with AsyncClient(server.url) as one, AsyncClient(server.url) as two:
            table = await one.create("claim", rated=False)
            theirs = await two.watch(table.id)
            await theirs.sit()
            await table.ready()
            assert table.data["fairness"]["nonces"] is None, "not before the start"
            await theirs.ready()
            await table.until(lambda: table.data["status"] == "playing")
            assert table.data["fairness"]["nonces"] == [table.nonce, theirs.nonce]
            assert table.data["fairness"]["seed"] is None
            await table.resign()
            await table.ended()
            said = table.data["fairness"]
            seed, salt = bytes.fromhex(said["seed"]), bytes.fromhex(said["salt"])
            assert commitment(seed, salt) == table.promised
            record = await one.request("GET", f"/tables/{table.id}/record")
            nonces = [bytes.fromhex(nonce) for nonce in said["nonces"]]
            headers, _ = read_headers(record)
            assert headers["Seed"] == deal_seed(seed, nonces).hex()
            assert (await one.request("POST", "/verify", {"record": record}))["holds"]
            with pytest.raises(RefusedByServer) as caught:
                await table.ask("ready", nonce="xyz")
            assert caught.value.code == "message/value"

    asyncio.run(run())


def test_a_number_that_is_late_changed_or_missing(server: Process) -> None:
    """The last one before the start counts, none after it; who gives none is dealt to anyway."""

    async def run() -> None:
        async with AsyncClient(server.url) as one, AsyncClient(server.url) as two:
            table = await one.create("claim", rated=False)
            theirs = await two.watch(table.id)
            await theirs.sit()
            for nonce in ("aa" * 16, "bb" * 16):
                await table.ask("ready", nonce=nonce)
            await theirs.ask("ready")
            await table.until(lambda: table.data["status"] == "playing")
            for late in (theirs.ask("ready", nonce="cc" * 16), table.ask("start", nonce="dd" * 16)):
                with pytest.raises(RefusedByServer) as caught:
                    await late
                assert caught.value.code == "table/started"
            said = (await one.request("GET", f"/tables/{table.id}"))["fairness"]
            assert said["nonces"] == ["bb" * 16, None]
            await table.resign()
            await table.ended()
            record = await one.request("GET", f"/tables/{table.id}/record")
            assert (await two.request("POST", "/verify", {"record": record}))["holds"]

    asyncio.run(run())


def test_a_quick_match_holds_a_number_of_the_device(server: Process) -> None:
    async def run() -> None:
        client = AsyncClient(server.url)
        await client.connect()
        table = await client.quick("claim", bot="random")
        assert len(bytes.fromhex(table.nonce)) == 16
        assert table.data["fairness"]["nonces"] == [table.nonce, None]
        await client.close()

    asyncio.run(run())


def test_a_rematch_against_a_bot_holds_a_number_of_the_device(server: Process) -> None:
    async def run() -> None:
        client = AsyncClient(server.url)
        await client.connect()
        table = await client.quick("claim", bot="random")
        await table.resign()
        again = await table.rematch()
        await again.until(lambda: again.data["status"] == "playing")
        said = again.data["fairness"]
        assert said["nonces"] == [None, again.nonce]
        assert said["commitment"] == again.promised, "as it was before our number was told"
        await client.close()

    asyncio.run(run())
