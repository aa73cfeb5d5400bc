"""Single instructions do what their Python says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tanistry.kernel import INTERPRET, interpreted, kernel
from tanistry.kernel.intrinsics import CAN_DEPOSIT, ask_for, deposit, lowest, popcount
from tanistry.table.bits import nth, nth_here

pytestmark = pytest.mark.skipif(INTERPRET, reason="nothing is compiled")

WORDS = [*np.random.default_rng(3).integers(1, 1 << 64, 50, np.uint64), np.uint64(1 << 63)]


@kernel
def counted(word: Any) -> int:
    return 100 * popcount(word) + lowest(word)


@kernel
def deposited(bits: Any, word: Any) -> Any:
    return deposit(bits, word)


@kernel
def asked(array: Any) -> int:
    ask_for(array, 3)
    return int(array[3])


def test_compiled_like_interpreted() -> None:
    for word in WORDS:
        assert counted(word) == interpreted(counted)(word)


@pytest.mark.skipif(not CAN_DEPOSIT, reason="the processor cannot")
def test_bits_are_deposited_where_bits_are_set() -> None:
    assert deposit(np.uint64(0b101), np.uint64(0b11010)) == 0b10010
    for bits, word in zip(WORDS, reversed(WORDS), strict=True):
        assert deposited(bits, word) == deposit(bits, word)


def test_the_quick_way_to_the_nth_bit_leads_to_the_same() -> None:
    for word in WORDS:
        for n in range(popcount(word)):
            assert nth_here(word, n) == nth(word, n) == interpreted(nth_here)(word, n)


def test_asking_for_memory_changes_nothing() -> None:
    array = np.arange(10, dtype=np.uint8)
    assert asked(array) == 3
    assert array.tolist() == list(range(10))


def test_nothing_else_writes_llvm_code_or_knows_private_parts() -> None:
    """Numba's and llvmlite's insides are named in the package `kernel` and nowhere else."""
    from pathlib import Path

    import tanistry

    source = Path(tanistry.__file__).parent
    for path in source.rglob("*.py"):
        if path.parent.name != "kernel":
            text = path.read_text("utf-8")
            for private in ("llvmlite", "numba.core", "numba.extending", "cudadrv", "cgutils"):
                assert private not in text, f"{path.relative_to(source)} names {private}"
