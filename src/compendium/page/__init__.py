"""What the pages of the book run in the reader's browser: functions of JSON that answer in JSON.

A page names a function of :data:`CALLS`; nothing else is called.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from errorest.errors import UsageError, visible

CALLS = frozenset(
    {
        "compendium.page.own_data:choices",
        "compendium.page.own_data:read",
        "compendium.page.own_data:assess",
        "compendium.page.panel:run",
    }
)
"""The functions that a page may call, as ``module:function``."""


def start(site: str, files: str) -> None:
    """Prepare a fresh Python: imports, the folder of the reader's files, and kernels that were compiled ahead."""
    from errorest import choose, compare, compiled, estimate, from_predictions, report  # noqa: F401

    os.chdir(files)
    if (Path(site) / "kernels.json").is_file():
        compiled.load_ahead(site)


def show_progress(text: str) -> None:
    """Show on the page how far a call is; nothing where no page runs it."""
    try:
        worker = import_module("errorest_worker")
    except ImportError:
        return
    worker.report(text)


def answer(call: str, arguments: str) -> str:
    """Call a function of the list by its name; ``{"answer": ...}`` or ``{"problem": one line}`` as JSON.

    ``{"lacking": module}``, perhaps beside a problem, where a module is imported that is not there: the page loads its
    package and calls again, or shows the problem if it has no such package.
    """
    try:
        if call not in CALLS:
            raise UsageError(f"a page cannot call {call!r}")
        result: dict[str, Any] = {"answer": resolve_name(call)(**json.loads(arguments))}
        return json.dumps(result, allow_nan=False)
    except UsageError as exc:
        problem = {"problem": visible(str(exc))}
        cause: BaseException | None = exc
        while cause and not isinstance(cause, ModuleNotFoundError):
            cause = cause.__context__
        if isinstance(cause, ModuleNotFoundError):
            problem["lacking"] = str(cause.name).partition(".")[0]
        return json.dumps(problem)
    except ModuleNotFoundError as exc:
        return json.dumps({"lacking": str(exc.name).partition(".")[0]})
    except MemoryError:
        return json.dumps({"problem": "there is not enough memory; take fewer cases"})
    except Exception as exc:  # a defect of ours, whose traceback is for the console
        print(traceback.format_exc(), file=sys.stderr)
        text = " ".join(f"{type(exc).__name__}: {exc}".split())[:300]
        return json.dumps({"problem": f"unexpected error ({visible(text)}); the browser's console has the details"})
