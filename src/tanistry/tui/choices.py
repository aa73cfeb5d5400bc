"""Which choices to offer for what a person points at. No screen in it."""

from __future__ import annotations

from tanistry.session.describe import card_of
from tanistry.tui.boards import Board
from tanistry.tui.canvas import Spot
from tanistry.tui.scene import Choice, Scene

KEYS = "123456789abcdegjkmnoptvwxyz"
"""Keys for choices: all but those with a meaning of their own (f, h, i, l, q, r, s, u)."""
FEW = 16
"""So many choices are listed at once; of more, those of the card under the cursor."""


def hand_codes(board: Board, scene: Scene) -> list[str]:
    """The cards of the hand, in the order of the view."""
    if scene.seat is None:
        return []
    entries = [entry for kind in board.hand(scene) for entry in scene.cards(kind, scene.seat)]
    return [code for entry in entries if (code := card_of(entry))]


def playable(board: Board, scene: Scene) -> set[str]:
    """The cards of the hand that some legal choice is about."""
    held = set(hand_codes(board, scene))
    return {board.hand_card(choice, held) for choice in scene.choices} - {""}


def at_spot(board: Board, scene: Scene, spot: Spot) -> list[Choice]:
    """The legal choices that are about a spot of the board."""
    return [choice for choice in scene.choices if spot in board.spots(choice, scene)]


def about_card(board: Board, scene: Scene, card: str) -> list[Choice]:
    """The legal choices that are about a card of the hand."""
    held = set(hand_codes(board, scene))
    return [choice for choice in scene.choices if board.hand_card(choice, held) == card]


def cards_meant(board: Board, scene: Scene, choice: Choice) -> list[str]:
    """The cards that a choice is about and that are known: of the hand first, then on the table."""
    held = board.hand_card(choice, set(hand_codes(board, scene)))
    found = [held] if held else []
    for spot in sorted(board.spots(choice, scene), key=str):
        place, at = spot if isinstance(spot, tuple) else (spot, 0)
        cards = {at, spot} & board.cards.keys()  # named as such, or by where it lies
        entries = cards or scene.view["places"].get(place, ())[at:][:1]
        found += [code for entry in entries if entry and (code := card_of(entry))]
    return list(dict.fromkeys(found))


def offered(board: Board, scene: Scene, cursor: int, spot: Spot = None) -> list[Choice]:
    """The choices to list: those at a spot, else all if they are few, else those of the card
    under the cursor and those that are about no card of the hand."""
    if spot is not None:
        return at_spot(board, scene, spot)
    codes = hand_codes(board, scene)
    if len(scene.choices) <= FEW or not codes:
        return list(scene.choices)
    held = set(codes)
    card = codes[min(cursor, len(codes) - 1)]
    chosen, others = [], []
    for choice in scene.choices:
        about = board.hand_card(choice, held)
        if about == card:
            chosen.append(choice)
        elif not about:
            others.append(choice)
    return chosen + others


def highlighted(
    board: Board, scene: Scene, listed: list[Choice], cursor: int, spot: Spot
) -> int | None:
    """The row to highlight: the first about the card under the cursor; none if it has no row."""
    if not listed:
        return None
    codes = hand_codes(board, scene)
    held = set(codes)
    card = codes[min(cursor, len(codes) - 1)] if codes else ""
    about = [board.hand_card(choice, held) for choice in listed]
    if card in about:
        return about.index(card)
    return 0 if spot is not None or not card or not any(about) else None
