"""Arrays are handed to the kernel of a step one by one; two that were swapped would compile."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

import pytest

from tanistry.simulation import gpu_batch, stepping

CALLED = {"moves": "sets"}
"""Fields of `Rows` that the kernel has another name for."""


def calls_of_step(module: ModuleType) -> list[ast.Call]:
    tree = ast.walk(ast.parse(inspect.getsource(module)))
    calls = [node for node in tree if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "step"]


@pytest.mark.parametrize("module", [stepping, gpu_batch], ids=["cpu", "gpu"])
def test_every_array_is_handed_over_under_its_own_name(module: ModuleType) -> None:
    _, _, moves, *expected = inspect.signature(stepping.step).parameters
    (call,) = calls_of_step(module)
    _, _, room, *given = call.args
    assert ast.unparse(room) == moves
    assert not call.keywords
    for name, argument in zip(expected, given, strict=True):
        if isinstance(argument, ast.Attribute):  # of the named structure
            assert ast.unparse(argument.value) == "rows"
            assert argument.attr in stepping.Rows._fields
            assert CALLED.get(argument.attr, argument.attr) == name
        else:
            assert ast.unparse(argument) == name


def test_the_arrays_are_taken_out_of_the_structure_by_name() -> None:
    taken = 0
    for node in ast.walk(ast.parse(inspect.getsource(stepping.step_all))):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            (names,) = node.targets
            assert isinstance(names, ast.Tuple)
            for name, field in zip(names.elts, node.value.elts, strict=True):
                assert isinstance(field, ast.Attribute)
                assert CALLED.get(field.attr, field.attr) == ast.unparse(name)
                taken += 1
    assert taken == len(inspect.signature(stepping.step).parameters) - 3
