"""The pictures of all tables: every choice can be reached, and nothing hidden is drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import tanistry
from tanistry.session.language import texts
from tanistry.tui.boards import Board, board_of
from tanistry.tui.canvas import Canvas
from tanistry.tui.choices import FEW, KEYS, at_spot, hand_codes, highlighted, offered, playable
from tanistry.tui.scene import Scene
from tanistry.tui.widgets import draw_hand
from tanistry.words import words

WIDTH, HEIGHT = 63, 21
"""What a screen of 100 × 30 leaves for the board."""

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("claim", {}),
    ("kilt", {"seats": 2}),
    ("kilt", {"seats": 4, "edition": "8clans"}),
    ("lords", {"seats": 2, "edition": "2010", "bruce": True}),
    ("lords", {"seats": 5}),
    ("schotten", {}),
    ("schotten", {"tactics": False, "claim": "before"}),
]
AVAILABLE = [table for table in TABLES if table[0] in tanistry.games()]
every_table = pytest.mark.parametrize(("name", "options"), AVAILABLE)


def scene_of(match: tanistry.Match, eyes: int | None, lang: str = "en") -> Scene:
    game = match.game
    names = ["Ailsa", "Angus", "Blair", "Bonnie", "Callum"][: game.seats]
    choices = match.choices() if eyes is not None and eyes == match.to_act else []
    view, tally = match.view(eyes), match.tally(eyes)
    told = words(lang, game.info), texts(lang)
    return Scene(game, view, *told, names, names, eyes, choices=choices, tally=tally)


def some_matches(name: str, options: dict[str, Any], most: int = 120) -> Iterator[tanistry.Match]:
    """A match at every one of its choices."""
    match = tanistry.game(name, **options).deal(seed=11)
    rng = random.Random(11)
    while match.to_act is not None and len(match.history) < most:
        yield match
        match.play(rng.choice(match.legal()))
    yield match


def drawing(board: Board, scene: Scene, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Canvas:
    canvas = Canvas(*size)
    board.draw(scene, canvas)
    return canvas


@every_table
def test_every_choice_can_be_reached_from_the_hand(name: str, options: dict[str, Any]) -> None:
    for match in some_matches(name, options):
        board, scene = board_of(match.game), scene_of(match, match.to_act)
        cards = range(max(1, len(hand_codes(board, scene))))
        listed = (offered(board, scene, cursor) for cursor in cards)
        reached = {choice["token"] for choices in listed for choice in choices}
        assert reached == set(match.legal())


@every_table
def test_lists_are_short_enough_for_keys(name: str, options: dict[str, Any]) -> None:
    longest = 0
    for match in some_matches(name, options):
        board, scene = board_of(match.game), scene_of(match, match.to_act)
        for cursor in range(max(1, len(hand_codes(board, scene)))):
            listed = offered(board, scene, cursor)
            longest = max(longest, len(listed))
            row = highlighted(board, scene, listed, cursor, None)
            assert row is None or 0 <= row < len(listed)
    assert longest <= len(KEYS)
    assert FEW < len(KEYS)


@every_table
def test_the_same_picture_for_the_same_knowledge(name: str, options: dict[str, Any]) -> None:
    for number, match in enumerate(some_matches(name, options)):
        if number % 9 or match.to_act is None:
            continue
        board = board_of(match.game)
        for eyes in (match.to_act, None):
            other = match.blind(eyes, seed=number)
            pictures = {drawing(board, scene_of(m, eyes)).plain() for m in (match, other)}
            assert len(pictures) == 1


@every_table
def test_any_size_and_any_eyes(name: str, options: dict[str, Any]) -> None:
    for number, match in enumerate(some_matches(name, options)):
        if number % 10:
            continue
        board = board_of(match.game)
        for eyes in (None, *range(match.game.seats)):
            for size in ((WIDTH, HEIGHT), (1, 1), (30, 8), (150, 50)):
                assert drawing(board, scene_of(match, eyes, "fr"), size).plain() is not None
            assert isinstance(board.status(scene_of(match, eyes)), str)


@every_table
def test_everything_open_is_on_the_picture(name: str, options: dict[str, Any]) -> None:
    """Cards that everybody sees and that matter now are drawn, whatever the number of seats."""
    for number, match in enumerate(some_matches(name, options)):
        if number % 5:
            continue
        board, scene = board_of(match.game), scene_of(match, match.to_act)
        picture = drawing(board, scene).plain()
        for kind in OPEN[name]:
            for code in known_in(scene, kind):
                assert board.label(code, scene) in picture


SMALL = [(53, 15), (60, 12)]
"""What 80 × 24 and 60 × 24 leave for the board."""


@pytest.mark.parametrize("size", SMALL)
@every_table
def test_small_windows_lose_nothing(
    name: str, options: dict[str, Any], size: tuple[int, int]
) -> None:
    """All that is drawn at 100 × 30 is there, on as many lines as it takes: the sheet scrolls."""
    for number, match in enumerate(some_matches(name, options)):
        if number % 10:
            continue
        board, scene = board_of(match.game), scene_of(match, match.to_act)
        lines = drawing(board, scene, size).bottom
        whole = Canvas(size[0], lines)
        whole.room = size[1]
        board.draw(scene, whole)
        assert whole.bottom == lines
        assert whole.spots() == drawing(board, scene).spots()
        for kind in OPEN[name]:
            for code in known_in(scene, kind):
                assert board.label(code, scene) in whole.plain()


OPEN = {
    "claim": ("prize", "trick"),
    "kilt": ("pyramid",),
    "lords": ("supporters", "recruits", "army"),
    "schotten": ("stone",),
}
"""Cards that matter now and that everybody sees."""


def known_in(scene: Scene, kind: str) -> list[str]:
    places = [place for place in scene.game.definition.places if place.kind == kind]
    return [code for p in places for code in scene.known(p.kind, p.owner, *p.index)]


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("kilt", "climb"),
        ("kilt", "fill"),
        ("lords", "recruit"),
        ("lords", "claim"),
        ("schotten", "play"),
        ("schotten", "take"),
        ("schotten", "draw"),
    ],
)
def test_choices_about_the_board_can_be_clicked(name: str, verb: str) -> None:
    if name not in tanistry.games():
        pytest.skip("not here yet")
    clicked = 0
    for match in some_matches(name, {}):
        board, scene = board_of(match.game), scene_of(match, match.to_act)
        spots = drawing(board, scene).spots()
        for choice in match.choices():
            if choice["verb"] == verb:
                found = board.spots(choice, scene) & spots
                assert found, choice
                assert all(choice in at_spot(board, scene, spot) for spot in found)
                clicked += 1
    assert clicked


@every_table
def test_cards_differ_by_more_than_colour(name: str, options: dict[str, Any]) -> None:
    match = tanistry.game(name, **options).deal(1)
    board = board_of(match.game)
    codes = set(board.game.codes)
    for lang in ("en", "fr"):
        scene = scene_of(match, 0, lang)
        faces = {(board.label(code, scene), board.cloth(code).symbol) for code in codes}
        assert len(faces) == len(codes)


@every_table
def test_the_hand_shows_every_card(name: str, options: dict[str, Any]) -> None:
    match = next(some_matches(name, options))
    board, scene = board_of(match.game), scene_of(match, match.to_act)
    codes = hand_codes(board, scene)
    canvas = Canvas(WIDTH, 5)
    draw_hand(board, scene, codes, 0, playable(board, scene), canvas)
    assert canvas.spots() == set(range(len(codes)))
    for code in codes:
        assert board.label(code, scene) in canvas.plain()


def test_a_game_without_a_picture_of_its_own() -> None:
    match = tanistry.game("claim").deal(3)
    board, scene = Board(match.game), scene_of(match, 0)
    picture = drawing(board, scene).plain()
    assert "Prize" in picture
    assert board.hand(scene) == ["hand"]
    assert offered(board, scene, 0) == match.choices()
    assert "Leader Ailsa" in board.status(scene), "people are called by their names"
    long = replace(scene, names=["Ailsa", "Bartholomew-Archibald"])
    assert "\nHand (Bartholomew-Archibald)\n" in drawing(board, long).plain(), "none is cut"


def test_canvas() -> None:
    canvas = Canvas(4, 2)
    assert canvas.put(-1, 0, "abcdef", "bold", "here") == 5
    assert canvas.plain() == "bcde\n"
    assert canvas.spot_at(0, 0) == "here"
    assert canvas.spot_at(9, 9) is None
    assert canvas.where("here") == (0, 0)
    assert canvas.where("there") is None
    assert canvas.segments(7) == []
    assert "".join(segment.text for segment in canvas.segments(0)) == "bcde"
    canvas.put(0, 1, "🐉", "")
    assert canvas.plain().endswith("?")
