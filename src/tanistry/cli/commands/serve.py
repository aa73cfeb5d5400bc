"""`tanistry serve`: the server. Its flags are the fields of `tanistry.server.settings.Settings`."""

import inspect
from dataclasses import fields
from typing import Annotated, Any

import typer

from tanistry.cli.common import Lang
from tanistry.server.settings import PREFIX, Settings
from tanistry.session.language import Misuse, Texts

ORDER = 60
METAVARS = {int: "N", float: "X", str: "TEXT"}


def add(app: typer.Typer, say: Texts) -> None:
    def serve(**given: Any) -> None:
        given.pop("_lang")
        try:
            from tanistry.server.run import serve as run
        except ImportError as missing:
            raise Misuse(say("errors.extra", extra="server", name=missing.name or "?")) from None
        settings = Settings(**given)

        def prepared() -> None:
            if settings.log_format == "text":  # a line for people would be no object
                print(say("serve.open", url=f"http://{settings.host}:{settings.port}/"), flush=True)

        run(settings, prepared)

    parameters = [_flag(item) for item in fields(Settings)]
    parameters.append(_parameter("_lang", Lang, None))
    serve.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    serve.__annotations__ = {p.name: p.annotation for p in parameters}
    app.command(help="help.serve")(serve)


def _flag(item: Any) -> inspect.Parameter:
    name = f"--{item.name.replace('_', '-')}"
    kind = type(item.default)
    names = [f"{name}/--no-{name[2:]}"] if kind is bool else [name]
    option = typer.Option(
        *names,
        help=f"help.serve_{item.name}",
        metavar=METAVARS.get(kind),
        envvar=PREFIX + item.name.upper(),
    )
    return _parameter(item.name, Annotated[kind, option], item.default)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )
