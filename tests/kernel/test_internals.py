"""The private parts of Numba that `kernel/internals.py` leans on are as they were.

A release that changes one fails here, by name, rather than somewhere in a game.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import numba
import pytest

from tanistry.kernel import INTERPRET, kernel
from tanistry.kernel.internals import OPTIONS

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

    options = {*dir(DefaultOptions), "cache"}
    missing = {*OPTIONS, "forceinline"} - options
    assert not missing, f"{RELEASE} has no option {missing}"


def test_a_dispatcher_has_a_cache_whose_file_can_be_replaced() -> None:
    from numba.core.caching import IndexDataCacheFile

    file = doubled._cache._cache_file  # type: ignore[attr-defined]
    assert isinstance(file, IndexDataCacheFile), f"{RELEASE} keeps kernels otherwise"
    names = list(inspect.signature(IndexDataCacheFile.__init__).parameters)
    assert names == ["self", "cache_path", "filename_base", "source_stamp"], RELEASE
    for name in ("_save_data", "_load_data", "_version", "_index_name", "_cache_path"):
        assert hasattr(file, name), f"{RELEASE}: no {name} of a cache file"


def test_callers_share_one_version() -> None:
    assert caller(2) == 10  # compiled here, or read from the cache, which loads no callee
    doubled(2)
    versions = doubled.signatures  # type: ignore[attr-defined]
    assert len(versions) == 1, f"{RELEASE} looks for callees elsewhere: {versions}"


def test_the_former_place_still_works_and_says_where_to_go() -> None:
    program = "from tanistry.table.kernel import kernel; print(kernel.__module__)"
    run = subprocess.run(
        [sys.executable, "-W", "always", "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout.strip() == "tanistry.kernel.cpu"
    assert "DeprecationWarning: tanistry.table.kernel is now tanistry.kernel" in run.stderr
