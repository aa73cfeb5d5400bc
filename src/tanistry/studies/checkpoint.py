"""The state of a study on disk: written often and in one go, so that any end leaves a whole file.

What it holds for a setting are the counts of its matches 0 … done − 1. More matches or more
settings can be asked for later; what is there is not played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from tanistry.errors import FileError, OptionError
from tanistry.storage import check_replaceable, replacing
from tanistry.studies.counting.layout import Numbers, counts_layout
from tanistry.studies.plan import Plan, Setting

FORMAT = 1
NAME = "checkpoint.npz"


@dataclass(frozen=True)
class Tally:
    """What is known of a setting: how many of its matches, from the first, and their counts.

    Never changed, only replaced: an interruption finds the old one or the new one.
    """

    done: int
    numbers: Numbers

    def __add__(self, more: Tally) -> Tally:
        return Tally(self.done + more.done, self.numbers + more.numbers)


def nothing(setting: Setting) -> Tally:
    layout = counts_layout(setting.make_game().definition)
    return Tally(0, np.zeros(layout.itemsize // 8, np.int64))


def read_folder(out: Path | str) -> Path:
    """The folder that somebody named; FileError if that is no name."""
    if not isinstance(out, (str, Path)) or out == "":
        raise FileError("file/write", repr(out), FileNotFoundError())
    return Path(out)


def check_folder(folder: Path) -> None:
    """Make the folder and see whether one can write there, before anything is played."""
    check_replaceable(folder / NAME)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other studies out of a folder meanwhile: each would undo what the other has stored.

    The system lets go of it whatever ends this process. Where a file system knows no such locks,
    and on Windows, nobody is kept out.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OptionError("study/busy", name=str(folder)) from None
        except OSError:
            pass
        yield
    finally:
        os.close(handle)


def sweep(folder: Path) -> None:
    """Remove what a study left that was killed while it wrote."""
    for fresh in folder.glob(f"{NAME}.*.new"):
        fresh.unlink(missing_ok=True)


def save(folder: Path, plan: Plan, tallies: list[Tally]) -> None:
    """Replace the checkpoint: after a crash, even of the machine, it is the old one or the new."""
    head = {
        "format": FORMAT,
        "settings": [plan.identity(setting) for setting in plan.settings],
        "done": [tally.done for tally in tallies],
    }
    arrays = {f"counts_{i}": tally.numbers for i, tally in enumerate(tallies)}
    with replacing(folder / NAME) as fresh, fresh.open("wb") as file:
        np.savez_compressed(file, head=np.array(json.dumps(head)), **arrays)  # type: ignore[arg-type]


def load(folder: Path, plan: Plan) -> list[Tally]:
    """What a folder holds of the settings of a plan; OptionError if it is about something else."""
    tallies = [nothing(setting) for setting in plan.settings]
    path = folder / NAME
    if not path.exists():
        return tallies
    try:
        with np.load(path, allow_pickle=False) as data:
            head = json.loads(str(data["head"]))
            found = [Tally(int(n), data[f"counts_{i}"]) for i, n in enumerate(head["done"])]
            known = dict(zip(map(_name, head["settings"]), found, strict=True))
            same_format = head["format"] == FORMAT
            if same_format and not all(map(_is_sound, found)):
                raise ValueError
    except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile):
        raise OptionError("study/unreadable", name=str(path)) from None
    wanted = [_name(plan.identity(setting)) for setting in plan.settings]
    if not same_format or not set(known) <= set(wanted):
        raise OptionError("study/other", name=str(folder))
    for i, (setting, name) in enumerate(zip(plan.settings, wanted, strict=True)):
        tally = known.get(name, tallies[i])
        if tally.numbers.shape != tallies[i].numbers.shape:
            raise OptionError("study/other", name=str(folder))
        if tally.done > setting.matches:
            raise OptionError("study/fewer", name=str(folder), done=tally.done, n=setting.matches)
        tallies[i] = tally
    return tallies


def _is_sound(tally: Tally) -> bool:
    """Whether the counts are numbers of as many matches as is said (their first counter)."""
    numbers = tally.numbers
    return numbers.dtype == np.int64 and numbers.size > 0 and numbers.flat[0] == tally.done


def _name(identity: object) -> str:
    return json.dumps(identity, sort_keys=True)
