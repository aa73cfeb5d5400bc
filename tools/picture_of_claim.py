"""Draw docs/pictures/claim-terminal.svg: a match of Claim in the terminal.

    python tools/picture_of_claim.py

The picture is the screen itself, a few tricks into a match with a fixed seed.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import tanistry
from tanistry.cli.reading import read_players
from tanistry.session.session import Session
from tanistry.tui.play import PlayApp

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "claim-terminal.svg"
SEED = 40
CHOICES = 14


def has_to_follow(session: Session) -> bool:
    """Whether the person must answer a card, and may not play just any."""
    view = session.match.view(0)
    return "trick.1" in view["places"] and 1 < len(view["legal"]) < len(view["places"]["hand.0"])


async def picture() -> str:
    game = tanistry.game("claim", first=1)
    session = Session(game.deal(SEED), read_players(game, [], "greedy", ["Ailsa"], SEED), "en")
    bot = tanistry.bot("greedy", seed=SEED)
    while len(session.match.history) < CHOICES or not has_to_follow(session):
        session.play(bot.choose(session.match))
    app = PlayApp(session, pace=0.0)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        return app.export_screenshot(title="tanistry play claim")


def self_contained(svg: str) -> str:
    """Without fonts from elsewhere: whoever looks at it has a monospaced font of their own."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono")


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(self_contained(asyncio.run(picture())), "utf-8")
    print(PICTURE)
