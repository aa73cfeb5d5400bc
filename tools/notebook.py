"""Run docs/notebook.ipynb and keep what its cells answer.

python tools/notebook.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "docs/notebook.ipynb"


def run(path: Path) -> Any:
    """The notebook with the outputs of a fresh run, and nothing that differs from run to run."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        kernel_name="python3",
        coalesce_streams=True,  # else a slow cell's output comes in pieces
        timeout=600,
        startup_timeout=300,
        iopub_timeout=120,
    ).execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
    notebook.metadata = {"kernelspec": notebook.metadata.kernelspec}
    return notebook


def main() -> None:
    import nbformat

    nbformat.write(run(NOTEBOOK), NOTEBOOK)
    print(NOTEBOOK.name)


if __name__ == "__main__":
    main()
