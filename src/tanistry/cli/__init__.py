"""The command `tanistry`: play, look up rules, replay and simulate in a terminal."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """What the installed command runs; everything behind it is loaded when it is needed."""
    import sys

    from tanistry.cli.app import run

    sys.exit(run(sys.argv[1:]))
