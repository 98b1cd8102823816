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
from unittest.mock import patch

import nbformat
import pytest

import survival
from compendium.book import runner, staging
from compendium.book.runner import Options, Run
from compendium.cli import main as cli
from survival import EVERY, LONG, command_in_a_child, content_of, counted, fresh, is_well

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
    told = {
        "ERROREST_OUT": str(work),
        "ERROREST_STORE": str(runner.build_folder() / "store"),
        "ERROREST_PROGRESS": str(work / "progress.json"),
        "ERROREST_SAID": str(work / "said.txt"),
        "ERROREST_PARAMETERS": json.dumps(given, sort_keys=True),
    }
    notebook = nbformat.read(run.spec.file, as_version=4)
    names: dict[str, Any] = {}
    try:
        with patch.dict(os.environ, told):
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
    html = Path(command[-2])
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


class Commands:
    """A whole command in folders of its own, and what must lie there in the end."""

    def __init__(self, what: str, place: Path, patch: pytest.MonkeyPatch) -> None:
        self.what, self._place, self._patch = what, place, patch
        patch.setenv("OMP_NUM_THREADS", "1")
        with fresh(place / "warm") as folder, patch.context() as own:
            # here first, so that the children find all compiled and imported; what is set meanwhile is set back
            for name, value in os.environ.items():
                own.setenv(name, value)
            own.setattr(runner, "_execute_in", in_this_process)
            own.chdir(folder)
            own.setenv("ERROREST_BUILD", str(folder / "build"))
            assert cli.main([*RUN, "--no-page"]) == 0
        self.calls = 0
        with fresh(place / "one") as folder:
            status, said = self.attempt(folder)
            assert status == 0, said
            self.wanted = self._made_in(folder)
        assert self.calls > 50
        assert len(self.wanted) > 10

    def tried(self) -> range:
        """Which calls fail: every one, every n-th, or a few."""
        return range(1, self.calls + 1, EVERY if LONG else self.calls // TRIED[self.what])

    def attempt(self, folder: Path, last: int = 0, code: int = 0, told: str = "told.txt") -> tuple[int, str]:
        """Return the status of a command whose n-th call of the system fails, and what it said."""
        self._patch.chdir(folder)
        self._patch.setenv("ERROREST_BUILD", str(folder / "build"))
        status, calls = command_in_a_child(COMMANDS[self.what], self._place / told, last, code, without_programs)
        self.calls = self.calls or calls
        return status, (self._place / told).read_text()

    def lacks_in(self, folder: Path) -> list[str]:
        """List what the same command now leaves undone, or unfinished."""
        status, said = self.attempt(folder)
        made = self._made_in(folder)
        other = [f"{n} is another" for n in {*made, *self.wanted} if made.get(n) != self.wanted.get(n)]
        unfinished = [f"{path.relative_to(folder)} is left" for path in folder.rglob(".*.tmp")]
        return [*other, *unfinished, *([f"status {status}: {said[-3000:]}"] if status else [])]

    @staticmethod
    def _made_in(folder: Path) -> dict[str, str]:
        kept = {"results", "pages", "runs", "03-calculator-run", "store"}
        found = content_of(folder)
        return {n: d for n, d in found.items() if n.split("/")[-1] not in BESIDE and set(n.split("/")) & kept}


@pytest.mark.parametrize("what", COMMANDS if LONG else TRIED)
def test_a_whole_command_survives_the_failure_of_any_call_of_the_system(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = Commands(what, tmp_path, monkeypatch)
    tried = survived = 0
    for place, last in enumerate(command.tried()):
        # each call with one of the errors: all three with each would take hours
        code = survival.ERRORS[place % len(survival.ERRORS)]
        with fresh(tmp_path / "one") as folder:
            status, said = command.attempt(folder, last, code)
            assert is_well(status, said), (last, errno.errorcode[code], status, said[-3000:])
            tried += 1
            lacks = command.lacks_in(folder)
            survived += not lacks
            assert survived == tried, (last, errno.errorcode[code], lacks, said[-3000:])
    counted(f"whole {what} with a failing call of the system", tried, survived)


@pytest.mark.parametrize("what", COMMANDS if LONG else ["runs with a page"])
def test_of_whole_commands_side_by_side_one_may_be_killed_at_any_call_of_the_system(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = Commands(what, tmp_path, monkeypatch)
    tried = survived = 0
    for last in command.tried():
        with fresh(tmp_path / "one") as folder:
            beside = os.fork()
            if beside == 0:
                os._exit(not is_well(*command.attempt(folder, told="beside.txt")))
            status, said = command.attempt(folder, last, survival.KILL)
            ended = os.waitstatus_to_exitcode(os.waitpid(beside, 0)[1])
            assert status == survival.KILL or is_well(status, said), (last, status, said[-3000:])
            assert ended == 0, (last, (tmp_path / "beside.txt").read_text()[-3000:])
            tried += 1
            lacks = command.lacks_in(folder)
            survived += not lacks
            assert survived == tried, (last, lacks, said[-3000:])
    counted(f"whole {what} beside one that is killed at a call of the system", tried, survived)
