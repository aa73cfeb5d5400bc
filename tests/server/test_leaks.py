"""Nobody is told what their seat may not know: everything each client received is looked through.

Whole matches of every game are played and all frames recorded. For each seat and for a spectator:
1. every view and event it was sent is, byte for byte, what `match.view(seat)` and
   `event.seen_by(seat)` give for the stored choices: nothing was added on the way;
2. the frames hold no field that could carry anything else (tokens of others, seeds, whole records);
3. swap test: a match in which everything the seat cannot know was dealt anew gives the same bytes.
"""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import orjson
import pytest

import tanistry
from tanistry.client import AsyncClient, AsyncTable, RefusedByServer
from tanistry.games import registry
from tanistry.server.clocks import Clock
from tanistry.server.info import Info, Seat
from tanistry.server.messages import KINDS
from tanistry.server.tables import Table, _unknown
from tests.server.processes import Process

GAMES = sorted(registry.games())
PLAYED = {"type", "table", "turn", "seat", "kind", "now", "events", "change", "id", "result"}
STATE = {"type", "table", "turn", "now", "view", "events", "complete", "clocks", "result", "id"}
TALK = {"type", "table", "who", "may", "lines", "id"}
LINE = {"n", "at", "player", "name", "seat", "kind", "text"}
SEAT = {
    "seat", "kind", "player", "name", "you", "present", "ready", "bot", "level", "bot_plays",
    "rating", "resigned", "weight",
}  # fmt: skip


async def record_match(server: Process, game: str) -> tuple[dict[Any, list[str]], str]:
    """Play a match among as many people as can sit; all frames of all seats and a spectator."""
    count = registry.info(game).seats[-1]
    frames: dict[Any, list[str]] = {seat: [] for seat in [*range(count), None]}
    clients = []
    for seat in frames:
        client = AsyncClient(server.url)
        client.heard = frames[seat].append
        await client.connect()
        clients.append(client)
    seats = [{"kind": "me"}] + [{"kind": "open"}] * (count - 1)
    table = await clients[0].create(game, seats=seats)
    for client in clients[1:count]:
        await (await client.watch(table.id)).sit()
        await client.tables[table.id].ready()
    await clients[-1].watch(table.id)
    await table.start()
    for client in clients[:count]:
        await client.ask("chat", table=table.id, text="between us")
    await clients[-1].ask("emote", table=table.id, emote="think")
    chance = random.Random(game)

    async def play(own: AsyncTable) -> None:
        while await own.your_turn():
            await own.play(chance.choice(own.legal))

    await asyncio.gather(*(play(client.tables[table.id]) for client in clients[:count]))
    for client in clients:
        await client.tables[table.id].ended()
    record = await clients[0].request("GET", f"/tables/{table.id}/record")
    for client in clients:
        await client.close()
    return frames, record


@pytest.mark.parametrize("game", GAMES)
def test_frames_hold_what_the_seat_may_know(server: Process, game: str) -> None:
    frames, record = asyncio.run(record_match(server, game))
    match = tanistry.replay(record)
    fresh = tanistry.game(game, seats=match.game.seats, **match.game.options)
    running = fresh.deal(match._key)
    views = [{seat: running.view(seat) for seat in frames}]
    events: list[dict[Any, list[Any]]] = [{seat: [] for seat in frames}]
    for _, token in match.history:
        told = running.play(token)
        events.append({seat: [event.seen_by(seat) for event in told] for seat in frames})
        views.append({seat: running.view(seat) for seat in frames})
    for seat, heard in frames.items():
        seen = 0
        view: dict[str, Any] = {}
        for frame in heard:
            message = json.loads(frame)
            if message["type"] == "state" and message["view"]:
                assert set(message) <= STATE
                view = message["view"]
                assert view == views[message["turn"]][seat]
                turn = message["turn"]
                told = [event for each in events[: turn + 1] for event in each[seat]]
                assert message["events"] in ([], told)
            elif message["type"] == "played":
                assert set(message) <= PLAYED, set(message) - PLAYED
                seen += 1
                change, turn = message["change"], message["turn"]
                view = (
                    {key: value for key, value in view.items() if key != "legal"}
                    | change
                    | {"places": {**view["places"], **change["places"]}}
                )
                view["places"] = {name: cards for name, cards in view["places"].items() if cards}
                assert view == views[turn][seat], (seat, turn)
                assert message["events"] == events[turn][seat]
            elif message["type"] == "table":
                about = message["table"]
                late = {"rating_change"} if about["status"] == "over" else set()
                assert all(SEAT <= set(held) <= SEAT | late for held in about["seats"])
                if about["status"] != "over":
                    assert about["fairness"]["seed"] is None
                    assert about["fairness"]["salt"] is None
            elif message["type"] == "talk":
                assert set(message) <= TALK
                assert all(set(line) == LINE for line in message["lines"])
                kinds = {line["kind"] for line in message["lines"]}
                assert kinds <= ({"emote"} if seat is None else {"emote", "chat"})
        assert "between us" not in record
        assert seen == len(match.history)


def _info(game: tanistry.Game, seed: bytes) -> Info:
    seats = [Seat(n, "person", f"p_{n}", f"Player {n}") for n in range(game.seats)]
    return Info(
        id="x", game=game.name, version=game.info.version, options=dict(game.options),
        status="playing", public=False, rated=False, host="p_0", clock=Clock(), watchable=True,
        delay=0, seed=seed, salt=b"", created=0, started=0, seats=seats,
    )  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_messages_do_not_depend_on_what_a_seat_cannot_know(game: str) -> None:
    chance = random.Random(game)
    made = tanistry.game(game, seats=registry.info(game).seats[-1])
    compared = 0
    for number in range(3):
        match = made.deal(seed=number)
        while match.to_act is not None:
            token = chance.choice(match.legal())
            if chance.random() < 0.15:
                seat = chance.choice([None, *range(made.seats)])
                blind = match.blind(seat, chance.randrange(2**64))
                assert _state(made, match, seat) == _state(made, blind, seat)
                for asker in range(made.seats):  # whether they have seen more is told to all
                    assert _unknown(match.view(asker)) == _unknown(blind.view(asker))
                compared += 1
            match.play(token)
    assert compared > 10


def _state(game: tanistry.Game, match: tanistry.Match, seat: int | None) -> bytes:
    """What the server would send a seat that looks at this match."""
    table = Table(_info(game, b"\0" * 32))
    table.match = match
    return orjson.dumps(table.state(seat, None, 0, "en"))


async def watch_early(server: Process) -> list[str]:
    """What somebody is sent who came to a table before its match, and may not watch that."""
    frames: list[str] = []
    host, guest, stranger = (AsyncClient(server.url) for _ in range(3))
    stranger.heard = frames.append
    for client in (host, guest, stranger):
        await client.connect()
    seats = [{"kind": "me"}, {"kind": "open"}]
    mine = await host.create("claim", seats=seats, spectators={"allowed": False})
    await stranger.watch(mine.id)
    theirs = await guest.watch(mine.id)
    await theirs.sit()
    await theirs.ready()
    await mine.start()
    for turn in range(3):
        table = (mine, theirs)[mine.view["to_act"]]
        await table.your_turn()
        await table.play(table.legal[0])
        await mine.until(lambda turn=turn: mine.turn > turn)
    await stranger.ask("say", lang="en")  # every followed table sends its state anew
    await stranger.ask("ping")  # whatever was sent before is heard by now
    for client in (host, guest, stranger):
        await client.close()
    return frames


def test_who_may_not_watch_hears_no_more_than_that_it_began(server: Process) -> None:
    heard = [json.loads(frame) for frame in asyncio.run(watch_early(server))]
    about = [message for message in heard if message["type"] in ("table", "state", "played")]
    assert about[-1]["type"] == "table"
    assert about[-1]["table"]["status"] == "playing"
    assert not any(message.get("view") for message in about)
    assert not any(message["type"] == "played" for message in about)


# -- whatever is said -----------------------------------------------------------------------------

SEATED, HOSTS = "table/not-seated", "table/not-host"
SAID = {
    "hello": ("welcome", "welcome", "welcome"),
    "ping": ("pong", "pong", "pong"),
    "say": ("ok", "ok", "ok"),
    "lobby": ("lobby", "lobby", "lobby"),
    "seek": ("seeking", "seeking", "seeking"),
    "unseek": ("ok", "ok", "ok"),
    "tournament": ("tournament", "tournament", "tournament"),
    "watch": ("table/no-spectators", "state", "state"),
    "sit": ("table/started", "table/started", "table/started"),
    "stand": ("table/started", "table/started", "table/started"),
    "seat": (HOSTS, HOSTS, "table/started"),
    "ready": ("table/started", "table/started", "table/started"),
    "start": (HOSTS, HOSTS, "table/started"),
    "close": (HOSTS, HOSTS, "table/started"),
    "play": (SEATED, SEATED, "move/stale"),
    "draw": (SEATED, SEATED, "table"),
    "bot": (SEATED, SEATED, "table/present"),
    "back": (SEATED, SEATED, "table"),
    "undo": (SEATED, SEATED, "table/no-undo"),
    "hint": (SEATED, SEATED, "table/not-solo"),
    "rematch": (SEATED, SEATED, "table/running"),
    "talk": ("talk/away", "talk", "talk"),
    "emote": ("talk/away", "talk", "talk"),
    "chat": ("talk/away", "talk/seated", "talk"),
    "talkers": ("talk/away", HOSTS, "talk"),
    "leave": ("ok", "ok", "ok"),
    "resign": (SEATED, SEATED, "table"),
}
"""By what each message is answered during a match: from a stranger to a table that nobody may
watch, from a spectator, and from the host, who plays. The last ones come last."""


class Asker:
    """Somebody who says everything there is to say, and keeps all they hear."""

    def __init__(self, url: str) -> None:
        self.client = AsyncClient(url)
        self.heard: list[Any] = []
        self.client.heard = lambda frame: self.heard.append(json.loads(frame))

    async def say(self, kind: str, **right: str) -> str:
        """One message as the documents have it; by what it is answered."""
        fields = KINDS[kind].example
        fields = fields | {name: right[name] for name in fields if name in right}
        if kind == "seek":
            fields |= {"rated": False}  # guests are not
        try:
            return str((await self.client.ask(kind, **fields))["type"])
        except RefusedByServer as refused:
            return refused.code
        finally:
            if kind == "seek":
                await self.client.ask("unseek")


def announce(server: Process) -> str:
    """A tournament of somebody's."""
    host = server.http()
    login = f"cup.{host.request('GET', '/me')['id'][2:].lower()}"
    host.request("POST", "/account", {"login": login, "password": "rain on the glen"})
    new = {"name": "Cup", "game": "claim", "system": "swiss"}
    return str(host.request("POST", "/tournaments", new)["id"])


async def say_everything(server: Process, game: str) -> tuple[list[Asker], str, list[str]]:
    """All messages in all three parts; what they heard before the end, the record, and what was
    told only then."""
    right = {"tournament": announce(server), "nonce": "0" * 32}
    stranger, watches, plays, other = askers = [Asker(server.url) for _ in range(4)]
    for asker in askers:
        await asker.client.connect()
    seats = [{"kind": "me"}, {"kind": "open"}]
    ids = []
    for allowed in (False, True):
        more = {"seats": seats, "rated": False, "spectators": {"allowed": allowed}}
        table = await plays.client.create(game, **more)
        theirs = await other.client.watch(table.id)
        await theirs.sit()
        await theirs.ready()
        await table.ready()
        ids.append(table.id)
    hidden, shown = ids
    await watches.client.watch(shown)
    for kind, expected in SAID.items():
        if kind == "resign":
            before = [len(asker.heard) for asker in askers]
        answers = (
            await stranger.say(kind, table=hidden, **right),
            await watches.say(kind, table=shown, **right),
            await plays.say(kind, table=shown, **right),
        )
        assert answers == expected, kind
    for asker, count in zip(askers, before):
        del asker.heard[count:]
    record = await other.client.request("GET", f"/tables/{shown}/record")
    fairness = (await other.client.request("GET", f"/tables/{shown}"))["fairness"]
    for asker in askers:
        await asker.client.close()
    for asker in (plays, other):
        asker.heard = [one for one in asker.heard if one.get("table") != hidden]
    return askers, record, [fairness["seed"], fairness["salt"]]


def strings(data: Any) -> set[str]:
    """All there are in a message."""
    if isinstance(data, dict):
        return {*data}.union(*map(strings, data.values()))
    if isinstance(data, list):
        return set().union(*map(strings, data))
    return {data} if isinstance(data, str) else set()


def test_there_is_no_other_message() -> None:
    assert set(SAID) == set(KINDS), "say it in a match, and who may hear what by it"


def test_no_message_is_answered_with_what_one_may_not_know(server: Process) -> None:
    askers, record, secrets = asyncio.run(say_everything(server, "lords"))
    match = tanistry.replay(record).beginning()
    cards = {card.code for card in match.game.cards}
    for asker, seat in zip(askers, (None, None, 0, 1)):
        views = 0
        for message in asker.heard:
            assert not any(secret in json.dumps(message) for secret in secrets)
            if message["type"] != "state" or not message["view"]:
                assert not strings(message) & cards, message
                continue
            assert set(message) <= STATE | {"labels", "tally"}
            assert message["view"] == match.view(seat)
            assert set(message.get("labels", ())) <= set(message["view"].get("legal", ()))
            views += 1
        assert bool(views) == (asker is not askers[0]), "who may watch does"
