"""A bot that is a program of its own, in any language, and speaks as a client of a server does.

For each choice it reads a line, the `state` of the protocol, and answers with one, a `play`:

    {"type": "state", "view": {"game": "claim", "seat": 0, "legal": ["K7", "G0"], …}}
    {"type": "play", "token": "K7"}

It is started at its first choice, with its seed (64 hex digits) as the only argument, and its input
is closed when it is no longer needed. What it says on the error output goes to ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tanistry.errors import OptionError

if TYPE_CHECKING:
    from tanistry.match import Match


class Program:
    """Asks the program at `path`; its version is what the file holds."""

    path: ClassVar[Path]
    version: ClassVar[int]

    def __init__(self, *, seed: bytes) -> None:
        self._seed = seed
        self._process: subprocess.Popen[str] | None = None

    def choose(self, match: Match) -> str:
        """The token it answers with; OptionError if it does not answer as a client would."""
        asked = {"type": "state", "view": match.view(match.to_act)}
        said = self._ask(json.dumps(asked, ensure_ascii=False))
        try:
            answer = json.loads(said)
            kind, token = answer["type"], answer["token"]
        except (ValueError, KeyError, TypeError):
            raise OptionError("bot/answer", file=str(self.path), said=said.strip()[:80]) from None
        if kind != "play" or token not in match.legal():
            raise OptionError("bot/answer", file=str(self.path), said=said.strip()[:80])
        return str(token)

    def _ask(self, line: str) -> str:
        """Its answer, empty if it gives none any more."""
        process = self._process or self._start()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            return process.stdout.readline()
        except BrokenPipeError:
            return ""

    def _start(self) -> subprocess.Popen[str]:
        try:
            self._process = subprocess.Popen(
                [str(self.path), self._seed.hex()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
        except OSError as wrong:
            reason = wrong.strerror or str(wrong)
            raise OptionError("bot/broken", file=str(self.path), reason=reason) from wrong
        weakref.finalize(self, _end, self._process)
        return self._process


def _end(process: subprocess.Popen[str]) -> None:
    """Nobody will ask it again."""
    process.terminate()
    process.communicate()


def program_class(path: Path) -> Any:
    """The class of a program; OptionError if there is none that may be run."""
    if not path.is_file() or not os.access(path, os.X_OK):
        raise OptionError("bot/program", file=str(path))
    content = hashlib.sha256(path.read_bytes()).digest()
    version = int.from_bytes(content[:4], "little")
    return type("Program", (Program,), {"path": path, "version": version})
