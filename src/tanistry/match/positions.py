"""Positions and views: the table as plain data.

A view is built up: a card appears in it only because the seat's own row of knowledge has it, a
fact only because the game lists it. Nothing is masked out of a fuller picture.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

from tanistry.errors import PositionError
from tanistry.games.contract import Place, Seen
from tanistry.table.bits import members

if TYPE_CHECKING:
    from tanistry.match.game import Game
    from tanistry.match.match import Match

HEAD = ("game", "seats", "options", "to_act", "decision", "places", "facts")


# -- writing --------------------------------------------------------------------------------------


def _head(game: Game, s: Any) -> dict[str, Any]:
    over = s.to_act < 0
    return {
        "game": game.name,
        "seats": game.seats,
        "options": dict(game.options),
        "to_act": None if over else int(s.to_act),
        "decision": "" if over else game.definition.decisions[int(s.decision)],
    }


def spots(game: Game, s: Any, number: int) -> list[int]:
    """The cards of a place as they are listed; −1 for a gap."""
    place = game.definition.places[number]
    if place.order == "set":
        return members(s.place[number])
    return _in_order(place, s.slots[number].tolist())


def _in_order(place: Place, cards: list[int]) -> list[int]:
    if place.order == "slots":
        return cards[: place.most] if any(card >= 0 for card in cards) else []
    cards = [card for card in cards if card >= 0]
    return cards[::-1] if place.order == "pile" else cards


def knowing(s: Any, card: int, row: int) -> bool:
    return bool(int(s.known[row, card >> 6]) >> (card & 63) & 1)


def implied(game: Game, s: Any, place: Place, card: int) -> set[int]:
    """The seats that know a card because of where it lies."""
    custom = game.definition.seen
    seen: Seen = custom(s, place, card) if custom else place.seen
    if seen == "owner":
        return {place.owner}
    return set(range(game.seats)) if seen == "all" else set()


def _entry(game: Game, s: Any, place: Place, card: int) -> Any:
    """A card in a position: its code, with flags and unusual knowledge where there are any."""
    if card < 0:
        return None
    entry = {"card": game.codes[card], **game.definition.flags(s, place, card)}
    known = {seat for seat in range(game.seats) if knowing(s, card, seat)}
    if known != implied(game, s, place, card):
        entry["known"] = sorted(known)
    return entry if len(entry) > 1 else entry["card"]


def write_position(game: Game, s: Any) -> dict[str, Any]:
    """Everything on the table."""
    places = {}
    for number, place in enumerate(game.definition.places):
        if cards := spots(game, s, number):
            entries = [_entry(game, s, place, card) for card in cards]
            if place.order == "set":  # twins that differ in who knows them have no order
                entries = _sorted_twins(entries)
            places[place.name] = entries
    return {**_head(game, s), "places": places, "facts": game.definition.facts(s)}


def _sorted_twins(entries: list[Any]) -> list[Any]:
    """Put twins in an order that does not depend on their hidden numbers."""
    order: dict[str, int] = {}
    for entry in entries:
        order.setdefault(_code(entry), len(order))
    return sorted(entries, key=lambda entry: (order[_code(entry)], str(entry)))


def _code(entry: Any) -> str:
    return entry if isinstance(entry, str) else str(entry["card"])


class Reading:
    """A record, as an array of one, to read from in Python; `reading_of` gives it its fields.

    From such an array NumPy reads several times as fast as from the record itself.
    """

    def __init__(self, record: Any) -> None:
        self._record = record

    def __getitem__(self, name: str) -> Any:
        return self._record[name][0]


@cache
def reading_of(fields: tuple[str, ...]) -> Any:
    """A class to read records with: its properties are several times as quick as `__getattr__`."""

    def read(name: str) -> property:
        return property(lambda self: self._record[name][0])

    return type("Reading", (Reading,), {name: read(name) for name in fields})


Sight = tuple[list[Any], int]
"""A place as a seat sees it: the entries it can tell apart, and how many backs come after them."""


class Look:
    """A look at a match as it is now: read once, for as many seats as are told of it.

    Ask it before the next choice. An earlier look remembers what it has shown.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self._game = match.game
        self._s = s = reading_of(match.game.definition.dtype.names)(match._cell)
        self._held, self._known = _sets(s.place), _sets(s.known)
        self._facts = match.game.definition.facts(s)
        self._to_act, self._decision = match.to_act, match.decision
        self._shown: dict[int | None, list[Sight]] = {}
        self._legal: list[str] | None = None
        self._since: Look | None = None
        self._moved: list[int] = []

    @property
    def legal(self) -> list[str]:
        """The tokens of the seat to act."""
        if self._legal is None:
            self._legal = self._match.legal()
        return self._legal

    def has_shown(self, seat: int | None) -> bool:
        return seat in self._shown

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may know."""
        places = {
            place.name: _entries(sight)
            for place, sight in zip(self._game.definition.places, self._sights(seat))
            if sight != NOTHING
        }
        view = {**_head(self._game, self._s), "places": places, "facts": self._facts, "seat": seat}
        return self._with_legal(seat, view)

    def change(self, seat: int | None, before: Look) -> dict[str, Any]:
        """What differs for a seat from an earlier look that was shown to it."""
        sights = zip(self._game.definition.places, self._sights(seat, before), before._sights(seat))
        change: dict[str, Any] = {
            "to_act": self._to_act,
            "decision": self._decision,
            "places": {
                place.name: sight[0] + [BACK] * sight[1]
                for place, sight, was in sights
                if sight is not was and sight != was
            },
        }
        if self._facts != before._facts:
            change["facts"] = self._facts
        return self._with_legal(seat, change)

    def _with_legal(self, seat: int | None, found: dict[str, Any]) -> dict[str, Any]:
        if seat is not None and seat == self._to_act:
            found["legal"] = self.legal
        return found

    def _sights(self, seat: int | None, before: Look | None = None) -> list[Sight]:
        if seat not in self._shown:
            row = self._game.row(seat)
            if before is None or not self._game.plain:
                self._shown[seat] = self._all_sights(self._known[row])
            else:
                news = self._known[row] ^ before._known[row]
                self._shown[seat] = self._new_sights(seat, self._known[row], news, before)
        return self._shown[seat]

    def _all_sights(self, known: int) -> list[Sight]:
        see = self._plain_sight if self._game.plain else self._flagged_sight
        return [
            see(number, place, held, known) if held else NOTHING
            for number, place, held in zip(count(), self._game.definition.places, self._held)
        ]

    def _new_sights(self, seat: int | None, known: int, news: int, before: Look) -> list[Sight]:
        """The sights of an earlier look, but for places where cards or what is known changed."""
        sights = before._sights(seat).copy()
        places = self._game.definition.places
        changed = self._changed(before)
        if news:
            told = [number for number, held in enumerate(self._held) if held & news]
            changed = {*changed, *told}
        for number in changed:
            held = self._held[number]
            sight = self._plain_sight(number, places[number], held, known) if held else NOTHING
            sights[number] = sight
        return sights

    def _changed(self, before: Look) -> Collection[int]:
        """The places that hold other cards than before, and the ordered ones; the same for all."""
        if self._since is not before:
            rows = zip(count(), self._game.definition.places, self._held, before._held)
            self._moved = [
                number
                for number, place, held, had in rows
                if held != had or (held and place.order != "set")
            ]
            self._since, before._since = before, None  # no look keeps all that were before it
        return self._moved

    def _flagged_sight(self, number: int, place: Place, held: int, known: int) -> Sight:
        ordered = place.order != "set"
        cards = self._ordered(number, place) if ordered else _members(held)
        entries = [_seen_entry(self._game, self._s, place, card, known) for card in cards]
        if not ordered:
            entries.sort(key=_hidden_last)
        return entries, 0

    def _plain_sight(self, number: int, place: Place, held: int, known: int) -> Sight:
        """The same for a game whose cards have neither flags nor telling backs."""
        seen = held & known
        if place.order == "set" or (not seen and place.order != "slots"):
            return _names(self._game, seen), (held ^ seen).bit_count()
        cards = self._ordered(number, place)
        return [_plain_entry(self._game, card, known) for card in cards], 0

    def _ordered(self, number: int, place: Place) -> list[int]:
        return _in_order(place, self._s.slots[number].tolist())


NOTHING: Sight = ([], 0)
BACK = {"card": None}
"""A card the seat does not know; only for what is written out at once, as it is one for all."""


def _entries(sight: Sight) -> list[Any]:
    seen, hidden = sight
    return seen + [{"card": None} for _ in range(hidden)]


def _sets(rows: Any) -> list[int]:
    """Rows of words as one Python integer each: reading them singly costs more than all at once."""
    if rows.shape[1] == 1:
        return rows[:, 0].tolist()  # type: ignore[no-any-return]
    data, step = rows.tobytes(), rows.shape[1] * rows.itemsize
    return [int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step)]


def _members(cards: int) -> list[int]:
    """The cards of a set, ascending."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


def _names(game: Game, cards: int) -> list[str]:
    """The codes of a set; kept, as most places stay as they were from one view to the next."""
    kept = game.names_of
    found = kept.get(cards)
    if found is None:
        if len(kept) > 20_000:
            kept.clear()
        found = kept[cards] = [game.codes[card] for card in _members(cards)]
    return found


def _plain_entry(game: Game, card: int, known: int) -> Any:
    """A card of a game whose cards have neither flags nor telling backs."""
    if card < 0:
        return None
    return game.codes[card] if known >> card & 1 else {"card": None}


def _seen_entry(game: Game, s: Any, place: Place, card: int, known: int) -> Any:
    if card < 0:
        return None
    flags = game.definition.flags(s, place, card)
    if not known >> card & 1:
        return {"card": None, **flags, **game.definition.back(s, card)}
    return {"card": game.codes[card], **flags} if flags else game.codes[card]


def _hidden_last(entry: Any) -> tuple[bool, str]:
    """Known cards keep the order of the card list; of hidden ones the order must tell nothing."""
    hidden = isinstance(entry, dict) and entry["card"] is None
    return hidden, str(entry) if hidden else ""


# -- reading --------------------------------------------------------------------------------------


def read_position(game: Game, s: Any, position: Mapping[str, Any]) -> None:
    """Set the table from a position, or say what is wrong with it."""
    _check_head(game, position)
    places = _mapping(position.get("places"), "places")
    left = {code: list(cards) for code, cards in game.twins.items()}
    marked: list[tuple[Place, int, Mapping[str, Any]]] = []
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
    game.definition.restore(s, facts)
    if facts:
        raise PositionError("position/fact", name=next(iter(facts)))
    for place, card, entry in marked:
        _read_known(game, s, place, card, entry.get("known"))
    game.definition.check(s)


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
) -> list[tuple[Place, int, Mapping[str, Any]]]:
    place = game.definition.places[number]
    if not isinstance(entries, (list, tuple)):
        raise PositionError("position/shape", name=place.name)
    room = min(place.most, len(game.codes)) if place.owner < game.seats else 0
    if len(entries) > room:
        raise PositionError("position/crowded", name=place.name, count=len(entries), most=room)
    marked = []
    for index, raw in enumerate(entries):
        if raw is None and place.order == "slots":
            continue
        entry: Mapping[str, Any] = (
            {"card": raw} if isinstance(raw, str) else _mapping(raw, place.name)
        )
        card = _take_card(game, entry.get("card"), left)
        s.place[number, card >> 6] |= _bit(s, card)
        if place.order != "set":
            slot = len(entries) - 1 - index if place.order == "pile" else index
            s.slots[number, slot] = card
        flags = {key: value for key, value in entry.items() if key not in ("card", "known")}
        game.definition.read_flags(s, place, card, flags)
        known_flags = game.definition.flags(s, place, card)
        for key in flags:
            if key not in known_flags:
                raise PositionError("position/flag", name=key, place=place.name)
        marked.append((place, card, entry))
    return marked


def _take_card(game: Game, code: Any, left: dict[str, list[int]]) -> int:
    if not isinstance(code, str) or code not in left:
        raise PositionError("position/card", card=code)
    if not left[code]:
        raise PositionError("position/twice", card=code, count=len(game.twins[code]))
    return left[code].pop(0)


def _bit(s: Any, card: int) -> Any:
    return s.place.dtype.type(1 << (card & 63))


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


def _read_known(game: Game, s: Any, place: Place, card: int, known: Any) -> None:
    seats = implied(game, s, place, card)
    if known is not None:
        if not isinstance(known, (list, tuple)) or not all(
            type(seat) is int and 0 <= seat < game.seats for seat in known
        ):
            raise PositionError("position/known", card=game.codes[card], most=game.seats - 1)
        seats = set(known)
    rows = set(seats)
    stem = place.name.partition(".")[0]
    everybody = len(seats) == game.seats
    if everybody and (known is None or stem not in game.definition.secret_from_public):
        # Unused seats follow the public: kernels show a card to every row.
        rows = set(range(game.public_row + 1))
    for row in rows:
        s.known[row, card >> 6] |= _bit(s, card)
