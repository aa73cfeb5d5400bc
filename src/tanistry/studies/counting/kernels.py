"""Counting while matches are played, as kernels for every game.

`study` plays whole matches by a compiled policy. Bots that think in Python are asked for each
choice instead, between `begin`, `step` and `finish`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import kernel, template
from tanistry.simulation.playouts import APART, LONGEST, random_action
from tanistry.studies.counting.layout import (
    ALTERNATIVES,
    CHOICES,
    DEALT,
    FORCED,
    HELD,
    KINDS,
    LOWEST_SCORE,
    NAMED,
    NAMED_SQUARED,
    NAMED_WON,
    NONE,
    PLAYED,
    SHARE,
    TIMES,
    TOLD,
    WHOLE,
    WON,
    WON_SQUARED,
)
from tanistry.table.bits import EMPTY, lowest, popcount
from tanistry.table.cards import MOVE
from tanistry.table.contract import deal, legal, play, score, standing
from tanistry.table.ranking import leaders
from tanistry.table.stream import start_stream

KIND_COUNT = len(KINDS)


@kernel
def choose(s: Any, moves: Any, notes: Any, rng: Any) -> int:
    """The policy: one of the actions `moves`. Given by each (`policies.choosing`); else any."""
    return random_action(moves, rng)


@template
def begin(s: Any, number: int, salt: Any, sheet: Any, tables: Any) -> None:
    """Deal match number `number` into a blank record and open its sheet."""
    start_stream(s, number)
    sheet.rng[0] = np.uint64(salt) + np.uint64(number) * APART
    sheet.step[0] = 0
    deal(s)
    s.telling = 1  # from now on: the deal itself is no event
    s.told = 0
    for seat in range(s.seats):
        for w in range(sheet.had.shape[0]):
            hand = seen_alone(s, seat, w, tables)
            sheet.cards[DEALT, seat, w] = hand
            sheet.cards[HELD, seat, w] = hand
            sheet.cards[PLAYED, seat, w] = EMPTY


@template
def seen_alone(s: Any, seat: int, w: int, tables: Any) -> Any:
    """The cards that a seat alone sees, word `w` of their set."""
    hand = EMPTY
    for i in range(tables.private.shape[1]):
        place = tables.private[seat, i]
        if place >= 0:
            hand |= s.place[place, w]
    return hand


@template
def step(s: Any, moves: Any, action: int, sheet: Any, tables: Any, counts: Any) -> None:
    """Carry out an action, one of `moves`, and note what it was and what came of it."""
    note_alternatives(s, moves, sheet, counts)
    seat = int(s.to_act)
    for w in range(sheet.had.shape[0]):
        sheet.had[w] = seen_alone(s, seat, w, tables)
    play(s, action)
    note_cards(s, seat, sheet, tables)
    for i in range(s.told):
        note_event(s.log[i], sheet, tables, counts)
    s.told = 0


@template
def note_alternatives(s: Any, moves: Any, sheet: Any, counts: Any) -> None:
    able = 0
    for w in range(moves.shape[0]):
        able += popcount(moves[w])
    counts.branches[min(able, counts.branches.shape[0] - 1)] += 1
    counts.decisions[s.decision, CHOICES] += 1
    counts.decisions[s.decision, ALTERNATIVES] += able
    if able == 1:
        counts.decisions[s.decision, FORCED] += 1
    number = sheet.step[0]
    if number < counts.curve.shape[0]:
        counts.curve[number, 0] += 1
        counts.curve[number, 1] += able
    sheet.step[0] = number + 1


@template
def note_cards(s: Any, seat: int, sheet: Any, tables: Any) -> None:
    """Who holds what now; and what the acting seat has just played.

    Played is a card that left what the seat alone sees, by its own choice, to where it is not
    unseen by everybody: a card put back under a pile is not played.
    """
    for w in range(sheet.had.shape[0]):
        for other in range(s.seats):
            hand = seen_alone(s, other, w, tables)
            sheet.cards[HELD, other, w] |= hand
            if other == seat:
                gone = sheet.had[w] & ~hand
                for i in range(tables.unseen.shape[0]):
                    place = tables.unseen[i]
                    if place >= 0:
                        gone &= ~s.place[place, w]
                sheet.cards[PLAYED, seat, w] |= gone


@template
def note_event(entry: Any, sheet: Any, tables: Any, counts: Any) -> None:
    """An event is about a seat if it names one; a move, if it brings that seat a card.

    A card that a seat lays out of its own hand into its own places is not brought to it.
    """
    event = int(entry[0])
    rule = int(entry[1])
    pair = event * sheet.fired.shape[0] + rule
    if sheet.told[pair] == 0:
        sheet.listed[sheet.listing[0]] = pair
        sheet.listing[0] += 1
    sheet.told[pair] += 1
    seat = NONE
    if event == MOVE:
        seat = tables.seat_of[entry[4]]
        if seat >= 0 and tables.private_to[entry[3]] == seat:
            seat = NONE
    elif tables.seat_at[event] >= 0:
        seat = int(entry[tables.seat_at[event]])
    if seat >= 0:
        sheet.named[pair, seat] += 1


@template
def finish(s: Any, sheet: Any, tables: Any, counts: Any) -> None:
    """Close the sheet of a match that is over, and add it to the counts."""
    steps = sheet.step[0]
    counts.matches[0] += 1
    counts.steps[0] += steps
    counts.steps_squared[0] += steps * steps
    counts.lengths[min(steps, counts.lengths.shape[0] - 1)] += 1
    share_out(s, sheet, counts)
    count_cards(s, sheet, tables, counts)
    count_events(s, sheet, counts)


@template
def turn_of(s: Any, seat: int) -> int:
    """The seat's number in turn order, 0 for the one that began."""
    turn = seat - s.first
    return int(turn if turn >= 0 else turn + s.seats)


@template
def share_out(s: Any, sheet: Any, counts: Any) -> None:
    """Who won how much, and the scores."""
    _, winners, best = leaders(s)
    of_winner = 0
    of_others = 0
    others = 0
    for seat in range(s.seats):
        turn = turn_of(s, seat)
        points = score(s, seat)
        won = 1 if standing(s, seat) == best else 0
        sheet.share[seat] = 0
        if won == 1:
            if winners == 1:
                counts.alone[turn] += 1
                of_winner = points
            sheet.share[seat] = WHOLE // winners
            counts.share[turn] += sheet.share[seat]
        if won == 0 or winners > 1:
            of_others = points if others == 0 else max(of_others, points)
            others += 1
        counts.scores[won, turn, score_bin(points, counts)] += 1
    margin = of_winner - of_others if winners == 1 else 0
    counts.margins[score_bin(margin, counts)] += 1


@template
def score_bin(points: int, counts: Any) -> int:
    return int(min(max(points - LOWEST_SCORE, 0), counts.margins.shape[0] - 1))


@template
def count_cards(s: Any, sheet: Any, tables: Any, counts: Any) -> None:
    for kind in range(KIND_COUNT):
        for seat in range(s.seats):
            turn = turn_of(s, seat)
            share = sheet.share[seat]
            for w in range(sheet.had.shape[0]):
                rest = sheet.cards[kind, seat, w]
                while rest != EMPTY:
                    card = 64 * w + lowest(rest)
                    rest &= ~tables.twins[card, w]  # a seat with two of them has it once
                    counts.cards[kind, turn, card, TIMES] += 1
                    counts.cards[kind, turn, card, SHARE] += share
            for group in range(tables.groups[0]):
                cards = 0
                for w in range(sheet.had.shape[0]):
                    cards += popcount(sheet.cards[kind, seat, w] & tables.group[group, w])
                cards = min(cards, counts.groups.shape[3] - 1)
                counts.groups[kind, turn, group, cards, TIMES] += 1
                counts.groups[kind, turn, group, cards, SHARE] += share


@template
def count_events(s: Any, sheet: Any, counts: Any) -> None:
    """Add up the events of the match, then which seat each rule was about most; clear both."""
    rules = sheet.fired.shape[0]
    for i in range(sheet.listing[0]):
        pair = sheet.listed[i]
        event = pair // rules
        rule = pair - event * rules
        named = 0
        won = 0
        for seat in range(s.seats):
            times = sheet.named[pair, seat]
            named += times
            won += times * sheet.share[seat]
            sheet.by_rule[rule, seat] += times
            sheet.named[pair, seat] = 0
        counts.events[event, rule, TOLD] += sheet.told[pair]
        counts.events[event, rule, NAMED] += named
        counts.events[event, rule, WON] += won
        counts.events[event, rule, NAMED_SQUARED] += named * named
        counts.events[event, rule, NAMED_WON] += named * won
        counts.events[event, rule, WON_SQUARED] += won * won
        sheet.told[pair] = 0
        sheet.fired[rule] = 1
    sheet.listing[0] = 0
    for rule in range(rules):
        if sheet.fired[rule] != 0:
            sheet.fired[rule] = 0
            counts.present[rule] += 1
            count_tilt(s, rule, sheet, counts)


@template
def count_tilt(s: Any, rule: int, sheet: Any, counts: Any) -> None:
    """Count the seat that a rule named more often than any other, if there is one."""
    first = 0
    shared = False
    most = sheet.by_rule[rule, 0]
    for seat in range(1, s.seats):
        times = sheet.by_rule[rule, seat]
        if times > most:
            most, first, shared = times, seat, False
        elif times == most:
            shared = True
    if not shared:
        counts.tilts[rule, turn_of(s, first), TIMES] += 1
        counts.tilts[rule, turn_of(s, first), SHARE] += sheet.share[first]
    for seat in range(s.seats):
        sheet.by_rule[rule, seat] = 0


@template
def study(
    s: Any, blank: Any, sheet: Any, tables: Any, notes: Any, counts: Any, first: int, n: int,
    salt: Any,
) -> None:  # fmt: skip
    """Play matches number first … first + n − 1 of a key by a policy, and count."""
    for number in range(first, first + n):
        s[0] = blank[0]
        begin(s[0], number, salt, sheet[0], tables[0])
        steps = 0
        while s[0].to_act >= 0 and steps < LONGEST:
            legal(s[0], sheet[0].moves)
            action = choose(s[0], sheet[0].moves, notes, sheet[0].rng)
            step(s[0], sheet[0].moves, action, sheet[0], tables[0], counts[0])
            steps += 1
        finish(s[0], sheet[0], tables[0], counts[0])
