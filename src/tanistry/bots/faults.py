"""Whose fault it is: what goes wrong in a bot that somebody else wrote is said to that person."""

from __future__ import annotations

import sys
from traceback import extract_tb
from typing import Any

from tanistry.errors import OptionError

FAULTS = Exception, SystemExit
"""What counts as one: a bot that leaves takes nobody with it. Ctrl-C is the person's."""


def is_ours(kind: type[Any]) -> bool:
    """Whether a class of players belongs to this package; its faults are not the user's."""
    return kind.__module__.startswith("tanistry.")


def fault(name: str, kind: type[Any], wrong: BaseException) -> OptionError:
    """What to raise when a bot of somebody else's fails: with the file and the line of it."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or kind.__module__
    return OptionError("bot/fault", name=name, where=place(file, wrong), reason=reason(wrong))


def place(file: str, wrong: BaseException) -> str:
    """The last line of a file that led to an error, as `file:line`."""
    lines = [frame.lineno for frame in extract_tb(wrong.__traceback__) if frame.filename == file]
    return f"{file}:{lines[-1]}" if lines else file


def reason(wrong: BaseException) -> str:
    text = str(wrong)
    return f"{type(wrong).__name__}: {text}" if text else type(wrong).__name__
