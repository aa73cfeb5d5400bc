"""The HTTP half of the protocol, from the server's own description; nothing is loaded from afar."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from tanistry.server.app import create_app
from tanistry.server.settings import Settings

Tree = dict[str, Any]
LEAD = """\
The requests under `/api/v1`, as the server itself describes them. For your tools, a running server
has the same at `/api/v1/openapi.json`, and the documentation site as `openapi.json` beside this
page. What the answers hold, and everything live, is in [the protocol](protocol.md).

Whatever is refused is answered by a [refusal](#refusal) with one of these statuses:
"""


@cache
def description() -> Tree:
    found: Tree = create_app(Settings()).http.openapi()
    return found


def as_json() -> str:
    return json.dumps(description(), indent=1, ensure_ascii=False) + "\n"


def page() -> str:
    tree = description()
    parts = ["# The HTTP API", LEAD, _statuses(tree)]
    tags: dict[str, list[str]] = {}
    for path, methods in tree["paths"].items():
        for method, about in methods.items():
            tags.setdefault(about["tags"][0], []).append(_request(method, path, about))
    for tag, requests in tags.items():
        parts += [f"## {tag.capitalize()}", *requests]
    parts.append("## Shapes")
    parts += [_shape(name, shape) for name, shape in tree["components"]["schemas"].items()]
    return "\n\n".join(parts) + "\n"


def _statuses(tree: Tree) -> str:
    about = next(iter(next(iter(tree["paths"].values())).values()))
    rows = [f"| {s} | {a['description']} |" for s, a in about["responses"].items() if s >= "400"]
    return "\n".join(["| status | |", "|---|---|", *rows])


def _request(method: str, path: str, about: Tree) -> str:
    parts = [f"### `{method.upper()} {path}`", about["description"]]
    if given := about.get("parameters"):
        rows = [f"| `{p['name']}` | {p['in']} | {_kind(p['schema'])} |" for p in given]
        parts.append("\n".join(["| parameter | in | is |", "|---|---|---|", *rows]))
    if body := about.get("requestBody"):
        schema = next(iter(body["content"].values()))["schema"]
        parts.append(f"Body: {_kind(schema)}")
    status, good = next((s, a) for s, a in about["responses"].items() if s < "300")
    kind, content = next(iter(good.get("content", {"": {}}).items()))
    shape = f": {_kind(content['schema'])}" if "schema" in content else ""
    parts.append(f"Answer: {status}" + (f", `{kind}`" if kind else "") + shape)
    if "example" in content:
        parts.append(_json(content["example"]))
    return "\n\n".join(parts)


def _shape(name: str, shape: Tree) -> str:
    parts = [f"### {name}"]
    if "description" in shape:
        parts.append(shape["description"])
    needed = shape.get("required", [])
    rows = [
        f"| `{field}` | {_kind(about)} | {'yes' if field in needed else _default(about)} |"
        for field, about in shape.get("properties", {}).items()
    ]
    if rows:
        parts.append("\n".join(["| field | is | needed |", "|---|---|---|", *rows]))
    if "enum" in shape:
        parts.append(_kind(shape))
    parts += [_json(example) for example in shape.get("examples", [])]
    return "\n\n".join(parts)


def _default(about: Tree) -> str:
    return f"`{json.dumps(about['default'])}` if left out" if "default" in about else "no"


def _kind(schema: Tree) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if of := schema.get("additionalProperties"):
        return "object" if of is True else f"object of {_kind(of)}"
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return " ".join([kind, *_limits(schema)])


def _limits(schema: Tree) -> Iterator[str]:
    words = {
        "minimum": "≥ {}", "maximum": "≤ {}",
        "minLength": "at least {} characters", "maxLength": "at most {} characters",
        "minItems": "at least {}", "maxItems": "at most {}",
    }  # fmt: skip
    found = [text.format(schema[key]) for key, text in words.items() if key in schema]
    if "pattern" in schema:
        found.append(f"matching `{schema['pattern']}`".replace("|", "\\|"))
    if found:
        yield "(" + ", ".join(found) + ")"


def _json(value: Any) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"
