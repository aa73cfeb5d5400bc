"""King's Kilt in people's terms: tokens, facts of a position, and why a choice is not allowed."""

from __future__ import annotations

from typing import Any

from tanistry.errors import PositionError
from tanistry.games.contract import Place, Seen
from tanistry.games.kilt import INFO, cards, rules
from tanistry.games.kilt.cards import (
    BASE,
    BETRAY,
    CELL_BIT,
    CELL_NAMES,
    CELLS,
    CHIEFS,
    CLAN_OF,
    CLANS,
    CODES,
    DECK,
    DISCARD,
    FAMILY,
    FAMILY_CARDS,
    FILL,
    FILLING,
    GUARDIANS_ROW,
    INFLUENCE,
    INFLUENCE_CARDS,
    KING_ROW,
    NOBLES_ROW,
    PASS,
    PLACES,
    PYRAMID,
    REMOVED,
    REVEAL,
    REVEALING,
    ROW_OF,
    SUPPORT,
    TARGETS,
    TURN,
)
from tanistry.games.kilt.rules import NO_CELL
from tanistry.games.legacy import Definition, Refusal
from tanistry.kernel import interpreted
from tanistry.table.bits import members

# -- facts ----------------------------------------------------------------------------------------


def facts(s: Any) -> dict[str, Any]:
    """What a position says beside the cards.

    active     the seat whose turn it is (others act in it only to reveal)
    vacuum     the cell to be filled, null if none is
    owed       for each seat, the family cards it must still reveal
    passed     the seats that have passed
    nobles, guardians   whether these rewards were taken
    crowned    whether a King was crowned
    rebuilt    whether the pile is made from the discard
    """
    return {
        "active": int(s.active),
        "vacuum": None if s.vacuum == NO_CELL else CELL_NAMES[int(s.vacuum)],
        "owed": [int(n) for n in s.owed[: s.seats]],
        "passed": [seat for seat in range(s.seats) if s.passed[seat]],
        **_rows_reached(s),
        "rebuilt": bool(s.recycled[0] & s.place[DECK, 0]),
    }


def _rows_reached(s: Any) -> dict[str, bool]:
    """A row once reached is never empty again but for the vacuum: so the cards tell."""
    rows = {int(ROW_OF[cell]) for cell in range(CELLS) if _occupied(s, cell) or cell == s.vacuum}
    return {
        "nobles": NOBLES_ROW in rows,
        "guardians": GUARDIANS_ROW in rows,
        "crowned": KING_ROW in rows,
    }


def _occupied(s: Any, cell: int) -> bool:
    return bool(s.place[PYRAMID + cell, 0])


def restore(s: Any, given: dict[str, Any]) -> None:
    """Any fact may be left out: it is then what the cards say, or nothing special."""
    over = s.to_act < 0
    seats = int(s.seats)
    s.active = _read(given, "active", s.first if over else s.to_act, range(seats), f"0–{seats - 1}")
    allowed = "null, " + ", ".join(CELL_NAMES[BASE:])
    vacuum = _read(given, "vacuum", None, (None, *CELL_NAMES[BASE:]), allowed)
    s.vacuum = NO_CELL if vacuum is None else CELL_NAMES.index(vacuum)
    s.owed[:seats] = _read_owed(given, seats)
    for seat in _read_seats(given, seats, range(seats) if over else ()):
        s.passed[seat] = 1
    for cell in range(CELLS):
        for card in members(s.place[PYRAMID + cell]):
            s.cells[CLAN_OF[s.edition, card]] |= CELL_BIT[cell]
    for name, reached in _rows_reached(s).items():
        if _read(given, name, reached, (True, False), "true, false") != reached:
            raise PositionError("position/reached", info=INFO, name=name, value=reached)
    if _read(given, "rebuilt", False, (True, False), "true, false"):
        s.recycled[0] = s.place[DECK, 0]


def _read(given: dict[str, Any], name: str, default: Any, values: Any, allowed: str) -> Any:
    value = given.pop(name, default)
    if not any(type(value) is type(v) and value == v for v in (*values, default)):
        raise PositionError("position/fact_value", name=name, value=value, allowed=allowed)
    return value


def _read_owed(given: dict[str, Any], seats: int) -> list[int]:
    owed = given.pop("owed", [0] * seats)
    if not (
        isinstance(owed, list)
        and len(owed) == seats
        and all(type(n) is int and 0 <= n < FAMILY_CARDS for n in owed)
    ):
        raise PositionError("position/owed", info=INFO, value=owed, seats=seats)
    return owed


def _read_seats(given: dict[str, Any], seats: int, default: Any) -> list[int]:
    passed = given.pop("passed", list(default))
    if not (
        isinstance(passed, list)
        and all(type(seat) is int and 0 <= seat < seats for seat in passed)
        and len(set(passed)) == len(passed)
    ):
        raise PositionError("position/passed", info=INFO, value=passed, most=seats - 1)
    return passed


# -- whether a position can be --------------------------------------------------------------------


def check(s: Any) -> None:
    """Whether play can go on from here by the rules.

    Not asked: whether the numbers of spent and betrayed cards fit each other, or in which order
    chiefs and members lie in the pile. Puzzles and tests are free in that.
    """
    for seat in range(s.seats):
        _check_hands(s, seat)
    if not interpreted(rules.possible)(s):
        raise _wrong("family8")
    _check_chiefs(s)
    _check_seen(s)
    _check_pyramid(s)
    _check_pile(s)
    _check_course(s)


def _wrong(code: str, **values: Any) -> PositionError:
    return PositionError(f"position/{code}", info=INFO, **values)


def _check_hands(s: Any, seat: int) -> None:
    """kilt.family, kilt.influence"""
    family = members(s.place[FAMILY + seat])
    if len(family) != FAMILY_CARDS:
        raise PositionError(
            "position/count", name=f"family.{seat}", count=len(family), expected=FAMILY_CARDS
        )
    if len({int(CLAN_OF[s.edition, card]) for card in family}) < FAMILY_CARDS:
        raise _wrong("family", seat=seat)
    held, most = len(members(s.place[INFLUENCE + seat])), INFLUENCE_CARDS[s.seats]
    if held > most:
        raise PositionError("position/crowded", name=f"influence.{seat}", count=held, most=most)


def _check_chiefs(s: Any) -> None:
    """Only members are dealt, spent, and shuffled into a new pile (kilt.family, kilt.influence)."""
    rebuilt = [DECK] if s.recycled[0] else []
    for number in (*range(FAMILY, PYRAMID), DISCARD, *rebuilt):
        chiefs = members(s.place[number] & CHIEFS[s.edition])
        if chiefs:
            raise _wrong("chief", name=PLACES[number].name, card=CODES[s.edition][chiefs[0]])


def _check_seen(s: Any) -> None:
    """What lies open is known to all, and everybody knows its own cards."""
    for number in range(DECK, REMOVED + 1):
        place = PLACES[number]
        for card in members(s.place[number]):
            look = seen(s, place, card)
            row = place.owner if look == "owner" else rules.PUBLIC
            if look != "nobody" and not int(s.known[row, 0]) >> card & 1:
                raise _wrong("unseen", name=place.name, card=CODES[s.edition][card])


def _check_pyramid(s: Any) -> None:
    """Every card rests on two others; only the cell to be filled is empty meanwhile."""
    vacuum = int(s.vacuum)
    if vacuum != NO_CELL and _occupied(s, vacuum):
        raise _wrong("vacuum_full", cell=CELL_NAMES[vacuum])
    for cell in range(CELLS):
        if cell < BASE and not _occupied(s, cell):
            raise _wrong("base", cell=CELL_NAMES[cell])
        if cell >= BASE and (_occupied(s, cell) or cell == vacuum):
            for below in (int(SUPPORT[cell, side]) for side in (0, 1)):
                if not _occupied(s, below) and below != vacuum:
                    raise _wrong("support", cell=CELL_NAMES[cell], below=CELL_NAMES[below])


def _check_pile(s: Any) -> None:
    """kilt.pile_empty: there must be cards for all cells still empty (treason brings its own)."""
    cards_left = len(members(s.place[DECK] | s.place[DISCARD]))
    empty = sum(not _occupied(s, cell) for cell in range(CELLS))
    if cards_left < empty:
        raise _wrong("pile", count=cards_left, needed=empty)


def _check_course(s: Any) -> None:
    """Whose choice it is must fit the vacuum, the reveals owed and who has passed."""
    passed = [seat for seat in range(s.seats) if s.passed[seat]]
    if passed and not _rows_reached(s)["crowned"]:
        raise _wrong("passed_early")
    if (s.to_act < 0) != (len(passed) == s.seats):
        raise _wrong("over")
    between = s.to_act < 0 or s.decision == TURN
    if between != (s.vacuum == NO_CELL):
        raise _wrong("vacuum_none" if between else "vacuum_missing")
    if s.to_act < 0:
        return
    if s.passed[s.active]:
        raise _wrong("passed_active", seat=int(s.active))
    if s.decision == REVEALING:
        _check_reveal(s)
    elif s.to_act != s.active:
        raise _wrong("active", seat=int(s.to_act), active=int(s.active))
    elif any(s.owed):
        raise _wrong("owed_now")


def _check_reveal(s: Any) -> None:
    """kilt.nobles, kilt.guardians: after the first climb into row 4 or 5, clockwise."""
    vacuum = int(s.vacuum)
    row = int(ROW_OF[vacuum]) + 1
    climbed = [cell for cell in range(CELLS) if ROW_OF[cell] == row and _occupied(s, cell)]
    first_climb = len(climbed) == 1 and vacuum in SUPPORT[climbed[0]]
    if row not in (NOBLES_ROW, GUARDIANS_ROW) or not first_climb:
        raise _wrong("no_reward", cell=CELL_NAMES[vacuum])
    most = 2 if s.seats == 2 and row == GUARDIANS_ROW else 1
    for seat in range(s.seats):
        hidden = len(members(s.place[FAMILY + seat] & ~s.known[rules.PUBLIC]))
        keeps = 1 if most == 2 else 0
        if s.owed[seat] > (0 if seat == s.active else max(0, min(most, hidden - keeps))):
            raise _wrong("owed_many", seat=seat, count=int(s.owed[seat]))
    order = [(int(s.active) + i) % int(s.seats) for i in range(1, s.seats)]
    due = [seat for seat in order if s.owed[seat]]
    if not due or due[0] != s.to_act:
        raise _wrong("owed_turn", seat=int(s.to_act))


def seen(s: Any, place: Place, card: int) -> Seen:
    """Of the pile all see the top card, and nobody the rest; at the end all see the families."""
    if place.name == "deck":
        top = int(s.slots[DECK, int(s.place[DECK, 0]).bit_count() - 1])
        return "all" if card == top else "nobody"
    over = s.to_act < 0
    return "all" if over and place.name.startswith("family") else place.seen


# -- refusals -------------------------------------------------------------------------------------


def refuse(s: Any, action: int) -> Refusal:
    """Why an action is not legal now; the names of the sentences are in the game's words."""
    edition = int(s.edition)
    decision, why = TURN, _other_decision
    if action < FILL:
        why = _refuse_climb
    elif action < BETRAY:
        decision = FILLING  # where both are legal
    elif action < PASS[edition]:
        why = _refuse_betrayal
    elif action == PASS[edition]:
        why = _refuse_pass
    else:
        decision, why = REVEALING, _refuse_reveal
    return (why if s.decision == decision else _other_decision)(s, action)


def _other_decision(s: Any, action: int) -> Refusal:
    return Refusal("common.illegal", f"not_now_{cards.DECISIONS[int(s.decision)]}")


def _refuse_climb(s: Any, action: int) -> Refusal:
    target, side = BASE + action % TARGETS, action // TARGETS
    source, neighbour = int(SUPPORT[target, side]), int(SUPPORT[target, 1 - side])
    if not _occupied(s, source):
        return Refusal("common.illegal", "empty_cell", {"cell": CELL_NAMES[source]})
    if _occupied(s, target):
        return Refusal("kilt.climb", "climb", {"cell": CELL_NAMES[target]})
    return Refusal("kilt.support", "support", {"cell": CELL_NAMES[neighbour]})


def _refuse_betrayal(s: Any, action: int) -> Refusal:
    clan, cell = divmod(action - BETRAY, CELLS)
    names = {"card": CLANS[s.edition][clan], "cell": CELL_NAMES[cell]}
    held = {int(CLAN_OF[s.edition, card]) for card in members(s.place[INFLUENCE + int(s.to_act)])}
    if clan not in held:
        return Refusal("common.illegal", "not_held", names)
    if not _occupied(s, cell):
        return Refusal("common.illegal", "empty_cell", names)
    return Refusal("kilt.betray", "betray" if s.cells[clan] else "nobody_betrays", names)


def _refuse_pass(s: Any, action: int) -> Refusal:
    return Refusal("kilt.turn", "pass")


def _refuse_reveal(s: Any, action: int) -> Refusal:
    clan = action - int(REVEAL[s.edition])
    names = {"card": CLANS[s.edition][clan]}
    family = {int(CLAN_OF[s.edition, card]) for card in members(s.place[FAMILY + int(s.to_act)])}
    if clan not in family:
        return Refusal("common.illegal", "not_family", names)
    return Refusal("kilt.reveal", "revealed", names)


DEFINITION = Definition(
    info=INFO,
    rules=rules,
    dtype=cards.STATE,
    places=PLACES,
    cards=cards.codes,
    tokens=cards.tokens,
    decisions=cards.DECISIONS,
    rule_ids=cards.RULE_IDS,
    events=cards.EVENTS,
    facts=facts,
    restore=restore,
    check=check,
    refuse=refuse,
    seen=seen,
)
