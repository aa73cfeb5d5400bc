"""Sets as flags: the bits of a word as bytes of 0 and 1, many at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tanistry.kernel import INTERPRET, inlined, kernel
from tanistry.table.bits import ONE, Word


def spread(out: Any, at: int, word: Word, width: int) -> None:
    """Write the lowest `width` bits of a word (8, 16, 32 or 64), a byte for each."""
    for i in range(width):
        out[at + i] = (word >> np.uint64(i)) & ONE


if not INTERPRET:
    # A vector of bits made one of bytes: two instructions for a whole word where the processor has
    # 512-bit vectors, a handful for each quarter elsewhere. Nothing checks the index.
    from numba import types
    from numba.extending import intrinsic, overload

    def _spreading(width: int) -> Any:
        @intrinsic
        def store(_context: Any, out: Any, _at: Any, _word: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                from llvmlite import ir

                byte = ir.IntType(8)
                array = context.make_array(signature.args[0])(context, builder, args[0])
                first = builder.gep(builder.bitcast(array.data, byte.as_pointer()), [args[1]])
                bits = builder.trunc(args[2], ir.IntType(width)) if width < 64 else args[2]
                flags = builder.zext(
                    builder.bitcast(bits, ir.VectorType(ir.IntType(1), width)),
                    ir.VectorType(byte, width),
                )
                builder.store(flags, builder.bitcast(first, flags.type.as_pointer()), align=1)
                return context.get_dummy_value()

            return types.void(out, types.int64, types.uint64), generate

        return store

    _STORES = {width: _spreading(width) for width in (8, 16, 32, 64)}

    @overload(spread, prefer_literal=True)
    def _spread(out: Any, at: Any, word: Any, width: Any) -> Any:
        store = _STORES[width.literal_value]

        def stored(out: Any, at: Any, word: Any, width: Any) -> Any:
            store(out, at, word)

        return stored


@kernel
@inlined
def write_flags(out: Any, at: int, word: Word, n: int) -> None:
    """Write the lowest n bits of a word to n bytes of `out`, from index `at` on.

    Where n is no power of two, the last flags are written twice rather than one by one.
    """
    if n == 64:
        spread(out, at, word, 64)
    elif n >= 32:
        spread(out, at, word, 32)
        spread(out, at + n - 32, word >> np.uint64(n - 32), 32)
    elif n >= 16:
        spread(out, at, word, 16)
        spread(out, at + n - 16, word >> np.uint64(n - 16), 16)
    elif n >= 8:
        spread(out, at, word, 8)
        spread(out, at + n - 8, word >> np.uint64(n - 8), 8)
    else:
        for i in range(n):
            out[np.uint64(at + i)] = (word >> np.uint64(i)) & ONE
