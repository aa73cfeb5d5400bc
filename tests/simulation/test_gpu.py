"""The rules on the GPU: compiled wherever the CUDA compiler is, run and compared where a GPU is."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.kernel.cuda import import_cuda, tables_in_memory
from tanistry.simulation.gpu import has_gpu, launchable, lean, shape_of

NO_COMPILER = "the CUDA compiler is not installed: pip install tanistry[cuda]"


def has_compiler() -> bool:
    try:
        import_module("numba.cuda.cgutils")  # of numba-cuda; PyTorch brings the libraries alone
        load = import_module("cuda.pathfinder").load_nvidia_dynamic_lib
        return bool(load("nvvm") and load("nvrtc"))
    except Exception:
        return False


@pytest.mark.parametrize("name", tanistry.games())
def test_every_game_compiles_for_cuda(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_compiler():
        pytest.skip(NO_COMPILER)
    numba: Any = import_module("numba")
    types = numba.types
    dispatcher = import_module("numba.cuda.dispatcher")
    # Without a GPU the compiler has nobody to ask what to compile for: an H200, say.
    hopper = SimpleNamespace(compute_capability=(9, 0))
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: hopper)
    game = tanistry.game(name)
    dtype, words = lean(game.definition), len(game.new_moves())
    record = numba.from_dtype(dtype)
    kernel = launchable(game.definition, words, shape_of(dtype, words))
    totals = types.Array(types.uint64, 1, "C")
    signature = (
        types.Array(record, 1, "C"),
        types.int64,
        types.int64,
        types.uint64,
        types.Array(types.int64, 1, "C"),
        totals,
        totals,
    )
    with tables_in_memory():
        ptx, _ = import_cuda().compile_ptx(kernel.py_func, signature, cc=(9, 0))
    assert ".entry" in ptx or ".func" in ptx


@pytest.mark.parametrize("name", tanistry.games())
def test_the_same_matches_on_cpu_and_gpu(name: str) -> None:
    if not has_gpu():
        pytest.skip("no CUDA GPU here")
    game = tanistry.game(name)
    ours = tanistry.simulate(game, n=20_000, seed=5)
    theirs = tanistry.simulate(game, n=20_000, seed=5, device="cuda")
    assert (ours.steps, ours.wins) == (theirs.steps, theirs.wins)
    assert np.array_equal(ours.lengths, theirs.lengths)


def test_without_a_gpu_the_error_says_what_is_missing() -> None:
    if has_gpu():
        pytest.skip("there is a GPU")
    with pytest.raises(tanistry.OptionError, match="NVIDIA driver"):
        tanistry.simulate(tanistry.game("claim"), n=1, device="cuda")
