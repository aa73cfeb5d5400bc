"""Playing a contest, on all cores, with what is done already kept on disk."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from tanistry.arena.contest import Contest, Encounter, Entrant
from tanistry.arena.results import Outcome, Results

SAVE_EVERY = 5.0
"""Seconds between two writings of the results file."""


def play_match(contest: Contest, encounter: Encounter, swapped: bool) -> Outcome:
    """One match of an encounter, for the entrant a."""
    game = contest.make_game()
    seating = contest.seating(encounter, swapped)
    match = game.deal(contest.seed_of("deal", encounter.deal))
    players = [
        Entrant.read(text).bot(contest.seed_of("bot", text, encounter.deal, swapped, seat))
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


def _deaf() -> None:
    """In a worker: an interruption is for the one who waits for the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(contest: Contest, encounter: Encounter) -> tuple[Encounter, tuple[Outcome, Outcome]]:
    return encounter, play_encounter(contest, encounter)


def run(
    contest: Contest,
    *,
    out: Path | None = None,
    workers: int | None = None,
    progress: Callable[[int, int, Results], None] | None = None,
    until: float | None = None,
) -> Results:
    """Play what is not yet in the results file `out`, and write it there.

    Interrupted (Ctrl-C, or after `until` seconds) it leaves a file from which the same call goes
    on. `progress` is called with the encounters done, all of them, and the results so far.
    """
    results = Results.load(out, contest) if out and out.exists() else Results(contest)
    planned = list(contest.encounters())
    todo = [encounter for encounter in planned if not results.has(encounter)]
    done = len(planned) - len(todo)
    if progress:
        progress(done, len(planned), results)
    if not todo:
        return results
    _warm_up(contest)
    workers = workers or os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    began = saved = time.monotonic()
    pending: set[Future[tuple[Encounter, tuple[Outcome, Outcome]]]] = set()
    queue = iter(todo)
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_deaf) as pool:
        try:
            while True:
                late = until is not None and time.monotonic() - began > until
                while not late and len(pending) < 2 * workers:
                    encounter = next(queue, None)
                    if encounter is None:
                        break
                    pending.add(pool.submit(_work, contest, encounter))
                if not pending:
                    break
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in finished:
                    results.add(*future.result())
                    done += 1
                if progress:
                    progress(done, len(planned), results)
                if out and time.monotonic() - saved > SAVE_EVERY:
                    results.save(out)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            results.interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()  # a match may take minutes: what is half played is lost
        finally:
            if out:
                results.save(out)
    return results


def _warm_up(contest: Contest) -> None:
    """Let each entrant choose once here, so that kernels are compiled once and found by all."""
    match = contest.make_game().deal(0)
    for text in contest.entrants:
        Entrant.read(text).bot(b"\0" * 32).choose(match)
