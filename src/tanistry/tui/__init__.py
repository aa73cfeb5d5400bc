"""The game on a terminal's screen, with keyboard and mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tanistry.analysis.coaching import Coach
    from tanistry.session.hints import Adviser
    from tanistry.session.replay import Eyes, Reel
    from tanistry.session.session import Session

__all__ = ["play_session", "show_reel"]


def play_session(
    session: Session, adviser: Adviser | None = None, pace: float = 0.6, coach: Coach | None = None
) -> None:
    """Play a match on the screen until it is over or left."""
    from tanistry.tui.play import PlayApp

    PlayApp(session, adviser, pace, coach).run_to_end()


def show_reel(reel: Reel, eyes: Eyes) -> None:
    """Step through a record on the screen."""
    from tanistry.tui.replay import ReplayApp

    ReplayApp(reel, eyes).run_to_end()
