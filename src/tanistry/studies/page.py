"""The parts of an HTML page that needs nothing else, as a study and an analysis write one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files


def part(name: str) -> str:
    """A file that goes into the page."""
    return files("tanistry.studies").joinpath(name).read_text("utf-8")


def page(lang: str, title: str, body: str, more_style: str = "") -> str:
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{part('report.css')}{more_style}</style></head>"
        f"<body>{body}</body></html>"
    )


def explain(text: str) -> str:
    return f'<p class="explain">{escape(text)}</p>'


def cells(values: Iterable[str]) -> str:
    return "".join(f"<td>{escape(value)}</td>" for value in values)


def table(heads: Sequence[str], rows: Iterable[str]) -> str:
    """A table of rows that are made of `cells`."""
    top = "".join(f"<th scope='col'>{escape(head)}</th>" for head in heads)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    whole = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll">{whole}</div>'
