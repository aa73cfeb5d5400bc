"""`tanistry --help` and the help of every command, as one page."""

from __future__ import annotations

from typing import Any

import typer.main

from tanistry.cli.app import build
from tanistry.cli.manual import Page
from tanistry.cli.manual import page as manual_page
from tanistry.session.language import Texts, texts
from tools.docs.texts import said


def page(lang: str) -> str:
    """All commands, the command of all commands first."""
    say = texts(lang)
    around = said(lang)["commands"]
    top: Any = typer.main.get_command(build(say))
    pages = [manual_page(top, "tanistry", say)]
    pages += [manual_page(c, f"tanistry {name}", say) for name, c in top.commands.items()]
    return "\n\n".join([f"# {around['title']}", around["lead"], *(_command(p, say) for p in pages)])


def _command(page: Page, say: Texts) -> str:
    parts = [f"## {page.command}", f"**{page.summary}**", f"```text\n{page.usage}\n```"]
    parts += [paragraph.replace("<", "&lt;") for paragraph in page.about]
    for title, entries in page.sections:
        rows = [f"| `{_cell(e.name)}` | {_cell(e.text)} |" for e in entries]
        parts.append("\n".join([f"| {title} | |", "|---|---|", *rows]))
    if page.examples:
        lines = [f"{e.name}\n    # {e.text}" for e in page.examples]
        parts.append(f"**{say('manual.examples')}**\n\n```sh\n" + "\n".join(lines) + "\n```")
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")
