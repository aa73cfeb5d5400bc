"""Puzzles count once, for whoever has an account; what is kept of them is theirs."""

from __future__ import annotations

import asyncio
import secrets

import pytest
import sqlalchemy as sa

from tanistry.analysis.puzzling import puzzles
from tanistry.client import Client
from tanistry.client.http import RefusedByServer
from tanistry.server import belongings, puzzling
from tanistry.server.puzzling import PROVISIONAL, SUREST, Skill, after_try
from tanistry.server.refusals import Refused
from tanistry.server.schema import players, puzzle_tries
from tanistry.server.store import Store
from tests.server.processes import Process
from tests.server.test_store import with_store

KEPT = puzzles("claim")
assert KEPT
FIRST, SECOND = KEPT.puzzles[:2]


def test_a_rating_moves_less_the_surer_it_is() -> None:
    start = Skill()
    won, lost = after_try(start, 1200, True), after_try(start, 1200, False)
    assert won.rating - start.rating == pytest.approx(start.rating - lost.rating)
    assert won.deviation < start.deviation
    sure = Skill(1200, 60)
    assert 0 < after_try(sure, 1200, True).rating - 1200 < won.rating - 1200


def test_a_hard_puzzle_is_worth_more_and_an_easy_one_costs_more() -> None:
    start = Skill()
    assert after_try(start, 1500, True).rating > after_try(start, 900, True).rating
    assert after_try(start, 900, False).rating < after_try(start, 1500, False).rating


def test_whoever_solves_every_other_time_comes_to_the_rating_of_the_puzzles() -> None:
    skill = Skill()
    for number in range(200):
        skill = after_try(skill, 1500, number % 2 == 0)
    assert abs(skill.rating - 1500) < 60
    assert SUREST <= skill.deviation < PROVISIONAL


def test_only_the_first_try_counts(database: str) -> None:
    async def do(store: Store) -> None:
        values = {"id": "p_me", "name": "Ailsa", "login": "ailsa", "session": 0, "created": 1}
        await store.execute(sa.insert(players).values(**values))
        attempt = puzzling.attempt
        missed = await attempt(store, "p_me", "claim", FIRST.name, FIRST.mistake)
        assert (missed["solved"], missed["counts"]) == (False, True)
        assert missed["value"] < missed["before"] == 1200
        again = await attempt(store, "p_me", "claim", FIRST.name, FIRST.solution)
        assert again == {
            "solved": True, "counts": False, "before": missed["value"], "value": missed["value"],
        }  # fmt: skip
        both = await asyncio.gather(
            *(attempt(store, "p_me", "claim", SECOND.name, SECOND.solution) for _ in range(4))
        )
        assert sum(one["counts"] for one in both) == 1
        told = await puzzling.ratings_of(store, "p_me")
        value = max(one["value"] for one in both)
        assert told == {"claim": {"value": value, "tried": 2, "solved": 1, "provisional": True}}
        assert await puzzling.tried_by(store, "p_me") == {
            "claim": {FIRST.name: False, SECOND.name: True}
        }
        for game, name, token, code in (
            ("claim", "1-1", FIRST.solution, "puzzle/unknown"),
            ("heir", FIRST.name, FIRST.solution, "puzzle/unknown"),
            ("claim", FIRST.name, "nonsense", "puzzle/choice"),
        ):
            with pytest.raises(Refused) as refused:
                await attempt(store, "p_me", game, name, token)
            assert refused.value.code == code
        row = await store.player("p_me")
        kept = (await belongings.everything(store, row))["puzzles"]
        assert [(one["puzzle"], one["solved"]) for one in kept] == [
            (FIRST.name, False), (SECOND.name, True),
        ]  # fmt: skip
        await belongings.erase(store, "p_me")
        assert not list(await store.read(sa.select(puzzle_tries)))

    with_store(database, do)


def test_over_the_wire(server: Process) -> None:
    path = "/games/claim/puzzles/tries"
    with Client(server.url) as client:
        client.request("GET", "/me")
        right = {"puzzle": FIRST.name, "token": FIRST.solution}
        with pytest.raises(RefusedByServer, match="account"):
            client.request("POST", path, right)
        account = {
            "login": f"puzzler.{secrets.token_hex(4)}",
            "password": "a long sentence is good",
        }
        me = client.request("POST", "/account", account)
        assert client.request("GET", "/me/puzzles") == {"ratings": {}, "tried": {}}
        given_up = client.request("POST", path, {"puzzle": SECOND.name})
        assert (given_up["solved"], given_up["counts"]) == (False, True)
        assert client.request("POST", path, right)["solved"]
        tried = client.request("GET", "/me/puzzles")
        assert tried["tried"] == {"claim": {SECOND.name: False, FIRST.name: True}}
        profile = client.request("GET", f"/players/{me['id']}/profile")
        assert profile["puzzles"] == tried["ratings"]
        client.request("PUT", "/me/profile", {"private": True})
        for wrong in ({"puzzle": "x"}, {"puzzle": FIRST.name, "token": 3}, {}):
            with pytest.raises(RefusedByServer):
                client.request("POST", path, wrong)
        with Client(server.url) as other:
            other.request("GET", "/me")
            with pytest.raises(RefusedByServer, match="private"):
                other.request("GET", f"/players/{me['id']}/profile")
