"""Kernels as Python functions: what they call, and copies of them with other callees."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any


def python_of(function: Callable[..., Any]) -> FunctionType:
    """The Python function behind a kernel."""
    plain: FunctionType = getattr(function, "py_func", function)  # type: ignore[arg-type]
    return plain


def serves_onlookers(function: Any) -> bool:
    """Whether a kernel is marked `for_onlookers`."""
    return getattr(function, "__onlookers__", False)


def with_globals(plain: FunctionType, scope: dict[str, Any], name: str) -> FunctionType:
    """A copy of a function that finds other things under the names it uses."""
    copy = FunctionType(plain.__code__, scope, name, plain.__defaults__, plain.__closure__)
    copy.__qualname__ = name
    copy.__module__ = plain.__module__
    copy.__doc__ = plain.__doc__
    copy.__dict__.update(plain.__dict__)
    return copy


Twins = dict[int, tuple[Any, Any]]
"""By the identity of a kernel: the kernel, kept alive so that it stays the one, and its copy."""


def rebuild(function: Any, twins: Twins, make: Callable[[Any, FunctionType], Any]) -> Any:
    """A copy of a kernel and of every kernel it calls; `make` turns each into what it shall be."""
    known = twins.get(id(function))
    if known is not None:
        return known[1]
    plain = python_of(function)
    scope = dict(plain.__globals__)
    made = make(function, with_globals(plain, scope, plain.__name__))
    twins[id(function)] = (function, made)
    names = plain.__code__.co_names

    def rebuilt(inside: Any) -> dict[str, Any]:
        """The kernels among the names used, inside a scope."""
        found = {name: inside[name] for name in names if hasattr(inside.get(name), "py_func")}
        inner = {name: rebuild(kernel, twins, make) for name, kernel in found.items()}
        return {name: getattr(copy, "__inner__", copy) for name, copy in inner.items()}

    for name in names:  # those of a module that is called by its name, too: `rules.play(s)`
        module = scope.get(name)
        if isinstance(module, ModuleType) and (inner := rebuilt(vars(module))):
            scope[name] = ModuleType(module.__name__)
            vars(scope[name]).update(vars(module) | inner)
    scope.update(rebuilt(scope))
    return made


def names_used(*functions: Any, onlookers: bool = False) -> set[str]:
    """All names in some kernels and in those they call; in what is `for_onlookers` if so asked.

    The fields of the record that are not among them are of no use to these kernels, and without
    onlookers to `unwatched` ones.
    """
    names: set[str] = set()
    waiting = [python_of(function) for function in functions]
    seen = set(waiting)
    while waiting:
        plain = waiting.pop()
        names.update(plain.__code__.co_names)
        for name in plain.__code__.co_names:
            callee: Any = plain.__globals__.get(name)
            if not hasattr(callee, "py_func") or (serves_onlookers(callee) and not onlookers):
                continue
            if python_of(callee) not in seen:
                seen.add(python_of(callee))
                waiting.append(python_of(callee))
    return names
