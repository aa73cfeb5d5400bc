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
from typing import TYPE_CHECKING, Any

from tanistry.errors import IllegalMove, RecordError, TanistryError
from tanistry.games import registry
from tanistry.games.contract import written
from tanistry.match.game import Game
from tanistry.match.positions import write_position

if TYPE_CHECKING:
    from tanistry.match.match import Match

NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
HEADER = re.compile(rf'\[({NAME.pattern}) "((?:[^"\\]|\\.)*)"\]')
CHOICE = re.compile(r"(\d+): (.+)")
OURS = ("Game", "Version", "Options", "Seats", "Position", "Seed", "Commitment", "Result")
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
    promised = _bytes(headers["ServerSeed"]) if "ServerSeed" in headers else match._key
    lines["Commitment"] = commitment(promised, _bytes(headers.get("Salt", "")))
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


def _bytes(text: str) -> bytes:
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
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line:
            continue
        if found := HEADER.fullmatch(line):
            if found[1] in headers or choices:
                raise RecordError("record/header", line=number, text=line)
            headers[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif found := CHOICE.fullmatch(line):
            choices.append((number, found[1], found[2]))
        else:
            raise RecordError("record/line", line=number, text=line[:80])
    return headers, choices


def replay(text: str) -> Match:
    """Play a record again; RecordError says where it does not hold."""
    headers, choices = read_headers(text)
    match = _start(headers)
    match.headers = {key: value for key, value in headers.items() if key not in OURS}
    for number, seat, token in choices:
        if match.to_act is None:
            raise RecordError("record/over", line=number)
        if str(match.to_act) != seat:
            raise RecordError("record/seat", line=number, seat=seat, expected=match.to_act)
        try:
            match.play(token)
        except IllegalMove as refused:
            raise RecordError(
                "record/move", line=number, reason=refused, rule=refused.rule
            ) from None
    result = match.result
    found = "-".join(map(str, result.scores)) if result else "*"
    if headers.get("Result", found) != found:
        raise RecordError("record/result", claimed=headers["Result"], found=found)
    return match


def _start(headers: Mapping[str, str]) -> Match:
    for key in ("Game", "Seats", "Seed"):
        if key not in headers:
            raise RecordError("record/lacks", name=key)
    seed, salt = _bytes(headers["Seed"]), _bytes(headers.get("Salt", ""))
    if len(seed) != 32 or not re.fullmatch("[0-9]{1,3}", headers["Seats"]):
        raise RecordError("record/numbers")
    seats = int(headers["Seats"])
    promised = _bytes(headers["ServerSeed"]) if "ServerSeed" in headers else seed
    if headers.get("Commitment", commitment(promised, salt)) != commitment(promised, salt):
        raise RecordError("record/commitment")
    nonces = [_bytes(nonce)[:255] for nonce in headers.get("Nonces", "").split(",")]
    if deal_seed(promised, nonces) != seed:
        raise RecordError("record/nonces")
    try:
        info = registry.info(headers["Game"])
        if headers.get("Version", str(info.version)) != str(info.version):
            raise RecordError("record/version", found=headers["Version"], expected=info.version)
        definition = registry.definition(info.name)
        game = Game(definition, seats, {})
        options = {option.name: option for option in game.option_list}
        given: dict[str, Any] = {}
        for item in headers.get("Options", "").split():
            name, _, value = item.partition("=")
            given[name] = options[name].read(value) if name in options else value
        game = Game(definition, seats, given)
        if "Position" in headers:
            return game.setup(_position(headers["Position"]), seed)
    except RecordError:
        raise
    except TanistryError as wrong:
        raise RecordError("record/start", reason=wrong) from None
    return game.deal(seed)


def _position(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # no JSON, a number without end, lists in lists in lists
        raise RecordError("record/numbers") from None
