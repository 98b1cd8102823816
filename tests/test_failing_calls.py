"""Whole runs and pages under the n-th failing call of the system, in the kernel's part too: one line, then repaired."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest

import survival
from errorest.cli import main as cli
from errorest.compendium import runner, staging
from errorest.compendium.runner import Options, Run
from survival import LONG, command_in_a_child, content_of, counted, fresh, is_well

NOTEBOOK = "scheffer-herbrich/03-calculator"
RUN = ["run", NOTEBOOK, "--scale", "preview", "-p", "sizes=[100, 200]", "-p", "trials=[1, 3, 10]", "--jobs", "1"]
COMMANDS = {
    "runs": [*RUN, "--no-page"],
    "runs with a page": RUN,
    "builds": ["build", "--only", NOTEBOOK, "--scale", "preview", "--jobs", "1"],
}
TRIED = {"runs with a page": 3, "builds": 1}
"""How many of the calls the short versions let fail."""

HEAD = "".join(f'<meta name="{n}" content="x"/>' for n in ("description", "citation_title", "citation_author"))
"""What every page is held to have."""

BESIDE = ("took-preview.json", "took-own.json")
"""Seconds, which no two runs share."""


def in_this_process(work: Path, run: Run, options: Options, progress: Any) -> None:
    """Execute the cells of a notebook here, as a kernel would: what they raise comes back as a kernel tells it."""
    given = run.parameters.model_dump(mode="json")
    os.environ |= {
        "ERROREST_OUT": str(work),
        "ERROREST_STORE": str(runner.build_folder() / "store"),
        "ERROREST_PROGRESS": str(work / "progress.json"),
        "ERROREST_SAID": str(work / "said.txt"),
        "ERROREST_PARAMETERS": json.dumps(given, sort_keys=True),
    }
    notebook = nbformat.read(run.spec.file, as_version=4)
    names: dict[str, Any] = {}
    try:
        for cell in notebook.cells:
            if cell.cell_type == "code":
                exec(cell.source, names)
                names |= given if "parameters" in cell.metadata.get("tags", []) else {}
        nbformat.write(notebook, work / "notebook.ipynb")
    except Exception as exc:
        lines = "" if type(exc).__name__ == "UsageError" else f"\n{traceback.format_exc()}"
        (work / "error.json").write_text(json.dumps({"name": type(exc).__name__, "text": f"{exc}{lines}"}))
        runner._raise(run, work, 3)


def quick_pages(command: list[str], **options: Any) -> Any:
    """Write a page as Sphinx would, in no time; what it cannot write it tells with a traceback."""
    html = Path(command[command.index("--path-output") + 1]) / "_build" / "html"
    try:
        for name in ("index.html", f"notebooks/{NOTEBOOK}.html"):
            (html / name).parent.mkdir(parents=True, exist_ok=True)
            (html / name).write_text(f"<html><head>{HEAD}</head><h1>Page</h1></html>")
    except OSError:
        return SimpleNamespace(returncode=1, stdout="", stderr=traceback.format_exc())
    return SimpleNamespace(returncode=0, stdout="", stderr="")


def without_programs() -> None:
    """Let the command call neither a kernel nor Sphinx."""
    runner._execute_in = in_this_process
    staging.subprocess = SimpleNamespace(run=quick_pages, DEVNULL=subprocess.DEVNULL)  # type: ignore[assignment]


@pytest.mark.parametrize("what", COMMANDS if LONG else TRIED)
def test_a_whole_command_survives_the_failure_of_any_call_of_the_system(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told.txt"
    monkeypatch.setenv("OMP_NUM_THREADS", "1")

    def attempt(folder: Path, last: int = 0, code: int = 0) -> tuple[int, int]:
        monkeypatch.chdir(folder)
        monkeypatch.setenv("ERROREST_BUILD", str(folder / "build"))
        return command_in_a_child(COMMANDS[what], told, last, code, without_programs)

    def whole(folder: Path) -> dict[str, str]:
        kept = ("results", "pages", "runs", "03-calculator-run", "store")
        found = content_of(folder)
        return {n: d for n, d in found.items() if n.split("/")[-1] not in BESIDE and set(n.split("/")) & set(kept)}

    with fresh(tmp_path / "warm") as folder, monkeypatch.context() as patch:
        # here first, so that the children find all compiled and imported; what is set meanwhile is set back
        for name, value in os.environ.items():
            patch.setenv(name, value)
        patch.setattr(runner, "_execute_in", in_this_process)
        patch.chdir(folder)
        patch.setenv("ERROREST_BUILD", str(folder / "build"))
        assert cli.main([*RUN, "--no-page"]) == 0
    with fresh(tmp_path / "one") as folder:
        status, calls = attempt(folder)
        assert status == 0, told.read_text()
        wanted = whole(folder)
    assert calls > 50
    assert len(wanted) > 10
    tried = survived = 0
    for place, last in enumerate(range(1, calls + 1, 1 if LONG else calls // TRIED[what])):
        # each call with one of the errors: all three with each would take hours
        code = survival.ERRORS[place % len(survival.ERRORS)]
        with fresh(tmp_path / "one") as folder:
            status, _ = attempt(folder, last, code)
            said = told.read_text()
            assert is_well(status, said), (last, errno.errorcode[code], status, said[-3000:])
            status, _ = attempt(folder)
            tried += 1
            survived += status == 0 and whole(folder) == wanted
            assert survived == tried, (last, errno.errorcode[code], told.read_text()[-3000:])
            assert not list(folder.rglob(".*.tmp"))
    counted(f"whole {what} with a failing call of the system", tried, survived)
