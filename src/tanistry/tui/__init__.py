"""The game on a terminal's screen, with keyboard and mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tanistry.cli.hints import Adviser
    from tanistry.cli.reel import Eyes, Reel
    from tanistry.cli.sitting import Sitting

__all__ = ["play_sitting", "show_reel"]


def play_sitting(sitting: Sitting, adviser: Adviser | None = None, pace: float = 0.6) -> None:
    """Play a match on the screen until it is over or left."""
    from tanistry.tui.play import PlayApp

    PlayApp(sitting, adviser, pace).run_to_end()


def show_reel(reel: Reel, eyes: Eyes) -> None:
    """Step through a record on the screen."""
    from tanistry.tui.replay import ReplayApp

    ReplayApp(reel, eyes).run_to_end()
