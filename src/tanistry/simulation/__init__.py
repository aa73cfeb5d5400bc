"""Playing many matches, at random or by a policy: `tanistry.simulate(game, n=1_000_000)`."""

from tanistry.simulation.running import (
    DEVICES,
    POLICIES,
    Interrupted,
    Simulation,
    check_arguments,
    check_policy,
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
