"""The results on disk: JSON for programs, Parquet for data people, HTML for everybody."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tanistry.arguments import several
from tanistry.errors import OptionError
from tanistry.storage import replacing
from tanistry.studies.checkpoint import read_folder
from tanistry.studies.report import report
from tanistry.studies.results import TABLES, Row, Rows
from tanistry.words import LANGUAGES

if TYPE_CHECKING:
    from tanistry.studies.output import Study

FORMATS = ("json", "parquet", "html")


def usual_formats() -> tuple[str, ...]:
    """What is written unless somebody says otherwise: Parquet where it can be."""
    return FORMATS if find_spec("pyarrow") else ("json", "html")


def check_formats(formats: Sequence[str]) -> None:
    """Refuse early what could not be written at the end; OptionError says why."""
    for name in several(formats) or [""]:
        if name not in FORMATS:
            allowed = ", ".join(FORMATS)
            raise OptionError("option/value", name="format", value=name, allowed=allowed)
    if "parquet" in formats and find_spec("pyarrow") is None:
        raise OptionError("study/extra", what="Parquet", name="pyarrow", extra="study")


def write(study: Study, folder: Path | str, formats: Sequence[str], lang: str) -> list[Path]:
    """Write the files of a study; which ones."""
    check_formats(formats)
    if lang not in LANGUAGES:
        allowed = ", ".join(LANGUAGES)
        raise OptionError("option/value", name="lang", value=lang, allowed=allowed)
    folder = read_folder(folder)
    written = []
    if "json" in formats:
        written.append(_write_text(folder / "study.json", json.dumps(study.data(), indent=1)))
    if "parquet" in formats:
        head = json.dumps(study.head())
        written += [_write_parquet(folder, name, table(study, name), head) for name in TABLES]
    if "html" in formats and (page := report(study, lang)):
        written.append(_write_text(folder / "report.html", page))
    return written


def _write_text(path: Path, text: str) -> Path:
    with replacing(path) as fresh:
        fresh.write_text(text + "\n", "utf-8")
    return path


def table(study: Study, name: str) -> Rows:
    """A table of all settings together: what the setting was stands before each row."""
    rows = []
    # A column has one type: versions of several bots are a text, and then all of them are.
    mixed = any(len(setting.policy.specs) > 1 for setting in study.plan.settings)
    for result in study.results:
        setting = result.setting
        head: Row = {"game": setting.game, **setting.versions()}
        if mixed:
            head["bot_version"] = str(head["bot_version"])
        head |= {"policy": setting.policy.text, "seats": setting.seats}
        head |= {f"option_{key}": value for key, value in setting.options}
        rows += [{**head, **row} for row in getattr(result, name)()]
    return rows


def _write_parquet(folder: Path, name: str, rows: Rows, head: str) -> Path:
    import pyarrow
    from pyarrow import parquet

    path = folder / f"{name}.parquet"
    with replacing(path) as fresh:
        found = pyarrow.Table.from_pylist(rows).replace_schema_metadata({"study": head})
        parquet.write_table(found, fresh)
    return path
