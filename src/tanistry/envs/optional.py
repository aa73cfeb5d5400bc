"""Libraries that only some people have: what is missing is said in one line."""

from __future__ import annotations

from tanistry.words import common


def how_to_get(missing: ImportError) -> ModuleNotFoundError:
    """The error to raise instead: it names the extra that brings the library."""
    said = {"name": missing.name, "extra": "envs"}
    return ModuleNotFoundError(common("en").text("errors.option.extra", said), name=missing.name)
