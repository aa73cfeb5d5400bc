"""A match as text and as a picture, for people who watch a learner. Everything is shown."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tanistry.envs.optional import how_to_get
from tanistry.errors import OptionError
from tanistry.match.positions import code_of

if TYPE_CHECKING:
    from tanistry.match import Match

SIZE = WIDTH, HEIGHT = 960, 720
"""All pictures have one size, so that they make a film."""
MARGIN, LABEL = 16, 150
CLOTH, INK, PAPER, BACK = (28, 48, 44), (20, 20, 20), (250, 246, 236), (120, 120, 110)
CARD = 46, 34
"""Width and height of a card, if there is room."""

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]
Line = tuple[str, list[Any]]
"""A label and the cards beside it: entries as positions have them, None for a gap."""


def headline(match: Match) -> str:
    title = f"{match.game.name}, {len(match.history)} choices"
    if match.result is not None:
        return f"{title}. Over: {'–'.join(map(str, match.result.scores))}"
    return f"{title}. To act: seat {match.to_act}, {match.decision}"


def lines_of(match: Match) -> list[Line]:
    """The places with cards; those of one group (a stone, a row of the pyramid) on one line.

    In a group each place keeps its spot, whatever lies in the others.
    """
    filled = match.position()["places"]
    found: dict[str, list[Any]] = {}
    for place in match.game.definition.places:
        entries = filled.get(place.name, [])
        if place.index:
            group = f"{place.kind}.{place.index[0]}"
            room = place.most if place.most < 1000 else len(entries)
            found.setdefault(group, []).extend([*entries, *[None] * (room - len(entries) + 1)])
        elif entries:
            found[place.name] = entries
    return [(name, entries) for name, entries in found.items() if any(entries)]


def is_hidden(entry: Any) -> bool:
    """Whether a card lies face down."""
    return isinstance(entry, dict) and entry.get("up") is False


def label_of(entry: Any) -> str:
    """A card by its code, in brackets if it lies face down."""
    if entry is None:
        return "·"
    return f"({code_of(entry)})" if is_hidden(entry) else code_of(entry)


def known_mode(mode: str | None, metadata: dict[str, Any]) -> str | None:
    """A way to render, if the environment has it."""
    modes = metadata["render_modes"]
    if mode is not None and mode not in modes:
        raise OptionError("option/value", name="render_mode", value=mode, allowed=", ".join(modes))
    return mode


def draw_text(match: Match) -> str:
    """The whole table, a line for each place that has cards."""
    lines = [headline(match)]
    for label, entries in lines_of(match):
        lines.append(f"  {label:<14} {' '.join(map(label_of, entries))}")
    facts = ", ".join(f"{name} {value}" for name, value in match.position()["facts"].items())
    return "\n".join([*lines, f"  {facts}" if facts else ""]).rstrip() + "\n"


def draw_picture(match: Match) -> NDArray[np.uint8]:
    """The same as a picture: height × width × 3."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as missing:
        raise how_to_get(missing) from None
    image = Image.new("RGB", SIZE, CLOTH)
    draw = ImageDraw.Draw(image)
    draw.text((MARGIN, MARGIN // 2), headline(match), PAPER, ImageFont.load_default(18))
    lines = lines_of(match)
    wide, high = _card_size(lines)
    font = ImageFont.load_default(max(7, wide // 3))
    suits = {card.code: card.suit or card.code for card in match.game.cards}
    colours = _colours(suits.values())
    y = 40
    for label, entries in lines:
        draw.text((MARGIN, y), label, PAPER, font)
        for number, entry in enumerate(entries):
            across, down = number % _per_line(wide), number // _per_line(wide)
            if entry is not None:
                left, top = MARGIN + LABEL + across * wide, y + down * high
                box = left, top, left + wide - 3, top + high - 3
                colour = BACK if is_hidden(entry) else colours[suits[code_of(entry)]]
                ink = PAPER if is_hidden(entry) else INK
                _draw_card(draw, box, label_of(entry), colour, ink, font)
        y += high * (1 + (len(entries) - 1) // _per_line(wide)) + 2
    return np.asarray(image, np.uint8)


def _per_line(wide: int) -> int:
    return (WIDTH - 2 * MARGIN - LABEL) // wide


def _card_size(lines: list[Line]) -> tuple[int, int]:
    """The largest cards with which all lines fit into the picture."""
    for percent in range(100, 20, -5):
        wide, high = (side * percent // 100 for side in CARD)
        rows = sum(1 + (len(entries) - 1) // _per_line(wide) for _, entries in lines)
        if 40 + rows * (high + 2) <= HEIGHT:
            break
    return wide, high


def _colours(named: Iterable[str]) -> dict[str, Colour]:
    """A colour for each suit, as far from the others as may be."""
    suits = list(dict.fromkeys(named))
    hues = (0.618 * number % 1 for number in range(len(suits)))  # neighbours differ most
    found = {}
    for suit, hue in zip(suits, hues, strict=True):
        red, green, blue = colorsys.hls_to_rgb(hue, 0.8, 0.7)
        found[suit] = int(255 * red), int(255 * green), int(255 * blue)
    return found


def _draw_card(draw: Any, box: Box, label: str, colour: Colour, ink: Colour, font: Any) -> None:
    draw.rounded_rectangle(box, 4, colour, INK)
    centre = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    room = box[2] - box[0] - 2
    if draw.textlength(label, font) > room:
        font = font.font_variant(size=font.size * room / draw.textlength(label, font))
    draw.text(centre, label, ink, font, anchor="mm")
