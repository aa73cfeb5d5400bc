"""Batched stepping on the GPU: compiled wherever the compiler is, compared where a GPU is."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tanistry
from tanistry.kernel.cuda import import_cuda, kept_jit
from tanistry.simulation import gpu_batch, gpu_rows
from tanistry.simulation.gpu import has_gpu
from tanistry.simulation.gpu_batch import launchable, layout_of
from tanistry.simulation.observation import kernels_for
from tests.simulation.test_gpu import NO_COMPILER, has_compiler

ARRAYS = (
    "observations", "mask", "mask_words", "to_act", "actors", "rewards", "scores", "done",
    "refused", "numbers", "lengths", "last",
)  # fmt: skip


@pytest.fixture
def compile_for_hopper(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Compile a kernel for the types of some arguments; there may be no GPU to ask about itself."""
    if not has_compiler():
        pytest.skip(NO_COMPILER)
    numba: Any = import_module("numba")
    dispatcher = import_module("numba.cuda.dispatcher")
    hopper = SimpleNamespace(compute_capability=(9, 0))
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: hopper)

    def compiled(function: Any, *arguments: Any) -> str:
        types = tuple(numba.typeof(argument) for argument in arguments)
        ptx, _ = import_cuda().compile_ptx(function, types, cc=(9, 0))
        return str(ptx)

    return compiled


@pytest.mark.parametrize("name", tanistry.games())
def test_records_on_the_gpu_have_all_fields_and_begin_with_what_steps_touch(name: str) -> None:
    game = tanistry.game(name)
    layout = layout_of(game)
    fields: Any = layout.dtype.fields
    assert set(fields) == set(game.definition.dtype.names or ())
    spans = sorted((at, at + kind.itemsize) for kind, at in fields.values())
    ends = [0, *(end for _, end in spans)]
    assert all(end <= begin for end, (begin, _) in zip(ends, spans))
    assert ends[-1] <= layout.dtype.itemsize
    assert not any(begin < layout.near < end for begin, end in spans)
    assert {"place", "known"} <= {field for field in fields if fields[field][1] < layout.near}
    assert layout.is_small == (name in ("claim", "kilt"))


def test_what_has_no_room_in_front_lies_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_batch, "NEAR", 100)
    layout = layout_of(tanistry.game("lords"))
    fields: Any = layout.dtype.fields
    assert 0 < layout.near < 128
    assert fields["place"][1] >= layout.near > fields["known"][1]


@pytest.mark.parametrize("name", tanistry.games())
def test_observations_compile_for_cuda(name: str, compile_for_hopper: Any) -> None:
    game = tanistry.game(name)
    write_row = kernels_for(game)["write_row"]

    def kernel(s: Any, out: Any) -> None:
        write_row(s[0], 0, out, 0, out.shape[0])

    small = np.zeros(1, layout_of(game).dtype)
    ptx = compile_for_hopper(kernel, small, np.zeros(1, np.uint8))
    assert ".entry" in ptx


@pytest.mark.parametrize("name", ["claim", "schotten"])
def test_steps_compile_for_cuda(name: str, compile_for_hopper: Any) -> None:
    """The rules of every game are compiled elsewhere (test_gpu); here, all that is around them."""
    game = tanistry.game(name)
    small = np.zeros(1, layout_of(game).dtype)
    rows = tanistry.batch(game, 1, seed=1)._rows._replace(records=small, blank=small)
    actions = np.zeros(1, np.int64)
    arguments = {"begin_all": (np.uint64(1),), "step_all": (actions,), "choose_all": (actions,)}
    for key, kernel in launchable(game, insights=True).items():
        assert ".entry" in compile_for_hopper(kernel.py_func, rows, *arguments.get(key, ())), key


def spread(bits: Any) -> NDArray[np.uint8]:
    """What the sixteen lowest bits look like as bytes."""
    return np.array([int(bits) >> k & 1 for k in range(gpu_rows.PIECE)], np.uint8)


@pytest.mark.parametrize("size", [1, 5, 15, 16, 17, 48, 187, 500, 512, 600])
@pytest.mark.parametrize("rows", [1, 7, 32])
def test_a_warp_writes_rows_of_any_size(
    size: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a GPU: what each thread would do, one after the other."""
    pytest.importorskip("numba")
    piece, thread = gpu_rows.PIECE, SimpleNamespace(x=0)
    cuda = SimpleNamespace(threadIdx=thread, jit=lambda function, device: function)
    monkeypatch.setattr(gpu_rows, "import_cuda", lambda: cuda)

    def store(out: Any, at: int, bits: Any) -> None:
        out[at : at + piece] = spread(bits)

    monkeypatch.setattr(gpu_rows, "make_store_flags", lambda: store)
    monkeypatch.setattr(gpu_rows, "make_store_over", lambda: None)
    room = size // 64 + 2
    flags = np.random.default_rng(size).integers(0, 2, (gpu_rows.WARP, size), np.uint8)
    bits = np.zeros((gpu_rows.WARP, 64 * room), np.uint8)
    bits[:, :size] = flags
    words = np.packbits(bits, bitorder="little").view(np.uint32)
    write = gpu_rows.make_write_flags(size, size, room)
    out = np.full(rows * size + piece, 7, np.uint8)
    for thread.x in range(gpu_rows.WARP):
        write(words, None, out, 0, rows)
    assert np.array_equal(out[: rows * size], flags[:rows].ravel())


@pytest.mark.parametrize("name", tanistry.games())
def test_staged_rows_lie_as_those_they_are_written_to(name: str) -> None:
    for seats in tanistry.info(name).seats:
        staging = gpu_rows.Staging(tanistry.game(name, seats=seats), insights=True)
        assert staging.apart % gpu_rows.PIECE == staging.size % gpu_rows.PIECE
        assert (staging.first - staging.bytes_from) % gpu_rows.PIECE == 0
        assert staging.first_head % gpu_rows.PIECE == 0
        assert staging.end % gpu_rows.PIECE == 0
        if not staging.all_bytes:
            assert staging.heads_apart % gpu_rows.PIECE == staging.size % gpu_rows.PIECE
            assert staging.heads_apart >= staging.head + gpu_rows.PIECE - 1
            assert staging.apart >= staging.size - staging.flags + gpu_rows.PIECE - 1


def on_host(array: Any) -> Any:
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


@pytest.mark.parametrize("name", tanistry.games())
def test_the_same_rows_on_cpu_and_gpu(name: str) -> None:
    if not has_gpu():
        pytest.skip("no CUDA GPU here")
    game = tanistry.game(name, seats=max(tanistry.info(name).seats))
    ours = tanistry.batch(game, 300, seed=5, keep_last=True)
    theirs = tanistry.batch(game, 300, seed=5, device="cuda", keep_last=True)
    for number in range(250):
        actions = ours.random_actions().copy()
        assert np.array_equal(actions, on_host(theirs.random_actions()))
        if number % 7 == 0:
            actions[number % 300] = 1_000_000  # refused on both
        ours.step(actions)
        theirs.step(actions)
        for array in ARRAYS:
            assert np.array_equal(getattr(ours, array), on_host(getattr(theirs, array))), array
    assert theirs.match(3).position() == ours.match(3).position()


def test_an_odd_number_of_rows_on_another_stream() -> None:
    """The last warp is not full, and what it copies by pieces ends within one."""
    if not has_gpu():
        pytest.skip("no CUDA GPU here")
    torch = pytest.importorskip("torch")
    game = tanistry.game("schotten")
    ours = tanistry.batch(game, 37, seed=2)
    theirs = tanistry.batch(game, 37, seed=2, device="cuda")
    theirs.on_stream(torch.cuda.current_stream().cuda_stream)
    for _ in range(120):
        actions = ours.random_actions()
        theirs.step(torch.as_tensor(actions, device="cuda"))
        ours.step(actions)
    torch.cuda.synchronize()
    for array in ARRAYS:
        assert np.array_equal(getattr(ours, array), on_host(getattr(theirs, array))), array


def test_pytorch_looks_at_the_same_memory() -> None:
    if not has_gpu():
        pytest.skip("no CUDA GPU here")
    torch = pytest.importorskip("torch")
    batch = tanistry.batch(tanistry.game("claim"), 64, seed=1, device="cuda")
    seen = torch.as_tensor(batch.observations, device="cuda")
    mask = torch.as_tensor(batch.mask, device="cuda")
    assert seen.data_ptr() == batch.observations.__cuda_array_interface__["data"][0]
    before = seen.clone()
    batch.step(mask.to(torch.int64).argmax(dim=1))  # choices made on the device
    torch.cuda.synchronize()
    assert not batch.refused.copy_to_host().any()
    assert not torch.equal(before, seen)


def test_what_is_compiled_is_kept(
    compile_for_hopper: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machine code alone: made here, loaded by another dispatcher as if by another process."""
    try:
        import_module("cuda.pathfinder").load_nvidia_dynamic_lib("nvJitLink")
    except Exception:
        pytest.skip("CUDA's linker is not installed: pip install nvidia-nvjitlink")
    dispatcher, codegen = (
        import_module(f"numba.cuda.{name}") for name in ("dispatcher", "codegen")
    )
    hopper = dispatcher.get_current_device()
    context = SimpleNamespace(device=hopper)
    monkeypatch.setattr(codegen, "devices", SimpleNamespace(get_context=lambda: context))
    monkeypatch.setattr(dispatcher._Kernel, "bind", lambda made: made.library.get_cubin())
    monkeypatch.setenv("TANISTRY_CACHE", str(tmp_path))
    game = tanistry.game("claim")

    def double(numbers: Any) -> None:
        numbers[0] *= 2

    kind = (import_module("numba").types.Array(import_module("numba").int64, 1, "C"),)
    first, again = (kept_jit(double, "test", [game.definition.rules.play]) for _ in range(2))
    made = first.compile(kind)
    assert len(list(tmp_path.rglob("double_test.*.cuda"))) == 1
    monkeypatch.setattr(dispatcher, "compile_cuda", None)
    found = again.compile(kind)
    assert found is not made
    assert found.entry_name == made.entry_name
    assert bytes(found.library.get_cubin().code) == bytes(made.library.get_cubin().code)
