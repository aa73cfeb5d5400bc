"""Loading a game's rules: compiled once and kept, which takes a while the first time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tanistry.bots import BotSpec
from tanistry.match.rehearsal import rehearse

if TYPE_CHECKING:
    from tanistry.match import Game

PATIENCE = 0.8
"""Seconds after which a person wants to know why nothing happens."""


def warm_up(game: Game, bots: Sequence[str] = ()) -> None:
    """Run everything a match runs once, so that it is compiled or read from the cache.

    `bots` are specifications; each is asked for one choice, at its lowest level.
    """
    rehearse(game)
    for spec in {BotSpec.read(text).weakest for text in bots}:
        spec.bot(0).choose(game.deal(seed=0))


def with_patience(work: Callable[[], Any], message: str) -> Any:
    """The result of `work`; if it takes long, `message` is on the error output meanwhile."""
    found: list[Any] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as wrong:
            failed.append(wrong)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if thread.is_alive():
        if sys.stderr.isatty():
            from rich.console import Console

            with Console(stderr=True).status(message):
                thread.join()
        else:
            print(message, file=sys.stderr, flush=True)
            thread.join()
    if failed:
        raise failed[0]
    return found[0]
