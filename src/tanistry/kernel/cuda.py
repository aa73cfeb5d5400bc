"""The private parts of Numba's CUDA target that play on a GPU leans on."""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tanistry.kernel.cache import cache_folder
from tanistry.kernel.functions import python_of


def import_cuda() -> Any:
    """Numba's CUDA part, which has no annotations."""
    return import_module("numba.cuda")


def make_copy() -> Any:
    """A device function that copies a record word by word; Numba's own copies byte by byte."""
    types: Any = import_module("numba").types

    def copy_record(_context: Any, target: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made, given = (_words(context, builder, *each) for each in zip(signature.args, args))
            _copy_words(builder, made, given, 0, target.dtype.size)
            return context.get_dummy_value()

        return types.void(target, source), generate

    return import_module("numba.cuda.extending").intrinsic(copy_record)


def make_fill(near: int) -> Any:
    """The same for a record in two parts (`make_split`): its front goes to an array of words, from
    a given word on, the rest to the first of some records."""
    types: Any = import_module("numba").types

    def fill(_context: Any, staged: Any, _at: Any, records: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = signature.args
            front = builder.gep(_words(context, builder, kinds[0], args[0]), [args[1]])
            rest, blank = (_words(context, builder, kinds[i], args[i]) for i in (2, 3))
            _copy_words(builder, front, blank, 0, near)
            _copy_words(builder, rest, blank, near, records.dtype.size)
            return context.get_dummy_value()

        return types.void(staged, types.int64, records, source), generate

    return import_module("numba.cuda.extending").intrinsic(fill)


def _words(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Where an array begins, taken as one of words."""
    ir: Any = import_module("llvmlite.ir")
    data = context.make_array(kind)(context, builder, value=array).data
    return builder.bitcast(data, ir.PointerType(ir.IntType(64)))


def _copy_words(builder: Any, target: Any, source: Any, first: int, last: int) -> None:
    """All words between two bytes."""
    ir: Any = import_module("llvmlite.ir")
    cgutils: Any = import_module("numba.cuda.cgutils")
    index = ir.IntType(32)
    count = ir.Constant(index, -(-last // 8) - first // 8)
    with cgutils.for_range(builder, count) as loop:
        at = [builder.add(loop.index, ir.Constant(index, first // 8))]
        word = builder.load(builder.gep(source, at), align=8)
        builder.store(word, builder.gep(target, at), align=8)


def _address(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """The address of a byte of an array."""
    ir: Any = import_module("llvmlite.ir")
    data = context.make_array(kind)(context, builder, value=array).data
    data = builder.bitcast(data, ir.PointerType(ir.IntType(8), data.type.addrspace))
    return builder.gep(data, [at])


def make_move() -> Any:
    """A device function that copies sixteen bytes from one array to another; both begin at such."""
    types: Any = import_module("numba").types

    def move(_context: Any, out: Any, _at: Any, source: Any, _begin: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            target = _piece_at(context, builder, signature.args[0], args[0], args[1])
            piece = _piece_at(context, builder, signature.args[2], args[2], args[3])
            builder.store(builder.load(piece, align=16), target, align=16)
            return context.get_dummy_value()

        return types.void(out, types.int64, source, types.int64), generate

    return import_module("numba.cuda.extending").intrinsic(move)


def make_split(record: Any, near: int) -> Any:
    """A device function: a record of an array whose first bytes lie elsewhere, in nearer memory.

    It is given where those lie, and serves kernels as any other record.
    """
    types: Any = import_module("numba").types
    cgutils: Any = import_module("numba.cuda.cgutils")
    kind = _split_record()(record, near)

    def split(_context: Any, staged: Any, _at: Any, records: Any, _number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made = cgutils.create_struct_proxy(kind)(context, builder)
            made.near = _address(context, builder, signature.args[0], args[0], args[1])
            size = args[3].type(record.size)
            at = builder.mul(args[3], size)
            made.far = _address(context, builder, signature.args[2], args[2], at)
            return made._getvalue()

        return kind(staged, types.int64, records, types.int64), generate

    return import_module("numba.cuda.extending").intrinsic(split)


@cache
def _split_record() -> Any:
    """The type of records in two parts, and how their fields are found: once for all of them."""
    types: Any = import_module("numba").types
    extending: Any = import_module("numba.cuda.extending")
    typing: Any = import_module("numba.cuda.typing.templates")
    declared: Any = import_module("numba.cuda.cudadecl").registry
    lowering: Any = import_module("numba.cuda.cudaimpl").registry
    arrays: Any = import_module("numba.cuda.np.arrayobj")
    cgutils: Any = import_module("numba.cuda.cgutils")

    class SplitRecord(types.Type):  # type: ignore[misc]
        """No kind of record to Numba, which would take one for the other."""

        def __init__(self, whole: Any, near: int) -> None:
            self.whole, self.near = whole, near
            super().__init__(f"Split({near}, {whole.name})")

    class Pointers(extending.models.StructModel):  # type: ignore[misc]
        def __init__(self, manager: Any, kind: Any) -> None:
            pointer = types.CPointer(types.uint8)
            super().__init__(manager, kind, [("near", pointer), ("far", pointer)])

    class Fields(typing.AttributeTemplate):  # type: ignore[misc]
        key = SplitRecord

        def generic_resolve(self, kind: Any, field: str) -> Any:
            return kind.whole.typeof(field) if field in kind.whole.fields else None

    def part_of(context: Any, builder: Any, kind: Any, value: Any, field: str) -> Any:
        """The record as if all of it lay where this field does."""
        parts = cgutils.create_struct_proxy(kind)(context, builder, value=value)
        part = parts.near if kind.whole.offset(field) < kind.near else parts.far
        return builder.bitcast(part, context.get_value_type(kind.whole))

    def read(context: Any, builder: Any, kind: Any, value: Any, field: str) -> Any:
        part = part_of(context, builder, kind, value, field)
        return arrays.record_getattr(context, builder, kind.whole, part, field)

    def write(context: Any, builder: Any, signature: Any, args: Any, field: str) -> Any:
        kind, value_kind = signature.args
        part = part_of(context, builder, kind, args[0], field)
        given = signature.replace(args=(kind.whole, value_kind))
        return arrays.record_setattr(context, builder, given, (part, args[1]), field)

    extending.register_model(SplitRecord)(Pointers)
    declared.register_attr(Fields)
    lowering.lower_getattr_generic(SplitRecord)(read)
    lowering.lower_setattr_generic(SplitRecord)(write)
    return SplitRecord


def make_store_flags() -> Any:
    """A device function that stores the sixteen lowest bits of a number, a byte for each."""
    types: Any = import_module("numba").types

    def store(_context: Any, out: Any, _at: Any, _bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            target = _piece_at(context, builder, signature.args[0], args[0], args[1])
            builder.store(_spread(builder, args[2]), target, align=16)
            return context.get_dummy_value()

        return types.void(out, types.int64, types.uint32), generate

    return import_module("numba.cuda.extending").intrinsic(store)


def make_store_over() -> Any:
    """The same over two pieces of an array of bytes, which are 0 wherever the others are not."""
    types: Any = import_module("numba").types

    def store(
        _context: Any, out: Any, _at: Any, _bits: Any, staged: Any, _one: Any, _two: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            found = _spread(builder, args[2])
            for begin in args[4:]:
                piece = _piece_at(context, builder, signature.args[3], args[3], begin)
                found = builder.or_(found, builder.load(piece, align=16))
            target = _piece_at(context, builder, signature.args[0], args[0], args[1])
            builder.store(found, target, align=16)
            return context.get_dummy_value()

        at = types.int64
        return types.void(out, at, types.uint32, staged, at, at), generate

    return import_module("numba.cuda.extending").intrinsic(store)


def _piece_at(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """The address of sixteen bytes of an array."""
    found = _address(context, builder, kind, array, at)
    return builder.bitcast(found, _four_numbers().as_pointer(found.type.addrspace))


def _four_numbers() -> Any:
    ir: Any = import_module("llvmlite.ir")
    return ir.VectorType(ir.IntType(32), 4)


def _spread(builder: Any, bits: Any) -> Any:
    """The sixteen lowest bits as bytes: four copies of four bits, of which each keeps its own."""
    ir: Any = import_module("llvmlite.ir")
    four = _four_numbers()
    found = ir.Constant(four, ir.Undefined)
    for k in range(4):
        these = builder.lshr(bits, ir.Constant(bits.type, 4 * k))
        found = builder.insert_element(found, these, ir.Constant(bits.type, k))
    found = builder.mul(
        builder.and_(found, ir.Constant(four, [15] * 4)), ir.Constant(four, [0x00204081] * 4)
    )
    return builder.and_(found, ir.Constant(four, [0x01010101] * 4))


def prepared(
    made: Any, arguments: tuple[Any, ...], grid: int, block: int, shared: int
) -> Callable[[Any], None]:
    """A launch of a compiled kernel, to be given a stream, of which all else is looked up before.

    Numba takes longer to look at all the arrays of a batch than the GPU takes for a step.
    """
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    values: list[Any] = []
    for kind, value in zip(made.argument_types, arguments):
        made._prepare_args(kind, value, 0, [], values)
    config = dispatcher.LaunchConfig(grid=(grid, 1, 1), block=(block, 1, 1), shmem_size=shared)
    kernel = made._codelibrary.get_cufunc().kernel
    return lambda stream: dispatcher.launch(stream, config, kernel, *values)


def captured(launches: Iterable[Callable[[Any], None]]) -> Callable[[Any], None]:
    """Launches, one after the other, as one."""
    device = import_module("cuda.core").Device()
    device.set_current()
    builder = device.create_graph_builder().begin_building()
    for launch in launches:
        launch(builder)
    graph = builder.end_building().complete()
    return lambda stream: graph.launch(stream)


def core_stream(stream: Any) -> Any:
    """A stream of Numba's as launches take it."""
    return import_module("numba.cuda.cudadrv.driver")._to_core_stream(stream)


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


def kept_jit(
    function: Callable[..., Any], name: str, sources: Iterable[Any], registers: int | None = None
) -> Any:
    """A CUDA kernel that is compiled once and for all, until the folders of its sources change.

    The name tells apart all that is made of these sources. `registers` are as many as each thread
    may have.
    """
    made = import_cuda().jit(function, max_registers=registers)
    folders = {Path(inspect.getfile(python_of(source))).parent for source in sources}
    made._cache = _KernelFiles(cache_folder(folders), f"{function.__name__}_{name}")
    compile_for = made.compile

    def compile_so(kinds: Any) -> Any:
        with tables_in_memory():
            return compile_for(kinds)

    made.compile = compile_so
    return made


class _KernelFiles:
    """Keeps the versions of a kernel, a file for each; Numba's own cache has no place for functions
    that are made while the program runs."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name

    def _file(self, kinds: Any) -> Path:
        device = import_module("numba.cuda.dispatcher").get_current_device()
        made_by = import_module("numba_cuda").__version__
        key = repr((made_by, tuple(device.compute_capability), kinds))
        return self.folder / f"{self.name}.{hashlib.sha256(key.encode()).hexdigest()[:20]}.cuda"

    def load_overload(self, kinds: Any, _context: Any) -> Any:
        try:
            name, states = pickle.loads(self._file(kinds).read_bytes())
        except OSError:
            return None
        library = import_module("numba.cuda.codegen").CUDACodeLibrary._rebuild(**states)
        return import_module("numba.cuda.dispatcher")._Kernel._rebuild(
            cooperative=False, name=name, codelibrary=library, debug=False, lineinfo=False,
            signature=import_module("numba.cuda.typing").signature(_nothing(), *kinds),
            call_helper=None, extensions=[],
        )  # fmt: skip

    def save_overload(self, kinds: Any, kernel: Any) -> None:
        """Keep the machine code alone: what it was made from is ten times as long."""
        states = kernel._codelibrary._reduce_states() | {"llvm_strs": [], "ptx_cache": {}}
        path = self._file(kinds)
        fresh = path.with_suffix(f".{os.getpid()}")  # two processes may compile the same
        with suppress(OSError):  # a full disk: it is compiled again next time
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(pickle.dumps((kernel.entry_name, states)))
            fresh.replace(path)


def _nothing() -> Any:
    return import_module("numba").types.none
