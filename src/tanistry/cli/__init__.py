"""The command `tanistry`: play, look up rules, replay and simulate in a terminal."""

from __future__ import annotations

from tanistry.cli.status import INTERRUPTED

__all__ = ["main"]


def main() -> None:
    """What the installed command runs; everything behind it is loaded when it is needed."""
    import sys

    try:
        from tanistry.cli.app import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while it was being loaded
        status = INTERRUPTED
    sys.exit(status)
