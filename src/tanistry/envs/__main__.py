"""`python -m tanistry.envs` prints the table of games; with a game, its tensor table."""

from __future__ import annotations

import argparse
import os
import sys

import tanistry
from tanistry.envs import observation
from tanistry.envs.summary import table


def main() -> None:
    parser = argparse.ArgumentParser("python -m tanistry.envs", description=__doc__)
    parser.add_argument("game", nargs="?", help="print what is where in its observation")
    parser.add_argument("--seats", type=int)
    given = parser.parse_args()
    try:
        game = tanistry.game(given.game, seats=given.seats) if given.game else None
    except tanistry.OptionError as wrong:
        parser.error(str(wrong))
    try:
        print(observation(game).table() if game else table(), flush=True)
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
