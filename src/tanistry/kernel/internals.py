"""Numba's private parts that compiling for the CPU leans on: its dispatcher and its cache.

Those of its CUDA target are in `cuda`, LLVM code is in `intrinsics` and `scribe`; nothing else
knows any. `pyproject.toml` bounds the releases that have them, `tests/kernel/test_internals.py`
says which of them a release has changed, and `make compat` tries both ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, cached_property
from inspect import Signature
from pathlib import Path
from threading import Lock
from typing import Any

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""How kernels are compiled. Without Numba's runtime there is nothing to allocate with, and arrays
are not counted each time they are passed on: in batched stepping that took twice the time of the
rules."""


def cached_njit(function: Callable[..., Any], folder: Path, inline: bool) -> Any:
    """A compiled function that is kept in a folder, a file for each version."""
    made: Any = _njit(function, _compilers()[0], inline)
    made._cache = _Kept(function, folder)
    part = cache(lambda: part_of_others(function, inline))  # most are never compiled, but loaded
    made.get_call_template = lambda args, kws: part().get_call_template(args, kws)
    made.get_overload = lambda kinds: part().get_overload(kinds)
    return made


def part_of_others(function: Callable[..., Any], inline: bool = False) -> Any:
    """A compiled function that only other kernels call: they take it in, with all that it calls.

    Numba would optimise it first, make machine code of it and three ways to call it, and do so
    again with all of it in whatever calls it (docs/decisions/0051).
    """
    made: Any = _njit(function, _compilers()[1], inline, no_cpython_wrapper=True)
    made.add_overload = lambda result: made.overloads.update({result.signature.args: result})
    made.get_call_template = one_version(made.get_call_template, made._compiler.pysig)
    return made


def _njit(function: Callable[..., Any], compiler: Any, inline: bool, **more: bool) -> Any:
    import numba

    njit: Any = numba.njit
    options = {**OPTIONS, **more, "no_cfunc_wrapper": True, "forceinline": inline}
    return njit(**options, pipeline_class=compiler)(function)


@cache
def _compilers() -> tuple[Any, Any]:
    """Numba's compiler for what Python calls, and for what only kernels call."""
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    library: Any = JITCodeLibrary
    base: Any = CompilerBase
    builder: Any = DefaultPassBuilder
    lowering: Any = NativeLowering
    register: Any = register_pass

    class Whole(library):  # type: ignore[misc]
        """The code of a kernel and of all it calls, made into machine code."""

        def _optimize_final_module(self) -> None:
            # Nobody else calls its parts: what is called in one place only, LLVM then moves there.
            for function in self._final_module.functions:
                if function.linkage.name == "linkonce_odr":
                    function.linkage = "internal"
            super()._optimize_final_module()

    class Part(library):  # type: ignore[misc]
        """The code of a kernel and of all it calls, for others to take in."""

        def finalize(self) -> None:
            for other in dict.fromkeys(self._linking_libraries):
                self._final_module.link_in(other._get_module_for_linking(), preserve=True)
            self._finalized = True

    @register(mutates_CFG=True, analysis_only=False)
    class LoweringOfWholes(lowering):  # type: ignore[misc]
        _name = "lowering_of_wholes"

        def run_pass(self, state: Any) -> bool:
            state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return bool(super().run_pass(state))

    @register(mutates_CFG=True, analysis_only=False)
    class LoweringOfParts(lowering):  # type: ignore[misc]
        _name = "lowering_of_parts"

        def run_pass(self, state: Any) -> bool:
            state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            # What callers know it by; without machine code there is nothing that could be called.
            known_by = object()
            state.cr = state.cr._replace(cfunc=known_by)
            state.targetctx.insert_user_function(known_by, state.cr.fndesc, [state.library])
            return True

    def compiler(lowered_by: Any) -> Any:
        class Compiler(base):  # type: ignore[misc]
            def define_pipelines(self) -> list[Any]:
                passes = builder.define_nopython_pipeline(self.state)
                passes.passes = [
                    (lowered_by if each is lowering else each, about)
                    for each, about in passes.passes
                ]
                passes.finalize()
                return [passes]

        return Compiler

    return compiler(LoweringOfWholes), compiler(LoweringOfParts)


_one_at_a_time = Lock()


class _Kept:
    """Numba's cache of a kernel, made when it is asked for: most kernels are only called by others,
    and to look for their files took a third of the time in which a game is loaded."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._function, self._folder = function, folder

    @cached_property
    def files(self) -> Any:
        import numba
        from numba.core.caching import FunctionCache

        config: Any = numba.config
        make: Any = FunctionCache
        # Numba picks the cache folder from a process-wide setting that other users of Numba in this
        # process rely on: so set it for that moment only, and not while another thread does. Else
        # its kernels would be kept wherever the process was started.
        with _one_at_a_time:
            before = config.CACHE_DIR
            config.CACHE_DIR = str(self._folder)
            try:
                found = make(self._function)
            finally:
                config.CACHE_DIR = before
        found._cache_file = _one_file_each(found._cache_file)
        return found

    def load_overload(self, kinds: Any, context: Any) -> Any:
        # Numba would first get ready to compile, which takes longer than all else in a start.
        return self.files._load_overload(kinds, context)

    def save_overload(self, kinds: Any, made: Any) -> None:
        self.files.save_overload(kinds, made)


def _one_file_each(numbered: Any) -> Any:
    """Keep each version of a kernel in a file named after what it was compiled for.

    Numba numbers the files and lists them in an index, which it replaces as a whole: two processes
    that compile a kernel for two records at once may take the same number, and one game would not
    compile again until the cache is emptied. It also throws the index away when a file has a new
    date, and names folders after where the sources lie; our folder is named after what they
    contain, so that every clone finds what another has compiled.
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

    sources, _, _path_hash = Path(numbered._cache_path).name.rpartition("_")
    folder = Path(numbered._cache_path).with_name(sources)
    folder.mkdir(exist_ok=True)
    return OneFileEach(str(folder), numbered._index_name.removesuffix(".nbi"), None)


def one_version(template_for: Callable[..., Any], signature: Signature) -> Callable[..., Any]:
    """Let kernels that call a kernel share one version of it, with all arguments and 64-bit
    integers.

    Numba would compile it anew for every constant and every width of integer it is called with,
    and for every number of arguments that are left out: for a large game that is most of the time.
    Once inlined the result is the same.
    """
    from numba import types as numba_types

    types: Any = numba_types  # without annotations of its own

    def widest(kind: Any) -> Any:
        plain = types.unliteral(kind)
        return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain

    left_out = {
        name: types.int64
        for name, parameter in signature.parameters.items()
        if type(parameter.default) is int
    }

    def widened(args: Any, kws: Any) -> Any:
        given = signature.bind_partial(*args, **kws)
        given.arguments = left_out | given.arguments
        return template_for(
            tuple(map(widest, given.args)), {n: widest(kind) for n, kind in given.kwargs.items()}
        )

    return widened
