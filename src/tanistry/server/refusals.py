"""Refusals are answers: a stable code, the rule, and a sentence in every language."""

from __future__ import annotations

from typing import Any

from tanistry.catalogue import LANGUAGES, Catalogue, catalogue
from tanistry.errors import OptionError, TanistryError

CODES = {
    401: ("auth/nobody", "auth/wrong"),
    403: ("auth/address", "auth/banned", "auth/invitation", "auth/invitation-used", "auth/letter",
          "auth/no-account", "auth/origin", "auth/role", "club/link", "club/not-in",
          "club/not-yours", "player/private", "table/apart", "table/no-spectators",
          "tournament/not-yours", "tournament/removed"),
    404: ("auth/device", "club/nobody", "club/off", "club/unknown", "game/unknown", "mail/none",
          "page/unknown", "peace/unknown", "people/off", "player/unknown", "puzzle/unknown",
          "table/unknown", "tournament/nobody", "tournament/off", "tournament/unknown"),
    405: ("page/method",),
    413: ("message/too-long",),
    421: ("auth/host",),
    422: ("auth/bot-name", "auth/name", "auth/password", "auth/refused-name", "message/value",
          "peace/name", "puzzle/choice", "tournament/seats"),
    500: ("server/error",),
    503: ("server/busy", "server/thinking"),
}  # fmt: skip
"""By HTTP status, where the family alone does not say."""
STATUS = {code: status for status, codes in CODES.items() for code in codes}
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
    """One of the library's errors as a refusal; what is wrong with a game, the log says, whatever
    it was the reason for."""
    reason = error.values.get("reason")
    if error.code == "option/broken" or getattr(reason, "code", "") == "option/broken":
        return Refused("game/unknown")
    say = {lang: error.message(lang) for lang in LANGUAGES}
    rule = error.rule or ("common.options" if isinstance(error, OptionError) else "")
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
