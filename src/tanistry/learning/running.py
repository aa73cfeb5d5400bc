"""A run in a folder, begun or taken up, from what a person asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from tanistry.errors import FileError, OptionError
from tanistry.learning.league import named_network
from tanistry.learning.settings import Settings, read_settings
from tanistry.learning.training import KEPT, STATE, Training
from tanistry.simulation.gpu import require_gpu
from tanistry.simulation.running import DEVICES


def start(
    game: str, folder: Path, settings: Path | None = None, given: dict[str, Any] | None = None,
    device: str = "cpu", threads: int = 1,
) -> Training:  # fmt: skip
    """A run; one that was begun in that folder goes on with the settings it was begun with."""
    if device not in DEVICES:
        raise OptionError("option/value", name="device", value=device, allowed=", ".join(DEVICES))
    if device == "cuda":
        require_gpu()
    kept = folder / KEPT if (folder / STATE).exists() else None
    asked = read_settings(game, settings, given or {}, device, kept)
    # a run that was begun stays as deep as it is
    depth = _depth(asked) if kept is None else read_settings(game, kept, {}, device).blocks
    if asked.blocks > depth:
        raise OptionError("option/value", name="blocks", value=asked.blocks, allowed=f"≤ {depth}")
    asked = replace(asked, blocks=depth)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        asked.write(folder / KEPT)
    except OSError as wrong:
        raise FileError("file/write", folder, wrong) from None
    if device == "cpu":
        torch.set_num_threads(threads)
    return Training(asked, folder, device, threads)


def _depth(asked: Settings) -> int:
    """How many blocks a run has: as many as any network that it is to know."""
    named = [name for name in (asked.begin, asked.against, *asked.rivals) if name]
    return max([asked.blocks, *(len(named_network(name, asked.game).blocks) for name in named)])
