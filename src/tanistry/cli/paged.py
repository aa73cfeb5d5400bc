"""Plain text that fits a window: nothing scrolls away unread."""

from __future__ import annotations

import shutil

from tanistry.cli.plain import Plain, Quit

ROOM = 2
"""Lines of a window that a question takes, with the line to answer on."""


class Paged(Plain):
    """A plain table, a window at a time where somebody reads and answers."""

    unread = 0
    ahead = ""
    """What was typed where there was more to read: it answers what is asked after that."""

    @property
    def watched(self) -> bool:
        return self.source.isatty() and self.target.isatty()

    def print(self, line: str = "") -> None:
        for part in self.fitted(line):
            if self.watched and self.unread >= max(shutil.get_terminal_size().lines - ROOM, 1):
                self.wait("learn.more")
            super().print(part)
            self.unread += 1

    def wait(self, key: str) -> None:
        """Let a person read."""
        super().print(self.say(key))
        self.ahead = super().ask() or self.ahead
        if self.ahead == "q":
            raise Quit

    def ask(self) -> str:
        answer, self.ahead = self.ahead, ""
        if not answer:
            return super().ask()
        super().print(f"{self.say('play.prompt')}{answer}")
        return answer

    def read(self) -> str:
        self.unread = 0
        return super().read()
