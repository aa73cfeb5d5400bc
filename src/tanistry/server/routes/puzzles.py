"""Puzzles: the first try of each counts for whoever has an account."""

from __future__ import annotations

from fastapi import APIRouter

from tanistry.server import catalogue, puzzling
from tanistry.server.answers.people import PuzzlesTried, PuzzleTry
from tanistry.server.bodies import PuzzleChoice
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import Me, Worker, gives

routes = APIRouter(tags=["people"])


@routes.get("/me/puzzles", **gives(PuzzlesTried))
async def my_puzzles(worker: Worker, me: Me) -> Data:
    """Your ratings at puzzles, and which you have tried."""
    return {
        "ratings": await puzzling.ratings_of(worker.store, me.id),
        "tried": await puzzling.tried_by(worker.store, me.id),
    }


@routes.post("/games/{game}/puzzles/tries", **gives(PuzzleTry))
async def try_puzzle(worker: Worker, me: Me, game: str, body: PuzzleChoice) -> Data:
    """Say what you would choose; the first time you say so for a puzzle, your rating moves."""
    if me.login is None:
        raise Refused("auth/no-account")
    name = catalogue.game_info(game).name
    return await puzzling.attempt(worker.store, me.id, name, body.puzzle, body.token)
