"""The private parts of Numba that the kernel layer leans on are as they were.

A release that changes one fails here, by name, rather than somewhere in a game.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import pytest

from tanistry.kernel import INTERPRET, kernel, wasm
from tanistry.kernel.internals import OPTIONS, cached_njit, part_of_others

pytestmark = pytest.mark.skipif(INTERPRET, reason="nothing is compiled")

RELEASE = f"Numba {numba.__version__}"


@kernel
def doubled(number: Any) -> Any:
    return number + number


@kernel
def caller(number: Any) -> Any:
    return doubled(number) + doubled(3)


def test_options_are_known() -> None:
    from numba.core.options import DefaultOptions

    ours = {*OPTIONS, "forceinline", "no_cfunc_wrapper", "no_cpython_wrapper"}
    missing = ours - {*dir(DefaultOptions)}
    assert not missing, f"{RELEASE} has no option {missing}"


def test_a_dispatcher_has_a_cache_whose_file_can_be_replaced() -> None:
    from numba.core.caching import IndexDataCacheFile

    file = doubled._cache.files._cache_file  # type: ignore[attr-defined]
    assert isinstance(file, IndexDataCacheFile), f"{RELEASE} keeps kernels otherwise"
    names = list(inspect.signature(IndexDataCacheFile.__init__).parameters)
    assert names == ["self", "cache_path", "filename_base", "source_stamp"], RELEASE
    for name in ("_save_data", "_load_data", "_version", "_index_name", "_cache_path"):
        assert hasattr(file, name), f"{RELEASE}: no {name} of a cache file"


def test_what_is_kept_is_loaded_without_getting_ready_to_compile() -> None:
    program = (
        "import sys, tanistry; match = tanistry.game('claim').deal(1);"
        "match.play(match.legal()[0]);"
        "print('numba.np.arraymath' in sys.modules)"
    )
    for _ in range(2):  # the first may have to compile
        command = [sys.executable, "-c", program]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert said.strip() == "False", f"{RELEASE} needs its whole compiler to load a kernel"


def plain_doubled(number: Any, more: int = 0) -> Any:
    return number + number + more


def test_callers_share_one_version_that_has_no_machine_code_of_its_own(tmp_path: Path) -> None:
    inner = part_of_others(plain_doubled)

    def call(number: Any) -> Any:
        return inner(number) + inner(3) + inner(number, 1) + inner(more=2, number=0)

    assert cached_njit(call, tmp_path, False)(2) == 17
    (version,) = inner.overloads.values()
    assert str(version.signature.args) == "(int64, int64)", f"{RELEASE} compiles callees anew"
    assert not version.library._codegen._engine.is_symbol_defined(version.fndesc.llvm_func_name)


def test_what_is_taken_in_whole_is_kept_with_its_callers() -> None:
    assert caller(2) == 10
    assert not doubled.signatures, f"{RELEASE} looks for callees elsewhere"  # type: ignore[attr-defined]
    assert doubled(2) == 4


def test_the_former_place_still_works_and_says_where_to_go() -> None:
    program = "from tanistry.table.kernel import kernel; print(kernel.__module__)"
    run = subprocess.run(
        [sys.executable, "-W", "always", "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout.strip() == "tanistry.kernel.cpu"
    assert "DeprecationWarning: tanistry.table.kernel is now tanistry.kernel" in run.stderr


# -- what `kernel/wasm.py` leans on ---------------------------------------------------------------

IMPORTED = {
    "llvmlite": {"binding", "ir"},
    "numba": {""},
    "numba.core.codegen": {"AOTCPUCodegen", "AOTCodeLibrary"},
    "numba.core.compiler": {"Flags", "compile_extra"},
    "numba.core.compiler_lock": {"global_compiler_lock"},
    "numba.core.cpu": {"CPUContext"},
    "numba.core.registry": {"cpu_target"},
    "numba.core.typing.context": {"Context"},
    "numba.np.arrayobj": {"populate_array"},
    "numba.np.numpy_support": {"from_dtype"},
}
"""All that it imports from Numba and llvmlite."""


def test_wasm_leans_on_nothing_else() -> None:
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(inspect.getsource(wasm))):
        if isinstance(node, ast.Import):
            imported = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for module, name in imported:
            if module.split(".")[0] in ("llvmlite", "numba"):
                found.setdefault(module, set()).add(name)
    assert found == IMPORTED


@pytest.mark.parametrize(
    ("module", "made", "parts"),
    [
        (
            "codegen",
            "AOTCodeLibrary",
            ["_linking_libraries", "_optimize_final_module", "add_ir_module", "finalize"],
        ),
        ("codegen", "AOTCPUCodegen", ["_create_empty_module", "_init", "_library_class",
                                      "_pass_builder", "create_library"]),
        ("cpu", "CPUContext", ["codegen", "get_executable", "get_value_type", "init", "make_array",
                               "make_tuple", "refresh"]),
        ("callconv", "CPUCallConv", ["call_function", "get_function_type"]),
        ("registry", "CPUTarget", ["_toplevel_target_context", "_toplevel_typing_context"]),
    ],
)  # fmt: skip
def test_what_wasm_replaces_is_there(module: str, made: str, parts: list[str]) -> None:
    """Names of methods, and of what methods set."""
    source = importlib.import_module(f"numba.core.{module}")
    known = set(dir(getattr(source, made))) | set(
        re.findall(r"\bself\.(\w+)", inspect.getsource(source))
    )
    missing = set(parts) - known
    assert not missing, f"{RELEASE}: {made} has no {missing}"


def test_numba_compiles_for_another_target() -> None:
    from numba.core.compiler import Flags, compile_extra

    parameters = list(inspect.signature(compile_extra).parameters)
    assert parameters[:8] == [
        "typingctx", "targetctx", "func", "args", "return_type", "flags", "locals", "library",
    ], RELEASE  # fmt: skip
    flags: Any = Flags()
    for name in ("no_compile", "no_cpython_wrapper", "no_cfunc_wrapper", "error_model", "nrt"):
        assert hasattr(flags, name), f"{RELEASE} has no flag {name}"


def test_llvm_knows_webassembly() -> None:
    from llvmlite import binding

    binding.initialize_all_targets()
    machine = binding.Target.from_triple(wasm.TRIPLE).create_target_machine(features=wasm.FEATURES)
    assert str(machine.target_data).startswith("e-m:e-p:32:32"), "pointers have 32 bits"


def test_two_threads_that_make_kernels_keep_each_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba's folder is a setting of the whole process: whoever sets it has it alone."""
    from numba.core import caching

    make_cache: Any = caching.FunctionCache

    def slowly(function: Any) -> Any:
        time.sleep(0.002)  # so that others come in between, if they can
        return make_cache(function)

    def make(number: int) -> tuple[Path, Path]:
        folder = tmp_path / str(number)
        made = cached_njit(lambda x: x, folder, inline=False)
        return folder, Path(made._cache.files._cache_file._index_path)

    monkeypatch.setattr(caching, "FunctionCache", slowly)
    before = numba.config.CACHE_DIR
    with ThreadPoolExecutor(4) as threads:
        for folder, kept in threads.map(make, range(12)):
            assert folder in kept.parents
    assert before == numba.config.CACHE_DIR
