"""Records played again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tanistry.errors import IllegalMove, RecordError, TanistryError
from tanistry.games import registry
from tanistry.match.game import read_game
from tanistry.match.match import Match
from tanistry.match.records import OURS, commitment, deal_seed, hex_bytes, read_headers


def replay(text: str) -> Match:
    """Replay a record; a RecordError says what is wrong, and in which line."""
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
        if result is None:
            raise RecordError("record/cut", claimed=headers["Result"])
        raise RecordError("record/result", claimed=headers["Result"], found=found)
    return match


def _start(headers: Mapping[str, str]) -> Match:
    for key in ("Game", "Version", "Seats", "Seed"):
        if key not in headers:
            raise RecordError("record/lacks", name=key)
    seed, salt = hex_bytes(headers["Seed"]), hex_bytes(headers.get("Salt", ""))
    if len(seed) != 32 or not re.fullmatch("[0-9]{1,3}", headers["Seats"]):
        raise RecordError("record/numbers")
    seats = int(headers["Seats"])
    promised = hex_bytes(headers["ServerSeed"]) if "ServerSeed" in headers else seed
    if headers.get("Commitment", commitment(promised, salt)) != commitment(promised, salt):
        raise RecordError("record/commitment")
    nonces = [hex_bytes(nonce)[:255] for nonce in headers.get("Nonces", "").split(",")]
    if deal_seed(promised, nonces) != seed:
        raise RecordError("record/nonces")
    try:
        info = registry.info(headers["Game"])
        if headers["Version"] != str(info.version):
            raise RecordError("record/version", found=headers["Version"], expected=info.version)
        items = (item.partition("=") for item in headers.get("Options", "").split())
        game = read_game(info.name, seats, ((name, text) for name, _, text in items))
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
