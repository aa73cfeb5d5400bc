"""Refusals are answers: a stable code, the rule, and a sentence in every language."""

from __future__ import annotations

from typing import Any

from tanistry.catalogue import LANGUAGES, Catalogue, catalogue
from tanistry.errors import OptionError, RecordError, TanistryError

STATUS = {
    "auth/nobody": 401,
    "auth/wrong": 401,
    "auth/origin": 403,
    "auth/host": 421,
    "auth/taken": 409,
    "auth/guest": 409,
    "auth/no-account": 403,
    "auth/name": 422,
    "auth/bot-name": 422,
    "auth/password": 422,
    "auth/device": 404,
    "auth/letter": 403,
    "auth/banned": 403,
    "auth/address": 403,
    "auth/role": 403,
    "auth/invitation": 403,
    "auth/invitation-used": 403,
    "auth/refused-name": 422,
    "peace/unknown": 404,
    "peace/name": 422,
    "mail/none": 404,
    "message/unreadable": 400,
    "message/value": 422,
    "message/too-long": 413,
    "table/unknown": 404,
    "table/no-spectators": 403,
    "table/apart": 403,
    "player/unknown": 404,
    "player/private": 403,
    "people/off": 404,
    "tournament/unknown": 404,
    "tournament/off": 404,
    "tournament/not-yours": 403,
    "tournament/removed": 403,
    "tournament/nobody": 404,
    "club/unknown": 404,
    "club/off": 404,
    "club/not-yours": 403,
    "club/not-in": 403,
    "club/nobody": 404,
    "club/link": 403,
    "tournament/seats": 422,
    "game/unknown": 404,
    "puzzle/unknown": 404,
    "puzzle/choice": 422,
    "page/unknown": 404,
    "page/method": 405,
    "server/busy": 503,
    "server/error": 500,
    "server/thinking": 503,
}
"""HTTP status by code, where the family alone does not say."""
FAMILIES = {"rate": 429, "option": 422, "record": 422, "message": 400}


class Refused(Exception):
    """Something that cannot be done, said so that a person understands it. Nothing changed."""

    def __init__(
        self, code: str, rule: str = "", say: dict[str, str] | None = None, **values: Any
    ) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.say = say or {
            lang: server_words(lang).text("refusals." + code.replace("/", "."), values)
            for lang in LANGUAGES
        }

    @property
    def status(self) -> int:
        return STATUS.get(self.code) or FAMILIES.get(self.code.partition("/")[0], 409)

    def data(self) -> dict[str, Any]:
        return {"code": self.code, "rule": self.rule, "say": self.say}


def refused(error: TanistryError) -> Refused:
    """One of the library's errors as a refusal."""
    say = {lang: error.message(lang) for lang in LANGUAGES}
    kinds = (OptionError, RecordError)
    rule = error.rule or ("common.options" if isinstance(error, kinds[0]) else "")
    return Refused(error.code, rule, say)


def wrong_value(field: str, kind: str, **values: Any) -> Refused:
    """A field that cannot be so; `kind` as pydantic names it, with what it says about it."""
    if "expected" in values:  # a list in English: 'a', 'b' or 'c'
        values["expected"] = str(values["expected"]).replace(" or ", ", ")
    say = {}
    for lang in LANGUAGES:
        texts = server_words(lang)
        known = kind if texts.find(f"wrong.{kind}") else "other"
        why = texts.text(f"wrong.{known}", {**values, "kind": kind})
        say[lang] = texts.text("refusals.message.value", {"field": field, "why": why[:200]})
    return Refused("message/value", say=say)


def server_words(lang: str) -> Catalogue:
    """The server's own texts, the shared ones behind them."""
    return catalogue(lang, "tanistry.server")
