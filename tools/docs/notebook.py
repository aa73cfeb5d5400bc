"""A notebook as a page: its words, its code, and what the code answered."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

Cell = dict[str, Any]


def page(notebook: Path) -> tuple[str, dict[str, bytes]]:
    """The page as Markdown, and the pictures it shows by name."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for n, output in enumerate(cell["outputs"]):
            parts.append(_output(output, f"{notebook.stem}-{number}-{n}.png", pictures))
    return "\n\n".join(part for part in parts if part) + "\n", pictures


def _output(output: Cell, name: str, pictures: dict[str, bytes]) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        pictures[name] = base64.b64decode("".join(data["image/png"]))
        return f"![The picture this cell draws]({name})"
    text = "".join(output.get("text") or data.get("text/plain", ""))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""
