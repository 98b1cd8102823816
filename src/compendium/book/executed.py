"""What an executed notebook holds, so that equal runs are equal bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nbformat

from compendium.book.prose import fitting

__all__ = ["normalise"]


def normalise(path: Path, changed: Sequence[str] = ()) -> None:
    """Strip what differs between equal runs: timings, paths, random cell ids; and prose that does not hold here."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("metadata", {}).pop("execution", None)
        if cell.cell_type == "markdown":
            cell.source = fitting(cell.source, changed)
    notebook.metadata.pop("papermill", None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "markdown" or cell.source]
    for position, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{position}"
        kept = {k: v for k, v in cell.metadata.items() if k in ("tags", "mystnb")}
        cell.metadata = nbformat.from_dict(kept)
    nbformat.write(notebook, path)
