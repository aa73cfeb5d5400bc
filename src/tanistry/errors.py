"""Errors people can read. Each has a stable code by family and a sentence in every language."""

from __future__ import annotations

from errno import errorcode
from typing import Any

from tanistry.catalogue import catalogue, common


class TanistryError(ValueError):
    """The base of all our errors: a code such as `option/value`, and the values it talks about."""

    def __init__(self, code: str, **values: Any) -> None:
        self.code = code
        self.values = values
        super().__init__(code)

    def message(self, lang: str = "en") -> str:
        """The sentence, in a language."""
        info = self.values.get("info")  # the game whose words know the sentence, if not all do
        texts = catalogue(lang, info.package) if info else common(lang)
        return texts.text("errors." + self.code.replace("/", "."), self._said(lang))

    def _said(self, lang: str) -> dict[str, Any]:
        """The values as the sentence shows them."""
        return {
            name: value.message(lang) if isinstance(value, TanistryError) else value
            for name, value in self.values.items()  # an error can be the reason for another
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.__dict__)

    def __str__(self) -> str:
        return self.message()

    @property
    def rule(self) -> str:
        """The rule that was broken."""
        return str(self.values.get("rule", ""))


def _rebuild(kind: type[TanistryError], state: dict[str, Any]) -> TanistryError:
    error = kind.__new__(kind)
    error.__dict__.update(state)
    return error


class OptionError(TanistryError):
    """An unknown game, option or value. Says what is allowed."""


class FileError(OptionError):
    """A file or folder that cannot be read or written. Says why."""

    def __init__(self, code: str, name: object, wrong: OSError) -> None:
        super().__init__(code, name=str(name) or "''")
        self.kind = type(wrong).__name__
        self.number = errorcode.get(wrong.errno or 0, "")
        self.system = wrong.strerror or self.kind

    def _said(self, lang: str) -> dict[str, Any]:
        reasons = common(lang).find("reasons")  # for the usual ones
        ours = reasons.get(self.kind) or reasons.get(self.number)
        return {**self.values, "reason": ours or self.system}


class SeedError(TanistryError):
    """A seed that is neither a number from 0 to 2²⁵⁶ − 1 nor 32 bytes."""


class SeatError(TanistryError):
    """A seat that is not at this table."""


class PositionError(TanistryError):
    """An impossible position: a duplicate card, a missing card, seven cards in a trick."""


class RecordError(TanistryError):
    """A record that cannot be read or replayed."""


class IllegalMove(TanistryError):
    """An illegal choice. Nothing changed; `.rule` names the rule it breaks."""

    def __init__(self, code: str, sentences: dict[str, str] | None = None, **values: Any) -> None:
        super().__init__(code, **values)
        self.sentences = sentences or {}

    def message(self, lang: str = "en") -> str:
        return self.sentences.get(lang) or super().message(lang)
