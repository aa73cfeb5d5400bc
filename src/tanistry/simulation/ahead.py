"""Memory that is soon written to, asked for ahead of time."""

from __future__ import annotations

from typing import Any

from tanistry.kernel import INTERPRET

LINE = 64
"""Bytes of a line of a processor's cache; where lines are longer, some are asked for twice."""


def ask_for(_array: Any, _at: int) -> None:
    """Bring the line with the byte `at` of an array into the cache: changes nothing but time."""


if not INTERPRET:
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def _prefetch(_context: Any, array: Any, _at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            number, byte = ir.IntType(32), ir.IntType(8)
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            line = builder.gep(builder.bitcast(data, byte.as_pointer()), [args[1]])
            kinds = ir.FunctionType(ir.VoidType(), [line.type, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [line.type], kinds)
            to_write, close_by, data_not_code = (ir.Constant(number, n) for n in (1, 3, 1))
            builder.call(prefetch, [line, to_write, close_by, data_not_code])
            return context.get_dummy_value()

        return types.void(array, types.int64), generate

    @overload(ask_for, jit_options={"forceinline": True})
    def _ask_for(_array: Any, _at: Any) -> Any:
        def asked(_array: Any, _at: Any) -> None:
            _prefetch(_array, _at)  # type: ignore[call-arg]

        return asked
