"""Web Push: a word to a device through the push service of its browser (RFC 8030, 8291, 8292).

What is sent is encrypted for the device; the service learns that there is something, not what. An
address of a device is a secret: whoever has it can disturb its owner; it is in no log. A stranger
may have named it: nothing is sent to any but public hosts, over TLS.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import ipaddress
import logging
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tanistry.server.settings import Settings, listed

try:
    import http_ece
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import Vapid02
except ImportError:  # an extra: `tanistry[push]`
    http_ece = None

log = logging.getLogger("tanistry.push")

PATIENCE = 10.0
"""Seconds for a push service to answer."""
KEPT_FOR = 86_400
"""Seconds for which a push service keeps a word for a device that is off."""
MOST = 200
"""Words that may wait to be sent."""
GONE = (404, 410)
"""Answers that mean: there is no such device any more."""
TLS = 443


def works(config: Settings) -> bool:
    """Whether this server can push: it says who it is to push services by its address."""
    return config.push and http_ece is not None and config.site.startswith("https://")


def new_key() -> str:
    """A key of our own, by which push services know us again; PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, *form).decode()


def place_of(endpoint: str, trusted: str) -> SplitResult | None:
    """Where an address leads, if it is one that may be sent to; None if not. What is `trusted` by
    the operator, as `host:port`, may be on this network and without TLS."""
    try:
        found = urlsplit(endpoint)
        port = found.port
    except ValueError:
        return None
    if not found.hostname or found.username is not None or not endpoint.isascii():
        return None
    if found.netloc in listed(trusted):
        return found if found.scheme in ("http", "https") else None
    if found.scheme != "https" or port not in (None, TLS):
        return None
    try:
        return found if is_public(found.hostname) else None
    except ValueError:  # a name: looked up when something is sent there
        return found


class Pusher:
    """Sends words to devices in threads of its own: a slow service keeps nobody waiting."""

    def __init__(self, config: Settings, key: str) -> None:
        self._trusted = config.push_hosts
        self._site = config.site.rstrip("/")
        self._vapid = Vapid02.from_pem(key.encode())
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="push")
        self._waiting = 0

    @property
    def public_key(self) -> str:
        """What a browser is told, so that nobody else can send to its address."""
        form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        return _base64(self._vapid.public_key.public_bytes(*form))

    async def send(self, device: Any, payload: bytes, topic: str) -> bool | None:
        """Send to a device; None if it is gone for good. Never raises, and names no address."""
        if self._waiting >= MOST:
            log.warning("words for devices pile up: one is not sent")
            return False
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            status = await loop.run_in_executor(self._threads, self._post, device, payload, topic)
        except (OSError, http.client.HTTPException) as error:
            log.warning("a push service does not answer: %s", type(error).__name__)
            return False
        except ValueError:  # no such key: nothing can ever be sent there
            return None
        finally:
            self._waiting -= 1
        if status in GONE:
            return None
        if not 200 <= status < 300:
            log.warning("a push service answers %s", status)
        return 200 <= status < 300

    def _post(self, device: Any, payload: bytes, topic: str) -> int:
        place = place_of(device.endpoint, self._trusted)
        if place is None:
            raise ValueError
        body = http_ece.encrypt(
            payload,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes(device.p256dh),
            auth_secret=_bytes(device.auth),
            version="aes128gcm",
        )
        origin = f"{place.scheme}://{place.netloc}"
        headers = self._vapid.sign({"aud": origin, "sub": self._site})
        headers |= {"TTL": str(KEPT_FOR), "Topic": topic, "Urgency": "normal"}
        headers |= {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
        connection = _connect(place, place.netloc in listed(self._trusted))
        try:
            connection.request("POST", place._replace(scheme="", netloc="").geturl(), body, headers)
            return connection.getresponse().status  # where it may lead from there is not followed
        finally:
            connection.close()

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _connect(place: SplitResult, trusted: bool) -> http.client.HTTPConnection:
    """A connection to the very address that was looked at: a name that leads elsewhere the next
    time it is looked up gains nothing by it."""
    host, plain = place.hostname or "", place.scheme == "http"
    port = place.port or (80 if plain else TLS)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not trusted and not all(map(is_public, addresses)):
        raise ConnectionRefusedError("not a public address")
    sock = socket.create_connection((addresses[0], port), PATIENCE)
    if plain:
        connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    else:
        context = ssl.create_default_context()
        sock = context.wrap_socket(sock, server_hostname=host)
        connection = http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=context)
    connection.sock = sock
    return connection


def is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    inner = getattr(found, "ipv4_mapped", None) or found
    return inner.is_global and not inner.is_multicast


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
