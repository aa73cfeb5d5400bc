"""The application of the tests: whatever it says is held against its models before it is sent."""

from __future__ import annotations

import gzip
import logging
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tanistry.server.answers.base import Refusal
from tanistry.server.app import Application
from tanistry.server.guards import Receive, Scope, Send
from tanistry.server.server_messages import SERVER_MESSAGE
from tanistry.server.settings import from_environment
from tanistry.server.socket import WRITE

UNFIT = "does not fit its model"
"""Stands in the log of a server that said something else than it should."""
REFUSAL: TypeAdapter[Any] = TypeAdapter(Refusal)


def create_app() -> Checked:
    return Checked(Application(from_environment()))


class Checked:
    """An application whose answers and messages are read before they go out."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        status, headers = 0, {}

        async def send_checked(message: Any) -> None:
            nonlocal body, status, headers
            if message["type"] == "websocket.send":
                _check(SERVER_MESSAGE, message["text"], "a message")
            elif message["type"] == "http.response.start":
                status, headers = message["status"], dict(message["headers"])
            elif message["type"] == "http.response.body":
                body += message.get("body", b"")
                if not message.get("more_body") and b"json" in headers.get(b"content-type", b""):
                    packed = headers.get(b"content-encoding") == b"gzip"
                    self._check_answer(scope, status, gzip.decompress(body) if packed else body)
            await send(message)

        if write := scope.get("extensions", {}).get(WRITE):
            scope["extensions"][WRITE] = lambda text: _fits(text) and write(text)
        await self.app(scope, receive, send_checked)

    @staticmethod
    def _check_answer(scope: Scope, status: int, body: bytes) -> None:
        what = f"{status} of {scope['method']} {scope['path']}"
        if status >= 400:
            return _check(REFUSAL, body, what)
        described = getattr(scope.get("route"), "responses", {})
        if status in described:
            _check(TypeAdapter(described[status]["model"]), body, what)


def _fits(text: bytes) -> bool:
    _check(SERVER_MESSAGE, text, "a message")
    return True


def _check(model: TypeAdapter[Any], text: str | bytes, what: str) -> None:
    try:
        model.validate_json(text)
    except ValidationError as error:
        logging.getLogger("tests").error("%s %s: %s\n%s", what, UNFIT, error, text)
