"""The HTTP half of the protocol, with nothing but the standard library."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit

COOKIE, SECURE_COOKIE = "tanistry", "__Host-tanistry"


class RefusedByServer(Exception):
    """The server says no: `.code`, `.rule`, and `.say` with a sentence in every language."""

    def __init__(self, refusal: dict[str, Any]) -> None:
        self.refusal = refusal
        self.code = str(refusal.get("code", ""))
        self.rule = str(refusal.get("rule", ""))
        self.say: dict[str, str] = refusal.get("say") or {}
        super().__init__(self.say.get("en") or self.code)

    @property
    def is_passing(self) -> bool:
        """Whether it may be none a moment later."""
        return self.code.startswith(("rate/", "server/"))


class Http:
    """Requests to one server, as one player."""

    def __init__(self, url: str, cookie: str | None = None) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not the address of a server")
        self.secure = parts.scheme == "https"
        self.place = parts.netloc
        self.cookie = cookie

    @property
    def socket_url(self) -> str:
        return f"{'wss' if self.secure else 'ws'}://{self.place}/ws"

    @property
    def _cookie_name(self) -> str:
        return SECURE_COOKIE if self.secure else COOKIE

    @property
    def cookie_header(self) -> dict[str, str]:
        return {"Cookie": f"{self._cookie_name}={self.cookie}"} if self.cookie else {}

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON (or text); RefusedByServer, or OSError if nobody answers."""
        kind = HTTPSConnection if self.secure else HTTPConnection
        connection = kind(self.place, timeout=180)
        headers = {**self.cookie_header, "Content-Type": "application/json"}
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, f"/api/v1{path}", data, headers)
            response = connection.getresponse()
            text = response.read().decode()
            for line in response.headers.get_all("Set-Cookie") or ():
                if found := SimpleCookie(line).get(self._cookie_name):
                    self.cookie = found.value
        except HTTPException as error:
            raise ConnectionError(str(error)) from None
        finally:
            connection.close()
        if "json" not in (response.headers.get("Content-Type") or ""):
            return text
        answer = json.loads(text)
        if response.status >= 400:
            raise RefusedByServer(answer)
        return answer
