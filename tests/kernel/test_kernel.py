"""The kernel decorator: interpreted twins, specialised copies, and a cache that notices changes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tanistry
from tanistry.kernel import interpreted, kernel
from tanistry.table.bits import bit, lowest, members, nth, nth_of, popcount

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import rules
print(rules.outer(1))
"""


@kernel
def count_and_pick(word: np.uint64, n: int) -> int:
    return 100 * popcount(word) + 10 * lowest(word) + nth(word, n)


def test_bits_agree_interpreted_and_compiled() -> None:
    for word in (np.uint64(0b1011000), np.uint64(1 << 63 | 1 << 5), np.uint64((1 << 64) - 1)):
        for n in range(2):
            assert count_and_pick(word, n) == interpreted(count_and_pick)(word, n)
    assert nth_of(np.array([0b101, 0b10], np.uint64), 2) == 65
    assert members(np.array([bit(3), bit(0)], np.uint64)) == [3, 64]


def test_interpreted_and_compiled_matches_are_the_same_bytes() -> None:
    game = tanistry.game("claim")
    slow = game.interpreted()
    ours, theirs = game.deal(11), slow.deal(11)
    while ours.to_act is not None:
        token = ours.legal()[len(ours.history) % len(ours.legal())]
        ours.play(token)
        theirs.play(token)
        assert ours._s.tobytes() == theirs._s.tobytes()


def test_the_cache_notices_a_change_in_a_called_file(tmp_path: Path) -> None:
    """Numba alone would not: it looks at the file of the outermost function only."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "rules.py").write_text(
        "from tanistry.kernel import kernel\nfrom helper import inner\n\n"
        "@kernel\ndef outer(x):\n    return inner(x) + 1\n"
    )
    environment = {**os.environ, "TANISTRY_CACHE": str(tmp_path / "cache")}

    def run() -> str:
        command = [sys.executable, "-c", PROGRAM, str(package)]
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    helper = "from tanistry.kernel import kernel\n\n@kernel\ndef inner(x):\n    return x * {}\n"
    (package / "helper.py").write_text(helper.format(10))
    assert run() == "11"
    assert run() == "11"
    (package / "helper.py").write_text(helper.format(20))
    assert run() == "21"


def test_a_cache_that_takes_no_files_stops_nobody(tmp_path: Path) -> None:
    """Say no home folder, or a read-only one: it is said once, and kernels run all the same."""
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    program = "from tanistry.table.bits import bit; print(bit(3))"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True,
        env={**os.environ, "TANISTRY_CACHE": str(in_the_way / "cache"), "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == "8\n"
    assert done.stderr.count("TANISTRY_CACHE") == 1
    assert list(tmp_path.iterdir()) == [in_the_way]  # nothing is left behind


def test_without_a_compiler_everything_still_works() -> None:
    program = (
        "import sys, tanistry; m = tanistry.game('claim').deal(1); m.play(m.legal()[0]);"
        "print('numba' in sys.modules, m.to_act)"
    )
    environment = {**os.environ, "TANISTRY_INTERPRET": "1"}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], env=environment, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.stdout.strip() == "False 1"


def test_without_a_compiler_matches_are_simulated_just_the_same() -> None:
    program = (
        "import tanistry; game = tanistry.game('kilt');"
        "counts = [tanistry.simulate(game, 65, seed=1, threads=2, policy=policy)"
        "          for policy in ('random', 'greedy')];"
        "rows = tanistry.batch(game, 4, seed=1, threads=2); rows.step(rows.random_actions());"
        "print([(c.steps, c.wins) for c in counts], rows.observations.sum())"
    )
    said = [
        subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", program],
            env={**os.environ, "TANISTRY_INTERPRET": interpret},
            check=True, capture_output=True, text=True,
        ).stdout
        for interpret in ("0", "1")
    ]  # fmt: skip
    assert said[0] == said[1]


def test_processes_that_compile_at_once_do_not_spoil_each_others_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba alone may give both versions the same file: it numbers them from what it has read."""
    monkeypatch.setenv("TANISTRY_CACHE", str(tmp_path))

    def twice(x: Any) -> Any:
        return x + x

    one, other, third = (kernel(twice)._cache.files._cache_file for _ in range(3))
    one._save_data, saved = saved_later(one)
    one.save(("int64",), "for integers")
    other.save(("float64",), "for floats")
    for save in saved:
        save()
    assert (third.load(("int64",)), third.load(("float64",))) == ("for integers", "for floats")
    assert third.load(("uint64",)) is None


def saved_later(file: Any) -> tuple[Any, list[Callable[[], None]]]:
    """A process that is interrupted just before it writes."""
    write, waiting = file._save_data, []

    def later(name: str, data: Any) -> None:
        waiting.append(lambda: write(name, data))

    return later, waiting
