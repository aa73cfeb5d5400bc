"""Playing many matches at random: `tanistry.simulate(game, n=1_000_000)`."""

from tanistry.simulation.running import DEVICES, Simulation, check_arguments, simulate

__all__ = ["DEVICES", "Simulation", "check_arguments", "simulate"]
