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

    def make(_function: Any, copy: FunctionType) -> Any:
        def quiet(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):  # 32- and 64-bit arithmetic wraps on purpose
                return copy(*arguments)

        # Inner calls skip the wrapper: the outermost one has already silenced the warnings.
        quiet.__inner__ = copy  # type: ignore[attr-defined]
        return quiet

    return rebuild(function, _interpreted, make)
