"""Playing many matches, at random or by a policy: `tanistry.simulate(game, n=1_000_000)`."""

from tanistry.simulation.policies import POLICIES, check_policy
from tanistry.simulation.running import (
    DEVICES,
    Interrupted,
    Simulation,
    check_arguments,
    simulate,
)

__all__ = [
    "DEVICES",
    "POLICIES",
    "Interrupted",
    "Simulation",
    "check_arguments",
    "check_policy",
    "simulate",
]
