"""What an executed notebook holds, so that equal runs are equal bytes; and new prose around what was executed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat

from compendium.book.prose import fitting

__all__ = ["normalise", "retold"]

_INJECTED = "injected-parameters"


def normalise(path: Path, changed: Sequence[str] = ()) -> None:
    """Strip what differs between equal runs: timings, paths, random cell ids; and prose that does not hold here."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("metadata", {}).pop("execution", None)
    notebook.metadata.pop("papermill", None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    _write(notebook, notebook.cells, changed, path)


def retold(executed: str, source: Path, changed: Sequence[str], path: Path) -> bool:
    """Write an executed notebook with the prose of another state of its source, if the code is the same."""
    made, now = nbformat.reads(executed, as_version=4), nbformat.read(source, as_version=4)
    ran = [cell for cell in made.cells if cell.cell_type == "code"]
    own = [cell for cell in ran if not _is_injected(cell)]
    codes = [cell for cell in now.cells if cell.cell_type == "code"]
    if [_code(cell) for cell in own] != [_code(cell) for cell in codes]:
        return False
    cells: list[Any] = []
    for cell in now.cells:
        if cell.cell_type != "code":
            # papermill gives every cell a list of tags
            cell.metadata.setdefault("tags", [])
            cells.append(cell)
            continue
        cells.append(ran.pop(0))
        while ran and _is_injected(ran[0]):
            cells.append(ran.pop(0))
    _write(made, cells, changed, path)
    return True


def _is_injected(cell: Any) -> bool:
    return _INJECTED in cell.metadata.get("tags", [])


def _code(cell: Any) -> tuple[str, list[str]]:
    return cell.source, sorted(cell.metadata.get("tags", []))


def _write(notebook: Any, cells: Sequence[Any], changed: Sequence[str], path: Path) -> None:
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = fitting(cell.source, changed)
    notebook.cells = [cell for cell in cells if cell.cell_type != "markdown" or cell.source]
    for position, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{position}"
        kept = {k: v for k, v in cell.metadata.items() if k in ("tags", "mystnb")}
        cell.metadata = nbformat.from_dict(kept)
    nbformat.write(notebook, path)
