"""Run one notebook through papermill, in this process: ``python -m errorest.compendium.execute REQUEST``.

The request is a JSON file with the source, target, parameters and folder.
What comes out is normalised: no timings, fixed cell ids, so that equal runs
are equal bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
import papermill
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError

from errorest.compendium.prose import fitting
from errorest.study.workers import watch_parent

__all__ = ["main"]

_EXPECTED = (
    "; expected memory, room in the folder of temporary files, open files (ulimit -n) and the loopback interface; "
    "finished studies are kept: see to it and run again, perhaps with fewer jobs"
)


def main(argv: list[str]) -> int:
    """Execute the request; the exit status is 0, or 3 with ``error.json`` beside the target."""
    request = json.loads(Path(argv[0]).read_text())
    watch_parent(request["parent"], signal_on_death=False)
    target = Path(request["target"])
    try:
        papermill.execute_notebook(
            request["source"],
            str(target),
            parameters=request["parameters"],
            cwd=request["folder"],
            kernel_name="python3",
            progress_bar=False,
            log_output=False,
        )
    except PapermillExecutionError as exc:
        target.unlink(missing_ok=True)
        if exc.ename == "CellExecutionError" and not exc.evalue:
            # the kernel could not even send what was wrong
            _told(target, f"a cell of the notebook failed without a word{_EXPECTED}")
            return 3
        text = exc.evalue if exc.ename == "UsageError" else f"{exc.evalue}\n" + "\n".join(exc.traceback or [])
        target.with_name("error.json").write_text(json.dumps({"name": exc.ename, "text": text}))
        return 3
    except (DeadKernelError, RuntimeError, OSError) as exc:
        target.unlink(missing_ok=True)
        told = " ".join(str(exc).split())[:200]
        _told(target, f"the kernel of the notebook ended or could not start ({type(exc).__name__}: {told}){_EXPECTED}")
        return 3
    normalise(target, request["changed"])
    return 0


def _told(target: Path, text: str) -> None:
    target.with_name("error.json").write_text(json.dumps({"name": "UsageError", "text": text}))


def normalise(path: Path, changed: Sequence[str] = ()) -> None:
    """Strip what differs between equal runs: timings, paths, random cell ids; and prose that does not hold here."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = fitting(cell.source, changed)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "markdown" or cell.source]
    notebook.metadata.pop("papermill", None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    for position, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{position}"
        cell.metadata = _kept(cell.metadata)
        for output in cell.get("outputs", []):
            output.get("metadata", {}).pop("execution", None)
    nbformat.write(notebook, path)


def _kept(metadata: Any) -> Any:
    kept = {k: v for k, v in metadata.items() if k in ("tags", "mystnb")}
    return nbformat.from_dict(kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
