"""A view in words: places, cards and facts, for people who read or hear rather than look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tanistry.match import Game
from tanistry.session.language import Texts
from tanistry.words import Words


class Company(Protocol):
    """Whoever shows a match: the game, who sits there, and the words for it."""

    @property
    def game(self) -> Game: ...
    @property
    def words(self) -> Words: ...
    @property
    def names(self) -> Sequence[str]: ...


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
    text = words.card(code) if code is not None else back_text(entry, words, say)
    notes = [note for key, value in entry.items() if (note := flag_text(key, value, words, say))]
    return f"{text} ({', '.join(notes)})" if notes else text


def back_text(entry: Mapping[str, Any], words: Words, say: Texts) -> str:
    """A card one does not know, by its back where backs differ."""
    back = words.find(f"backs.{entry.get('back')}")
    return back if isinstance(back, str) else say("table.hidden")


def flag_text(key: str, value: Any, words: Words, say: Texts) -> str:
    """A flag in words; empty if it says nothing out of the ordinary."""
    if key in ("card", "known", "back") or value is None or (value is False and key != "up"):
        return ""
    if key == "up":
        return "" if value else say("table.face_down")
    label = words.find(f"flags.{key}")
    if not isinstance(label, str):
        label = say(f"table.flags.{key}") if say.find(f"table.flags.{key}") else key
    if value is True:
        return label
    clan = words.find(f"clans.{value}")
    return f"{label}: {clan if isinstance(clan, str) else value}"


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


def fact_lines(company: Company, view: Mapping[str, Any], say: Texts) -> list[str]:
    """Facts that say something: not what is false or empty, nor long lists for machines."""
    lines = []
    for key, value in view["facts"].items():
        found = company.words.find(f"facts.{key}")
        label = found if isinstance(found, str) else key
        if value is True:
            lines.append(f"{label}.")
        elif value is False or value in (None, [], {}):  # but 0 is a number like any other
            continue
        elif not isinstance(value, list) or len(value) <= company.game.seats:
            lines.append(say("table.place", place=label, cards=fact_text(value)))
    return lines


def table_lines(company: Company, view: Mapping[str, Any], say: Texts) -> list[str]:
    """The whole table as a seat sees it, a line per place that has cards and per fact."""
    words = company.words
    places = {place.name: place for place in company.game.definition.places}
    titles = {name: capital(words.place(name)) for name in places}
    shared = Counter(titles.values())  # the two sides of a stone have one name
    lines = []
    for name, entries in view["places"].items():
        title, owner = titles[name], places[name].owner
        if shared[title] > 1 and 0 <= owner < len(company.names):
            title = f"{title}, {company.names[owner]}"
        if all(entry == {"card": None} for entry in entries):
            text = say("table.count", count=len(entries))
        else:
            text = cards_text(entries, words, say, places[name].order in ("row", "slots"))
        lines.append(say("table.place", place=title, cards=text))
    return lines + fact_lines(company, view, say)


def rank_lines(
    ranking: Sequence[Sequence[int]], scores: Sequence[object], names: Sequence[str], say: Texts
) -> list[str]:
    """A result in words: a line per place, best first; after a tie of two follows the third."""
    lines, rank = [], 1
    for tied in ranking:
        seated = ", ".join(names[seat] for seat in tied)
        points = ", ".join(str(scores[seat]) for seat in tied)
        lines.append(say("play.rank", rank=rank, names=seated, score=points))
        rank += len(tied)
    return lines


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
