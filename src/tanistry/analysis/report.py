"""An analysis as one HTML page that needs nothing else."""

from __future__ import annotations

from html import escape

from tanistry.analysis.outcome import Analysis, points
from tanistry.analysis.telling import Telling
from tanistry.studies.charts import curves, legend
from tanistry.studies.page import cells, explain, page, table

ACCOUNT = ("start", "own", "others", "luck", "deal", "end", "result")
MARKS = """
main > svg { max-width: 46rem; }
td.best, td.good { color: var(--series-2); } td.inaccuracy { color: var(--series-4); }
td.mistake { color: var(--warm); } td.blunder { color: var(--accent); font-weight: 600; }
li { margin: 0 0 0.8rem; }
"""


def report(analysis: Analysis, lang: str) -> str:
    """The whole page."""
    say = Telling(analysis, lang)
    body = "".join((_curve(say), _players(say), _moments(say), _choices(say)))
    head = f"<header><h1>{escape(say.title)}</h1></header>"
    main = f"<main>{head}{body}{explain(say('page.made'))}</main>"
    return page(lang, say.title, main, MARKS) + "\n"


def _head(say: Telling, name: str) -> str:
    end = say("page.plus_end") if say.ended else ""
    explained = say(f"page.explain_{name}", whose=say.of_others("say"), end=end)
    return f"<h2>{escape(say(f'page.{name}'))}</h2>" + explain(explained)


def _curve(say: Telling) -> str:
    found = say.analysis
    series = [
        (name, [(float(k), row[seat]) for k, row in enumerate(found.curve)])
        for seat, name in enumerate(found.names)
    ]
    chart = curves(say("page.curve"), series, lambda x: f"{x:.0f}", say.percent, say("page.axis"))
    return _head(say, "curve") + chart + legend(found.names)


def _players(say: Telling) -> str:
    account = [name for name in ACCOUNT if name != "end" or say.analysis.ended]
    heads = [
        say.of_others("columns") if name == "others" else say(f"columns.{name}")
        for name in ("player", "accuracy", *account)
    ]
    rows = []
    for player in say.analysis.players:
        accuracy = "–" if player.accuracy is None else say.percent(player.accuracy)
        shares = say.shares(player)
        rows.append(cells([player.name, accuracy, *(shares[name] for name in account)]))
    counted = "".join(f"<p>{escape(say.player(player))}</p>" for player in say.analysis.players)
    ended = explain(say("page.explain_end", ended=say.ended)) if say.ended else ""
    return _head(say, "players") + ended + table(heads, rows) + counted


def _moments(say: Telling) -> str:
    title = f"<h2>{escape(say('page.moments'))}</h2>"
    if not say.analysis.moments:
        return title + explain(say("page.no_moments"))
    items = []
    for number in say.analysis.moments:
        choice = say.analysis.choices[number]
        lines = [say.choice(choice), say.moved(choice), say.better(choice)]
        items.append(f"<li>{'<br>'.join(escape(line) for line in lines if line)}</li>")
    return f"{title}<ul>{''.join(items)}</ul>"


def _choices(say: Telling) -> str:
    names = ("number", "player", "choice", "verdict", "win", "cost", "better")
    rows = []
    for choice in say.analysis.choices:
        better = say.chosen(choice, choice.best) if say.better(choice) else ""
        who = [str(choice.number + 1), say.analysis.names[choice.seat]]
        cost = say.percent(points(choice.cost) / 100) if better else ""
        rows.append(
            cells([*who, say.chosen(choice, choice.token)])
            + f'<td class="{choice.verdict}">{escape(say.verdict(choice))}</td>'
            + cells([say.percent(choice.win), cost, better])
        )
    return _head(say, "choices") + table([say(f"columns.{name}") for name in names], rows)
