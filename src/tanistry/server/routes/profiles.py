"""People who may not know each other: profiles, and who is best at a game."""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Query

from tanistry.server import catalogue, profiles
from tanistry.server.answers.people import BestPlayers, Player, Profile
from tanistry.server.bodies import NewProfile
from tanistry.server.info import Data
from tanistry.server.refusals import Refused
from tanistry.server.routes.dependencies import Me, Perhaps, Worker, gives
from tanistry.server.schema import players


async def _are_shown(worker: Worker) -> None:
    if not worker.config.people:
        raise Refused("people/off")


routes = APIRouter(tags=["people"], dependencies=[Depends(_are_shown)])


@routes.get("/players", **gives(BestPlayers))
async def best_players(
    worker: Worker,
    game: Annotated[str, Query(max_length=40)],
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Data:
    """The best rated at a game, among those of whom enough is known."""
    name = catalogue.game_info(game).name
    found = await profiles.best(worker.store, name, limit)
    return {"players": found, "least": profiles.LEAST_RATED}


@routes.get("/players/{player}/profile", **gives(Profile))
async def a_profile(worker: Worker, perhaps: Perhaps, player: str) -> Data:
    """Somebody's ratings over time and their results; `me`: your own."""
    viewer = perhaps.id if perhaps is not None else None
    row = perhaps if player == "me" else await worker.store.player(player[:24])
    if row is None:
        raise Refused("auth/nobody" if player == "me" else "player/unknown")
    return await profiles.profile(worker.store, row, viewer)


@routes.put("/me/profile", **gives(Player))
async def show_or_hide(worker: Worker, me: Me, body: NewProfile) -> Data:
    """Whether your profile is for you alone: others see no ratings of yours but at a table."""
    change = sa.update(players).where(players.c.id == me.id)
    await worker.store.execute(change.values(private=body.private))
    return await worker.people.own_data(me.id)
