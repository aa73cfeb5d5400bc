"""Environments for researchers: the games as arrays, for learners and for other libraries.

observation(game)         what is where in an observation
observe(match, seat)      what a seat knows, as a row of bytes
rewards(match)            what the match was worth to each seat, −1 to 1
Recall(match)             the information state: all a seat has seen and chosen since the deal
"""

from tanistry.envs.recall import Recall
from tanistry.envs.rewarding import rewards
from tanistry.simulation.observation import Layout, Section, observation, observe

__all__ = ["Layout", "Recall", "Section", "observation", "observe", "rewards"]
