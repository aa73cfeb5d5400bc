"""What came out of a study: tables of figures with 95 % intervals, made from the counts.

A table is a list of rows, a row plain data by column: the same for JSON, Parquet and the report.
Shares are between 0 and 1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tanistry.games.contract import MOVE
from tanistry.simulation.intervals import Z, wilson, z_among
from tanistry.studies.counting.layout import (
    ALTERNATIVES,
    CHOICES,
    FORCED,
    KINDS,
    LOWEST_SCORE,
    NAMED,
    NAMED_SQUARED,
    NAMED_WON,
    SHARE,
    TIMES,
    TOLD,
    WHOLE,
    WON,
    WON_SQUARED,
    counts_layout,
    groups_of,
)

if TYPE_CHECKING:
    from tanistry.studies.checkpoint import Tally
    from tanistry.studies.plan import Setting

Row = dict[str, Any]
Rows = list[Row]

TABLES = (
    "summary", "seats", "lengths", "branching", "curve", "decisions", "scores", "margins",
    "cards", "groups", "one_more", "rules", "events",
)  # fmt: skip
"""The tables of a setting, as `Result` has them by name."""
SWINGS = ("won", "low", "high", "base", "swing", "swing_low", "swing_high", "sure")
"""What a rule has that tilts some matches."""


class Result:
    """The figures of one setting."""

    def __init__(self, setting: Setting, tally: Tally, label: str) -> None:
        self.setting = setting
        self.label = label
        self.game = setting.make_game()
        self.counts: Any = tally.numbers.view(counts_layout(self.game.definition))[0]
        self.matches = tally.done

    # -- who wins -------------------------------------------------------------------------------

    def seats(self) -> Rows:
        """By turn order: the share of matches won, a shared first place counting in part."""
        rows = []
        for turn in range(self.game.seats):
            won = self._ratio(self.counts["share"][turn], WHOLE * self.matches)
            low, high = wilson(won, self.matches)
            rows.append(
                {
                    "turn": turn,
                    "won": won,
                    "low": low,
                    "high": high,
                    "alone": self._ratio(self.counts["alone"][turn], self.matches),
                    "even": 1 / self.game.seats,
                    "score": self._mean_score(turn),
                }
            )
        return rows

    def _mean_score(self, turn: int) -> float:
        by_score = self.counts["scores"][:, turn].sum(axis=0)
        points = np.arange(len(by_score)) + LOWEST_SCORE
        return self._ratio((by_score * points).sum(), by_score.sum())

    def _base(self) -> list[float]:
        """What a seat wins all in all, by turn order."""
        return [row["won"] for row in self.seats()]

    # -- length and branching -------------------------------------------------------------------

    def summary(self) -> Rows:
        """One row: length, branching, draws."""
        counts, n = self.counts, self.matches
        mean = self._ratio(counts["steps"][0], n)
        spread = math.sqrt(max(0.0, self._ratio(counts["steps_squared"][0], n) - mean * mean))
        half = Z * spread / math.sqrt(n) if n else 0.0
        shared = self._ratio(n - counts["alone"].sum(), n)
        low, high = wilson(shared, n)
        branches = counts["branches"]
        sizes = np.arange(len(branches))
        logs = np.log10(np.maximum(sizes, 1))
        row = {
            "matches": n,
            "choices": mean,
            "choices_low": mean - half,
            "choices_high": mean + half,
            "choices_spread": spread,
            **{f"choices_{q}": self._quantile(counts["lengths"], q / 100) for q in (5, 50, 95)},
            "alternatives": self._ratio((branches * sizes).sum(), branches.sum()),
            "alternatives_most": int(np.flatnonzero(branches)[-1]) if branches.any() else 0,
            "forced": self._ratio(branches[1], branches.sum()),
            "paths": self._ratio((branches * logs).sum(), n),  # log10 of the product, on average
            "shared": shared,
            "shared_low": low,
            "shared_high": high,
        }
        return [row]

    @staticmethod
    def _quantile(histogram: Any, share: float) -> int:
        total = int(histogram.sum())
        return int(np.searchsorted(histogram.cumsum(), share * total)) if total else 0

    def lengths(self) -> Rows:
        """Matches by their number of choices."""
        return self._histogram(self.counts["lengths"], "choices", "matches")

    def branching(self) -> Rows:
        """Choices by their number of alternatives."""
        return self._histogram(self.counts["branches"], "alternatives", "choices")

    def curve(self) -> Rows:
        """The alternatives on average, by the number of the choice in its match."""
        return [
            {"choice": number + 1, "matches": int(times), "alternatives": int(total) / int(times)}
            for number, (times, total) in enumerate(self.counts["curve"])
            if times
        ]

    def decisions(self) -> Rows:
        """By decision: how often in a match, how many alternatives, how often only one."""
        rows = []
        for name, counted in zip(
            self.game.definition.decisions, self.counts["decisions"], strict=True
        ):
            times = counted[CHOICES]
            if times:
                rows.append(
                    {
                        "decision": name,
                        "choices": int(times),
                        "per_match": self._ratio(times, self.matches),
                        "alternatives": self._ratio(counted[ALTERNATIVES], times),
                        "forced": self._ratio(counted[FORCED], times),
                    }
                )
        return rows

    @staticmethod
    def _histogram(counts: Any, key: str, what: str, start: int = 0) -> Rows:
        return [{key: int(i) + start, what: int(counts[i])} for i in np.flatnonzero(counts)]

    # -- scores ---------------------------------------------------------------------------------

    def scores(self) -> Rows:
        """Seats by their score, by turn order and whether they came first, alone or not."""
        rows = []
        for first in (0, 1):
            for turn in range(self.game.seats):
                for row in self._histogram(
                    self.counts["scores"][first, turn], "score", "matches", LOWEST_SCORE
                ):
                    rows.append({"turn": turn, "first": bool(first), **row})
        return rows

    def margins(self) -> Rows:
        """Matches by the points of the first ahead of the best other; 0 where several share it."""
        return self._histogram(self.counts["margins"], "margin", "matches", LOWEST_SCORE)

    # -- cards ----------------------------------------------------------------------------------

    def cards(self) -> Rows:
        """What each card is worth to a seat that was dealt it, has held it, has played it."""
        rows = []
        for number, kind in enumerate(KINDS):
            by_code = {
                code: self.counts["cards"][number][:, twins].sum(axis=1)
                for code, twins in self.game.twins.items()
            }
            had = {code: counted for code, counted in by_code.items() if counted[:, TIMES].any()}
            for code, counted in had.items():
                rows.append({"card": code, "kind": kind, **self._worth(counted, len(had))})
        return rows

    def groups(self) -> Rows:
        """The same by how many cards of a clan, faction or colour a seat had."""
        rows = []
        names = list(groups_of(self.game))
        for number, kind in enumerate(KINDS):
            by_cards = self.counts["groups"][number, :, : len(names)]
            had = np.argwhere(by_cards[..., TIMES].any(axis=0)).tolist()
            for group, cards in had:
                row = {"group": names[group], "kind": kind, "cards": cards}
                rows.append({**row, **self._worth(by_cards[:, group, cards], len(had))})
        return rows

    def one_more(self) -> Rows:
        """What one card more of a clan, faction or colour is worth: the slope through `groups`."""
        rows = []
        for number, kind in enumerate(KINDS):
            by_group = self.counts["groups"][number, : self.game.seats]
            slopes = {
                name: line
                for group, name in enumerate(groups_of(self.game))
                if (line := self._slope(by_group[:, group])) is not None
            }
            for name, (slope, error) in slopes.items():
                row = {"group": name, "kind": kind, "worth": slope}
                row |= {"worth_low": slope - Z * error, "worth_high": slope + Z * error}
                rows.append({**row, "sure": abs(slope) > z_among(len(slopes)) * error})
        return rows

    def _slope(self, counted: Any) -> tuple[float, float] | None:
        """The share won by number of cards, as a line: its slope and the standard error of that.

        Each turn order has a line of its own height. None if all seats have as many cards.
        """
        times, won = counted[..., TIMES].astype(float), counted[..., SHARE] / WHOLE
        cards, base = np.arange(times.shape[1]), np.array(self._base())[:, None]
        seats = np.maximum(times.sum(axis=1, keepdims=True), 1)
        apart = cards - (times * cards).sum(axis=1, keepdims=True) / seats
        squares = float((times * apart * apart).sum())
        if not squares:
            return None
        spread = float((times * base * (1 - base)).sum()) / float(times.sum())
        # The seats of a match are not so many cases: what one has, cards and victory, others lack.
        # Where all cards are shared out among them it comes to this, and never to more.
        together = len(times) / (len(times) - 1)
        error = math.sqrt(together * spread / squares)
        return float((apart * won).sum()) / squares, error

    def _worth(self, counted: Any, among: int) -> Row:
        """Of pairs by turn order (how often, share won): against what those seats win anyhow.

        It is `sure` that there is a difference if that holds among so many of its kind.
        """
        times = int(counted[:, TIMES].sum())
        won = self._ratio(counted[:, SHARE].sum(), WHOLE * times)
        low, high = wilson(won, times)
        pairs = zip(counted[:, TIMES].tolist(), self._base(), strict=False)
        base = self._ratio(sum(n * share for n, share in pairs), times)
        least, most = wilson(won, times, z_among(among))
        return {
            "times": times,
            "won": won,
            "low": low,
            "high": high,
            "base": base,
            "worth": won - base,
            "worth_low": low - base,
            "worth_high": high - base,
            "sure": not least <= base <= most,
        }

    # -- rules ----------------------------------------------------------------------------------

    def rules(self) -> Rows:
        """How often each rule is at work, and how much it has to do with who wins.

        `tilted` are the matches in which the rule's events named one seat more often than any
        other, `won` what that seat won of them, `base` what it wins anyhow. `swing` is the excess
        over all matches: so many more than by chance went to the seat the rule was about.
        """
        rows = []
        told = self.counts["events"][:, :, TOLD].sum(axis=0)
        tilting = int(self.counts["tilts"][:, :, TIMES].any(axis=1).sum())
        for number, rule in enumerate(self.game.definition.rule_ids):
            if not told[number]:
                continue
            present = self._ratio(self.counts["present"][number], self.matches)
            low, high = wilson(present, self.matches)
            rows.append(
                {
                    "rule": rule,
                    "events": int(told[number]),
                    "per_match": self._ratio(told[number], self.matches),
                    "present": present,
                    "present_low": low,
                    "present_high": high,
                    **self._swing(self.counts["tilts"][number], tilting),
                }
            )
        return rows

    def _swing(self, counted: Any, among: int) -> Row:
        worth = self._worth(counted, among)
        tilted = self._ratio(worth["times"], self.matches)
        if not tilted:  # a rule that names nobody, or everybody alike
            return {"tilted": 0.0, **dict.fromkeys(SWINGS)}
        swing, half = tilted * worth["worth"], self._swing_half(counted[: self.game.seats])
        return {
            "tilted": tilted,
            **{key: worth[key] for key in ("won", "low", "high", "base")},
            "swing": swing,
            "swing_low": swing - half,
            "swing_high": swing + half,
            "sure": worth["sure"],
        }

    def _swing_half(self, counted: Any) -> float:
        """Half the interval of a swing: the mean, over all matches, of what was won beyond `base`.

        In how many matches the rule tilts is as uncertain as who then wins. The last term is what
        `base`, itself counted, is off by at most where victory and rule are one.
        """
        times, won, base = counted[:, TIMES], counted[:, SHARE] / WHOLE, np.array(self._base())
        mean = float((won - times * base).sum()) / self.matches
        squares = float((won * (1 - 2 * base) + times * base * base).sum()) / self.matches
        error = math.sqrt(max(0.0, squares - mean * mean) / self.matches)
        return Z * error + Z * Z / (2 * self.matches)

    def events(self) -> Rows:
        """By kind of event and rule: how often, and what the seat it names wins in the end."""
        rows = []
        kinds = (MOVE, *self.game.definition.events)
        for kind, by_rule in zip(kinds, self.counts["events"], strict=True):
            told = int(by_rule[:, TOLD].sum())
            for rule, counted in zip(self.game.definition.rule_ids, by_rule, strict=True):
                if counted[TOLD]:
                    row = {"event": kind.name, "rule": rule, "told": int(counted[TOLD])}
                    row["per_match"] = self._ratio(counted[TOLD], self.matches)
                    row["part"] = self._ratio(counted[TOLD], told)
                    rows.append({**row, "named": int(counted[NAMED]), **_won_when_named(counted)})
        return rows

    # -- all of it ------------------------------------------------------------------------------

    @staticmethod
    def _ratio(part: Any, whole: Any) -> float:
        return float(part) / float(whole) if whole else 0.0

    def data(self) -> Row:
        """Everything as plain JSON data."""
        setting = {**self.setting.versions(), **self.setting.data()}
        head = {**setting, "label": self.label, "matches": self.matches}
        return {**head, **{name: getattr(self, name)() for name in TABLES}}


def _won_when_named(counted: Any) -> Row:
    """The share won by the seats that events named.

    Events of one match stand and fall together: the interval is that of a ratio of two sums over
    independent matches.
    """
    named = float(counted[NAMED])
    if not named:
        return {"won": None, "low": None, "high": None}
    ratio = float(counted[WON]) / named
    squares = (
        float(counted[WON_SQUARED])
        - 2 * ratio * float(counted[NAMED_WON])
        + ratio * ratio * float(counted[NAMED_SQUARED])
    )
    half = Z * math.sqrt(max(0.0, squares)) / named / WHOLE
    won = ratio / WHOLE
    return {"won": won, "low": max(0.0, won - half), "high": min(1.0, won + half)}
