"""Which choices to offer for what a person points at. No screen in it."""

from __future__ import annotations

from tanistry.session.describe import card_of
from tanistry.tui.boards import Board
from tanistry.tui.scene import Scene

KEYS = "123456789abcdegijklmnoptuvwxyz"
"""Keys for choices: all but those with a meaning of their own (f, h, q, r, s)."""
FEW = 16
"""So many choices are listed at once; of more, those of the card under the cursor."""


def hand_codes(board: Board, scene: Scene) -> list[str]:
    """The cards of the hand, in the order of the view."""
    if scene.seat is None:
        return []
    entries = [entry for place in board.hand(scene) for entry in scene.cards(place)]
    return [code for entry in entries if (code := card_of(entry))]


def playable(board: Board, scene: Scene) -> set[str]:
    """The cards of the hand that some legal token is about."""
    held = set(hand_codes(board, scene))
    return {board.hand_code(token, held) for token in scene.legal} - {""}


def at_spot(board: Board, scene: Scene, spot: str) -> list[str]:
    """The legal tokens that are about a spot of the board."""
    return [token for token in scene.legal if spot in board.spots(token, scene)]


def about_card(board: Board, scene: Scene, card: str) -> list[str]:
    """The legal tokens that are about a card of the hand."""
    held = set(hand_codes(board, scene))
    return [token for token in scene.legal if board.hand_code(token, held) == card]


def offered(board: Board, scene: Scene, cursor: int, spot: str = "") -> list[str]:
    """The choices to list: those at a spot, else all if they are few, else those of the card
    under the cursor and those that are about no card of the hand."""
    if spot:
        return at_spot(board, scene, spot)
    codes = hand_codes(board, scene)
    if len(scene.legal) <= FEW or not codes:
        return scene.legal
    held = set(codes)
    card = codes[min(cursor, len(codes) - 1)]
    about = {token: board.hand_code(token, held) for token in scene.legal}
    chosen = [token for token in scene.legal if about[token] == card]
    return chosen + [token for token in scene.legal if not about[token]]


def highlighted(
    board: Board, scene: Scene, listed: list[str], cursor: int, spot: str
) -> int | None:
    """The row to highlight: the first about the card under the cursor; none if it has no row."""
    if not listed:
        return None
    codes = hand_codes(board, scene)
    held = set(codes)
    card = codes[min(cursor, len(codes) - 1)] if codes else ""
    about = [board.hand_code(token, held) for token in listed]
    if card in about:
        return about.index(card)
    return 0 if spot or not card or not any(about) else None
