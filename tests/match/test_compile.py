"""`game.compile()`: afterwards nothing that plays the game waits for a compiler."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import tanistry
from numba.core.dispatcher import Dispatcher
from tanistry.bots.registry import own_bots
from tanistry.simulation.policies import policies_of

made = []
add = Dispatcher.add_overload

def counted(self, version):
    made.append(self.py_func.__name__)
    add(self, version)

Dispatcher.add_overload = counted
game = tanistry.game(sys.argv[1])
game.compile()
assert len(made) > 10, made
made.clear()

match = game.deal(seed=1)
for name in own_bots():
    for _ in range(2):
        effort = {"iterations": 8} if name == "ismcts" else {}
        match.play(tanistry.bot(name, seed=1, **effort).choose(match))
tanistry.bot("ismcts", seed=1, iterations=8).analyse(match)
match.view(0), match.view(None), match.tally(0), match.choices(), match.blind(0, 1)
game.setup(match.position())
tanistry.replay(game.deal(seed=1).record())
for policy in policies_of(game):
    tanistry.simulate(game, n=65, threads=2, policy=policy)
for keep_last in (False, True):
    rows = tanistry.batch(game, 8, seed=1, threads=2, keep_last=keep_last)
    rows.step(rows.random_actions())
rows = tanistry.batch(game, 8, observing=False)
rows.step([0] * 8)
print(made)
"""


@pytest.mark.parametrize("name", ["claim", "kilt"])
def test_nothing_is_compiled_afterwards(name: str) -> None:
    """Versions that are loaded count as well: what the cache has, another machine compiles."""
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, name], check=True, capture_output=True, text=True
    )
    assert found.stdout == "[]\n"
