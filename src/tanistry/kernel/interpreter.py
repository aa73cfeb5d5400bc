"""Kernels without a compiler, for debuggers, coverage, and as the measure of the compiled ones."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from tanistry.kernel.functions import Twins, rebuild

F = TypeVar("F", bound=Callable[..., Any])

INTERPRET = os.environ.get("TANISTRY_INTERPRET", "") not in ("", "0")
"""With TANISTRY_INTERPRET=1 nothing is compiled."""

if INTERPRET:
    np.seterr(over="ignore")  # 32- and 64-bit arithmetic wraps on purpose
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # in threads, too

_interpreted: Twins = {}


def interpreted(function: F) -> F:
    """The same kernel without a compiler: it, and everything it calls, as plain Python."""

    def make(function: Any, copy: FunctionType) -> Any:
        def quiet(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):  # 32- and 64-bit arithmetic wraps on purpose
                return copy(*map(fields, arguments))

        # Inner calls skip the wrapper: the outermost one has already silenced the warnings.
        quiet.__inner__ = copy  # type: ignore[attr-defined]
        quiet.__compiled__ = function  # type: ignore[attr-defined]
        return quiet

    return rebuild(function, _interpreted, make)


def bare(function: F) -> F:
    """The same for a small kernel that is asked very often: it takes the `fields` of a record, and
    nothing silences the warnings."""
    return interpreted(function).__inner__  # type: ignore[attr-defined]


# -- records that are quick to reach --------------------------------------------------------------


def fields(argument: Any) -> Any:
    """A record as an object whose attributes are its memory; anything else as it is.

    NumPy looks each field of a record up anew, which took most of the time of an interpreted rule.
    """
    if not isinstance(argument, np.record):
        return argument
    cell: Any = argument.base
    if cell.size != 1:
        return argument  # of a row of many, NumPy does not tell which it is
    kept = object.__getattribute__(argument, "__dict__")
    if "fields" not in kept:
        kept["fields"] = _class_of(argument.dtype)(cell)
    return kept["fields"]


class _Fields:
    """A view of the memory of one record; what was reached once is kept.

    There is room for its fields alone: one that is misspelt cannot be written.
    """

    __slots__ = ("cell",)

    def __init__(self, cell: Any) -> None:
        self.cell = cell

    def __getattr__(self, name: str) -> Any:
        cell = self.cell[name.removeprefix("_")]
        found = cell if name.startswith("_") else cell[0]
        setattr(self, name, found)
        return found

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.cell.reshape(())


_classes: dict[int, tuple[Any, type[_Fields]]] = {}
"""By the identity of a dtype, which takes long to hash: the dtype, kept alive, and its class."""


def _class_of(dtype: np.dtype[Any]) -> type[_Fields]:
    """The class of a game's records: arrays are attributes, numbers properties."""
    if id(dtype) not in _classes:
        names = dtype.names or ()
        numbers = {name: _number("_" + name) for name in names if not dtype[name].shape}
        slots = ["_" + name for name in names] + [name for name in names if name not in numbers]
        made = type("Fields", (_Fields,), {"__slots__": slots, **numbers})
        _classes[id(dtype)] = dtype, made
    return _classes[id(dtype)][1]


def _number(cell: str) -> property:
    def read(self: Any) -> Any:
        return getattr(self, cell)[0]

    def write(self: Any, value: Any) -> None:
        getattr(self, cell)[0] = value

    return property(read, write)
