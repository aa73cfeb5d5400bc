"""Without the libraries of the extra `envs` one line says how to get them."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "missing"),
    [("vector", "gymnasium"), ("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")],
)
def test_what_is_missing_is_said(module: str, missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import tanistry.envs.{module}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = run.stderr.strip().splitlines()[-1]
    assert run.returncode != 0
    assert last.endswith(f"This needs the package {missing}: pip install 'tanistry[envs]'.")
