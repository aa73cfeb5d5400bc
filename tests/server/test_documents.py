"""What the documents say about the server is what the server does."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from tanistry.server.app import create_app
from tanistry.server.messages import KINDS
from tanistry.server.migrate import newest, revisions
from tanistry.server.refusals import server_words
from tanistry.server.settings import PREFIX, Settings, from_environment

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = (ROOT / "docs/protocol.md").read_text("utf-8")
HOSTING = (ROOT / "docs/hosting.md").read_text("utf-8")
FRENCH = (ROOT / "docs/fr/hosting.md").read_text("utf-8")
CONFIGURATION = (ROOT / "docs/configuration.md").read_text("utf-8")

VARIABLE = re.compile(r"\bTANISTRY_[A-Z]+(?:_[A-Z]+)*\b")


def test_every_message_is_in_the_protocol() -> None:
    described = set(re.findall(r'^\| `\{"type": "(\w+)"', PROTOCOL, re.M))
    assert described == set(KINDS)


def test_every_endpoint_is_in_the_protocol() -> None:
    for path, methods in create_app(Settings()).http.openapi()["paths"].items():
        for method in methods:
            short = path.removeprefix("/api/v1").replace("{table}", "{id}")
            short = short.replace("{player}", "{id}")
            assert f"`{method.upper()} {short}" in PROTOCOL, (method, short)


def test_every_refusal_is_in_the_protocol() -> None:
    codes = {
        f"{family}/{name}"
        for family, names in server_words("en").tree["refusals"].items()
        for name in names
    }
    missing = {code for code in codes if f"`{code}`" not in PROTOCOL}
    assert not missing


def test_both_languages_say_the_same_things() -> None:
    def keys(tree: object, path: str = "") -> set[str]:
        if not isinstance(tree, dict):
            return {path}
        return {found for key, value in tree.items() for found in keys(value, f"{path}.{key}")}

    assert keys(server_words("en").tree) == keys(server_words("fr").tree)


def test_every_setting_is_documented() -> None:
    for item in fields(Settings):
        default = str(item.default).lower() if isinstance(item.default, bool) else item.default
        shown = f"`{default}`" if default != "" else ""
        assert f"| `{item.name}` | {shown} |".replace("|  |", "| |") in CONFIGURATION, item.name
        for lang in ("en", "fr"):
            text = (ROOT / f"src/tanistry/session/words/{lang}.toml").read_text("utf-8")
            assert f"serve_{item.name}" in tomllib.loads(text)["help"], item.name


def test_every_variable_is_documented() -> None:
    sources = (ROOT / "src/tanistry").rglob("*.py")
    named = {name for path in sources for name in VARIABLE.findall(path.read_text("utf-8"))}
    settings = {PREFIX + item.name.upper() for item in fields(Settings)}
    assert named - settings, "nothing was found to look at"
    assert not {name for name in named - settings if f"`{name}`" not in CONFIGURATION}


def test_every_number_for_operators_is_documented() -> None:
    for family in REGISTRY.collect():
        if family.name.startswith("tanistry_"):
            name = family.name + ("_total" if family.type == "counter" else "")
            assert f"`{name}`" in HOSTING, name


@pytest.mark.parametrize("page", [HOSTING, FRENCH], ids=["en", "fr"])
def test_the_schema_of_this_version_is_named(page: str) -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"The schema of the database is `{newest()}`" in changes
    (version, schema), (asked,) = (
        re.findall(r"\((\d+\.\d+\.\d+) ?: `(\d{4})`\)", page)[0],
        re.findall(r"tanistry admin downgrade (\d{4})", page),
    )
    assert schema == asked
    assert schema in revisions()
    assert f"'tanistry[server]=={version}'" in page


def test_settings_come_from_the_environment() -> None:
    given = {f"{PREFIX}PORT": "81", f"{PREFIX}LIMITS": "false", f"{PREFIX}ABSENT": "2.5"}
    settings = from_environment(given, host="0.0.0.0", redis=None)
    assert (settings.port, settings.limits, settings.absent) == (81, False, 2.5)
    assert (settings.host, settings.redis) == ("0.0.0.0", "")
    again = from_environment(settings.environment())
    assert again == settings
    with pytest.raises(ValueError, match="TANISTRY_PORT"):
        from_environment({"TANISTRY_PORT": "eighty"})


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("x.db", "sqlite+aiosqlite:///x.db"),
        ("sqlite:///x.db", "sqlite+aiosqlite:///x.db"),
        ("postgresql://a@b/c", "postgresql+asyncpg://a@b/c"),
    ],
)
def test_database_names(given: str, url: str) -> None:
    assert Settings(database=given).database_url == url
