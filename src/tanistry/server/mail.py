"""Mail: letters go out through the server that the operator names, one after the other."""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import EmailPolicy, Policy
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from tanistry.server.settings import Settings

log = logging.getLogger("tanistry.mail")

PORTS = {"smtp": 587, "smtps": 465}
HERE = ("localhost", "127.0.0.1", "::1")
"""Mail servers to which the way is so short that it need not be encrypted."""
PATIENCE = 20.0
"""Seconds for a mail server to answer."""
MOST = 100
"""Letters that may wait; who asks for one more then gets none, and may ask again."""


class Whole(UnstructuredHeader, BaseHeader):
    """A header that is written in one line: an address that is cut or encoded to fit into lines is
    none for a mail program."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


HEADERS = HeaderRegistry()
HEADERS.map_to_type("List-Unsubscribe", Whole)
LETTER = EmailPolicy(header_factory=HEADERS)


class Post:
    """Sends letters in a thread of its own: a slow mail server keeps nobody else waiting."""

    def __init__(self, config: Settings) -> None:
        self._config = config
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mail")
        self._waiting = 0

    async def send(
        self, to: str, subject: str, text: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send a letter; that it could not be sent is for the log, which names no address."""
        if self._waiting >= MOST:
            return log.warning("letters pile up: one is not sent")
        self._waiting += 1
        try:
            message = self._written(to, subject, text)
            for name, value in (headers or {}).items():
                message[name] = value
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, deliver, self._config.mail, message)
        except (smtplib.SMTPException, OSError, ValueError) as error:
            log.error("a letter could not be sent: %s", type(error).__name__)
        finally:
            self._waiting -= 1

    def _written(self, to: str, subject: str, text: str) -> EmailMessage:
        message = EmailMessage(LETTER)
        message["From"] = self._config.mail_from
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=urlsplit(self._config.site).hostname)
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def deliver(url: str, message: EmailMessage) -> None:
    """Hand a letter over to `smtp://user:password@host:port` (STARTTLS) or `smtps://…`."""
    found = urlsplit(url)
    host, port = found.hostname or "", found.port or PORTS[found.scheme]
    context = ssl.create_default_context()
    if found.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=context)
    else:
        server = smtplib.SMTP(host, port, timeout=PATIENCE)
    with server:
        if found.scheme == "smtp" and host not in HERE:
            server.starttls(context=context)
        if found.username:
            server.login(unquote(found.username), unquote(found.password or ""))
        server.send_message(message)
