"""An analysis in people's words, in French or English."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from tanistry.analysis.outcome import FORCED, Analysis, Judged, Player, points
from tanistry.catalogue import catalogue
from tanistry.session.describe import capital
from tanistry.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tanistry.analysis.judging import Line
    from tanistry.games.contract import GameInfo

FLAWLESS = (FORCED, "best")
"""Verdicts on choices there is nothing to say against."""
BARS = " ▁▂▃▄▅▆▇█"
PLAIN_BARS = " .:-=+*#@"
"""The same for terminals that have only ASCII."""


class Voice:
    """What is said of choices: `voice("coach.expected", line=…)`."""

    def __init__(self, info: GameInfo, names: Sequence[str], lang: str) -> None:
        self.names, self.lang = names, lang
        self.texts = catalogue(lang, "tanistry.analysis")
        self.words = words(lang, info)

    def __call__(self, key: str, /, **values: Any) -> str:
        return self.texts.text(key, values)

    def percent(self, chance: float) -> str:
        return self.texts.percent(chance, 0)

    def signed(self, points: int) -> str:
        """A gain or a loss, in points of a hundred."""
        shown = self.texts.number(points, 0)
        return f"+{shown}" if points > 0 else shown

    def chosen_in(self, view: Mapping[str, Any], token: str) -> str:
        """What a token does, to the one who sees a view."""
        return self.words.token(token, view, self.names)

    def doing_in(self, view: Mapping[str, Any], token: str) -> str:
        """The same as a sentence speaks of it."""
        return self.words.token(token, view, self.names, form="doing")

    def cost(self, chance: float) -> str:
        """What a choice costs, in points of a hundred."""
        return self("say.cost_points", n=points(chance))

    def theme(self, name: str) -> str:
        """What a puzzle turns on: a rule by its title, anything else by its word."""
        if rule := self.words.rules().get(name):
            return rule.title
        word, kind = self.words.text(name), f"themes.{name.partition('.')[0]}"
        return capital(self.words.text(kind, {"word": word}) if self.words.find(kind) else word)

    def verdict(self, choice: Judged) -> str:
        return self(f"verdicts.{choice.verdict}")

    def better_in(self, view: Mapping[str, Any], choice: Judged) -> str:
        """The better choice and what was to be expected after it; empty if there was none."""
        if choice.verdict in FLAWLESS:
            return ""
        best, line = self.chosen_in(view, choice.best), self.line(choice.line)
        return self("say.line", best=best, line=line) if line else self("say.better", best=best)

    def line(self, line: Line) -> str:
        """What is expected after the first choice of a line; who goes on is named once."""
        told, last = [], None
        for seat, token in line[1:]:
            does = self.words.token(token, None, self.names, form="does")
            key = "say.then" if seat == last else "say.step"
            told.append(self(key, name=self.names[seat], does=does))
            last = seat
        return ", ".join(told)


class Telling(Voice):
    """What is said of an analysis: `telling("page.curve")`."""

    def __init__(self, analysis: Analysis, lang: str) -> None:
        super().__init__(analysis.match.game.info, analysis.names, lang)
        self.analysis = analysis

    @property
    def title(self) -> str:
        result = self.analysis.match.result
        if result is None:
            title = self("page.title", game=self.words.text("title"), names=", ".join(self.names))
            return self("page.ended", title=title, ended=self.ended)
        pairs = zip(self.analysis.names, result.scores, strict=True)
        names = ", ".join(f"{name} {score}" for name, score in pairs)
        title = self("page.title", game=self.words.text("title"), names=names)
        first = result.ranking[0]
        tied = sorted(result.scores)[-2:] == [max(result.scores)] * 2
        if not tied or len(first) > 1:
            return title
        return self("page.tie_break", title=title, name=self.analysis.names[first[0]])

    @property
    def ended(self) -> str:
        """How the match ended; empty if it was played out."""
        ended = self.analysis.ended
        if ended is None:
            return ""
        return self(f"ended.{ended.how}", name="" if ended.by is None else self.names[ended.by])

    # -- choices --------------------------------------------------------------------------------

    @cached_property
    def _views(self) -> list[dict[str, Any]]:
        """What the seat to act saw before each choice."""
        match, found = self.analysis.match.beginning(), []
        for seat, token in self.analysis.match.history:
            found.append(match.view(seat))
            match.play(token)
        return found

    def chosen(self, choice: Judged, token: str) -> str:
        """What a token does where this choice was made."""
        return self.chosen_in(self._views[choice.number], token)

    def choice(self, choice: Judged) -> str:
        """A choice and how good it was, in one line."""
        return self(
            "say.choice" if choice.verdict in FLAWLESS else "say.cost",
            number=choice.number + 1,
            name=self.analysis.names[choice.seat],
            choice=self.chosen(choice, choice.token),
            verdict=self.verdict(choice),
            cost=self.cost(choice.cost),
        )

    def better(self, choice: Judged) -> str:
        """The better choice and what was to be expected after it; empty if there was none."""
        return self.better_in(self._views[choice.number], choice)

    def moved(self, choice: Judged) -> str:
        """How the chances of whoever chose changed, and of another whose changed more."""
        rows = self.analysis.curve[choice.number : choice.number + 2]
        told = []
        for seat in self.analysis.moved(choice):
            before, after = (self.percent(row[seat]) for row in rows)
            name = self.analysis.names[seat]
            told.append(self("say.moved", name=name, before=before, after=after))
        return ", ".join(told)

    # -- players --------------------------------------------------------------------------------

    def player(self, player: Player) -> str:
        if player.accuracy is None:
            return self("say.no_choice", name=player.name)
        counts = [self(f"counts.{name}", n=n) for name, n in player.verdicts.items() if n]
        accuracy = self.percent(player.accuracy)
        return self("say.player", name=player.name, accuracy=accuracy, counts=", ".join(counts))

    def shares(self, player: Player) -> dict[str, str]:
        """Start, choices and luck as they are shown, which add up to the result."""
        points = player.account(0.01) | {"deal": round(100 * player.deal)}
        return {
            name: self.percent(value / 100) if name in ("start", "result") else self.signed(value)
            for name, value in points.items()
        }

    def account(self, player: Player) -> str:
        """The same in a sentence."""
        told = "say.account_ended" if self.analysis.ended else "say.account"
        return self(told, whose=self.of_others("say"), **self.shares(player))

    def of_others(self, where: str) -> str:
        """Whose choices are not one's own."""
        return self(f"{where}.{'opponent' if self.analysis.seats == 2 else 'others'}")

    def bars(self, seat: int, width: int, signs: str = BARS) -> str:
        """The curve of a seat as one line of bars."""
        chances = [row[seat] for row in self.analysis.curve]
        return "".join(signs[round((len(signs) - 1) * c)] for c in _spread(chances, width))


def _spread(values: Sequence[float], width: int) -> list[float]:
    """As many values as there is room for, first and last among them."""
    if len(values) <= width:
        return list(values)
    return [values[round(k * (len(values) - 1) / (width - 1))] for k in range(width)]
