"""The report of a study: one HTML page that needs nothing else, for reading and for looking."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from tanistry.match.seeds import seed_text
from tanistry.studies.charts import Cell, Dot, columns, curves, dots, heat, legend
from tanistry.studies.comparing import compared
from tanistry.studies.counting.layout import KINDS, groups_of
from tanistry.studies.page import cells, explain, page, part, table
from tanistry.studies.results import Result, Row, Rows
from tanistry.studies.wording import Wording

if TYPE_CHECKING:
    from tanistry.match import Game
    from tanistry.studies.output import Study

EXTREMES = 6
"""The best and the worst cards that are shown with their intervals."""
VAGUE = 0.12
"""Fields of a heat map whose interval is wider than this would be noise."""
CERTAIN = 0.999
"""A rule whose seat wins this share hands out the victory itself."""
FULL_COLOUR = 0.12
"""A worth of so many points has the full colour, unless a study has much larger ones."""
NEGLIGIBLE = 0.02
"""A rule that surely swings fewer matches than this has next to no effect on who wins."""
MOST_CURVES = 6
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def report(study: Study, lang: str) -> str:
    """The whole page; nothing as long as no match was played."""
    results = [result for result in study.results if result.matches]
    if not results:
        return ""
    say = Wording(lang, results[0].game)
    body = "".join(
        [
            _summary(results, say),
            _winning(results, say),
            _compared(results, say),
            _length(results, say),
            _choices(results, say),
            *(
                _setting(number, result, len(results) > 1, say)
                for number, result in enumerate(results)
            ),
        ]
    )
    title = say("page.title", game=say.words.text("title"))
    main = f"<main>{_head(study, results, body, say)}{body}</main>"
    return page(lang, title, f"{main}<script>{part('report.js')}</script>")


def _section(key: str, body: str, say: Wording, **values: str) -> str:
    """What stands under a heading: what it means, and what there is to see."""
    explained = explain(say(f"{key}.explain", **values))
    return f'<h2 id="{key}">{escape(say(f"sections.{key}"))}</h2>{explained}{body}'


def _panel(title: str, body: str, wide: bool = False) -> str:
    kind = "panel wide" if wide else "panel"
    return f'<div class="{kind}"><h3>{escape(title)}</h3>{body}</div>'


def _panels(panels: Sequence[str]) -> str:
    return f'<div class="panels">{"".join(panels)}</div>' if panels else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return table(heads, map(cells, rows))


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>"


# -- all settings side by side --------------------------------------------------------------------


def _head(study: Study, results: Sequence[Result], body: str, say: Wording) -> str:
    """The title, what was played, and links to what is in the body."""
    game = results[0].game
    done = sum(result.matches for result in results)
    count = "page.setting" if len(results) == 1 else "page.settings"
    settings = say(count, count=len(results))
    lead = say("page.lead", matches=say.number(done), settings=settings)
    seed, version = seed_text(study.plan.key), game.info.version
    facts = [say("page.seed", seed=seed), say("page.version", version=version)]
    if "seats" not in study.plan.varied:
        facts.insert(0, say("page.seats", count=game.seats))
    facts += [
        f"{say.words.text(f'options.{name}.name')} {say.value(value)}"
        for name, value in results[0].setting.options
        if name not in study.plan.varied and name != "first"
    ]
    total = sum(setting.matches for setting in study.plan.settings)
    notice = ""
    if not study.finished:
        text = say("page.unfinished", done=say.number(done), total=say.number(total))
        notice = f'<p class="notice">{escape(text)}</p>'
    links = "".join(
        f'<a href="#{name}">{escape(say(f"sections.{name}"))}</a>'
        for name in ("winning", "compared", "length", "cards", "groups", "scores", "rules")
        if f'id="{name}"' in body
    )
    return (
        f"<header><h1>{escape(say('page.title', game=say.words.text('title')))}</h1>"
        f"<p>{escape(lead)} {escape(' · '.join(facts))}</p>{notice}"
        f"<p>{escape(say('page.made'))}</p>"
        f'<nav aria-label="{escape(say("page.contents"))}">{links}</nav></header>'
    )


def _summary(results: Sequence[Result], say: Wording) -> str:
    """What matters in sentences, and all settings in one table."""
    panels = []
    for result in results[:MOST_CURVES]:
        sentences = "".join(f"<li>{escape(text)}</li>" for text in findings(result, say))
        title = f"{result.label}" if len(results) > 1 else say("findings.heading")
        intro = explain(say.policy(result.setting.policy.text))
        panels.append(_panel(title, f'{intro}<ul class="findings">{sentences}</ul>'))
    keys = ("setting", "matches", "first", "draws", "choices", "range", "alternatives", "forced")
    rows = []
    for result in results:
        row, first = result.summary()[0], result.seats()[0]
        rows.append(
            [
                result.label,
                say.number(result.matches),
                say.estimate(first),
                say.percent(row["shared"]),
                say.number(row["choices"], 1),
                f"{row['choices_5']}–{row['choices_95']}",
                say.number(row["alternatives"], 1),
                say.percent(row["forced"]),
            ]
        )
    figures = _table([say(f"summary.{key}") for key in keys], rows)
    return f"<h2>{escape(say('findings.heading'))}</h2>{_panels(panels)}{figures}"


def findings(result: Result, say: Wording) -> list[str]:
    """The figures of a setting as a few sentences."""
    row = result.summary()[0]
    found = [_first_seat(result.seats()[0], say), _length_sentence(row, say)]
    found.append(say("findings.paths", power=f"{row['paths']:.0f}".translate(RAISED)))
    if row["shared"] > 0:
        found.append(say("findings.shared", shared=say.percent(row["shared"], 2)))
    found.append(say("findings.close", margin=say.number(_median_margin(result))))
    return found + _card_sentences(result, say) + _rule_sentences(result, say)


def _worth(row: Row) -> float:
    return float(row["worth"])


def _card_sentences(result: Result, say: Wording) -> list[str]:
    dealt = [card for card in result.cards() if card["kind"] == KINDS[0]]
    found = []
    sure = [card for card in dealt if card["sure"]]
    if best := max((card for card in sure if card["worth"] > 0), key=_worth, default=None):
        card, points = say.card(best["card"]), say.points(best["worth"])
        found.append(say("findings.best", card=card, points=points))
    if worst := min((card for card in sure if card["worth"] < 0), key=_worth, default=None):
        card, points = say.card(worst["card"]), say.points(worst["worth"])
        found.append(say("findings.worst", card=card, points=points))
    clans = [row for row in result.one_more() if row["kind"] == KINDS[0] and row["sure"]]
    if best := max((row for row in clans if row["worth"] > 0), key=_worth, default=None):
        group, points = say.groups(result.game)[best["group"]], say.points(best["worth"])
        found.append(say("findings.group", group=group, points=points))
    return found or [say("findings.no_card")]


def _first_seat(seat: Row, say: Wording) -> str:
    values = {key: say.percent(seat[key]) for key in ("won", "low", "high", "even")}
    difference = say.number(100 * abs(seat["won"] - seat["even"]), 1)
    if seat["low"] > seat["even"]:
        return say("findings.advantage", more=difference, **values)
    if seat["high"] < seat["even"]:
        return say("findings.drawback", less=difference, **values)
    return say("findings.even", **values)


def _length_sentence(row: Row, say: Wording) -> str:
    fixed = row["choices_5"] == row["choices_95"]
    return say(
        "findings.length_fixed" if fixed else "findings.length",
        choices=say.number(row["choices"], 0 if fixed else 1),
        low=row["choices_5"],
        high=row["choices_95"],
        alternatives=say.number(row["alternatives"], 1),
        forced=say.percent(row["forced"]),
    )


def _median_margin(result: Result) -> int:
    half, seen = result.matches / 2, 0
    for row in result.margins():
        seen += row["matches"]
        if seen >= half:
            return int(row["margin"])
    return 0


def _rule_sentences(result: Result, say: Wording) -> list[str]:
    swinging = _swinging(result.rules())
    found = []
    strong = [rule for rule in swinging if rule["sure"] and rule["swing"] > NEGLIGIBLE]
    if strong:
        most = max(strong, key=lambda rule: float(rule["swing"]))
        rule, swing = say.rule(most["rule"]), say.points(most["swing"])
        found.append(say("findings.rule", rule=rule, swing=swing))
    idle = [r for r in swinging if max(-r["swing_low"], r["swing_high"]) < NEGLIGIBLE]
    if idle:
        names = ", ".join(say.rule(rule["rule"]) for rule in idle)
        found.append(say("findings.idle", rules=names, most=say.number(100 * NEGLIGIBLE)))
    return found


def _swinging(rows: Rows) -> Rows:
    """The rules that tilt matches, but for those that hand out the victory itself."""
    return [row for row in rows if row["won"] is not None and row["won"] < CERTAIN]


def _winning(results: Sequence[Result], say: Wording) -> str:
    """Shares of matches won; where the seats differ in number, how far from an even share."""
    alike = len({result.game.seats for result in results}) == 1
    rows = []
    for number, result in enumerate(results):
        for seat in result.seats():
            key = "winning.row" if len(results) > 1 else "winning.turn"
            name = say(key, setting=result.label, number=seat["turn"] + 1)
            even = 0.0 if alike else seat["even"]
            won, low, high = (seat[key] - even for key in ("won", "low", "high"))
            rows.append(Dot(name, won, low, high, number))
    base = 1 / results[0].game.seats if alike else 0.0
    title = say("winning.chart" if alike else "winning.chart_points")
    chart = dots(title, rows, base, say.percent if alike else say.points)
    return _section("winning", _panels([_panel(title, chart)]), say)


def _compared(results: Sequence[Result], say: Wording) -> str:
    """What each setting changes, against the first."""
    rows = compared(results)
    if not rows:
        return ""
    wins = [row for row in rows if row["turn"] == 0]
    points = [Dot(row["setting"], row["difference"], row["low"], row["high"]) for row in wins]
    title = say("compared.chart")
    keys = ("summary.setting", "compared.figure", "compared.difference", "tables.95")
    figures = _table(
        [*map(say, keys), say("compared.sure")],
        [
            [row["setting"], *difference(row, say), say("value.true") if row["sure"] else "–"]
            for row in rows
        ],
    )
    chart = _panels([_panel(title, dots(title, points, 0.0, say.points))])
    body = chart + _folded(say("page.show_table"), figures)
    return _section("compared", body, say, against=results[0].label)


def difference(row: Row, say: Wording) -> tuple[str, str, str]:
    """What is compared, by how much it differs, and the interval of that."""
    if row["figure"] == "won":
        name = say("compared.wins", number=row["turn"] + 1)
    else:
        name = say(f"compared.{row['figure']}")
    shown = say.signed if row["figure"] == "choices" else say.points
    return name, shown(row["difference"]), f"{shown(row['low'])} – {shown(row['high'])}"


def _length(results: Sequence[Result], say: Wording) -> str:
    shown = results[:MOST_CURVES]
    names = legend([result.label for result in shown]) if len(shown) > 1 else ""

    panels = []
    lengths = [(r.label, _shares(r.lengths(), "choices", "matches")) for r in shown]
    title, axis = say("length.histogram"), say("length.axis_choices")
    if len({length for _, values in lengths for length in values}) == 1:
        pass  # there is nothing to see where every match is as long as the others
    elif len(shown) == 1:
        panels.append(
            _panel(title, columns(title, [("", lengths[0][1])], say.number, say.share, axis))
        )
    else:
        spread = [(label, list(values.items())) for label, values in lengths]
        panels.append(_panel(title, curves(title, spread, say.number, say.share, axis) + names))
    title = say("length.curve")
    lines = [(r.label, _common_part(r)) for r in shown]
    chart = curves(title, lines, say.number, say.number, say("length.axis_number"))
    panels.append(_panel(title, chart + names))
    title = say("length.branching")
    branching = [(r.label, _shares(r.branching(), "alternatives", "choices")) for r in shown]
    spread = [(label, list(values.items())) for label, values in branching]
    chart = curves(title, spread, say.number, say.share, say("length.axis_alternatives"))
    panels.append(_panel(title, chart + names))
    return _section("length", _panels(panels), say)


def _shares(rows: Rows, key: str, what: str) -> dict[int, float]:
    total = sum(row[what] for row in rows)
    return {row[key]: row[what] / total for row in rows}


def _common_part(result: Result) -> list[tuple[float, float]]:
    """The curve of alternatives as far as one match in a hundred gets: beyond it is noise.

    Turns of several choices would make it jagged: each point is the mean of its surroundings.
    """
    rows = [row for row in result.curve() if row["matches"] >= result.matches / 100]
    reach = max(1, len(rows) // 30)
    found = []
    for i, row in enumerate(rows):
        near = rows[max(0, i - reach) : i + reach + 1]
        found.append((row["choice"], sum(other["alternatives"] for other in near) / len(near)))
    return found


def _choices(results: Sequence[Result], say: Wording) -> str:
    if len(results) == 1:
        return ""
    buttons = "".join(f'<button type="button">{escape(r.label)}</button>' for r in results)
    return f'<div class="choices" hidden><span>{escape(say("page.several"))}</span>{buttons}</div>'


# -- one setting ----------------------------------------------------------------------------------


def _setting(number: int, result: Result, named: bool, say: Wording) -> str:
    after = f"-{number}" if number else ""  # the links above lead to the setting that is shown
    name = f' <span class="setting-name">{escape(result.label)}</span>' if named else ""
    parts = (
        ("cards", _cards(result, say)),
        ("groups", _groups(result, say)),
        ("scores", _scores(result, say)),
        ("rules", _rules(result, say)),
        ("events", _events(result, say)),
    )
    body = "".join(
        f'<h2 id="{key}{after}">{escape(say(f"sections.{key}"))}{name}</h2>'
        f"{explain(say(f'{key}.explain'))}{part}"
        for key, part in parts
        if part
    )
    return f'<section class="setting">{body}</section>'


def _kinds(rows: Rows, say: Wording) -> list[tuple[str, Rows]]:
    """Dealt, held and played with their rows; those with the same figures together."""
    found: list[tuple[list[str], Rows]] = []
    for kind in KINDS:
        here = [row for row in rows if row["kind"] == kind]
        figures = [{**row, "kind": ""} for row in here]
        for names, there in found:
            if figures == [{**row, "kind": ""} for row in there]:
                names.append(say(f"cards.{kind}"))
                break
        else:
            if here:
                found.append(([say(f"cards.{kind}")], here))
    return [(" = ".join(names), here) for names, here in found]


def _cards(result: Result, say: Wording) -> str:
    everything = result.cards()
    full = _full_colour(everything)
    groups = groups_of(result.game)
    maps, extremes, singles = [], [], []
    for kind, rows in _kinds(everything, say):
        placed = _placed(rows, result.game)
        grouped = list(placed.values())
        values = sorted({value for _, value in placed})
        if len(values) > 2:
            title = say("cards.chart", kind=kind)
            names = say.groups(result.game)
            lines = [
                (
                    names[suit],
                    [_card_cell(placed.get((suit, value)), kind, full, say) for value in values],
                )
                for suit in groups
                if any((suit, value) in placed for value in values)
            ]
            maps.append(_panel(title, heat(title, lines, list(map(str, values)))))
        listed = rows if len(values) <= 2 else [row for row in rows if row not in grouped]
        if listed:
            key = "cards.chart" if len(values) <= 2 else "cards.single"
            singles.append(_dots_of_cards(say(key, kind=kind), listed, say))
        if len(rows) > 2 * EXTREMES and len(values) > 2:
            best = sorted(rows, key=_worth, reverse=True)
            some = best[:EXTREMES] + best[-EXTREMES:]
            extremes.append(_dots_of_cards(say("cards.extremes", kind=kind), some, say))
    heads = ("card", "kind", "times", "won", "95", "base", "worth")
    figures = _table(
        [say(f"tables.{head}") for head in heads],
        [_card_row(row, say) for row in sorted(everything, key=_worth, reverse=True)],
    )
    rows_of_panels = "".join(map(_panels, (maps, extremes, singles)))
    return rows_of_panels + _folded(say("page.show_table"), figures)


def _full_colour(rows: Rows) -> float:
    return max([FULL_COLOUR, *(abs(_worth(row)) for row in rows if not _is_vague(row))])


def _is_vague(row: Row) -> bool:
    return bool(row["high"] - row["low"] > VAGUE)


def _placed(rows: Rows, game: Game) -> dict[tuple[str, int], Row]:
    """The rows of cards that suit and value tell from all others, by these."""
    cards = {card.code: card for card in game.cards}
    several = Counter((card.suit, card.value) for card in cards.values())
    found = {}
    for row in rows:
        card = cards[row["card"]]
        if card.suit and card.value is not None and several[card.suit, card.value] == 1:
            found[card.suit, card.value] = row
    return found


def _cell(row: Row, kind: str, full: float, say: Wording, key: str, **values: Any) -> Cell:
    """A field of a heat map, with the text `key` about it."""
    shares = {share: say.percent(row[share]) for share in ("won", "low", "high", "base")}
    title = say(key, kind=kind, times=say.number(row["times"]), **shares, **values)
    return Cell(say.points(row["worth"], 0), row["worth"] / full, row["sure"], title)


def _card_cell(row: Row | None, kind: str, full: float, say: Wording) -> Cell | None:
    if row is None:
        return None
    return _cell(row, kind, full, say, "cards.title", card=say.card(row["card"]))


def _dots_of_cards(title: str, rows: Rows, say: Wording) -> str:
    values = {say.card(row["card"]): row for row in rows}
    return _panel(title, _dots_of_worth(title, values, say))


def _dots_of_worth(title: str, rows: Mapping[str, Row], say: Wording) -> str:
    """Worths with their intervals, best first."""
    ordered = sorted(rows.items(), key=lambda item: -_worth(item[1]))
    values = [
        Dot(label, row["worth"], row["worth_low"], row["worth_high"], int(row["worth"] >= 0))
        for label, row in ordered
    ]
    return dots(title, values, 0.0, say.points)


def _card_row(row: Row, say: Wording) -> list[str]:
    return [
        say.card(row["card"]),
        say(f"cards.{row['kind']}"),
        say.number(row["times"]),
        say.percent(row["won"]),
        say.span(row["low"], row["high"]),
        say.percent(row["base"]),
        say.points(row["worth"]),
    ]


def _groups(result: Result, say: Wording) -> str:
    everything = [row for row in result.groups() if not _is_vague(row)]
    names = say.groups(result.game)
    full = _full_colour(everything)
    panels = []
    for kind, rows in _kinds(everything, say):
        counts = sorted({row["cards"] for row in rows})
        lines = []
        for stem, name in names.items():
            mine = {row["cards"]: row for row in rows if row["group"] == stem}
            cells = [_group_cell(mine.get(n), name, kind, full, say) for n in counts]
            if len(mine) > 1:
                lines.append((name, cells))
        if lines:
            title = say("groups.chart", kind=kind)
            panels.append(_panel(title, heat(title, lines, [str(n) for n in counts])))
    return _panels(panels) + _panels(_one_more(result, say))


def _one_more(result: Result, say: Wording) -> list[str]:
    """Charts of what one card more of each kind is worth."""
    names = say.groups(result.game)
    panels = []
    for kind, rows in _kinds(result.one_more(), say):
        title = say("groups.one_more", kind=kind)
        values = {names[row["group"]]: row for row in rows}
        panels.append(_panel(title, _dots_of_worth(title, values, say)))
    return panels


def _group_cell(row: Row | None, name: str, kind: str, full: float, say: Wording) -> Cell | None:
    if row is None:
        return None
    return _cell(row, kind, full, say, "groups.title", count=row["cards"], group=name)


def _scores(result: Result, say: Wording) -> str:
    rows = result.scores()
    total = sum(row["matches"] for row in rows)
    series = []
    for key, first in (("winners", True), ("others", False)):
        by_score: dict[int, float] = defaultdict(float)
        for row in rows:
            if row["first"] == first:
                by_score[row["score"]] += row["matches"] / total
        series.append((say(f"scores.{key}"), by_score))
    title = say("scores.histogram")
    names = legend([name for name, _ in series], filled=True)
    chart = columns(title, series, say.number, say.share, say("scores.axis_score"))
    panels = [_panel(title, chart + names)]
    title = say("scores.margins")
    margins = _shares(result.margins(), "margin", "matches")
    chart = columns(title, [("", margins)], say.number, say.share, say("scores.axis_margin"))
    panels.append(_panel(title, chart))
    return _panels(panels)


def _rules(result: Result, say: Wording) -> str:
    rows = sorted(result.rules(), key=lambda row: -(row["swing"] or 0))
    tilting = _swinging(rows)
    panels = []
    if tilting:
        title = say("rules.chart")
        values = [
            Dot(say.rule(row["rule"]), row["swing"], row["swing_low"], row["swing_high"])
            for row in tilting
        ]
        panels.append(_panel(title, dots(title, values, 0.0, say.points)))
    keys = ("rule", "per_match", "present", "tilted", "won", "swing")
    figures = _table([say(f"rules.{key}") for key in keys], [_rule_row(row, say) for row in rows])
    panels.append(_panel(say("page.show_table"), figures, wide=True))
    return _panels(panels)


def _rule_row(row: Row, say: Wording) -> list[str]:
    name = f"{say.rule(row['rule'])} ({row['rule']})"
    counted = [say.number(row["per_match"], 2), say.percent(row["present"])]
    if row["won"] is None:
        return [name, *counted, "–", "–", "–"]
    tilted, swing = say.percent(row["tilted"]), say.points(row["swing"])
    return [name, *counted, tilted, say.estimate(row), swing]


def _events(result: Result, say: Wording) -> str:
    rows = []
    for row in result.events():
        won = "–" if row["won"] is None else say.estimate(row)
        per_match = say.number(row["per_match"], 2)
        rows.append([row["event"], say.rule(row["rule"]), per_match, say.percent(row["part"]), won])
    keys = ("event", "rule", "per_match", "part", "won")
    return _folded(say("page.show_table"), _table([say(f"events.{key}") for key in keys], rows))
