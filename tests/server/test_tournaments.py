"""Tournaments on a server: paired once, counted once, whoever does it and whenever it is killed."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tanistry.server import belongings, verbs
from tanistry.server.acts import Actor
from tanistry.server.bodies import NewTournament
from tanistry.server.hall import Hall
from tanistry.server.people import People
from tanistry.server.refusals import Refused
from tanistry.server.schema import audit, boards, entrants, players, tables
from tanistry.server.schema import tournaments as cups
from tanistry.server.settings import Settings
from tanistry.server.store import Store
from tanistry.server.tournaments import deciding, reading, telling
from tanistry.server.tournaments.rounds import Rounds
from tanistry.tournaments import WIN
from tests.patience import eventually, tries
from tests.server.crowd import check_tournament
from tests.server.processes import Process
from tests.server.test_pairing import Waiting, people, ready

Do = Callable[[list[Hall], list[Rounds]], Awaitable[None]]


def with_rounds(database: str, do: Do, workers: int = 1) -> None:
    """So many workers on one database, in one process; nothing goes on but by who is told to."""

    async def run() -> None:
        config = Settings(database=database, workers=workers, sync="normal", bot_pause=0)
        stores = [Store(config) for _ in range(workers)]
        for store in stores:
            await store.open()
        halls = [Hall(config, store) for store in stores]
        try:
            await do(halls, [Rounds(hall) for hall in halls])
        finally:
            for hall, store in zip(halls, stores):
                await hall.close()
                await store.close()

    asyncio.run(run())


async def announce(store: Store, system: str = "swiss", **more: Any) -> str:
    body = NewTournament(**{"name": "Cup", "game": "claim", "system": system, **more})
    return await deciding.create(store, body, "p_0")


async def begin(store: Store, id: str, who: list[Waiting]) -> None:
    for one in who:
        await deciding.join(store, id, await store.player(one.player))
    await deciding.start(store, id)


async def end(store: Store, table: str, *ranking: list[int]) -> None:
    """Let a match be over, as if it had been played."""
    result = {"scores": None, "ranking": list(ranking), "ended_by": "play", "by": None}
    over = sa.update(tables).where(tables.c.id == table)
    await store.execute(over.values(status="over", started=1, ended=2, result=result))


async def call_time(store: Store) -> None:
    """Whoever has been called to a table was so long ago."""
    await store.execute(sa.update(boards).values(since=1))


# -- sixteen bots, and a server that is killed ----------------------------------------------------


def test_a_swiss_tournament_of_sixteen_whose_server_is_killed(tmp_path: Path) -> None:
    server = Process(tmp_path, sync="normal", tournaments="members").start()
    try:
        http = server.http()
        http.request("POST", "/account", {"login": "host.here", "password": "rain on the glen"})
        new = {"name": "Sixteen", "game": "claim", "system": "swiss"}
        id = http.request("POST", "/tournaments", new)["id"]
        for bot in ("greedy", "random"):
            given = {"bot": bot, "count": 8}
            told = http.request("POST", f"/tournaments/{id}/bots", given)
        assert len({one["name"] for one in told["players"]}) == 16
        assert http.request("POST", f"/tournaments/{id}/start")["status"] == "playing"

        def look() -> dict[str, Any]:
            found: dict[str, Any] = http.request("GET", f"/tournaments/{id}")
            return found

        def wait_for(holds: Callable[[dict[str, Any]], bool]) -> None:
            for _ in tries("the tournament goes on", every=0.3):
                if holds(look()):
                    return

        wait_for(lambda told: told["round"] >= 2)
        server.kill()
        server.start()
        wait_for(lambda told: told["status"] == "over")
        told = look()
        assert (told["round"], told["rounds"]) == (4, 4)
        results = http.request("GET", f"/tournaments/{id}/results")
    finally:
        server.kill()
    assert "Traceback" not in server.log.read_text()

    async def run() -> None:
        store = Store(Settings(database=server.environment["TANISTRY_DATABASE"]))
        cup = await reading.load(store, id)
        check_tournament(cup, 16)
        ids = await store.read(sa.select(tables.c.id).where(tables.c.tournament == id))
        assert {row.id for row in ids} == {game.table for game in cup.games}, "no table too many"
        for game in cup.games:
            found = await store.load(game.table or "")
            assert found is not None
            info, rows = found
            match = info.deal()
            for row in rows:
                match.play(row.token or "")
            assert match.result is not None
            assert info.result is not None
            assert match.result.ranking == info.result["ranking"]
        await store.close()
        lines = list(csv.reader(io.StringIO(results)))
        placed = [line.player for line in cup.standings()]
        assert [int(line[1]) for line in lines[1:17]] == placed
        assert [line["number"] for line in told["standings"]] == placed

    asyncio.run(run())


def test_two_workers_pair_once(database: str) -> None:
    """Both look at the same time, again and again."""

    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        store = halls[0].store
        id = await announce(store, rounds=3)
        await deciding.add_bots(store, id, "random", None, 6)
        await deciding.start(store, id)
        while (cup := await reading.load(store, id)).row.status != "over":
            await asyncio.gather(*(worker.look() for worker in workers))
            for game in cup.games:
                if game.status == "playing" and game.table:  # as if it had been played
                    await end(store, game.table, [0], [1])
        check_tournament(cup, 6)
        made = await store.read(sa.select(tables.c.id).where(tables.c.tournament == id))
        assert len(made) == len(cup.games) == 9

    with_rounds(database, do, workers=2)


# -- people ---------------------------------------------------------------------------------------


def test_nobody_plays_without_having_said_so(database: str) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        who = await people(hall.store, 4)
        id = await announce(hall.store, "robin")
        await begin(hall.store, id, who)
        await rounds.look()
        cup = await reading.load(hall.store, id)
        first, second = cup.games
        assert (first.status, second.status) == ("waiting", "waiting")
        assert first.table
        assert second.table
        by_number = {one.number: who[int((one.player or "")[2:])] for one in cup.entrants}
        table = await hall.get(first.table)
        for refused in (verbs.sit, verbs.stand, verbs.rematch):
            with pytest.raises(Refused, match="table/tournament"):
                await refused(hall, table, by_number[first.result.players[0]], verbs.m.Sit(
                    type="sit", table=table.info.id))  # type: ignore[operator]  # fmt: skip
        for number in first.result.players:
            await verbs.ready(hall, table, by_number[number], ready(first.table))
        assert table.info.status == "playing"
        with pytest.raises(Refused, match="table/not-solo"):
            await verbs.hint(hall, table, by_number[first.result.players[0]],
                             verbs.m.Hint(type="hint", table=first.table))  # fmt: skip
        comes, stays_away = second.result.players
        other = await hall.get(second.table)
        await verbs.ready(hall, other, by_number[comes], ready(second.table))
        await rounds.look()
        assert other.info.status == "waiting", "there is time yet"
        await call_time(hall.store)
        await rounds.look()
        assert other.info.status == "closed"
        cup = await reading.load(hall.store, id)
        assert cup.games[1].result.absent == {stays_away}
        assert stays_away not in cup.here
        assert {n: line.points for line in cup.standings() for n in [line.player]}[comes] == WIN
        assert len(cup.at_boards()) == 1, "the other board goes on"
        await end(hall.store, first.table, [1], [0])
        await rounds.look()
        cup = await reading.load(hall.store, id)
        assert len(cup.at_boards()) >= 2
        gone = next(g for g in cup.games if g.round == 2 and stays_away in g.result.players)
        assert gone.result.is_over, "who is not here forfeits at once"
        back = await hall.store.player(by_number[stays_away].player)
        await deciding.join(hall.store, id, back)
        assert stays_away in (await reading.load(hall.store, id)).here

    with_rounds(database, do)


def test_a_draw_of_a_knockout_is_played_again(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        id = await announce(hall.store, "knockout")
        await begin(hall.store, id, await people(hall.store, 3))
        await rounds.look()
        cup = await reading.load(hall.store, id)
        bye, first = cup.games
        assert bye.result.is_bye
        assert bye.result.players == (1,)
        assert first.table
        await end(hall.store, first.table, [0, 1])
        await rounds.look()
        *_, again = (await reading.load(hall.store, id)).games
        assert (again.game, again.result.players) == (2, first.result.players[::-1])
        assert again.table
        await end(hall.store, again.table, [1], [0])
        await rounds.look()
        *_, final = (await reading.load(hall.store, id)).games
        assert (final.round, {*final.result.players}) == (2, {1, again.result.players[1]})
        await call_time(hall.store)  # neither comes
        await rounds.look()
        cup = await reading.load(hall.store, id)
        assert cup.row.status == "over"
        assert [line.place for line in cup.standings()] == [1, 1, 3]

    with_rounds(str(tmp_path / "test.db"), do)


def test_a_table_for_several_goes_on_without_who_did_not_come(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        who = await people(hall.store, 4)
        id = await announce(hall.store, "tables", game="lords", rounds=1)
        await begin(hall.store, id, who)
        await rounds.look()
        (board,) = (await reading.load(hall.store, id)).games
        assert len(board.result.players) == 4
        live = await hall.get(board.table or "")
        for one in who[:3]:
            await verbs.ready(hall, live, one, ready(live.info.id))
        await call_time(hall.store)
        await rounds.look()
        (board,) = (await reading.load(hall.store, id)).games
        assert board.table != live.info.id
        assert board.status == "waiting", "asked again: it is another table"
        assert len(board.result.present) == 3
        following = await hall.get(board.table or "")
        assert {held.player for held in following.info.seats} == {one.player for one in who[:3]}
        await end(hall.store, board.table or "", [2], [0, 1])
        await rounds.look()
        cup = await reading.load(hall.store, id)
        assert cup.row.status == "over"
        points = [line.points / WIN for line in cup.standings()]
        assert points == [1, 0.5, 0.5, 0]

    with_rounds(str(tmp_path / "test.db"), do)


def test_many_come_at_the_same_moment(tmp_path: Path) -> None:
    """Nobody is told that somebody else was quicker, unless it is full by that."""

    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        stores = [hall.store for hall in halls]
        await people(stores[0], 20)
        rows = [await stores[0].player(f"p_{n}") for n in range(20)]
        id = await announce(stores[0], most=16)
        both = ((stores[n % 2], row) for n, row in enumerate(rows))
        found = await asyncio.gather(
            *(deciding.join(store, id, row) for store, row in both), return_exceptions=True
        )
        refused = [one for one in found if one is not None]
        assert [str(one) for one in refused] == ["tournament/full"] * 4
        entered = {one.player for one in (await reading.load(stores[1], id)).entrants}
        assert len(entered) == 16
        leaving = sorted(filter(None, entered))[:8]
        await asyncio.gather(*(deciding.leave(stores[0], id, player) for player in leaving))
        assert len((await reading.load(stores[1], id)).entrants) == 8
        starts = (deciding.start(store, id) for store in stores)
        begun = await asyncio.gather(*starts, return_exceptions=True)
        assert sorted(map(str, begun)) == ["None", "tournament/started"]

    with_rounds(str(tmp_path / "test.db"), do, workers=2)


def test_a_tournament_that_cannot_be_told_keeps_no_other_from_being_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tanistry.server.tournaments.rounds.TICK", 0.01)
    told: list[str] = []

    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        (who,) = await people(hall.store, 1)
        broken, sound = [await announce(hall.store) for _ in range(2)]
        for id in (broken, sound):
            await rounds.follow(who, id, await hall.store.player(who.player))

        async def tell_most(id: str) -> None:
            if id == broken:
                raise ArithmeticError("a bug")
            told.append(id)

        monkeypatch.setattr(rounds, "_tell", tell_most)
        hall.background.spawn(rounds.go_on_forever())
        await eventually(lambda: len(told) > 2)

    with_rounds(str(tmp_path / "test.db"), do)
    assert sum("a bug" in (record.exc_text or "") for record in caplog.records) == 1, "told once"


def test_for_who_leaves_nobody_waits(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        who = await people(hall.store, 4)
        id = await announce(hall.store, "robin")
        await begin(hall.store, id, who)
        await rounds.look()
        cup = await reading.load(hall.store, id)
        stays, leaves = cup.games[0].result.players
        await deciding.leave(hall.store, id, cup.by_number(leaves).player or "")
        await rounds.look()
        cup = await reading.load(hall.store, id)
        board, other = cup.games
        assert board.status == "closed"
        assert board.result.absent == {leaves}, "the other one need not be ready yet"
        assert board.result.rank(stays) < board.result.rank(leaves)
        assert stays in cup.here
        assert other.status == "waiting", "there the time goes on"

    with_rounds(str(tmp_path / "test.db"), do)


def test_who_is_put_out_stays_out(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        store = hall.store
        who = await people(store, 5)
        rows = [await store.player(one.player) for one in who]
        id = await announce(store, "robin")

        async def entry(player: str | None) -> str:
            cup = await reading.load(store, id)
            return next(one.entry for one in cup.entrants if one.player == player)

        await deciding.add_bots(store, id, "random", None, 1)
        await deciding.join(store, id, rows[4])
        await deciding.remove(store, id, await entry("p_4"), Actor("p_0", "host"))
        await deciding.remove(store, id, await entry(None))
        assert (await reading.load(store, id)).entrants == []
        with pytest.raises(Refused, match="tournament/removed"):
            await deciding.join(store, id, rows[4])
        for wrong in ("", "nobody", "\0"):
            with pytest.raises(Refused, match="tournament/nobody"):
                await deciding.remove(store, id, wrong)
        (act,) = await store.read(sa.select(audit))
        assert (act.by, act.act, act.player, act.details) == (
            "p_0", "put-out", "p_4", {"tournament": "Cup"}
        )  # fmt: skip

        await begin(store, id, who[:4])
        await rounds.look()
        cup = await reading.load(store, id)
        assert len(cup.entrants) == 4, "who was put out before has no number"
        assert (await reading.recent(store))[0]["count"] == 4
        playing, waiting = cup.games
        live = await hall.get(playing.table or "")
        for number in playing.result.players:
            player = cup.by_number(number).player
            one = next(one for one in who if one.player == player)
            await verbs.ready(hall, live, one, ready(live.info.id))
        assert live.info.status == "playing"
        out = [game.result.players[0] for game in (playing, waiting)]
        for number in out:
            await deciding.remove(store, id, cup.by_number(number).entry)
        while len((await reading.load(store, id)).at_boards()) < 2:
            await rounds.look()
        assert live.info.status == "over", "what they played is given up"
        cup = await reading.load(store, id)
        for game in cup.games[:2]:
            assert [game.result.rank(number) for number in game.result.players] == [2, 1]
        assert cup.removed == {*out}
        assert cup.here == {1, 2, 3, 4} - cup.removed
        gone = cup.by_number(out[0])
        told = telling.personal(store, cup, gone.player, False)["you"]
        assert (told["removed"], told["here"], told["table"]) == (True, False, None)
        with pytest.raises(Refused, match="tournament/removed"):
            await deciding.join(store, id, await store.player(gone.player or ""))
        with pytest.raises(Refused, match="tournament/nobody"):
            await deciding.remove(store, id, gone.entry)

    with_rounds(str(tmp_path / "test.db"), do)


def test_among_several_who_has_resigned_is_told_so(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        who = await people(hall.store, 3)
        id = await announce(hall.store, "tables", game="lords", rounds=1)
        await begin(hall.store, id, who)
        await rounds.look()
        (board,) = (await reading.load(hall.store, id)).games
        live = await hall.get(board.table or "")
        for one in who:
            await verbs.ready(hall, live, one, ready(live.info.id))
        await verbs.resign(hall, live, who[1], verbs.m.Resign(type="resign", table=live.info.id))
        cup = await reading.load(hall.store, id)
        told = {one.player: telling.personal(hall.store, cup, one.player, False) for one in who}
        assert {player: own["you"]["left"] for player, own in told.items()} == {
            "p_0": False, "p_1": True, "p_2": False
        }  # fmt: skip
        assert {own["you"]["table"] for own in told.values()} == {live.info.id}

    with_rounds(str(tmp_path / "test.db"), do)


def test_who_may_come_and_when(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,) = halls
        store = hall.store
        await people(store, 4)
        rows = [await store.player(f"p_{n}") for n in range(4)]
        id = await announce(store, most=2)
        with pytest.raises(Refused, match="tournament/few"):
            await deciding.start(store, id)
        with pytest.raises(Refused, match="tournament/not-in"):
            await deciding.leave(store, id, "p_0")
        await deciding.join(store, id, rows[0])
        await deciding.join(store, id, rows[0])
        with pytest.raises(Refused, match="table/apart"):
            await deciding.join(store, id, rows[1], {"p_0"})
        await deciding.join(store, id, rows[1])
        with pytest.raises(Refused, match="tournament/full"):
            await deciding.join(store, id, rows[2])
        await deciding.leave(store, id, "p_1")
        await deciding.join(store, id, rows[2])
        await deciding.start(store, id)
        for late in (rows[3],):
            with pytest.raises(Refused, match="tournament/started"):
                await deciding.join(store, id, late)
        with pytest.raises(Refused, match="tournament/started"):
            await deciding.start(store, id)
        assert await deciding.cancel(store, id) == []
        with pytest.raises(Refused, match="tournament/over"):
            await deciding.cancel(store, id)
        rated = await announce(store, rated=True)
        with pytest.raises(Refused, match="auth/no-account"):
            await deciding.join(store, rated, rows[0])
        for wrong in ({"system": "tables"}, {"seats": 3}, {"game": "chess"},
                      {"system": "tables", "game": "kilt", "seats": 5}):  # fmt: skip
            with pytest.raises(Refused):
                await announce(store, **wrong)
        for _ in range(deciding.AT_ONCE - 1):
            await announce(store)
        with pytest.raises(Refused, match="tournament/many"):
            await announce(store)

    with_rounds(str(tmp_path / "test.db"), do)


def test_who_is_erased_leaves_no_name_and_a_guest_may_become_an_account(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        store = hall.store
        who = await people(store, 4)
        played, coming = await announce(store, "robin"), await announce(store)
        await begin(store, played, who[:3])
        await deciding.join(store, coming, await store.player("p_1"))
        await rounds.look()
        await belongings.erase(store, "p_1")
        cup = await reading.load(store, played)
        assert [one.name for one in cup.entrants if one.player is None] == [belongings.NOBODY]
        assert len(cup.here) == 2
        assert (await reading.load(store, coming)).entrants == []
        await People(store).adopt("p_0", "p_3")
        cup = await reading.load(store, played)
        assert {one.player for one in cup.entrants} == {None, "p_2", "p_3"}
        assert cup.row.host == "p_3"
        await People(store).adopt("p_2", "p_3")  # who is in it already
        assert (await reading.load(store, played)).here == {cup.of("p_3").number}  # type: ignore[union-attr]
        kept = await belongings.everything(store, await store.player("p_3"))
        assert [one["tournament_id"] for one in kept["tournaments"]] == [played]

    with_rounds(str(tmp_path / "test.db"), do)


def test_results_are_no_formula(tmp_path: Path) -> None:
    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        who = await people(hall.store, 2)
        await hall.store.execute(
            sa.update(players).where(players.c.id == "p_0").values(name="=1+1, <b>")
        )
        id = await announce(hall.store, "robin")
        await begin(hall.store, id, who)
        await rounds.look()
        (game,) = (await reading.load(hall.store, id)).games
        await end(hall.store, game.table or "", [0], [1])
        lines = list(csv.reader(io.StringIO(telling.as_csv(await reading.load(hall.store, id)))))
        assert lines[1][:7] == ["1", "1", "'=1+1, <b>", "1", "1", "0", "0"]
        assert lines[5] == ["1", "1", "1", "1", "1", "'=1+1, <b>", "1", "1", game.table]

    with_rounds(str(tmp_path / "test.db"), do)


def test_tables_and_entries_are_what_they_say(tmp_path: Path) -> None:
    """A round that could not be stored as a whole has not happened."""

    async def do(halls: list[Hall], workers: list[Rounds]) -> None:
        (hall,), (rounds,) = halls, workers
        id = await announce(hall.store)
        await deciding.add_bots(hall.store, id, "random", None, 4)
        await deciding.start(hall.store, id)
        cup = await reading.load(hall.store, id)
        await hall.store.execute(sa.update(cups).values(revision=99))  # another was quicker
        with pytest.raises(deciding.Taken):
            await rounds._go_on(cup)
        assert await hall.store.read(sa.select(boards)) == []
        assert await hall.store.read(sa.select(tables)) == []
        assert len(await hall.store.read(sa.select(entrants))) == 4

    with_rounds(str(tmp_path / "test.db"), do)
