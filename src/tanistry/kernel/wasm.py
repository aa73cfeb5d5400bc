"""Kernels compiled to WebAssembly: the fourth way to run them, beside Python, CPU and CUDA.

`link(exports)` makes one module of some kernels and all they call. A browser passes addresses in
the module's memory and small integers; what a kernel takes as a record or an array is put together
at the border, so that the kernels are the very same functions as everywhere.

Numba compiles for the processor it runs on. Here it is given another target: contexts of its own,
so that nothing compiled for this processor is taken up and nothing made here is called on it. The
linker is `wasm-ld`, which the PyPI package `ziglang` brings along.

All of Numba's and llvmlite's private parts that this leans on are used in this module alone.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core.codegen import AOTCodeLibrary, AOTCPUCodegen
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target
from numba.core.typing.context import Context as TypingContext
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from tanistry.kernel.functions import Twins, python_of, rebuild
from tanistry.kernel.internals import OPTIONS, one_version
from tanistry.kernel.interpreter import INTERPRET

NUMBA: Any = numba  # without annotations of its own
TYPES: Any = NUMBA.types

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What every browser since 2023 has."""
STACK = 1 << 16
"""Bytes of the stack, at the bottom of memory: running over it is an error, not a wrong result."""


BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Without the ways by which Python and C would call a kernel: they were most of all functions, and
the linker threw them away."""


class CannotLink(Exception):
    """Modules cannot be made here; the message says what is missing."""


@dataclass(frozen=True)
class Memory:
    """A kernel's parameter that lies in memory: a record, or an array of `length` elements.

    Without a length the caller passes it after the address.
    """

    dtype: np.dtype[Any]
    length: int | None = 1
    array: bool = True


@dataclass(frozen=True)
class Group:
    """A kernel's parameter that is a named tuple of pieces of memory."""

    made: type
    parts: Mapping[str, Memory]


Parameter = Memory | Group | str
"""What lies in memory, or a number of 32 (`int`) or 64 bits (`long`)."""


@dataclass(frozen=True)
class Export:
    """A kernel that can be called from outside, by the parameters it has."""

    kernel: Any
    parameters: Sequence[Parameter]

    def outside(self) -> Iterator[tuple[str, Memory | str]]:
        """What callers pass, by name: of a group, its parts."""
        for name, parameter in zip(names(self.kernel), self.parameters, strict=True):
            if isinstance(parameter, Group):
                yield from parameter.parts.items()
            else:
                yield name, parameter


def names(kernel: Any) -> list[str]:
    """The names of a kernel's parameters."""
    return list(signature(python_of(kernel)).parameters)


def linker_is_here() -> bool:
    """Whether the linker for WebAssembly is installed (`tanistry[wasm]`)."""
    return find_spec("ziglang") is not None


def link(exports: Mapping[str, Export]) -> bytes:
    """One module of some kernels, under the names they shall be exported by."""
    if INTERPRET:
        raise CannotLink("WebAssembly is made by the compiler: unset TANISTRY_INTERPRET.")
    if not linker_is_here():
        raise CannotLink("The linker for WebAssembly is missing: pip install 'tanistry[wasm]'.")
    with _target() as target:
        return _linked(_object(target, exports), exports)


def _linked(compiled: bytes, names: Mapping[str, Any]) -> bytes:
    with TemporaryDirectory() as folder:
        source, result = Path(folder, "engine.o"), Path(folder, "engine.wasm")
        source.write_bytes(compiled)
        linker = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--gc-sections", "-O2"]
        linker += ["--strip-all", "--stack-first", "-z", f"stack-size={STACK}"]
        linker += [f"--export={name}" for name in (*names, "__heap_base")]
        said = subprocess.run(
            [*linker, "-o", str(result), str(source)], capture_output=True, text=True, check=False
        )
        if said.returncode:
            raise CannotLink(said.stderr.strip() or f"wasm-ld ended with {said.returncode}")
        return result.read_bytes()


# -- Numba with another target --------------------------------------------------------------------


CONTEXTS = ("_toplevel_typing_context", "_toplevel_target_context")
"""Where Numba keeps what it compiles with."""


class Library(AOTCodeLibrary):
    def finalize(self) -> None:
        """Each kernel's code is left as it is: all is optimised once, when it is together."""
        self._finalized = True

    def link_all(self, exported: Collection[str]) -> Any:
        """Take in the code of everything that is called; only some names stay visible."""
        waiting, seen = [self], {self}
        while waiting:
            library = waiting.pop()
            if library is not self:
                self._final_module.link_in(library._final_module, preserve=True)
            called = dict.fromkeys(library._linking_libraries)
            waiting += [other for other in called if other not in seen]
            seen.update(called)
        module = self._final_module
        for value in (*module.functions, *module.global_variables):
            # Object files of this format hold no `common` symbols.
            if not value.is_declaration and value.name not in exported:
                value.linkage = "internal"
        self._optimize_final_module()
        module.verify()
        return module


class Generator(AOTCPUCodegen):
    _library_class = Library

    def _init(self, _module: Any) -> None:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
        target = binding.Target.from_triple(TRIPLE)
        self._tm_features = FEATURES
        self._tm = target.create_target_machine(
            opt=3, features=FEATURES, reloc="static", codemodel="default"
        )
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = TRIPLE
        return module

    def _pass_builder(self, opt: int = 3, **_others: Any) -> Any:
        """Networks multiply four whole numbers at a time. LLVM leaves sums of fractions, which
        depend on their order, as they are: results are the same in every bit. Loops that are
        unrolled as well make a module a sixth larger, and slower."""
        tuning = binding.create_pipeline_tuning_options(speed_level=opt)
        tuning.loop_vectorization, tuning.slp_vectorization = True, False
        tuning.loop_unrolling = False
        return binding.create_pass_builder(self._tm, tuning)


class Context(CPUContext):
    def init(self) -> None:
        super().init()
        self._internal_codegen = Generator("engine")  # type: ignore[assignment]

    def get_executable(self, _library: Any, _descriptor: Any, _environment: Any) -> Any:
        """Nothing to call. Numba tells functions apart by it: a builtin for each."""
        return [].append


@dataclass(frozen=True)
class _Target:
    typing: Any
    context: Any


@contextmanager
def _target() -> Iterator[_Target]:
    """While this lasts, what Numba compiles is WebAssembly; other threads wait."""
    kept = cpu_target.__dict__
    with global_compiler_lock:
        before = dict(zip(CONTEXTS, (cpu_target.typing_context, cpu_target.target_context)))
        typing = TypingContext()
        context = Context(typing, "cpu")
        kept.update(zip(CONTEXTS, (typing, context)))
        try:
            typing.refresh()
            context.refresh()
            yield _Target(typing, context)
        finally:
            kept.update(before)


def _copy(kernel: Any, twins: Twins) -> Any:
    """A kernel and all it calls, not compiled yet, with nothing only this processor has."""

    def make(_kernel: Any, copy: FunctionType) -> Any:
        for name in copy.__code__.co_names:
            portable = getattr(copy.__globals__.get(name), "__portable__", None)
            if portable is not None:
                copy.__globals__[name] = portable
        inline = getattr(copy, "__inlined__", False)
        made: Any = NUMBA.njit(**OPTIONS, **BARE, forceinline=inline)(copy)
        made.get_call_template = one_version(made.get_call_template, made._compiler.pysig)
        return made

    return rebuild(kernel, twins, make)


def _object(target: _Target, exports: Mapping[str, Export]) -> bytes:
    """The object file of some kernels."""
    generator = target.context.codegen()
    library = generator.create_library("engine")
    flags: Any = Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.error_model, flags.nrt = OPTIONS["error_model"], OPTIONS["_nrt"]
    border = generator._create_empty_module("border")
    twins: Twins = {}
    for name, export in exports.items():
        types = tuple(_type(parameter) for parameter in export.parameters)
        plain = _copy(export.kernel, twins).py_func
        made = compile_extra(
            target.typing, target.context, plain, types, None, flags, locals={}, library=library
        )
        _export(target.context, border, name, export, made)
    library.add_ir_module(border)
    module = library.link_all(exports)
    return bytes(generator._tm.emit_object(module))


# -- the border -----------------------------------------------------------------------------------


def _type(parameter: Parameter) -> Any:
    """The type by which a kernel knows a parameter."""
    if isinstance(parameter, Group):
        types = [_type(part) for part in parameter.parts.values()]
        return TYPES.BaseTuple.from_types(types, parameter.made)
    if not isinstance(parameter, Memory):
        return {"int": TYPES.int64, "long": TYPES.uint64}[parameter]
    element = from_dtype(parameter.dtype)
    return TYPES.Array(element, 1, "C") if parameter.array else element


def _export(context: Any, module: Any, name: str, export: Export, made: Any) -> None:
    """Write the function that is called from outside: it hands its arguments to the kernel.

    Whether the kernel raised an error is not asked: kernels raise none.
    """
    short, long, address = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
    outside: list[Any] = []
    for _, parameter in export.outside():
        if isinstance(parameter, Memory):
            outside += [address] if parameter.length is not None else [address, short]
        else:
            outside.append(short if parameter == "int" else long)
    result, types = made.signature.return_type, made.signature.args
    returns = context.get_value_type(result)
    silent = result == TYPES.none
    function = ir.Function(
        module, ir.FunctionType(ir.VoidType() if silent else short, outside), name
    )
    builder = ir.IRBuilder(function.append_basic_block())
    given = iter(function.args)
    values = [
        _value(context, builder, parameter, kind, given)
        for parameter, kind in zip(export.parameters, types, strict=True)
    ]
    callee = ir.Function(
        module, context.call_conv.get_function_type(result, types), made.fndesc.llvm_func_name
    )
    _, value = context.call_conv.call_function(builder, callee, result, types, values)
    if silent:
        builder.ret_void()
    elif returns.width > short.width:
        builder.ret(builder.trunc(value, short))
    else:
        builder.ret(value if returns.width == short.width else builder.zext(value, short))


def _value(
    context: Any, builder: Any, parameter: Parameter, kind: Any, given: Iterator[Any]
) -> Any:
    """What a kernel gets for a parameter."""
    if isinstance(parameter, Group):
        parts = zip(parameter.parts.values(), kind.types, strict=True)
        values = [_value(context, builder, part, of, given) for part, of in parts]
        return context.make_tuple(builder, kind, values)
    long = ir.IntType(64)
    value = next(given)
    if not isinstance(parameter, Memory):
        return builder.sext(value, long) if parameter == "int" else value
    if not parameter.array:
        return builder.bitcast(value, context.get_value_type(kind))
    length = parameter.length
    count = builder.sext(next(given), long) if length is None else ir.Constant(long, length)
    size = ir.Constant(long, parameter.dtype.itemsize)
    array = context.make_array(kind)(context, builder)
    data = builder.bitcast(value, array.data.type)
    populate_array(array, data=data, shape=[count], strides=[size], itemsize=size, meminfo=None)
    return array._getvalue()
