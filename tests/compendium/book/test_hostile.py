"""Hostile files and crowded machines: one line, nothing run that was not asked for, bounded time and memory."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from compendium.book import catalogue, site
from compendium.book.engine import Failure
from compendium.book.parameters import check_imports_nothing, resolve
from compendium.book.runs import NotebookError, _error_of, environment, plan
from compendium.cli import listing
from compendium.cli import main as book_cli
from errorest import determinism
from errorest.cli import program
from errorest.errors import UsageError

SPEC = catalogue.notebook("martin-hirschberg/02-discriminant")


PATHS = ["some.module:thing", "subprocess:Popen(args='touch x', shell=True)", "some.Thing", "a-b.side_effect:x"]


def test_every_parameter_that_takes_an_import_path_is_known() -> None:
    named = {
        name
        for notebook in catalogue.notebooks()
        for name, field in notebook.parameters.model_fields.items()
        if "import path" in (field.description or "") or name == "against"
    }
    for name in named:
        for value in (*PATHS, ["c4.5", "some.module:thing"]):
            with pytest.raises(UsageError, match="nothing is to run"):
                check_imports_nothing({name: value}, "nothing is to run", "look first")
    check_imports_nothing({name: ["c4.5", "c4.5-release-8", "sklearn.svm.SVC(C=2)"] for name in named}, "", "")


def test_notebooks_look_for_modules_in_the_working_folder_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')\n")
    command = [sys.executable, "-m", "json.tool", "--help"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


SMALL_STUDY = """
from errorest import determinism
determinism.apply()
from compendium.studies.study import run_study
import study_measures
print(len(run_study(study_measures.coins(), jobs=2, say=print)))
"""


@pytest.mark.parametrize("options", ["ro", "size=4k"])
def test_a_study_ends_well_without_a_usable_shared_memory(options: str, tmp_path: Path) -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("mounting a file system needs root")
    script = tmp_path / "small.py"
    script.write_text(SMALL_STUDY)
    mounted = f"mount -t tmpfs -o {options} none /dev/shm && exec {sys.executable} {script}"
    command = ["unshare", "-m", "--propagation", "private", "sh", "-c", mounted]
    folders = (Path(determinism.__file__).parents[1], Path(__file__).parents[2])
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=300)
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()[:80]}")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "32"
    assert "one process computes" in done.stdout


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOSPC, errno.EAGAIN, errno.EACCES])
def test_what_the_machine_lacks_is_one_line(number: int, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(listing, "list_notebooks", Mock(side_effect=OSError(number, os.strerror(number))))
    monkeypatch.setattr(program, "leave_output", lambda: None)
    assert book_cli.main(["list"]) == 2
    report = capsys.readouterr().err
    assert report.startswith(f"error: {os.strerror(number)}")
    assert report.count("\n") == 1


def failing(folder: Path, failure: Failure | int) -> str:
    """The one line of advice that a failed notebook ends with."""
    with pytest.raises(UsageError) as caught:
        raise _error_of(plan(SPEC, resolve(SPEC, {})), folder, failure)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_notebook_that_is_killed_or_stopped_by_the_machine_is_one_line(tmp_path: Path) -> None:
    assert "was ended (SIGKILL" in failing(tmp_path, -9)
    text = "[Errno 28] No space left on device"
    full = Failure("OSError", f"{text}: 'x.nbi'\nTraceback ...\nOSError: {text}")
    assert "was stopped: No space left" in failing(tmp_path, full)
    denied = Failure("PermissionError", "[Errno 13] Permission denied: 'x.svg'\nTraceback ...")
    assert "was stopped: Permission denied" in failing(tmp_path, denied)
    (tmp_path / "log.txt").write_text("a fault of ours")
    for failure in (1, Failure("FileNotFoundError", "[Errno 2] No such file")):
        with pytest.raises(NotebookError, match=r"a fault of ours|No such file"):
            raise _error_of(plan(SPEC, resolve(SPEC, {})), tmp_path, failure)


@pytest.mark.parametrize(
    ("status", "said", "report"),
    [
        (
            1,
            "Traceback\n  pickle.dump(x)\nOSError: [Errno 28] No space left on device\nmore",
            "No space left on device",
        ),
        (1, "shutil.Error: [('a', 'b', \"[Errno 13] Permission denied: 'b'\")]", "Permission denied"),
        (-9, "", "Sphinx was ended by a signal (9)"),
    ],
)
def test_pages_that_the_machine_does_not_let_be_built_are_one_line(
    status: int, said: str, report: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERROREST_BUILD", str(tmp_path / "build"))
    done = subprocess.CompletedProcess([], status, "", said)
    monkeypatch.setattr(site.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(UsageError) as caught:
        site.build_site("published", afresh=True)
    problem, _, hint = str(caught.value).partition("; ")
    assert problem.startswith(f"the pages could not be built: {report}")
    assert hint
    assert "Traceback" not in str(caught.value)


def test_a_notebook_without_semaphores_says_so_in_our_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "error::DeprecationWarning")
    ours = "ignore::UserWarning:joblib._multiprocessing_helpers"
    assert environment()["PYTHONWARNINGS"].startswith(f"error::DeprecationWarning,{ours}")
