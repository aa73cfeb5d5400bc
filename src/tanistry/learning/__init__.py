"""Players that learn by themselves: `tanistry train GAME` (extra `learn`, which brings PyTorch).

One network learns a game for all its seats and options, by playing itself, its earlier selves,
selves with odd tastes, and the bot `greedy`, on `tanistry.batch`, on a CPU or a GPU.

    settings.py   what a run is made of, as a file that is kept with the result
    brain.py      the network as PyTorch trains it, and its whole numbers for `simulation.network`
    rollouts.py   matches side by side, and what happened in them
    league.py     the opponents
    training.py   proximal policy optimisation, in pieces that can be resumed
    judging.py    how good it is, against fixed opponents
    curve.py      the same as a picture
    running.py    a run in a folder, from what a person asks for
"""
