"""Kernels compiled for the CPU: once for all, or once for each game (`specialise`)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

from tanistry.kernel.cache import cache_folder
from tanistry.kernel.functions import Twins, python_of, rebuild, serves_onlookers, with_globals
from tanistry.kernel.internals import cached_njit, part_of_others
from tanistry.kernel.interpreter import INTERPRET, interpreted

F = TypeVar("F", bound=Callable[..., Any])


def _compiled(function: Any, sources: Iterable[Any]) -> Any:
    """A kernel that is compiled anew when the folders of some functions or modules change."""
    if INTERPRET:
        return function
    folders = {Path(inspect.getfile(source)).parent for source in sources}
    return cached_njit(
        function, cache_folder(folders), inline=getattr(function, "__inlined__", False)
    )


def kernel(function: F) -> F:
    """Compile `function` on its first call; see the package's text for what it may contain."""
    return _compiled(function, [function])


def template(function: F) -> F:
    """Mark a function that is compiled once per game, by `specialise`."""
    function.__template__ = True  # type: ignore[attr-defined]
    return function


def inlined(function: F) -> F:
    """Mark a kernel or template that is copied into place wherever it is called, however long.

    A call hands over seven numbers for each array: too many for what is done for every card.
    """
    function.__inlined__ = True  # type: ignore[attr-defined]
    return function


_made: dict[tuple[Any, ...], dict[str, Any]] = {}
"""All that was specialised in this process, by what it was made from."""


def specialise(module: ModuleType, given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Compile the templates of `module` with the names in `given` in place of the module's own.

    This is how an algorithm is written once for all games (resampling, playouts, search): its
    module imports the names of `table.contract`, and each game gets copies with its own kernels.
    Templates that it imports from other modules, and that are not given, are made along with it.
    What is made with interpreted kernels is interpreted. Asked again for the same, it gives the
    same ones.
    """
    compiled = {key: getattr(value, "__compiled__", value) for key, value in given.items()}
    if any(compiled[key] is not value for key, value in given.items()):
        made = specialise(module, compiled, name)
        return {key: interpreted(copy) for key, copy in made.items()}
    key = (module.__name__, name, *((k, _identity(v)) for k, v in sorted(given.items())))
    if key not in _made:
        _made[key] = _specialised(module, given, name)
    return _made[key]


def _identity(value: Any) -> Any:
    """What makes two given things the same: arrays, their contents."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return value


def _specialised(module: ModuleType, given: Mapping[str, Any], name: str) -> dict[str, Any]:
    scope = {**vars(module), **_imported(module, given, name), **given}
    sources = [module, *(python_of(value) for value in given.values() if callable(value))]
    made: dict[str, Any] = {}
    for key, plain in vars(module).items():
        if _is_template(plain) and plain.__module__ == module.__name__:
            # A cached kernel is found by module and name: each copy needs a name of its own.
            copy = with_globals(plain, scope, f"{key}_{name}")
            made[key] = scope[key] = _compiled(copy, sources)
    return made


def _imported(module: ModuleType, given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The templates of other modules that a module uses, specialised with what is given there."""
    made = {}
    for key, plain in vars(module).items():
        if _is_template(plain) and plain.__module__ != module.__name__ and key not in given:
            home = sys.modules[plain.__module__]
            theirs = {k: value for k, value in given.items() if k in vars(home)}
            made[key] = specialise(home, theirs, name)[plain.__name__]
    return made


def _is_template(value: Any) -> bool:
    return getattr(value, "__template__", False)


def for_onlookers(function: F) -> F:
    """A kernel that only serves those who look on: what it writes, no rule ever reads."""
    made = kernel(function)
    made.__onlookers__ = True  # type: ignore[attr-defined]
    return made


def _nothing(*_arguments: Any) -> None:
    pass


_unwatched: dict[bool, Twins] = {True: {}, False: {}}


def unwatched(function: F, compiled: bool = True) -> F:
    """The same kernel for play that nobody looks at: without what is `for_onlookers`."""

    def make(function: Any, copy: FunctionType) -> Any:
        body = _nothing if serves_onlookers(function) else copy
        return body if INTERPRET or not compiled else part_of_others(body)

    return rebuild(function, _unwatched[compiled], make)
