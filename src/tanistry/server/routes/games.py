"""The games there are, every word of them, and records played again."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from tanistry.server import catalogue, replays
from tanistry.server.answers.games import Description, Games, WholeGame, Words
from tanistry.server.answers.tables import Verified
from tanistry.server.bodies import ToVerify
from tanistry.server.info import Data
from tanistry.server.routes.dependencies import Me, Worker, at_once, gives

routes = APIRouter(tags=["games"])


@routes.get("/games", **gives(Games))
async def all_games() -> Response:
    """All games in brief, and the bots there are."""
    return at_once(catalogue.games())


@routes.get("/games/{game}", **gives(WholeGame))
async def one_game(game: str, request: Request) -> Response:
    """A game with its places, cards and events; options may be given in the query."""
    return at_once(catalogue.whole(game, dict(request.query_params)))


@routes.get("/games/{game}/description", **gives(Description))
async def game_description(game: str) -> Response:
    """What a table needs to know to draw a game: its cards, places, actions and events as data."""
    return at_once(catalogue.description(game))


@routes.get("/games/{game}/words/{lang}", **gives(Words))
async def game_words(game: str, lang: str) -> Response:
    """Every text of a game in one language."""
    return at_once(catalogue.texts(game, lang))


@routes.post("/verify", **gives(Verified))
async def verify_record(worker: Worker, me: Me, body: ToVerify) -> Data:
    """Play a record again and check its commitment."""
    return await worker.hall.thinking.asked.run(me.id, replays.verify, body.record)
