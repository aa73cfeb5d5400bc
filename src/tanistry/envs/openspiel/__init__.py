"""The games in OpenSpiel. Importing this registers them: `tanistry_claim`, `tanistry_lords` …

    import pyspiel, tanistry.envs.openspiel
    game = pyspiel.load_game("tanistry_lords(players=3,bruce=true)")

`load(game)` takes a game of ours instead. Options are game parameters of the same names, and
`players` is how many sit at the table. Games that offer a small variant (`tanistry_claim_small`)
have it registered too: small enough for algorithms that walk through the whole tree.
"""

from importlib import import_module
from importlib.util import find_spec

from tanistry.envs.openspiel.game import TanistryGame, TanistryState, load, register
from tanistry.games import registry

__all__ = ["TanistryGame", "TanistryState", "load"]

for _info in registry.games().values():
    register(_info)
    if find_spec(f"{_info.package}.small"):
        register(_info, import_module(f"{_info.package}.small").SIZE)
