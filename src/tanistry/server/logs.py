"""Logs: a line of text or of JSON each. Seeds, hands and cookies never get here."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _without_error(record: logging.LogRecord) -> bool:
    """uvicorn calls its main logger uvicorn.error: that looks like a fault where there is none."""
    record.name = record.name.removesuffix(".error")
    return True


def set_up(level: str, form: str) -> None:
    handler = logging.StreamHandler()
    text = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    handler.addFilter(_without_error)
    handler.setFormatter(JsonLines() if form == "json" else text)
    root = logging.getLogger()
    root.handlers = [handler]
    # Libraries in detail would print frames and headers: cards and cookies.
    root.setLevel(max(logging.getLevelName(level.upper()), logging.INFO))
    logging.getLogger("tanistry").setLevel(level.upper())
    for name in ("alembic", "aiosqlite", "websockets", "numba"):
        logging.getLogger(name).setLevel(logging.WARNING)
