"""Run one notebook through papermill, in this process, which was forked for it.

What comes out is normalised: no timings, fixed cell ids, so that equal runs
are equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import papermill
from nbclient.exceptions import DeadKernelError
from papermill.exceptions import PapermillExecutionError

from compendium.book.executed import normalise
from compendium.book.kernels import ForkedKernels, wait_for_kernels
from compendium.studies.orphans import watch_parent

__all__ = ["execute"]

_EXPECTED = (
    "; expected memory, room in the folder of temporary files, open files (ulimit -n) and the loopback interface; "
    "finished studies are kept: see to it and run again, perhaps with fewer jobs"
)


def execute(request: Mapping[str, Any], parent: int) -> int:
    """Execute a notebook; the exit status is 0, or 3 with ``error.json`` beside the target."""
    wait_for_kernels(2)
    watch_parent(parent, signal_on_death=False)
    target = Path(request["target"])
    try:
        try:
            _execute(request)
        except DeadKernelError:
            raise
        except RuntimeError:
            # a kernel that never answered: of those that start side by side one may take a port found free for another
            _execute(request)
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


def _execute(request: Mapping[str, Any]) -> None:
    papermill.execute_notebook(
        request["source"],
        request["target"],
        parameters=request["parameters"],
        cwd=request["folder"],
        kernel_name="python3",
        kernel_manager_class=ForkedKernels,
        progress_bar=False,
        log_output=False,
    )


def _told(target: Path, text: str) -> None:
    target.with_name("error.json").write_text(json.dumps({"name": "UsageError", "text": text}))
