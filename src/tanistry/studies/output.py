"""A study: its plan, what was counted, and the figures made from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tanistry
from tanistry.studies.checkpoint import Tally
from tanistry.studies.comparing import compared
from tanistry.studies.files import write
from tanistry.studies.plan import Plan
from tanistry.studies.results import Result, Row, Rows


@dataclass(frozen=True)
class Study:
    """A study, finished or not: a `Result` for each setting."""

    plan: Plan
    tallies: tuple[Tally, ...]
    interrupted: bool = False

    @property
    def results(self) -> list[Result]:
        pairs = zip(self.plan.settings, self.tallies, strict=True)
        return [Result(setting, tally, self.plan.label(setting)) for setting, tally in pairs]

    @property
    def finished(self) -> bool:
        pairs = zip(self.plan.settings, self.tallies, strict=True)
        return all(tally.done == setting.matches for setting, tally in pairs)

    def compared(self) -> Rows:
        """Every setting against the first: the difference of each figure, with its interval."""
        return compared(self.results)

    def data(self) -> Row:
        """Everything as plain JSON data."""
        return {
            **self.head(),
            "finished": self.finished,
            "settings": [result.data() for result in self.results],
            "compared": self.compared(),
        }

    def head(self) -> Row:
        """Where the figures come from."""
        seed = self.plan.key.hex()
        return {"game": self.plan.game, "seed": seed, "tanistry": tanistry.__version__}

    def write(self, folder: Path | str, formats: tuple[str, ...], lang: str = "en") -> list[Path]:
        """Write files of the results: `json`, `parquet`, `html`. Which ones."""
        return write(self, folder, formats, lang)
