"""When Python looks for objects that only hold each other: seldom, and best when nobody plays.

What a match leaves behind lives as long as its table and needs no looking at; cycles come from
connections and requests. A look at everything stops the server for as long as there are tables.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

YOUNG = 500
"""Objects after which the newest are looked at: a fraction of a millisecond."""
SOME, MANY = 50, 20_000
"""So many times; then everything is looked at once nobody plays, or whoever plays: with 500 matches
that stops them for a third of a second. A closed connection leaves a hundred objects to be found
(counted); most of what is new is matches, and stays. How much memory waits for it at most has not
been measured."""
QUIET = 3.0
"""Seconds without anything stored: nobody plays."""


def begin() -> None:
    """Leave alone what is there by now, and from now on whatever is not new."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 2 * MANY, 1)


async def tidy_forever(stored_at: Callable[[], float]) -> None:
    """Look at everything when it is time; `stored_at` says when something was stored last."""
    while True:
        await asyncio.sleep(1)
        looks = gc.get_count()[1]
        quiet = time.monotonic() - stored_at() > QUIET
        if looks > (SOME if quiet else MANY):
            gc.collect()
