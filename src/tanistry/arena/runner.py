"""Playing a contest, on all cores, with what is done already kept on disk."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from tanistry.arena.contest import Contest, Encounter
from tanistry.arena.results import Outcome, Results
from tanistry.arguments import whole
from tanistry.bots import BotSpec
from tanistry.processes import spread
from tanistry.simulation.running import cores
from tanistry.storage import check_replaceable

SAVE_EVERY = 5.0
"""Seconds between two writings of the results file."""
SAVE_ALL_EVERY = 30.0
"""The same where many contests are played: workers wait while their files are written."""


def play_match(contest: Contest, encounter: Encounter, swapped: bool) -> Outcome:
    """One match of an encounter, for the entrant a."""
    game = contest.make_game()
    seating = contest.seating(encounter, swapped)
    match = game.deal(contest.seed_of("deal", encounter.deal))
    players = [
        BotSpec.read(text).bot(contest.seed_of("bot", text, encounter.deal, swapped, seat))
        for seat, text in enumerate(seating)
    ]
    seconds, choices = {encounter.a: 0.0, encounter.b: 0.0}, {encounter.a: 0, encounter.b: 0}
    while match.to_act is not None:
        who = seating[match.to_act]
        began = time.perf_counter()
        token = players[match.to_act].choose(match)
        seconds[who] += time.perf_counter() - began
        choices[who] += 1
        match.play(token)
    result = match.result
    assert result is not None
    rank = {seat: place for place, tied in enumerate(result.ranking) for seat in tied}
    ours = [seat for seat in rank if seating[seat] == encounter.a]
    theirs = [seat for seat in rank if seating[seat] == encounter.b]
    duels = [
        1.0 if rank[us] < rank[them] else 0.5 if rank[us] == rank[them] else 0.0
        for us in ours
        for them in theirs
    ]
    return Outcome(
        points=sum(duels) / len(duels),
        scores=tuple(result.scores),
        seconds=(seconds[encounter.a], seconds[encounter.b]),
        choices=(choices[encounter.a], choices[encounter.b]),
    )


def play_encounter(contest: Contest, encounter: Encounter) -> tuple[Outcome, Outcome]:
    """A deal and its replay with the seats swapped."""
    return play_match(contest, encounter, False), play_match(contest, encounter, True)


def run(
    contest: Contest,
    *,
    out: Path | None = None,
    workers: int | None = None,
    progress: Callable[[int, int, Results], None] | None = None,
    until: float | None = None,
) -> Results:
    """Play what is not yet in the results file `out`, and write it there.

    After an interruption (Ctrl-C, or `until` seconds) the same call continues from that file.
    `progress` is called with the encounters done, all of them, and the results so far.
    """
    share = cores() if workers is None else whole("workers", workers, 1)
    if out:
        check_replaceable(out)
    results = Results.load(out, contest) if out and out.exists() else Results(contest)
    todo = [(contest, encounter) for encounter in results.missing()]
    planned = sum(1 for _ in contest.encounters())
    done = planned - len(todo)
    if progress:
        progress(done, planned, results)
    if not todo:
        return results
    saved = time.monotonic()
    with closing(spread(play_encounter, todo, share, until)) as played:
        try:
            warm_up(contest)
            for (_, encounter), outcomes in played:
                results.add(encounter, outcomes)
                done += 1
                if progress:
                    progress(done, planned, results)
                if out and time.monotonic() - saved > SAVE_EVERY:
                    results.save(out)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            results.interrupted = True
        finally:
            if out:
                results.save(out)
    return results


def run_all(
    every: Mapping[Path, Contest],
    *,
    workers: int,
    until: float | None = None,
    progress: Callable[[int, int, Mapping[Path, Results]], None] | None = None,
) -> dict[Path, Results]:
    """Play many contests side by side, each with a file: what is not there yet is played.

    In turn: each pair of each contest has had its first deal before any gets its second.
    `progress` is called, after each writing of the files, with the encounters done, all that there
    were to do, and the results so far.
    """
    began = saved = time.monotonic()
    found = {
        path: Results.load(path, contest) if path.exists() else Results(contest)
        for path, contest in every.items()
    }
    games = {contest.game: contest for contest in every.values()}
    with multiprocessing.get_context("spawn").Pool(min(workers, len(games))) as pool:
        pool.map(warm_up, games.values())  # once, side by side; the workers find it done
    todo = sorted(
        (
            (every[path], encounter)
            for path, results in found.items()
            for encounter in results.missing()
        ),
        key=lambda job: job[1].deal,
    )
    touched: set[Path] = set()
    paths = {id(contest): path for path, contest in every.items()}
    done = 0

    def save() -> None:
        for path in touched:
            found[path].save(path)
        touched.clear()
        if progress:
            progress(done, len(todo), found)

    left = None if until is None else until - (time.monotonic() - began)
    with closing(spread(play_encounter, todo, workers, left)) as played:
        try:
            for (contest, encounter), outcomes in played:
                path = paths[id(contest)]
                found[path].add(encounter, outcomes)
                touched.add(path)
                done += 1
                if time.monotonic() - saved > SAVE_ALL_EVERY:
                    save()
                    saved = time.monotonic()
        finally:
            save()
    return found


def warm_up(contest: Contest) -> None:
    """Let each entrant choose once here, so that kernels are compiled once and found by all."""
    match = contest.make_game().deal(0)
    for text in contest.entrants:
        BotSpec.read(text).bot(b"\0" * 32).choose(match)
