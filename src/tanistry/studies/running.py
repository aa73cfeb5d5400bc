"""Running a study: shares go out to an engine, counts come back, and the state is kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic as now
from typing import TYPE_CHECKING

from tanistry.errors import OptionError
from tanistry.studies import checkpoint
from tanistry.studies.checkpoint import Tally
from tanistry.studies.engines import Played, check_engine, make_engine
from tanistry.studies.output import Study
from tanistry.studies.plan import Plan, make_plan
from tanistry.studies.playing import Share, warm_up

if TYPE_CHECKING:
    from tanistry.match import Game
    from tanistry.studies.engines import Engine

SAVE_EVERY = 2.0
"""Seconds between two checkpoints: as much work as a crash can cost."""
SHARE_SECONDS = 0.25
"""What a share should take: long against handing it out, short when somebody waits for the end."""
FIRST_SHARE = 16
LARGEST_SHARE = 1 << 16
MOST_WAITING = 64
"""Shares that are done but wait for an earlier one: memory stays flat even if that one is lost."""
GROWTH = 8
"""At most so many times larger than the one before: speed is an estimate."""

Progress = Callable[[Sequence[int]], None]


def study(
    game: Game,
    n: int = 100_000,
    policies: str | Iterable[str] = ("random",),
    vary: Mapping[str, object] | None = None,
    seed: int | bytes = 0,
    out: Path | str | None = None,
    engine: str = "local",
    workers: int | None = None,
    progress: Progress | None = None,
    until: float | None = None,
) -> Study:
    """Play `n` matches of every setting and count: see `Study` for what comes out.

    A setting is one of `policies` (`random`, `greedy`, a bot such as `ismcts:2`; `ismcts:2@500`
    plays only 500 matches) at all seats of `game`, or of its variants: `vary={"edition": None}`
    tries all values of an option, a list (or a single value) only those.

    With a folder `out` the state is saved there, and the same call continues after Ctrl-C, `until`
    seconds or a crash. `engine`, `workers` and interruptions never
    change the result. `progress` is called in the caller's thread with the matches done so far.
    """
    plan = make_plan(game, n, policies, {} if vary is None else vary, seed)
    workers = check_engine(engine, workers)
    _check_seconds(until)
    folder = None if out is None else checkpoint.read_folder(out)
    with ExitStack() as held:
        if folder:
            checkpoint.check_folder(folder)
            held.enter_context(checkpoint.alone_in(folder))
            checkpoint.sweep(folder)
            tallies = checkpoint.load(folder, plan)
        else:
            tallies = [checkpoint.nothing(setting) for setting in plan.settings]
        run = _Run(plan, tallies, folder, progress)
        if run.is_unfinished():
            prepare(plan)
            run.go(make_engine(engine, plan, workers), until)
    return Study(plan, tuple(run.tallies), run.interrupted)


def _check_seconds(until: object) -> None:
    if until is not None and not (isinstance(until, (int, float)) and until >= 0):
        raise OptionError("option/value", name="until", value=until, allowed="≥ 0")


def prepare(plan: Plan) -> None:
    """Compile everything, or load it: a while the first time."""
    for setting in plan.settings:
        warm_up(setting, plan.key)


class _Run:
    """The state of a running study. Counts are merged in the order of the matches."""

    def __init__(
        self, plan: Plan, tallies: list[Tally], folder: Path | None, progress: Progress | None
    ) -> None:
        self.plan = plan
        self.tallies = tallies
        self.folder = folder
        self.progress = progress
        self.interrupted = False
        self.handed_out = [tally.done for tally in tallies]
        self.waiting: dict[tuple[int, int], Tally] = {}  # shares that are done before their turn
        self.size = [FIRST_SHARE if s.is_compiled else 1 for s in plan.settings]

    def is_unfinished(self) -> bool:
        pairs = zip(self.plan.settings, self.tallies, strict=True)
        return any(tally.done < setting.matches for setting, tally in pairs)

    def go(self, engine: Engine, until: float | None) -> None:
        began = saved = now()
        self._show()
        try:
            while until is None or now() - began < until:
                self._hand_out(engine)
                played = engine.done()
                if not played:
                    break
                for share in played:
                    self._merge(share)
                self._show()
                if now() - saved > SAVE_EVERY:
                    self._save()
                    saved = now()
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            try:
                self._save()
            finally:
                engine.close()

    def _hand_out(self, engine: Engine) -> None:
        """Fill the engine, always from the setting that is furthest behind: all advance evenly."""
        settings = self.plan.settings
        while len(self.waiting) < MOST_WAITING:
            open_ones = [
                i
                for i, setting in enumerate(settings)
                if self.handed_out[i] < setting.matches and engine.has_room(setting)
            ]
            if not open_ones:
                return
            i = min(open_ones, key=lambda i: self.handed_out[i] / settings[i].matches)
            first = self.handed_out[i]
            share = Share(i, first, min(self.size[i], settings[i].matches - first))
            engine.submit(share)
            self.handed_out[i] = first + share.matches

    def _merge(self, played: Played) -> None:
        i, first, n = played.share
        fitting = int(n * SHARE_SECONDS / max(played.seconds, 1e-6))
        self.size[i] = max(1, min(fitting, GROWTH * n, LARGEST_SHARE))
        self.waiting[i, first] = Tally(n, played.numbers)
        while (next_one := self.waiting.pop((i, self.tallies[i].done), None)) is not None:
            self.tallies[i] = self.tallies[i] + next_one

    def _show(self) -> None:
        if self.progress:
            self.progress([tally.done for tally in self.tallies])

    def _save(self) -> None:
        if self.folder:
            checkpoint.save(self.folder, self.plan, self.tallies)
