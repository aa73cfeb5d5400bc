"""The command line: its commands, found by looking, and errors as one clear line each.

A command is a module of `tanistry.cli.commands` with a function `add(app, say)` that registers it
and a number `ORDER` that says where the help lists it. Such a module imports nothing heavy at its
top: `tanistry --help` loads them all.
"""

from __future__ import annotations

import errno
import os
import pkgutil
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from traceback import walk_tb
from typing import Any

import typer

import tanistry
from tanistry.cli import front, output
from tanistry.cli.manual import command_class, group_class
from tanistry.cli.status import BROKEN, INTERRUPTED, MISUSED, PIPE_CLOSED, UNWRITABLE
from tanistry.errors import FileError
from tanistry.session.language import Misuse, Texts, asked_for, texts

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What goes wrong with an output that is a file."""


def commands() -> list[Any]:
    """The modules of the commands, in the order of the help."""
    folder = import_module("tanistry.cli.commands")
    found = [
        import_module(f"{folder.__name__}.{m.name}") for m in pkgutil.iter_modules(folder.__path__)
    ]
    return sorted(found, key=lambda module: (module.ORDER, module.__name__))


def build(say: Texts) -> typer.Typer:
    """The application, its help in the language of `say`."""
    app = typer.Typer(
        name="tanistry",
        cls=group_class(say),
        help="help.tanistry",
        add_completion=False,
        rich_markup_mode=None,  # a page is laid out by `manual`
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    front.add(app, say)
    for module in commands():
        module.add(app, say)
    for command in app.registered_commands:
        command.cls = command_class(say)
    return app


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line; the exit status."""
    lang = asked_for(arguments)
    say = texts(lang)
    output.set_up()
    try:
        given = list(arguments) or ["--help"]
        status = build(say)(given, prog_name="tanistry", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except tanistry.TanistryError as wrong:
        if wrong.__cause__ and os.environ.get("TANISTRY_DEBUG"):
            raise  # whoever writes a bot wants to see where it failed
        return _complain(wrong.message(lang))
    except Misuse as wrong:
        return _complain(str(wrong))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit) as wrong:
        if isinstance(wrong, SystemExit) and not isinstance(wrong.__context__, BrokenPipeError):
            raise  # what libraries make of a closed pipe is ours to answer, nothing else
        output.let_go()
        return PIPE_CLOSED
    except Exception as wrong:
        if hasattr(wrong, "format_message"):  # what the parser of the command line says
            return _complain(say.reworded(wrong.format_message()))
        if isinstance(wrong, OSError) and wrong.errno in NO_ROOM:
            output.let_go()
            _complain(FileError("file/output", "", wrong).message(lang))
            return UNWRITABLE
        if isinstance(wrong, PermissionError) and wrong.filename:  # merely to look may be forbidden
            return _complain(FileError("admin/unusable", wrong.filename, wrong).message(lang))
        if os.environ.get("TANISTRY_DEBUG"):
            raise
        key = "errors.uncompiled" if _is_of_compiler(wrong) else "errors.unexpected"
        _complain(say(key, kind=type(wrong).__name__, text=_first_words(wrong)))
        return BROKEN


def _is_of_compiler(wrong: Exception) -> bool:
    """Whether it was raised while rules were compiled, whatever its kind."""
    frames = (frame for frame, _ in walk_tb(wrong.__traceback__))
    return any(str(frame.f_globals.get("__name__")).startswith("numba.") for frame in frames)


def _first_words(wrong: Exception) -> str:
    """What an error says first; a compiler says before, in colours, what it was about to do."""
    said = re.sub(r"^(\x1b\[\d*m)*Failed in .*|\x1b\[\d*m", "", str(wrong), flags=re.MULTILINE)
    return said.strip().partition("\n")[0]


def _complain(sentence: str) -> int:
    line = " ".join(sentence.split())
    print(f"tanistry: {line}", file=sys.stderr)
    return MISUSED
