"""What people write on a command line: seeds, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import tanistry
from tanistry.bots import bots
from tanistry.errors import SeatError, SeedError
from tanistry.match import Game
from tanistry.match.seeds import seed_bytes
from tanistry.session.names import NAMES
from tanistry.session.session import Player, bot_player

PERSON = "human"
CASUAL = ("people", "greedy", "random")
"""Whom to play against when nobody is asked for: the first of these that there is."""


def read_seed(text: str | None) -> int | bytes | None:
    """A seed as people write it: a number, or 64 hexadecimal digits as in a record."""
    if text is None:
        return None
    try:
        seed = bytes.fromhex(text) if len(text) == 64 else int(text)
        seed_bytes(seed)
    except ValueError:
        raise SeedError("seed_text", value=text) from None
    return seed


def default_opponent() -> str:
    """The bot to play against when nobody said which."""
    return next(name for name in CASUAL if name in bots())


def read_players(
    game: Game,
    given: Sequence[str],
    opponents: str | None,
    names: Sequence[str],
    seed: int | bytes | None = None,
) -> list[Player]:
    """Who sits where: seat 0 a person and the others `opponents`, unless `given` says otherwise.

    `given` are texts like `1=random` or `2=human`; `names` are for the people, in order.
    """
    seated = [PERSON, *[opponents or default_opponent()] * (game.seats - 1)]
    for item in given:
        number, _, who = item.partition("=")
        if not number.strip().isdecimal() or int(number) >= game.seats:
            raise SeatError("seat", value=number, allowed=f"0–{game.seats - 1}")
        seated[int(number)] = who.strip() or PERSON
    given_names = [line for name in names if (line := " ".join(name.split()))]
    spare = [name for name in NAMES if name not in given_names]
    players = []
    for seat, who in enumerate(seated):
        named = given_names.pop(0) if who == PERSON and given_names else spare.pop(0)
        if who == PERSON:
            players.append(Player(named))
        else:
            bot = tanistry.bot(who, seed=_bot_seed(seed, seat))
            players.append(bot_player(bot, seat, named))
    return players


def _bot_seed(seed: int | bytes | None, seat: int) -> bytes | None:
    """A stream of its own for each bot, so that a seeded match can be had again."""
    return None if seed is None else sha256(b"bot %d" % seat + seed_bytes(seed)).digest()
