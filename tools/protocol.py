"""What goes over the wire, from the server's models: the web client's types, and the tables of
docs/protocol.md.

    python -m tools.protocol            # write both
    python -m tools.protocol --check    # only say whether they are what they should be
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from tanistry.server import bodies, server_messages
from tanistry.server.answers import base, clubs, games, matches, peace, people, tables, tournaments
from tanistry.server.messages import KINDS, Lang
from tools import generated

ROOT = Path(__file__).parents[1]
TYPES = ROOT / "web/src/lib/protocol.ts"
PAGE = ROOT / "docs/protocol.md"
Tree = dict[str, Any]

SAID = (base, matches, tables, people, games, tournaments, clubs, peace, server_messages)
"""The modules of all that the server says."""
ALIASES: dict[str, Any] = {"Lang": Lang, "Said": base.Said, "Entry": matches.Entry}
"""Types with a name of their own, wherever they occur."""
HEAD = """\
/** What goes over the wire. Made by tools/protocol.py from the server's models: do not edit. */
/* eslint max-lines: off */
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
PLAIN |= {"null": "null"}


def _told() -> list[type[BaseModel]]:
    """Everything the server says, in the order of the modules."""
    bases = (base.Answer, server_messages.Message, BaseModel)
    said = (kind for module in SAID for kind in vars(module).values())
    kinds = dict.fromkeys(kind for kind in said if isinstance(kind, type))
    return [k for k in kinds if issubclass(k, BaseModel) and k not in bases]


def _asked() -> list[type[BaseModel]]:
    """What clients send: bodies of requests, and messages."""
    found = [kind for kind in vars(bodies).values() if isinstance(kind, type)]
    of_requests = [k for k in found if issubclass(k, bodies.Body) and k is not bodies.Body]
    return [*of_requests, *KINDS.values()]


@cache
def _schemas() -> dict[str, Tree]:
    models = [(model, "validation") for model in (*_told(), *_asked())]
    _, tree = models_json_schema(models, ref_template="{model}")  # type: ignore[arg-type]
    found: dict[str, Tree] = tree["$defs"]
    return found


# -- TypeScript -----------------------------------------------------------------------------------


def _bare(schema: Tree) -> Tree:
    """A schema without what is only said about it."""
    return {k: v for k, v in schema.items() if k not in ("title", "description", "default")}


@cache
def _aliases() -> dict[str, Tree]:
    return {
        name: _bare(TypeAdapter(kind).json_schema(ref_template="{model}"))
        for name, kind in ALIASES.items()
    }


def _type(schema: Tree, called: str = "") -> str:
    """A schema as a type; `called`: the alias that is being written out."""
    plain = {k: v for k, v in _bare(schema).items() if k != "$defs"}
    for name, alias in _aliases().items():
        if name != called and plain == {k: v for k, v in alias.items() if k != "$defs"}:
            return name
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(map(_literal, schema["enum"]))
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(_type(one) for one in several))
    kind = schema.get("type")
    if kind == "array":
        items = _type(schema.get("items", {}))
        return f"({items})[]" if " " in items else f"{items}[]"
    if kind == "object":
        key = _type(schema["propertyNames"]) if "propertyNames" in schema else "string"
        of = schema.get("additionalProperties", True)
        return f"Record<{key}, {'unknown' if of is True else _type(of)}>"
    return PLAIN.get(str(kind), "unknown")


def _literal(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def _interface(name: str, schema: Tree) -> str:
    needed = schema.get("required", ())
    lines = []
    if about := schema.get("description"):
        lines.append(f"/** {' '.join(about.split())} */")
    lines.append(f"export interface {name} {{")
    for field, kind in schema.get("properties", {}).items():
        optional = "" if field in needed else "?"
        lines.append(f"  {field}{optional}: {_type(kind)}{' | undefined' if optional else ''}")
    if schema.get("additionalProperties") is True and name in ("CardEntry", "GameEvent"):
        lines.append("  [key: string]: unknown")
    return "\n".join([*lines, "}"])


def types() -> str:
    """The file of the web client."""
    parts = [HEAD.rstrip()]
    for name, alias in _aliases().items():
        parts.append(f"export type {name} = {_type(alias, name)}")
    parts += [_interface(name, schema) for name, schema in sorted(_schemas().items())]
    said = [model.__name__ for model in _told() if issubclass(model, server_messages.Message)]
    parts.append(_union("ServerMessage", said))
    parts.append(_union("ClientMessage", [model.__name__ for model in KINDS.values()]))
    return "\n\n".join(parts) + "\n"


def _union(name: str, kinds: list[str]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {kind}" for kind in kinds)


# -- the page -------------------------------------------------------------------------------------


def _sent() -> str:
    """The messages of clients."""
    rows = ["| message | answer | meaning |", "|---|---|---|"]
    for kind, model in KINDS.items():
        example = json.dumps({"type": kind, **model.example}, ensure_ascii=False)
        meaning = " ".join((model.__doc__ or "").split())
        rows.append(f"| `{example}` | {model.answer} | {meaning} |")
    return "\n".join(rows)


def _shapes() -> str:
    """What the server says, field by field."""
    rows = ["| shape | fields |", "|---|---|"]
    for model in _told():
        schema = _schemas()[model.__name__]
        fields = ", ".join(_field(schema, name) for name in schema.get("properties", {}))
        more = ", and more" if schema.get("additionalProperties") is True else ""
        about = " ".join((model.__doc__ or "").split())
        rows.append(f"| **{model.__name__}**: {about} | {fields}{more} |")
    return "\n".join(rows)


def _field(schema: Tree, name: str) -> str:
    optional = "" if name in schema.get("required", ()) else "?"
    kind = _type(schema["properties"][name]).replace("|", "\\|")
    return f"`{name}{optional}: {kind}`"


TABLES = {"sent": _sent, "shapes": _shapes}


def page() -> str:
    """The protocol page with its tables made anew."""
    text = PAGE.read_text("utf-8")
    for name, make in TABLES.items():
        begin, end = f"<!-- {name}: made by tools/protocol.py -->\n", "\n<!-- end -->"
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
        assert pattern.search(text), f"{PAGE} has no place for {name}"
        table = f"{begin}\n{make()}\n{end}"
        text = pattern.sub(lambda _, table=table: table, text)  # type: ignore[misc]
    return text


def files() -> generated.Files:
    return (TYPES, types()), (PAGE, page())


if __name__ == "__main__":
    generated.main("tools.protocol", files())
