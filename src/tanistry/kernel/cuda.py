"""The private parts of Numba's CUDA target that play on a GPU leans on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


def import_cuda() -> Any:
    """Numba's CUDA part, which has no annotations."""
    return import_module("numba.cuda")


def make_copy() -> Any:
    """A device function that copies a record word by word; Numba's own copies byte by byte."""
    types: Any = import_module("numba").types
    ir: Any = import_module("llvmlite.ir")
    cgutils: Any = import_module("numba.cuda.cgutils")

    def copy_record(_context: Any, target: Any, source: Any) -> Any:
        words = ir.Constant(ir.IntType(32), -(-target.dtype.size // 8))

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointers = []
            for kind, value in zip(signature.args, args):
                array = context.make_array(kind)(context, builder, value=value)
                pointers.append(builder.bitcast(array.data, ir.PointerType(ir.IntType(64))))
            with cgutils.for_range(builder, words) as loop:
                word = builder.load(builder.gep(pointers[1], [loop.index]), align=8)
                builder.store(word, builder.gep(pointers[0], [loop.index]), align=8)
            return context.get_dummy_value()

        return types.void(target, source), generate

    return import_module("numba.cuda.extending").intrinsic(copy_record)


@contextmanager
def tables_in_memory() -> Iterator[None]:
    """While kernels are compiled: keep the rules' tables in ordinary device memory.

    Numba puts them where all threads of a warp must read the same element to be quick, but each
    looks up a card of its own. This doubled the speed of Claim.
    """
    nvvm = import_module("numba.cuda.cudadrv.nvvm")
    before, ordinary = nvvm.ADDRSPACE_CONSTANT, nvvm.ADDRSPACE_GLOBAL
    nvvm.ADDRSPACE_CONSTANT = ordinary  # type: ignore[attr-defined]
    try:
        yield
    finally:
        nvvm.ADDRSPACE_CONSTANT = before  # type: ignore[attr-defined]


def allow_shared_memory(made: Any, size: int) -> None:
    """Let a compiled kernel have more shared memory than all get unasked."""
    binding: Any = import_module("cuda.bindings.driver")
    driver = import_module("numba.cuda.cudadrv.driver").driver
    function = made._codelibrary.get_cufunc()
    attribute = binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    driver.cuKernelSetAttribute(attribute, size, function.handle, function.device.id)
