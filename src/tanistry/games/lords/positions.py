"""Facts of a position of Lords of Scotland, and whether a position could come up in a match.

Always: `round` (1–5) and `initiative` (the seat that holds it). Where they matter:

- `claims`: how many supporters the claiming seat may still claim; 2 only by Cochrane;
- `order`: during and after the claims, the seats that had an ally, strongest first;
- `shuffles`: how often the discard was shuffled;
- `shuffled`: by number of the shuffle, the cards not seen since that took part in it last; those
  not listed have lain hidden since the first deal;
- `seen`: by seat, the cards seen to come into its hand that may since have left it face down;
- `history`: for hands that an ally still face down came from, what has come and left since, oldest
  first: `0 +SC7` seen to come, `0 +#1` unseen, of shuffle 1; `0 -…` left face up; `0 down 1.2`:
  the second ally of army 1, face down, came from hand 0.
"""

from __future__ import annotations

import re
from typing import Any

from tanistry.errors import PositionError
from tanistry.games.lords import INFO
from tanistry.games.lords.cards import (
    ALL_CARDS,
    ALLIES_MOST,
    ARMY,
    ASIDE,
    BRUCE_CARDS,
    CAME,
    CARDS,
    CARRIED_MOST,
    CLAIM,
    CLAN_OF,
    CLANS,
    COCKBURN,
    CODES,
    COPY,
    DECK,
    DIARY_GIVEN,
    DISCARD,
    DISCARD_ALLY,
    EDITION_2010,
    END_POWERS,
    ENGAGE,
    FERGUSSON,
    FLIP,
    HAND,
    HAND_MOST,
    LEFT,
    MACDONNELL,
    MAKGILL,
    MOST_SEATS,
    PLACES,
    POWER,
    RECRUITS,
    ROUNDS,
    SCOTT,
    STAYS_ON,
    STRENGTH_OF,
    SUPPORTERS,
    SWAP_ALLY,
    SWAP_SUPPORTER,
    TURN,
    VICTORY,
    WEMYSS,
    WENT_DOWN,
)
from tanistry.games.lords.memory import NOT_LISTED, could_be
from tanistry.games.lords.powers import has_effect, qualifies
from tanistry.games.lords.skirmish import allowance, rank_armies
from tanistry.table.bits import members

PUBLIC = MOST_SEATS
"""The row of knowledge of the public."""
ARMIES = range(ARMY, ARMY + MOST_SEATS)
MOST_SHUFFLES = 9999

# -- writing --------------------------------------------------------------------------------------


def facts(s: Any) -> dict[str, Any]:
    """All of it is public: it follows from what everybody has seen."""
    found: dict[str, Any] = {"round": int(s.round_number), "initiative": int(s.initiative)}
    over = s.to_act < 0
    if over or s.decision == CLAIM:
        found["order"] = [int(seat) for seat in s.order if seat >= 0]
    if not over and s.decision == CLAIM:
        found["claims"] = int(s.claims)
    if s.shuffles:
        found["shuffles"] = int(s.shuffles)
    if shuffled := _shuffled(s):
        found["shuffled"] = shuffled
    seen = [
        [CODES[card] for card in members(s.seen[seat]) if not _in(s.known[PUBLIC], card)]
        for seat in range(int(s.seats))
    ]
    if any(seen):
        found["seen"] = seen
    if _any(s.downs):
        found["history"] = [_entry(s, *(int(v) for v in s.diary[i])) for i in range(int(s.entries))]
    return found


def _shuffled(s: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for card in range(CARDS):
        public = _in(s.known[PUBLIC], card) or any(_in(seen, card) for seen in s.seen)
        if s.shuffled[card] and not public:
            found.setdefault(str(int(s.shuffled[card])), []).append(CODES[card])
    return dict(sorted(found.items(), key=lambda item: int(item[0])))


def _entry(s: Any, seat: int, what: int, whom: int) -> str:
    if what == WENT_DOWN:
        return f"{seat} down {whom // ALLIES_MOST}.{whom % ALLIES_MOST + 1}"
    sign = "+" if what == CAME else "-"
    return f"{seat} {sign}{CODES[whom] if whom < CARDS else f'#{whom - CARDS}'}"


def _army(s: Any, seat: int) -> list[int]:
    return [int(card) for card in s.slots[ARMY + seat] if card >= 0]


def _in(words: Any, card: int) -> bool:
    return bool(int(words[card >> 6]) >> (card & 63) & 1)


def _any(words: Any) -> bool:
    return bool(words.any())


def _add(words: Any, card: int) -> None:
    words[card >> 6] |= ALL_CARDS.dtype.type(1 << (card & 63))


# -- reading --------------------------------------------------------------------------------------


def restore(s: Any, given: dict[str, Any]) -> None:
    s.round_number = _number(given, "round", 1, ROUNDS)
    s.initiative = _number(given, "initiative", 0, int(s.seats) - 1)
    _restore_claims(s, given)
    s.shuffles = _number(given, "shuffles", 1, MOST_SHUFFLES) if "shuffles" in given else 0
    _restore_shuffled(s, given.pop("shuffled", {}))
    _restore_seen(s, given.pop("seen", [[] for _ in range(int(s.seats))]))
    _restore_history(s, given.pop("history", []))


def _number(given: dict[str, Any], name: str, low: int, high: int) -> int:
    value = given.pop(name, None)
    if type(value) is not int or not low <= value <= high:
        raise PositionError("position/fact_value", name=name, value=value, allowed=f"{low}–{high}")
    return value


def _restore_claims(s: Any, given: dict[str, Any]) -> None:
    rank_armies(s)
    over = s.to_act < 0
    counted = [int(seat) for seat in s.order if seat >= 0]
    if over or s.decision == CLAIM:
        order = given.pop("order", counted)
        known = isinstance(order, list) and all(type(n) is int for n in order)
        if not known or len(set(order)) < len(order) or not set(order) <= set(range(s.seats)):
            raise PositionError("position/order", info=INFO, order=order)
        if order != counted and not (over and not members(s.place[SUPPORTERS])):
            raise PositionError("position/order_counted", info=INFO, order=order, counted=counted)
        s.order[:] = order + [-1] * (MOST_SEATS - len(order))
    else:
        s.order[:] = 0  # as in a match's first skirmish: it is written at the end of each
    if not over and s.decision == CLAIM:
        if s.to_act not in order:
            raise PositionError("position/claimant", info=INFO, seat=int(s.to_act))
        s.claimant = order.index(int(s.to_act))
        most = int(allowance(s, int(s.to_act)))
        s.claims = _number(given, "claims", 1, most) if "claims" in given else most


def _restore_shuffled(s: Any, given: Any) -> None:
    if not isinstance(given, dict) or not all(
        isinstance(key, str) and re.fullmatch(r"[1-9]\d{0,3}", key) for key in given
    ):
        raise PositionError("position/shuffled", info=INFO)
    for key, codes in given.items():
        for card in _cards(codes, "shuffled"):
            s.shuffled[card] = int(key)
            s.shuffles = max(int(s.shuffles), int(key))


def _cards(codes: Any, name: str) -> list[int]:
    if not isinstance(codes, list) or not all(code in CODES for code in codes):
        raise PositionError("position/codes", info=INFO, name=name)
    return [CODES.index(code) for code in codes]


def _restore_seen(s: Any, given: Any) -> None:
    if not isinstance(given, list) or len(given) != s.seats:
        raise PositionError("position/codes", info=INFO, name="seen")
    for seat, codes in enumerate(given):
        for card in _cards(codes, "seen"):
            _add(s.seen[seat], card)


_ENTRY = re.compile(r"(\d) (?:([+-])(?:#(\d{1,4})|(\w+))|down (\d)\.(\d{1,2}))")


def _restore_history(s: Any, given: Any) -> None:
    """Read the diary; a face-down ally it does not name was played first, by its army's seat."""
    if not isinstance(given, list) or len(given) > DIARY_GIVEN:
        raise PositionError("position/history", info=INFO, entry=given)
    entries = [_read_entry(s, entry) for entry in given]
    named = [whom for _, what, whom in entries if what == WENT_DOWN]
    down = [
        (seat, WENT_DOWN, spot)
        for seat in range(int(s.seats))
        for spot, card in enumerate(_army(s, seat), seat * ALLIES_MOST)
        if not _in(s.up, card) and spot not in named
    ]
    hands = {seat for seat, what, _ in down + entries if what == WENT_DOWN}
    if len(set(named)) < len(named) or not {seat for seat, _, _ in entries} <= hands:
        raise PositionError("position/history", info=INFO, entry=given)
    for seat, what, whom in down + entries:
        if what == WENT_DOWN:
            s.downs[seat] += 1
        s.diary[int(s.entries)] = seat, what, whom
        s.entries += 1


def _read_entry(s: Any, entry: Any) -> tuple[int, int, int]:
    wrong = PositionError("position/history", info=INFO, entry=entry)
    found = _ENTRY.fullmatch(entry) if isinstance(entry, str) else None
    if not found or int(found[1]) >= s.seats:
        raise wrong
    seat, what = int(found[1]), CAME if found[2] == "+" else LEFT
    if found[3]:
        s.shuffles = max(int(s.shuffles), int(found[3]))
        return seat, what, CARDS + int(found[3])
    if found[4]:
        return seat, what, _cards([found[4]], "history")[0]
    army = _army(s, int(found[5])) if int(found[5]) < s.seats else []
    index = int(found[6]) - 1
    if not 0 <= index < len(army) or _in(s.up, army[index]):
        raise wrong
    return seat, WENT_DOWN, int(found[5]) * ALLIES_MOST + index


# -- checking -------------------------------------------------------------------------------------


def check(s: Any) -> None:
    """Whether the position could come up; what is seen in hands is completed on the way."""
    _check_cards(s)
    _check_allies(s)
    _check_knowledge(s)
    _check_memory(s)
    if s.to_act < 0:
        _check_over(s)
        return
    if not members(s.place[SUPPORTERS]):
        raise PositionError("position/no_supporters", info=INFO)
    if s.decision == CLAIM:
        _check_claim(s)
        return
    points = [sum(STRENGTH_OF[c] for c in members(s.place[VICTORY + n])) for n in range(s.seats)]
    if max(points) >= s.target:
        raise PositionError("position/target", info=INFO, target=int(s.target))
    _check_armies(s)
    _check_decision(s)


def _fail(key: str, **values: Any) -> None:
    raise PositionError(f"position/{key}", info=INFO, **values)


def _check_cards(s: Any) -> None:
    aside = [] if s.bruce else members(BRUCE_CARDS)
    if members(s.place[ASIDE]) != aside:
        _fail("aside", expected=", ".join(CODES[card] for card in aside) or "–")
    supporters = len(members(s.place[SUPPORTERS]))
    if supporters > s.seats:
        _fail("supporters", count=supporters, most=int(s.seats))


def _check_allies(s: Any) -> None:
    """Face-down allies have no flags; an active power is the card's own or copied by a Scott."""
    for seat in range(int(s.seats)):
        for card in _army(s, seat):
            powers = [p for row, p in enumerate(END_POWERS) if _in(s.active[row], card)]
            spent = _in(s.spent, card)
            clan = CLAN_OF[card]
            if (powers or spent) and not _in(s.up, card):
                _fail("down_flags", card=CODES[card])
            if powers and (spent or clan not in (SCOTT, CLANS.index(powers[0]))):
                _fail("active", card=CODES[card], active=powers[0])
            if spent and clan not in (SCOTT, MACDONNELL):
                _fail("spent", card=CODES[card])


def _check_knowledge(s: Any) -> None:
    """Who knows a card: those who see it there, and those who may have seen it come there."""
    everybody = set(range(PUBLIC + 1))
    for number, place in enumerate(PLACES):
        for card in members(s.place[number]):
            known = {row for row in everybody if _in(s.known[row], card)}
            least, most = {place.owner} & everybody, everybody
            if _lies_up(s, number, card) or (place.seen == "all" and number not in ARMIES):
                least = everybody
            elif number in ARMIES:  # lords.fergusson: also former owners, but not the public
                most = everybody - {PUBLIC}
            elif number in (DECK, RECRUITS) or known != everybody:  # or seen by all to be taken
                most = least
            if not least <= known:
                _fail("unknown", card=CODES[card], place=place.name)
            if not known <= most:
                _fail("unseen", card=CODES[card], place=place.name)


def _lies_up(s: Any, number: int, card: int) -> bool:
    """Whether a card is a face-up ally or recruit."""
    if number == RECRUITS:
        slot = [int(c) for c in s.slots[RECRUITS]].index(card)
        return bool(int(s.recruits_up) >> slot & 1)
    return number in ARMIES and _in(s.up, card)


def _check_memory(s: Any) -> None:
    """Seen cards are in the hand or face down from it, and the history is possible."""
    s.fresh[:] = NOT_LISTED
    for seat in range(int(s.seats)):
        for card in members(s.place[HAND + seat]):
            if _in(s.known[PUBLIC], card):
                _add(s.seen[seat], card)
        played = [
            int(s.slots[ARMY + int(spot) // ALLIES_MOST, int(spot) % ALLIES_MOST])
            for owner, what, spot in s.diary[: int(s.entries)]
            if owner == seat and what == WENT_DOWN
        ]
        for card in members(s.seen[seat]):
            if not _in(s.place[HAND + seat], card) and card not in played:
                _fail("seen", card=CODES[card], seat=seat)
        if not could_be(s, seat):
            _fail("history", entry=seat)
    s.fresh[:] = 0


def _check_over(s: Any) -> None:
    points = [sum(STRENGTH_OF[c] for c in members(s.place[VICTORY + n])) for n in range(s.seats)]
    exhausted = not any(members(s.place[place]) for place in (DECK, DISCARD, SUPPORTERS))
    if max(points) < s.target and not exhausted:
        _fail("not_over", target=int(s.target))
    _check_all_up(s)


def _check_all_up(s: Any) -> None:
    if _any(s.downs):
        _fail("not_revealed")


def _check_claim(s: Any) -> None:
    if s.round_number != ROUNDS:
        _fail("claim_round")
    _check_all_up(s)


def _turns(s: Any, seat: int) -> int:
    """How many turns a seat has had in this skirmish, one that has begun to act included."""
    place = (seat - int(s.initiative)) % int(s.seats)
    now = (int(s.to_act) - int(s.initiative)) % int(s.seats)
    acting = s.decision not in (FLIP, TURN)
    return int(s.round_number) - 1 + (place < now or (place == now and bool(acting)))


def _check_armies(s: Any) -> None:
    """No army is larger than the turns so far can have made it (see ALLIES_MOST)."""
    turns = [_turns(s, seat) for seat in range(int(s.seats))]
    for seat, had in enumerate(turns):
        army = _army(s, seat)
        if not sum(turns) and not all(_in(s.spent, card) for card in army):
            _fail("army_early", seat=seat)
        room = CARRIED_MOST + (HAND_MOST + had - 1 if had else 0)
        hand = len(members(s.place[HAND + seat]))
        if len(army) > room or len(army) + hand > CARRIED_MOST + HAND_MOST + had:
            _fail("army_large", seat=seat, count=len(army), hand=hand, turns=had)
        if sum(_in(s.active[STAYS_ON], card) for card in army) > had:
            _fail("army_stays", seat=seat, turns=had)


_POWER_OF = {
    ENGAGE: MAKGILL,
    SWAP_SUPPORTER: COCKBURN,
    SWAP_ALLY: FERGUSSON,
    DISCARD_ALLY: WEMYSS,
    COPY: SCOTT,
}
"""The power behind each decision that comes of one."""


def _check_decision(s: Any) -> None:
    """Whether the seat to act can have come to this decision."""
    seat = int(s.to_act)
    recruits = members(s.place[RECRUITS])
    if s.decision == FLIP:
        down = sum(not int(s.recruits_up) >> i & 1 for i in range(5) if s.slots[RECRUITS, i] >= 0)
        if s.edition != EDITION_2010 or seat != s.initiative or not down:
            _fail("flip", seat=seat)
    elif s.decision == TURN:
        if not recruits and not members(s.place[HAND + seat]):
            _fail("idle", seat=seat)
    else:
        _check_power(s, seat)


def _check_power(s: Any, seat: int) -> None:
    army = _army(s, seat)
    card = army[-1] if army else -1
    powers = [p for p in s.active if card >= 0 and _in(p, card)]
    if card < 0 or not _in(s.up, card) or _in(s.spent, card) or powers:
        _fail("no_actor", seat=seat)
    clan = int(CLAN_OF[card])
    power = clan if s.decision == POWER else _POWER_OF[int(s.decision)]
    others = [c for n in range(s.seats) for c in _army(s, n) if c != card and _in(s.up, c)]
    copied = clan == SCOTT and any(CLAN_OF[c] == power for c in others)
    if clan != power and not copied:
        _fail("wrong_actor", card=CODES[card])
    if not has_effect(s, seat, power) or not qualifies(s, card):
        _fail("no_power", card=CODES[card])
