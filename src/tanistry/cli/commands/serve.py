"""`tanistry serve`: the server. Its flags are the fields of `tanistry.server.settings.Settings`."""

import errno
import inspect
import os
import socket
import sys
from dataclasses import fields
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from tanistry.cli.common import Lang
from tanistry.errors import OptionError
from tanistry.server.settings import PREFIX, Settings
from tanistry.session.language import Misuse, Texts

ORDER = 60
LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")
METAVARS = {int: "N", float: "X", str: "TEXT"}


def add(app: typer.Typer, say: Texts) -> None:
    def serve(**given: Any) -> None:
        given.pop("_lang")
        try:
            from tanistry.server.run import PATIENCE
            from tanistry.server.run import serve as run
        except ImportError as missing:
            raise Misuse(say("errors.extra", extra="server", name=missing.name or "?")) from None
        settings = Settings(**given)
        _check_port(settings, say)
        _warn_of_redis(settings.redis, say)

        def prepared() -> None:
            if settings.log_format == "text":  # a line for people would be no object
                print(how_to_reach(settings.host, settings.port, say), flush=True)

        def waiting(wrong: OptionError) -> None:
            trying = say("serve.trying", seconds=round(PATIENCE))
            print(wrong.message(say.lang), trying, file=sys.stderr, flush=True)

        run(settings, prepared, waiting)

    parameters = [_flag(item) for item in fields(Settings)]
    parameters.append(_parameter("_lang", Lang, None))
    serve.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    serve.__annotations__ = {p.name: p.annotation for p in parameters}
    app.command(help="help.serve")(serve)


def how_to_reach(host: str, port: int, say: Texts) -> str:
    """Where to open it so that the links shared from there work for those they are meant for."""
    if host in LOOPBACK:
        return say("serve.open", url=_url(host, port)) + "\n" + say("serve.alone")
    if host not in EVERYWHERE:
        return say("serve.open", url=_url(host, port))
    address = network_address()
    if not address:
        return say("serve.open", url=_url("127.0.0.1", port))
    return say("serve.open", url=_url(address, port)) + "\n" + say("serve.network")


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def network_address() -> str:
    """This machine's address in its network, if it is in one. Nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documents, which belongs to nobody
            found = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if found.startswith("127.") or found == "0.0.0.0" else found


def _check_port(settings: Settings, say: Texts) -> None:
    """A port that is taken, or a host that is elsewhere, is refused before anything is prepared."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as trial:
        if os.name == "posix":  # a port that was used a moment ago is free
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((settings.host, settings.port))
        except OSError as wrong:
            known = not isinstance(wrong, socket.gaierror) and wrong.errno != errno.EADDRNOTAVAIL
            key = "errors.port" if known else "errors.host"
            raise Misuse(say(key, host=settings.host, port=settings.port)) from None


def _warn_of_redis(url: str, say: Texts) -> None:
    """Redis may come later; people should not have to guess that it is not there."""
    named = urlsplit(url)
    if named.hostname is None:  # none is wanted, or it is a socket in the file system
        return
    port = named.port or 6379
    try:
        socket.create_connection((named.hostname, port), timeout=2).close()
    except OSError:
        print(say("serve.no_redis", host=named.hostname, port=port), file=sys.stderr, flush=True)


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
