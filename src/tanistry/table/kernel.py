"""The kernel decorator: one Python function, run interpreted, compiled for the CPU, or inside CUDA.

A kernel keeps to the subset that Numba compiles for both targets: integers, fixed-size arrays,
no allocation, no exceptions, no strings, no recursion. `@kernel` compiles on the first call and
keeps the result on disk; CUDA kernels call the very same objects. `interpreted(f)` is the plain
Python twin of a kernel and of every kernel it calls.

Numba's own disk cache does not notice a change in a function that another file calls, so our cache
folder is named after a hash of the sources a kernel may reach: this package and the kernel's own.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

INTERPRET = os.environ.get("TANISTRY_INTERPRET", "") not in ("", "0")
"""With TANISTRY_INTERPRET=1 nothing is compiled: for debuggers and coverage."""

if INTERPRET:
    np.seterr(over="ignore")  # 32- and 64-bit arithmetic wraps on purpose
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # in threads, too

HERE = Path(__file__).parent

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
"""How kernels are compiled. Without Numba's runtime there is nothing to allocate with, and arrays
are not counted each time they are passed on: in batched stepping that took twice the time of the
rules."""


def cache_root() -> Path:
    """Where compiled kernels are kept: TANISTRY_CACHE, or the user's cache folder."""
    if folder := os.environ.get("TANISTRY_CACHE"):
        return Path(folder)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "tanistry"


@cache
def _source_hash(folder: Path) -> bytes:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def _cache_folder(folders: set[Path]) -> Path:
    digest = hashlib.sha256()
    for folder in sorted(folders):
        digest.update(_source_hash(folder))
    return cache_root() / "kernels" / digest.hexdigest()[:20]


def _compiled(function: F, folders: set[Path]) -> F:
    import numba

    config: Any = numba.config

    # Numba picks the cache folder when the dispatcher is made, from a process-wide setting that
    # other users of Numba in this process rely on: so set it for that moment only.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_cache_folder(folders))
    try:
        inline = getattr(function, "__inlined__", False)
        made: Any = numba.njit(**OPTIONS, forceinline=inline)(function)
        made.get_call_template = _one_version(made.get_call_template)
        made._cache._cache_file = _one_file_each(made._cache._cache_file)
        return made
    finally:
        config.CACHE_DIR = before


def _one_file_each(numbered: Any) -> Any:
    """Keep each version of a kernel in a file named after what it was compiled for.

    Numba numbers the files and lists them in an index, which it replaces as a whole: two processes
    that compile a kernel for two records at once may take the same number, and one game would not
    compile again until the cache is emptied. It also throws the index away when a file has a new
    date; our folder is named after what the files contain.
    """
    from numba.core.caching import IndexDataCacheFile

    base: Any = IndexDataCacheFile

    class OneFileEach(base):  # type: ignore[misc]
        def save(self, key: Any, data: Any) -> None:
            self._save_data(self._name(key), data)

        def load(self, key: Any) -> Any:
            try:
                return self._load_data(self._name(key))
            except OSError:
                return None

        def _name(self, key: Any) -> str:
            digest = hashlib.sha256(repr((self._version, key)).encode()).hexdigest()
            return f"{self._index_name.removesuffix('.nbi')}.{digest[:20]}.nbc"

    return OneFileEach(numbered._cache_path, numbered._index_name.removesuffix(".nbi"), None)


def _one_version(find: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels that call a kernel share one version of it, with 64-bit integers.

    Numba would compile it anew for every constant and every width of integer it is called with:
    for a large game that is most of the time. Once inlined the result is the same.
    """
    from numba import types as numba_types

    types: Any = numba_types  # without annotations of its own

    def widest(kind: Any) -> Any:
        plain = types.unliteral(kind)
        return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain

    def found(args: Any, kws: Any) -> Any:
        return find(
            tuple(widest(a) for a in args), {name: widest(kind) for name, kind in kws.items()}
        )

    return found


def kernel(function: F) -> F:
    """Compile `function` on its first call; see the module's text for what it may contain."""
    if INTERPRET:
        return function
    return _compiled(function, {HERE, Path(inspect.getfile(function)).parent})


def _nothing(*_arguments: Any) -> None:
    pass


def python_of(function: Callable[..., Any]) -> FunctionType:
    """The Python function behind a kernel."""
    plain: FunctionType = getattr(function, "py_func", function)  # type: ignore[arg-type]
    return plain


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


def specialise(module: ModuleType, given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Compile the templates of `module` with the names in `given` in place of the module's own.

    This is how an algorithm is written once for all games (resampling, playouts, search): its
    module imports the names of `table.contract`, and each game gets copies with its own kernels.
    """
    scope = {**vars(module), **given}
    folders = {HERE, Path(inspect.getfile(module)).parent}
    for value in given.values():
        if callable(value):
            folders.add(Path(inspect.getfile(python_of(value))).parent)
    made: dict[str, Any] = {}
    for key, plain in vars(module).items():
        if getattr(plain, "__template__", False) and plain.__module__ == module.__name__:
            # A cached kernel is found by module and name: each copy needs a name of its own.
            copy = _with_globals(plain, scope, f"{key}_{name}")
            made[key] = scope[key] = copy if INTERPRET else _compiled(copy, folders)
    return made


def _with_globals(plain: FunctionType, scope: dict[str, Any], name: str) -> FunctionType:
    copy = FunctionType(plain.__code__, scope, name, plain.__defaults__, plain.__closure__)
    copy.__qualname__ = name
    copy.__module__ = plain.__module__
    copy.__doc__ = plain.__doc__
    copy.__dict__.update(plain.__dict__)
    return copy


Twins = dict[int, tuple[Any, Any]]
"""By the identity of a kernel: the kernel, kept alive so that it stays the one, and its copy."""


def _rebuild(function: Any, twins: Twins, make: Callable[[Any, FunctionType], Any]) -> Any:
    """A copy of a kernel and of every kernel it calls; `make` turns each into what it shall be."""
    known = twins.get(id(function))
    if known is not None:
        return known[1]
    plain = python_of(function)
    scope = dict(plain.__globals__)
    made = make(function, _with_globals(plain, scope, plain.__name__))
    twins[id(function)] = (function, made)
    for name in plain.__code__.co_names:
        callee: Any = scope.get(name)
        if hasattr(callee, "py_func"):
            inner = _rebuild(callee, twins, make)
            scope[name] = getattr(inner, "__inner__", inner)
    return made


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

    return _rebuild(function, _interpreted, make)


def for_onlookers(function: F) -> F:
    """A kernel that only serves those who look on: what it writes, no rule ever reads."""
    made = kernel(function)
    made.__onlookers__ = True  # type: ignore[attr-defined]
    return made


_unwatched: dict[bool, Twins] = {True: {}, False: {}}


def unwatched(function: F, compiled: bool = True) -> F:
    """The same kernel for play that nobody looks at: without what is `for_onlookers`."""

    def make(function: Any, copy: FunctionType) -> Any:
        body = _nothing if getattr(function, "__onlookers__", False) else copy
        if INTERPRET or not compiled:
            return body
        import numba

        njit: Any = numba.njit
        return njit(nogil=True, error_model="numpy")(body)

    return _rebuild(function, _unwatched[compiled], make)


def names_used(*functions: Any) -> set[str]:
    """All names in some kernels and in those they call, but not in what is `for_onlookers`.

    The fields of the record that are not among them are of no use to `unwatched` kernels.
    """
    names: set[str] = set()
    waiting = [python_of(function) for function in functions]
    seen = set(waiting)
    while waiting:
        plain = waiting.pop()
        names.update(plain.__code__.co_names)
        for name in plain.__code__.co_names:
            callee: Any = plain.__globals__.get(name)
            if not hasattr(callee, "py_func") or getattr(callee, "__onlookers__", False):
                continue
            if python_of(callee) not in seen:
                seen.add(python_of(callee))
                waiting.append(python_of(callee))
    return names
