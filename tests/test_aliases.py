"""Names that changed still work for one release, and say what they are called now."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("module", "former", "now"),
    [("tanistry.table.record", "Table", "MatchState"), ("tanistry.arena", "Table", "Standings")],
)
def test_a_former_name_warns(module: str, former: str, now: str) -> None:
    home = import_module(module)
    with pytest.warns(DeprecationWarning, match=rf"{module}\.{former} is now {now}"):
        assert getattr(home, former) is getattr(home, now)
    with pytest.raises(AttributeError, match="no attribute 'Chair'"):
        _ = home.Chair
