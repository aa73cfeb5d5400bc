"""Positions: everything on the table as plain data, written and read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.errors import PositionError
from tanistry.games.contract import Place
from tanistry.kernel import fields
from tanistry.table.bits import members
from tanistry.table.cards import NOWHERE

if TYPE_CHECKING:
    from tanistry.match.game import Game

HEAD = ("game", "seats", "options", "to_act", "decision", "places", "facts")


# -- writing --------------------------------------------------------------------------------------


def write_head(game: Game, s: Any) -> dict[str, Any]:
    over = s.to_act < 0
    return {
        "game": game.name,
        "seats": game.seats,
        "options": dict(game.options),
        "to_act": None if over else int(s.to_act),
        "decision": "" if over else game.definition.decisions[int(s.decision)],
    }


def spots(game: Game, s: Any, number: int) -> list[tuple[int, int]]:
    """The cards of a place as they are listed, each with its slot; card −1 for a gap."""
    place = game.definition.places[number]
    if place.order == "set":
        return [(card, NOWHERE) for card in members(s.place[number])]
    return in_order_with_slots(place, s.slots[number].tolist())


def in_order(place: Place, cards: list[int]) -> list[int]:
    """The slots of an ordered place as they are listed."""
    if place.order == "slots":
        return cards[: place.most] if any(card >= 0 for card in cards) else []
    cards = [card for card in cards if card >= 0]
    return cards[::-1] if place.order == "pile" else cards


def in_order_with_slots(place: Place, cards: list[int]) -> list[tuple[int, int]]:
    """The same, each card with the number of its slot."""
    listed = in_order(place, cards)
    slots = range(len(listed))
    return list(zip(listed, reversed(slots) if place.order == "pile" else slots))


def sets(rows: Any) -> list[int]:
    """Rows of words as one Python integer each: reading them singly costs more than all at once."""
    if rows.shape[1] == 1:
        return rows[:, 0].tolist()  # type: ignore[no-any-return]
    data, step = rows.tobytes(), rows.shape[1] * rows.itemsize
    return [int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step)]


def knowing(s: Any, card: int, row: int) -> bool:
    return bool(int(s.known[row, card >> 6]) >> (card & 63) & 1)


def implied(game: Game, s: Any, number: int, card: int) -> set[int]:
    """The seats that know a card because of where it lies."""
    seen = game.notation.seen(s, number, card)
    if seen == "owner":
        return {game.definition.places[number].owner}
    return set(range(game.seats)) if seen == "all" else set()


def _known(game: Game, s: Any) -> list[set[int]]:
    """By card, the seats that know it."""
    found: list[set[int]] = [set() for _ in game.codes]
    for seat in range(game.seats):
        for card in members(s.known[seat]):
            found[card].add(seat)
    return found


def write_position(game: Game, s: Any) -> dict[str, Any]:
    """Everything on the table."""
    places = {}
    s = fields(s)
    marks, known = game.notation.marks(s), _known(game, s)

    def written(number: int, card: int, slot: int) -> Any:
        """A card: its code, with flags and unusual knowledge where there are any."""
        if card < 0:
            return None
        entry = {"card": game.codes[card], **marks(number, card, slot)}
        if known[card] != implied(game, s, number, card):
            entry["known"] = sorted(known[card])
        return entry if len(entry) > 1 else entry["card"]

    for number, place in enumerate(game.definition.places):
        if cards := spots(game, s, number):
            entries = [written(number, card, slot) for card, slot in cards]
            if place.order == "set":  # twins that differ in who knows them have no order
                entries = _sorted_twins(entries)
            places[place.name] = entries
    return {**write_head(game, s), "places": places, "facts": game.notation.facts(s)}


def _sorted_twins(entries: list[Any]) -> list[Any]:
    """Put twins in an order that does not depend on their hidden numbers."""
    order: dict[str, int] = {}
    for entry in entries:
        order.setdefault(code_of(entry), len(order))
    return sorted(entries, key=lambda entry: (order[code_of(entry)], str(entry)))


def code_of(entry: Any) -> str:
    """The code of a card as positions list it."""
    return entry if isinstance(entry, str) else str(entry["card"])


# -- reading --------------------------------------------------------------------------------------


def read_position(game: Game, s: Any, position: Mapping[str, Any]) -> None:
    """Set the table from a position, or say what is wrong with it."""
    _check_head(game, position)
    places = _mapping(position.get("places"), "places")
    left = {code: list(cards) for code, cards in game.twins.items()}
    marked: list[tuple[int, int, Mapping[str, Any]]] = []
    for name, entries in places.items():
        number = game.place_numbers.get(name)
        if number is None:
            raise PositionError("position/place", name=name, allowed=", ".join(game.place_numbers))
        marked += _read_place(game, s, number, entries, left)
    missing = [code for code, cards in left.items() for _ in cards]
    if missing:
        raise PositionError("position/missing", cards=", ".join(missing[:5]), count=len(missing))
    _read_turn(game, s, position)
    facts = dict(_mapping(position.get("facts", {}), "facts"))
    game.notation.restore(s, facts)
    if facts:
        raise PositionError("position/fact", name=next(iter(facts)))
    for number, card, entry in marked:
        _read_known(game, s, number, card, entry.get("known"))
    game.notation.check(s)


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise PositionError("position/shape", name=name)
    return value


def _check_head(game: Game, position: Mapping[str, Any]) -> None:
    _mapping(position, "position")
    for key in position:
        if key not in HEAD:
            raise PositionError("position/key", name=key, allowed=", ".join(HEAD))
    expected = {"game": game.name, "seats": game.seats, **game.options}
    options = _mapping(position.get("options", {}), "options")
    given = {key: position[key] for key in ("game", "seats") if key in position}
    for key, value in {**given, **options}.items():
        if key not in expected:
            raise PositionError("position/option", name=key)
        if value != expected[key]:
            raise PositionError("position/other", name=key, value=value, expected=expected[key])


def _read_place(
    game: Game, s: Any, number: int, entries: Any, left: dict[str, list[int]]
) -> list[tuple[int, int, Mapping[str, Any]]]:
    place = game.definition.places[number]
    if not isinstance(entries, (list, tuple)):
        raise PositionError("position/shape", name=place.name)
    room = min(place.most, len(game.codes)) if place.owner < game.seats else 0
    if len(entries) > room:
        raise PositionError("position/crowded", name=place.name, count=len(entries), most=room)
    sets, slots, marked = s.place, s.slots, []
    for index, raw in enumerate(entries):
        if raw is None and place.order == "slots":
            continue
        entry: Mapping[str, Any] = (
            {"card": raw} if isinstance(raw, str) else _mapping(raw, place.name)
        )
        card = _take_card(game, entry.get("card"), left)
        sets[number, card >> 6] |= _bit(card)
        slot = NOWHERE
        if place.order != "set":
            slot = len(entries) - 1 - index if place.order == "pile" else index
            slots[number, slot] = card
        flags = {key: value for key, value in entry.items() if key not in ("card", "known")}
        game.notation.read_flags(s, number, card, slot, flags)
        marked.append((number, card, entry))
    return marked


def _take_card(game: Game, code: Any, left: dict[str, list[int]]) -> int:
    if not isinstance(code, str) or code not in left:
        raise PositionError("position/card", card=code)
    if not left[code]:
        raise PositionError("position/twice", card=code, count=len(game.twins[code]))
    return left[code].pop(0)


def _bit(card: int) -> np.uint64:
    return np.uint64(1 << (card & 63))


def _read_turn(game: Game, s: Any, position: Mapping[str, Any]) -> None:
    seat, decision = position.get("to_act"), position.get("decision", "")
    if seat is None and decision == "":
        s.to_act = -1
        return
    if type(seat) is not int or not 0 <= seat < game.seats:
        raise PositionError("position/to_act", value=seat, most=game.seats - 1)
    if decision not in game.definition.decisions:
        allowed = ", ".join(game.definition.decisions)
        raise PositionError("position/decision", value=decision, allowed=allowed)
    s.to_act, s.decision = seat, game.definition.decisions.index(decision)


def _read_known(game: Game, s: Any, number: int, card: int, known: Any) -> None:
    seats = implied(game, s, number, card)
    if known is not None:
        if not isinstance(known, (list, tuple)) or not all(
            type(seat) is int and 0 <= seat < game.seats for seat in known
        ):
            raise PositionError("position/known", card=game.codes[card], most=game.seats - 1)
        seats = set(known)
    rows = set(seats)
    kind = game.definition.places[number].kind
    everybody = len(seats) == game.seats
    if everybody and (known is None or kind not in game.definition.secret_from_public):
        # Unused seats follow the public: kernels show a card to every row.
        rows = set(range(game.public_row + 1))
    s.known[list(rows), card >> 6] |= _bit(card)
