"""A view in words: places, cards and facts, for people who read or hear rather than look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tanistry.cli.language import Texts

if TYPE_CHECKING:
    from tanistry.cli.sitting import Sitting
    from tanistry.words import Words


def card_of(entry: Any) -> str | None:
    """The code of a card in a view; None if the seat does not know it."""
    code = entry["card"] if isinstance(entry, Mapping) else entry
    return None if code is None else str(code)


def entry_text(entry: Any, words: Words, say: Texts) -> str:
    """One card: its name, and its flags in words where they matter."""
    if entry is None:
        return say("table.gap")
    if not isinstance(entry, Mapping):
        return words.card(entry)
    code = entry.get("card")
    text = words.card(code) if code is not None else say("table.hidden")
    notes = [note for key, value in entry.items() if (note := flag_text(key, value, words, say))]
    return f"{text} ({', '.join(notes)})" if notes else text


def flag_text(key: str, value: Any, words: Words, say: Texts) -> str:
    if key == "card" or value is None or (value is False and key != "up") or key == "known":
        return ""
    if key == "up":
        return "" if value else say("table.face_down")
    label = words.find(f"flags.{key}")
    if not isinstance(label, str):
        label = say(f"table.flags.{key}") if say.find(f"table.flags.{key}") else key
    return label if value is True else f"{label} {words.card(value) if value else ''}".strip()


def cards_text(entries: Sequence[Any], words: Words, say: Texts, ordered: bool = False) -> str:
    """The cards of a place in one line; cards that read the same are counted, not repeated."""
    texts = [entry_text(entry, words, say) for entry in entries]
    if ordered and any(card_of(entry) is not None for entry in entries if entry is not None):
        return ", ".join(texts)
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    return ", ".join(text if n == 1 else f"{n} × {text}" for text, n in counts.items())


def fact_text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(fact_text(item) or "–" for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {fact_text(item)}" for key, item in value.items())
    return "–" if value is None else str(value)


def table_lines(sitting: Sitting, view: Mapping[str, Any], say: Texts) -> list[str]:
    """The whole table as a seat sees it, a line per place that has cards and per fact."""
    words = sitting.words
    lines = []
    order = {place.name: place.order for place in sitting.game.definition.places}
    for name, entries in view["places"].items():
        if all(card_of(entry) is None for entry in entries if entry is not None) and not any(
            isinstance(entry, Mapping) and len(entry) > 1 for entry in entries
        ):
            text = say("table.count", count=len(entries))
        else:
            text = cards_text(entries, words, say, ordered=order[name] in ("row", "slots"))
        lines.append(say("table.place", place=capital(words.place(name)), cards=text))
    for key, value in view["facts"].items():
        label = words.find(f"facts.{key}")
        lines.append(
            say(
                "table.place",
                place=label if isinstance(label, str) else key,
                cards=fact_text(value),
            )
        )
    return lines


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
