"""A view in words: places, cards and facts, for people who read or hear rather than look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tanistry.games.contract import Place
from tanistry.games.shapes import NONE, BySeat, Code, Maybe, Shape
from tanistry.match import Game
from tanistry.session.language import Texts
from tanistry.session.rules import folded
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
    told = {key: value for key, value in entry.items() if code is not None or key != "up"}
    notes = [note for key, value in told.items() if (note := flag_text(key, value, words, say))]
    return f"{text} ({', '.join(notes)})" if notes else text


def back_text(entry: Mapping[str, Any], words: Words, say: Texts) -> str:
    """A card one does not know, by its back where backs differ."""
    return words.phrase(f"backs.{entry.get('back')}", say("table.hidden"))


def flag_text(key: str, value: Any, words: Words, say: Texts) -> str:
    """A flag in words; empty if it says nothing out of the ordinary."""
    if key in ("card", "known", "back") or value is None or (value is False and key != "up"):
        return ""
    if key == "up":
        return "" if value else say("table.face_down")
    label = words.phrase(f"flags.{key}") or say.phrase(f"table.flags.{key}", key)
    clan = words.phrase(f"clans.{value}", value)
    return label if value is True else f"{label}{say('card.colon')}{clan}"


def cards_text(entries: Sequence[Any], words: Words, say: Texts, ordered: bool = False) -> str:
    """The cards of a place in one line; cards that read the same are counted, not repeated."""
    texts = [entry_text(entry, words, say) for entry in entries]
    if ordered and any(card_of(entry) is not None for entry in entries if entry is not None):
        return ", ".join(texts)
    return ", ".join(_counted(text, n, say) for text, n in Counter(texts).items())


def _counted(text: str, n: int, say: Texts) -> str:
    """So many cards that read the same."""
    one = say("table.hidden")
    if n > 1 and text.startswith(one):
        return say("table.several", n=n) + text.removeprefix(one)
    return text if n == 1 else f"{n} × {text}"


def heading(kind: str, say: Texts) -> str:
    """A short title for a kind of place, empty if there is none."""
    return say.phrase(f"table.places.{kind}")


def place_title(place: Place, names: Sequence[str], words: Words, say: Texts) -> str:
    """A place as a heading, with whose it is."""
    title = "" if place.index else heading(place.kind, say)
    if not title and not place.index:
        return capital(words.place(place.name, names))
    title = title or capital(words.spot(place.name))
    return title if place.owner == NONE else f"{title} ({names[place.owner]})"


def _is_code(shape: Shape) -> bool:
    """Whether it is told in codes that have no words: the cards on the table say the same."""
    shape = shape.of if isinstance(shape, Maybe) else shape
    return isinstance(shape, Code) and not shape.words


def fact_lines(company: Company, view: Mapping[str, Any], say: Texts) -> list[str]:
    """Facts that say something: not what is false or empty, nor what is for machines."""
    lines = []
    shapes = {fact.name: fact.shape for fact in company.game.definition.facts}
    for key, value in view["facts"].items():
        label = company.words.find(f"facts.{key}")
        nothing = _is_code(shapes[key]) or (isinstance(shapes[key], BySeat) and not any(value))
        if value is True:
            lines.append(f"{label}.")
        elif nothing or value is False or value in (None, [], {}):  # but 0 is a number
            continue
        elif text := company.words.worded(value, shapes[key], company.names):
            lines.append(say("table.place", place=label, cards=text))
    return lines


def table_lines(company: Company, view: Mapping[str, Any], say: Texts) -> list[str]:
    """The whole table as a seat sees it, a line per place that has cards and per fact."""
    words = company.words
    places = {place.name: place for place in company.game.definition.places}
    lines = []
    for name, entries in view["places"].items():
        place = places[name]
        if all(entry == {"card": None} for entry in entries):
            text = say("table.count", count=len(entries))
        else:
            text = cards_text(entries, words, say, place.order in ("row", "slots"))
        title = place_title(place, company.names, words, say)
        lines.append(say("table.place", place=title, cards=text))
    return lines + fact_lines(company, view, say)


def option_lines(game: Game, words: Words, say: Texts) -> list[str]:
    """The options of a match in words, those that somebody may have chosen."""
    return [
        say("play.option", name=words.option(option.name).title,
            value=words.value(option.name, game.options[option.name]).title)
        for option in game.info.options
    ]  # fmt: skip


def card_lines(company: Company, code: str, view: Mapping[str, Any], say: Texts) -> list[str]:
    """What a card is and does: its numbers, its power, its rule, and where its kin is seen."""
    words, game = company.words, company.game
    card = next(card for card in game.cards if card.code == code)
    numbers = {**({} if card.value is None else {"value": card.value}), **card.numbers}
    lines = [words.text(f"about.{key}", {"n": n}) for key, n in numbers.items()
             if words.find(f"about.{key}")]  # fmt: skip
    if power := words.find(f"powers.{card.suit}"):
        lines.append(say("card.power", power=power))
    kin = {other.code for other in game.cards if card.suit and other.suit == card.suit} or {code}
    seen: Counter[str] = Counter()
    for place in game.definition.places:
        entries = view["places"].get(place.name, ())
        title = heading(place.kind, say) or words.place(place.name, company.names)
        count = sum(card_of(entry) in kin for entry in entries if entry is not None)
        seen[title] += count
        notes = [text for entry in entries if isinstance(entry, Mapping) and entry["card"] == code
                 if (text := entry_text(entry, words, say)) != words.card(code)]  # fmt: skip
        lines += [f"{note}." for note in notes]
    found = ", ".join(f"{title} ({count})" for title, count in seen.items() if count)
    if found:
        lines.append(say("card.seen" if len(kin) > 1 else "card.lies", places=found))
    if rule := words.rules().get(card.rule):
        lines.append(f"{rule.title}{say('card.colon')}{rule.text}")
    return lines


def card_meant(company: Company, text: str) -> str | None:
    """The card a person means, by its name or its code, or one whose name begins so; None: none."""
    wanted = folded(text)
    names = {card.code: folded(company.words.card(card.code)) for card in company.game.cards}
    meant = (code for code, name in names.items() if wanted in (folded(code), name))
    begun = (code for code, name in names.items() if name.startswith(wanted))
    return next(meant, next(begun, None))


def rank_lines(
    company: Company, ranking: Sequence[Sequence[int]], scores: Sequence[object], say: Texts
) -> list[str]:
    """A result in words: a line per place, best first; after a tie of two follows the third."""
    lines, rank = [], 1
    unit = company.words.phrase("counted.unit")
    for tied in ranking:
        seated = ", ".join(company.names[seat] for seat in tied)
        score = scores[tied[0]]
        if unit and isinstance(score, int):
            score = company.words.text("counted.unit", {"n": score})
        lines.append(say("play.rank", rank=rank, names=seated, score=score))
        rank += len(tied)
    return lines


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def question(decision: str) -> str:
    """What is asked, to end a sentence with."""
    text = decision[:1].lower() + decision[1:]
    return text if text.endswith("?") else f"{text}."
