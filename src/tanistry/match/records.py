"""Records: a match as text that a person can read, compare and play again.

[Game "claim"]
[Version "1"]
[Options "first=0"]
[Seats "2"]
[Seed "2a00…"]
[Commitment "…"]
[Result "3-2"]

0: K7
1: G0
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tanistry.errors import RecordError
from tanistry.games.contract import written
from tanistry.match.positions import write_position

if TYPE_CHECKING:
    from tanistry.match.match import Match

NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
HEADER = re.compile(rf'\[({NAME.pattern}) "((?:[^"\\]|\\.)*)"\]')
CHOICE = re.compile(r"(\d+): (.+)")
OURS = ("Game", "Version", "Options", "Seats", "Position", "Seed", "Commitment", "Result")
UNREADABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
"""What no text has: somebody gave us a picture, or an archive."""
BYTE_ORDER_MARK = "\ufeff"
"""What some editors put before a text."""
LONGEST = 1_000_000
"""A record longer than this is not one of ours."""


def commitment(seed: bytes, salt: bytes = b"") -> str:
    """What is published before the deal, so that the seed can be checked after the end."""
    return hashlib.sha256(seed + salt).hexdigest()


def deal_seed(seed: bytes, nonces: Sequence[bytes]) -> bytes:
    """The seed of a deal to which players added a number each, by seat; docs/fairness.md."""
    if not any(nonces):
        return seed
    parts = b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)
    return hashlib.sha256(b"tanistry deal" + seed + parts).digest()


def write_record(match: Match, headers: Mapping[str, str]) -> str:
    game = match.game
    _check_headers(headers)
    lines = {
        "Game": game.name,
        "Version": str(game.info.version),
        "Options": " ".join(f"{name}={written(value)}" for name, value in game.options.items()),
        "Seats": str(game.seats),
        **{key: value for key, value in headers.items() if key not in OURS},
    }
    if match._start is not None:
        position = write_position(game, match._start)
        lines["Position"] = json.dumps(position, ensure_ascii=False, separators=(",", ":"))
    lines["Seed"] = match._key.hex()
    promised = hex_bytes(headers["ServerSeed"]) if "ServerSeed" in headers else match._key
    if headers.get("Commitment") != "":  # empty: nothing was promised before the deal
        lines["Commitment"] = commitment(promised, hex_bytes(headers.get("Salt", "")))
    result = match.result
    lines["Result"] = "-".join(map(str, result.scores)) if result else "*"
    head = "".join(f'[{key} "{_escape(value)}"]\n' for key, value in lines.items())
    return head + "\n" + "".join(f"{seat}: {token}\n" for seat, token in match.history)


def _check_headers(headers: Mapping[str, str]) -> None:
    """What is written must be readable again."""
    for name, value in headers.items():
        if not NAME.fullmatch(name) or not isinstance(value, str):
            raise RecordError("record/extra", name=name, value=value)


def _escape(text: str) -> str:
    """A value on one line, whatever ends a line in it."""
    text = " ".join(text.splitlines())
    return text.replace("\\", "\\\\").replace('"', '\\"')


def hex_bytes(text: str) -> bytes:
    """What a record writes as pairs of hexadecimal digits."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise RecordError("record/numbers") from None


def read_headers(text: str) -> tuple[dict[str, str], list[tuple[int, str, str]]]:
    """The header of a record and its choices as (line number, seat, token)."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise RecordError("record/text", most=LONGEST)
    headers: dict[str, str] = {}
    choices: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).splitlines(), 1):
        line = line.strip()
        if not line:
            continue
        if found := HEADER.fullmatch(line):
            if found[1] in headers or choices:
                raise RecordError("record/header", line=number, text=line)
            headers[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif found := CHOICE.fullmatch(line):
            choices.append((number, found[1], found[2]))
        elif UNREADABLE.search(line):
            raise RecordError("record/binary", line=number)
        else:
            raise RecordError("record/line", line=number, text=line[:80])
    if not headers and not choices:
        raise RecordError("record/empty")
    return headers, choices
