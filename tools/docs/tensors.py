"""What is where in the observation of each game, from the layout the code itself uses."""

from __future__ import annotations

import tanistry
from tanistry.envs import observation
from tanistry.games.contract import GameInfo

LEAD = """\
# The tensor tables

What a seat knows, as one row of bytes: the same numbers in every environment. `index` is where a
section begins, `shape` how it reads as a table (rows × columns), `values` the smallest and largest
number that can stand there. The tables are made from the code; other options and numbers of
seats have their own, and `observation(game)` has them all:

```python
>>> import tanistry
>>> from tanistry.envs import observation, observe
>>> game = tanistry.game("claim")
>>> layout = observation(game)
>>> row = observe(game.deal(seed=42), 0)
>>> len(row) == layout.size
True
>>> sections = layout.read(row)     # by name, as tables

```

The action numbers are those of `game.tokens`, the game's whole vocabulary in its fixed order.
"""


def page() -> str:
    parts = [LEAD]
    for info in tanistry.games().values():
        parts.append(f"## {info.title['en']}")
        for seats in sorted({info.seats[0], info.seats[-1]}):
            parts += [*_table(info, seats)]
    return "\n\n".join(parts) + "\n"


def _table(info: GameInfo, seats: int) -> list[str]:
    game = tanistry.game(info.name, seats=seats)
    layout = observation(game)
    about = f"{layout.size} numbers, {len(game.tokens)} actions, default options."
    return [f"### {info.title['en']}, {seats} seats", about, layout.table()]
