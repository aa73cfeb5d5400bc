"""The pages of `--help`, laid out like those of a manual.

A page is data first: the terminal shows it here, the documentation prints the same pages. What
stands on one comes from the command's own parameters and from the catalogue: `help` holds a line
for each command and parameter, which they name as their help; `about` the paragraphs, `examples`
what one may try.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from tanistry.errors import OptionError
from tanistry.session.language import Texts

WIDEST = 100
INDENT = 4
NAME_COLUMN = 24
TYPED = "tanistry.typed"
"""Where a command keeps the flags that a person typed."""


@dataclass(frozen=True)
class Entry:
    """Something with a name, and what is to be said about it."""

    name: str
    text: str


@dataclass(frozen=True)
class Page:
    """One command: `sections` are lists of entries under a title each, examples last."""

    command: str
    summary: str
    usage: str
    about: list[str]
    sections: list[tuple[str, list[Entry]]]
    examples: list[Entry]


def page(command: Any, path: str, say: Texts) -> Page:
    """The page of a command (a parsed one, `typer.main.get_command`) that is called by `path`."""
    name = path.split()[-1]
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    below = getattr(command, "commands", {})
    usage = [path, say("manual.options_short"), *(_metavar(p) for p in arguments)]
    sections = [
        (say("manual.commands"), [Entry(n, say(c.help)) for n, c in below.items()]),
        (say("manual.arguments"), [Entry(_metavar(p), say(p.help)) for p in arguments]),
        (say("manual.options"), [_option(p, say) for p in [*options, _help(command)]]),
    ]
    found = say.find(f"about.{name}")
    examples = say.find(f"examples.{name}") or []
    return Page(
        command=path,
        summary=say(command.help),
        usage=" ".join([*usage, say("manual.command")] if below else usage),
        about=found.strip().split("\n\n") if isinstance(found, str) else [],
        sections=[(title, entries) for title, entries in sections if entries],
        examples=[Entry(e["command"], e["does"]) for e in examples],
    )


def _help(command: Any) -> Any:
    return command.get_help_option(typer.Context(command))


def _metavar(param: Any) -> str:
    return str(param.metavar or "VALUE")


def _option(param: Any, say: Texts) -> Entry:
    names = sorted([*param.opts, *param.secondary_opts], key=lambda name: name.startswith("--"))
    value = "" if param.is_flag else f" {_metavar(param)}"
    text = say("help.help" if param.name == "help" else param.help)
    notes = []
    if param.show_default and not param.is_flag and param.default not in (None, "", []):
        notes.append(say("manual.default", value=param.default))
    if param.is_flag and param.secondary_opts:
        chosen = param.opts if param.default else param.secondary_opts
        notes.append(say("manual.default", value=chosen[0]))
    if param.envvar:
        notes.append(say("manual.variable", name=param.envvar))
    return Entry(", ".join(names) + value, " ".join([text, *notes]))


# -- in the terminal ------------------------------------------------------------------------------


def shown(page: Page, say: Texts, width: int | None = None) -> str:
    """The page as lines of text, no wider than the terminal."""
    wide = min(width or shutil.get_terminal_size().columns, WIDEST)
    first, *more = wrap(f"{page.command} — {page.summary}", wide, subsequent_indent=" " * INDENT)
    lines = [first.replace(page.command, typer.style(page.command, bold=True), 1), *more, ""]
    lines += [_title(say("manual.usage")), " " * INDENT + page.usage, ""]
    for paragraph in page.about:
        lines += [*wrap(paragraph, wide), ""]
    for title, entries in page.sections:
        lines += [_title(title), *(line for e in entries for line in _entry(e, wide)), ""]
    if page.examples:
        lines.append(_title(say("manual.examples")))
    for example in page.examples:
        lines += [" " * INDENT + typer.style(example.name, bold=True)]
        lines += [" " * 2 * INDENT + line for line in wrap(example.text, wide - 2 * INDENT)]
    return "\n".join(lines).rstrip() + "\n"


def wrap(text: str, width: int, subsequent_indent: str = "") -> list[str]:
    """The text as lines; where French puts a space before a mark, the mark stays with its word.

    Nothing is broken at a hyphen: names of files and options can be copied.
    """
    bound = re.sub(r" (?=[:;?!»])|(?<=«) ", "\u00a0", text)
    lines = textwrap.wrap(bound, width, subsequent_indent=subsequent_indent, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines]


def _title(text: str) -> str:
    return typer.style(text.upper(), bold=True)


def _entry(entry: Entry, wide: int) -> list[str]:
    """The name in a column of its own, or on a line of its own where it is long."""
    room = max(wide - NAME_COLUMN, 20)
    items = entry.text.splitlines()  # a list where there are several
    hang = " " * INDENT if len(items) > 1 else ""
    text = [line for item in items for line in wrap(item, room, subsequent_indent=hang)] or [""]
    name = " " * INDENT + entry.name
    first = [] if len(name) + 2 <= NAME_COLUMN else [name]
    rows = [("" if first or n else name, line) for n, line in enumerate(text)]
    return first + [f"{left:<{NAME_COLUMN}}{line}".rstrip() for left, line in rows]


def command_class(say: Texts) -> type[TyperCommand]:
    """A command whose help is its page, and whose errors name what was typed."""

    class Command(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            ctx.meta[TYPED] = [argument.partition("=")[0] for argument in args]
            try:
                return super().parse_args(ctx, args)
            except typer.BadParameter as wrong:
                if wrong.param and (flag := _flag(ctx, wrong.param)):
                    wrong.param_hint = f"'{flag}'"  # else it names all that mean the same
                raise

        def invoke(self, ctx: Any) -> Any:
            try:
                return super().invoke(ctx)
            except OptionError as wrong:
                if wrong.code in ("option/value", "option/memory"):
                    wrong.values["name"] = as_typed(ctx, wrong.values["name"])
                raise

        def format_help(self, ctx: Any, formatter: Any) -> None:
            formatter.write(shown(page(self, ctx.command_path, say), say))

    return Command


def as_typed(ctx: Any, name: str) -> str:
    """How a person gave the argument that Python calls `name`: by a flag, or by a variable."""
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name)
        if name in (param.name, param.opts[0].lstrip("-")) and source is not None:
            if source.name == "ENVIRONMENT":
                return str(param.envvar)
            if source.name == "COMMANDLINE":
                return _flag(ctx, param) or str(param.opts[0])
    return name


def _flag(ctx: Any, param: Any) -> str:
    """The flag by which a person gave a parameter; empty if by none."""
    typed = (flag for flag in param.opts if flag.startswith("-") and flag in ctx.meta[TYPED])
    return str(next(typed, ""))


def group_class(say: Texts) -> type[TyperGroup]:
    """The command of all commands, likewise; `help COMMAND` is `COMMAND --help`."""

    class Group(TyperGroup):
        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args[0] != "help":
                return super().resolve_command(ctx, args)
            if not args[1:] or args[1].startswith("-"):
                typer.echo(ctx.get_help())
                ctx.exit()
            return super().resolve_command(ctx, [args[1], "--help"])

        def format_help(self, ctx: Any, formatter: Any) -> None:
            formatter.write(shown(page(self, ctx.command_path, say), say))

    return Group
